package search

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"ken/internal/engine/words"
)

// memory is a Store in memory.
type memory struct {
	head    []byte
	buckets map[int64][]byte
	fresh   map[int64][]byte
}

func (m *memory) SearchHead() ([]byte, error)          { return m.head, nil }
func (m *memory) SearchBucket(n int64) ([]byte, error) { return m.buckets[n], nil }
func (m *memory) SearchBuckets() iter.Seq2[Bucket, error] {
	return func(yield func(Bucket, error) bool) {
		for _, n := range slices.Sorted(maps.Keys(m.buckets)) {
			if !yield(Bucket{n, m.buckets[n]}, nil) {
				return
			}
		}
	}
}
func (m *memory) SearchFresh() iter.Seq2[FreshDoc, error] {
	return func(yield func(FreshDoc, error) bool) {
		for _, n := range slices.Sorted(maps.Keys(m.fresh)) {
			if !yield(FreshDoc{n, m.fresh[n]}, nil) {
				return
			}
		}
	}
}

func (m *memory) put(b *Builder) {
	head, buckets := b.Finish()
	*m = memory{head: head, buckets: map[int64][]byte{}, fresh: map[int64][]byte{}}
	for n, data := range buckets {
		m.buckets[n] = slices.Clone(data)
	}
}

// model is what the index should say.
type model map[int64]*Doc

func (m model) postings(t words.Term) map[int64]uint8 {
	out := map[int64]uint8{}
	for id, d := range m {
		for _, k := range d.Terms {
			if k.Term == t {
				out[id] = k.Code
			}
		}
	}
	return out
}

// TestIndexFollowsChanges compares the index with a plain list of documents,
// through a build, changes, deletions and merges.
func TestIndexFollowsChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf("word%dOf%d", i, i%7)
	}
	x := NewIndexer()
	doc := func() *Doc {
		var text []byte
		for range rng.IntN(200) {
			text = append(append(text, names[rng.IntN(1+rng.IntN(len(names)))]...), ' ')
		}
		return x.Doc("dir/file.go", slices.Values(names[:rng.IntN(3)]), text)
	}
	m, docs, b := &memory{}, model{}, NewBuilder()
	for id := int64(1); id <= 400; id++ {
		if id%17 != 0 {
			docs[id] = doc()
			b.Add(id, docs[id])
		}
	}
	m.put(b)
	var terms []words.Term
	for i := 0; i < len(names); i += 13 {
		for _, k := range words.NewSplitter().Word(names[i]) {
			terms = append(terms, k.Term)
		}
	}
	check := func(when string) *Index {
		t.Helper()
		idx, err := NewIndex(m)
		if err != nil {
			t.Fatal(when, err)
		}
		if idx.Live != len(docs) {
			t.Fatalf("%s: %d documents live, want %d", when, idx.Live, len(docs))
		}
		for _, term := range terms {
			list, err := idx.Postings(nil, term)
			if err != nil {
				t.Fatal(when, err)
			}
			got := map[int64]uint8{}
			for _, p := range list {
				got[idx.File(int(p.Doc))] = p.Code
			}
			if want := docs.postings(term); !maps.Equal(got, want) {
				t.Fatalf("%s: term %x: got %v, want %v", when, term, got, want)
			}
		}
		return idx
	}
	check("built")
	for round := range 3 {
		for range 120 {
			id := 1 + rng.Int64N(450)
			if rng.IntN(4) == 0 {
				delete(docs, id)
				m.fresh[id] = nil
				continue
			}
			docs[id] = doc()
			m.fresh[id] = docs[id].Pack()
		}
		idx := check(fmt.Sprint("changed ", round))
		if round == 0 {
			continue
		}
		b, err := idx.Merge()
		if err != nil {
			t.Fatal(err)
		}
		m.put(b)
		check(fmt.Sprint("merged ", round))
	}
}

func FuzzIndex(f *testing.F) {
	b := NewBuilder()
	d := NewIndexer().Doc("a/b.go", nil, []byte("func parseFile() {}"))
	b.Add(1, d)
	head, buckets := b.Finish()
	for n, data := range buckets {
		f.Add(head, n, data, d.Pack())
	}
	f.Fuzz(func(t *testing.T, head []byte, n int64, bucket, fresh []byte) {
		m := &memory{head: head, buckets: map[int64][]byte{n: bucket}, fresh: map[int64][]byte{7: fresh}}
		x, err := NewIndex(m)
		if err != nil {
			return
		}
		for _, term := range []words.Term{words.Of("func"), words.Term(n) << x.shift, 0} {
			x.Postings(nil, term&(1<<termBits-1))
		}
		if b, err := x.Merge(); err == nil {
			b.Finish()
		}
	})
}

// TestBuilderRuns: what is packed on the way gives the same base, whether documents
// come in order or, as in Merge, not.
func TestBuilderRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	plain, packing := NewBuilder(), NewBuilder()
	packing.most = 1 << partBits * chunk // once each part has a chunk
	both := [...]*Builder{plain, packing}
	for id := int64(1); id <= 600; id++ {
		d := &Doc{Length: rng.Uint32N(1000)}
		for range rng.IntN(400) {
			d.Terms = append(d.Terms, DocTerm{words.Term(rng.Uint64N(1 << (termBits - rng.UintN(8)))), uint8(rng.UintN(16))})
		}
		for _, b := range both {
			b.Add(id, d)
		}
	}
	for range 100_000 {
		term, place, code := words.Term(rng.Uint64N(5000)), rng.Int64N(600), uint8(rng.UintN(16))
		for _, b := range both {
			b.put(term, place, code)
		}
	}
	if len(packing.parts[0].runs) < 2 || len(plain.parts[0].runs) > 0 {
		t.Fatalf("%d and %d runs", len(packing.parts[0].runs), len(plain.parts[0].runs))
	}
	var got, want memory
	got.put(packing)
	want.put(plain)
	if !slices.Equal(got.head, want.head) || !maps.EqualFunc(got.buckets, want.buckets, slices.Equal) {
		t.Errorf("%d buckets differ from %d", len(got.buckets), len(want.buckets))
	}
}
