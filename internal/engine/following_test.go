package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/engine/source"
	kenstore "ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"
	store "ken/internal/store/sqlite"
)

// follow has p's tree followed, as a server has it.
func follow(t *testing.T, p *project) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("trees are followed on Linux alone")
	}
	if err := os.MkdirAll(filepath.Join(p.root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.e.Follow(ctx)
	}()
	t.Cleanup(func() { cancel(); <-done })
	if p.e.IsFollowed() {
		t.Error("the tree is followed before the first answer")
	}
	p.ask(engine.AsIndexed)
	for end := time.Now().Add(20 * time.Second); !p.e.IsFollowed(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the tree is not followed")
		}
	}
}

// ask asks something.
func (p *project) ask(fresh engine.Freshness) {
	p.t.Helper()
	err := p.e.Answer(context.Background(), fresh, func(context.Context, *view.Snapshot) ([]string, error) { return nil, nil })
	if err != nil {
		p.t.Fatal(err)
	}
}

// current asks, and compares the index of that answer with a fresh one.
func (p *project) current(fresh engine.Freshness) string {
	p.t.Helper()
	p.ask(fresh)
	return differences(p.fresh(), dump(p.t, p.db))
}

// TestFollowStorm changes a tree at random while it is followed: each answer is of the tree as it is.
func TestFollowStorm(t *testing.T) {
	root := t.TempDir()
	w := &worktree{t: t, root: root, rnd: rand.New(rand.NewPCG(8, 8)), git: true}
	w.write("keep/a.go", "package a\n")
	w.write("keep/sub/b.go", "package b\n")
	w.run("init", "-q", "-b", "main")
	w.run("add", "-A")
	w.run("commit", "-q", "-m", "start")
	p := newProject(t, root)
	follow(t, p)
	for i := range envInt("KEN_CHANGES", 60) {
		for range 1 + w.rnd.IntN(3) {
			storm(w, i)
		}
		if d := p.current(engine.Checked); d != "" {
			t.Fatalf("after %d changes: %s", i, d)
		}
	}
	if !p.e.IsFollowed() {
		t.Error("the tree is not followed any more")
	}
}

