package sqlite

import (
	"path/filepath"
	"sync"
	"testing"

	"ken/internal/engine/store"
)

// TestVectorsAtOnce: processes that make the vectors at the same time wait for each other.
func TestVectorsAtOnce(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "vectors.db")
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				passages := []store.EmbeddedPassage{{Hash: store.PassageHash{byte(w)}, Row: []byte{1}}}
				if err := NewVectors(path).Put(t.Context(), "space", passages, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}
