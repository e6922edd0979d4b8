package worktree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git/gittest"
)

// TestLife has one work tree go the whole way.
func TestLife(t *testing.T) {
	p := newProject(t)
	gittest.Write(t, p.dir, "node_modules/x/y.js", "")
	gittest.Write(t, p.dir, ".env", "A=1")
	gittest.Write(t, p.dir, "mine.txt", "of the user\n")
	gittest.Write(t, p.dir, "old.txt", "changed by the user\n")
	gittest.Write(t, p.dir, "staged.txt", "staged by the user\n")
	gittest.Run(t, p.dir, "add", "staged.txt")
	before := status(t, p.dir)
	tree := p.create("t1")
	if got := status(t, p.dir); got != before {
		t.Fatalf("creating changed the user's tree: %s, was %s", got, before)
	}
	if tree.Dir != filepath.Join(p.dir, ".ken/worktrees/t1") || tree.Root != tree.Dir || tree.Base != "refs/heads/main" || tree.State != Open {
		t.Errorf("tree = %+v", tree)
	}
	if got := status(t, tree.Dir); got != "" || gittest.Read(t, tree.Dir, "old.txt") != "old\n" || gittest.Read(t, tree.Dir, "mine.txt") != "<none>" {
		t.Errorf("the work tree is no clean HEAD: %s", got)
	}
	lacks, err := p.MissingFiles(t.Context())
	if err != nil || strings.Join(lacks.Folders, " ") != "node_modules" || strings.Join(lacks.Files, " ") != ".env" {
		t.Errorf("Lacks = %+v, %v", lacks, err)
	}
	project, id, ok := MainRoot(tree.Root)
	if !ok || project != p.dir || id != "t1" {
		t.Errorf("MainRoot = %q, %q, %v", project, id, ok)
	}

	gittest.Write(t, tree.Dir, "a.txt", "ONE\n"+strings.TrimPrefix(gittest.Read(t, tree.Dir, "a.txt"), "one\n"))
	gittest.Write(t, tree.Dir, "neu é/x y.txt", "new\n")
	gittest.Write(t, tree.Dir, "junk.log", "junk\n")
	os.Remove(filepath.Join(tree.Dir, "sub/b.txt"))
	look := p.look(tree)
	if got := changes(look); got != "M a.txt;A junk.log;A neu é/x y.txt;D sub/b.txt;" {
		t.Fatalf("changes: %s", got)
	}
	var choices []Choice
	for _, c := range look.Changes {
		if c.Path != "sub/b.txt" {
			choices = append(choices, Choice{Change: c, Keep: c.Path != "junk.log"})
		}
	}
	done, err := tree.Commit(t.Context(), choices, "the work\n\nbecause")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(done.Committed, " ") != "a.txt neu é/x y.txt" || strings.Join(done.Discarded, " ") != "junk.log" || strings.Join(done.Left, " ") != "sub/b.txt" {
		t.Errorf("done = %+v", done)
	}
	if gittest.Read(t, tree.Dir, "junk.log") != "<none>" {
		t.Error("the discarded file is still there")
	}
	if got := status(t, tree.Dir); got != " D sub/b.txt" {
		t.Errorf("status of the work tree: %q", got)
	}
	if got := gittest.Run(t, tree.Dir, "log", "-1", "--format=%an %s %b"); got != "Tess T the work because" {
		t.Errorf("commit: %q", got)
	}
	if got := changes(p.look(tree)); got != "Mc a.txt;Ac neu é/x y.txt;D sub/b.txt;" {
		t.Errorf("changes after the commit: %s", got)
	}

	r := p.merge("t1")
	if !r.FastForward || r.Updated != p.dir || strings.Join(r.Uncommitted, " ") != "sub/b.txt" {
		t.Errorf("merge = %+v", r)
	}
	if got := status(t, p.dir); got != before {
		t.Errorf("merging changed the user's status to %s, was %s", got, before)
	}
	if !strings.HasPrefix(gittest.Read(t, p.dir, "a.txt"), "ONE\n") || gittest.Read(t, p.dir, "neu é/x y.txt") != "new\n" || gittest.Read(t, p.dir, "old.txt") != "changed by the user\n" {
		t.Error("the files are not as merged")
	}
	if again := p.merge("t1"); !again.Already {
		t.Errorf("merging again = %+v", again)
	}

	cleaned, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || len(cleaned) != 1 || cleaned[0].Removed || cleaned[0].Why != Uncommitted || cleaned[0].Paths[0] != "sub/b.txt" {
		t.Fatalf("Clean = %+v, %v", cleaned, err)
	}
	gittest.Run(t, tree.Dir, "checkout", "-q", "--", "sub/b.txt")
	if cleaned, err = p.Clean(t.Context(), CleanOptions{}); err != nil || !cleaned[0].Removed {
		t.Fatalf("Clean = %+v, %v", cleaned, err)
	}
	p.nothingLeft()
	if got := status(t, p.dir); got != before {
		t.Errorf("cleaning up changed the user's status to %s", got)
	}
}

