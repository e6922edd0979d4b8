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
)

// lockMark is what ken writes into the file by which git locks an index, so that ken knows its own after a crash.
const lockMark = "ken work tree "

// indexPatience is how long git may keep an index locked before ken gives up: what a status or a commit takes.
const indexPatience = 5 * time.Second

// lockIndex locks the index of a work tree as git does, for the work of an ID. A lock that ken left when it was killed is taken over,
// because whoever calls this holds a lock that the kernel drops: that of the work tree or, for the user's own tree, that of all.
//
// ken changes a copy of an index and puts it in place, instead of having git lock and change it: a git that is killed leaves a lock that
// nobody may take away.
func lockIndex(ctx context.Context, id string, r *git.Repo) (free func(), err error) {
	path := filepath.Join(r.GitDir, "index.lock")
	// The lock is there with its mark or not at all, because one without would be taken for git's.
	marked, err := os.CreateTemp(r.GitDir, workName+"lock-")
	if err != nil {
		return nil, fmt.Errorf("lock the index: %w", err)
	}
	defer os.Remove(marked.Name())
	_, err = marked.WriteString(lockMark + id + "\n")
	if err = errors.Join(err, marked.Close()); err != nil {
		return nil, fmt.Errorf("lock the index: %w", err)
	}
	for began := time.Now(); ; {
		err := os.Link(marked.Name(), path)
		if err == nil {
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		if isOurs(path) {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("lock the index: %w", err)
			}
			continue
		}
		if time.Since(began) > indexPatience {
			return nil, refuse(Busy, "%s is there: git is at work in %s, or was killed; if none is running, remove the file", path, r.Root)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(retry):
		}
	}
}

// isOurs reports whether a lock of an index was made by ken. Git's own is empty or an index.
func isOurs(path string) bool {
	data, err := git.ReadRegular(path, 1<<10)
	return err == nil && strings.HasPrefix(string(data), lockMark)
}
