package worktree

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/git/gittest"
)

// worked is a project with a work tree that has a commit.
func worked(t *testing.T, write func(dir string)) (*project, *Tree) {
	t.Helper()
	p := newProject(t)
	tree := p.create("t1")
	write(tree.Dir)
	p.finalize(tree)
	return p, tree
}

func (p *project) commitAll(message string) {
	p.Helper()
	gittest.Run(p, p.dir, "add", "-A")
	gittest.Run(p, p.dir, "commit", "-qm", message)
}

// TestMergeMoved merges into a base that went on, and says of both sides where they do not fit.
func TestMergeMoved(t *testing.T) {
	p, tree := worked(t, func(dir string) {
		gittest.Write(t, dir, "a.txt", strings.Replace(gittest.Read(t, dir, "a.txt"), "two", "TWO", 1))
		gittest.Write(t, dir, "sub/new.txt", "new\n")
		os.Remove(filepath.Join(dir, "old.txt"))
	})
	gittest.Write(t, p.dir, "a.txt", strings.Replace(gittest.Read(t, p.dir, "a.txt"), "nine", "NINE", 1))
	p.commitAll("the base goes on")
	gittest.Write(t, p.dir, "sub/b.txt", "changed and not committed\n")
	r := p.merge("t1")
	if r.FastForward || r.Updated != p.dir {
		t.Errorf("merge = %+v", r)
	}
	if got := gittest.Read(t, p.dir, "a.txt"); !strings.Contains(got, "TWO") || !strings.Contains(got, "NINE") || gittest.Read(t, p.dir, "old.txt") != "<none>" {
		t.Errorf("a.txt: %s", got)
	}
	if got := status(t, p.dir); got != " M sub/b.txt" {
		t.Errorf("status: %q", got)
	}
	if got := gittest.Run(t, p.dir, "log", "-1", "--format=%s %p"); !strings.HasPrefix(got, "Merge branch 'llm_task_t1' into main ") || strings.Count(got, " ") != 6 {
		t.Errorf("the merge commit: %s", got)
	}
	if got := changes(p.look(tree)); got != "" {
		t.Errorf("changes after the merge: %s", got)
	}
}

