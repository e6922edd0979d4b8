//go:build unix

package list

import (
	"context"

	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine/source/scan/scantest"
)

// TestHostileTree lists a tree of everything a tree can hold.
func TestHostileTree(t *testing.T) {
	needGit(t)
	isolate(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	names := []string{"new\nline", "tab\there", `quo"te'`, "\xff\xfe\xfd", "-dash", ":(glob)*", "é", " lead", "trail ", "back\\slash", "*", "\x01\x1b[31m", strings.Repeat("n", 255)}
	for _, n := range names {
		scantest.Write(t, dir, n, "x\n")
		scantest.Write(t, dir, "dir "+n[:min(len(n), 200)]+"/f", "x\n")
	}
	deep := strings.Repeat("d/", 200) + "leaf"
	scantest.Write(t, dir, deep, "x\n")
	scantest.Mkfifo(t, filepath.Join(dir, "pipe"))
	scantest.Mkfifo(t, filepath.Join(dir, "d", "pipe.go"))
	os.Symlink("..", filepath.Join(dir, "d", "loop"))
	os.Symlink("/etc/passwd", filepath.Join(dir, "out"))
	os.Symlink("self", filepath.Join(dir, "self"))
	os.Symlink("/etc", filepath.Join(dir, "etc"))
	runGit(t, dir, "add", "-A")
	s := mustNew(t, Options{Root: dir})
	var l *Listing
	scantest.Within(t, 20*time.Second, func() { l = mustList(t, s, nil) })
	if d := cmp.Diff(gitPaths(t, dir), paths(l)); d != "" {
		t.Errorf("(-git +ken):\n%s", d)
	}
	problems := map[string]code.Problem{"pipe": code.ProblemSpecial, "d/pipe.go": code.ProblemSpecial, "d/loop": code.ProblemSymlink, "out": code.ProblemSymlink, "self": code.ProblemSymlink, "etc": code.ProblemSymlink, deep: ""}
	for p, want := range problems {
		if e, ok := l.Find(p); !ok || e.Problem != want {
			t.Errorf("%s: %+v, %v; want problem %q", p, e, ok, want)
		}
	}
	checkLookup(t, s, l, dir)
}

// TestHangingRepository: pipes where git opens files. git would wait for ever.
func TestHangingRepository(t *testing.T) {
	needGit(t)
	for _, at := range []string{".gitignore", "sub/.gitignore", ".git/info/exclude", ".git/index", ".git/included", "excludes", ".kenignore"} {
		t.Run(strings.ReplaceAll(at, "/", "_"), func(t *testing.T) {
			isolate(t)
			dir := t.TempDir()
			runGit(t, dir, "init", "-q")
			scantest.Write(t, dir, "sub/a.go", "package a\n")
			switch at {
			case ".git/included":
				runGit(t, dir, "config", "include.path", "included")
			case "excludes":
				runGit(t, dir, "config", "core.excludesFile", filepath.Join(dir, "excludes"))
			}
			os.Remove(filepath.Join(dir, at))
			scantest.Mkfifo(t, filepath.Join(dir, at))
			s := mustNew(t, Options{Root: dir})
			scantest.Within(t, 15*time.Second, func() {
				l := mustList(t, s, nil)
				if _, ok := l.Find("sub/a.go"); !ok {
					t.Errorf("sub/a.go is not listed: %v", l.Files)
				}
				l = mustList(t, s, l)
				if _, ok := l.Find("sub/a.go"); !ok {
					t.Errorf("look: sub/a.go is not listed: %v", l.Files)
				}
				if _, ok, err := s.Lookup(t.Context(), "sub/a.go"); !ok || err != nil {
					t.Errorf("Lookup = %v, %v", ok, err)
				}
			})
		})
	}
}

// TestUnreadable runs itself as another user where it runs as root, whom
// nothing is denied.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		if os.Getenv("KEN_TEST_AS_NOBODY") != "" {
			t.Fatal("still root")
		}
		bin := filepath.Join("/tmp", filepath.Base(t.TempDir())+"-ken.test")
		self, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			t.Skip(err)
		}
		if err := os.WriteFile(bin, self, 0o755); err != nil {
			t.Skip(err)
		}
		defer os.Remove(bin)
		cmd := exec.Command(bin, "-test.run", "^TestUnreadable$", "-test.v")
		cmd.Dir, cmd.Env = "/", append(os.Environ(), "KEN_TEST_AS_NOBODY=1", "TMPDIR=/tmp", "HOME=/nonexistent")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestUnreadable") {
			t.Fatalf("as another user: %v\n%s", err, out)
		}
		return
	}
	isolate(t)
	dir := t.TempDir()
	scantest.Write(t, dir, "open/a", "x")
	scantest.Write(t, dir, "shut/b", "x")
	scantest.Write(t, dir, "secret", "x")
	os.Chmod(filepath.Join(dir, "shut"), 0)
	os.Chmod(filepath.Join(dir, "secret"), 0)
	defer os.Chmod(filepath.Join(dir, "shut"), 0o755)
	s := mustNew(t, Options{Root: dir})
	l := mustList(t, s, nil)
	if d := cmp.Diff("open/a\nsecret\nshut/ (unreadable)\n", render(l)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(render(l), render(mustList(t, s, l))); d != "" {
		t.Errorf("look: %s", d)
	}
	// Once it can be read, a look finds what is inside.
	os.Chmod(filepath.Join(dir, "shut"), 0o755)
	if d := cmp.Diff("open/a\nsecret\nshut/b\n", render(mustList(t, s, l))); d != "" {
		t.Errorf("after chmod: %s", d)
	}
}

