// Package search ranks the files of a repository for a text: a question, an
// issue, a traceback. It owns the words that the index keeps for a file (Doc), the
// postings made from them (Builder, Index), the parsing of queries (Parse) and the
// weights that turn signals into one order (Features). It does no I/O: ask/find
// gathers the signals, and Store reads the index for it. Package words cuts texts
// into terms.
package search

import (
	"encoding/binary"
	"fmt"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/words"
)

// Doc is the words of one file.
type Doc struct {
	Length uint32 // tokens, parts of compounds included
	Terms  []DocTerm
}

// DocTerm is one distinct term of a Doc. Code holds a coarse count of it (see freq),
// and Named.
type DocTerm struct {
	Term words.Term
	Code uint8
}

// Named marks a term of the path or of a declared name.
const Named = 8

// freq maps the low three bits of a code to a number of occurrences. Coarse counts make a posting smaller, and BM25
// levels off anyway.
var freq = [8]float32{1, 2, 3, 4.5, 7, 11, 18, 32}

func freqCode(n uint32) uint8 {
	switch {
	case n <= 3:
		return uint8(max(n, 1) - 1)
	case n <= 5:
		return 3
	case n <= 8:
		return 4
	case n <= 13:
		return 5
	case n <= 25:
		return 6
	}
	return 7
}

// Bounds of a Doc: the bytes of text that are read, and the distinct terms. Larger
// files are tables and data.
const (
	MaxText  = 512 << 10
	maxTerms = 12000
)

// Indexer makes Docs. It is not safe for concurrent use.
type Indexer struct {
	split *words.Splitter
	slots []slot // open addressing; a power of two of them
	used  []int32
}

type slot struct {
	term  words.Term
	count uint32
	named bool
}

// NewIndexer makes an Indexer.
func NewIndexer() *Indexer {
	return &Indexer{split: words.NewSplitter(), slots: make([]slot, 4096)}
}

// Doc counts the words of a file: those of its path, of the names it declares, and of its text, whose secrets must be
// masked. Terms are in no order.
func (x *Indexer) Doc(path string, names func(yield func(string) bool), text []byte) *Doc {
	d := &Doc{}
	named := func(_, _ int, toks []words.Token) {
		for _, k := range toks {
			if s := x.slot(k.Term); s != nil {
				s.named = true
			}
		}
	}
	x.split.Each([]byte(path), named)
	if names != nil {
		for n := range names {
			x.split.Each([]byte(n), named)
		}
	}
	x.split.Each(text[:min(len(text), MaxText)], func(_, _ int, toks []words.Token) {
		for _, k := range toks {
			d.Length++
			if s := x.slot(k.Term); s != nil {
				s.count++
			}
		}
	})
	d.Terms = make([]DocTerm, len(x.used))
	for i, at := range x.used {
		s := &x.slots[at]
		d.Terms[i] = DocTerm{s.term, freqCode(s.count)}
		if s.named {
			d.Terms[i].Code |= Named
		}
		*s = slot{}
	}
	x.used = x.used[:0]
	return d
}

// slot returns the counter of a term, nil if there are too many.
func (x *Indexer) slot(t words.Term) *slot {
	mask := len(x.slots) - 1
	for i := int(t) & mask; ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.term == t && (s.count > 0 || s.named) {
			return s
		}
		if s.count > 0 || s.named {
			continue
		}
		if len(x.used) >= maxTerms {
			return nil
		}
		if 2*len(x.used) >= len(x.slots) {
			x.grow()
			return x.slot(t)
		}
		s.term = t
		x.used = append(x.used, int32(i))
		return s
	}
}

func (x *Indexer) grow() {
	old, used := x.slots, x.used
	x.slots = make([]slot, 2*len(old))
	x.used = make([]int32, 0, len(old))
	mask := len(x.slots) - 1
	for _, at := range used {
		i := int(old[at].term) & mask
		for x.slots[i].count > 0 || x.slots[i].named {
			i = (i + 1) & mask
		}
		x.slots[i] = old[at]
		x.used = append(x.used, int32(i))
	}
}

// errDamaged reports stored bytes that were not written by this package.
var errDamaged = fmt.Errorf("search postings: %w", code.ErrDamaged)

// Pack encodes a Doc: its length, the number of terms, and for each in
// ascending order the distance from the one before times 16 plus its code, all
// unsigned varints. It sorts d.Terms.
func (d *Doc) Pack() []byte {
	slices.SortFunc(d.Terms, func(a, b DocTerm) int {
		switch {
		case a.Term < b.Term:
			return -1
		case a.Term > b.Term:
			return 1
		}
		return 0
	})
	b := make([]byte, 0, 8+6*len(d.Terms))
	b = binary.AppendUvarint(b, uint64(d.Length))
	b = binary.AppendUvarint(b, uint64(len(d.Terms)))
	last := words.Term(0)
	for _, t := range d.Terms {
		b = binary.AppendUvarint(b, uint64(t.Term-last)<<4|uint64(t.Code))
		last = t.Term
	}
	return b
}

// UnpackDoc is the inverse of Pack. It fails with code.ErrDamaged if b has another form.
func UnpackDoc(b []byte) (*Doc, error) {
	r := varints{b: b}
	d := &Doc{Length: uint32(r.next())}
	n := r.next()
	if n > uint64(len(b)) {
		return nil, errDamaged
	}
	d.Terms = make([]DocTerm, n)
	last := words.Term(0)
	for i := range d.Terms {
		v := r.next()
		if last += words.Term(v >> 4); last >= 1<<termBits {
			return nil, errDamaged
		}
		d.Terms[i] = DocTerm{last, uint8(v & 15)}
	}
	if r.bad {
		return nil, errDamaged
	}
	return d, nil
}

// varints reads unsigned varints; past the end or after damage it gives zeros.
type varints struct {
	b   []byte
	bad bool
}

func (r *varints) next() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}
