package token

import (
	"math/rand/v2"
	"testing"
)

// TestCache fills both caches several times over with pieces that differ in one
// byte only: a count must be that of the piece it was noted for.
func TestCache(t *testing.T) {
	c := new(cache)
	r := rand.New(rand.NewPCG(14, 15))
	noted := map[string]uint64{}
	for _, n := range []int{1, 7, 8, 9, shortLen, shortLen + 1, 16, 17, 24, 25, longLen} {
		for at := range n {
			b := []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ")
			for range 5000 {
				b[at], b[r.IntN(n)] = byte(r.Uint32()), byte(r.Uint32())
				b[n] = byte(r.Uint32()) // behind the piece
				piece, e := string(b[:n]), c.find(b, 0, n)
				if got := *e & (1<<countBits - 1); got != 0 && got != noted[piece] {
					t.Fatalf("%q is noted with %#x, found with %#x", piece, noted[piece], got)
				}
				noted[piece] = 1 + r.Uint64N(1<<countBits-1)
				*e = *e>>countBits<<countBits | noted[piece]
			}
		}
	}
}

// TestCacheEnds checks that nothing is looked at past the text and that pieces
// that are too long have no place.
func TestCacheEnds(t *testing.T) {
	c := new(cache)
	for _, a := range []struct {
		text, piece int
		cached      bool
	}{{16, 1, true}, {15, 1, false}, {16, shortLen, true}, {31, shortLen + 1, false}, {32, shortLen + 1, true}, {32, longLen, true}, {100, longLen + 1, false}} {
		if e := c.find(make([]byte, a.text), 0, a.piece); (e != nil) != a.cached {
			t.Errorf("piece of %d in text of %d bytes: cached %v, want %v", a.piece, a.text, e != nil, a.cached)
		}
	}
}