// TestConflict: nothing is merged, the work tree is told how to go on, and going on so ends well.
func TestConflict(t *testing.T) {
	p, tree := worked(t, func(dir string) {
		gittest.Write(t, dir, "a.txt", strings.Replace(gittest.Read(t, dir, "a.txt"), "two", "TWO", 1))
		gittest.Write(t, dir, "both.txt", "theirs\n")
		os.Remove(filepath.Join(dir, "old.txt"))
	})
	gittest.Write(t, p.dir, "a.txt", strings.Replace(gittest.Read(t, p.dir, "a.txt"), "two", "zwei", 1))
	gittest.Write(t, p.dir, "both.txt", "ours\n")
	gittest.Write(t, p.dir, "old.txt", "new\n")
	p.commitAll("the base goes on")
	before, head := status(t, p.dir), gittest.Run(t, p.dir, "rev-parse", "HEAD")
	_, err := p.Merge(t.Context(), "t1", MergeOptions{})
	var c *ConflictError
	if !errors.As(err, &c) || len(c.Files) != 3 {
		t.Fatalf("err = %v", err)
	}
	want := []Conflict{{Path: "a.txt", Base: "changed", Branch: "changed"}, {Path: "both.txt", Base: "added", Branch: "added"}, {Path: "old.txt", Base: "changed", Branch: "deleted"}}
	for i, f := range c.Files {
		if f.Path != want[i].Path || f.Base != want[i].Base || f.Branch != want[i].Branch || len(f.Notes) == 0 {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
	if !strings.Contains(err.Error(), "git merge main") || !strings.Contains(err.Error(), tree.Dir) {
		t.Errorf("it does not say how to go on: %v", err)
	}
	if status(t, p.dir) != before || gittest.Run(t, p.dir, "rev-parse", "HEAD") != head {
		t.Error("something was changed")
	}
	merge := exec.Command("git", "merge", "main")
	merge.Dir = tree.Dir
	if merge.Run() == nil {
		t.Fatal("git sees no conflict")
	}
	if _, err := p.Merge(t.Context(), "t1", MergeOptions{}); RefusalReason(err) != Unfinished {
		t.Errorf("during a merge: %v", err)
	}
	cleaned, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || cleaned[0].Why != Unfinished {
		t.Errorf("cleaning up during a merge: %+v %v", cleaned, err)
	}
	gittest.Write(t, tree.Dir, "a.txt", strings.Replace(gittest.Read(t, p.dir, "a.txt"), "zwei", "TWO zwei", 1))
	gittest.Write(t, tree.Dir, "both.txt", "both\n")
	gittest.Run(t, tree.Dir, "rm", "-q", "--cached", "old.txt")
	os.Remove(filepath.Join(tree.Dir, "old.txt"))
	gittest.Run(t, tree.Dir, "add", "a.txt", "both.txt")
	gittest.Run(t, tree.Dir, "commit", "-qm", "resolved")
	if got := changes(p.look(tree)); got != "Mc a.txt;Mc both.txt;Dc old.txt;" {
		t.Errorf("after taking in the base the work is %s", got)
	}
	if r := p.merge("t1"); !r.FastForward || gittest.Read(t, p.dir, "both.txt") != "both\n" || status(t, p.dir) != "" {
		t.Errorf("merge = %+v, %s", r, status(t, p.dir))
	}
}

// TestMergeRefused: files of the user's are never overwritten, staged or not, tracked or not.
func TestMergeRefused(t *testing.T) {
	change := func(dir string) {
		gittest.Write(t, dir, "a.txt", "changed\n")
		gittest.Write(t, dir, "new/x.txt", "new\n")
		os.Remove(filepath.Join(dir, "old.txt"))
	}
	for name, row := range map[string]struct {
		do    func(dir string)
		paths string
	}{
		"changed": {func(dir string) { gittest.Write(t, dir, "a.txt", "mine\n") }, "a.txt"},
		"staged":  {func(dir string) { gittest.Write(t, dir, "a.txt", "mine\n"); gittest.Run(t, dir, "add", "a.txt") }, "a.txt"},
		"staged and put back": {func(dir string) {
			was := gittest.Read(t, dir, "a.txt")
			gittest.Write(t, dir, "a.txt", "mine\n")
			gittest.Run(t, dir, "add", "a.txt")
			gittest.Write(t, dir, "a.txt", was)
		}, ""},
		"not tracked": {func(dir string) { gittest.Write(t, dir, "new/x.txt", "mine\n") }, "new/x.txt"},
		"ignored": {func(dir string) {
			gittest.Write(t, dir, ".git/info/exclude", "new/\n")
			gittest.Write(t, dir, "new/x.txt", "mine\n")
		}, "new/x.txt"},
		"hidden": {func(dir string) {
			gittest.Write(t, dir, "a.txt", "mine\n")
			gittest.Run(t, dir, "update-index", "--skip-worktree", "a.txt")
		}, "a.txt"},
		"assumed": {func(dir string) {
			gittest.Write(t, dir, "a.txt", "mine\n")
			gittest.Run(t, dir, "update-index", "--assume-unchanged", "a.txt")
		}, "a.txt"},
		"removed": {func(dir string) { os.Remove(filepath.Join(dir, "a.txt")) }, "a.txt"},
		"ignored, a file for a folder": {func(dir string) {
			gittest.Write(t, dir, ".git/info/exclude", "new\n")
			gittest.Write(t, dir, "new", "mine\n")
		}, "new"},
		"changed, to go":      {func(dir string) { gittest.Write(t, dir, "old.txt", "mine\n") }, "old.txt"},
		"a file for a folder": {func(dir string) { gittest.Write(t, dir, "new", "mine\n") }, ""},
		"a folder for a file": {func(dir string) { os.Remove(filepath.Join(dir, "a.txt")); gittest.Write(t, dir, "a.txt/x", "mine\n") }, ""},
		"a link for a folder": {func(dir string) { os.Symlink(t.TempDir(), filepath.Join(dir, "new")) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := worked(t, change)
			row.do(p.dir)
			before, head := status(t, p.dir), gittest.Run(t, p.dir, "rev-parse", "HEAD")
			_, err := p.Merge(t.Context(), "t1", MergeOptions{})
			p.refused(err, Uncommitted, row.paths)
			if status(t, p.dir) != before || gittest.Run(t, p.dir, "rev-parse", "HEAD") != head {
				t.Errorf("something was changed: %q, was %q", status(t, p.dir), before)
			}
			if r, _ := p.store.Worktree(t.Context(), "t1"); r.State != Open {
				t.Errorf("state %s", r.State)
			}
			if _, err := os.Lstat(filepath.Join(p.dir, ".git/index.lock")); err == nil {
				t.Error("the index stays locked")
			}
		})
	}
}

// TestMergeSame: files that the user has made as the merge has them are taken as they are.
func TestMergeSame(t *testing.T) {
	p, _ := worked(t, func(dir string) {
		gittest.Write(t, dir, "a.txt", "changed\n")
		gittest.Write(t, dir, "new/x.txt", "new\n")
		os.Remove(filepath.Join(dir, "old.txt"))
	})
	gittest.Write(t, p.dir, "a.txt", "changed\n")
	gittest.Write(t, p.dir, "new/x.txt", "new\n")
	os.Remove(filepath.Join(p.dir, "old.txt"))
	if p.merge("t1"); status(t, p.dir) != "" {
		t.Errorf("status %q", status(t, p.dir))
	}
}

// TestBase has the base elsewhere, gone, moved back or checked out nowhere.
func TestBase(t *testing.T) {
	change := func(dir string) { gittest.Write(t, dir, "a.txt", "changed\n") }
	t.Run("checked out nowhere", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Run(t, p.dir, "checkout", "-q", "-b", "other")
		gittest.Write(t, p.dir, "a.txt", "mine\n")
		if r := p.merge("t1"); r.Updated != "" || gittest.Read(t, p.dir, "a.txt") != "mine\n" {
			t.Errorf("%+v", r)
		}
		if got := gittest.Run(t, p.dir, "show", "main:a.txt"); got != "changed" {
			t.Errorf("main has %q", got)
		}
	})
	t.Run("in another work tree", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Run(t, p.dir, "checkout", "-q", "-b", "other")
		second := filepath.Join(t.TempDir(), "zweit é")
		gittest.Run(t, p.dir, "worktree", "add", "-q", second, "main")
		gittest.Write(t, second, "a.txt", "mine\n")
		_, err := p.Merge(t.Context(), "t1", MergeOptions{})
		p.refused(err, Uncommitted, "a.txt", "zweit")
		gittest.Run(t, second, "checkout", "-q", "a.txt")
		if r := p.merge("t1"); !strings.HasSuffix(r.Updated, "zweit é") || gittest.Read(t, second, "a.txt") != "changed\n" || status(t, second) != "" || status(t, p.dir) != "" {
			t.Errorf("%+v, %q", r, status(t, second))
		}
	})
	t.Run("deleted", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Run(t, p.dir, "checkout", "-q", "-b", "other")
		gittest.Run(t, p.dir, "branch", "-D", "main")
		_, err := p.Merge(t.Context(), "t1", MergeOptions{})
		p.refused(err, Gone, "git branch main")
		c, err := p.Clean(t.Context(), CleanOptions{})
		if err != nil || c[0].Why != Unmerged {
			t.Errorf("%+v, %v", c, err)
		}
		gittest.Run(t, p.dir, "branch", "kept", "llm_task_t1")
		if c, err = p.Clean(t.Context(), CleanOptions{}); err != nil || !c[0].Removed {
			t.Errorf("what another branch has is not lost: %+v, %v", c, err)
		}
	})
	t.Run("written anew", func(t *testing.T) {
		p, tree := worked(t, change)
		gittest.Run(t, p.dir, "commit", "-q", "--amend", "-m", "first, in other words")
		if got := changes(p.look(tree)); got != "Mc a.txt;" {
			t.Errorf("changes: %s", got)
		}
		_, err := p.Merge(t.Context(), "t1", MergeOptions{})
		if err == nil || status(t, p.dir) != "" { // histories without a common commit: git merges none
			t.Errorf("err = %v, status %q", err, status(t, p.dir))
		}
	})
	t.Run("merging", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Write(t, p.dir, ".git/MERGE_HEAD", gittest.Run(t, p.dir, "rev-parse", "HEAD")+"\n")
		_, err := p.Merge(t.Context(), "t1", MergeOptions{})
		p.refused(err, Unfinished)
	})
	t.Run("sparse", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Run(t, p.dir, "sparse-checkout", "set", "sub")
		_, err := p.Merge(t.Context(), "t1", MergeOptions{})
		p.refused(err, Sparse)
	})
	t.Run("locked by git", func(t *testing.T) {
		p, _ := worked(t, change)
		gittest.Write(t, p.dir, ".git/index.lock", "")
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := p.Merge(ctx, "t1", MergeOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
		if gittest.Read(t, p.dir, ".git/index.lock") != "" {
			t.Error("git's lock was taken away")
		}
		time.AfterFunc(100*time.Millisecond, func() { os.Remove(filepath.Join(p.dir, ".git/index.lock")) })
		p.merge("t1")
	})
	t.Run("line ends", func(t *testing.T) {
		p := newProject(t)
		gittest.Run(t, p.dir, "config", "core.autocrlf", "true")
		tree := p.create("t1")
		gittest.Write(t, tree.Dir, "a.txt", "one\r\ntwo\r\n")
		p.finalize(tree)
		p.merge("t1")
		if gittest.Read(t, p.dir, "a.txt") != "one\r\ntwo\r\n" || status(t, p.dir) != "" || gittest.Run(t, p.dir, "show", "HEAD:a.txt") != "one\ntwo" {
			t.Errorf("%q, status %q", gittest.Read(t, p.dir, "a.txt"), status(t, p.dir))
		}
	})
	t.Run("kinds of files", func(t *testing.T) {
		p, _ := worked(t, func(dir string) {
			os.Remove(filepath.Join(dir, "a.txt"))
			os.Symlink("sub/b.txt", filepath.Join(dir, "a.txt"))
			os.RemoveAll(filepath.Join(dir, "sub"))
			gittest.Write(t, dir, "sub", "now a file\n")
			os.Remove(filepath.Join(dir, "old.txt"))
			gittest.Write(t, dir, "old.txt/deep", "now a folder\n")
			gittest.Write(t, dir, "run.sh", "#!/bin/sh\n")
			os.Chmod(filepath.Join(dir, "run.sh"), 0o755)
		})
		p.merge("t1")
		if st, err := os.Lstat(filepath.Join(p.dir, "run.sh")); status(t, p.dir) != "" || gittest.Read(t, p.dir, "old.txt/deep") != "now a folder\n" || err != nil || st.Mode().Perm()&0o111 == 0 {
			t.Errorf("status %q", status(t, p.dir))
		}
	})
}
