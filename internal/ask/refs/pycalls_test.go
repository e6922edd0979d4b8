package refs_test

import (
	"context"
	"fmt"
	"ken/internal/engine/enginetest"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// The cases of testdata/pycalls are small Python programs over the features a
// call graph of Python has to cope with (the kinds of the micro-benchmark of
// Salis et al., "PyCG: Practical Call Graph Generation in Python", ICSE 2021;
// the programs are our own). Each is a directory of a txtar file; its file
// "calls" says which calls happen when it runs, as caller -> callee with dotted
// names of modules, classes and functions. A call inside a lambda is made by the
// function around it; a lambda that is called, and what is not of the program,
// are no callees.
//
// An edge of ken's is a reference of kind call, or decorate, to a function,
// method or class, of confidence unique-name or better. precision = common edges
// / ken's, recall = common edges / the cases'.
const (
	pyPrecision = 0.95
	pyRecall    = 0.75
)

func TestPythonCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("many small indexes, each made as in other tests")
	}
	files, err := filepath.Glob("testdata/pycalls/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var sum callScore
	cases := 0
	for _, file := range files {
		var score callScore
		for name, c := range pyCases(t, file) {
			cases++
			got := c.calls(t)
			for e := range c.want {
				if !got[e] {
					t.Logf("%s/%s: missed %s", filepath.Base(file), name, e)
				}
			}
			for e := range got {
				if c.want[e] {
					score.common++
				} else {
					t.Logf("%s/%s: wrong %s", filepath.Base(file), name, e)
				}
			}
			score.ken, score.oracle = score.ken+len(got), score.oracle+len(c.want)
		}
		t.Logf("%s: %s", filepath.Base(file), score)
		sum = callScore{sum.common + score.common, sum.ken + score.ken, sum.oracle + score.oracle}
	}
	t.Logf("%d cases: %s", cases, sum)
	if sum.precision() < pyPrecision || sum.recall() < pyRecall {
		t.Errorf("below %.2f and %.2f: %s", pyPrecision, pyRecall, sum)
	}
}

type pyCase struct {
	files map[string]string
	want  map[string]bool
}

func pyCases(t *testing.T, file string) map[string]*pyCase {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]*pyCase{}
	for _, f := range ar.Files {
		name, path, _ := strings.Cut(f.Name, "/")
		c := cases[name]
		if c == nil {
			c = &pyCase{files: map[string]string{}, want: map[string]bool{}}
			cases[name] = c
		}
		if path != "calls" {
			c.files[path] = string(f.Data)
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			if line = strings.TrimSpace(line); line != "" {
				c.want[line] = true
			}
		}
	}
	return cases
}

func (c *pyCase) calls(t *testing.T) map[string]bool {
	w := enginetest.NewTree(t)
	for path, text := range c.files {
		w.Write(path, text)
	}
	p := w.Index()
	out := map[string]bool{}
	err := p.Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for _, path := range slices.Sorted(maps.Keys(c.files)) {
			refs, err := refs.FileReferences(ctx, s, path)
			if err != nil {
				return nil, err
			}
			for _, r := range refs {
				k := r.Target.Kind
				if (r.Kind == code.RefCall || r.Kind == code.RefDecorate) && r.Confidence >= code.UniqueName && (k.IsFunction() || k.IsType()) {
					out[fmt.Sprintf("%s -> %s", dotted(r.Path, callerIn(&r)), dotted(r.Target.Path, r.Target.Qualified))] = true
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

// callerIn is the function a reference stands in: one in the value of a
// variable or the body of a class is made by the module.
func callerIn(r *view.Reference) string {
	if r.InKind.IsFunction() {
		return r.In
	}
	return ""
}

// dotted is the name of a declaration of a module.
func dotted(path, qualified string) string {
	m := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSuffix(path, ".py"), "/", "."), ".__init__")
	if qualified == "" {
		return m
	}
	return m + "." + qualified
}

// callScore counts edges of calls.
type callScore struct{ common, ken, oracle int }

func (s callScore) precision() float64 { return float64(s.common) / float64(max(s.ken, 1)) }
func (s callScore) recall() float64    { return float64(s.common) / float64(max(s.oracle, 1)) }
func (s callScore) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f (%d common of ken's %d, the oracle's %d)", s.precision(), s.recall(), s.common, s.ken, s.oracle)
}
