package statefile

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// LineSeal proves that this user's ken has written a record. The place of a record can come with a repository, so ken acts on none only
// because it is there. A nil LineSeal makes and accepts no seal.
//
// A sealed record is a JSON object in one line whose last key is "seal": the first 16 bytes, in hex, of the HMAC-SHA-256 of the object
// without that key.
type LineSeal []byte

const sealName = `,"seal":"`

// Make returns a record, a JSON object with at least one key and without line feeds, as a line with a seal.
func (s LineSeal) Make(record []byte) []byte {
	line := append(bytes.Clone(record[:len(record)-1]), sealName...)
	return append(append(line, s.mac(record)...), '"', '}', '\n')
}

func (s LineSeal) mac(record []byte) []byte {
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
func (s LineSeal) Check(line []byte) (record []byte, err error) {
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
func UserSeal(stateDir, kind string, create bool) (LineSeal, error) {
	if stateDir == "" {
		return nil, nil
	}
	path := filepath.Join(stateDir, KeyFile)
	if !isUsersAlone(path) {
		if !create {
			return nil, nil
		}
		if err := makePrivate(stateDir); err != nil {
			return nil, fmt.Errorf("make the key of seals: %w", err)
		}
		if _, err := os.Lstat(path); err == nil && !isUsersAlone(path) {
			os.Remove(path) // others may know it
		}
	}
	key, err := Key(path)
	if err != nil {
		return nil, fmt.Errorf("read the key of seals: %w", err)
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("ken " + kind))
	return h.Sum(nil), nil
}

// KeyFile is the name of the key in the user's state directory.
const KeyFile = "key"

// isUsersAlone reports whether a file and its directory exist and belong to the user alone.
func isUsersAlone(path string) bool {
	for _, p := range []string{filepath.Dir(path), path} {
		if st, err := os.Lstat(p); err != nil || !IsPrivate(st) {
			return false
		}
	}
	return IsRegular(path)
}

// makePrivate makes a directory, or takes the access of others to one of the user's away.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if st, err := os.Lstat(dir); err == nil && st.IsDir() && IsOwn(st) && !IsPrivate(st) {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
