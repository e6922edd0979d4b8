package code_test

import (
	"slices"
	"testing"

	"ken/internal/code"
)

// TestSymbolID checks that packing loses nothing and keeps the order, and that
// the form is the one existing indexes have.
func TestSymbolID(t *testing.T) {
	ids := []code.SymbolID{{}, {File: 0, Ord: 1}, {File: 1, Ord: 0}, {File: 1, Ord: 1<<20 - 1}, {File: 2, Ord: 7}, {File: 1 << 42, Ord: 3}}
	packed := make([]int64, len(ids))
	for i, id := range ids {
		packed[i] = id.Pack()
		if got := code.UnpackSymbolID(packed[i]); got != id {
			t.Errorf("%+v becomes %+v", id, got)
		}
	}
	if !slices.IsSorted(packed) {
		t.Errorf("the order is lost: %v", packed)
	}
	if got := (code.SymbolID{File: 3, Ord: 5}).Pack(); got != 3<<20+5 {
		t.Errorf("packed as %d", got)
	}
}
