package sqlite

import (
	"fmt"
	"os"

	"ken/internal/store/sqlite/dbfile"
)

// removeLeftovers deletes what a build that was killed left. The writers' lock is
// held, so nobody is building now.
func (s *Store) removeLeftovers() {
	for _, suffix := range []string{".new", ".new-wal", ".new-shm", ".new-journal"} {
		os.Remove(s.path + suffix)
	}
}

// putInPlace makes a finished file the index, where there is none.
func putInPlace(tmp, path string) error {
	if err := dbfile.Sync(tmp); err != nil {
		return fmt.Errorf("sync the index: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put the index in place: %w", err)
	}
	return nil
}
