package search

import (
	"encoding/binary"
	"iter"
	"slices"

	"ken/internal/engine/words"
)

// The postings of all files at one moment are the base. It is cut into buckets by the leading bits of terms, so that a
// query reads a few blobs and a base of a quarter of a million terms is a few thousand rows. Files that changed since
// are stored beside it as packed Docs, which replace their documents in the base; once they are many, a new base is made
// (Merge).
//
// The head is varints: the shift that makes a bucket's number of a term, the
// number of documents, then for each the distance of its file's id from the
// one before and its length. A bucket is, for each of its terms in ascending
// order, the distance from the term before, the number of bytes that follow,
// and for each posting the distance of the document's place from the one before
// times 16 plus the code.

const (
	partBits  = 8 // leading bits of a term by which a Builder sorts its intake
	termBits  = 40
	perBucket = 48 // terms in a bucket, about
)

// Builder gathers the documents of a base. Memory: two to three bytes a posting, five to six for the last maxLoose bytes
// of them, and twelve bytes a document.
type Builder struct {
	ids     []int64
	lengths []uint32
	parts   [1 << partBits]part
	loose   int // bytes of the chunks of all parts
	most    int // loose bytes, above which they are packed into runs
	sort    sorter
}

// part is the postings of the terms with the same leading bits. Each posting is the rest of the term (32 bits), then as
// a varint the distance of the document's place from the one before, which Merge makes negative at times, times 16 plus
// the code. They are kept in chunks that never move, because growing slices would take three times the memory. From time
// to time the chunks are sorted and packed into runs, each encoded as a bucket is.
type part struct {
	full  [][]byte
	last  []byte
	place int64
	runs  [][]byte
}

const (
	chunk      = 2 << 10
	maxPosting = 4 + binary.MaxVarintLen32
	maxLoose   = 2 << 20
)

// add adds a posting and returns the size of the new chunk if it allocated one, else 0.
func (p *part) add(rest uint32, place int64, code uint8) (grown int) {
	if cap(p.last)-len(p.last) < maxPosting {
		if p.last != nil {
			p.full = append(p.full, p.last)
		}
		p.last = make([]byte, 0, chunk)
		grown = chunk
	}
	step := place - p.place
	p.place = place
	p.last = binary.LittleEndian.AppendUint32(p.last, rest)
	p.last = binary.AppendUvarint(p.last, uint64(step<<1^step>>63)<<4|uint64(code))
	return grown
}

// unpackSorted returns the postings, in order.
func (p *part) unpackSorted(s *sorter) []uint64 {
	buf := s.list[:0]
	for _, run := range p.runs {
		buf = appendRun(buf, run)
	}
	place := int64(0)
	for _, c := range append(p.full, p.last) {
		for len(c) > 0 {
			v, n := binary.Uvarint(c[4:])
			step := v >> 4
			place += int64(step>>1) ^ -int64(step&1)
			buf = append(buf, uint64(binary.LittleEndian.Uint32(c))<<32|uint64(place)<<8|v&15)
			c = c[4+n:]
		}
	}
	return s.sort(buf)
}

// appendRun unpacks a run into a sorter's list.
func appendRun(buf []uint64, run []byte) []uint64 {
	r, rest := varints{b: run}, uint64(0)
	for len(r.b) > 0 {
		rest += r.next()
		size := r.next()
		list, place := varints{b: r.b[:size]}, uint64(0)
		for len(list.b) > 0 {
			v := list.next()
			place += v >> 4
			buf = append(buf, rest<<32|place<<8|v&15)
		}
		r.b = r.b[size:]
	}
	return buf
}

// pack sorts the postings in chunks and encodes them as runs.
func (b *Builder) pack() {
	for i := range b.parts {
		p := &b.parts[i]
		loose := part{full: p.full, last: p.last}
		encodePart(0, loose.unpackSorted(&b.sort), 32, func(_ int64, run []byte) bool {
			p.runs = append(p.runs, slices.Clone(run))
			return true
		})
		p.full, p.last, p.place = nil, nil, 0
	}
	b.loose = 0
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return &Builder{most: maxLoose} }

// maxDocs is the number of documents a base can hold.
const maxDocs = 1 << 24

// Add adds the document of a file. Ids must ascend.
func (b *Builder) Add(file int64, d *Doc) {
	if d == nil || len(b.ids) == maxDocs {
		return
	}
	place := int64(len(b.ids))
	b.ids = append(b.ids, file)
	b.lengths = append(b.lengths, d.Length)
	for _, t := range d.Terms {
		b.put(t.Term, place, t.Code)
	}
}

