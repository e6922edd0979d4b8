package token

import "ken/internal/token/vocab"

const (
	shortBits, shortLen = 16, 14 // log2 of the entries of the cache of short pieces; bytes of the longest
	longBits, longLen   = 14, 30 // the same for longer ones
	countMax            = 15     // the highest count an entry can hold
)

// cache remembers the number of tokens of recent pieces of text. Each slot holds one
// piece, and a new piece replaces the old one. Entries have two sizes, because most
// pieces are short and a small cache stays near the processor: on 69 MB of kubernetes
// half as many slots cost 7 %.
type cache struct {
	short [1 << shortBits][2]uint64
	long  [1 << longBits][4]uint64
}

// The layout of an entry: the bytes of a piece, filled with zeros; then, from bit
// 15 of the last word down, its length (8 bits) and the numbers of its tokens in
// o200k_base and cl100k_base (4 bits each; 0 means not known).
const (
	countBits  = 8
	lengthBits = 16
)

// find returns the last word of the entry of the piece b[i:end], and makes the entry
// if there is none. It returns nil for pieces that are too long and at the end of b.
func (c *cache) find(b []byte, i, end int) *uint64 {
	n := end - i
	if n <= shortLen && i+16 <= len(b) {
		lo, hi := vocab.Load(b[i:], n)
		hi = hi<<lengthBits | uint64(n)<<countBits
		e := &c.short[hash(lo, hi)>>(64-shortBits)]
		if e[0] != lo || (e[1]^hi)>>countBits != 0 {
			*e = [2]uint64{lo, hi}
		}
		return &e[1]
	}
	if n <= longLen && n > shortLen && i+32 <= len(b) {
		return c.findLong(b[i:], n)
	}
	return nil
}

// findLong does the same as find for the piece b[:n] of 15 to 30 bytes; b holds 32.
func (c *cache) findLong(b []byte, n int) *uint64 {
	w0, w1 := vocab.Load(b, n)
	w2, w3 := vocab.Load(b[16:], max(n-16, 0))
	w3 = w3<<lengthBits | uint64(n)<<countBits
	e := &c.long[hash(hash(w0, w1)^w2, w3)>>(64-longBits)]
	if e[0] != w0 || e[1] != w1 || e[2] != w2 || (e[3]^w3)>>countBits != 0 {
		*e = [4]uint64{w0, w1, w2, w3}
	}
	return &e[3]
}

func hash(lo, hi uint64) uint64 {
	h := (lo ^ hi*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	return h ^ h>>32
}
