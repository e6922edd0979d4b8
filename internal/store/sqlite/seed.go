package sqlite

import (
	"context"
	"errors"
	"os"

	"zombiezen.com/go/sqlite"

	"ken/internal/store/sqlite/dbfile"
)

// SeedFrom makes the index a copy of another, page by page, as Seed does. The copy is
// one consistent state, whoever writes the other meanwhile.
func (s *Store) SeedFrom(ctx context.Context, from *Store, adopt func() error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Lstat(s.path); !errors.Is(err, os.ErrNotExist) {
		return nil // somebody made one meanwhile
	}
	tmp := s.path + ".new"
	dbfile.Remove(tmp) // what a build that was killed left
	defer dbfile.Remove(tmp)
	err = s.copyIndex(ctx, from, tmp)
	if err == nil {
		err = adopt()
	}
	if err == nil {
		err = dbfile.Place(tmp, s.path)
	}
	return canceled(ctx, err)
}

// copyIndex makes tmp a copy of the index in another file, if its schema is this one.
// The copy is made in the transaction that checked it.
func (s *Store) copyIndex(ctx context.Context, from *Store, tmp string) error {
	defer from.Close()
	src, err := from.conn()
	if err != nil {
		return err
	}
	defer src.Close()
	if err := from.begin(src, "BEGIN"); err != nil {
		return err
	}
	dst, err := sqlite.OpenConn(tmp, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return classify("create the index", err)
	}
	os.Chmod(tmp, 0o600)
	err = pragmas(dst, "journal_mode=OFF", "synchronous=OFF")
	if err == nil {
		err = dbfile.Copy(ctx, dst, src.Conn)
	}
	if err == nil {
		err = s.sign(&tx{reader: reader{c: dst}})
	}
	if err := errors.Join(err, dst.Close()); err != nil {
		return classify("copy an index", err)
	}
	return classifyNil("switch to write-ahead logging", dbfile.SetWAL(tmp))
}
