package storetest

import (
	"context"
	"errors"
	"testing"

	"ken/internal/engine/store"
)

// readState calls f with a reader of the present state.
func readState(t *testing.T, s store.Store, f func(store.Reader)) {
	t.Helper()
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f(r)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// writeTransaction runs f in a transaction, and fails the test if it cannot be committed.
func writeTransaction(t *testing.T, s store.Store, f func(store.Tx) error) {
	t.Helper()
	if err := s.Write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// buildIndex makes an index with f, and fails the test if that fails.
func buildIndex(t *testing.T, s store.Store, f func(store.Tx) error) {
	t.Helper()
	if err := s.Build(context.Background(), keepNever, f); err != nil {
		t.Fatal(err)
	}
}

// keepNever always returns false. As the argument of Build it means that no other process made an index meanwhile.
func keepNever() bool { return false }

// writeNothing writes nothing, so that Build makes an empty index.
func writeNothing(store.Tx) error { return nil }

// errOwn is an error of the function that a caller passes; the store must return it.
var errOwn = errors.New("of the caller")
