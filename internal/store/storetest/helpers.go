package storetest

import (
	"context"
	"errors"
	"testing"

	"ken/internal/engine/store"
)

// read runs f over the present state.
func read(t *testing.T, s store.Store, f func(store.Reader)) {
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

// write runs f in a transaction, which must be committed.
func write(t *testing.T, s store.Store, f func(store.Tx) error) {
	t.Helper()
	if err := s.Write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// build makes an index by f, which must succeed.
func build(t *testing.T, s store.Store, f func(store.Tx) error) {
	t.Helper()
	if err := s.Build(context.Background(), never, f); err != nil {
		t.Fatal(err)
	}
}

// never reports that no index was made meanwhile.
func never() bool { return false }

// nothing fills an empty index.
func nothing(store.Tx) error { return nil }

// errOwn is an error of the caller's function, which must be returned.
var errOwn = errors.New("of the caller")
