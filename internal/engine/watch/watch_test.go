package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// soon is how long a test waits for what should come at once: long, because the
// machine may be busy.
const soon = 10 * time.Second

// patient is for changes that are to come in one batch, however slow the machine.
var patient = Options{Debounce: 300 * time.Millisecond, MaxDelay: soon}

// project is a tree under watch.
type project struct {
	t    *testing.T
	root string
	w    *Watcher
}

// watchTree watches a tree with the directories "", "src" and "src/deep", and a
// git directory.
func watchTree(t *testing.T, opt Options) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, root: root}
	for _, dir := range []string{"src/deep", ".git/info", ".ken"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.write("src/a.go", "package a\n")
	opt.Root, opt.GitDir = root, filepath.Join(root, ".git")
	opt.Fences = cmp.Or(opt.Fences, filepath.Join(root, ".ken"))
	if opt.Debounce == 0 {
		opt.Debounce = 20 * time.Millisecond
	}
	p.w = New(opt)
	t.Cleanup(func() { p.w.Close() })
	if err := p.w.Limit(); err != nil {
		t.Skip("no notifications here: ", err)
	}
	return p
}

func (p *project) follow() *project {
	p.t.Helper()
	if n := p.w.SetDirs([]string{"", "src", "src/deep"}); n != 3 || p.w.Dirs() != 3 {
		p.t.Fatalf("%d directories are new, %d watched", n, p.w.Dirs())
	}
	return p
}

func (p *project) path(rel string) string { return filepath.Join(p.root, filepath.FromSlash(rel)) }

func (p *project) write(rel, text string) {
	p.t.Helper()
	if err := os.WriteFile(p.path(rel), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// together makes changes that come in one batch, however slow the machine: while git holds its index no batch ends, and it does so until
// their notifications are taken.
func (p *project) together(change func()) {
	p.t.Helper()
	p.write(".git/index.lock", "")
	change()
	if err := p.w.Fence(p.t.Context(), soon); runtime.GOOS == "linux" {
		p.do(err)
	}
	p.do(os.Remove(p.path(".git/index.lock")))
}

// next waits for a batch.
func (p *project) next() Batch {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), soon)
	defer cancel()
	b, err := p.w.Next(ctx)
	if err != nil {
		p.t.Fatalf("no batch came: %v", err)
	}
	return b
}

// quiet checks that no batch comes.
func (p *project) quiet() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 150*time.Millisecond)
	defer cancel()
	if b, err := p.w.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		p.t.Errorf("a batch came: %+v, %v", b, err)
	}
}

// TestPaths: changes of files come as their paths, all since the last batch in one.
func TestPaths(t *testing.T) {
	t.Parallel()
	p := watchTree(t, patient).follow()
	p.together(func() {
		p.write("src/b.go", "package a\n")
		p.write("src/a.go", "package b\n")
		p.write("src/deep/c.go", "package c\n")
	})
	if b := p.next(); b.Reason != "" || !slices.Equal(b.Paths, []string{"src/a.go", "src/b.go", "src/deep/c.go"}) {
		t.Errorf("three files: %+v", b)
	}
	p.do(os.Remove(p.path("src/a.go")))
	if b := p.next(); b.Reason != "" || !slices.Equal(b.Paths, []string{"src/a.go"}) {
		t.Errorf("a file goes: %+v", b)
	}
	p.together(func() { p.do(os.Rename(p.path("src/b.go"), p.path("src/d.go"))) })
	if b := p.next(); b.Reason != "" || !slices.Equal(b.Paths, []string{"src/b.go", "src/d.go"}) {
		t.Errorf("a file is renamed: %+v", b)
	}
	p.quiet()
}

// TestReasons: what asks for a look at the whole tree, and why.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		change       func(p *project)
	}{
		{"a directory is made", Directories, func(p *project) { p.do(os.Mkdir(p.path("src/new"), 0o755)) }},
		{"a directory goes", Directories, func(p *project) { p.do(os.RemoveAll(p.path("src/deep"))) }},
		{"a directory moves", Directories, func(p *project) { p.do(os.Rename(p.path("src/deep"), p.path("moved"))) }},
		{"ignore rules", Directories, func(p *project) { p.write("src/.gitignore", "*.o\n") }},
		{"ken's own rules", Directories, func(p *project) { p.write(".kenignore", "*.o\n") }},
		{"git's excludes", Directories, func(p *project) { p.write(".git/info/exclude", "*.o\n") }},
		{"a checkout", Branch, func(p *project) { p.write(".git/HEAD", "ref: refs/heads/other\n") }},
		{"git add", GitIndex, func(p *project) { p.write(".git/index", "DIRC") }},
		{"many files", Many, func(p *project) {
			for i := range maxPaths + 1 {
				p.write(fmt.Sprintf("src/f%d.go", i), "package a\n")
			}
		}},
		{"a checkout of many files", Branch, func(p *project) {
			p.write(".git/HEAD", "ref: refs/heads/other\n")
			p.write(".git/index", "DIRC")
			p.write("src/a.go", "package b\n")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := watchTree(t, patient).follow()
			p.together(func() { c.change(p) })
			if b := p.next(); b.Reason != c.reason || b.Paths != nil {
				t.Errorf("%+v, want %s", b, c.reason)
			}
		})
	}
}

// TestUnseen: what neither git nor ken lists makes no batch.
func TestUnseen(t *testing.T) {
	p := watchTree(t, Options{}).follow()
	p.write(".git/config", "[core]\n")
	p.write(".git/info/attributes", "* text\n")
	p.do(os.Chmod(p.path("src/deep"), 0o700))
	p.do(os.Mkdir(p.path(".git/objects"), 0o755))
	p.quiet()
}

