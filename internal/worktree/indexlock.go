package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/statefile"
)

// lockMark is the beginning of each index lock file that ken writes, so that ken recognises its own lock after a crash.
const lockMark = "ken work tree "

// indexPatience bounds the wait while git has an index locked; a status or a commit takes less time.
const indexPatience = 5 * time.Second

// lockIndex locks the index of r's working tree in the way git does; id is the work tree for which it is locked. It takes over a lock
// file that a killed ken left, because the caller holds a lock that the kernel drops: that of the work tree or, for the user's own tree,
// that of all. It refuses with Busy if git keeps the index locked, and fails if the lock cannot be written. ken changes a copy of an
// index and puts it in place, instead of letting git lock and change it: a git that is killed leaves a lock that no other program may
// remove.
func lockIndex(ctx context.Context, id string, r *git.Repo) (free func(), err error) {
	path := filepath.Join(r.GitDir, "index.lock")
	// The lock appears with its mark, because a lock without it would look like git's.
	marked, err := statefile.WriteTemp(r.GitDir, []byte(lockMark+id+"\n"), statefile.Options{})
	if err != nil {
		return nil, fmt.Errorf("lock the index: %w", err)
	}
	defer os.Remove(marked)
	for began := time.Now(); ; {
		err := os.Link(marked, path)
		if err == nil {
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		// A lock of git's own is empty or an index.
		if data, err := statefile.ReadFollow(path, 1<<10); err == nil && strings.HasPrefix(string(data), lockMark) {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("lock the index: %w", err)
			}
			continue
		}
		if time.Since(began) > indexPatience {
			return nil, newRefused(Busy, "%s is there: git is at work in %s, or was killed; if none is running, remove the file", path, r.Root)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockRetry):
		}
	}
}
