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
)

const knowledge = ".ken/knowledge"

// noted is a repository with a committed file, and a folder of which one file is committed.
func noted(t *testing.T) string {
	t.Helper()
	isolate(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	runGit(t, dir, "config", "user.name", "t")
	runGit(t, dir, "config", "user.email", "t@example.com")
	write(t, dir, "a.go", "package a\n", 0o644)
	write(t, dir, "b/c/d.go", "package c\n", 0o644)
	write(t, dir, ".ken/config.yml", "exclude: []\n", 0o644)
	write(t, dir, knowledge+"/old.md", "old\n", 0o644)
	write(t, dir, knowledge+"/gone.md", "gone\n", 0o644)
	runGit(t, dir, "add", "-A", "-f")
	runGit(t, dir, "commit", "-q", "-m", "one")
	return dir
}

// commitAll plans and commits the folder, and holds the repository to be sound afterwards.
func commitAll(t *testing.T, dir string) (*Plan, string) {
	t.Helper()
	r := mustFind(t, dir)
	p, err := Make(context.Background(), r, knowledge)
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
	runGit(t, dir, "fsck", "--strict")
	if got := strings.TrimSpace(runGit(t, dir, "rev-parse", "HEAD")); got != id {
		t.Fatalf("HEAD is %s, not %s", got, id)
	}
	return p, id
}

func status(t *testing.T, dir string) string {
	t.Helper()
	return runGit(t, dir, "status", "--porcelain", "--untracked-files=all")
}

func shownFiles(t *testing.T, dir string) string {
	t.Helper()
	return runGit(t, dir, "show", "--format=%s", "--name-status", "--no-renames", "HEAD")
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func TestCommitFolder(t *testing.T) {
	dir := noted(t)
	write(t, dir, knowledge+"/old.md", "new\n", 0o644)
	write(t, dir, knowledge+"/e/f/page.md", "page\n", 0o644)
	write(t, dir, knowledge+"/odd \"näme\"\t\\.md", "odd\n", 0o644)
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	// What is staged and changed elsewhere stays so.
	write(t, dir, "staged.go", "package a\n", 0o644)
	runGit(t, dir, "add", "staged.go")
	write(t, dir, "a.go", "package a // changed\n", 0o644)
	runGit(t, dir, "rm", "-q", "--cached", "b/c/d.go")
	commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/e/f/page.md\nD\t.ken/knowledge/gone.md\n"+
		"A\t\".ken/knowledge/odd \\\"n\\303\\244me\\\"\\t\\\\.md\"\nM\t.ken/knowledge/old.md\n")
	equal(t, "status", status(t, dir), " M a.go\nD  b/c/d.go\nA  staged.go\n?? b/c/d.go\n")
	equal(t, "reflog", runGit(t, dir, "reflog", "-1", "--format=%gs"), "commit: m [skip ci]\n")
	if _, id := commitAll(t, dir); id != "" {
		t.Error("there was something to commit again")
	}
}

// TestCommitFolderStaged: somebody is in the middle of something in the folder itself.
func TestCommitFolderStaged(t *testing.T) {
	dir := noted(t)
	write(t, dir, knowledge+"/old.md", "staged\n", 0o644)
	write(t, dir, knowledge+"/whole.md", "whole\n", 0o644)
	write(t, dir, knowledge+"/part.md", "part\n", 0o644)
	write(t, dir, knowledge+"/meant.md", "meant\n", 0o644)
	runGit(t, dir, "add", knowledge+"/old.md", knowledge+"/whole.md", knowledge+"/part.md")
	runGit(t, dir, "add", "-N", knowledge+"/meant.md")
	runGit(t, dir, "rm", "-q", "--cached", knowledge+"/gone.md")
	write(t, dir, knowledge+"/old.md", "more\n", 0o644)
	write(t, dir, knowledge+"/part.md", "part, more\n", 0o644)
	p, _ := commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/meant.md\nA\t.ken/knowledge/whole.md\n")
	equal(t, "status", status(t, dir), "D  .ken/knowledge/gone.md\nMM .ken/knowledge/old.md\nAM .ken/knowledge/part.md\n?? .ken/knowledge/gone.md\n")
	if len(p.LeftOut) != 2 || !strings.Contains(p.LeftOut[0].Why, "another version of it is staged") {
		t.Errorf("left out: %v", p.LeftOut)
	}
}

func TestCommitFolderRefused(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, dir string){
		"detached":     func(t *testing.T, dir string) { runGit(t, dir, "checkout", "-q", "--detach") },
		"unborn":       func(t *testing.T, dir string) { runGit(t, dir, "checkout", "-q", "--orphan", "x") },
		"merge":        func(t *testing.T, dir string) { write(t, dir, ".git/MERGE_HEAD", strings.Repeat("0", 40)+"\n", 0o644) },
		"bare":         func(t *testing.T, dir string) { runGit(t, dir, "config", "core.bare", "true") },
		"is no folder": func(t *testing.T, dir string) { move(t, dir, knowledge, "elsewhere") },
		"as its own": func(t *testing.T, dir string) {
			other := t.TempDir()
			if err := os.Rename(filepath.Join(dir, ".git"), filepath.Join(other, ".git")); err != nil {
				t.Fatal(err)
			}
			write(t, dir, ".git", "gitdir: "+other+"/.git\n", 0o644)
		},
		"who you are": func(t *testing.T, dir string) {
			runGit(t, dir, "config", "--unset", "user.name")
			runGit(t, dir, "config", "--unset", "user.email")
			runGit(t, dir, "config", "user.useConfigOnly", "true")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := noted(t)
			write(t, dir, knowledge+"/new.md", "new\n", 0o644)
			prepare(t, dir)
			r := mustFind(t, dir)
			p, err := Make(context.Background(), r, knowledge)
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
	write(t, dir, knowledge+"/sub/page.md", "page\n", 0o644)
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
	runGit(t, dir, "update-index", "--skip-worktree", knowledge+"/gone.md")
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	if _, id := commitAll(t, dir); id != "" {
		t.Error("a deletion was committed")
	}
	runGit(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "b")
	write(t, dir, knowledge+"/new.md", "new\n", 0o644)
	commitAll(t, dir)
	equal(t, "commit", shownFiles(t, dir), "m [skip ci]\n\nA\t.ken/knowledge/new.md\n")
	equal(t, "status", status(t, dir), "")
}

// TestCommitFolderEvil: nothing that the repository names is started.
func TestCommitFolderEvil(t *testing.T) {
	isolate(t)
	dir, canaries := evilRepo(t)
	for _, hook := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "pre-auto-gc"} {
		write(t, dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+canaries+"/"+hook+"\n", 0o755)
		runGit(t, dir, "config", "hook.h"+hook+".event", hook)
		runGit(t, dir, "config", "hook.h"+hook+".command", "touch "+canaries+"/config-"+hook)
	}
	script := "#!/bin/sh\ntouch " + canaries + "/gpg\nexit 1\n"
	write(t, dir, ".git/evil-gpg2", script, 0o755)
	for key, value := range map[string]string{
		"commit.gpgsign": "true", "gpg.program": dir + "/.git/evil-gpg2", "gpg.ssh.program": dir + "/.git/evil-gpg2", "gpg.format": "ssh",
		"user.signingkey": "x", "user.name": "t", "user.email": "t@example.com",
	} {
		runGit(t, dir, "config", key, value)
	}
	write(t, dir, knowledge+"/.gitattributes", "*.md !filter eol=lf\n*.txt filter=other\n*.lfs filter=unknown\n", 0o644)
	write(t, dir, knowledge+"/page.md", "page\r\n", 0o644)
	write(t, dir, knowledge+"/page.txt", "page\n", 0o644)
	write(t, dir, knowledge+"/page.lfs", "page\n", 0o644)
	for _, name := range listDir(t, canaries) {
		os.Remove(filepath.Join(canaries, name))
	}
	r := mustFind(t, dir)
	p, err := Make(context.Background(), r, knowledge)
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
	write(t, dir, knowledge+"/new.md", "new\n", 0o644)
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	before := status(t, dir)
	plan := func() *Plan {
		p, err := Make(context.Background(), r, knowledge)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := plan()
	write(t, dir, ".git/index.lock", "", 0o644)
	if _, err := p.Commit(context.Background(), "m"); err == nil || !strings.Contains(err.Error(), "another git process") {
		t.Errorf("index locked: %v", err)
	}
	os.Remove(filepath.Join(dir, ".git/index.lock"))
	write(t, dir, ".git/refs/heads/main.lock", "", 0o644)
	if _, err := p.Commit(context.Background(), "m"); err == nil || errors.Is(err, ErrMoved) {
		t.Errorf("branch locked: %v", err)
	}
	os.Remove(filepath.Join(dir, ".git/refs/heads/main.lock"))
	equal(t, "status", status(t, dir), before)
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "between")
	if _, err := p.Commit(context.Background(), "m"); !errors.Is(err, ErrMoved) {
		t.Errorf("branch moved: %v", err)
	}
	equal(t, "status", status(t, dir), before)
	p = plan()
	write(t, dir, knowledge+"/new.md", "newer\n", 0o644)
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
	write(t, dir, knowledge+"/new.md", "new\n", 0o644)
	os.Remove(filepath.Join(dir, knowledge, "gone.md"))
	p, err := Make(context.Background(), r, knowledge)
	if err == nil {
		err = p.writeBlobs(context.Background())
	}
	if err == nil {
		err = p.setIndex(context.Background(), func(c *Change) (from, to TreeFile) { return c.index, c.New })
	}
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "status", status(t, dir), "D  .ken/knowledge/gone.md\nA  .ken/knowledge/new.md\n")
	commitAll(t, dir)
	equal(t, "status", status(t, dir), "")
}

// TestCommitFolderTogether: processes of two working trees and of one commit at once.
func TestCommitFolderTogether(t *testing.T) {
	dir := noted(t)
	two := filepath.Join(t.TempDir(), "two")
	runGit(t, dir, "worktree", "add", "-q", "-b", "two", two)
	write(t, dir, knowledge+"/one.md", "1\n", 0o644)
	write(t, two, knowledge+"/two.md", "2\n", 0o644)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			r, err := git.Find([]string{dir, two}[i%2])
			if err != nil {
				t.Error(err)
				return
			}
			p, err := Make(context.Background(), r, knowledge)
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
	equal(t, "one", shownFiles(t, dir), "m\n\nA\t.ken/knowledge/one.md\n")
	equal(t, "two", shownFiles(t, two), "m\n\nA\t.ken/knowledge/two.md\n")
	equal(t, "status", status(t, dir)+status(t, two), "")
}