// TestSetDirs: directories that are not listed any more are watched no more, and
// one that moved does not report under its old name.
func TestSetDirs(t *testing.T) {
	p := watchTree(t, Options{}).follow()
	if n := p.w.SetDirs([]string{"", "src", "src/deep"}); n != 0 {
		t.Errorf("%d of the same directories are new", n)
	}
	if n := p.w.SetDirs([]string{"", "none"}); n != 0 || p.w.Dirs() != 1 {
		t.Errorf("%d directories are new, %d watched; one is missing", n, p.w.Dirs())
	}
	p.write("src/a.go", "package c\n")
	p.quiet()
	p.add("src", "src/deep")
	p.do(os.Rename(p.path("src"), p.path("lib")))
	if b := p.next(); b.Reason != Directories {
		t.Errorf("a directory moves: %+v", b)
	}
	if n := p.w.SetDirs([]string{"", "lib", "lib/deep"}); n != 2 || p.w.Dirs() != 3 {
		t.Errorf("%d directories are new, %d watched", n, p.w.Dirs())
	}
	p.write("lib/deep/d.go", "package d\n")
	if b := p.next(); !slices.Equal(b.Paths, []string{"lib/deep/d.go"}) {
		t.Errorf("after the move: %+v", b)
	}
}

// add watches directories beside the root.
func (p *project) add(dirs ...string) {
	p.t.Helper()
	if n := p.w.SetDirs(append([]string{""}, dirs...)); n != len(dirs) {
		p.t.Fatalf("%d directories are new, want %d", n, len(dirs))
	}
}

// TestHeld: while git holds its index no batch ends.
func TestHeld(t *testing.T) {
	p := watchTree(t, patient).follow()
	p.write(".git/index.lock", "")
	p.write("src/a.go", "package b\n")
	time.Sleep(2 * patient.Debounce)
	p.quiet()
	p.write("src/b.go", "package b\n")
	p.do(os.Remove(p.path(".git/index.lock")))
	if b := p.next(); !slices.Equal(b.Paths, []string{"src/a.go", "src/b.go"}) {
		t.Errorf("after the lock: %+v", b)
	}
}

// TestMaxDelay: a file that is written all the time does not hold a batch back.
func TestMaxDelay(t *testing.T) {
	p := watchTree(t, Options{Debounce: time.Hour, MaxDelay: 50 * time.Millisecond}).follow()
	p.write("src/a.go", "package b\n")
	if b := p.next(); !slices.Equal(b.Paths, []string{"src/a.go"}) {
		t.Errorf("%+v", b)
	}
}

// TestPolling: with more directories than are to be watched, and where the system
// grants no more, every so often a look is asked for instead.
func TestPolling(t *testing.T) {
	p := watchTree(t, Options{MaxDirs: 2, Poll: time.Millisecond})
	if n := p.w.SetDirs([]string{"", "src", "src/deep"}); n != 0 || p.w.Dirs() != 0 || !errors.Is(p.w.Limit(), errLimit) {
		t.Fatalf("%d directories are new, %d watched, limit %v", n, p.w.Dirs(), p.w.Limit())
	}
	for range 2 {
		if b := p.next(); b.Reason != Polling || b.Paths != nil {
			t.Errorf("%+v", b)
		}
	}
	if n := p.w.SetDirs([]string{""}); n != 0 {
		t.Errorf("%d directories are watched again", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.w.opt.Poll = time.Hour
	if _, err := p.w.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while polling: %v", err)
	}
	if err := p.w.Close(); err != nil {
		t.Error(err)
	}
	for err, want := range map[error]bool{
		syscall.ENOSPC: true, syscall.EMFILE: true, &os.PathError{Op: "watch", Path: "x", Err: syscall.ENFILE}: true, syscall.ENOMEM: true,
		syscall.ENOENT: false, syscall.EACCES: false,
	} {
		if isExhausted(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}

// TestOverflow: lost notifications outweigh all that came.
func TestOverflow(t *testing.T) {
	p := watchTree(t, Options{})
	p.w.note("src/a.go", "")
	p.w.fs.Errors <- fsnotify.ErrEventOverflow
	p.w.fs.Errors <- errors.New("something else")
	for _, reason := range []string{Branch, Many, Directories, GitIndex} {
		p.w.note("", reason)
	}
	p.w.note("src/b.go", "")
	if b := p.next(); b.Reason != Overflow || b.Paths != nil {
		t.Errorf("%+v", b)
	}
	p.quiet()
}

// TestCancel: both waits end with their context, and what was collected stays.
func TestCancel(t *testing.T) {
	p := watchTree(t, Options{Debounce: time.Hour, MaxDelay: time.Hour}).follow()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.w.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("before anything came: %v", err)
	}
	p.w.note("src/a.go", "")
	if _, err := p.w.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("while it settles: %v", err)
	}
	p.w.opt.MaxDelay = time.Nanosecond
	p.w.note("src/b.go", "")
	if b := p.next(); strings.Join(b.Paths, " ") != "src/a.go src/b.go" {
		t.Errorf("%+v", b)
	}
}

// TestDefaults: zero values are the documented ones.
func TestDefaults(t *testing.T) {
	w := New(Options{Root: t.TempDir()})
	defer w.Close()
	if o := w.opt; o.Debounce != 150*time.Millisecond || o.MaxDelay != time.Second || o.Poll != 2*time.Second {
		t.Errorf("%+v", o)
	}
	if w.gitBusy() {
		t.Error("a tree without git is busy")
	}
}
