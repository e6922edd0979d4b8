package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lockName is the file that is locked while work trees are created, merged or removed. It is in the repository's common
// folder, which all its work trees share.
const lockName = "ken-worktrees.lock"

// lockRetry is the time between two attempts to take a lock.
const lockRetry = 10 * time.Millisecond

var errHeld = errors.New("the lock is held")

// lockAll takes the lock that all work trees of the repository share. The kernel drops it when the last process that has the file open is
// gone. git inherits the file (git.Holding), so that no other ken begins while the git of a killed ken still runs. It fails if ctx ends
// or the lock file cannot be opened.
func (t *Trees) lockAll(ctx context.Context) (f *os.File, release func(), err error) {
	return takeLock(ctx, filepath.Join(t.repo.CommonDir, lockName), false)
}

// takeLock takes an exclusive or a shared lock. It refuses with Occupied a path that is no regular file, and fails if ctx ends.
func takeLock(ctx context.Context, path string, shared bool) (f *os.File, release func(), err error) {
	if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() {
		return nil, nil, newRefused(Occupied, "%s is no regular file, so it cannot be a lock; remove it", path)
	}
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("lock the work trees: %w", err)
	}
	tick := time.NewTicker(lockRetry)
	defer tick.Stop()
	for {
		free, err := tryLock(f, shared)
		if err == nil {
			return f, func() { free(); f.Close() }, nil
		}
		if !errors.Is(err, errHeld) {
			f.Close()
			return nil, nil, fmt.Errorf("lock the work trees: %w", err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, nil, ctx.Err()
		case <-tick.C:
		}
	}
}
