package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"ken/internal/engine/store"
	"ken/internal/store/filelock"
)

// watchGrace is how long the mark of a watcher is tried for, because Watched of
// another process holds it for a moment.
const watchGrace = 200 * time.Millisecond

// Watching takes the watcher's mark, a lock on a file of its own.
func (s *Store) Watching(ctx context.Context) (func(), error) {
	if err := s.checkFiles(); err != nil {
		return nil, err
	}
	release, err := filelock.Try(ctx, s.watchFile(), watchGrace)
	switch {
	case errors.Is(err, filelock.ErrHeld):
		return nil, store.ErrWatched
	case errors.Is(err, os.ErrNotExist):
		return nil, store.ErrNoIndex
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", s.watchFile(), err)
	}
	return release, nil
}

// Watched reports whether a process has the mark.
func (s *Store) Watched() bool { return filelock.Held(s.watchFile()) }
