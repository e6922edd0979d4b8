package plumbing_test

import (
	"context"
	"slices"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
	"ken/internal/git/plumbing"
)

// TestRemotes reads what is known here of remote repositories, none of which is there.
func TestRemotes(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, ctx := t.TempDir(), context.Background()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "a", "x")
	gittest.Commit(t, dir, "one")
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	heads := func(remotes []string, want string) {
		t.Helper()
		list, err := plumbing.Remotes(ctx, git.Git{}, r)
		if err != nil || !slices.Equal(list, remotes) {
			t.Errorf("remotes %q %v, want %q", list, err, remotes)
		}
		if head, err := plumbing.RemoteHead(ctx, git.Git{}, r, "origin"); err != nil || head != want {
			t.Errorf("head %q %v, want %q", head, err, want)
		}
	}
	heads(nil, "")
	gittest.Run(t, dir, "remote", "add", "origin", "https://nowhere.invalid/x.git")
	gittest.Run(t, dir, "remote", "add", "fork", "/nowhere")
	heads([]string{"fork", "origin"}, "")
	gittest.Run(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/a/b")
	heads([]string{"fork", "origin"}, "a/b")
	gittest.Run(t, dir, "update-ref", "--no-deref", "refs/remotes/origin/HEAD", "HEAD")
	heads([]string{"fork", "origin"}, "")
	for _, name := range []string{"", "../x", "-x"} {
		if head, err := plumbing.RemoteHead(ctx, git.Git{}, r, name); err != nil || head != "" {
			t.Errorf("%q: %q %v", name, head, err)
		}
	}
}
