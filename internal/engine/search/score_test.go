package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/words"
)

// corpus returns an index of texts; the file of a text is its place plus one.
func corpus(t *testing.T, texts ...string) (*Index, *memory) {
	t.Helper()
	m, b, in := &memory{}, NewBuilder(), NewIndexer()
	for i, text := range texts {
		path, text, _ := strings.Cut(text, ": ")
		b.Add(int64(i+1), in.Doc(path, nil, []byte(text)))
	}
	m.put(b)
	return open(t, m), m
}

func open(t *testing.T, m *memory) *Index {
	t.Helper()
	x, err := NewIndex(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func score(t *testing.T, x *Index, query string) (*Query, *Scores) {
	t.Helper()
	q := Parse(query)
	s, err := x.Score(q)
	if err != nil {
		t.Fatal(err)
	}
	return q, s
}

// TestScore: rare words, several words, names, titles and code count; length
// counts against.
func TestScore(t *testing.T) {
	x, _ := corpus(t,
		"a.go: the parser reads settings",
		"b.go: the parser reads settings, the parser reads more, "+strings.Repeat("filler words ", 300),
		"c.go: the printer writes settings",
		"parser.go: nothing of it",
		"d.go: unrelated",
	)
	_, s := score(t, x, "parser settings")
	if !(s.Body[0] > s.Body[1] && s.Body[0] > s.Body[2] && s.Body[1] > 0 && s.Body[2] > 0 && s.Body[4] == 0) {
		t.Errorf("body %v", s.Body)
	}
	if s.Named[3] <= 0 || s.Named[0] != 0 {
		t.Errorf("named %v", s.Named)
	}
	if s.Matched[0] < 0.999 || s.Matched[0] > 1.001 || s.Matched[2] >= 1 || s.Matched[4] != 0 {
		t.Errorf("matched %v", s.Matched)
	}
	q, s := score(t, x, "printer\n\nwhere `settings` are, and what nobody holds: zebra")
	if s.Title[2] <= 0 || s.Title[0] != 0 {
		t.Errorf("title %v", s.Title)
	}
	if s.Code[0] <= 0 || s.Code[3] != 0 {
		t.Errorf("code %v", s.Code)
	}
	for i := range q.Terms {
		held, known := map[string]bool{"printer": true, "settings": true, "zebra": false}[q.Terms[i].Word]
		if known && held != (s.IDF[i] > 0) {
			t.Errorf("idf of %q is %v", q.Terms[i].Word, s.IDF[i])
		}
	}
	if top := s.Top(10, nil); len(top) == 0 || top[0] != 2 {
		t.Errorf("top %v", top)
	}
}

// TestScoreCompound: an identifier counts as itself and as its parts.
func TestScoreCompound(t *testing.T) {
	x, _ := corpus(t, "a.go: func openSessionStore() {}", "b.go: open the session of a store", "c.go: nothing")
	_, s := score(t, x, "openSessionStore")
	if s.Compound[0] <= 0 || s.Compound[1] != 0 || !(s.Body[0] > s.Body[1] && s.Body[1] > 0) {
		t.Errorf("compound %v, body %v", s.Compound, s.Body)
	}
}

// TestScoreOr: of words joined by OR the best counts, not their sum.
func TestScoreOr(t *testing.T) {
	x, _ := corpus(t, "a.go: cats and dogs", "b.go: cats and cows", "c.go: birds only", "d.go: fish", "e.go: worms")
	_, either := score(t, x, "cats OR dogs")
	_, both := score(t, x, "cats dogs")
	if !(either.Body[0] > 0 && either.Body[1] > 0 && either.Body[2] == 0 && either.Body[0] < both.Body[0]) {
		t.Errorf("either %v, both %v", either.Body, both.Body)
	}
}

// TestTop: the best come first, the first of equals first, and a cut list is the
// beginning of the whole one.
func TestTop(t *testing.T) {
	s := &Scores{Body: []float32{1, 3, 0, 3, 2, 0}, Named: make([]float32, 6), Compound: make([]float32, 6)}
	s.Named[5], s.Compound[4] = 10, 0.1
	want := []int32{5, 1, 3, 4, 0}
	for n := 1; n <= 6; n++ {
		if got := s.Top(n, nil); !slices.Equal(got, want[:min(n, 5)]) {
			t.Errorf("top %d: %v, want %v", n, got, want[:min(n, 5)])
		}
	}
}

// TestAll: files that have all of some words in their paths or names.
func TestAll(t *testing.T) {
	x, _ := corpus(t, "store/session.go: x", "store/other.go: session", "session.go: store", "store/session_test.go: y")
	terms := func(list ...string) (out []words.Term) {
		for _, w := range list {
			out = append(out, words.NewSplitter().Word(w)[0].Term)
		}
		return out
	}
	for _, c := range []struct {
		words []string
		want  string
	}{{[]string{"store", "session"}, "[0 3]"}, {[]string{"session"}, "[0 2 3]"}, {[]string{"store", "zebra"}, "[]"}, {nil, "[]"}} {
		got, err := x.All(terms(c.words...))
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, %v; want %s", c.words, got, err, c.want)
		}
	}
}

// TestPassage: the passage with most of a query is where its words come together,
// and spans of lines are scored alike.
func TestPassage(t *testing.T) {
	q := Parse("retry backoff limit")
	idf := make([]float32, len(q.Terms))
	for i := range idf {
		idf[i] = 1
	}
	m := NewMatcher(q, idf)
	text := "limit\n" + strings.Repeat("nothing here\n", 99) + "func retry(limit int) {\n\tbackoff()\n}\n" + strings.Repeat("nothing here\n", 99) + "backoff\n"
	hits := m.Hits(nil, []byte(text))
	best := m.Best(hits)
	if best.Line != 101 || best.EndLine != 102 || best.Score <= 0 {
		t.Errorf("best %+v", best)
	}
	if got, matched := m.Span(hits, 101, 102); math.Abs(float64(got-best.Score)) > 1e-4 || math.Abs(float64(matched)-6.0/7) > 1e-4 {
		t.Errorf("span %v, best %v, with %v of the query", got, best.Score, matched)
	}
	if whole, _ := m.Span(hits, 1, 500); whole <= best.Score {
		t.Errorf("the whole text has %v, its best passage %v", whole, best.Score)
	}
	if got, matched := m.Span(hits, 2, 99); got != 0 || matched != 0 {
		t.Errorf("lines without words have %v, %v of the query", got, matched)
	}
	if empty := m.Best(nil); empty != (Passage{}) {
		t.Errorf("of no hits: %+v", empty)
	}
	for name, want := range map[string]bool{"retryLimit": true, "Backoff": true, "unrelated": false, "x": false} {
		if m.MayHold(name) != want {
			t.Errorf("%s may hold a word: %v", name, !want)
		}
	}
}

// TestDocs: documents are found by their files, those that changed by their fresh
// ones, and many changes make a base stale.
func TestDocs(t *testing.T) {
	x, m := corpus(t, "a.go: one", "b.go: two", "c.go: three")
	if x.Docs() != 3 || x.Live != 3 || x.Stale() {
		t.Errorf("%d documents, %d there, stale %v", x.Docs(), x.Live, x.Stale())
	}
	in := NewIndexer()
	m.fresh[2], m.fresh[3] = nil, in.Doc("c.go", nil, []byte("four")).Pack()
	m.fresh[9] = in.Doc("new.go", nil, []byte("five")).Pack()
	x = open(t, m)
	for file, want := range map[int64]bool{1: true, 2: false, 3: true, 4: false, 9: true} {
		d, ok := x.Doc(file)
		if ok != want || ok && x.File(d) != file {
			t.Errorf("file %d: document %d, %v", file, d, ok)
		}
	}
	if x.Docs() != 5 || x.Live != 3 {
		t.Errorf("%d documents, %d there", x.Docs(), x.Live)
	}
	for i := range MinStale {
		m.fresh[int64(100+i)] = in.Doc(fmt.Sprintf("f%d.go", i), nil, []byte("text")).Pack()
	}
	if x = open(t, m); !x.Stale() {
		t.Error("a base is not stale although most is fresh")
	}
}

// TestIndexerGrows: a text of many distinct words loses none, one of far too many
// keeps the first.
func TestIndexerGrows(t *testing.T) {
	var b strings.Builder
	word := func(i int) string {
		return fmt.Sprintf("%c%c%cq", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
	}
	for i := range 17000 {
		b.WriteString(word(i) + " ")
	}
	in := NewIndexer()
	d := in.Doc("x", nil, []byte(b.String()))
	if len(d.Terms) != maxTerms {
		t.Errorf("%d terms, want %d", len(d.Terms), maxTerms)
	}
	if d := in.Doc("x", nil, []byte(b.String()[:5*5000])); len(d.Terms) != 5000 {
		t.Errorf("%d terms, want 5,000", len(d.Terms))
	}
}
