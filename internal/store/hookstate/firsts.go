package hookstate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/statefile"
)

// Firsts are keys that were given before, each an empty file named by its hash, so that taking one costs a hook a single system call.
type Firsts struct{ Dir string }

// keptFirsts is how long a key is kept.
const keptFirsts = 7 * 24 * time.Hour

// Take reports whether a key is given for the first time. If that cannot be known it is, because what is done twice does less harm than
// what is never done.
func (f Firsts) Take(key string, now time.Time) bool {
	path := filepath.Join(f.Dir, statefile.Name(key))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(f.Dir, 0o700) == nil {
		file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
	if err != nil {
		return !errors.Is(err, fs.ErrExist)
	}
	file.Close()
	f.deleteOld(now)
	return true
}

// deleteOld deletes the keys that are kept no longer.
func (f Firsts) deleteOld(now time.Time) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() && now.Sub(i.ModTime()) > keptFirsts {
			os.Remove(filepath.Join(f.Dir, e.Name()))
		}
	}
}
