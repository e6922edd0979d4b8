package foldercommit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

const knowledge = ".ken/knowledge"

// noted is a repository with a committed file, and a folder of which one file is committed.
func noted(t *testing.T) string {
	t.Helper()
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Run(t, dir, "config", "user.name", "t")
	gittest.Run(t, dir, "config", "user.email", "t@example.com")
	gittest.Write(t, dir, "a.go", "package a\n")
	gittest.Write(t, dir, "b/c/d.go", "package c\n")
	gittest.Write(t, dir, ".ken/config.yml", "exclude: []\n")
	gittest.Write(t, dir, knowledge+"/old.md", "old\n")
	gittest.Write(t, dir, knowledge+"/gone.md", "gone\n")
	gittest.Run(t, dir, "add", "-A", "-f")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	return dir
}

// commitAll plans and commits the folder, and holds the repository to be sound afterwards.
func commitAll(t *testing.T, dir string) (*Plan, string) {
	t.Helper()
	r := mustFind(t, dir)
	p, err := MakePlan(context.Background(), r, knowledge)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Changes) == 0 {
		return p, ""
	}
	id, err := p.Commit(context.Background(), "m [skip ci]")
	if err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "fsck", "--strict")
	if got := gittest.Run(t, dir, "rev-parse", "HEAD"); got != id {
		t.Fatalf("HEAD is %s, not %s", got, id)
	}
	return p, id
}

func status(t *testing.T, dir string) string {
	t.Helper()
	return gittest.Run(t, dir, "status", "--porcelain", "--untracked-files=all")
}

func shownFiles(t *testing.T, dir string) string {
	t.Helper()
	return gittest.Run(t, dir, "show", "--format=%s", "--name-status", "--no-renames", "HEAD")
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func TestCommitFolder(t *testing.T) {
	dir := noted(t)
	gittest.Write(t, dir, knowledge+"/old.md", "new\n")
	gittest.Write(t, dir, knowledge+"/e/f/page.md", "page\n")
	gittest.Write(t, dir, knowledge+"/odd \"näme\"\t\\.md", "odd\n")
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	// What is staged and changed elsewhere stays so.
	gittest.Write(t, dir, "staged.go", "package a\n")
	gittest.Run(t, dir, "add", "staged.go")
	gittest.Write(t, dir, "a.go", "package a // changed\n")
	gittest.Run(t, dir, "rm", "-q", "--cached", "b/c/d.go")
	commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/e/f/page.md\nD\t.ken/knowledge/gone.md\n"+
		"A\t\".ken/knowledge/odd \\\"n\\303\\244me\\\"\\t\\\\.md\"\nM\t.ken/knowledge/old.md")
	equal(t, "status", status(t, dir), " M a.go\nD  b/c/d.go\nA  staged.go\n?? b/c/d.go")
	equal(t, "reflog", gittest.Run(t, dir, "reflog", "-1", "--format=%gs"), "commit: m [skip ci]")
	if _, id := commitAll(t, dir); id != "" {
		t.Error("there was something to commit again")
	}
}

// TestCommitFolderStaged: somebody is in the middle of something in the folder itself.
func TestCommitFolderStaged(t *testing.T) {
	dir := noted(t)
	gittest.Write(t, dir, knowledge+"/old.md", "staged\n")
	gittest.Write(t, dir, knowledge+"/whole.md", "whole\n")
	gittest.Write(t, dir, knowledge+"/part.md", "part\n")
	gittest.Write(t, dir, knowledge+"/meant.md", "meant\n")
	gittest.Run(t, dir, "add", knowledge+"/old.md", knowledge+"/whole.md", knowledge+"/part.md")
	gittest.Run(t, dir, "add", "-N", knowledge+"/meant.md")
	gittest.Run(t, dir, "rm", "-q", "--cached", knowledge+"/gone.md")
	gittest.Write(t, dir, knowledge+"/old.md", "more\n")
	gittest.Write(t, dir, knowledge+"/part.md", "part, more\n")
	p, _ := commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/meant.md\nA\t.ken/knowledge/whole.md")
	equal(t, "status", status(t, dir), "D  .ken/knowledge/gone.md\nMM .ken/knowledge/old.md\nAM .ken/knowledge/part.md\n?? .ken/knowledge/gone.md")
	if len(p.LeftOut) != 2 || !strings.Contains(p.LeftOut[0].Why, "another version of it is staged") {
		t.Errorf("left out: %v", p.LeftOut)
	}
}

