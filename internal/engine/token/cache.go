package token

import "ken/internal/engine/token/vocab"

const (
	cacheBits = 14
	cachedLen = 14 // bytes of the longest piece that is cached
)

// entry is a cached piece and its number of tokens in both encodings.
type entry struct {
	lo uint64 // bytes 0–7 of the piece
	hi uint64 // from the top: bytes 8–13, the length (8 bits), the counts of o200k_base and cl100k_base (4 bits each, 0: not known)
}

// cache remembers how many tokens a short piece has, one piece for each place:
// a new one takes it. Source repeats itself so much that no better policy pays.
type cache [1 << cacheBits]entry

// key is the place of the piece of n bytes at b[i] and its entry without
// counts. b must hold 16 bytes from i on.
func key(b []byte, i, n int) (at uint64, k entry) {
	lo, hi := vocab.Load(b[i:], n)
	hi = hi<<16 | uint64(n)<<8
	h := (lo ^ hi*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	return h >> (64 - cacheBits), entry{lo, hi}
}
