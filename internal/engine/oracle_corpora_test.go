package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// corpora are parts of real repositories, small enough to index again after
// every sequence.
func corpora() map[string][]string {
	return map[string][]string{
		"core":          {"packages", "package.json", "tsconfig.json", "pnpm-workspace.yaml", "vitest.config.ts"},
		"sympy":         {"sympy/__init__.py", "sympy/core", "sympy/logic", "sympy/sets", "sympy/utilities", "sympy/assumptions", "pyproject.toml", "setup.py", "conftest.py"},
		"kubernetes":    {"go.mod", "go.work", "pkg/scheduler", "pkg/apis/core", "cmd/kubeadm/app", "pkg/kubelet/cm"},
		"rust-analyzer": {"Cargo.toml", "crates/hir", "crates/hir-def", "crates/base-db", "crates/syntax", "crates/ide-db", "crates/stdx", "crates/span", "lib"},
		"netty":         {"buffer", "codec", "common", "transport"},
	}
}

func TestOracleCorpora(t *testing.T) {
	dir := os.Getenv("KEN_CORPORA")
	if dir == "" {
		t.Skip("KEN_CORPORA is not set")
	}
	for name, parts := range corpora() {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
			n, seed := envInt("KEN_SEQUENCES", 5), uint64(envInt("KEN_SEED", 1))
			w := &worktree{t: t, root: copyCorpus(t, filepath.Join(dir, name), parts), rnd: rand.New(rand.NewPCG(seed, 2)), git: true}
			w.run("init", "-q", "-b", "main")
			w.run("add", "-A")
			w.run("commit", "-q", "-m", "start")
			p := newProject(t, w.root)
			for i := range n {
				if i%25 == 24 { // so much changes that little would be left
					w.run("checkout", "-q", "-f", "main")
					w.run("clean", "-q", "-f", "-d", "-x", "-e", ".ken")
				}
				sequence(t, w, p, 1)
			}
			t.Logf("%d sequences, %s", n, fmt.Sprint(len(w.files()), " files at the end"))
		})
	}
}

func copyCorpus(t testing.TB, from string, parts []string) string {
	to := t.TempDir()
	for _, p := range parts {
		dst := filepath.Join(to, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-r", filepath.Join(from, filepath.FromSlash(p)), dst).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return to
}
