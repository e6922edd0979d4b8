//go:build unix

package worktree

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks f. release drops the lock for every process that has the file open. It returns errHeld if another process has the lock.
func tryLock(f *os.File, shared bool) (release func(), err error) {
	how := syscall.LOCK_EX | syscall.LOCK_NB
	if shared {
		how = syscall.LOCK_SH | syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, errHeld
		}
		return func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }, err
	}
}
