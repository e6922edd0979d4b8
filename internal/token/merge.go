package token

import (
	"unicode/utf8"

	"ken/internal/token/vocab"
)

const (
	// window is the number of bytes of a long piece that are merged at a time: some of the
	// longest tokens. With 512, long white space of cl100k_base needs larger ones
	// now and then (see stream); 2048 is half as fast.
	window = 1024
	// scanned is the number of bytes that are merged by comparing all pairs for each join,
	// which is faster than the tournament for few.
	scanned = 64
	// longest is the number of bytes of the longest token.
	longest = 128
)

// merger counts the tokens of one piece by byte pair encoding. It starts from
// single bytes. As long as two neighbours joined are a token, it joins the two
// whose token has the lowest rank, the leftmost first.
type merger struct {
	base   int      // size of a window to begin with
	buf    []byte   // a window of the piece, well-formed, the next one and vocab.Pad to spare
	starts []int32  // starts[k] is where part k starts in buf; one more at the end
	ranks  []uint32 // ranks[k] is the rank of parts k and k+1 joined
	long   tournament
}

func newMerger(size int) *merger {
	m := &merger{base: size}
	m.resize(size)
	return m
}

// resize makes room for windows of size bytes and keeps the content of buf. A window is the part of a long piece that is merged at a
// time.
func (m *merger) resize(size int) {
	buf := make([]byte, 2*size+vocab.Pad)
	copy(buf, m.buf)
	m.buf, m.starts, m.ranks = buf, make([]int32, size+1), make([]uint32, size+1)
	m.long = newTournament(size)
}

// size returns the number of bytes of a window.
func (m *merger) size() int { return len(m.starts) - 1 }

// count returns the number of tokens of a piece. A piece that is itself a token
// is one token, even if merging would not reach it. broken is set if the piece
// may have bytes that are not UTF-8.
func (m *merger) count(v *ranker, piece []byte, broken bool) int {
	n, rest := m.fill(0, m.size(), piece, broken)
	if len(rest) > 0 {
		return m.stream(v, n, rest, broken)
	}
	if n <= longest && v.rank(m.buf, n) != vocab.None {
		return 1
	}
	return m.merge(v, m.buf, n)
}

// stream counts the tokens of a piece that is longer than a window, and whose
// first n bytes are in buf; memory does not grow with it. A sequence of tokens
// is the encoding of a text if every two neighbours are the encoding of theirs.
// So when the encodings of two windows that overlap have a token in common, the
// first up to this token and the second from there on are the encoding of both.
// The second window starts at a token of the first, which both should have in
// common; if text past the first window changes even that token (not seen with
// 1024 bytes on 24,720 pieces of repeated tokens), larger windows are used.
func (m *merger) stream(v *ranker, n int, rest []byte, broken bool) (total int) {
	parts := m.merge(v, m.buf, n)
	for len(rest) > 0 {
		k := m.overlapStart(parts, n)
		from, end := int(m.starts[k]), m.starts[k+1]
		n, rest = m.fill(n, from+m.size(), rest, broken)
		parts = m.merge(v, m.buf[from:], n-from)
		if k > 0 && m.starts[1] == end-int32(from) {
			total += k
			copy(m.buf, m.buf[from:n])
			n -= from
			continue
		}
		m.resize(2 * m.size())
		n, rest = m.fill(n, m.size(), rest, broken)
		parts = m.merge(v, m.buf, n)
	}
	if m.size() != m.base {
		m.resize(m.base)
	}
	return total + parts
}

// overlapStart returns the part of a window at which the next window starts: a
// part in the third quarter, or the nearest before that.
func (m *merger) overlapStart(parts, n int) int {
	k := parts - 1
	for k > 1 && int(m.starts[k]) > n*3/4 {
		k--
	}
	return k
}

// fill appends text to buf[:n] until buf holds about size bytes. It replaces bytes
// that are no UTF-8 by U+FFFD. It returns the number of bytes in buf, and the rest of
// the text.
func (m *merger) fill(n, size int, text []byte, broken bool) (int, []byte) {
	if !broken {
		c := copy(m.buf[n:max(n, size)], text)
		return n + c, text[c:]
	}
	for len(text) > 0 && n+utf8.UTFMax <= size {
		r, w := decode(text)
		n += utf8.EncodeRune(m.buf[n:], r)
		text = text[w:]
	}
	return n, text
}

// merge applies byte pair encoding to buf[:n], of at most size bytes. It
// returns the number of tokens and leaves their starts in m.starts.
func (m *merger) merge(v *ranker, buf []byte, n int) int {
	if n > scanned {
		return len(m.long.merge(v, buf, n, m.starts[:0])) - 1
	}
	starts, ranks := m.starts[:n+1], m.ranks[:n+1]
	for k := range starts {
		starts[k] = int32(k)
		ranks[k] = vocab.None
		if k+1 < n {
			ranks[k] = v.rank(buf[k:], 2)
		}
	}
	for {
		best, at := uint32(vocab.None), 0
		for k, r := range ranks {
			if r < best {
				best, at = r, k
			}
		}
		if best == vocab.None {
			return n
		}
		copy(starts[at+1:], starts[at+2:])
		copy(ranks[at+1:], ranks[at+2:])
		starts, ranks, n = starts[:n], ranks[:n], n-1
		ranks[at] = pair(v, buf, starts, at)
		if at > 0 {
			ranks[at-1] = pair(v, buf, starts, at-1)
		}
	}
}

// pair returns the rank of the token that parts k and k+1 of buf form together, or vocab.None if they form none.
func pair(v *ranker, buf []byte, starts []int32, k int) uint32 {
	if k+2 >= len(starts) {
		return vocab.None
	}
	s, e := starts[k], starts[k+2]
	return v.rank(buf[s:], int(e-s))
}