func (b *Builder) put(t words.Term, place int64, code uint8) {
	b.loose += b.parts[t>>(termBits-partBits)].add(uint32(t), place, code)
	if b.loose > b.most {
		b.pack()
	}
}

// head encodes the head and chooses the width of buckets.
func (b *Builder) head(terms int) (head []byte, shift uint) {
	shift = termBits - partBits
	for n := terms >> partBits; n > perBucket && shift > 8; n >>= 1 {
		shift--
	}
	head = binary.AppendUvarint(nil, uint64(shift))
	head = binary.AppendUvarint(head, uint64(len(b.ids)))
	last := int64(0)
	for i, id := range b.ids {
		head = binary.AppendUvarint(head, uint64(id-last))
		head = binary.AppendUvarint(head, uint64(b.lengths[i]))
		last = id
	}
	return head, shift
}

// Finish returns the head, and the buckets by their numbers, each valid until the next. The Builder cannot be used
// afterwards.
func (b *Builder) Finish() (head []byte, buckets iter.Seq2[int64, []byte]) {
	// The distinct terms of one part give an estimate of all, because hashes are spread evenly.
	terms, last := 0, uint64(1<<63)
	for _, v := range b.parts[0].unpackSorted(&b.sort) {
		if v>>32 != last {
			terms++
		}
		last = v >> 32
	}
	head, shift := b.head(terms << partBits)
	return head, func(yield func(int64, []byte) bool) {
		for p := range b.parts {
			list := b.parts[p].unpackSorted(&b.sort)
			b.parts[p] = part{}
			if !encodePart(words.Term(p)<<(termBits-partBits), list, shift, yield) {
				return
			}
		}
	}
}

// encodePart encodes the buckets of one part; its postings are sorted. A bucket is
// valid until the next.
func encodePart(base words.Term, part []uint64, shift uint, yield func(int64, []byte) bool) bool {
	var out, list []byte
	bucket, last := int64(-1), words.Term(0)
	for len(part) > 0 {
		rest := part[0] >> 32
		term := base | words.Term(rest)&(1<<32-1)
		if n := int64(term >> shift); n != bucket {
			if bucket >= 0 && !yield(bucket, out) {
				return false
			}
			bucket, out, last = n, out[:0], term>>shift<<shift
		}
		list = list[:0]
		place := uint64(0)
		for len(part) > 0 && part[0]>>32 == rest {
			at := part[0] >> 8 & (maxDocs - 1)
			list = binary.AppendUvarint(list, (at-place)<<4|part[0]&15)
			place = at
			part = part[1:]
		}
		out = binary.AppendUvarint(out, uint64(term-last))
		out = binary.AppendUvarint(out, uint64(len(list)))
		out = append(out, list...)
		last = term
	}
	return bucket < 0 || yield(bucket, out)
}

// Store reads the stored index for an Index.
type Store interface {
	SearchHead() ([]byte, error)             // empty if there is none
	SearchBucket(n int64) ([]byte, error)    // empty if there is none; it is not changed
	SearchFresh() iter.Seq2[FreshDoc, error] // by file
	SearchBuckets() iter.Seq2[Bucket, error] // by number
}

// FreshDoc is the document of a file that changed since the base was made. Data is
// empty if the file is gone.
type FreshDoc struct {
	File int64
	Data []byte
}

// Index finds the documents that hold a term.
type Index struct {
	store  Store
	shift  uint
	ids    []int64
	length []float32
	base   int    // documents of the base; those after it are fresh
	hidden []bool // documents of the base that changed or are gone; nil if none
	fresh  []*Doc
	Avg    float32 // mean length
	Live   int     // number of documents that are not gone
	buf    map[int64][]byte
}

// NewIndex reads the head and the fresh documents. It returns an error if they cannot be read or are damaged.
func NewIndex(s Store) (*Index, error) {
	head, err := s.SearchHead()
	if err != nil {
		return nil, err
	}
	x := &Index{store: s, buf: map[int64][]byte{}}
	if err := x.readHead(head); err != nil {
		return nil, err
	}
	if err := x.readFresh(); err != nil {
		return nil, err
	}
	sum := float32(0)
	for i, l := range x.length {
		if !x.isReplaced(i) {
			sum += l
			x.Live++
		}
	}
	x.Avg = max(1, sum/float32(max(1, x.Live)))
	return x, nil
}

