package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorter compares with a sort by comparing: few terms with many postings, many terms,
// places in order as a build has them and in any order as a Merge has, one sorter for all.
func TestSorter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s sorter
	for _, n := range []int{0, 1, 2, 7, 100, 5000, 20, 40_000} {
		for _, terms := range []int{1, 3, 1 + n/5, 1 << 32} {
			for _, unordered := range []int{0, n / 100, n} {
				list := s.list[:0]
				for i := range n {
					place := i
					if rng.IntN(n) < unordered {
						place = rng.IntN(maxDocs)
					}
					rest := uint64(rng.IntN(terms)) * 0x9e3779b1 & (1<<32 - 1)
					list = append(list, rest<<32|uint64(place)<<8|uint64(rng.IntN(16)))
				}
				want := slices.Sorted(slices.Values(list))
				if got := s.sort(list); !slices.Equal(got, want) {
					t.Fatalf("%d postings of %d terms, %d in no order: not sorted", n, terms, unordered)
				}
			}
		}
	}
}
