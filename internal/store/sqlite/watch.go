package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/engine/store"
)

// watchGrace is how long the mark of a watcher is tried for: Watched of another
// process holds it for a moment.
const watchGrace = 200 * time.Millisecond

// Watching takes the watcher's mark, a lock on a file of its own: the kernel
// drops it with the process.
func (s *Store) Watching(ctx context.Context) (func(), error) {
	if err := s.checkLinks(); err != nil {
		return nil, err
	}
	l := flock.New(s.watchFile(), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, watchGrace)
	defer cancel()
	switch _, err := l.TryLockContext(ctx, watchGrace/10); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, store.ErrWatched
	case errors.Is(err, os.ErrNotExist):
		return nil, store.ErrNoIndex
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", s.watchFile(), err)
	}
	return func() { l.Unlock() }, nil
}

// Watched reports whether a process has the mark.
func (s *Store) Watched() bool {
	if st, err := os.Lstat(s.watchFile()); err != nil || !st.Mode().IsRegular() {
		return false
	}
	l := flock.New(s.watchFile(), flock.SetFlag(os.O_RDONLY))
	got, err := l.TryRLock()
	if got {
		l.Unlock()
	}
	return err == nil && !got
}

func (s *Store) watchFile() string { return s.path + ".watch" }
