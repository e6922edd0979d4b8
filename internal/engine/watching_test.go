package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine"
	kenstore "ken/internal/engine/store"
	"ken/internal/engine/view"
)

// ledger is a reader of events: what it believes the tree holds.
type ledger struct {
	mu     sync.Mutex
	tokens map[string]int // by path
	stale  []string
	last   time.Time
	wrong  []string
}

func (l *ledger) take(e engine.WatchEvent) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = time.Now()
	if e.Stale != "" {
		l.stale = append(l.stale, e.Stale)
	}
	if e.Change == nil {
		return nil
	}
	c := e.Change
	_, there := l.tokens[c.Path]
	if there == (c.Type == code.Added) {
		l.wrong = append(l.wrong, fmt.Sprintf("%s %s, known %v", c.Type, c.Path, there))
	}
	l.tokens[c.Path] += c.TokenDelta
	if c.Type == code.Deleted {
		if l.tokens[c.Path] != 0 {
			l.wrong = append(l.wrong, fmt.Sprintf("%s went with %d tokens left", c.Path, l.tokens[c.Path]))
		}
		delete(l.tokens, c.Path)
	}
	return nil
}

// watched starts a watcher over p and a ledger of what it holds now.
func watched(t *testing.T, p *project, opt engine.WatchOptions) *ledger {
	t.Helper()
	l := &ledger{tokens: p.tokens()}
	ctx, cancel := context.WithCancel(context.Background())
	started, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- p.e.Watch(ctx, opt, func(e engine.WatchEvent) error {
			if e.Started != nil {
				close(started)
			}
			return l.take(e)
		})
	}()
	select {
	case <-started:
	case err := <-done:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("watch ended: %v", err)
		}
	})
	return l
}

// tokens returns the tokens of each indexed file.
func (p *project) tokens() map[string]int {
	p.t.Helper()
	out := map[string]int{}
	err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			out[f.Path] = int(f.O200K)
		}
		return nil, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// check waits until the ledger says what a fresh index says.
func (l *ledger) check(t *testing.T, p *project) {
	t.Helper()
	want := freshTokens(t, p.root)
	var got map[string]int
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		l.mu.Lock()
		got = maps.Clone(l.tokens)
		l.mu.Unlock()
		if maps.Equal(got, want) {
			break
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what the events say is not what there is (-is +said):\n%s", d)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wrong) > 0 {
		t.Errorf("%d events contradict those before, first %s", len(l.wrong), l.wrong[0])
	}
}

func freshTokens(t *testing.T, root string) map[string]int {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("cp", "-r", root+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".ken")); err != nil {
		t.Fatal(err)
	}
	return newProject(t, dir).tokens()
}

func quick() engine.WatchOptions {
	return engine.WatchOptions{Debounce: 20 * time.Millisecond, MaxDelay: 200 * time.Millisecond, Poll: 50 * time.Millisecond}
}

// TestWatchStorm changes a tree at random, KEN_CHANGES times, while it is
// watched: nothing is missed, and memory does not grow with the changes.
func TestWatchStorm(t *testing.T) {
	for _, mode := range []struct {
		name string
		opt  engine.WatchOptions
	}{{"notified", quick()}, {"polling", engine.WatchOptions{Debounce: time.Millisecond, Poll: 50 * time.Millisecond, MaxDirs: 1}}} {
		t.Run(mode.name, func(t *testing.T) {
			root := t.TempDir()
			w := &worktree{t: t, root: root, rnd: rand.New(rand.NewPCG(7, 7)), git: true}
			w.write("keep/a.go", "package a\n")
			w.write("keep/sub/b.go", "package b\n")
			w.run("init", "-q", "-b", "main")
			w.run("add", "-A")
			w.run("commit", "-q", "-m", "start")
			p := newProject(t, root)
			l := watched(t, p, mode.opt)
			n := envInt("KEN_CHANGES", 300)
			var heap []uint64
			start := time.Now()
			for i := range n {
				storm(w, i)
				if i%max(1, n/10) == 0 {
					var m runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&m)
					heap = append(heap, m.HeapInuse>>10)
				}
				if i%20 == 19 { // let some batches end in the middle
					time.Sleep(time.Duration(w.rnd.IntN(60)) * time.Millisecond)
				}
			}
			took := time.Since(start)
			l.check(t, p)
			t.Logf("%d changes in %v; heap in use, KB: %v; stale %v", n, took.Round(time.Millisecond), heap, count(l.stale))
		})
	}
}

