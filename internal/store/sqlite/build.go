package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite/dbfile"
)

// Build fills a new index; see store.Store. It fails with the error of f or ctx, or if the file cannot be written or
// replaced.
func (s *Store) Build(ctx context.Context, keep func() bool, f func(store.Tx) error) error {
	unlock, err := s.lockForWriting(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if keep() {
		return nil
	}
	tmp := s.path + ".new"
	dbfile.RemoveDatabase(tmp) // left by a build that was killed
	defer dbfile.RemoveDatabase(tmp)
	if err := s.fillFile(ctx, tmp, f); err != nil {
		return contextError(ctx, err)
	}
	return contextError(ctx, s.installFile(ctx, tmp))
}

// fillFile makes a database file at tmp with the tables, and with the rows that f writes.
func (s *Store) fillFile(ctx context.Context, tmp string, f func(store.Tx) error) (err error) {
	c, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return classifyError("create the index", err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	os.Chmod(tmp, 0o600)
	c.SetInterrupt(ctx.Done())
	// It needs no journal, because the file is thrown away if anything fails. A cache of
	// four times the size was not faster.
	err = setPragmas(c, fmt.Sprintf("page_size=%d", dbfile.PageSize), "journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-2000",
		"temp_store=FILE")
	if err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(c, tableScript, nil); err != nil {
		return classifyError("create the tables", err)
	}
	if err := sqlitex.ExecuteTransient(c, "BEGIN", nil); err != nil {
		return classifyError("begin the build", err)
	}
	b := newBulkWriter(c)
	if err := runInOrder(func() error { return f(b) }, func() error { return s.storeOwner(b) }, b.writeAll); err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(c, views, nil); err != nil {
		return classifyError("make the views", err)
	}
	if err := sqlitex.ExecuteTransient(c, "COMMIT", nil); err != nil {
		return classifyError("commit the build", err)
	}
	return setPragmas(c, fmt.Sprintf("user_version=%d", store.Schema))
}

// installFile puts the finished file tmp in the place of the index.
func (s *Store) installFile(ctx context.Context, tmp string) error {
	if err := dbfile.SetWAL(tmp); err != nil {
		return classifyError("switch to write-ahead logging", err)
	}
	c, err := s.openForCopy()
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return dbfile.RenameInto(tmp, s.path)
	case err != nil:
		return err
	}
	err = copyOver(ctx, c.Conn, tmp)
	c.Close()
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	// The present file is too damaged to be written over.
	dbfile.RemoveDatabase(s.path)
	return dbfile.RenameInto(tmp, s.path)
}

// openForCopy opens the present database even if its schema differs, because it will be replaced. It deletes one
// that is damaged, or has another header than ken writes, with its log; readers that have it open keep their file.
func (s *Store) openForCopy() (*dbfile.Conn, error) {
	if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
		dbfile.RemoveDatabase(s.path)
		return nil, store.ErrNoIndex
	}
	c, err := dbfile.Open(s.path, s.layout, sqlite.OpenReadWrite)
	if err == nil {
		c.SetBusyTimeout(busyTimeout)
		var version int
		if version, err = c.Number("PRAGMA user_version"); err == nil && version > 0 && c.CheckHeader() == nil {
			return c, nil
		}
		c.Close()
	}
	dbfile.RemoveDatabase(s.path)
	return nil, store.ErrNoIndex
}

// copyOver replaces the content of dst by that of the file tmp, in one transaction.
func copyOver(ctx context.Context, dst *sqlite.Conn, tmp string) error {
	src, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite)
	if err != nil {
		return classifyError("open the new index", err)
	}
	defer src.Close()
	if err := dbfile.CopyPages(ctx, dst, src); err != nil {
		return classifyError("copy the index", err)
	}
	return classifyIfError("shorten the log", sqlitex.ExecuteTransient(dst, "PRAGMA wal_checkpoint(PASSIVE)", nil))
}
