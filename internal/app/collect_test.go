package app

import "testing"

// TestGrowth: a small heap may grow by what is free at least, a large one by a quarter more.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int // percent
	}{{0, 825}, {1 << 20, 825}, {8 << 20, 125}, {32 << 20, 50}, {56 << 20, 39}, {1 << 30, 25}} {
		if got := growth(c.live); got != c.want {
			t.Errorf("a heap of %d bytes may grow by %d percent, want %d", c.live, got, c.want)
		}
	}
	if inUse() > 1<<40 {
		t.Errorf("%d bytes are in use", inUse())
	}
}
