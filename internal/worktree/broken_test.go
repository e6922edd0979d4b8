package worktree

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

// breaking is a git that works some times and never again, so that what was begun ends there, and cannot be taken back either.
func breaking(t *testing.T, times int) git.Git {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	gittest.Write(t, dir, "count", fmt.Sprint(times))
	script := filepath.Join(dir, "git")
	text := "#!/bin/sh\nn=$(cat '" + count + "')\n[ \"$n\" -gt 0 ] || exit 99\necho $((n-1)) >'" + count + "'\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return git.Git{Bin: script}
}

// TestBroken has git break after every number of runs, in every step, and the step done again with a git that works.
func TestBroken(t *testing.T) {
	every := 1
	if os.Getenv("KEN_ACCEPT") == "" {
		every = 9
	}
	for n := 0; ; n += every {
		if n > 100 {
			t.Fatal("it never got through")
		}
		p := newProject(t)
		gittest.Write(t, p.dir, "sub/b.txt", "changed by the user\n")
		gittest.Write(t, p.dir, "staged.txt", "staged\n")
		gittest.Run(t, p.dir, "add", "staged.txt")
		before, head := status(t, p.dir), gittest.Run(t, p.dir, "rev-parse", "HEAD")
		good := p.Trees.git
		whole := true
		broken := func(do func() error) { // with a git that breaks, then with one that works
			t.Helper()
			p.Trees.git = breaking(t, n)
			err := do()
			p.Trees.git = good
			whole = whole && err == nil
		}
		create := func() error {
			_, err := p.Create(t.Context(), CreateOptions{ID: "t1", Branch: "llm_task_t1"})
			return err
		}
		broken(create)
		if _, err := p.Tree(t.Context(), "t1"); err != nil {
			if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
				t.Fatal(n, err)
			}
			p.nothingLeft()
			if err := create(); err != nil {
				t.Fatal(n, err)
			}
		}
		tree, err := p.Tree(t.Context(), "t1")
		if err != nil {
			t.Fatal(n, err)
		}
		gittest.Write(t, tree.Dir, "a.txt", "the work\n")
		gittest.Write(t, tree.Dir, "new/x", "new\n")
		gittest.Write(t, tree.Dir, "junk", "junk\n")
		os.Remove(filepath.Join(tree.Dir, "old.txt"))
		commit := func() error {
			tree, err := p.Tree(t.Context(), "t1")
			if err != nil {
				return err
			}
			look, err := tree.Look(t.Context())
			if err != nil {
				return err
			}
			defer look.Close()
			var choices []Choice
			for _, c := range look.Changes {
				choices = append(choices, Choice{Change: c, Keep: c.Path != "junk"})
			}
			_, err = tree.Commit(t.Context(), choices, "work")
			return err
		}
		broken(commit)
		if err := commit(); err != nil {
			t.Fatal(n, err)
		}
		if got := status(t, tree.Dir); got != "" || gittest.Read(t, tree.Dir, "junk") != "<none>" {
			t.Errorf("%d: the work tree's status %q", n, got)
		}
		if gittest.Run(t, p.dir, "rev-parse", "HEAD") != head || status(t, p.dir) != before {
			t.Errorf("%d: the user's tree changed before the merge: %q", n, status(t, p.dir))
		}
		merge := func() error {
			_, err := p.Merge(t.Context(), "t1", MergeOptions{NoFastForward: n%2 == 0})
			return err
		}
		broken(merge)
		if err := merge(); err != nil {
			t.Fatal(n, err)
		}
		if status(t, p.dir) != before || gittest.Read(t, p.dir, "a.txt") != "the work\n" || gittest.Read(t, p.dir, "old.txt") != "<none>" || gittest.Read(t, p.dir, "new/x") != "new\n" {
			t.Errorf("%d: after the merge %q, was %q", n, status(t, p.dir), before)
		}
		clean := func() error {
			_, err := p.Clean(t.Context(), CleanOptions{})
			return err
		}
		broken(clean)
		if err := clean(); err != nil {
			t.Fatal(n, err)
		}
		p.nothingLeft()
		if whole {
			t.Logf("nothing broke from %d runs of git a step on", n)
			return
		}
	}
}

