package worktree

import (
	"os"
	"testing"

	"ken/internal/git/gittest"
)

// TestMergeLeaves: what is the base's stays as the base has it, whatever the branch did, and no conflict comes of it.
func TestMergeLeaves(t *testing.T) {
	p, tree := worked(t, func(dir string) {
		gittest.Write(t, dir, "a.txt", "overwritten\n")
		gittest.Write(t, dir, "added.txt", "not wanted\n")
		gittest.Write(t, dir, "sub/b.txt", "work\n")
		os.Remove(dir + "/old.txt")
	})
	gittest.Write(t, p.dir, "a.txt", "the base's own\n")
	p.commitAll("the base goes on")
	look := p.look(tree)
	r, err := p.Merge(t.Context(), "t1", MergeOptions{NoFastForward: true, Tip: look.Head, Leave: []string{"a.txt", "added.txt", "old.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := gittest.Read(t, p.dir, "a.txt"), gittest.Read(t, p.dir, "sub/b.txt"); a != "the base's own\n" || b != "work\n" {
		t.Errorf("a.txt %q, b.txt %q", a, b)
	}
	if gittest.Read(t, p.dir, "added.txt") != "<none>" || gittest.Read(t, p.dir, "old.txt") != "old\n" {
		t.Error("paths that were to be left alone were not")
	}
	if parents := gittest.Run(t, p.dir, "rev-parse", r.Into+"^2"); parents != look.Head {
		t.Errorf("the merge names %s and not the branch %s", parents, look.Head)
	}
	if got := status(t, p.dir); got != "" {
		t.Errorf("status: %q", got)
	}
}

// TestMergeMoves: a file of the branch comes to another place, also where the base has renamed the folder around it.
func TestMergeMoves(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "sub/new.txt", "new\n") })
	gittest.Run(t, p.dir, "mv", "sub", "other")
	p.commitAll("renamed")
	_, err := p.Merge(t.Context(), "t1", MergeOptions{Tip: p.look(tree).Head, Move: map[string]string{"sub/new.txt": "other/there.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	if gittest.Read(t, p.dir, "other/there.txt") != "new\n" || gittest.Read(t, p.dir, "sub/new.txt") != "<none>" || status(t, p.dir) != "" {
		t.Errorf("status: %q", status(t, p.dir))
	}
}

// TestMergeOfAFolderThatIsGone: the commits of a work tree whose folder somebody removed are merged, and it is cleaned up.
func TestMergeOfAFolderThatIsGone(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "sub/new.txt", "new\n") })
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	p.merge("t1")
	if gittest.Read(t, p.dir, "sub/new.txt") != "new\n" {
		t.Error("the commit was not merged")
	}
	done, err := p.Clean(t.Context(), CleanOptions{IDs: []string{"t1"}})
	if err != nil || len(done) != 1 || !done[0].Removed {
		t.Fatalf("%+v %v", done, err)
	}
	p.nothingLeft()
}

// TestMergeOfWhatWasLookedAt: a branch with a later commit is not merged.
func TestMergeOfWhatWasLookedAt(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "sub/new.txt", "new\n") })
	tip := p.look(tree).Head
	gittest.Write(t, tree.Dir, "sub/later.txt", "later\n")
	p.finalize(tree)
	_, err := p.Merge(t.Context(), "t1", MergeOptions{Tip: tip})
	p.refused(err, Changed)
}

// TestKeep: a further branch holds the work, so that removing the work tree loses nothing.
func TestKeep(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "sub/new.txt", "new\n") })
	tip, err := p.BranchTip(t.Context(), "t1")
	if err != nil || tip != p.look(tree).Head {
		t.Fatal(tip, err)
	}
	for range 2 { // a crash may have come before its caller knew
		if err := p.KeepBranch(t.Context(), "t1", "kept"); err != nil {
			t.Fatal(err)
		}
	}
	p.refused(p.KeepBranch(t.Context(), "t1", "main"), Exists)
	done, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || len(done) != 1 || !done[0].Removed || gittest.Run(t, p.dir, "rev-parse", "kept") != tip {
		t.Fatalf("%+v %v", done, err)
	}
	p.nothingLeft()
}

// TestCleanLeavesAFolderThatGitForgot: without git's folder for it nobody can say what in a work tree is committed, so its files stay.
func TestCleanLeavesAFolderThatGitForgot(t *testing.T) {
	p, tree := worked(t, func(dir string) { gittest.Write(t, dir, "sub/new.txt", "new\n") })
	p.merge("t1")
	gittest.Write(t, tree.Dir, "sub/only-here.txt", "not committed\n")
	if err := os.RemoveAll(p.dir + "/.git/worktrees/t1"); err != nil {
		t.Fatal(err)
	}
	done, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || len(done) != 1 || done[0].Removed || done[0].Why != Gone {
		t.Fatalf("%+v %v", done, err)
	}
	if gittest.Read(t, tree.Dir, "sub/only-here.txt") != "not committed\n" {
		t.Error("a file is lost")
	}
}
