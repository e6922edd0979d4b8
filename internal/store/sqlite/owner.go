package sqlite

import (
	"context"
	"errors"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite/dbfile"
)

// NewOwned is New for an index with a print: it fails with store.ForeignError for an index with another print or none.
func NewOwned(path, print string) *Store {
	s := New(path)
	s.owner = &print
	return s
}

// metaOwner is the row of the print.
const metaOwner = "owner"

// begin opens a transaction of an index that is this store's. The owner is checked before the schema: another id may have an
// older ken, or a newer.
func (s *Store) begin(c *dbfile.Conn, how string) error {
	err := begin(c, how)
	older, newer := errors.Is(err, store.ErrOldSchema), errors.Is(err, store.ErrNewerSchema)
	if s.owner == nil || err != nil && !older && !newer {
		return err
	}
	found := ""
	if ok, herr := c.HasTable("meta"); herr != nil {
		return classify("read the index", herr)
	} else if ok {
		if found, herr = (&reader{c: c.Conn}).Meta(metaOwner); herr != nil {
			return herr
		}
	}
	if found == *s.owner && found != "" || found == "" && older { // a ken from before there were ids
		return err
	}
	return &store.ForeignError{Print: found, Newer: newer}
}

// sign gives a new index the print.
func (s *Store) sign(t store.MetaWriter) error {
	if s.owner == nil {
		return nil
	}
	return t.SetMeta(metaOwner, *s.owner)
}

// Seed copies another index; see store.Store. It fails as SeedFrom does.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	return s.SeedFrom(ctx, New(from), adopt)
}
