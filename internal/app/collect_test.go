package app

import "testing"

// TestGrowth: a small heap may grow by what is free at least, one of some size by half, a large one by a quarter.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int // percent
	}{{0, 1400}, {1 << 20, 1400}, {7 << 20, 200}, {28 << 20, 50}, {52 << 20, 50}, {65 << 20, 40}, {104 << 20, 25}, {1 << 30, 25}} {
		if got := growth(c.live, leastGrowth); got != c.want {
			t.Errorf("a heap of %d bytes may grow by %d percent, want %d", c.live, got, c.want)
		}
	}
	if inUse() > 1<<40 {
		t.Errorf("%d bytes are in use", inUse())
	}
}
