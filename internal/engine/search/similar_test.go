package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// similarTo ranks documents by Similar of one of them.
func similarTo(t *testing.T, x *Index, d *Doc) (files []int64, scores map[int64]float32) {
	t.Helper()
	list, err := x.Similar(d)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b Similar) int {
		if a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc {
			return -1
		}
		return 1
	})
	scores = map[int64]float32{}
	for _, m := range list {
		files = append(files, x.File(int(m.Doc)))
		scores[x.File(int(m.Doc))] = m.Score
	}
	return files, scores
}

func TestSimilar(t *testing.T) {
	names := func(list ...string) func(func(string) bool) { return slices.Values(list) }
	in := NewIndexer()
	docs := []*Doc{
		in.Doc("a/lease.go", names("Renew"), []byte("func Renew renews the lease until its horizon passes the threshold")),
		in.Doc("b/other.go", nil, []byte("the lease ends at the horizon")),
		in.Doc("c/renew.go", names("Lease"), []byte("the lease ends at the horizon")),
		in.Doc("d/none.go", nil, []byte("nothing of that is here")),
		in.Doc("e/long.go", nil, []byte("the lease ends at the horizon "+strings.Repeat("zebra ", 4000))),
	}
	for i := range 3 * similarDocs { // words all hold do not count
		docs = append(docs, in.Doc(fmt.Sprintf("f/x%d.go", i), nil, []byte("the threshold passes until its func")))
	}
	m := &memory{}
	b := NewBuilder()
	for i, d := range docs {
		b.Add(int64(i+1), d)
	}
	m.put(b)
	x, err := NewIndex(m)
	if err != nil {
		t.Fatal(err)
	}
	files, scores := similarTo(t, x, docs[0])
	if !slices.Equal(files, []int64{1, 3, 2, 5}) {
		t.Errorf("files %v", files)
	}
	if scores[1] < 0.999 || scores[1] > 1.001 || scores[3] >= 1 {
		t.Errorf("scores %v", scores)
	}
	// Documents that are fresh count as they are now, those that are gone no more.
	m.fresh[2], m.fresh[3] = docs[0].Pack(), nil
	if x, err = NewIndex(m); err != nil {
		t.Fatal(err)
	}
	files, scores = similarTo(t, x, docs[0])
	if !slices.Equal(files, []int64{1, 2, 5}) || scores[2] != scores[1] {
		t.Errorf("files %v, scores %v", files, scores)
	}
	if files, _ := similarTo(t, x, &Doc{}); files != nil {
		t.Errorf("a document without words is like %v", files)
	}
}
