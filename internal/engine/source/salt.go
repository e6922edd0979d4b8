package source

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/git"
)

// The salt is what the hashes of secrets are keyed with: 32 random bytes in
// .ken/salt, readable by the user alone, never committed. It is made with the
// first index and outlives it, so that the hashes of an allow-list stay true
// when the index is rebuilt. If it is lost, changed or replaced by something
// that is no regular file, the next update makes a new one and builds the index
// anew: then the hashes of the allow-list match nothing any more, and what they
// hid is reported again. Without it a hash of a short password could be undone
// by trying all.

const SaltSize = 32

func (t *Tree) saltPath() string { return filepath.Join(t.opt.Root, ".ken", "salt") }

// ReadSalt reads the salt; nil if there is none that can be used.
func (t *Tree) ReadSalt() []byte {
	st, err := os.Lstat(t.saltPath())
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	b, err := git.ReadRegular(t.saltPath(), SaltSize)
	if err != nil || len(b) != SaltSize {
		return nil
	}
	return b
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
	tmp := t.saltPath() + ".new"
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make the salt: %w", err)
	}
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the salt: %w", err)
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("make the salt: %w", err)
	}
	if err := os.Rename(tmp, t.saltPath()); err != nil {
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