func TestCommitFolderRefused(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, dir string){
		"detached":     func(t *testing.T, dir string) { gittest.Run(t, dir, "checkout", "-q", "--detach") },
		"unborn":       func(t *testing.T, dir string) { gittest.Run(t, dir, "checkout", "-q", "--orphan", "x") },
		"merge":        func(t *testing.T, dir string) { gittest.Write(t, dir, ".git/MERGE_HEAD", strings.Repeat("0", 40)+"\n") },
		"bare":         func(t *testing.T, dir string) { gittest.Run(t, dir, "config", "core.bare", "true") },
		"is no folder": func(t *testing.T, dir string) { move(t, dir, knowledge, "elsewhere") },
		"as its own": func(t *testing.T, dir string) {
			other := t.TempDir()
			if err := os.Rename(filepath.Join(dir, ".git"), filepath.Join(other, ".git")); err != nil {
				t.Fatal(err)
			}
			gittest.Write(t, dir, ".git", "gitdir: "+other+"/.git\n")
		},
		"who you are": func(t *testing.T, dir string) {
			gittest.Run(t, dir, "config", "--unset", "user.name")
			gittest.Run(t, dir, "config", "--unset", "user.email")
			gittest.Run(t, dir, "config", "user.useConfigOnly", "true")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := noted(t)
			gittest.Write(t, dir, knowledge+"/new.md", "new\n")
			prepare(t, dir)
			r := mustFind(t, dir)
			p, err := MakePlan(context.Background(), r, knowledge)
			if err == nil {
				_, err = p.Commit(context.Background(), "m")
			}
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), name) && name != "unborn" {
				t.Errorf("error %v", err)
			}
		})
	}
}

// move puts a folder elsewhere and a link in its place.
func move(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, from)); err != nil {
		t.Skip(err)
	}
}

// TestCommitFolderLinks: what is behind links is neither read nor taken for deleted.
func TestCommitFolderLinks(t *testing.T) {
	dir := noted(t)
	gittest.Write(t, dir, knowledge+"/sub/page.md", "page\n")
	commitAll(t, dir)
	move(t, dir, knowledge+"/sub", "away")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, knowledge, "link.md")); err != nil {
		t.Skip(err)
	}
	p, id := commitAll(t, dir)
	if id != "" {
		t.Errorf("committed %v", p.Changes)
	}
	if len(p.LeftOut) != 3 { // the two links and what is behind one
		t.Errorf("left out: %v", p.LeftOut)
	}
}

// TestCommitFolderSparse: a file that a sparse checkout leaves out is not deleted.
func TestCommitFolderSparse(t *testing.T) {
	dir := noted(t)
	gittest.Run(t, dir, "update-index", "--skip-worktree", knowledge+"/gone.md")
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	if _, id := commitAll(t, dir); id != "" {
		t.Error("a deletion was committed")
	}
	gittest.Run(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "b")
	gittest.Write(t, dir, knowledge+"/new.md", "new\n")
	commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/new.md")
	equal(t, "status", status(t, dir), "")
}

// TestCommitFolderEvil: nothing that the repository names is started.
func TestCommitFolderEvil(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, canaries := evilRepo(t)
	for _, hook := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "pre-auto-gc"} {
		gittest.WriteScript(t, dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+canaries+"/"+hook+"\n")
		gittest.Run(t, dir, "config", "hook.h"+hook+".event", hook)
		gittest.Run(t, dir, "config", "hook.h"+hook+".command", "touch "+canaries+"/config-"+hook)
	}
	script := "#!/bin/sh\ntouch " + canaries + "/gpg\nexit 1\n"
	gittest.WriteScript(t, dir, ".git/evil-gpg2", script)
	for key, value := range map[string]string{
		"commit.gpgsign": "true", "gpg.program": dir + "/.git/evil-gpg2", "gpg.ssh.program": dir + "/.git/evil-gpg2", "gpg.format": "ssh",
		"user.signingkey": "x", "user.name": "t", "user.email": "t@example.com",
	} {
		gittest.Run(t, dir, "config", key, value)
	}
	gittest.Write(t, dir, knowledge+"/.gitattributes", "*.md !filter eol=lf\n*.txt filter=other\n*.lfs filter=unknown\n")
	gittest.Write(t, dir, knowledge+"/page.md", "page\r\n")
	gittest.Write(t, dir, knowledge+"/page.txt", "page\n")
	gittest.Write(t, dir, knowledge+"/page.lfs", "page\n")
	for _, name := range listDir(t, canaries) {
		os.Remove(filepath.Join(canaries, name))
	}
	r := mustFind(t, dir)
	p, err := MakePlan(context.Background(), r, knowledge)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Commit(context.Background(), "m"); err != nil {
		t.Fatal(err)
	}
	if ran := listDir(t, canaries); len(ran) > 0 {
		t.Errorf("was run: %v", ran)
	}
	if !p.Signs || len(p.Hooks) != 4 {
		t.Errorf("signs %v, hooks %v", p.Signs, p.Hooks)
	}
	text, err := git.Git{}.Blob(context.Background(), r, "HEAD", knowledge+"/page.md")
	if err != nil || string(text) != "page\n" {
		t.Errorf("ends of lines are not stored as git does: %q, %v", text, err)
	}
	var left []string
	for _, l := range p.LeftOut {
		left = append(left, filepath.Base(l.Path))
	}
	equal(t, "left out", strings.Join(left, " "), ".gitattributes page.txt")
}

