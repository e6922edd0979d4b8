package extract

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestGoBindings checks references against the type checker, over packages of the
// standard library: a name that is said to be of an import, of a receiver or of a typed
// value must be, and no use of a package-level name may be missing.
func TestGoBindings(t *testing.T) {
	if testing.Short() {
		t.Skip("type checks the standard library")
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	var sum goBindings
	for _, pkg := range []string{"go/ast", "go/parser", "encoding/json", "text/template", "bufio", "container/list",
		"regexp/syntax", "go/types", "math/big", "slices"} {
		dir := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(pkg))
		if _, err := os.Stat(dir); err != nil {
			t.Skip("no standard library source")
		}
		sum.check(t, fset, imp, pkg, dir)
	}
	t.Logf("%+v", sum)
	if wrong := sum.WrongRecv + sum.WrongImport + sum.Missing + sum.Extra; wrong*1000 > sum.Refs {
		t.Errorf("%d of %d references are wrong", wrong, sum.Refs)
	}
}

// goBindings counts references: those whose receiver type or import is wrong,
// those the type checker has and extraction lacks, and the other way round.
type goBindings struct{ Refs, Import, Self, Typed, Expr, Member, WrongRecv, WrongImport, Missing, Extra int }

func (s *goBindings) check(t *testing.T, fset *token.FileSet, imp types.Importer, pkg, dir string) {
	var files []*ast.File
	sources := map[*ast.File][]byte{}
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		files, sources[f] = append(files, f), src
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: imp, Error: func(error) {}}
	p, _ := conf.Check(pkg, fset, files, info)
	e := testExtractor(t)
	for f, src := range sources {
		s.checkFile(t, fset, f, src, p, info, e.Extract("f.go", "go", src))
	}
}

func (s *goBindings) checkFile(t *testing.T, fset *token.FileSet, f *ast.File, src []byte, p *types.Package,
	info *types.Info, facts *code.Facts) {
	base := fset.File(f.FileStart).Base()
	refs := map[int]*code.Ref{}
	for i := range facts.Refs {
		refs[int(facts.Refs[i].Start)] = &facts.Refs[i]
	}
	s.Refs += len(refs)
	where := func(id *ast.Ident) string { return fset.Position(id.Pos()).String() + " " + id.Name }
	selected := map[*ast.Ident]*ast.SelectorExpr{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			selected[sel.Sel] = sel
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		r := refs[int(id.Pos())-base]
		obj := info.Uses[id]
		switch {
		case obj == nil:
		case r == nil:
			if isPackageLevel(obj) && selected[id] == nil {
				s.Missing++
				t.Logf("%s: missing", where(id))
			}
		case obj.Parent() != nil && obj.Parent() != p.Scope() && obj.Pkg() == p:
			s.Extra++
			t.Logf("%s: local", where(id))
		default:
			s.checkRef(t, where(id), r, obj, info.Selections[selected[id]], facts)
		}
		return true
	})
}

func isPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

func (s *goBindings) checkRef(t *testing.T, where string, r *code.Ref, obj types.Object, sel *types.Selection, facts *code.Facts) {
	switch r.Via {
	case code.ViaImport:
		s.Import++
		if got := facts.Imports[r.Import].Spec; obj.Pkg() == nil || got != obj.Pkg().Path() {
			s.WrongImport++
			t.Logf("%s: import %s", where, got)
		}
	case code.ViaSelf, code.ViaTyped:
		if strings.HasPrefix(r.Recv, code.RecvExpr) {
			s.Expr++ // checked where it is followed: TestOracleGoCalls of package engine
			return
		}
		if r.Via == code.ViaSelf {
			s.Self++
		} else {
			s.Typed++
		}
		if sel == nil {
			if v, ok := obj.(*types.Var); !ok || !v.IsField() {
				s.WrongRecv++
				t.Logf("%s: a field of %s", where, r.Recv)
			}
			return
		}
		recv := sel.Recv()
		if ptr, ok := recv.(*types.Pointer); ok {
			recv = ptr.Elem()
		}
		named, ok := recv.(interface{ Obj() *types.TypeName })
		if got := r.Recv[strings.LastIndexByte(r.Recv, '.')+1:]; !ok || named.Obj().Name() != got {
			s.WrongRecv++
			t.Logf("%s: receiver %s, want %s", where, r.Recv, recv)
		}
	case code.ViaMember:
		s.Member++
	}
}
