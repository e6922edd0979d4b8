package engine_test

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// TestOracleExact compares the calls that the exact tier binds with the call
// graphs of golang.org/x/tools, which work on SSA form. KEN_GO_MODULES lists
// directories of modules whose tests, too, type-check offline, separated like
// PATH; KEN_SHOW logs every difference:
//
//	KEN_GO_MODULES=/src/chi:/src/cobra go test ./internal/engine -run TestOracleExact -v
//
// An edge is the file and line of a call together with the declaration called.
// The oracle's are those of callgraph/static in every function, literals too
// (calls with one possible callee, wrappers and instances taken back to what is
// declared), and the interface method of every call through one, as far as a file of the module declares the callee.
// Ken's are its references of kind call to functions and methods that "types"
// vouches for. SSA has no code that cannot be reached, so ken's edges on a line
// for which it holds no call at all do not count.
// precision = common edges / ken's, recall = common edges / the oracle's.
//
// The implementers a call through an interface may reach are compared with those
// of class hierarchy analysis (callgraph/cha) in the same way.
func TestOracleExact(t *testing.T) {
	list := os.Getenv("KEN_GO_MODULES")
	if list == "" {
		t.Skip("KEN_GO_MODULES is not set")
	}
	for _, dir := range filepath.SplitList(list) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := ssaCalls(t, dir)
			exact, through, info := exactCalls(t, want.root)
			t.Logf("%d of %d packages, %d of %d references in Go files", info.Covered, info.Packages, info.GoBound, info.GoRefs)
			calls := scoreEdges(t, "calls", want.calls, exact, want.lines)
			t.Logf("calls: %s", calls)
			t.Logf("implementers: %s", scoreEdges(t, "implementers", want.through, through, want.lines))
			if calls.precision() < 0.99 || calls.recall() < 0.95 {
				t.Errorf("below 0.99 and 0.95: %s", calls)
			}
		})
	}
}

// callEdge is a call on a line ("path:line") of what is declared at "path:byte".
type callEdge struct{ at, callee string }

type ssaGraph struct {
	root           string
	calls, through map[callEdge]string
	lines          map[string]bool // with a call
}

func ssaCalls(t *testing.T, dir string) *ssaGraph {
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
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		for _, e := range p.Errors {
			t.Logf("%s: %v", p.ID, e)
		}
		return p.IllTyped || strings.HasSuffix(p.ID, ".test")
	})
	prog, _ := ssautil.Packages(pkgs, ssa.BuilderMode(0))
	prog.Build()
	g := &ssaGraph{root: root, calls: map[callEdge]string{}, through: map[callEdge]string{}, lines: map[string]bool{}}
	place := func(pos token.Pos, line bool) string {
		p := fset.PositionFor(pos, false)
		rel, err := filepath.Rel(root, p.Filename)
		if !pos.IsValid() || err != nil || strings.HasPrefix(rel, "..") {
			return ""
		}
		if line {
			return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Line)
		}
		return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Offset)
	}
	add := func(to map[callEdge]string, site ssa.CallInstruction, obj interface{ Pos() token.Pos }, name string) {
		at, callee := place(site.Pos(), true), place(obj.Pos(), false)
		if at != "" && callee != "" {
			to[callEdge{at, callee}] = name
		}
	}
	for fn := range ssautil.AllFunctions(prog) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if site, ok := in.(ssa.CallInstruction); ok {
					g.lines[place(site.Pos(), true)] = true
					if c := site.Common(); c.IsInvoke() {
						add(g.calls, site, c.Method.Origin(), c.Method.FullName())
					} else if callee := declaredFunc(c.StaticCallee()); callee != nil && !stands(fn) {
						add(g.calls, site, callee.Object(), callee.String())
					}
				}
			}
		}
	}
	callgraph.GraphVisitEdges(cha.CallGraph(prog), func(e *callgraph.Edge) error {
		callee := declaredFunc(e.Callee.Func)
		if e.Site != nil && callee != nil && e.Site.Common().IsInvoke() && place(e.Site.Common().Method.Pos(), false) != "" {
			add(g.through, e.Site, callee.Object(), callee.String())
		}
		return nil
	})
	if len(g.calls) == 0 {
		t.Fatal("the oracle found no calls")
	}
	return g
}

// stands reports whether a function stands for another: what it calls is no call
// of the source.
func stands(fn *ssa.Function) bool {
	for _, kind := range []string{"wrapper", "thunk", "bound", "instan"} {
		if strings.HasPrefix(fn.Synthetic, kind) {
			return true
		}
	}
	return false
}

// declaredFunc returns the declared function that one stands for, nil for a literal.
func declaredFunc(fn *ssa.Function) *ssa.Function {
	if fn == nil || fn.Parent() != nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Object() == nil {
		return nil
	}
	return fn
}

// exactCalls returns the calls that types vouch for, and those they say may be reached
// through an interface.
func exactCalls(t *testing.T, root string) (calls, through map[callEdge]string, info view.ExactInfo) {
	t.Helper()
	e := engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(t.TempDir(), "i.db")), Getenv: os.Getenv})
	t.Cleanup(func() { e.Close() })
	ctx := context.Background()
	if _, err := e.Update(ctx, kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	rep, err := e.Exact(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Problems {
		t.Logf("%s (tests %v): %s", p.Dir, p.Test, p.Reason)
	}
	calls, through = map[callEdge]string{}, map[callEdge]string{}
	err = e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			if f.Lang != "go" {
				continue
			}
			syms, err := s.Symbols(ctx, f.Path)
			if err != nil {
				return nil, err
			}
			syms = slices.DeleteFunc(syms, func(y view.Symbol) bool { return !y.Kind.IsFunction() })
			refs, err := refs.References(ctx, s, syms)
			if err != nil {
				return nil, err
			}
			for _, r := range refs.List {
				edge := callEdge{fmt.Sprintf("%s:%d", r.Path, r.Line), fmt.Sprintf("%s:%d", r.Target.Path, r.Target.NameStart)}
				switch {
				case r.Kind != code.RefCall:
				case r.By == "types":
					calls[edge] = r.Target.Qualified
				case r.By == view.ByInterface:
					through[edge] = r.Target.Qualified
				}
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls, through, rep.ExactInfo
}

type edgeScore struct{ common, ken, oracle int }

func (s edgeScore) precision() float64 { return float64(s.common) / float64(max(s.ken, 1)) }
func (s edgeScore) recall() float64    { return float64(s.common) / float64(max(s.oracle, 1)) }
func (s edgeScore) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f (%d common of ken's %d, the oracle's %d)", s.precision(), s.recall(), s.common, s.ken, s.oracle)
}

func scoreEdges(t *testing.T, what string, want, got map[callEdge]string, lines map[string]bool) edgeScore {
	s := edgeScore{oracle: len(want)}
	var diff []string
	for e, name := range got {
		if !lines[e.at] {
			continue
		}
		s.ken++
		if _, ok := want[e]; ok {
			s.common++
		} else {
			diff = append(diff, fmt.Sprintf("%s WRONG → %s %s", e.at, e.callee, name))
		}
	}
	for e, name := range want {
		if _, ok := got[e]; !ok {
			diff = append(diff, fmt.Sprintf("%s MISSED → %s %s", e.at, e.callee, name))
		}
	}
	if os.Getenv("KEN_SHOW") != "" {
		slices.Sort(diff)
		t.Logf("%s:\n%s", what, strings.Join(diff, "\n"))
	}
	return s
}
