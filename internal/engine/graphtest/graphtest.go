// Package graphtest makes small repositories in memory for the tests of graph
// and its parts: sources are extracted as for an index, questions about other
// files are answered by engine/lookup from memory, those of inference from the
// facts themselves. Only tests import it.
package graphtest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/source/scan"
	"ken/internal/lang"
)

// File is one file of a repository.
type File struct {
	graph.Site // Links are set by Link
	Facts      *code.Facts
}

// Repo is a repository in memory. It answers graph.Lookup and infer.Lookup.
type Repo struct {
	*lookup.Bulk
	Files  []*File // by path; the id of a file is its index plus one
	Linker *graph.Linker
}

var _ infer.Lookup = (*Repo)(nil)

// Read extracts the files of an archive; one called "answers" is left out.
func Read(t testing.TB, archive []txtar.File) *Repo {
	t.Helper()
	r := &Repo{Bulk: lookup.NewBulk()}
	r.ReadOutward = func(id int64) graph.Outward {
		f := r.Files[id-1]
		return graph.Outward{Imports: f.Imports, Exports: f.Facts.Exports}
	}
	x := extract.New()
	defer x.Close()
	files := slices.Clone(archive)
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		if f.Name == "answers" {
			continue
		}
		l := lang.Detect(f.Name, f.Data)
		got := x.Extract(f.Name, l, f.Data)
		n := graph.Node{ID: int64(len(r.Files) + 1), Path: f.Name, Lang: l, Package: got.Package}
		n.Test = got.IsTest || scan.PathFlags(f.Name, l)&code.FlagTest != 0
		rebinds := slices.ContainsFunc(got.Refs, func(ref code.Ref) bool { return slices.Contains(n.Traits().Rebinding, ref.Name) })
		r.Files = append(r.Files, &File{Site: graph.Site{Node: n, Imports: got.Imports, Rebinds: rebinds}, Facts: got})
		r.Add(n, true, got.Symbols)
		if resolve.ConfigAt(f.Name) != nil || resolve.IsSourceConfig(f.Name, got) {
			r.AddConfig(f.Name, f.Data)
		}
	}
	r.Linker = graph.NewLinker(r, resolve.New(r))
	return r
}

// Link links all files and keeps the targets of their imports.
func (r *Repo) Link() []graph.Linked {
	out := make([]graph.Linked, len(r.Files))
	for i, f := range r.Files {
		out[i] = r.Linker.Link(f.Node, f.Facts)
		f.Links = out[i].Links.Imports
	}
	return out
}

// Path returns the path of a file, "-" for none.
func (r *Repo) Path(id int64) string {
	if id == 0 {
		return "-"
	}
	return r.Files[id-1].Node.Path
}

// Defs returns all definitions of a name in the form that package bind takes.
func (r *Repo) Defs(name string) (defs []graph.Def) {
	for _, f := range r.Files {
		for i := range f.Facts.Symbols {
			s := &f.Facts.Symbols[i]
			if s.Name != name || s.Kind.IsText() {
				continue
			}
			defs = append(defs, graph.Def{
				File: f.Node, Name: name, Container: s.Container(), Kind: s.Kind, Ord: int32(i), Local: !s.Exported, Signature: s.Signature,
				Forward:    f.Node.Traits().Prototypes && strings.HasSuffix(s.Signature, ";"),
				NoReceiver: graph.NoReceiver(f.Node.Lang, s),
				Extension:  f.Node.Traits().ExtensionCalls && s.Kind == code.KindMethod && strings.Contains(s.Signature, "(this "),
			})
		}
	}
	return defs
}

// Site implements infer.Lookup.
func (r *Repo) Site(id int64) *graph.Site { return &r.Files[id-1].Site }

// Declarations implements infer.Lookup.
func (r *Repo) Declarations(id int64, container, name string) (out []infer.Decl) {
	for _, d := range r.Defs(name) {
		if d.File.ID == id && d.Container == container {
			out = append(out, infer.Decl{Def: d})
		}
	}
	return out
}

// Inherits implements infer.Lookup.
func (r *Repo) Inherits(id int64, ord int32) (out []code.Ref) {
	for _, ref := range r.Files[id-1].Facts.Refs {
		if ref.Scope == ord && (ref.Kind == code.RefInherit || ref.Kind == code.RefImplement) {
			out = append(out, ref)
		}
	}
	return out
}

// Hint implements infer.Lookup.
func (r *Repo) Hint(id int64, ord int32, name string) string {
	for _, h := range r.Files[id-1].Facts.Types {
		if h.Symbol == ord && h.Name == name {
			return h.Type
		}
	}
	return ""
}

// QualifiedName implements infer.Lookup.
func (r *Repo) QualifiedName(id int64, ord int32) string {
	if ord < 0 {
		return ""
	}
	return r.Files[id-1].Facts.Symbols[ord].Qualified
}

// Tagged implements infer.Lookup.
func (r *Repo) Tagged(l code.Lang, name string) (out []infer.Decl) {
	for _, d := range r.Defs(name) {
		if graph.IsTag(&d, l) {
			out = append(out, infer.Decl{Def: d})
		}
	}
	return out
}

// Importers implements infer.Lookup.
func (r *Repo) Importers(id int64) (out []int64) {
	for _, f := range r.Files {
		if slices.ContainsFunc(f.Links, func(l graph.Link) bool { return l.File == id }) {
			out = append(out, f.Node.ID)
		}
	}
	return out
}

// Namespaces implements infer.Lookup.
func (r *Repo) Namespaces(id int64, ord int32) string {
	if ord < 0 {
		return ""
	}
	s := &r.Files[id-1].Facts.Symbols[ord]
	return graph.WithNamespace(r.Namespaces(id, s.Parent), s.Kind, s.Name, s.Signature)
}

var update = flag.Bool("update", false, "rewrite the expected answers")

// trees matches the archives, relative to the root of the module, with which questions about references are tested, too,
// so that a tree is written once.
const trees = "internal/ask/refs/testdata/graph/*.txtar"

// root returns the path from the directory of a test to the root of the module.
func root(t *testing.T) string {
	t.Helper()
	dir := "."
	for range 10 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Join(dir, "..")
	}
	t.Fatal("no go.mod above the test")
	return ""
}

// Each runs f over the trees that every test uses and the archives that match the patterns, and compares its result with
// the file of the archive's name in the directory golden. With -update that file is rewritten instead.
func Each(t *testing.T, golden string, f func(*Repo) string, patterns ...string) {
	t.Helper()
	var files []string
	for _, p := range append([]string{filepath.Join(root(t), trees)}, patterns...) {
		list, err := filepath.Glob(p)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: no cases: %v", p, err)
		}
		files = append(files, list...)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := f(Read(t, ar.Files))
			path := filepath.Join(golden, name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
