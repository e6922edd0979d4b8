package token

import (
	"encoding/binary"

	"ken/internal/token/vocab"
)

// ranker looks up the ranks of tokens in a vocabulary, with a cache of recent ranks,
// vocab.None among them. Merging looks up the same few bytes again and again ("er",
// "in", "tion"), for which the vocabulary needs three memory accesses and the cache
// one.
type ranker struct {
	vocab.Vocab
	recent [1 << recentBits]struct {
		key  uint64 // the piece, its length in the last byte; 0: nothing yet
		rank uint32
	}
}

const (
	recentBits = 13
	recentLen  = 7 // bytes of the longest piece remembered
)

// rank returns the rank of the token buf[:n], as vocab.Vocab.Rank does.
func (r *ranker) rank(buf []byte, n int) uint32 {
	if n > recentLen {
		return r.Rank(buf, n)
	}
	piece := binary.LittleEndian.Uint64(buf) & (1<<(8*uint(n)) - 1)
	key := piece | uint64(n)<<56
	e := &r.recent[hash(key, 0)>>(64-recentBits)]
	if e.key != key {
		e.key, e.rank = key, r.Short(piece, 0, n)
	}
	return e.rank
}
