package app

import "testing"

// TestGrowth: a small heap may grow by what is free at least, a large one by half.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int // percent
	}{{0, 1800}, {1 << 20, 1800}, {9 << 20, 200}, {36 << 20, 50}, {56 << 20, 50}, {1 << 30, 50}} {
		if got := growth(c.live); got != c.want {
			t.Errorf("a heap of %d bytes may grow by %d percent, want %d", c.live, got, c.want)
		}
	}
	if inUse() > 1<<40 {
		t.Errorf("%d bytes are in use", inUse())
	}
}
