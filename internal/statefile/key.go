package statefile

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// keySize is the length of a key, in bytes.
const keySize = 32

// Key returns the secret key in the file at path, and makes one if there is none. Of two processes that make it at once both return the
// same. It fails if the file cannot be read or written, or holds no key.
func Key(path string) ([]byte, error) {
	key, err := Read(path, keySize)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(path); err == nil {
			key, err = Read(path, keySize)
		}
	}
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("%s holds no key", path)
	}
	return key, err
}

// makeKey links the key to its name, which fails for all processes but the first.
func makeKey(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	key := make([]byte, keySize)
	rand.Read(key)
	beside, err := WriteTemp(filepath.Dir(path), key, Options{Sync: true})
	if err != nil {
		return err
	}
	defer os.Remove(beside)
	if err := os.Link(beside, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// SealSize is the length of a seal, in bytes.
const SealSize = 16

// Seal returns the seal of some texts: the first bytes of their HMAC-SHA-256. The length of each is in it, so that no text can pass for a
// part of another.
func Seal(key []byte, texts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, t := range texts {
		fmt.Fprintf(h, "%d:", len(t))
		h.Write(t)
	}
	return h.Sum(nil)[:SealSize]
}
