// Package token owns exact token counts in the encodings cl100k_base and
// o200k_base: tables, pre-tokenisers and byte pair encoding. Its neighbours are
// token/vocab, the format of the vocabularies, and token/gen, which lays out
// the embedded tables; delivery/pack selects files for a budget of tokens.
//
// A text is split into pieces (a word with the space before it, a run of
// symbols, …) by the encoding's pattern, and every piece is merged on its own.
// Most pieces are one token or were seen before, so that counting is mostly
// splitting and looking up.
//
// Text that spells a special token ("<|endoftext|>") is ordinary text. Bytes
// that are not UTF-8 count as U+FFFD, one for each maximal subpart, as the
// WHATWG decoder has it. A byte order mark counts: it is in the text.
package token

import (
	_ "embed"
	"fmt"
	"unicode/utf8"
	"unsafe"

	"ken/internal/token/vocab"
)

//go:generate go run ./gen .

// Encoding is a vocabulary of tokens with its rules for cutting text.
type Encoding uint8

// The encodings.
const (
	CL100K Encoding = iota // cl100k_base
	O200K                  // o200k_base
)

// String returns the name of the encoding as tiktoken has it.
func (e Encoding) String() string {
	switch e {
	case CL100K:
		return "cl100k_base"
	case O200K:
		return "o200k_base"
	}
	return fmt.Sprintf("encoding %d", uint8(e))
}

//go:embed cl100k_base.bin
var cl100kTable string

//go:embed o200k_base.bin
var o200kTable string

// Counter counts tokens in one encoding. It takes about 2 MB, allocates
// nothing while it counts, and is not safe for concurrent use.
type Counter struct {
	p     Pair
	shift uint // of the encoding's count in a cache entry
}

// New returns a counter for an encoding.
func New(e Encoding) *Counter {
	return &Counter{p: *NewPair(), shift: 4 * uint(e)}
}

// Pair counts tokens in both encodings at once, in little more time than in
// one. It takes about 2 MB, allocates nothing while it counts, and is not safe
// for concurrent use.
type Pair struct {
	vocabs [2]*ranker
	cache  *cache
	merger *merger
	broken bool // the text being counted is not UTF-8
}

// NewPair returns a counter for both encodings.
func NewPair() *Pair {
	return &Pair{
		vocabs: [2]*ranker{mustOpen(cl100kTable), mustOpen(o200kTable)},
		cache:  new(cache),
		merger: newMerger(window),
	}
}

// mustOpen opens an embedded vocabulary. It panics if that is damaged, because then the build is broken.
func mustOpen(table string) *ranker {
	v, err := vocab.Open(table)
	if err != nil {
		panic(err)
	}
	return &ranker{Vocab: v}
}

// CountString is Count for a string.
func (c *Counter) CountString(s string) int {
	return c.Count(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Count returns the number of tokens of b.
func (c *Counter) Count(b []byte) int {
	p := &c.p
	p.broken = !utf8.Valid(b)
	total := 0
	for i := 0; i < len(b); {
		cl, o, ok := nextASCII(b, i)
		var end int
		switch {
		case !ok:
			end = next(b, i, c.shift)
		case c.shift == 0:
			end = cl
		default:
			end = o
		}
		total += p.one(b, i, end, c.shift)
		i = end
	}
	return total
}

// next returns the end of the piece that starts at b[i]. shift selects the encoding: it is the position of the encoding's count in a
// cache entry.
func next(b []byte, i int, shift uint) int {
	if shift == 0 {
		return nextCL100K(b, i)
	}
	return nextO200K(b, i)
}

// CountString is Count for a string.
func (p *Pair) CountString(s string) (cl100k, o200k int) {
	return p.Count(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Count returns the numbers of tokens of b in cl100k_base and o200k_base.
func (p *Pair) Count(b []byte) (cl100k, o200k int) {
	p.broken = !utf8.Valid(b)
	for i := 0; i < len(b); {
		cl, o, ok := nextASCII(b, i)
		if !ok {
			cl, o = nextCL100K(b, i), nextO200K(b, i)
		}
		if cl == o {
			n, m := p.both(b, i, cl)
			cl100k, o200k, i = cl100k+n, o200k+m, cl
			continue
		}
		cl100k += p.one(b, i, cl, clShift)
		o200k += p.one(b, i, o, oShift)
		for cl != o { // until both are at the same place again, at the latest at the end
			if cl < o {
				end := nextCL100K(b, cl)
				cl100k += p.one(b, cl, end, clShift)
				cl = end
				continue
			}
			end := nextO200K(b, o)
			o200k += p.one(b, o, end, oShift)
			o = end
		}
		i = cl
	}
	return cl100k, o200k
}

const clShift, oShift = 4 * uint(CL100K), 4 * uint(O200K)

// one returns the number of tokens of the piece b[i:end] in the encoding that shift selects.
func (p *Pair) one(b []byte, i, end int, shift uint) int {
	e := p.cache.find(b, i, end)
	if e != nil {
		if n := int(*e >> shift & countMax); n > 0 {
			return n
		}
	}
	return p.learn(e, b[i:end], shift)
}

// both returns the numbers of tokens of the piece b[i:end] in both encodings.
func (p *Pair) both(b []byte, i, end int) (cl100k, o200k int) {
	e := p.cache.find(b, i, end)
	if e != nil {
		cl100k, o200k = int(*e>>clShift&countMax), int(*e>>oShift&countMax)
	}
	if cl100k == 0 {
		cl100k = p.learn(e, b[i:end], clShift)
	}
	if o200k == 0 {
		o200k = p.learn(e, b[i:end], oShift)
	}
	return cl100k, o200k
}

// learn counts the tokens of a piece in the encoding that shift selects, and
// records the number in the piece's cache entry e, if it has one.
func (p *Pair) learn(e *uint64, piece []byte, shift uint) int {
	n := p.tokens(p.vocabs[shift/4], piece, e != nil)
	if e != nil && n <= countMax {
		*e |= uint64(n) << shift
	}
	return n
}

// tokens counts the tokens of a piece. ahead is set if the 16 bytes from
// its start are readable; then a short piece, which mostly is one token, is
// looked up in place.
func (p *Pair) tokens(v *ranker, piece []byte, ahead bool) int {
	if ahead && !p.broken && len(piece) <= 16 {
		lo, hi := vocab.Load(piece[:16], len(piece))
		if v.Short(lo, hi, len(piece)) != vocab.None {
			return 1
		}
	}
	return p.merger.count(v, piece, p.broken)
}
