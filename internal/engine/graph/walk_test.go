package graph

import (
	"math"
	"testing"
)

// TestWalk: what the home needs, even at one remove, comes before who needs it, that before the rest;
// ranks sum to 1.
func TestWalk(t *testing.T) {
	// 0 → 1 → 2, 3 → 0, 4 → 5; 6 alone.
	g := NewDigraph(7, [][2]int32{{0, 1}, {1, 2}, {3, 0}, {4, 5}})
	home := []float64{1, 0, 0, 0, 0, 0, 0}
	rank := Walk(g, home)
	sum := 0.0
	for _, r := range rank {
		sum += r
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the ranks sum to %v", sum)
	}
	if !(min(rank[0], rank[1]) > rank[2] && rank[2] > rank[3] && rank[3] > rank[4]) || rank[4] != 0 || rank[6] != 0 {
		t.Errorf("%v", rank)
	}
	even := []float64{1. / 7, 1. / 7, 1. / 7, 1. / 7, 1. / 7, 1. / 7, 1. / 7}
	if rank := Walk(g, even); rank[6] <= 0 || rank[0] <= rank[6] {
		t.Errorf("%v", rank)
	}
}
