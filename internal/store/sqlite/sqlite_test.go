package sqlite_test

import (
	"path/filepath"
	"testing"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
	"ken/internal/store/storetest"
)

// newStore is a store over a file that does not exist yet, and its path.
func newStore(t *testing.T) (*sqlite.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index.db")
	s := sqlite.New(path)
	t.Cleanup(func() { s.Close() })
	return s, path
}

// TestStore holds the store to the contract.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		s, _ := newStore(t)
		return s
	})
}

// TestSeed holds the copying of an index to the contract.
func TestSeed(t *testing.T) {
	storetest.RunSeed(t, func(t *testing.T) (store.Store, string) { return newStore(t) })
}

// TestVectors holds the store of vectors to the contract.
func TestVectors(t *testing.T) {
	storetest.RunVectors(t, func(t *testing.T) store.VectorStore {
		return sqlite.NewVectors(filepath.Join(t.TempDir(), "vectors.db"))
	})
}
