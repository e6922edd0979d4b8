package foldercommit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

// TestHide keeps a folder out of the sight of git and commits it nevertheless.
func TestHide(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Run(t, dir, "config", "user.name", "t")
	gittest.Run(t, dir, "config", "user.email", "t@example.com")
	gittest.Write(t, dir, "a.go", "package a\n")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	for _, top := range []string{".ken", "a [b]*/.ken"} {
		gittest.Write(t, dir, top+"/knowledge/page.md", "page\n")
		gittest.Write(t, dir, top+"/.gitignore", "*\n!/.gitignore\n!/knowledge/\n!/knowledge/**\n")
		gittest.Write(t, dir, top+"/config.yml", "exclude: []\n")
		gittest.Write(t, dir, top+"/index.db", "x\n")
		r := mustFind(t, dir)
		exclude := filepath.Join(dir, ".git", "info", "exclude")
		before, _ := os.ReadFile(exclude)
		for range 2 {
			if err := Hide(r, top); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "status of "+top, status(t, dir), "")
		p, err := MakePlan(context.Background(), r, top, top+"/knowledge", top+"/.gitignore")
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Changes) != 2 || len(p.Ignored) != 0 {
			t.Fatalf("%s: %d changes, ignored %q", top, len(p.Changes), p.Ignored)
		}
		if _, err := p.Commit(context.Background(), "m"); err != nil {
			t.Fatal(err)
		}
		if err := Show(r, top); err != nil {
			t.Fatal(err)
		}
		after, _ := os.ReadFile(exclude)
		equal(t, "info/exclude", string(after), string(before))
		gittest.Run(t, dir, "fsck", "--strict")
		if got := status(t, dir); strings.Contains(got, "knowledge") || strings.Contains(got, "index.db") {
			t.Errorf("status of %s: %s", top, got)
		}
	}
}

// TestHideRefused writes through no link, and not into a repository that does not know the tree.
func TestHideRefused(t *testing.T) {
	for name, prepare := range map[string]func(dir, other string) error{
		"a link for the file": func(dir, other string) error {
			os.MkdirAll(filepath.Join(dir, ".git/info"), 0o755)
			os.Remove(filepath.Join(dir, ".git/info/exclude"))
			return os.Symlink(filepath.Join(other, "config"), filepath.Join(dir, ".git/info/exclude"))
		},
		"a link for the folder": func(dir, other string) error {
			os.RemoveAll(filepath.Join(dir, ".git/info"))
			return os.Symlink(other, filepath.Join(dir, ".git/info"))
		},
		"another repository": func(dir, other string) error {
			os.RemoveAll(filepath.Join(dir, ".git"))
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+filepath.Join(other, ".git")+"\n"), 0o644)
		},
	} {
		gittest.IsolateSettings(t)
		dir, other := t.TempDir(), t.TempDir()
		gittest.Run(t, dir, "init", "-q")
		gittest.Run(t, other, "init", "-q")
		gittest.Write(t, other, "config", "kept\n")
		if err := prepare(dir, other); err != nil {
			t.Fatal(err)
		}
		r, err := git.Find(dir)
		if err != nil {
			continue // no repository, so there is nothing to write to
		}
		if err := Hide(r, ".ken"); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}
