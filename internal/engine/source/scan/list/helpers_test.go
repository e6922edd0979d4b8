package list

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"ken/internal/code"
)

// isolate keeps the machine's git settings out of a test.
func isolate(t testing.TB) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", "")
	os.Unsetenv("GIT_CONFIG_GLOBAL")
	for _, v := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
}

// git runs git in dir and returns its output.
func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always", "-c", "advice.addEmbeddedRepo=false"}, args...)...)
	cmd.Dir = dir
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errOut.String())
	}
	return string(out)
}

func mustNew(t testing.TB, opt Options) *Lister {
	t.Helper()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustList(t testing.TB, s *Lister, prev *Listing) *Listing {
	t.Helper()
	l, err := s.List(context.Background(), prev)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// paths are the entries that git would list too.
func paths(l *Listing) []string {
	out := []string{}
	for _, e := range l.Files {
		if e.Problem == code.ProblemSpecial || e.Dir && (e.Problem == code.ProblemExcluded || e.Problem == code.ProblemUnreadable) {
			continue
		}
		out = append(out, e.Path)
	}
	return out
}

// gitPaths is what git lists and is on disk.
func gitPaths(t testing.TB, dir string) []string {
	t.Helper()
	seen := map[string]bool{}
	for _, p := range strings.Split(runGit(t, dir, "ls-files", "-z", "-c", "-o", "--exclude-standard"), "\x00") {
		p = strings.TrimSuffix(p, "/")
		if p == "" || p == ".ken" || strings.HasPrefix(p, ".ken/") || strings.Contains(p, "/.ken/") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, p)); err == nil {
			seen[p] = true
		}
	}
	out := make([]string, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

func corpora(t testing.TB) map[string]string {
	base := os.Getenv("KEN_CORPORA")
	if base == "" {
		t.Skip("KEN_CORPORA names no folder of repositories")
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			out[e.Name()] = filepath.Join(base, e.Name())
		}
	}
	return out
}
