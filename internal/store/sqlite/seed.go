package sqlite

import (
	"context"
	"errors"
	"os"

	"zombiezen.com/go/sqlite"

	"ken/internal/store/sqlite/dbfile"
)

// SeedFrom makes the index a copy of another, page by page; see Seed. The copy is one consistent state, even if the
// other is being written. It does nothing if there is an index already. It fails if the other has another schema or
// owner, with the error of adopt, or if a file cannot be read or written.
func (s *Store) SeedFrom(ctx context.Context, from *Store, adopt func() error) error {
	unlock, err := s.lockForWriting(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Lstat(s.path); !errors.Is(err, os.ErrNotExist) {
		return nil // another process made one meanwhile
	}
	tmp := s.path + ".new"
	dbfile.RemoveDatabase(tmp) // left by a build that was killed
	defer dbfile.RemoveDatabase(tmp)
	err = s.copyIndex(ctx, from, tmp)
	if err == nil {
		err = adopt()
	}
	if err == nil {
		err = dbfile.RenameInto(tmp, s.path)
	}
	return contextError(ctx, err)
}

// copyIndex copies the index in another file to tmp, if it has the present schema. It checks and copies in one transaction.
func (s *Store) copyIndex(ctx context.Context, from *Store, tmp string) error {
	defer from.Close()
	src, err := from.acquireConn()
	if err != nil {
		return err
	}
	defer src.Close()
	if err := from.begin(src, "BEGIN"); err != nil {
		return err
	}
	dst, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return classifyError("create the index", err)
	}
	os.Chmod(tmp, 0o600)
	err = setPragmas(dst, "journal_mode=OFF", "synchronous=OFF")
	if err == nil {
		err = dbfile.CopyPages(ctx, dst, src.Conn)
	}
	if err == nil {
		err = s.storeOwner(&tx{reader: reader{c: dst}})
	}
	if err := errors.Join(err, dst.Close()); err != nil {
		return classifyError("copy an index", err)
	}
	return classifyIfError("switch to write-ahead logging", dbfile.SetWAL(tmp))
}
