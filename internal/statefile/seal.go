package statefile

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Seal proves that this user's ken has written a record. The place of a record can come with a repository, so ken acts on none only
// because it is there. A nil Seal makes and accepts no seal.
//
// A sealed record is a JSON object in one line whose last key is "seal": the first 16 bytes, in hex, of the HMAC-SHA-256 of the object
// without that key.
type Seal []byte

const sealName = `,"seal":"`

// Make returns a record, a JSON object with at least one key and without line feeds, as a line with a seal.
func (s Seal) Make(record []byte) []byte {
	line := append(bytes.Clone(record[:len(record)-1]), sealName...)
	return append(append(line, s.mac(record)...), '"', '}', '\n')
}

func (s Seal) mac(record []byte) []byte {
	h := hmac.New(sha256.New, s)
	h.Write(record)
	return hex.AppendEncode(nil, h.Sum(nil)[:16])
}

// The reasons why a line is no record.
var (
	ErrTorn   = errors.New("half a line, or none of ken's")
	ErrSealed = errors.New("not written by your ken")
)

// Check returns the record in a line that Make has made. It fails with ErrTorn if the line has no seal, and with ErrSealed if
// another key or no key has made it.
func (s Seal) Check(line []byte) (record []byte, err error) {
	body, whole := bytes.CutSuffix(line, []byte("\"}\n"))
	i := bytes.LastIndex(body, []byte(sealName))
	if !whole || i < 0 || line[0] != '{' {
		return nil, ErrTorn
	}
	record = append(bytes.Clone(body[:i]), '}')
	if len(s) == 0 || !hmac.Equal(body[i+len(sealName):], s.mac(record)) {
		return nil, ErrSealed
	}
	return record, nil
}

// UserSeal returns the seal of the user for a kind of records. Its key is in the user's state directory, so that a tree that is
// moved keeps its records. With create a missing key is made. It returns nil if there is no key, or one that others can read, and an
// error if none can be made.
func UserSeal(stateDir, kind string, create bool) (Seal, error) {
	if stateDir == "" {
		return nil, nil
	}
	path := filepath.Join(stateDir, "seal")
	key := readKey(path)
	if key == nil && create {
		if err := makeKey(path); err != nil {
			return nil, fmt.Errorf("make the key of seals: %w", err)
		}
		key = readKey(path)
	}
	if key == nil {
		return nil, nil
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("ken " + kind))
	return h.Sum(nil), nil
}

// keyHeader is the first line of the file of the key. The second is "key " with 64 hex digits.
const keyHeader = "ken 1\nkey "

// readKey returns the key, or nil if there is none that the user alone can read.
func readKey(path string) []byte {
	for _, p := range []string{filepath.Dir(path), path} {
		if st, err := os.Lstat(p); err != nil || !IsPrivate(st) {
			return nil
		}
	}
	text, err := Read(path, 1<<10)
	digits, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\n"), keyHeader)
	key, bad := hex.DecodeString(digits)
	if err != nil || !ok || bad != nil || len(key) != sha256.Size {
		return nil
	}
	return key
}

// makeKey makes a key in the place of none or of one that counts as none. Of processes that make one at once the first wins.
func makeKey(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if st, err := os.Lstat(dir); err == nil && st.IsDir() && IsOwn(st) && !IsPrivate(st) {
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
	}
	if readKey(path) != nil {
		return nil
	}
	var key [sha256.Size]byte
	rand.Read(key[:])
	beside, err := WriteTemp(dir, []byte(keyHeader+hex.EncodeToString(key[:])+"\n"), Options{Sync: true})
	if err != nil {
		return err
	}
	defer os.Remove(beside)
	if err := os.Link(beside, path); err == nil || readKey(path) != nil {
		return nil
	}
	return os.Rename(beside, path) // a damaged one, or a file system without hard links
}
