package extract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"

	"ken/internal/code"
)

// scriptClass is the name of a kind on the compiler's side of the comparison, which
// distinguishes neither const from let nor a constructor from a method.
func scriptClass(k code.Kind) string {
	switch k {
	case code.KindConstructor:
		return "method"
	case code.KindConstant:
		return "variable"
	}
	return k.String()
}

// TestScriptOracle compares the declarations of every script under KEN_CORPUS
// with the TypeScript compiler's: name with its owners, kind and exact span.
// `npm install` in testdata/oracle/ts first, then run with KEN_ORACLE=1. The
// corpus is searched for *.ts, *.tsx, *.js and the like; files the compiler
// itself has syntax errors in are counted apart.
func TestScriptOracle(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	files, _ := scriptCorpus(t, "typescript", "javascript")
	e := testExtractor(t)
	var sum, broken tally
	verdicts := compilerDeclarations(t, files)
	for _, f := range files {
		v, ok := verdicts[f.path]
		if !ok {
			t.Fatalf("no answer for %s", f.path)
		}
		into := &sum
		if v.Errors > 0 {
			into = &broken
		}
		into.compare(f, e.Extract(f.path, f.lang, f.data), v.Declarations)
	}
	t.Logf("%s", sum.String())
	t.Logf("files with syntax errors: %s", broken.String())
	shown := 40
	if os.Getenv("KEN_ORACLE_ALL") != "" {
		shown = len(sum.diffs)
	}
	for _, d := range sum.diffs[:min(len(sum.diffs), shown)] {
		t.Log(d)
	}
	if sum.recall() < 0.99 || sum.precision() < 0.99 {
		t.Errorf("recall %.4f, precision %.4f; want 0.99", sum.recall(), sum.precision())
	}
}

type verdict struct {
	Path         string
	Errors       int
	Declarations [][4]any
}

func compilerDeclarations(t *testing.T, files []scriptSource) map[string]verdict {
	var paths strings.Builder
	for _, f := range files {
		fmt.Fprintln(&paths, f.path)
	}
	cmd := exec.Command("node", "testdata/oracle/ts/declarations.js")
	cmd.Stdin = strings.NewReader(paths.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run the compiler: %v", err)
	}
	all := make(map[string]verdict, len(files))
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all[v.Path] = v
	}
	return all
}

type tally struct {
	files, want, got, both int
	diffs                  []string
}

func (c *tally) recall() float64    { return float64(c.both) / float64(max(c.want, 1)) }
func (c *tally) precision() float64 { return float64(c.both) / float64(max(c.got, 1)) }

func (c *tally) String() string {
	return fmt.Sprintf("%d files, %d declarations by the compiler, %d by ken, %d the same: recall %.3f%%, precision %.3f%%",
		c.files, c.want, c.got, c.both, 100*c.recall(), 100*c.precision())
}

func (c *tally) compare(f scriptSource, facts *code.Facts, want [][4]any) {
	c.files++
	left := map[string]int{}
	for _, d := range want {
		left[fmt.Sprintf("%v %v %.0f-%.0f", d[0], d[1], d[2], d[3])]++
	}
	c.want += len(want)
	for _, s := range facts.Symbols {
		c.got++
		key := fmt.Sprintf("%s %s %d-%d", s.Qualified, scriptClass(s.Kind), s.Span.Start, s.Span.End)
		if left[key] > 0 {
			left[key]--
			c.both++
			continue
		}
		c.diffs = append(c.diffs, fmt.Sprintf("%s:%d extra %s", f.path, s.Span.Line, key))
	}
	var missing []string
	for key, n := range left {
		if n > 0 {
			missing = append(missing, fmt.Sprintf("%s missing %s", f.path, key))
		}
	}
	sort.Strings(missing)
	c.diffs = append(c.diffs, missing...)
}
