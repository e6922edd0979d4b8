package source

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"ken/internal/engine/store"
	"ken/internal/statefile"
)

// The salt is the key of the hashes of secrets: 32 random bytes in .ken/salt, readable
// by the user alone, never committed. It is made with the first index and outlives it,
// so that the hashes of an allow-list stay valid when the index is rebuilt. If it is
// lost, changed or no regular file, the next update makes a new one and rebuilds the
// index: then the hashes of the allow-list match no value, and the findings that they
// hid are reported again. Without it a short password could be found from its hash
// by trying all.
//
// After the salt the file has a seal, which only the user's own ken can make: a salt
// that came with a repository is known to its author.

// SaltSize is the length of a salt, the secret random key of the hashes of secrets, and sealSize that of its seal, both in bytes.
const (
	SaltSize = 32
	sealSize = sha256.Size
)

// Salts provides the paths of salts and the keys of the seals that prove who made them; *owner.Folder implements it.
type Salts interface {
	Place() store.Place
	OtherPlace(dir string) (p store.Place, ok bool) // of the folder .ken of another tree
}

// saltPlace returns the path of the tree's salt and the key of its seal. Without Salts it is not sealed.
func (t *Tree) saltPlace() (path, key string) {
	if t.opt.Salts == nil {
		return filepath.Join(t.opt.Root, ".ken", "salt"), ""
	}
	p := t.opt.Salts.Place()
	return p.Salt, p.Key
}

// ReadSalt returns the salt, or nil if there is none that can be used.
func (t *Tree) ReadSalt() []byte {
	path, key := t.saltPlace()
	return t.readSalt(path, key)
}

// OtherSalt returns the salt of another tree, whose folder .ken is dir, or nil if there
// is none that can be used.
func (t *Tree) OtherSalt(dir string) []byte {
	if t.opt.Salts == nil {
		return t.readSalt(filepath.Join(dir, "salt"), "")
	}
	p, ok := t.opt.Salts.OtherPlace(dir)
	if !ok {
		return nil
	}
	return t.readSalt(p.Salt, p.Key)
}

func (t *Tree) readSalt(path, key string) []byte {
	if key == "" && t.opt.Salts != nil {
		return nil // the user has no id yet, so that no salt can be theirs
	}
	b, err := statefile.Read(path, SaltSize+sealSize)
	if err != nil || len(b) < SaltSize || !hmac.Equal(b[SaltSize:], saltSeal(b[:SaltSize], key)) {
		return nil
	}
	return b[:SaltSize]
}

// saltSeal returns the MAC that follows a salt in its file, or nil without a key.
func saltSeal(salt []byte, key string) []byte {
	if key == "" {
		return nil
	}
	h := hmac.New(sha256.New, []byte(key))
	h.Write(salt)
	return h.Sum(nil)
}

// MakeSalt returns the salt, and makes one if there is none. The caller must hold the writers' lock. It fails if the salt cannot be
// written.
func (t *Tree) MakeSalt() ([]byte, error) {
	if b := t.ReadSalt(); b != nil {
		return b, nil
	}
	b := make([]byte, SaltSize)
	rand.Read(b)
	return b, t.WriteSalt(b)
}

// WriteSalt replaces the salt by b. The caller must hold the writers' lock. It fails if the file cannot be written.
func (t *Tree) WriteSalt(b []byte) error {
	path, key := t.saltPlace()
	if err := statefile.Replace(path, append(slices.Clone(b), saltSeal(b, key)...), statefile.Options{}); err != nil {
		return fmt.Errorf("make the salt: %w", err)
	}
	return nil
}

// SaltPrint returns a fingerprint of a salt. It differs between salts and does not reveal them.
func SaltPrint(salt []byte) string {
	if salt == nil {
		return ""
	}
	h := hmac.New(sha256.New, salt)
	h.Write([]byte("ken index"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