// TestKilledMerge leaves the user's tree as a kill at each moment of a merge leaves it, and merges again.
func TestKilledMerge(t *testing.T) {
	for name, leave := range map[string]func(p *project, into string){
		"some files": func(p *project, into string) {
			gittest.Run(p, p.dir, "checkout", into, "--", "a.txt")
			gittest.Run(p, p.dir, "reset", "-q")
		},
		"all files": func(p *project, into string) {
			gittest.Run(p, p.dir, "checkout", into, "--", ".")
			os.Remove(filepath.Join(p.dir, "old.txt"))
			gittest.Run(p, p.dir, "reset", "-q")
		},
		"and index":    func(p *project, into string) { gittest.Run(p, p.dir, "read-tree", "-m", "-u", "HEAD", into) },
		"and the base": func(p *project, into string) { gittest.Run(p, p.dir, "merge", "-q", "--ff-only", into) },
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := worked(t, func(dir string) {
				gittest.Write(t, dir, "a.txt", "the work\n")
				gittest.Write(t, dir, "new/x", "new\n")
				os.Remove(filepath.Join(dir, "old.txt"))
			})
			r, err := p.store.Worktree(t.Context(), "t1")
			if err != nil {
				t.Fatal(err)
			}
			into := gittest.Run(t, p.dir, "rev-parse", "llm_task_t1")
			r.State, r.From, r.Into, r.Tip = Merging, gittest.Run(t, p.dir, "rev-parse", "main"), into, into
			p.store.kept["t1"] = r
			leave(p, into)
			gittest.Write(t, p.dir, ".git/index.lock", lockMark+"t1\n")
			gittest.Write(t, p.dir, ".git/"+workName+"123/index", "")
			if got := p.merge("t1"); got.Already || got.From != r.From {
				t.Errorf("%+v", got)
			}
			if status(t, p.dir) != "" || gittest.Read(t, p.dir, "old.txt") != "<none>" || gittest.Run(t, p.dir, "rev-parse", "main") != into {
				t.Errorf("status %q", status(t, p.dir))
			}
			if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
				t.Fatal(err)
			}
			p.nothingLeft()
		})
	}
}

