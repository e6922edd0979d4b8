package sqlite

import (
	"context"
	"errors"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite/dbfile"
)

// NewOwned does the same as New for an index that carries the fingerprint print of its owner. Reading and writing fail
// with store.ForeignError if the index has another fingerprint, or none although its schema is not an older one.
func NewOwned(path, print string) *Store {
	s := New(path)
	s.owner = &print
	return s
}

// metaOwner is the key of the value that holds the owner's fingerprint.
const metaOwner = "owner"

// begin opens a transaction if the index belongs to this store's owner; how is the kind of transaction. It checks the owner
// before the schema, because another owner may have an older or a newer ken.
func (s *Store) begin(c *dbfile.Conn, how string) error {
	err := begin(c, how)
	older, newer := errors.Is(err, store.ErrOldSchema), errors.Is(err, store.ErrNewerSchema)
	if s.owner == nil || err != nil && !older && !newer {
		return err
	}
	found := ""
	if ok, herr := c.HasTable("meta"); herr != nil {
		return classifyError("read the index", herr)
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

// storeOwner stores the owner's fingerprint in a new index.
func (s *Store) storeOwner(t store.MetaWriter) error {
	if s.owner == nil {
		return nil
	}
	return t.SetMeta(metaOwner, *s.owner)
}

// Seed makes the index a copy of the index in the file from; see store.Store. It fails as SeedFrom does.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	return s.SeedFrom(ctx, New(from), adopt)
}
