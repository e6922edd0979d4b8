package list

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
)

// TestCorpora compares ken's own listing with git's on real repositories, and
// the same trees with .git removed.
func TestCorpora(t *testing.T) {
	needGit(t)
	for name, dir := range corpora(t) {
		t.Run(name, func(t *testing.T) {
			isolate(t)
			want := gitPaths(t, dir)
			own := mustList(t, mustNew(t, Options{Root: dir, NoGit: true}), nil)
			if d := cmp.Diff(want, paths(own)); d != "" {
				t.Errorf("own listing differs from git's (-git +own):\n%s", d)
			}
			both := mustList(t, mustNew(t, Options{Root: dir}), nil)
			if d := cmp.Diff(own.Files, both.Files); d != "" {
				t.Errorf("listing with git differs:\n%s", d)
			}
			bare := filepath.Join(t.TempDir(), name)
			if out, err := exec.Command("cp", "-a", dir, bare).CombinedOutput(); err != nil {
				t.Fatalf("copy: %v %s", err, out)
			}
			if err := os.RemoveAll(filepath.Join(bare, ".git")); err != nil {
				t.Fatal(err)
			}
			ignored := map[string]bool{} // tracked, but ignored by the rules
			runs := runGit(t, dir, "ls-files", "-z", "-c", "-i", "--exclude-standard")
			for _, p := range splitNul(runs) {
				ignored[p] = true
			}
			var rest []string
			for _, p := range want {
				if e, ok := both.Find(p); ok && e.Problem == code.ProblemSubmodule {
					continue
				}
				if !ignored[p] {
					rest = append(rest, p)
				}
			}
			l := mustList(t, mustNew(t, Options{Root: bare}), nil)
			if d := cmp.Diff(rest, paths(l)); d != "" {
				t.Errorf("without .git (-git +own):\n%s", d)
			}
			t.Logf("%d files, %d tracked but ignored", len(want), len(ignored))
		})
	}
}

func splitNul(s string) []string {
	var out []string
	for len(s) > 0 {
		i := 0
		for i < len(s) && s[i] != 0 {
			i++
		}
		out = append(out, s[:i])
		s = s[min(i+1, len(s)):]
	}
	return out
}
