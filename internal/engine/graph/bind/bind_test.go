package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/code"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/graphtest"
)

// TestBind: what every reference of the trees is bound to.
func TestBind(t *testing.T) {
	graphtest.Each(t, "testdata/bindings", func(r *graphtest.Repo) string {
		r.Link()
		types := infer.New(r.Linker, r)
		binders := map[string]*bind.Binder{}
		var b strings.Builder
		for _, f := range r.Files {
			fmt.Fprintln(&b, f.Node.Path)
			for i := range f.Facts.Refs {
				ref := &f.Facts.Refs[i]
				defs := r.Defs(ref.Name)
				if len(defs) == 0 {
					continue
				}
				if binders[ref.Name] == nil {
					binders[ref.Name] = bind.New(types, defs)
				}
				got := binders[ref.Name].Bind(&f.Site, ref)
				recv := ""
				if ref.Recv != "" {
					recv = ref.Recv + "."
				}
				fmt.Fprintf(&b, "\t%d %s %s%s", ref.Line, ref.Kind, recv, ref.Name)
				for _, d := range got.Defs {
					q := defs[d].QualifiedName()
					fmt.Fprintf(&b, " → %s:%s#%d", defs[d].File.Path, q, defs[d].Ord)
				}
				if len(got.Defs) > 0 {
					fmt.Fprintf(&b, " %s", got.Confidence)
				}
				if len(got.Defs) == 0 && got.Reason != bind.NoReason {
					fmt.Fprintf(&b, " – %s", got.Reason)
				}
				if !got.Decided {
					b.WriteString(" undecided")
				}
				b.WriteString("\n")
			}
		}
		return b.String()
	}, "../testdata/*.txtar", "testdata/*.txtar")
}

// TestDefinition: a symbol is found among the definitions of its name by file
// and place.
func TestDefinition(t *testing.T) {
	r := graphtest.Read(t, []txtar.File{
		{Name: "a.py", Data: []byte("def other(): pass\nclass A:\n    def f(self): pass\ndef f(): pass\n")},
		{Name: "b.py", Data: []byte("def f(): pass\n")},
	})
	defs := r.Defs("f")
	b := bind.New(infer.New(r.Linker, r), defs)
	for i, d := range defs {
		if got, ok := b.Definition(code.SymbolID{File: d.File.ID, Ord: d.Ord}); !ok || got != i {
			t.Errorf("%s:%s is %d, %t, want %d", d.File.Path, d.QualifiedName(), got, ok, i)
		}
	}
	for _, id := range []code.SymbolID{{File: 1, Ord: 0}, {File: 2, Ord: 1}, {File: 3}} {
		if got, ok := b.Definition(id); ok {
			t.Errorf("%v is definition %d", id, got)
		}
	}
}
