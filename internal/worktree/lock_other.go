//go:build !unix

package worktree

import (
	"os"

	"github.com/gofrs/flock"
)

// tryLock locks a second file next to f, because on these systems a lock of f itself would keep this process from closing it. It returns
// errHeld if another process has the lock.
func tryLock(f *os.File, shared bool) (release func(), err error) {
	l := flock.New(f.Name() + "ed")
	try := l.TryLock
	if shared {
		try = l.TryRLock
	}
	got, err := try()
	if err == nil && !got {
		err = errHeld
	}
	return func() { l.Unlock() }, err
}
