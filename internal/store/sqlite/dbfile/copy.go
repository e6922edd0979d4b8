package dbfile

import (
	"context"
	"errors"
	"os"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// SetWAL turns on the write-ahead log of a finished database file, which the users of the file need. It fails if the file cannot be
// opened or changed.
func SetWAL(path string) error {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(sqlitex.ExecuteTransient(c, "PRAGMA journal_mode=WAL", nil), c.Close())
}

// Sync waits until the content of a file is on the disk, because a later rename may arrive there first. It fails if the
// file cannot be opened or synced.
func Sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// CopyPages replaces the content of dst by that of src, page by page in one transaction. It fails if ctx ends or a page cannot be
// copied.
func CopyPages(ctx context.Context, dst, src *sqlite.Conn) error {
	b, err := sqlite.NewBackup(dst, "main", src, "main")
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		if err = ctx.Err(); err == nil {
			more, err = b.Step(2000)
		}
	}
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	return err
}
