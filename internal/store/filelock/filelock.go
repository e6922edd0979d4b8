// Package filelock has locks between processes. The kernel releases a lock when its holder dies, so that a crash leaves
// nothing to clean up. store/sqlite uses one for its writers and one as the mark of the process that watches.
package filelock

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/statefile"
)

// ErrHeld is returned if another process has the lock.
var ErrHeld = errors.New("the lock is held")

// Take waits for the lock at path until ctx ends. The kernel wakes the waiting process, so there is no polling. It fails
// with a statefile.KindError if there is another kind of file at path, with the error of ctx, or if the file cannot be
// opened.
func Take(ctx context.Context, path string) (release func(), err error) {
	if err := statefile.CheckFiles(path); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	got := make(chan error, 1)
	go func() { got <- l.Lock() }()
	select {
	case err := <-got:
		if err != nil {
			return nil, err
		}
		return func() { l.Unlock() }, nil
	case <-ctx.Done():
		// The wait cannot be cancelled, so a goroutine waits for its end as
		// long as the lock is held elsewhere.
		go func() { <-got; l.Unlock() }()
		return nil, ctx.Err()
	}
}

// Try takes the lock at path if it becomes free within the time grace. It
// fails with ErrHeld if it does not.
func Try(ctx context.Context, path string, grace time.Duration) (release func(), err error) {
	if err := statefile.CheckFiles(path); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	switch _, err := l.TryLockContext(ctx, grace/10); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, ErrHeld
	case err != nil:
		return nil, err
	}
	return func() { l.Unlock() }, nil
}

// Held reports whether another process has the lock at path. It takes the lock for a moment itself, which is why Try has a
// grace.
func Held(path string) bool {
	if !statefile.IsRegular(path) {
		return false
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	got, err := l.TryRLock()
	if got {
		l.Unlock()
	}
	return err == nil && !got
}
