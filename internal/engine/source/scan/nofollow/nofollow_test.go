//go:build unix

package nofollow

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// testTree is a directory with a file of each kind, and a link out of it.
func testTree(t *testing.T) string {
	t.Helper()
	dir, outside := t.TempDir(), t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(outside, "secret"), []byte("outside"), 0o644),
		os.MkdirAll(filepath.Join(dir, "a/b"), 0o755),
		os.WriteFile(filepath.Join(dir, "a/b/file"), []byte("inside"), 0o644),
		os.Symlink(outside, filepath.Join(dir, "out")),
		os.Symlink("b", filepath.Join(dir, "a/link")),
		os.Symlink("file", filepath.Join(dir, "a/b/alias")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openTree(t *testing.T) *Root {
	t.Helper()
	r, err := Open(testTree(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestOpen(t *testing.T) {
	r := openTree(t)
	f, err := r.Open("a/b/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || string(b) != "inside" {
		t.Errorf("read %q, %v", b, err)
	}
	if st, k, err := f.Stat(); err != nil || k != Regular || st.Size != 6 || st.MTime == 0 || st.Inode == 0 {
		t.Errorf("stat %+v, %v, %v", st, k, err)
	}
	for _, p := range []string{"out/secret", "a/link/file", "a/b/alias", "out", "none", "../x", "a/b/file/x"} {
		if f, err := r.Open(p); err == nil {
			f.Close()
			t.Errorf("%s was opened", p)
		}
	}
	var pathErr *fs.PathError
	if _, err := r.Open("none"); !errors.As(err, &pathErr) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a missing file: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a missing root: %v", err)
	}
	pipe, err := r.Open("pipe") // does not wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if _, k, err := pipe.Stat(); err != nil || k != Special {
		t.Errorf("a pipe is %v, %v", k, err)
	}
}

// TestOpenSteps: the way without openat2 opens and refuses the same.
func TestOpenSteps(t *testing.T) {
	r := openTree(t)
	const flags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	for path, ok := range map[string]bool{
		"a/b/file": true, "a": true, "a/b": true, "pipe": true,
		"out/secret": false, "a/link/file": false, "a/b/alias": false, "out": false, "none": false, "../x": false, "a//b": false, "": false,
	} {
		fd, err := openSteps(r.fd, path, flags)
		if err == nil {
			_ = unix.Close(fd)
		}
		if (err == nil) != ok {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestLstat(t *testing.T) {
	l := openTree(t).NewStatReader()
	for _, c := range []struct {
		dir, name string
		want      Kind
	}{
		{"", "", Directory}, {"", "a", Directory}, {"a/b", "file", Regular}, {"", "a/b/file", Regular}, {"", "out", Link}, {"a/b", "alias", Link},
		{"", "pipe", Special}, {"", "none", Missing}, {"a/b/file", "x", Missing},
	} {
		st, k, err := l.Lstat(c.dir, c.name)
		if err != nil || k != c.want || (k == Missing) != (st.Inode == 0) {
			t.Errorf("%q in %q: %v %+v, %v; want %v", c.name, c.dir, k, st, err, c.want)
		}
	}
	if _, k, err := l.Lstat("", strings.Repeat("n", 5000)); err == nil || k != Missing {
		t.Errorf("a name that is too long: %v, %v", k, err)
	}
}

func TestDir(t *testing.T) {
	r := openTree(t)
	for path, want := range map[string][]string{"": {"a", "out", "pipe"}, "a/b": {"alias", "file"}} {
		d, err := r.OpenDir(path)
		if err != nil {
			t.Fatal(err)
		}
		names, err := d.Names(make([]byte, 4096))
		slices.Sort(names)
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%q holds %q, %v", path, names, err)
		}
		if st, err := d.Stat(); err != nil || st.Inode == 0 {
			t.Errorf("%q: %+v, %v", path, st, err)
		}
		if path != "" {
			if f, err := d.Open("file"); err != nil {
				t.Error(err)
			} else {
				f.Close()
			}
			if _, k, err := d.Lstat("", "alias"); err != nil || k != Link {
				t.Errorf("alias: %v, %v", k, err)
			}
		}
		d.Close()
	}
	for _, p := range []string{"out", "a/link", "a/b/file", "none"} {
		if d, err := r.OpenDir(p); err == nil {
			d.Close()
			t.Errorf("%s was opened as a directory", p)
		} else if !IsGone(err) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestStatPath(t *testing.T) {
	dir := testTree(t)
	if st, k := StatPath(filepath.Join(dir, "a/b/alias")); k != Regular || st.Size != 6 {
		t.Errorf("a link is followed to %+v, %v", st, k)
	}
	if st, k := StatPath(filepath.Join(dir, "none")); k != Missing || st.Size != 0 {
		t.Errorf("a missing file: %+v, %v", st, k)
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"a": true, "a/b": true, ".a": true, "a..": true,
		"": false, "/a": false, "..": false, "a/../b": false, "a/./b": false, "a//b": false, "a/": false, "a\x00": false,
	} {
		if Inside(path) != want {
			t.Errorf("Inside(%q) = %v", path, !want)
		}
	}
	if Join("", "a") != "a" || Join("a", "b") != "a/b" {
		t.Error("Join")
	}
}
