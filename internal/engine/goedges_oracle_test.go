package engine_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine"
	"ken/internal/engine/view"
)

// goTree is a module as go/parser sees it: what each file declares and uses.
type goTree struct {
	module string
	files  map[string]*ast.File       // by path relative to the root
	dirs   map[string][]string        // Go files of a directory, tests apart
	names  map[string]map[string]bool // package-level names a file declares
}

// TestGoEdges compares the files each Go import of the repository KEN_CORPUS
// leads to with go/ast: an import is an edge to the files of the package that
// declare a name the importer uses, one of no name to a single file of it.
func TestGoEdges(t *testing.T) {
	root := os.Getenv("KEN_CORPUS")
	if root == "" {
		t.Skip("KEN_CORPUS names no Go module")
	}
	tree := readGoTree(t, root)
	p := newProject(t, root)
	var byName, blank, wrong int
	err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for file, f := range tree.files {
			got, err := s.Imports(ctx, file)
			if err != nil {
				return nil, err
			}
			for i, imp := range f.Imports {
				dir, ok := tree.inside(imp)
				if !ok || imp.Name != nil && imp.Name.Name == "." {
					continue
				}
				want := tree.targets(f, imp, dir)
				targets := slices.DeleteFunc(slices.Clone(got[i].Targets), func(p string) bool { return path.Dir(p) != dir })
				switch {
				case len(want) == 0 && len(targets) == 1:
					blank++
				case slices.Equal(want, targets):
					byName += len(want)
				default:
					if wrong++; wrong < 20 {
						t.Errorf("%s imports %s: %s", file, imp.Path.Value, cmp.Diff(want, targets))
					}
				}
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d edges by name, %d of imports without one, %d imports wrong", byName, blank, wrong)
	if wrong > 0 || byName == 0 {
		t.Fail()
	}
}

// maxRead is the size above which ken lists a file and reads its imports only.
const maxRead = 500_000

// readGoTree parses every Go file that parses and is not over-size.
func readGoTree(t *testing.T, root string) *goTree {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	tree := &goTree{files: map[string]*ast.File{}, dirs: map[string][]string{}, names: map[string]map[string]bool{}}
	for line := range strings.Lines(string(mod)) {
		if m, ok := strings.CutPrefix(line, "module "); ok {
			tree.module = strings.TrimSpace(m)
		}
	}
	set := token.NewFileSet()
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > maxRead {
			return err
		}
		// Object resolution leaves in Unresolved what an import may bind.
		if f, err := parser.ParseFile(set, p, nil, 0); err == nil {
			rel, _ := filepath.Rel(root, p)
			tree.add(filepath.ToSlash(rel), f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func (g *goTree) add(rel string, f *ast.File) {
	g.files[rel] = f
	if strings.HasSuffix(rel, "_test.go") {
		return
	}
	g.dirs[path.Dir(rel)] = append(g.dirs[path.Dir(rel)], rel)
	names := map[string]bool{}
	g.names[rel] = names
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
}

// inside returns the directory an import names, if it holds Go files of this module.
func (g *goTree) inside(imp *ast.ImportSpec) (string, bool) {
	spec, _ := strconv.Unquote(imp.Path.Value)
	rel, ok := strings.CutPrefix(spec, g.module+"/")
	return rel, ok && len(g.dirs[rel]) > 0
}

// targets returns the files of dir that declare a name f uses through imp, sorted.
func (g *goTree) targets(f *ast.File, imp *ast.ImportSpec, dir string) []string {
	local := g.files[g.dirs[dir][0]].Name.Name
	if imp.Name != nil {
		local = imp.Name.Name
	}
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = id.Name == local
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && free[id] {
			for _, file := range g.dirs[dir] {
				if g.names[file][sel.Sel.Name] {
					out = append(out, file)
				}
			}
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}