// halfMerged is a project with two finished work trees, both with a line of a.txt; the merge of t1 was killed after its files were moved.
func halfMerged(t *testing.T) (p *project, into string) {
	p, _ = worked(t, func(dir string) {
		gittest.Write(t, dir, "a.txt", strings.Replace(gittest.Read(t, dir, "a.txt"), "two", "TWO", 1))
		gittest.Write(t, dir, "new/x", "new\n")
	})
	other := p.create("t2")
	gittest.Write(t, other.Dir, "a.txt", strings.Replace(gittest.Read(t, other.Dir, "a.txt"), "nine", "NINE", 1))
	p.finalize(other)
	r, err := p.store.Worktree(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	into = gittest.Run(t, p.dir, "rev-parse", "llm_task_t1")
	r.State, r.From, r.Into, r.Tip = Merging, gittest.Run(t, p.dir, "rev-parse", "main"), into, into
	p.store.kept["t1"] = r
	gittest.Run(t, p.dir, "checkout", into, "--", ".")
	gittest.Run(t, p.dir, "reset", "-q")
	gittest.Write(t, p.dir, ".git/index.lock", lockMark+"t1\n")
	return p, into
}

// both reports whether the work of both is in the project, and nothing else is changed.
func (p *project) both() {
	p.Helper()
	text := gittest.Read(p, p.dir, "a.txt")
	if got := status(p.T, p.dir); got != "" || !strings.Contains(text, "TWO") || !strings.Contains(text, "NINE") || gittest.Read(p, p.dir, "new/x") != "new\n" {
		p.Errorf("status %q, a.txt %q", got, text)
	}
}

// TestKilledMergeOfOther merges where the merge of another work tree was killed, whose files would be taken for changes of the user's.
func TestKilledMergeOfOther(t *testing.T) {
	t.Run("finished first", func(t *testing.T) {
		p, into := halfMerged(t)
		if got := p.merge("t2"); strings.Join(got.Finished, " ") != "llm_task_t1" || got.From != into {
			t.Errorf("%+v", got)
		}
		p.both()
		if got := p.merge("t1"); !got.Already {
			t.Errorf("%+v", got)
		}
	})
	t.Run("git's lock is left", func(t *testing.T) {
		p, _ := halfMerged(t)
		gittest.Write(t, p.dir, ".git/refs/heads/main.lock", "")
		for _, id := range []string{"t1", "t2", "t2", "t1"} {
			if _, err := p.Merge(t.Context(), id, MergeOptions{}); err == nil || id == "t1" && !strings.Contains(err.Error(), "remove the file") {
				t.Fatalf("%s: %v", id, err)
			}
		}
		os.Remove(filepath.Join(p.dir, ".git/refs/heads/main.lock"))
		p.merge("t2")
		p.both()
	})
	t.Run("its branch went on", func(t *testing.T) {
		p, _ := halfMerged(t)
		tree, err := p.Tree(t.Context(), "t1")
		if err != nil {
			t.Fatal(err)
		}
		gittest.Write(t, tree.Dir, "new/x", "newer\n")
		p.finalize(tree)
		p.merge("t1")
		if got := gittest.Read(t, p.dir, "new/x"); got != "newer\n" || status(t, p.dir) != "" {
			t.Errorf("%q, status %q", got, status(t, p.dir))
		}
	})
	t.Run("the base went on", func(t *testing.T) { // by hand, so the files in the user's tree are the user's to decide about
		p, _ := halfMerged(t)
		os.Remove(filepath.Join(p.dir, ".git/index.lock"))
		gittest.Run(t, p.dir, "checkout", "-q", "--", "a.txt")
		os.RemoveAll(filepath.Join(p.dir, "new"))
		gittest.Run(t, p.dir, "commit", "-q", "--allow-empty", "-m", "by hand")
		if got := p.merge("t2"); len(got.Finished) > 0 {
			t.Errorf("%+v", got)
		}
		p.merge("t1")
		p.both()
	})
	t.Run("another is made", func(t *testing.T) {
		p, into := halfMerged(t)
		tree, err := p.Create(t.Context(), CreateOptions{ID: "t3", Branch: "llm_task_t3", Targets: []string{"a.txt"}})
		if err != nil || tree.Start != into {
			t.Fatalf("%+v, %v", tree, err)
		}
	})
	t.Run("removed", func(t *testing.T) {
		p, into := halfMerged(t)
		if c, err := p.Clean(t.Context(), CleanOptions{IDs: []string{"t1"}}); err != nil || !c[0].Removed {
			t.Fatalf("%+v, %v", c, err)
		}
		if got := gittest.Run(t, p.dir, "rev-parse", "main"); got != into || status(t, p.dir) != "" {
			t.Errorf("main is at %s, status %q", got, status(t, p.dir))
		}
		p.merge("t2")
		p.both()
	})
	t.Run("removed by force is taken back", func(t *testing.T) {
		for name, leave := range map[string]func(p *project, into string){
			"all files":  func(*project, string) {},
			"some files": func(p *project, _ string) { gittest.Run(p, p.dir, "checkout", "HEAD", "--", "a.txt") },
			"and index": func(p *project, into string) {
				gittest.Run(p, p.dir, "checkout", "-q", "HEAD", "--", "a.txt")
				os.RemoveAll(filepath.Join(p.dir, "new"))
				gittest.Run(p, p.dir, "read-tree", "-m", "-u", "HEAD", into)
			},
		} {
			p, into := halfMerged(t)
			os.Remove(filepath.Join(p.dir, ".git/index.lock"))
			leave(p, into)
			gittest.Write(t, p.dir, ".git/index.lock", lockMark+"t1\n")
			if c, err := p.Clean(t.Context(), CleanOptions{IDs: []string{"t1"}, Force: true}); err != nil || !c[0].Removed {
				t.Fatalf("%s: %+v, %v", name, c, err)
			}
			if got := status(t, p.dir); got != "" || gittest.Read(t, p.dir, "new/x") != "<none>" || strings.Contains(gittest.Read(t, p.dir, "a.txt"), "TWO") {
				t.Errorf("%s: status %q", name, got)
			}
			p.merge("t2")
		}
	})
	t.Run("removed by force", func(t *testing.T) {
		p, _ := halfMerged(t)
		gittest.Write(t, p.dir, "new/x", "the user's\n")
		if c, err := p.Clean(t.Context(), CleanOptions{IDs: []string{"t1"}}); err != nil || c[0].Why != Uncommitted {
			t.Fatalf("%+v, %v", c, err)
		}
		if c, err := p.Clean(t.Context(), CleanOptions{IDs: []string{"t1"}, Force: true}); err != nil || !c[0].Removed {
			t.Fatalf("%+v, %v", c, err)
		}
		if _, err := os.Lstat(filepath.Join(p.dir, ".git/index.lock")); err == nil || gittest.Read(t, p.dir, "new/x") != "the user's\n" {
			t.Error("the index is still locked, or a file of the user's was changed")
		}
	})
}

// TestKilledClean leaves of a work tree what a kill at each moment of its removal leaves.
func TestKilledClean(t *testing.T) {
	for name, leave := range map[string]func(p *project, tree *Tree){
		"decided":     func(*project, *Tree) {},
		"folder away": func(p *project, tree *Tree) { os.Rename(tree.Dir, p.dir+"/.ken/worktrees/.removing-t1") },
		"half a folder away": func(p *project, tree *Tree) {
			os.Rename(tree.Dir, p.dir+"/.ken/worktrees/.removing-t1")
			os.Remove(p.dir + "/.ken/worktrees/.removing-t1/.git")
		},
		"folder gone": func(p *project, tree *Tree) { os.RemoveAll(tree.Dir) },
		"git's folder away": func(p *project, tree *Tree) {
			os.RemoveAll(tree.Dir)
			os.Rename(p.dir+"/.git/worktrees/t1", p.dir+"/.git/ken-work-removed-t1")
			os.Remove(p.dir + "/.git/ken-work-removed-t1/gitdir")
		},
		"branch gone": func(p *project, tree *Tree) {
			os.RemoveAll(tree.Dir)
			os.RemoveAll(p.dir + "/.git/worktrees/t1")
			gittest.Run(p, p.dir, "branch", "-D", "llm_task_t1")
		},
		"all gone": func(p *project, tree *Tree) {
			os.RemoveAll(p.dir + "/.ken/worktrees")
			os.RemoveAll(p.dir + "/.git/worktrees")
			gittest.Run(p, p.dir, "branch", "-D", "llm_task_t1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			tree := p.create("t1")
			r := tree.Record
			r.State = Removing
			p.store.kept["t1"] = r
			leave(p, tree)
			if c, err := p.Clean(t.Context(), CleanOptions{}); err != nil || !c[0].Removed {
				t.Fatalf("%+v, %v", c, err)
			}
			p.nothingLeft()
		})
	}
}

// TestKilledCreate leaves of git's folder what a git leaves that is killed while it makes a work tree.
func TestKilledCreate(t *testing.T) {
	for _, files := range []map[string]string{{}, {"locked": ""}, {"locked": "initializing"}, {"locked": "initializing", "gitdir": ""}, {"locked": "initializing", "gitdir": "?"}} {
		p := newProject(t)
		head := gittest.Run(t, p.dir, "rev-parse", "HEAD")
		p.store.kept["t1"] = Record{ID: "t1", Branch: "refs/heads/llm_task_t1", Base: "refs/heads/main", Start: head, Tip: head, State: Creating}
		gittest.Run(t, p.dir, "branch", "llm_task_t1")
		if err := os.MkdirAll(filepath.Join(p.dir, ".git/worktrees/t1"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if text == "?" {
				text = filepath.Join(p.dir, ".ken/worktrees/t1/.git") + "\n"
			}
			gittest.Write(t, p.dir, ".git/worktrees/t1/"+name, text)
		}
		if c, err := p.Clean(t.Context(), CleanOptions{}); err != nil || !c[0].Removed {
			t.Fatalf("%v: %+v, %v", files, c, err)
		}
		p.nothingLeft()
	}
	// One with a lock of the user's, or of another work tree of the same name, is not ken's.
	p := newProject(t)
	p.store.kept["t1"] = Record{ID: "t1", Branch: "refs/heads/llm_task_t1", State: Creating}
	gittest.Write(t, p.dir, ".git/worktrees/t1/locked", "on a disk that is away")
	if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil || gittest.Read(t, p.dir, ".git/worktrees/t1/locked") != "on a disk that is away" {
		t.Errorf("err = %v", err)
	}
}

// TestLostFolder: what is left of a work tree whose folder somebody removed is cleaned up, and its commits are not lost.
func TestLostFolder(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "a.txt", "work\n") })
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	c, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || c[0].Removed || c[0].Why != Unmerged || !strings.Contains(c[0].Text, "llm_task_t1") {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err = p.Clean(t.Context(), CleanOptions{Force: true}); err != nil || !c[0].Removed {
		t.Fatalf("%+v, %v", c, err)
	}
	p.nothingLeft()
}

// TestForce removes what would be lost only when it is asked to.
func TestForce(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "a.txt", "work\n") })
	other := p.create("t2")
	gittest.Write(t, other.Dir, "x", "not committed\n")
	gittest.Write(t, tree.Dir, "ignored/.env", "x")
	c, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || len(c) != 2 || c[0].Why != Unmerged || c[1].Why != Uncommitted {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err = p.Clean(t.Context(), CleanOptions{IDs: []string{"t2"}, Force: true}); err != nil || len(c) != 1 || !c[0].Removed {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err = p.Clean(t.Context(), CleanOptions{Force: true}); err != nil || !c[0].Removed {
		t.Fatalf("%+v, %v", c, err)
	}
	p.nothingLeft()
}
