package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// removeLeftovers deletes what a build that was killed left. The writers' lock is
// held, so nobody is building now.
func (s *Store) removeLeftovers() {
	names, _ := filepath.Glob(s.path + ".new*")
	for _, n := range names {
		os.Remove(n)
	}
}

// setWAL makes a finished file one with a write-ahead log, which its users need.
func setWAL(tmp string) error {
	c, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite)
	if err != nil {
		return classify("open the new index", err)
	}
	err = sqlitex.ExecuteTransient(c, "PRAGMA journal_mode=WAL", nil)
	return classifyNil("switch to write-ahead logging", errors.Join(err, c.Close()))
}

// putInPlace makes a finished file the index, where there is none.
func putInPlace(tmp, path string) error {
	if err := syncFile(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put the index in place: %w", err)
	}
	return nil
}

// syncFile waits until a file is on the disk, because the rename may be there first.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("sync the index: %w", err)
	}
	defer f.Close()
	return f.Sync()
}

// copyPages makes dst a copy of src.
func copyPages(ctx context.Context, dst, src *sqlite.Conn) error {
	b, err := sqlite.NewBackup(dst, "main", src, "main")
	if err != nil {
		return classify("copy the index", err)
	}
	for more := true; more && err == nil; {
		if err = ctx.Err(); err == nil {
			more, err = b.Step(2000)
		}
	}
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	return classifyNil("copy the index", err)
}