// TestSwap: a directory becomes a link while others list.
func TestSwap(t *testing.T) {
	isolate(t)
	dir, outside := t.TempDir(), t.TempDir()
	scantest.Write(t, outside, "f", "outside")
	scantest.Write(t, dir, "d/f", "inside")
	s := mustNew(t, Options{Root: dir})
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "e"))
			os.Symlink(outside, filepath.Join(dir, "d"))
			os.Remove(filepath.Join(dir, "d"))
			os.Rename(filepath.Join(dir, "e"), filepath.Join(dir, "d"))
		}
	})
	var prev *Listing
	for ctx.Err() == nil {
		l, err := s.List(t.Context(), prev)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range l.Files {
			if e.Stat.Size == int64(len("outside")) && e.Problem == "" {
				t.Fatalf("listed %+v", e)
			}
		}
		prev = l
	}
	wg.Wait()
	if d := cmp.Diff("d/f\n", render(mustList(t, s, prev))); d != "" {
		t.Errorf("at rest: %s", d)
	}
}

func TestNestedRepositories(t *testing.T) {
	needGit(t)
	isolate(t)
	dir, lib := t.TempDir(), t.TempDir()
	runGit(t, lib, "init", "-q")
	scantest.Write(t, lib, "l.go", "package l\n")
	runGit(t, lib, "add", "-A")
	runGit(t, lib, "commit", "-q", "-m", "l")
	runGit(t, dir, "init", "-q")
	runGit(t, dir, "submodule", "add", "-q", lib, "mods/lib")
	scantest.Write(t, dir, "own/x.go", "package own\n")
	os.Mkdir(filepath.Join(dir, "nested"), 0o755)
	runGit(t, filepath.Join(dir, "nested"), "init", "-q")
	scantest.Write(t, dir, "nested/y.go", "package y\n")
	runGit(t, dir, "commit", "-q", "-m", "mods")
	runGit(t, dir, "worktree", "add", "-q", "-b", "w", "wt")
	s := mustNew(t, Options{Root: dir})
	want := ".gitmodules (tracked)\nmods/lib/ (tracked) (submodule)\nnested/ (nested_repository)\nown/x.go\nwt/ (nested_repository)\n"
	l := mustList(t, s, nil)
	if d := cmp.Diff(want, render(l)); d != "" {
		t.Error(d)
	}
	checkLookup(t, s, l, dir)
	// A nested repository that ceases to be one is part of the tree.
	os.RemoveAll(filepath.Join(dir, "nested/.git"))
	l = mustList(t, s, l)
	if d := cmp.Diff(strings.Replace(want, "nested/ (nested_repository)", "nested/y.go", 1), render(l)); d != "" {
		t.Error(d)
	}
	// Inside the submodule, ken lists it as any repository.
	if d := cmp.Diff("l.go (tracked)\n", render(mustList(t, mustNew(t, Options{Root: filepath.Join(dir, "mods/lib")}), nil))); d != "" {
		t.Error(d)
	}
}
