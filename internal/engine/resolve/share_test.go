package resolve

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/engine/extract"
)

// TestShareRust and TestShareJava measure, where there is no other resolver to
// ask, how many of the imports that look internal lead to a file.

func TestShareRust(t *testing.T) {
	root := corpus(t, "rust-analyzer")
	tree := diskTree(t, root)
	r := New(tree)
	e := extract.New()
	defer e.Close()
	var s share
	for p := range tree.files {
		if !strings.HasSuffix(p, ".rs") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, p))
		if err != nil {
			t.Fatal(err)
		}
		facts := e.Extract(p, langRust, src)
		for i := range facts.Imports {
			imp := &facts.Imports[i]
			s.add(p, imp, s.resolve(r, p, langRust, imp))
		}
	}
	s.check(t, 98) // the rest is test data, macros and names bound by a use
}

func TestShareJava(t *testing.T) {
	root := corpus(t, "netty")
	tree := diskTree(t, root)
	clause := regexp.MustCompile(`(?m)^package\s+([\w.]+)\s*;`)
	sources := map[string][]byte{}
	tree.packages = map[string][]string{}
	for p := range tree.files {
		if !strings.HasSuffix(p, ".java") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, p))
		if err != nil {
			t.Fatal(err)
		}
		sources[p] = src
		if m := clause.FindSubmatch(src); m != nil && !slices.Contains(tree.packages[string(m[1])], code.Dir(p)) {
			tree.packages[string(m[1])] = append(tree.packages[string(m[1])], code.Dir(p))
		}
	}
	for _, dirs := range tree.packages {
		slices.Sort(dirs)
	}
	r := New(tree)
	imports := regexp.MustCompile(`(?m)^import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;`)
	var s share
	for p, src := range sources {
		for _, m := range imports.FindAllSubmatch(src, -1) {
			imp := &code.Import{Spec: string(m[2]), Static: len(m[1]) > 0}
			if len(m[3]) > 0 {
				imp.Names = []code.ImportName{{Name: "*", Alias: "*"}}
			}
			s.add(p, imp, s.resolve(r, p, langJava, imp))
		}
	}
	s.check(t, 99)
}

// share counts the imports that are not of another package.
type share struct {
	score
	internal, external int
	misses             map[string]int
}

func (s *share) add(from string, imp *code.Import, res Result) {
	if res.External != "" {
		s.external++
		return
	}
	s.internal++
	if res.File == "" && !res.IsDir && len(res.Subs) == 0 {
		if s.misses == nil {
			s.misses = map[string]int{}
		}
		s.misses[strconv.Itoa(int(imp.Kind))+" "+from+" "+imp.Spec]++
	}
}

func (s *share) check(t *testing.T, atLeast float64) {
	t.Helper()
	missed := 0
	for m, n := range s.misses {
		if missed += n; missed < 60 {
			t.Log(m)
		}
	}
	t.Logf("%d questions in %v, %.1f probes each", s.asked, s.took.Round(time.Millisecond), float64(s.probes)/float64(s.asked))
	got := 100 * float64(s.internal-missed) / float64(s.internal)
	t.Logf("%d of %d internal imports resolved (%.2f %%), %d external", s.internal-missed, s.internal, got, s.external)
	if s.internal == 0 || got < atLeast {
		t.Errorf("%.2f %% resolved, want %.2f", got, atLeast)
	}
}
