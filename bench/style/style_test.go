package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/bench/style/count"

	"github.com/google/go-cmp/cmp"
)

const sample = `package sample

import "fmt"

// Reader has two methods of its own. It tells what
// stands where, because somebody asks.
type Reader interface {
	fmt.Stringer
	A()
	B()
}

func dense(a, b, c, d, e bool) bool { // told behind code
	if a && (b || !(c && d)) && use(a && b) {
		if e {
			return true
		}
	}
	return a && b || c && d || e
}

func use(bool) bool { return false }

func languages(f struct{ Lang string }, l string) int {
	switch f.Lang {
	case "go", "rust":
		return 1
	}
	if f.Lang == "java" || f.Lang == "" || l == "java" {
		return 2
	}
	return 3
}
`

func load(t *testing.T, files map[string]string) (string, *count.Tree) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := count.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

// TestCounts holds each measure to a sample whose numbers are seen by looking.
func TestCounts(t *testing.T) {
	_, tree := load(t, map[string]string{"a/sample.go": sample, "a/sample_test.go": sample, "a/testdata/sample.go": sample})
	if len(tree.Files) != 1 {
		t.Fatalf("%d files", len(tree.Files))
	}
	f := tree.Files[0]
	got := map[string]int{
		"lines":      f.Lines,
		"comment":    f.CommentLines(),
		"code":       f.CodeLines(),
		"operators":  f.Operators(),
		"dense":      f.DenseLines(),
		"conditions": len(f.Conditions()),
		"nested":     len(f.NestedIfs()),
		"compared":   len(f.LanguageComparisons()),
		"cases":      len(f.LanguageCases()),
		"methods":    f.Interfaces()[0].N,
	}
	want := map[string]int{
		"lines":      strings.Count(sample, "\n"),
		"comment":    2,
		"code":       26,
		"operators":  11,
		"dense":      2,
		"conditions": 2,
		"nested":     1,
		"compared":   1,
		"cases":      1,
		"methods":    2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	words := count.Words{Lines: 3, Uses: map[string]int{"what": 1, "tell/told": 2, "stand(s)": 1, "nobody/somebody/whoever": 1, "why-words": 1, "behind": 1}}
	if diff := cmp.Diff(words, f.Words()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const namesSample = `package sample

// Kind returns the kind. It fails with ErrNone if there is none.
func Kind() (int, error) { return 1, nil }

// Load loads.
func Load() error { return helper() }

type hidden struct{}

func (hidden) Close() error { return nil }

func helper() error   { return nil }
func shown() int      { return kindOf() + kindOf() }
func kindOf() int     { return 0 }
func embed() int      { return shown() }
func needed() int     { return 0 }
func isKnown() int    { return 0 }
`

// TestNames: names and comments of functions are judged by their form, uses by types.
func TestNames(t *testing.T) {
	dir, tree := load(t, map[string]string{"go.mod": "module ken\n\ngo 1.26\n", "a/sample.go": namesSample})
	f := tree.Files[0]
	names := func(finds []count.Finding) (out []string) {
		for _, f := range finds {
			out = append(out, f.What)
		}
		return out
	}
	all, silent := f.Fallible()
	got := [][]string{names(f.Participles()), names(f.OfNames()), names(all), names(silent)}
	want := [][]string{{"shown", "needed"}, {"kindOf"}, {"Kind", "Load"}, {"Load"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c, err := typeCheck(t.Context(), dir, tree)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.singleUseRow(tree).value, "22.2 % (2 of 9)"; got != want { // helper and shown
		t.Errorf("single uses: %s, want %s", got, want)
	}
}

// TestSampleChain: the longest way counts, not the shortest.
func TestSampleChain(t *testing.T) {
	dir, tree := load(t, map[string]string{
		"go.mod":          "module ken\n\ngo 1.26\n",
		"cmd/ken/main.go": "package main\n\nimport (\n\t_ \"ken/a\"\n\t_ \"ken/b\"\n)\n\nfunc main() {}\n",
		"a/a.go":          "package a\n\nimport _ \"ken/b\"\n",
		"b/b.go":          "package b\n\nimport _ \"strings\"\n",
	})
	c, err := typeCheck(t.Context(), dir, tree)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"cmd/ken", "a", "b"}, c.importChainRow().places); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWide: a line of a table or of long text may be wide, one of code or
// comment may not.
func TestWide(t *testing.T) {
	long := strings.Repeat("x", 150)
	_, tree := load(t, map[string]string{"a.go": "package a\n\n// " + long + "\nvar a = []string{\n\tf(" + long + ", 0),\n}\n\nvar b = \"" + long + "\"\n\nvar " + long + " = 1\n"})
	var lines []int
	for _, f := range tree.Files[0].WideLines() {
		lines = append(lines, f.Line)
	}
	if diff := cmp.Diff([]int{3, 10}, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSampleCycles: a method and a variable make two files use each other; the
// name of a field alone does not.
func TestSampleCycles(t *testing.T) {
	dir, tree := load(t, map[string]string{
		"go.mod":  "module ken\n\ngo 1.26\n",
		"p/a.go":  "package p\n\ntype A struct{ n int }\n\nfunc (A) one() int { return two }\n",
		"p/b.go":  "package p\n\nvar two = 2\n\nfunc start(a A) int { return a.one() }\n",
		"p/c.go":  "package p\n\nfunc third(a A) int { return a.n }\n",
		"q/d.go":  "package q\n\nfunc d() int { return e() }\n",
		"q/e.go":  "package q\n\nfunc e() int { return 1 }\n",
		"go.work": "go 1.26\n\nuse .\n",
	})
	c, err := typeCheck(t.Context(), dir, tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.packages["p"].describeCycles("p"); len(got) != 1 || !strings.HasSuffix(got[0], "2 p: a b") {
		t.Errorf("p: %q", got)
	}
	if got := c.packages["q"].describeCycles("q"); len(got) != 0 {
		t.Errorf("q: %q", got)
	}
}

// TestCycles holds the cycles of files in the module to their table.
func TestCycles(t *testing.T) {
	const root = "../.."
	tree, err := count.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := typeCheck(t.Context(), root, tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.order) < 20 {
		t.Fatalf("only %d packages", len(c.order))
	}
	for _, p := range c.order {
		n, allowed := c.packages[p].largestCycle(), max(maxCycle, largeCycles[p])
		if n > allowed {
			t.Errorf("%d files that use each other, at most %d may:\n%s", n, allowed, strings.Join(c.packages[p].describeCycles(p), "\n"))
		}
		if known := largeCycles[p]; n < known {
			t.Logf("%s: shrink %d to %d", p, known, n)
		}
	}
}