// TestRefused has each reason for which no work tree is made.
func TestRefused(t *testing.T) {
	isolate(t)
	create := func(p *project, targets ...string) error {
		_, err := p.Create(p.Context(), CreateOptions{ID: "x", Branch: "llm_task_x", Targets: targets})
		if err != nil {
			p.nothingLeft()
		}
		return err
	}
	fresh := func(t *testing.T) *project { return projectAt(t, t.TempDir()) }
	t.Run("no repository", func(t *testing.T) {
		_, err := New(t.TempDir(), fresh(t).git, &mapStore{}, nil)
		(&project{T: t}).refused(err, NoRepository)
	})
	t.Run("bare", func(t *testing.T) {
		p := fresh(t)
		gittest.Run(t, p.dir, "config", "core.bare", "true")
		p.refused(create(p), Bare)
	})
	t.Run("unborn", func(t *testing.T) {
		p := fresh(t)
		gittest.Run(t, p.dir, "checkout", "-q", "--orphan", "näu")
		p.refused(create(p), Unborn, "näu")
	})
	t.Run("detached", func(t *testing.T) {
		p := fresh(t)
		gittest.Run(t, p.dir, "checkout", "-q", "--detach")
		p.refused(create(p), Detached, "check out a branch")
	})
	t.Run("merging", func(t *testing.T) {
		p := fresh(t)
		gittest.Write(t, p.dir, ".git/MERGE_HEAD", gittest.Run(t, p.dir, "rev-parse", "HEAD")+"\n")
		p.refused(create(p), Unfinished)
	})
	t.Run("filters", func(t *testing.T) {
		p := fresh(t)
		gittest.Run(t, p.dir, "config", "filter.up.clean", "tr a-z A-Z; touch "+p.dir+"/ran")
		gittest.Write(t, p.dir, ".gitattributes", "*.none filter=up\n*.txt filter=missing\n")
		if err := create(p); err != nil {
			t.Fatalf("a filter that no file has: %v", err)
		}
		if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
			t.Fatal(err)
		}
		gittest.Write(t, p.dir, ".gitattributes", "sub/* filter=up\n")
		p.refused(create(p), Filters, "sub/b.txt")
		gittest.Write(t, p.dir, ".gitattributes", "")
		gittest.Write(t, p.dir, ".git/info/attributes", "a.txt filter=up\n")
		p.refused(create(p), Filters, "a.txt")
		os.Remove(filepath.Join(p.dir, ".git/info/attributes"))
		gittest.Write(t, os.Getenv("HOME"), ".config/git/attributes", "old.txt filter=up\n")
		defer os.Remove(filepath.Join(os.Getenv("HOME"), ".config/git/attributes"))
		p.refused(create(p), Filters, "old.txt")
		if gittest.Read(t, p.dir, "ran") != "<none>" {
			t.Error("the filter ran")
		}
	})
	t.Run("submodules", func(t *testing.T) {
		p := fresh(t)
		gittest.Run(t, p.dir, "update-index", "--add", "--cacheinfo", "160000,"+gittest.Run(t, p.dir, "rev-parse", "HEAD")+",mod")
		p.refused(create(p), Submodules, "mod")
	})
	t.Run("targets", func(t *testing.T) {
		p := fresh(t)
		gittest.Write(t, p.dir, "a.txt", "dirty\n")
		gittest.Write(t, p.dir, "line\nfeed", "new\n")
		gittest.Write(t, p.dir, ".env", "x")
		p.refused(create(p, "a.txt", "old.txt"), Uncommitted, "a.txt")
		p.refused(create(p, "line\nfeed"), Uncommitted, `"line\nfeed"`)
		p.refused(create(p, ".env"), Uncommitted, ".env")
		p.refused(create(p, "../x"), Occupied)
		p.refused(create(p, "/etc/passwd"), Occupied)
		gittest.Run(t, p.dir, "add", "a.txt")
		p.refused(create(p, "a.txt"), Uncommitted, "a.txt")
		p.refused(create(p, "."), Uncommitted, "a.txt")
		if err := create(p, "old.txt", "sub", "not/there"); err != nil {
			t.Errorf("clean targets: %v", err)
		}
	})
	t.Run("names", func(t *testing.T) {
		p := fresh(t)
		for _, id := range []string{"", "..", "a/b", ".x", "-x", "a\nb", strings.Repeat("x", 81)} {
			_, err := p.Create(t.Context(), CreateOptions{ID: id, Branch: "b"})
			p.refused(err, Occupied)
		}
		for _, b := range []string{"", "-x", "a..b", "a b", "HEAD", "a\nb", "x.lock"} {
			_, err := p.Create(t.Context(), CreateOptions{ID: "x", Branch: b})
			p.refused(err, Occupied)
		}
		_, err := p.Create(t.Context(), CreateOptions{ID: "x", Branch: "main"})
		p.refused(err, Exists)
		if _, err := p.Create(t.Context(), CreateOptions{ID: "x", Branch: "日本/größe"}); err != nil {
			t.Fatal(err)
		}
		_, err = p.Create(t.Context(), CreateOptions{ID: "x", Branch: "other"})
		p.refused(err, Exists)
	})
	t.Run("occupied", func(t *testing.T) {
		p := fresh(t)
		gittest.Write(t, p.dir, ".ken/worktrees/x/file", "")
		_, err := p.Create(t.Context(), CreateOptions{ID: "x", Branch: "b"})
		p.refused(err, Occupied)
		if err := os.RemoveAll(filepath.Join(p.dir, ".ken/worktrees")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(t.TempDir(), filepath.Join(p.dir, ".ken/worktrees")); err != nil {
			t.Fatal(err)
		}
		_, err = p.Create(t.Context(), CreateOptions{ID: "x", Branch: "b"})
		p.refused(err, Occupied)
	})
}

