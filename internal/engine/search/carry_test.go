package search

import (
	"fmt"
	"slices"
	"testing"

	"ken/internal/engine/words"
)

// TestCarry takes documents of a base, and of those beside it, over into an index
// whose files have other ids, between documents that are new there.
func TestCarry(t *testing.T) {
	x := NewIndexer()
	doc := func(name string) *Doc {
		return x.Doc("dir/"+name+".go", slices.Values([]string{name}), []byte("commonword "+name))
	}
	m, b := &memory{}, NewBuilder()
	for id := int64(1); id <= 6; id++ {
		b.Add(id, doc(fmt.Sprintf("old%c", 'a'+id)))
	}
	m.put(b)
	m.fresh[2] = nil                // gone
	m.fresh[3] = doc("edit").Pack() // changed
	m.fresh[9] = doc("late").Pack() // new since the base

	to := NewBuilder()
	c := NewCarrier(open(t, m), to)
	c.Add(9, 10)
	to.Add(11, doc("extra"))
	c.Add(3, 12)
	c.Add(1, 13)
	c.Add(2, 14) // it has none
	c.Add(6, 15)
	to.Add(16, doc("last"))
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	m.put(to)
	got := open(t, m)
	for word, want := range map[string][]int64{
		"late": {10}, "extra": {11}, "edit": {12}, "oldb": {13}, "oldg": {15}, "last": {16}, "oldc": nil, "oldd": nil, "olde": nil,
		"commonword": {10, 11, 12, 13, 15, 16},
	} {
		list, err := got.Postings(nil, words.Of(word))
		if err != nil {
			t.Fatal(err)
		}
		var files []int64
		for _, p := range list {
			files = append(files, got.File(int(p.Doc)))
		}
		if !slices.Equal(files, want) {
			t.Errorf("%s is in %v, want %v", word, files, want)
		}
	}
	if got.Live != 6 {
		t.Errorf("%d documents, want 6", got.Live)
	}
}
