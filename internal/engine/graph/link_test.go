package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graphtest"
)

// TestLink: where every import of the trees leads, the edges of every file, and
// the names it passes on.
func TestLink(t *testing.T) {
	graphtest.Each(t, "testdata/links", func(r *graphtest.Repo) string {
		var b strings.Builder
		for i, l := range r.Link() {
			f := r.Files[i]
			fmt.Fprintf(&b, "%s%s\n", f.Node.Path, note(l.Unresolved > 0, fmt.Sprintf(" unresolved %d", l.Unresolved)))
			for k := range l.Links.Imports {
				fmt.Fprintf(&b, "\timport %s → %s\n", f.Imports[k].Spec, showLink(r, &l.Links.Imports[k]))
				if names := graph.RelayedNames(f.Node, f.Facts, k); len(names) > 0 {
					fmt.Fprintf(&b, "\t\tpasses on %s\n", strings.Join(names, " "))
				}
			}
			for _, e := range l.Edges {
				fmt.Fprintf(&b, "\t%s %s %s\n", e.Relation, r.Path(e.Target), e.Confidence)
			}
			if n := len(l.Links.Probes); n > 0 {
				sum := uint64(0) // the keys are hashes; their sum shows that one has changed
				for _, p := range l.Links.Probes {
					sum += p
				}
				fmt.Fprintf(&b, "\tprobes %d, sum %04x\n", n, sum&0xffff)
			}
		}
		return b.String()
	}, "testdata/*.txtar")
}

func note(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

func showLink(r *graphtest.Repo, l *graph.Link) string {
	var parts []string
	add := func(ok bool, s string) {
		if ok {
			parts = append(parts, s)
		}
	}
	add(l.File != 0, r.Path(l.File))
	add(len(l.Dirs) > 0, "dirs "+strings.Join(l.Dirs, " "))
	for _, s := range l.Subs {
		add(true, s.Name+"="+r.Path(s.File))
	}
	add(l.IsPackage, "package "+l.Package)
	add(l.External != "", "external "+l.External)
	add(l.Std, "std")
	if len(parts) == 0 {
		return "nowhere"
	}
	return strings.Join(parts, ", ")
}

// TestOffers: the names every file passes on, and that probes are sorted, which
// their packed form needs.
func TestOffers(t *testing.T) {
	graphtest.Each(t, "testdata/offers", func(r *graphtest.Repo) string {
		var b strings.Builder
		for i, l := range r.Link() {
			f := r.Files[i]
			if !slices.IsSorted(l.Links.Probes) {
				t.Errorf("%s: probes are not sorted", f.Node.Path)
			}
			offers := graph.Offers(f.Node, f.Facts)
			var lines []string
			for k, v := range offers {
				lines = append(lines, fmt.Sprintf("\t%s as %s\n", strings.ReplaceAll(k, "\x00", " "), v))
			}
			slices.Sort(lines)
			if len(lines) > 0 {
				fmt.Fprintf(&b, "%s\n%s", f.Node.Path, strings.Join(lines, ""))
			}
		}
		return b.String()
	}, "testdata/*.txtar")
}

// TestFollow: where every name that the imports and exports of a tree mention
// leads from every file, and which files those offer as a whole.
func TestFollow(t *testing.T) {
	graphtest.Each(t, "testdata/follow", func(r *graphtest.Repo) string {
		names := map[string]bool{"default": true, "nowhere": true}
		for _, f := range r.Files {
			for i := range f.Imports {
				for _, n := range f.Imports[i].Names {
					names[n.Name], names[n.Alias] = true, true
				}
			}
			for _, e := range f.Facts.Exports {
				names[e.Name], names[e.Local] = true, true
			}
		}
		var b strings.Builder
		for _, f := range r.Files {
			fmt.Fprintln(&b, f.Node.Path)
			for _, n := range slices.Sorted(maps.Keys(names)) {
				if id, declared, ok := r.Linker.FollowName(f.Node.ID, n); ok {
					again, _ := r.Linker.Follow(f.Node.ID, n)
					fmt.Fprintf(&b, "\t%s → %s:%s%s\n", n, r.Path(id), declared, note(again != id, " differs"))
				} else if id != 0 || declared != "" {
					fmt.Fprintf(&b, "\t%s leads nowhere but has %d %s\n", n, id, declared)
				}
				if id, ok := r.Linker.Module(f.Node.ID, n); ok {
					fmt.Fprintf(&b, "\t%s is %s\n", n, r.Path(id))
				}
			}
			imports, links := r.Linker.Imports(f.Node.ID)
			if len(imports) != len(links) {
				t.Errorf("%s: %d imports have %d links", f.Node.Path, len(imports), len(links))
			}
			for _, o := range r.Files {
				if o != f && o.Node.Traits().Prototypes && r.Linker.Includes(f.Node.ID, o.Node.ID) {
					fmt.Fprintf(&b, "\tincludes %s\n", o.Node.Path)
				}
			}
		}
		return b.String()
	}, "testdata/*.txtar")
}

// TestTables: a name that many files declare a table of means none of them.
func TestTables(t *testing.T) {
	for n, want := range map[int]int{1: 1, 8: 8, 9: 0} {
		files := []txtar.File{{Name: "model.py", Data: []byte("class User(Base):\n    __tablename__ = 'users'\n")}}
		for i := range n {
			files = append(files, txtar.File{Name: fmt.Sprintf("s%d.sql", i), Data: []byte("CREATE TABLE users (id INT);\n")})
		}
		uses := 0
		for _, e := range graphtest.Read(t, files).Link()[0].Edges {
			if e.Relation == code.RelUses {
				uses++
			}
		}
		if uses != want {
			t.Errorf("%d files declare the table: %d edges, want %d", n, uses, want)
		}
	}
}

// TestFollowFar: re-exports are followed through many files, but not without end.
func TestFollowFar(t *testing.T) {
	for n, want := range map[int]bool{300: true, 450: false} {
		files := []txtar.File{{Name: "f000.ts", Data: []byte("export const x = 1\n")}}
		for i := 1; i < n; i++ {
			files = append(files, txtar.File{Name: fmt.Sprintf("f%03d.ts", i), Data: fmt.Appendf(nil, "export * from './f%03d'\n", i-1)})
		}
		r := graphtest.Read(t, files)
		if _, ok := r.Linker.Follow(int64(n), "x"); ok != want {
			t.Errorf("through %d files: %t, want %t", n, ok, want)
		}
	}
}
