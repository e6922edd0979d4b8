package sqlite

import (
	"context"
	"errors"
	"os"

	"zombiezen.com/go/sqlite"

	"ken/internal/store/sqlite/dbfile"
)

// Seed copies another index page by page; see store.Store. The copy is one
// consistent state, whoever writes the other meanwhile.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Lstat(s.path); !errors.Is(err, os.ErrNotExist) {
		return nil // somebody made one meanwhile
	}
	s.removeLeftovers()
	tmp := s.path + ".new"
	err = s.copyIndex(ctx, from, tmp)
	if err == nil {
		err = adopt()
	}
	if err == nil {
		err = putInPlace(tmp, s.path)
	}
	s.removeLeftovers()
	return canceled(ctx, err)
}

// copyIndex makes tmp a copy of the index in another file, if its schema is this one.
// The copy is made in the transaction that checked it.
func (s *Store) copyIndex(ctx context.Context, from, tmp string) error {
	other := New(from)
	defer other.Close()
	src, err := other.conn()
	if err != nil {
		return err
	}
	defer src.Close()
	if err := begin(src, "BEGIN"); err != nil {
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
	if err := errors.Join(err, dst.Close()); err != nil {
		return classify("copy an index", err)
	}
	return classifyNil("switch to write-ahead logging", dbfile.SetWAL(tmp))
}
