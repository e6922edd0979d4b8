package bind_test

import (
	"fmt"
	"strings"
	"testing"

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
					q := defs[d].Qualified()
					fmt.Fprintf(&b, " → %s:%s#%d", defs[d].File.Path, q, defs[d].Ord)
				}
				if len(got.Defs) > 0 {
					fmt.Fprintf(&b, " %s", got.Confidence)
				}
				if !got.Decided {
					b.WriteString(" undecided")
				}
				b.WriteString("\n")
			}
		}
		return b.String()
	}, "../../testdata/graph/*.txtar", "../testdata/*.txtar")
}
