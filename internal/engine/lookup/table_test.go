package lookup

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTable compares a table with a map of lists, for sizes around those of its
// chunks, with many values of one hash, with repeated ones, and with hashes that differ
// in the last bits only.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, tableChunk, tableChunk + 1, 5000, 50_000} {
		keys := make([]uint64, n/3+1)
		for i := range keys {
			if keys[i] = rng.Uint64(); i%4 == 1 {
				keys[i] = keys[i-1] + 1
			}
		}
		var got table[int32]
		want := map[uint64][]int32{}
		for i := range n {
			k := keys[rng.IntN(1+rng.IntN(len(keys)))]
			v := int32(i / 3)
			got.add(k, v)
			if list := want[k]; len(list) == 0 || list[len(list)-1] != v {
				want[k] = append(list, v)
			}
		}
		for _, k := range append(keys, 0, 1, ^uint64(0)) {
			if !slices.Equal(got.find(k), want[k]) {
				t.Fatalf("%d entries, hash %x: got %v, want %v", n, k, got.find(k), want[k])
			}
		}
	}
}

// TestTableOfNothing: a table without values is a set.
func TestTableOfNothing(t *testing.T) {
	var set table[struct{}]
	for k := range uint64(1000) {
		set.add(k*0x9e3779b97f4a7c15, struct{}{})
		set.add(k*0x9e3779b97f4a7c15, struct{}{})
	}
	for k := range uint64(2000) {
		want := 0
		if k < 1000 {
			want = 1
		}
		if got := len(set.find(k * 0x9e3779b97f4a7c15)); got != want {
			t.Fatalf("hash %d is there %d times, want %d", k, got, want)
		}
	}
}
