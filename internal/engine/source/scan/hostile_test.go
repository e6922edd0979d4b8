//go:build unix

package scan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source/scan/scantest"
)

// TestReadHostile reads whatever a tree can hold, and nothing outside of it.
func TestReadHostile(t *testing.T) {
	dir := t.TempDir()
	names := []string{"new\nline", "tab\there", `quo"te'`, "\xff\xfe\xfd", "-dash", ":(glob)*", "é", " lead", "trail ", "back\\slash", "*", "\x01\x1b[31m", strings.Repeat("n", 255)}
	for _, n := range names {
		scantest.Write(t, dir, n, "x\n")
	}
	deep := strings.Repeat("d/", 200) + "leaf"
	scantest.Write(t, dir, deep, "x\n")
	scantest.Mkfifo(t, filepath.Join(dir, "pipe"))
	scantest.Mkfifo(t, filepath.Join(dir, "d", "pipe.go"))
	os.Symlink("..", filepath.Join(dir, "d", "loop"))
	os.Symlink("/etc/passwd", filepath.Join(dir, "out"))
	os.Symlink("self", filepath.Join(dir, "self"))
	os.Symlink("/etc", filepath.Join(dir, "etc"))
	s := mustNew(t, Options{Root: dir})
	for p, want := range map[string]code.Problem{
		"pipe": code.ProblemSpecial, "d/pipe.go": code.ProblemSpecial, deep: "",
		"d/loop": code.ProblemSymlink, "out": code.ProblemSymlink, "self": code.ProblemSymlink, "etc": code.ProblemSymlink,
	} {
		scantest.Within(t, 5*time.Second, func() {
			if c, err := s.Read(t.Context(), p); err != nil || c.Problem != want || want != "" && len(c.Bytes) > 0 {
				t.Errorf("Read(%s) = %+v, %v", p, c, err)
			}
		})
	}
	for _, n := range names {
		if c, err := s.Read(t.Context(), n); err != nil || string(c.Bytes) != "x\n" || c.Lines != 1 {
			t.Errorf("Read(%q) = %+v, %v", n, c, err)
		}
	}
	for _, p := range []string{"etc/passwd", "../" + filepath.Base(dir) + "/out", "d/loop/out", "/etc/passwd", "", ".", "d/../out", "d//d", "a\x00b"} {
		c, err := s.Read(t.Context(), p)
		if err == nil && c.Problem != code.ProblemSymlink || len(c.Bytes) > 0 {
			t.Errorf("Read(%q) = %+v, %v; want nothing read", p, c, err)
		}
	}
	if _, err := s.Read(t.Context(), "d"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Read of a directory: %v", err)
	}
	if _, err := s.Read(t.Context(), "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of nothing: %v", err)
	}
}

// TestReadBesidePipes: a pipe where reading a file opens another one.
func TestReadBesidePipes(t *testing.T) {
	dir := t.TempDir()
	scantest.Write(t, dir, "sub/a.go", "package a\n")
	scantest.Mkfifo(t, filepath.Join(dir, ".gitattributes"))
	scantest.Mkfifo(t, filepath.Join(dir, "sub", ".gitattributes"))
	s := mustNew(t, Options{Root: dir})
	scantest.Within(t, 15*time.Second, func() {
		if c, err := s.Read(t.Context(), "sub/a.go"); err != nil || c.Lines != 1 {
			t.Errorf("Read = %v, %v", c, err)
		}
	})
}

// TestReadDenied runs itself as another user where it runs as root, whom nothing
// is denied.
func TestReadDenied(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	dir := t.TempDir()
	scantest.Write(t, dir, "secret", "x")
	os.Chmod(filepath.Join(dir, "secret"), 0)
	if c, err := mustNew(t, Options{Root: dir}).Read(t.Context(), "secret"); err != nil || c.Problem != code.ProblemUnreadable {
		t.Errorf("Read = %+v, %v", c, err)
	}
}

// asNobody runs the test in a process of a user without rights.
func asNobody(t *testing.T) {
	t.Helper()
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
	cmd := exec.Command(bin, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), "KEN_TEST_AS_NOBODY=1", "TMPDIR=/tmp", "HOME=/nonexistent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}

// TestReadSwap: a directory becomes a link while a file in it is read.
func TestReadSwap(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	scantest.Write(t, outside, "f", "outside")
	scantest.Write(t, dir, "d/f", "inside")
	s := mustNew(t, Options{Root: dir})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
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
	for ctx.Err() == nil {
		if c, err := s.Read(ctx, "d/f"); err == nil && c.Problem == "" && string(c.Bytes) != "inside" {
			t.Fatalf("read %q", c.Bytes)
		}
	}
	wg.Wait()
}