// TestBelow has a project below the top of its repository: paths of targets are the project's, and so is the folder of work trees.
func TestBelow(t *testing.T) {
	p := newProject(t)
	gittest.Write(t, p.dir, "sub/.env", "")
	gittest.Write(t, p.dir, "sub/.ken/index.db", "")
	p.Trees = p.trees(filepath.Join(p.dir, "sub"))
	gittest.Write(t, p.dir, "a.txt", "dirty\n")
	create := func(target string) (*Tree, error) {
		return p.Create(t.Context(), CreateOptions{ID: "t1", Branch: "llm_task_t1", Targets: []string{target}})
	}
	gittest.Write(t, p.dir, "sub/b.txt", "dirty\n")
	_, err := create("b.txt")
	p.refused(err, Uncommitted, "sub/b.txt")
	gittest.Run(t, p.dir, "checkout", "-q", "sub/b.txt")
	tree, err := create("b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if tree.Root != filepath.Join(p.dir, "sub/.ken/worktrees/t1/sub") || gittest.Read(t, tree.Root, "b.txt") != "b\n" {
		t.Errorf("root %s", tree.Root)
	}
	if lacks, err := p.MissingFiles(t.Context()); err != nil || strings.Join(append(lacks.Folders, lacks.Files...), " ") != "sub/.env" {
		t.Errorf("%+v, %v", lacks, err)
	}
	gittest.Write(t, tree.Root, ".ken/.gitignore", "*\n!/.gitignore\n")
	gittest.Write(t, tree.Root, "b.txt", "work\n")
	if got := changes(p.look(tree)); got != "M sub/b.txt;" {
		t.Errorf("changes %s", got)
	}
	p.finalize(tree)
	p.merge("t1")
	if gittest.Read(t, p.dir, "sub/b.txt") != "work\n" || gittest.Read(t, p.dir, "a.txt") != "dirty\n" {
		t.Error("not merged, or too much")
	}
	if c, err := p.Clean(t.Context(), CleanOptions{}); err != nil || !c[0].Removed {
		t.Errorf("%+v, %v", c, err)
	}
	p.nothingLeft()
}

