package foldercommit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git/gittest"
)

// asUser sets who commits.
func asUser(t *testing.T, dir string) {
	t.Helper()
	gittest.Run(t, dir, "config", "user.name", "t")
	gittest.Run(t, dir, "config", "user.email", "t@example.com")
}

func commitNamed(t *testing.T, dir, message string, paths ...string) string {
	t.Helper()
	p, err := MakeNamedPlan(context.Background(), mustFind(t, dir), paths)
	if err != nil {
		t.Fatal(err)
	}
	id, err := p.Commit(context.Background(), message)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestNamedFilesAlone: of all that changed and is staged, what is named is committed and nothing else.
func TestNamedFilesAlone(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	asUser(t, dir)
	gittest.Write(t, dir, "top.txt", "1\n")
	gittest.Write(t, dir, "a/b/c.txt", "1\n")
	gittest.Write(t, dir, "a/gone.txt", "1\n")
	// The first commit of a branch.
	commitNamed(t, dir, "first", "a", "top.txt")
	equal(t, "status", status(t, dir), "")

	gittest.Write(t, dir, "top.txt", "2\n")
	gittest.Write(t, dir, "a/b/c.txt", "2\n")
	gittest.Write(t, dir, "a/b/staged.txt", "staged\n")
	gittest.Run(t, dir, "add", "a/b")
	gittest.Write(t, dir, "a/b/c.txt", "3\n") // named, and staged in an older version
	gittest.WriteScript(t, dir, "new.txt", "new\n")
	commitNamed(t, dir, "second", "a/b/c.txt", "new.txt")
	equal(t, "shown", shownFiles(t, dir), "second\n\nM\ta/b/c.txt\nA\tnew.txt")
	equal(t, "text", gittest.Run(t, dir, "show", "HEAD:a/b/c.txt"), "3")
	equal(t, "status", status(t, dir), "A  a/b/staged.txt\n M top.txt")

	// A folder that is named takes what is gone with it; a file takes the place of a folder.
	os.Remove(filepath.Join(dir, "a/gone.txt"))
	os.RemoveAll(filepath.Join(dir, "a/b"))
	gittest.Write(t, dir, "a/b", "now a file\n")
	commitNamed(t, dir, "third", "a")
	equal(t, "shown", shownFiles(t, dir), "third\n\nA\ta/b\nD\ta/b/c.txt\nD\ta/gone.txt")
	equal(t, "status", status(t, dir), " M top.txt")
	gittest.Run(t, dir, "fsck", "--strict")
}

// TestAmendKeepsAuthorAndMessage: the commit is made anew with the named files in it.
func TestAmendKeepsAuthorAndMessage(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "a.txt", "1\n")
	gittest.Run(t, dir, "add", "a.txt")
	gittest.Run(t, dir, "commit", "-q", "--author", "Other <o@example.com>", "-m", "subject\n\nbody")
	asUser(t, dir)
	gittest.Write(t, dir, "b.txt", "2\n")
	p, err := MakeNamedPlan(context.Background(), mustFind(t, dir), []string{"b.txt"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Amend(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "log", gittest.Run(t, dir, "log", "--format=%an %cn %B"), "Other t subject\n\nbody")
	equal(t, "files", gittest.Run(t, dir, "ls-tree", "-r", "--name-only", "HEAD"), "a.txt\nb.txt")
	equal(t, "status", status(t, dir), "")
	gittest.Run(t, dir, "fsck", "--strict")
}

// TestNamedNothingHostile: names that lead elsewhere, too many of them, and a repository that is merging.
func TestNamedNothingHostile(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	asUser(t, dir)
	gittest.Write(t, dir, "a.txt", "1\n")
	commitNamed(t, dir, "first", "a.txt")
	r := mustFind(t, dir)
	if _, err := MakeNamedPlan(context.Background(), r, make([]string, maxNames+1)); !errors.Is(err, ErrRefused) {
		t.Errorf("too many: %v", err)
	}
	if _, err := MakeNamedPlan(context.Background(), r, []string{"../x"}); err == nil {
		t.Error("a name outside was taken")
	}
	if p, err := MakeNamedPlan(context.Background(), r, []string{"*"}); err != nil || len(p.Changes) != 0 {
		t.Errorf("a pattern: %v", err)
	}
	gittest.Write(t, dir, ".git/MERGE_HEAD", strings.Repeat("0", 40)+"\n")
	if _, err := MakeNamedPlan(context.Background(), r, []string{"a.txt"}); !errors.Is(err, ErrRefused) {
		t.Errorf("merging: %v", err)
	}
}

// TestNamedRunsNoProgram: a configuration that names programs everywhere starts none.
func TestNamedRunsNoProgram(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, canaries := evilRepo(t)
	asUser(t, dir)
	gittest.Write(t, dir, ".gitattributes", "")
	gittest.Write(t, dir, "new.txt", "1\n")
	commitNamed(t, dir, "second", "new.txt", ".gitattributes")
	if found, _ := os.ReadDir(canaries); len(found) > 0 {
		t.Errorf("ran %v", found)
	}
}
