package app

import "testing"

// TestGrowth: a small heap may grow by mostGrowth, one near usualHeap by what is left, a larger one by more again; that of a server by serverGrowth.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live, least uint64
		want        int // percent
	}{
		{0, 0, 1400}, {1 << 20, 0, 1400}, {7 << 20, 0, 200}, {20 << 20, 0, 70}, {24 << 20, 0, 50}, {36 << 20, 0, 22}, {66 << 20, 0, 30}, {104 << 20, 0, 25}, {1 << 30, 0, 19},
		{12 << 20, serverGrowth, 400}, {48 << 20, serverGrowth, 100}, {480 << 20, serverGrowth, 20},
	} {
		if got := growth(c.live, c.least); got != c.want {
			t.Errorf("a heap of %d bytes may grow by %d percent, want %d", c.live, got, c.want)
		}
	}
	if inUse() > 1<<40 {
		t.Errorf("%d bytes are in use", inUse())
	}
}
