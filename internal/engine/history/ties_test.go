package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ties tells which ties a kinship has, strongest of each sort first.
func ties(k Ties) string {
	var b strings.Builder
	for _, sort := range []struct {
		name string
		tie  func(*Tie) float64
	}{
		{"together", func(k *Tie) float64 { return k.Together }}, {"needs", func(k *Tie) float64 { return k.Dependent }}, {"second", func(k *Tie) float64 { return k.SecondHop }},
		{"beside", func(k *Tie) float64 { return k.Directory }}, {"said", func(k *Tie) float64 { return k.SimilarMessages }},
	} {
		list := slices.DeleteFunc(slices.Clone(k.List), func(x Tie) bool { return sort.tie(&x) == 0 })
		slices.SortStableFunc(list, func(x, y Tie) int {
			if sort.tie(&x) > sort.tie(&y) {
				return -1
			}
			return 1
		})
		fmt.Fprint(&b, sort.name)
		for _, x := range list {
			fmt.Fprint(&b, " ", x.Path)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTies(t *testing.T) {
	v := view(t, line(100,
		commit(1, nil, "start", "in/a.go", "in/b.go", "top.md"),
		commit(2, nil, "Colour the widgets of tables", "in/a.go", "out/test.go"),
		commit(3, nil, "more", "out/test.go", "far/far.go"),
		commit(4, nil, "again", "in/a.go", "out/test.go"),
		commit(5, nil, "only b", "in/b.go", "far/beside.go"),
		commit(6, nil, "Widgets of tables in other colours", "far/said.go", "in/gone.go"),
		commit(7, nil, "much else", "out/other.go", "out/test.go"),
		commit(8, nil, "much else", "out/other.go", "out/test.go"),
	))
	keep := func(p string) (bool, error) { return p != "in/gone.go", nil }
	k, err := v.Ties("in/a.go", []string{"in/a.go", "in/b.go"}, keep)
	if err != nil {
		t.Fatal(err)
	}
	want := `together out/test.go in/b.go top.md
needs top.md out/test.go in/b.go
second out/other.go far/far.go in/b.go far/beside.go top.md
beside out/test.go in/b.go far/beside.go top.md
said far/said.go
`
	if d := cmp.Diff(want, ties(k)); d != "" {
		t.Error(d)
	}
	if k.Folders["out"] <= k.Folders["in"] || k.Folders["in"] != k.Folders[""] || len(k.Folders) != 3 {
		t.Errorf("folders %v", k.Folders)
	}
	for _, x := range k.List {
		for _, tie := range []float64{x.Together, x.Dependent, x.SecondHop, x.Directory, x.SimilarMessages} {
			if tie < 0 || tie >= 1 {
				t.Errorf("%+v", x)
			}
		}
	}
	// A file without a past is known by its directory.
	k, err = v.Ties("in/new.go", []string{"in/b.go", "in/new.go"}, keep)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("together\nneeds\nsecond\nbeside in/b.go far/beside.go in/a.go top.md\nsaid\n", ties(k)); d != "" {
		t.Error(d)
	}
	if _, err := v.Ties("in/a.go", nil, func(string) (bool, error) { return false, fmt.Errorf("broken") }); err == nil {
		t.Error("an error of keep is lost")
	}
}