func listDir(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// TestCommitFolderRaces: a locked index, a branch that moves and a branch that is locked change nothing.
func TestCommitFolderRaces(t *testing.T) {
	dir := noted(t)
	r := mustFind(t, dir)
	gittest.Write(t, dir, knowledge+"/new.md", "new\n")
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	before := status(t, dir)
	plan := func() *Plan {
		p, err := MakePlan(context.Background(), r, knowledge)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := plan()
	gittest.Write(t, dir, ".git/index.lock", "")
	if _, err := p.Commit(context.Background(), "m"); err == nil || !strings.Contains(err.Error(), "another git process") {
		t.Errorf("index locked: %v", err)
	}
	os.Remove(filepath.Join(dir, ".git/index.lock"))
	gittest.Write(t, dir, ".git/refs/heads/main.lock", "")
	if _, err := p.Commit(context.Background(), "m"); err == nil || errors.Is(err, ErrMoved) {
		t.Errorf("branch locked: %v", err)
	}
	os.Remove(filepath.Join(dir, ".git/refs/heads/main.lock"))
	equal(t, "status", status(t, dir), before)
	gittest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "between")
	if _, err := p.Commit(context.Background(), "m"); !errors.Is(err, ErrMoved) {
		t.Errorf("branch moved: %v", err)
	}
	equal(t, "status", status(t, dir), before)
	p = plan()
	gittest.Write(t, dir, knowledge+"/new.md", "newer\n")
	if _, err := p.Commit(context.Background(), "m"); !errors.Is(err, ErrMoved) {
		t.Errorf("file changed: %v", err)
	}
	commitAll(t, dir)
	equal(t, "status", status(t, dir), "")
}

// TestCommitFolderStopped: a process that ends between the index and the branch leaves files that are staged; the next one commits them.
func TestCommitFolderStopped(t *testing.T) {
	dir := noted(t)
	r := mustFind(t, dir)
	gittest.Write(t, dir, knowledge+"/new.md", "new\n")
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	p, err := MakePlan(context.Background(), r, knowledge)
	if err == nil {
		err = p.writeBlobs(context.Background())
	}
	if err == nil {
		err = p.setIndex(context.Background(), func(c *Change) (from, to TreeFile) { return c.index, c.New })
	}
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "status", status(t, dir), "D  .ken/knowledge/gone.md\nA  .ken/knowledge/new.md")
	commitAll(t, dir)
	equal(t, "status", status(t, dir), "")
}

// TestCommitFolderTogether: processes of two working trees and of one commit at once.
func TestCommitFolderTogether(t *testing.T) {
	dir := noted(t)
	two := filepath.Join(t.TempDir(), "two")
	gittest.Run(t, dir, "worktree", "add", "-q", "-b", "two", two)
	gittest.Write(t, dir, knowledge+"/one.md", "1\n")
	gittest.Write(t, two, knowledge+"/two.md", "2\n")
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			r, err := git.Find([]string{dir, two}[i%2])
			if err != nil {
				t.Error(err)
				return
			}
			p, err := MakePlan(context.Background(), r, knowledge)
			if err == nil && len(p.Changes) > 0 {
				_, err = p.Commit(context.Background(), "m")
			}
			if err != nil && !errors.Is(err, ErrMoved) && !strings.Contains(err.Error(), "cannot lock") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	commitAll(t, dir)
	commitAll(t, two)
	equal(t, "one", shownFiles(t, dir), "m\n\nA\t.ken/knowledge/one.md")
	equal(t, "two", shownFiles(t, two), "m\n\nA\t.ken/knowledge/two.md")
	equal(t, "status", status(t, dir)+status(t, two), "")
}
