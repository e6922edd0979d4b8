package sqlite

import (
	"context"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite/dbfile"
)

// NewOwned is New for an index that carries a print: one that carries another, or
// none, is refused with store.ForeignError.
func NewOwned(path, print string) *Store {
	s := New(path)
	s.owner = &print
	return s
}

// metaOwner is the row of the print.
const metaOwner = "owner"

// begin opens a transaction of an index that is this store's.
func (s *Store) begin(c *dbfile.Conn, how string) error {
	if err := begin(c, how); err != nil || s.owner == nil {
		return err
	}
	found, err := (&reader{c: c.Conn}).Meta(metaOwner)
	if err == nil && (found == "" || found != *s.owner) {
		err = &store.ForeignError{Print: found}
	}
	return err
}

// sign gives a new index the print.
func (s *Store) sign(t store.MetaWriter) error {
	if s.owner == nil {
		return nil
	}
	return t.SetMeta(metaOwner, *s.owner)
}

// Seed copies another index; see store.Store.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	return s.SeedFrom(ctx, New(from), adopt)
}
