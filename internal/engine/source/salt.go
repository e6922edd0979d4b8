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

// The salt is what the hashes of secrets are keyed with: 32 random bytes in
// .ken/salt, readable by the user alone, never committed. It is made with the
// first index and outlives it, so that the hashes of an allow-list stay true
// when the index is rebuilt. If it is lost, changed or replaced by something
// that is no regular file, the next update makes a new one and builds the index
// anew: then the hashes of the allow-list match nothing any more, and what they
// hid is reported again. Without it a hash of a short password could be undone
// by trying all.
//
// After the salt the file has a seal, which only the user's own ken can make: a salt
// that came with a repository is known to whoever wrote it.

// SaltSize and sealSize are numbers of bytes.
const (
	SaltSize = 32
	sealSize = sha256.Size
)

// Salts says where salts are and with which keys they are sealed; *owner.Folder is one.
type Salts interface {
	Place() store.Place
	Other(dir string) (p store.Place, ok bool) // of the folder .ken of another tree
}

// saltPlace is where the tree's salt is. Without Salts it is not sealed.
func (t *Tree) saltPlace() (path, key string) {
	if t.opt.Salts == nil {
		return filepath.Join(t.opt.Root, ".ken", "salt"), ""
	}
	p := t.opt.Salts.Place()
	return p.Salt, p.Key
}

// ReadSalt reads the salt; nil if there is none that can be used.
func (t *Tree) ReadSalt() []byte {
	path, key := t.saltPlace()
	return t.readSalt(path, key)
}

// OtherSalt reads the salt of another tree, whose folder .ken is dir; nil if there is
// none that can be used.
func (t *Tree) OtherSalt(dir string) []byte {
	if t.opt.Salts == nil {
		return t.readSalt(filepath.Join(dir, "salt"), "")
	}
	p, ok := t.opt.Salts.Other(dir)
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
	if err != nil || len(b) < SaltSize || !hmac.Equal(b[SaltSize:], seal(b[:SaltSize], key)) {
		return nil
	}
	return b[:SaltSize]
}

// seal is what a salt is followed by, nothing without a key.
func seal(salt []byte, key string) []byte {
	if key == "" {
		return nil
	}
	h := hmac.New(sha256.New, []byte(key))
	h.Write(salt)
	return h.Sum(nil)
}

// MakeSalt reads the salt or makes one. The writers' lock must be held.
func (t *Tree) MakeSalt() ([]byte, error) {
	if b := t.ReadSalt(); b != nil {
		return b, nil
	}
	b := make([]byte, SaltSize)
	rand.Read(b)
	return b, t.WriteSalt(b)
}

// WriteSalt makes b the salt. The writers' lock must be held.
func (t *Tree) WriteSalt(b []byte) error {
	path, key := t.saltPlace()
	if err := statefile.Replace(path, append(slices.Clone(b), seal(b, key)...), statefile.Options{}); err != nil {
		return fmt.Errorf("make the salt: %w", err)
	}
	return nil
}

// SaltPrint is a fingerprint of a salt: it differs between salts and does not give them away.
func SaltPrint(salt []byte) string {
	if salt == nil {
		return ""
	}
	h := hmac.New(sha256.New, salt)
	h.Write([]byte("ken index"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
