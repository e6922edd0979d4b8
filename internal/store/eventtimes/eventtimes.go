// Package eventtimes keeps when an event of each kind came last from an agent's runtime, so
// that "ken doctor" can say which of them really come. Hooks note it at every event, so it
// must cost next to nothing: each kind has an empty file in a directory of the user's, whose
// time of change is the time of the event. Its neighbour is store/gauge, which is kept as
// cheaply for the same reason.
package eventtimes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Times are the times of one project.
type Times struct{ dir string }

// New are the times of the project at root, kept below a directory; "" keeps none.
func New(dir, root string) Times {
	if dir == "" {
		return Times{}
	}
	sum := sha256.Sum256([]byte(root))
	return Times{filepath.Join(dir, hex.EncodeToString(sum[:12]))}
}

// path is the file of a kind, which is a plain word.
func (t Times) path(kind string) (string, bool) {
	const letters = "abcdefghijklmnopqrstuvwxyz-"
	return filepath.Join(t.dir, kind), t.dir != "" && kind != "" && strings.Trim(kind, letters) == ""
}

// Note says that an event of a kind came.
func (t Times) Note(kind string, at time.Time) error {
	path, ok := t.path(kind)
	if !ok {
		return nil
	}
	err := os.Chtimes(path, at, at)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Chtimes(path, at, at))
}

// Last is when an event of a kind came last; false if none is known of.
func (t Times) Last(kind string) (time.Time, bool) {
	path, ok := t.path(kind)
	if !ok {
		return time.Time{}, false
	}
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() {
		return time.Time{}, false
	}
	return st.ModTime(), true
}