// TestHidden: an index can be made to pass by changes. A look and cleaning up see them.
func TestHidden(t *testing.T) {
	p := newProject(t)
	tree := p.create("t1")
	gittest.Run(t, tree.Dir, "update-index", "--assume-unchanged", "a.txt")
	gittest.Run(t, tree.Dir, "update-index", "--skip-worktree", "old.txt", "sub/b.txt")
	gittest.Run(t, tree.Dir, "update-index", "--assume-unchanged", "sub/b.txt")
	for _, f := range []string{"a.txt", "old.txt", "sub/b.txt"} {
		gittest.Write(t, tree.Dir, f, "hidden\n")
	}
	if got := changes(p.look(tree)); got != "M a.txt;M old.txt;M sub/b.txt;" {
		t.Errorf("changes: %s", got)
	}
	if c, err := p.Clean(t.Context(), CleanOptions{}); err != nil || c[0].Removed || c[0].Why != Uncommitted {
		t.Errorf("%+v, %v", c, err)
	}
	p.finalize(tree)
	p.merge("t1")
	if gittest.Read(t, p.dir, "sub/b.txt")+gittest.Read(t, p.dir, "a.txt") != "hidden\nhidden\n" || status(t, p.dir) != "" {
		t.Errorf("status %q", status(t, p.dir))
	}
}

// TestOtherUser: a folder of another user's is neither used nor removed.
func TestOtherUser(t *testing.T) {
	p := newProject(t)
	tree := p.create("t1")
	if err := os.Chown(tree.Dir, 12345, -1); err != nil {
		t.Skipf("needs to give files away: %v", err)
	}
	_, err := p.Tree(t.Context(), "t1")
	p.refused(err, Occupied, "another user")
	if c, err := p.Clean(t.Context(), CleanOptions{Force: true}); err != nil || c[0].Removed || gittest.Read(t, tree.Dir, "a.txt") == "<none>" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestForged: what is no work tree of ours is never opened or removed.
func TestForged(t *testing.T) {
	p := newProject(t)
	for _, id := range []string{"", "nope", "../../etc", "a b"} {
		if _, err := p.Tree(t.Context(), id); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := p.Merge(t.Context(), id, MergeOptions{}); !errors.Is(err, ErrUnknown) {
			t.Errorf("merge %q: %v", id, err)
		}
		if _, err := p.Clean(t.Context(), CleanOptions{IDs: []string{id}}); !errors.Is(err, ErrUnknown) {
			t.Errorf("clean %q: %v", id, err)
		}
	}
	tree := p.create("t1")
	other := t.TempDir()
	gittest.Write(t, other, "precious", "x")
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(tree.Dir, moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, tree.Dir); err != nil {
		t.Fatal(err)
	}
	_, err := p.Tree(t.Context(), "t1")
	p.refused(err, Occupied)
	for _, force := range []bool{false, true} {
		c, err := p.Clean(t.Context(), CleanOptions{Force: force})
		if err != nil || c[0].Removed || c[0].Why != Occupied {
			t.Errorf("Clean(force %v) = %+v, %v", force, c, err)
		}
	}
	if gittest.Read(t, other, "precious") != "x" {
		t.Error("what the link leads to was removed")
	}
	os.Remove(tree.Dir)
	// A folder whose .git leads into another repository.
	gittest.Write(t, tree.Dir, ".git", "gitdir: "+filepath.Join(projectAt(t, t.TempDir()).dir, ".git")+"\n")
	_, err = p.Tree(t.Context(), "t1")
	p.refused(err, Occupied)
	os.RemoveAll(tree.Dir)
	_, err = p.Tree(t.Context(), "t1")
	p.refused(err, Gone)
	if err := os.Rename(moved, tree.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Tree(t.Context(), "t1"); err != nil {
		t.Error(err)
	}
	gittest.Run(t, tree.Dir, "checkout", "-q", "-b", "elsewhere")
	_, err = p.Tree(t.Context(), "t1")
	p.refused(err, Moved, "elsewhere")
	c, err := p.Clean(t.Context(), CleanOptions{})
	if err != nil || c[0].Removed || c[0].Why != Moved {
		t.Errorf("Clean = %+v, %v", c, err)
	}
	if _, _, ok := MainRoot(filepath.Join(p.dir, ".ken/worktrees/none")); ok {
		t.Error("MainRoot of no work tree")
	}
}
