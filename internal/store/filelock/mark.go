package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"ken/internal/engine/store"
)

// markGrace is how long the mark of a watcher is tried for, because Held of another
// process takes it for a moment.
const markGrace = 200 * time.Millisecond

// Mark takes the mark of the one process that watches a project, the lock at path. It
// fails as store.Store's Watching does.
func Mark(ctx context.Context, path string) (release func(), err error) {
	release, err = Try(ctx, path, markGrace)
	switch {
	case errors.Is(err, ErrHeld):
		return nil, store.ErrWatched
	case errors.Is(err, os.ErrNotExist):
		return nil, store.ErrNoIndex
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return release, nil
}
