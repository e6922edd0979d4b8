package folder_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"ken/internal/workflow/plan/folder"
)

func TestFind(t *testing.T) {
	root := tree(t, map[string]string{
		"repo/.planning/STATE.md": "", "repo/src/deep/x": "", "repo/own/.planning/STATE.md": "", "repo/own/x/y": "", "home/.planning/STATE.md": "", "home/user/x": "",
		"multi/.planning/config.json": `{"sub_repos": ["api"]}`, "multi/api/src/x": "", "multi/other/x": "", "plain/.planning/STATE.md": "", "plain/below/x": "",
	})
	git := func(args ...string) {
		if out, err := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
	at := func(p string) string { return filepath.Join(root, filepath.FromSlash(p)) }
	for _, r := range []string{"repo", "multi/api", "multi/other"} {
		git("init", "-q", at(r))
	}
	git("-C", at("repo"), "commit", "-q", "--allow-empty", "-m", "x")
	git("-C", at("repo"), "worktree", "add", "-q", at("linked"))
	for dir, want := range map[string]string{
		"repo": "repo", "repo/src/deep": "repo", "repo/own/x": "repo/own", "repo/own": "repo/own", "multi/api/src": "multi", "multi/api": "multi", "multi/other": "", "home/user": "",
		"plain": "plain", "plain/below": "", "linked": "repo",
	} {
		got, err := folder.Find(at(dir), at("home"))
		if want == "" {
			if !errors.Is(err, folder.ErrNone) {
				t.Errorf("%s: %s %v", dir, got, err)
			}
		} else if err != nil || !sameDir(t, got, at(want)) {
			t.Errorf("%s: %s %v, want %s", dir, got, err, want)
		}
	}
}

func sameDir(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := filepath.EvalSymlinks(a)
	y, err2 := filepath.EvalSymlinks(b)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return x == y
}