func (x *Index) readHead(head []byte) error {
	if len(head) == 0 {
		return nil
	}
	r := varints{b: head}
	x.shift = uint(r.next())
	n := r.next()
	if n > uint64(len(head)) || x.shift > termBits {
		return errDamaged
	}
	x.base = int(n)
	x.ids, x.length = make([]int64, n, n+16), make([]float32, n, n+16)
	last := int64(0)
	for i := range x.ids {
		last += int64(r.next())
		x.ids[i], x.length[i] = last, float32(r.next())
	}
	if r.bad {
		return errDamaged
	}
	return nil
}

func (x *Index) readFresh() error {
	for f, err := range x.store.SearchFresh() {
		if err != nil {
			return err
		}
		if i, ok := slices.BinarySearch(x.ids[:x.base], f.File); ok {
			if x.hidden == nil {
				x.hidden = make([]bool, x.base)
			}
			x.hidden[i] = true
		}
		if len(f.Data) == 0 {
			continue
		}
		d, err := UnpackDoc(f.Data)
		if err != nil {
			return err
		}
		x.ids, x.length, x.fresh = append(x.ids, f.File), append(x.length, float32(d.Length)), append(x.fresh, d)
	}
	return nil
}

// isReplaced reports whether a document of the base has changed or is gone.
func (x *Index) isReplaced(doc int) bool { return x.hidden != nil && doc < x.base && x.hidden[doc] }

// Docs returns the number of documents, including those that are gone.
func (x *Index) Docs() int { return len(x.ids) }

// File returns the id of a document's file.
func (x *Index) File(doc int) int64 { return x.ids[doc] }

// Doc returns the document of a file, and false if it has none.
func (x *Index) Doc(file int64) (int, bool) {
	if i, ok := slices.BinarySearch(x.ids[:x.base], file); ok && !x.isReplaced(i) {
		return i, true
	}
	i, ok := slices.BinarySearch(x.ids[x.base:], file)
	return x.base + i, ok
}

// Posting is one document that holds a term.
type Posting struct {
	Doc  int32
	Code uint8
}

// Postings appends the documents that hold a term, ascending. It returns an error if they cannot be read or are damaged.
func (x *Index) Postings(dst []Posting, term words.Term) ([]Posting, error) {
	data, err := x.packedPostings(term)
	if err != nil {
		return dst, err
	}
	return x.unpack(dst, term, data)
}

// unpack appends the base's postings of a term, and those of fresh documents.
func (x *Index) unpack(dst []Posting, term words.Term, data []byte) ([]Posting, error) {
	dst, err := x.decode(dst, varints{b: data})
	if err != nil {
		return dst, err
	}
	for i, d := range x.fresh {
		at, ok := slices.BinarySearchFunc(d.Terms, term, func(t DocTerm, want words.Term) int {
			switch {
			case t.Term < want:
				return -1
			case t.Term > want:
				return 1
			}
			return 0
		})
		if ok {
			dst = append(dst, Posting{int32(x.base + i), d.Terms[at].Code})
		}
	}
	return dst, nil
}

// packedPostings returns the base's postings of a term as they are stored.
func (x *Index) packedPostings(term words.Term) ([]byte, error) {
	if x.base == 0 {
		return nil, nil
	}
	n := int64(term >> x.shift)
	data, ok := x.buf[n]
	if !ok {
		var err error
		if data, err = x.store.SearchBucket(n); err != nil {
			return nil, err
		}
		x.buf[n] = data
	}
	r := varints{b: data}
	at := term >> x.shift << x.shift
	for len(r.b) > 0 {
		at += words.Term(r.next())
		size := r.next()
		if r.bad || size > uint64(len(r.b)) {
			return nil, errDamaged
		}
		if at == term {
			return r.b[:size], nil
		}
		if at > term {
			break
		}
		r.b = r.b[size:]
	}
	return nil, nil
}

func (x *Index) decode(dst []Posting, r varints) ([]Posting, error) {
	place := uint64(0)
	for len(r.b) > 0 {
		v := r.next()
		place += v >> 4
		if r.bad || place >= uint64(x.base) {
			return dst, errDamaged
		}
		if x.hidden == nil || !x.hidden[place] {
			dst = append(dst, Posting{int32(place), uint8(v & 15)})
		}
	}
	return dst, nil
}

// Stale reports whether so many documents are fresh that a new base pays, because a query reads every fresh one.
func (x *Index) Stale() bool {
	n := len(x.fresh)
	for _, h := range x.hidden {
		if h {
			n++
		}
	}
	return n >= MinStale && n > x.base/16
}

// MinStale is the number of fresh documents below which no new base is made.
const MinStale = 200
