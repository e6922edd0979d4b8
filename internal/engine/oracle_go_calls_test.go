package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// TestOracleGoCalls compares the call edges of Go modules with the type
// checker's. KEN_GO_MODULES lists directories of modules that type-check
// offline, separated like PATH:
//
//	KEN_GO_MODULES=/src/chi:/src/cobra go test ./internal/engine -run TestOracleGoCalls -v
//
// An edge is a call, told by the place of the called name, and the declaration
// called. The oracle's edges are all calls (go, defer and generic ones too) in
// the files the build takes, tests among them, whose callee the checker binds to
// a function or method, of an interface too, that a file of the module declares;
// calls of function values have no such callee. Of ken's references those of
// kind call to functions and methods at those files' calls count, if their
// confidence is in the tier; declarations in files the build leaves out cannot
// be judged and do not count.
// precision = common edges / ken's, recall = common edges / the oracle's.
func TestOracleGoCalls(t *testing.T) {
	list := os.Getenv("KEN_GO_MODULES")
	if list == "" {
		t.Skip("KEN_GO_MODULES is not set")
	}
	for _, dir := range filepath.SplitList(list) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := checkedCalls(t, dir)
			p := newProject(t, dir)
			likely := scoreCalls(t, want, kenCalls(t, p.e, want, code.UniqueName), os.Getenv("KEN_SHOW") != "")
			sure := scoreCalls(t, want, kenCalls(t, p.e, want, code.ImportResolved), false)
			t.Logf("likely: %s", likely)
			t.Logf("without unique names: %s", sure)
			if likely.precision() < 0.90 || likely.recall() < 0.80 {
				t.Errorf("below 0.90 and 0.80: %s", likely)
			}
		})
	}
}

// goCall is a call at a place ("path:byte").
type goCall struct{ at, callee string }

// goCalls is what the checker says of a module.
type goCalls struct {
	edges map[goCall]string // to the callee's name, for the log
	sites map[string]bool   // places of all calls
	files map[string]bool   // files the build takes
}

func checkedCalls(t *testing.T, dir string) *goCalls {
	t.Helper()
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: root, Fset: fset, Tests: true,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	out := &goCalls{edges: map[goCall]string{}, sites: map[string]bool{}, files: map[string]bool{}}
	place := func(pos token.Pos) (path string, at string) {
		p := fset.Position(pos)
		rel, err := filepath.Rel(root, p.Filename)
		if err != nil || strings.HasPrefix(rel, "..") {
			return "", ""
		}
		return filepath.ToSlash(rel), fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Offset)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Logf("%s: %v", p.ID, e)
		}
		for _, f := range p.Syntax {
			path, _ := place(f.Package)
			if path == "" || strings.Contains(path, "_testmain") {
				continue
			}
			out.files[path] = true
			ast.Inspect(f, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				id := calledName(c.Fun)
				if id == nil {
					return true
				}
				_, at := place(id.Pos())
				out.sites[at] = true
				if fn, ok := p.TypesInfo.Uses[id].(*types.Func); ok {
					if _, callee := place(fn.Origin().Pos()); callee != "" {
						out.edges[goCall{at, callee}] = fn.FullName()
					}
				}
				return true
			})
		}
	}
	if len(out.edges) == 0 {
		t.Fatal("the oracle found no calls")
	}
	return out
}

// calledName returns the identifier that names what a call calls.
func calledName(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.ParenExpr:
		return calledName(e.X)
	case *ast.IndexExpr:
		return calledName(e.X)
	case *ast.IndexListExpr:
		return calledName(e.X)
	}
	return nil
}

// kenCalls are ken's call edges at the oracle's calls, to the confidence and the
// name of each.
func kenCalls(t *testing.T, e *engine.Engine, want *goCalls, least code.Confidence) map[goCall]view.Reference {
	t.Helper()
	out := map[goCall]view.Reference{}
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			if !want.files[f.Path] {
				continue
			}
			refs, err := refs.FileReferences(ctx, s, f.Path)
			if err != nil {
				return nil, err
			}
			for _, r := range refs {
				at := fmt.Sprintf("%s:%d", r.Path, r.Start)
				if r.Kind == code.RefCall && r.Confidence >= least && r.Target.Kind.IsFunction() && want.sites[at] && want.files[r.Target.Path] {
					out[goCall{at, fmt.Sprintf("%s:%d", r.Target.Path, r.Target.NameStart)}] = r
				}
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type callScore struct{ common, ken, oracle int }

func (s callScore) precision() float64 { return float64(s.common) / float64(max(s.ken, 1)) }
func (s callScore) recall() float64    { return float64(s.common) / float64(max(s.oracle, 1)) }
func (s callScore) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f (%d common of ken's %d, the oracle's %d)", s.precision(), s.recall(), s.common, s.ken, s.oracle)
}

// scoreCalls compares; show logs what differs.
func scoreCalls(t *testing.T, want *goCalls, got map[goCall]view.Reference, show bool) callScore {
	s := callScore{ken: len(got), oracle: len(want.edges)}
	var diff []string
	for c, r := range got {
		if _, ok := want.edges[c]; ok {
			s.common++
		} else {
			diff = append(diff, fmt.Sprintf("%s WRONG [%s] → %s:%s", c.at, r.Confidence, r.Target.Path, r.Target.Qualified))
		}
	}
	for c, name := range want.edges {
		if _, ok := got[c]; !ok {
			diff = append(diff, fmt.Sprintf("%s MISSED → %s", c.at, name))
		}
	}
	if show {
		slices.SortFunc(diff, func(a, b string) int { return cmp.Compare(a, b) })
		t.Log("\n" + strings.Join(diff, "\n"))
	}
	return s
}
