package brief

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

func TestGather(t *testing.T) {
	for _, c := range []struct {
		count map[string]int
		want  []DirCount
	}{
		{map[string]int{}, nil},
		{map[string]int{"": 2}, []DirCount{{".", 2}}},
		{map[string]int{"a/b": 3, "a/c": 1, "": 1}, []DirCount{{"a/b", 3}, {".", 1}, {"a/c", 1}}},
		{map[string]int{"a/b": 3, "a/c": 3, "a/d": 3, "a/e": 1, "a/f": 1, "g": 1}, []DirCount{{"a/b", 3}, {"a/c", 3}, {"a/d", 3}, {"", 3}}},
		// Spread over so many that only their common beginning tells anything.
		{map[string]int{"s/a": 1, "s/b": 1, "s/c": 1, "s/d": 1, "s/e": 1, "s/f": 1, "s/g": 1, "s/h": 1, "s/i": 1, "s/j": 1}, []DirCount{{"s", 10}}},
	} {
		if diff := cmp.Diff(c.want, gather(c.count)); diff != "" {
			t.Errorf("%v: -want +got\n%s", c.count, diff)
		}
	}
}

// TestOrder gives files with what they depend on and expects an order.
func TestOrder(t *testing.T) {
	type file struct {
		path  string
		needs []int64 // ids are places from 1
	}
	for _, c := range []struct {
		files []file
		want  []string
	}{
		{[]file{{"app.ts", []int64{2}}, {"db.ts", []int64{3}}, {"config/env.ts", nil}}, []string{"config/env.ts", "db.ts", "app.ts"}},
		{[]file{{"a.ts", []int64{2}}, {"b.ts", []int64{1}}, {"c.ts", []int64{1}}}, []string{"a.ts", "b.ts", "c.ts"}},
		{[]file{{"a.ts", nil}, {"types/b.ts", nil}, {"settings.ts", nil}}, []string{"settings.ts", "types/b.ts", "a.ts"}},
		{[]file{{"1.ts", nil}, {"2.ts", nil}, {"3.ts", nil}, {"4.ts", nil}, {"5.ts", nil}, {"6.ts", []int64{7}}, {"7.ts", nil}}, []string{"1.ts", "2.ts", "3.ts", "4.ts", "5.ts", "6.ts"}},
	} {
		b := &briefer{out: &Brief{}, place: map[int64]int{}}
		for i, f := range c.files {
			card := find.Card{File: code.File{ID: int64(i + 1), Path: f.path}}
			for _, n := range f.needs {
				card.Edges = append(card.Edges, store.EdgeRow{Source: card.ID, Target: n})
			}
			b.place[card.ID] = i
			b.out.Modify = append(b.out.Modify, card)
		}
		if err := b.order(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range b.out.Steps {
			got = append(got, s.Path)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: -want +got\n%s", c.files, diff)
		}
	}
}

func TestPackageName(t *testing.T) {
	for text, want := range map[string]string{
		"[package]\nname = \"ide\"\n":                           "ide",
		"[workspace]\nname = \"no\"\n[package]\n name='yes' \n": "yes",
		"[dependencies]\nname = \"no\"\n":                       "",
		"[package]\nversion = \"1\"\n[lib]\nname = \"lib\"\n":   "",
	} {
		if got := packageName(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPlainPath(t *testing.T) {
	for p, want := range map[string]bool{"": true, "a/b_c-d.e": true, "-rf": false, "a b": false, "a;b": false, "$(x)": false, "a`b": false, "ü": false, "@s/x+y": true} {
		if plainPath(p) != want {
			t.Errorf("%q: %v, want %v", p, !want, want)
		}
	}
}

// TestPlanningIsNotChanged: files of the planning folder are candidates only if the goal names them.
func TestPlanningIsNotChanged(t *testing.T) {
	b := &briefer{found: &find.Found{Query: &search.Query{WantDoc: true}}}
	for _, c := range []struct {
		path string
		why  string
		want bool
	}{
		{".planning/config.json", "path: auth", false},
		{".planning/phases/01-auth/01-01-PLAN.md", "content: auth", false},
		{".planning/ROADMAP.md", "named: ROADMAP.md", true},
		{"src/.planning/auth.go", "path: auth", true},
		{"planning/auth.go", "path: auth", true},
	} {
		f := &find.FoundFile{File: code.File{Path: c.path}, Why: []string{c.why}}
		if got := b.changeable(f, 0); got != c.want {
			t.Errorf("%s, %s: %v", c.path, c.why, got)
		}
	}
}

// TestUpkeep: lists of ignored files and licences are no candidates unless the goal names them; code of such a name is.
func TestUpkeep(t *testing.T) {
	for _, c := range []struct {
		path  string
		class code.FileClass
		why   []string
		want  bool
	}{
		{".gitignore", 0, nil, true},
		{"web/.dockerignore", 0, []string{"content: build"}, true},
		{".gitignore", 0, []string{"named: .gitignore"}, false},
		{"LICENSE", code.ClassDocument, nil, true},
		{"docs/license.md", code.ClassDocument, nil, true},
		{"web/package-lock.json", code.ClassGenerated | code.ClassData, nil, true},
		{"web/package.json", code.ClassData, nil, false},
		{"src/license.go", 0, nil, false},
		{"phases/01-auth/.gitkeep", 0, []string{"path: auth"}, true},
		{"assets/.keep", 0, nil, true},
		{"phases/.gitkeep", 0, []string{"named: .gitkeep"}, false},
		{"src/gitkeep.go", 0, nil, false},
		{"src/gitignore.go", 0, nil, false},
	} {
		f := code.File{Path: c.path, Class: c.class}
		if got := isUpkeep(&f, c.why); got != c.want {
			t.Errorf("%s, %v: %v", c.path, c.why, got)
		}
	}
}