// TestFollowSees: what changes a listing in a way that is hard to notice.
func TestFollowSees(t *testing.T) {
	for _, c := range []struct {
		name    string
		before  func(w *worktree)
		change  func(w *worktree)
		history int
	}{
		{name: "a file", change: func(w *worktree) { w.write("src/a.go", "package a\n\nfunc New() {}\n") }},
		{name: "an edge", change: func(w *worktree) { w.write("src/a.py", "from b import f\n") }},
		{name: "directories that are filled at once", change: func(w *worktree) { w.write("x/y/z/a.go", "package a\n") }},
		{name: "a directory that comes from elsewhere", change: func(w *worktree) {
			from := w.t.(*testing.T).TempDir()
			do(w.t, os.MkdirAll(filepath.Join(from, "in/deep"), 0o755))
			do(w.t, os.WriteFile(filepath.Join(from, "in/deep/a.go"), []byte("package a\n"), 0o644))
			do(w.t, os.Rename(filepath.Join(from, "in"), w.full("in")))
		}},
		{name: "a directory goes", change: func(w *worktree) { do(w.t, os.RemoveAll(w.full("src"))) }},
		{name: "a link in the place of a directory", change: func(w *worktree) {
			do(w.t, os.Rename(w.full("src"), w.full("moved")))
			do(w.t, os.Symlink("moved", w.full("src")))
		}},
		{name: "ignore rules", change: func(w *worktree) { w.write(".gitignore", "a.go\n") }},
		{name: "ken's ignore rules", change: func(w *worktree) { w.write("src/.kenignore", "a.go\n") }},
		{name: "git's excludes", change: func(w *worktree) { w.write(".git/info/exclude", "a.go\n") }},
		{name: "a setting of git", change: func(w *worktree) {
			w.write("src/rules", "b.py\n")
			w.run("config", "core.excludesFile", w.full("src/rules"))
		}},
		{name: "rules outside of the project", before: func(w *worktree) { w.root = filepath.Join(w.root, "src") }, change: func(w *worktree) {
			do(w.t, os.WriteFile(filepath.Join(filepath.Dir(w.root), ".gitignore"), []byte("a.go\n"), 0o644))
		}},
		{name: "a commit that git's index does not notice", change: func(w *worktree) { w.run("commit", "-q", "--allow-empty", "-m", "more") }},
		{name: "a branch", before: func(w *worktree) {
			w.run("checkout", "-q", "-b", "other")
			for i := range 200 {
				w.write(fmt.Sprintf("d%d/f%d.go", i%20, i), "package a\n")
			}
			w.run("add", "-A")
			w.run("commit", "-q", "-m", "many")
		}, change: func(w *worktree) { w.run("checkout", "-q", "main") }},
		{name: "a repository in the tree", change: func(w *worktree) { w.run("init", "-q", "src") }},
		{name: "a repository in the tree by a file", change: func(w *worktree) {
			w.run("init", "-q", "--separate-git-dir", filepath.Join(w.t.(*testing.T).TempDir(), "git"), "src")
		}},
		{name: "a directory that slowly becomes a repository", before: func(w *worktree) {
			do(w.t, os.MkdirAll(w.full("src/.git/objects"), 0o755))
			do(w.t, os.MkdirAll(w.full("src/.git/refs"), 0o755))
		}, change: func(w *worktree) {
			do(w.t, os.WriteFile(w.full("src/.git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
		}},
		{name: "a repository that is none any more", before: func(w *worktree) { w.run("init", "-q", "src") }, change: func(w *worktree) {
			do(w.t, os.RemoveAll(w.full("src/.git")))
		}},
		{name: "the repository goes", history: -1, before: func(w *worktree) { w.write(".gitignore", "a.go\n") }, change: func(w *worktree) {
			do(w.t, os.RemoveAll(w.full(".git")))
		}},
		{name: "another name of a file", before: func(w *worktree) {
			do(w.t, os.Link(w.full("src/a.go"), filepath.Join(w.t.(*testing.T).TempDir(), "a.go")))
			do(w.t, os.Rename(w.full("src/b.py"), filepath.Join(w.root, ".git", "b.py")))
			do(w.t, os.Link(filepath.Join(w.root, ".git", "b.py"), w.full("src/b.py")))
		}, change: func(w *worktree) {
			do(w.t, os.WriteFile(filepath.Join(w.root, ".git", "b.py"), []byte("def g(): pass\n"), 0o644))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &worktree{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(9, 9)), git: true}
			w.write("src/a.go", "package a\n")
			w.write("src/b.py", "def f(): pass\n")
			w.run("init", "-q", "-b", "main")
			w.run("add", "-A")
			w.run("commit", "-q", "-m", "start")
			if c.before != nil {
				c.before(w)
			}
			// What is left of a history that goes is another matter.
			p := newProjectWith(t, w.root, engine.Options{HistoryCommits: c.history})
			follow(t, p)
			c.change(w)
			if d := p.current(engine.Checked); d != "" {
				t.Error(d)
			}
		})
	}
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFollowNoLook: an answer over a tree that is followed looks only at what was notified. What the file system does not
// notify of, here a change through a name outside of the tree that the file got later, shows that there was no look.
func TestFollowNoLook(t *testing.T) {
	w := &worktree{t: t, root: t.TempDir()}
	w.write("a.go", "package a\n")
	w.write("b.go", "package a\n")
	p := newProject(t, w.root)
	follow(t, p)
	other := filepath.Join(t.TempDir(), "a.go")
	do(t, os.Link(w.full("a.go"), other))
	do(t, os.WriteFile(other, []byte("package a\n\nfunc New() {}\n"), 0o644))
	if d := p.current(engine.Checked); d == "" {
		t.Error("the answer knows what only a look at the tree can find")
	}
	w.write("b.go", "package a\n\nvar V = 1\n") // is notified of, and no more than that is taken over
	if d := p.current(engine.Checked); d == "" || !p.e.IsFollowed() {
		t.Error("a change of one file led to a look at the tree")
	}
}

// TestFollowOthers: other processes that keep the same index do no harm, whatever they know of the tree.
func TestFollowOthers(t *testing.T) {
	p := newProject(t, t.TempDir())
	w := &worktree{t: t, root: p.root}
	follow(t, p)
	other := p.engine(p.db)
	defer other.Close()
	narrow := engine.New(engine.Options{Root: p.root, Store: store.New(p.db), Exclude: []string{"f1.go"}})
	defer narrow.Close()
	for i := range 8 {
		w.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a\n\nvar V%d = %d\n", i, i))
		by, paths := other, []string{fmt.Sprintf("f%d.go", i)}
		switch i % 4 {
		case 1:
			paths = nil
		case 2:
			by, paths = narrow, nil
		case 3:
			continue
		}
		if _, err := by.Update(context.Background(), kenupdate.Request{Paths: paths}); err != nil {
			t.Fatal(err)
		}
		if d := p.current(engine.Checked); d != "" {
			t.Fatalf("after change %d: %s", i, d)
		}
	}
}

// TestDiffering: a file that was written twice in one tick of the clock has the stat that the index knows, and other content.
func TestDiffering(t *testing.T) {
	p := newProject(t, t.TempDir())
	w := &worktree{t: t, root: p.root}
	w.write("a.go", "package a\n\nfunc Old() {}\n")
	w.write("b.go", "package a\n")
	p.update(nil)
	w.write("a.go", "package a\n\nfunc New() {}\n")
	s := store.New(p.db)
	defer s.Close()
	tree := source.New(source.Options{Root: p.root})
	scan, err := tree.Scanner()
	do(t, err)
	do(t, s.Write(context.Background(), func(tx kenstore.Tx) error {
		f, _, err := tx.FileByPath("a.go")
		if err != nil {
			return err
		}
		st, _ := scan.Stat("a.go")
		return tx.Touch(f.ID, st, f.Flags)
	}))
	r, err := s.Read(context.Background())
	do(t, err)
	defer r.Close()
	got, err := tree.ChangedPaths(context.Background(), r, []string{"a.go", "b.go", "none.go"})
	if err != nil || !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("%v, %v", got, err)
	}
}
