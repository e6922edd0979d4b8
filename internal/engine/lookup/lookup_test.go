package lookup_test

import (
	"context"
	"slices"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// tree has a package of Go, one of Java and a table.
var tree = map[string]string{
	"go.mod": "module m\n", "p/a.go": "package p\n\nfunc A() {}\n", "p/b.go": "package p\n\ntype T struct{}\n\nfunc (T) M() {}\n",
	"j/A.java": "package j;\npublic class A { void m() {} }\n", "s.sql": "CREATE TABLE users (id int);\n", "x/y.ts": "export const y = 1\n",
}

// both returns the same lookups from the index and from memory, as a build has them.
func both(t *testing.T) (*lookup.Stored, *lookup.Bulk) {
	t.Helper()
	p := enginetest.New(t, tree)
	r, err := sqlite.New(p.DB).Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	bulk := lookup.NewBulk()
	for f, err := range r.Files() {
		if err != nil {
			t.Fatal(err)
		}
		rows, err := r.Symbols(f.ID)
		if err != nil {
			t.Fatal(err)
		}
		bulk.Add(lookup.NewNode(&f), lookup.IsIndexed(&f), symbols(rows))
		if text, ok, err := r.ConfigContent(f.Path); err != nil {
			t.Fatal(err)
		} else if ok {
			bulk.AddConfig(f.Path, text)
		}
	}
	return lookup.NewStored(r), bulk
}

func symbols(rows []store.SymbolRow) []code.Symbol {
	out := make([]code.Symbol, len(rows))
	for i := range rows {
		out[i] = rows[i].Symbol
	}
	return out
}

// TestBothSay: what linking asks is answered alike from the index and from memory.
func TestBothSay(t *testing.T) {
	stored, bulk := both(t)
	var _ = []graph.Lookup{stored, bulk}
	a, ok := stored.Node("p/a.go")
	if b, also := bulk.Node("p/a.go"); !ok || !also || a != b {
		t.Fatalf("a node is %+v and %+v", a, b)
	}
	for _, l := range []graph.Lookup{stored, bulk} {
		if !l.Has("x/y.ts") || l.Has("x/z.ts") || !l.HasDir("x") || l.HasDir("z") {
			t.Errorf("%T: what there is differs", l)
		}
		if text, ok := l.Config("go.mod"); !ok || string(text) != "module m\n" {
			t.Errorf("%T: go.mod is %q", l, text)
		}
		if got := l.Configs("go.mod"); !slices.Equal(got, []string{"go.mod"}) {
			t.Errorf("%T: configurations %v", l, got)
		}
		if got := l.PackageDirs("java", "j"); !slices.Equal(got, []string{"j"}) {
			t.Errorf("%T: directories of a package %v", l, got)
		}
		b, _ := l.Node("p/b.go")
		if got := l.ScopeDeclarers(a, "", "T"); !slices.Equal(got, []int64{b.ID}) {
			t.Errorf("%T: T is declared in %v", l, got)
		}
		if got := l.ScopeDeclarers(a, "T", "M"); !slices.Equal(got, []int64{b.ID}) {
			t.Errorf("%T: T.M is declared in %v", l, got)
		}
		if got := l.DirDeclarers("go", "p", "A"); !slices.Equal(got, []int64{a.ID}) {
			t.Errorf("%T: A of the directory is declared in %v", l, got)
		}
		if first, ok := l.DirFirst("go", "p"); !ok || first != a.ID {
			t.Errorf("%T: the first file is %d", l, first)
		}
		if !l.Declares(a.ID, "", "A") || l.Declares(a.ID, "", "T") {
			t.Errorf("%T: what a file declares differs", l)
		}
		sql, _ := l.Node("s.sql")
		if got := l.Tables("users"); !slices.Equal(got, []int64{sql.ID}) {
			t.Errorf("%T: the table is in %v", l, got)
		}
	}
	if stored.Err != nil {
		t.Error(stored.Err)
	}
}
