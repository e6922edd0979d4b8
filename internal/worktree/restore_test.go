package worktree

import (
	"errors"
	"os"
	"testing"

	"ken/internal/git/gittest"
)

// goneTree returns a project with a work tree of one commit, whose folder was removed.
func goneTree(t *testing.T) (*project, *Tree) {
	p := newProject(t)
	tree := p.create("t1")
	gittest.Write(t, tree.Dir, "a.txt", "changed\n")
	gittest.Write(t, tree.Dir, "new/x", "x\n")
	gittest.Commit(t, tree.Dir, "work")
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	return p, tree
}

func TestRestore(t *testing.T) {
	for name, forget := range map[string]func(p *project){
		"folder removed":        func(*project) {},
		"git forgot it as well": func(p *project) { gittest.Run(p, p.dir, "worktree", "prune") },
	} {
		t.Run(name, func(t *testing.T) {
			p, tree := goneTree(t)
			forget(p)
			for range 2 { // the second time it is there
				again, err := p.Restore(t.Context(), "t1")
				if err != nil || again.State != Open || again.Dir != tree.Dir {
					t.Fatalf("%+v, %v", again, err)
				}
				if status(t, again.Dir) != "" || gittest.Read(t, again.Dir, "new/x") != "x\n" || gittest.Read(t, again.Dir, "a.txt") != "changed\n" {
					t.Errorf("status %q", status(t, again.Dir))
				}
			}
			p.merge("t1")
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Run("no such tree", func(t *testing.T) {
		p := newProject(t)
		if _, err := p.Restore(t.Context(), "t1"); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
	})
	t.Run("branch gone", func(t *testing.T) {
		p, _ := goneTree(t)
		gittest.Run(t, p.dir, "worktree", "prune")
		gittest.Run(t, p.dir, "branch", "-qD", "llm_task_t1")
		if _, err := p.Restore(t.Context(), "t1"); RefusalReason(err) != Gone {
			t.Error(err)
		}
	})
	t.Run("forgotten by git, with files", func(t *testing.T) {
		p := newProject(t)
		tree := p.create("t1")
		gittest.Write(t, tree.Dir, "a.txt", "precious\n")
		if err := os.RemoveAll(p.dir + "/.git/worktrees/t1"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Restore(t.Context(), "t1"); RefusalReason(err) != Gone || gittest.Read(t, tree.Dir, "a.txt") != "precious\n" {
			t.Error(err)
		}
	})
	for _, s := range []State{Creating, Removing, Merging} {
		p, tree := goneTree(t)
		r := tree.Record
		r.State = s
		p.store.kept["t1"] = r
		if _, err := p.Restore(t.Context(), "t1"); RefusalReason(err) != Interrupted {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// TestKilledRestore leaves of a work tree what a kill at each moment of its restoring leaves, and then restores, merges or removes it.
func TestKilledRestore(t *testing.T) {
	leaves := map[string]func(p *project, tree *Tree){
		"decided":            func(*project, *Tree) {},
		"git's folder gone":  func(p *project, _ *Tree) { gittest.Run(p, p.dir, "worktree", "prune") },
		"half git's folder":  func(p *project, _ *Tree) { os.Remove(p.dir + "/.git/worktrees/t1/gitdir") },
		"empty folder":       func(p *project, tree *Tree) { os.Mkdir(tree.Dir, 0o755) },
		"folder, no files":   func(p *project, tree *Tree) { addAgain(p, tree) },
		"folder, some files": func(p *project, tree *Tree) { addAgain(p, tree); gittest.Write(p, tree.Dir, "a.txt", "chan") },
	}
	ends := map[string]func(p *project) error{
		"restored": func(p *project) error { _, err := p.Restore(p.Context(), "t1"); return err },
		"merged": func(p *project) error {
			_, err := p.Merge(p.Context(), "t1", MergeOptions{})
			if c, cerr := p.Clean(p.Context(), CleanOptions{}); err == nil && (cerr != nil || !c[0].Removed) {
				p.Errorf("%+v, %v", c, cerr)
			}
			return err
		},
		"kept": func(p *project) error {
			c, err := p.Clean(p.Context(), CleanOptions{})
			if err == nil && (c[0].Removed || c[0].Why != Unmerged) {
				p.Errorf("%+v", c)
			}
			return err
		},
	}
	for name, leave := range leaves {
		for how, end := range ends {
			t.Run(name+", "+how, func(t *testing.T) {
				p, tree := goneTree(t)
				r := tree.Record
				r.State = Restoring
				p.store.kept["t1"] = r
				leave(p, tree)
				if err := end(p); err != nil {
					t.Fatal(err)
				}
				if how != "merged" {
					again, err := p.Restore(t.Context(), "t1")
					if err != nil || status(t, again.Dir) != "" || gittest.Read(t, again.Dir, "new/x") != "x\n" {
						t.Fatalf("%+v, %v", again, err)
					}
					p.merge("t1")
				}
				if gittest.Read(t, p.dir, "a.txt") != "changed\n" || status(t, p.dir) != "" {
					t.Errorf("a.txt is %q, status %q", gittest.Read(t, p.dir, "a.txt"), status(t, p.dir))
				}
			})
		}
	}
}

func addAgain(p *project, tree *Tree) {
	gittest.Run(p, p.dir, "worktree", "prune")
	gittest.Run(p, p.dir, "worktree", "add", "-q", "--no-checkout", tree.Dir, "llm_task_t1")
}
