package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"

	store "ken/internal/store/sqlite"
)

// indexTree makes or updates the index of a tree in its usual place.
func indexTree(t *testing.T, root string) *kenupdate.Update {
	t.Helper()
	e := engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(root, ".ken", "index.db"))})
	defer e.Close()
	u, err := e.Update(context.Background(), kenupdate.Request{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestSeed begins a worktree's index with that of another one. What comes out
// holds what a fresh index holds, whatever differs between the trees.
func TestSeed(t *testing.T) {
	for seed := range uint64(4) {
		base := t.TempDir()
		w := &worktree{t: t, root: filepath.Join(base, "one"), rnd: rand.New(rand.NewPCG(seed, 5)), mini: miniatures()[int(seed)%len(miniatures())], git: true}
		for _, path := range w.mini.paths {
			w.write(path, w.mini.content(w.rnd, path))
		}
		w.run("init", "-q", "-b", "main")
		w.run("add", "-A")
		w.run("commit", "-q", "-m", "start")
		indexTree(t, w.root)
		w.run("worktree", "add", "-q", "-b", "second", "../two")
		two := &worktree{t: t, root: filepath.Join(base, "two"), rnd: w.rnd, mini: w.mini, git: true}
		for range 6 {
			two.step()
		}
		if u := indexTree(t, two.root); u.Full || u.Reason != "worktree" {
			t.Errorf("seed %d: full %v, reason %q", seed, u.Full, u.Reason)
		}
		p := newProject(t, two.root)
		if diff := differences(p.fresh(), dump(t, filepath.Join(two.root, ".ken", "index.db"))); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
}

// TestSeedRefuses lets everything stand in the way of a copy: the index is built.
func TestSeedRefuses(t *testing.T) {
	for name, spoil := range map[string]func(w *worktree, two string){
		"own salt": func(_ *worktree, two string) { putFile(t, two, ".ken/salt", "01234567890123456789012345678901") },
		"another repository's": func(w *worktree, two string) {
			other := &worktree{t: t, root: filepath.Join(filepath.Dir(two), "other")}
			other.write("x.go", "package x\n")
			other.run("init", "-q")
			indexTree(t, other.root)
			os.RemoveAll(filepath.Join(w.root, ".ken"))
			putFile(t, w.root, ".git/worktrees/evil/gitdir", filepath.Join(other.root, ".git")+"\n")
		},
		"damaged": func(w *worktree, _ string) {
			putFile(t, w.root, ".ken/index.db", "no database, but long enough to be looked at")
		},
		"a link": func(w *worktree, _ string) {
			db := filepath.Join(w.root, ".ken", "index.db")
			os.Rename(db, db+".real")
			os.Symlink(db+".real", db)
		},
		"gone": func(w *worktree, _ string) { os.RemoveAll(filepath.Join(w.root, ".ken")) },
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			w := &worktree{t: t, root: filepath.Join(base, "one")}
			w.write("a.go", "package a\n\nfunc F() {}\n")
			w.run("init", "-q", "-b", "main")
			w.run("add", "-A")
			w.run("commit", "-q", "-m", "start")
			indexTree(t, w.root)
			two := filepath.Join(base, "two")
			w.run("worktree", "add", "-q", "-b", "second", "../two")
			spoil(w, two)
			if u := indexTree(t, two); !u.Full || u.Reason != "missing" {
				t.Errorf("full %v, reason %q", u.Full, u.Reason)
			}
		})
	}
}

func putFile(t *testing.T, root, path, text string) {
	t.Helper()
	(&worktree{t: t, root: root}).write(path, text)
}
