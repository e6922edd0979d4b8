package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"ken/internal/engine/store"
)

// markGrace is the time for which Mark tries, because Held of another process takes the lock for a moment.
const markGrace = 200 * time.Millisecond

// Mark takes the lock at path, by which the one process that watches a project is known. It fails as Watching of
// store.Store does.
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