func count(list []string) map[string]int {
	out := map[string]int{}
	for _, s := range list {
		out[s]++
	}
	return out
}

// storm makes one random change, as editors, builds and git make them.
func storm(w *worktree, i int) {
	dirs := []string{"keep", "keep/sub", "new", "new/deep/er", "other"}
	dir := dirs[w.rnd.IntN(len(dirs))]
	path := fmt.Sprintf("%s/f%d.go", dir, w.rnd.IntN(12))
	abs := filepath.Join(w.root, path)
	switch w.rnd.IntN(12) {
	case 0:
		_ = os.Remove(abs)
	case 1:
		_ = os.RemoveAll(filepath.Join(w.root, "new"))
	case 2: // an editor's save: a new file takes the old one's name
		w.write(path+".tmp~", fmt.Sprintf("package s\n\nfunc S%d() {}\n", i))
		_ = os.Rename(abs+".tmp~", abs)
	case 3:
		_ = os.Rename(filepath.Join(w.root, "other"), filepath.Join(w.root, "moved"))
		_ = os.RemoveAll(filepath.Join(w.root, "moved", "x"))
	case 4:
		_ = os.RemoveAll(filepath.Join(w.root, "moved"))
	case 5:
		w.write(".gitignore", []string{"", "*.log\n", "other/\n"}[w.rnd.IntN(3)])
	case 6:
		w.write(dir+"/noise.log", strings.Repeat("x", w.rnd.IntN(50)))
	default:
		w.write(path, fmt.Sprintf("package a\n\nvar v = %d\n\nfunc F%d() {}\n", i, w.rnd.IntN(5)))
	}
}

// TestWatchBranch switches branches: one batch, told as stale first.
func TestWatchBranch(t *testing.T) {
	root := t.TempDir()
	w := &worktree{t: t, root: root, rnd: rand.New(rand.NewPCG(1, 1)), git: true}
	for i := range 200 {
		w.write(fmt.Sprintf("d%d/f%d.go", i%20, i), "package a\n")
	}
	w.run("init", "-q", "-b", "main")
	w.run("add", "-A")
	w.run("commit", "-q", "-m", "start")
	w.run("checkout", "-q", "-b", "other")
	for i := range 200 {
		w.write(fmt.Sprintf("d%d/f%d.go", i%20, i), "package a\n\nfunc F() {}\n")
	}
	w.run("commit", "-q", "-a", "-m", "changed")
	p := newProject(t, root)
	l := watched(t, p, quick())
	w.run("checkout", "-q", "main")
	l.check(t, p)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.stale, "branch") {
		t.Errorf("told %v", l.stale)
	}
}

// TestWatchOthers lets another engine update the index first.
func TestWatchOthers(t *testing.T) {
	p := newProject(t, t.TempDir())
	w := &worktree{t: t, root: p.root}
	l := watched(t, p, engine.WatchOptions{Debounce: 300 * time.Millisecond})
	for i := range 5 {
		w.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a\n\nvar V%d = %d\n", i, i))
		p.update(nil)
	}
	l.check(t, p)
	if err := p.e.Watch(context.Background(), quick(), func(engine.WatchEvent) error { return nil }); !errors.Is(err, kenstore.ErrWatched) {
		t.Errorf("a second watcher: %v", err)
	}
}
