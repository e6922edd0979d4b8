package gather

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUses compares Uses with plain lists, of names that no file, few and all files use.
func TestUses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var u NameUses
	want := make([][]int64, 2000)
	u.Grow(len(want))
	for file := int64(1); file < 3000; file += 1 + rng.Int64N(200)*rng.Int64N(2) {
		for range rng.IntN(400) {
			name := rng.IntN(1 + rng.IntN(len(want)-1))
			if list := want[name]; len(list) == 0 || list[len(list)-1] != file {
				want[name] = append(list, file)
				u.Add(int32(name), file)
			}
		}
	}
	for name, files := range want {
		packed := []byte{}
		last := int64(0)
		for _, f := range files {
			packed = binary.AppendUvarint(packed, uint64(f-last))
			last = f
		}
		if got := u.Append([]byte{}, int32(name)); !slices.Equal(got, packed) {
			t.Fatalf("name %d used by %d files: got % x, want % x", name, len(files), got, packed)
		}
	}
}

// TestPairs compares Pairs with a set that is sorted.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var p KeyFilePairs
	set := map[Pair]bool{}
	for i := range 30_000 {
		x := Pair{rng.Uint64(), int64(i / 10)}
		if i%3 == 0 {
			x.Key = uint64(rng.IntN(100)) << 50
		}
		if i%1000 == 0 {
			x.File = rng.Int64N(1 << 40) // files ascend as a rule, and need not
		}
		set[x] = true
		p.Add(x.Key, x.File)
		p.Add(x.Key, x.File)
	}
	want := slices.SortedFunc(maps.Keys(set), func(x, y Pair) int { return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.File, y.File)) })
	if got := slices.Collect(p.Drain()); !slices.Equal(got, want) {
		t.Errorf("%d pairs come back as %d, or in another order", len(want), len(got))
	}
}
