package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTrackedBelow compares with what git says, in every form of index.
func TestTrackedBelow(t *testing.T) {
	for name, make := range map[string][][]string{
		"plain":     {{"init", "-q"}},
		"version 4": {{"init", "-q"}, {"config", "index.version", "4"}},
		"sha256":    {{"init", "-q", "--object-format=sha256"}},
		"split":     {{"init", "-q"}, {"config", "core.splitIndex", "true"}},
	} {
		for _, many := range []int{3, 3000} { // the second does not fit into what is read at first
			t.Run(fmt.Sprintf("%s, %d", name, many), func(t *testing.T) {
				dir := t.TempDir()
				git := func(args ...string) string {
					t.Helper()
					cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
					cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
					out, err := cmd.CombinedOutput()
					if err != nil {
						t.Skipf("git %v: %v: %s", args, err, out)
					}
					return string(out)
				}
				for _, args := range make {
					git(args...)
				}
				put := func(path string) {
					full := filepath.Join(dir, path)
					os.MkdirAll(filepath.Dir(full), 0o755)
					if err := os.WriteFile(full, []byte(path), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				for i := range many {
					put(fmt.Sprintf(".a/%d-%s", i, strings.Repeat("x", 40)))
					put(fmt.Sprintf("sub/a/%d", i))
				}
				git("add", "-A")
				check := func(below string, want ...string) {
					t.Helper()
					repo, err := Find(dir)
					if err != nil {
						t.Fatal(err)
					}
					got, err := repo.TrackedBelow(below)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%s: %q, %v; want %q", below, got, err, want)
					}
				}
				check(".ken")
				for _, path := range []string{".ken/config.yml", ".ken/index.db", ".ken/knowledge/a.md", "sub/.ken/salt", ".kenx/a", ".ken-a", ".ke"} {
					put(path)
				}
				git("add", "-A", "-f")
				check(".ken", "config.yml", "index.db", "knowledge/a.md")
				check("sub/.ken", "salt")
				check("none/.ken")
				git("commit", "-qm", "x")
				check(".ken", "config.yml", "index.db", "knowledge/a.md")
				if err := os.WriteFile(filepath.Join(dir, "sub", "a", "1"), []byte("changed"), 0o644); err != nil {
					t.Fatal(err)
				}
				git("add", "-A", "-f") // a split index replaces the entry by one without a name
				check("sub/.ken", "salt")
			})
		}
	}
}

// TestTrackedBelowOther: another spelling of the directory counts only where it is
// the same one.
func TestTrackedBelowOther(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("init", "-q")
	for _, d := range []string{".ken", ".KEN"} {
		os.MkdirAll(filepath.Join(dir, d), 0o755)
	}
	os.WriteFile(filepath.Join(dir, ".KEN", "index.db"), nil, 0o644)
	run("add", "-A")
	repo, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := repo.TrackedBelow(".ken"); len(got) > 0 || err != nil {
		t.Errorf("two folders: %q, %v", got, err)
	}
	os.Remove(filepath.Join(dir, ".ken"))
	if err := os.Symlink(".KEN", filepath.Join(dir, ".ken")); err != nil {
		t.Skip(err)
	}
	if got, err := repo.TrackedBelow(".ken"); len(got) != 1 || err != nil {
		t.Errorf("one folder: %q, %v", got, err)
	}
}

// TestTrackedBelowBad: an index that is none is an error, or nothing, and never a crash.
func TestTrackedBelowBad(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := repo.TrackedBelow(".ken"); got != nil || err != nil {
		t.Errorf("no index: %q, %v", got, err)
	}
	for _, text := range []string{"", "DIRC", "DIRC\x00\x00\x00\x09\x00\x00\x00\x01", "DIRC\x00\x00\x00\x04\xff\xff\xff\xff", "DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\xff", 100), strings.Repeat("x", firstBytes+10)} {
		os.WriteFile(filepath.Join(repo.GitDir, "index"), []byte(text), 0o644)
		if got, err := repo.TrackedBelow(".ken"); err == nil {
			t.Errorf("%.20q: %q", text, got)
		}
	}
}
