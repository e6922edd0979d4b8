package hookstate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/statefile"
)

// EventTimes are the times when events of each kind came last from the runtime of an agent that works on a project, so that
// "ken doctor" can report which events really come. Each kind has an empty file whose time of change is the time of the event,
// because that costs a hook a single system call.
type EventTimes struct{ dir string }

// NewEventTimes returns the times of the project at root, which are stored below dir.
func NewEventTimes(dir, root string) EventTimes {
	return EventTimes{filepath.Join(dir, statefile.Name(root))}
}

// path returns the path of the file of a kind of events. It returns false if the kind is not a plain word.
func (t EventTimes) path(kind string) (string, bool) {
	const letters = "abcdefghijklmnopqrstuvwxyz-"
	return filepath.Join(t.dir, kind), kind != "" && strings.Trim(kind, letters) == ""
}

// Note records that an event of a kind came. It ignores a kind that is not a plain word. It fails if the file cannot
// be made or changed.
func (t EventTimes) Note(kind string, at time.Time) error {
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

// Last returns the time when an event of a kind came last; false if none is recorded.
func (t EventTimes) Last(kind string) (time.Time, bool) {
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
