package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/git/gittest"
	"ken/internal/workflow/plan/workspace"
)

// place is a home with a repository to take work trees and clones of.
type place struct{ base, source string }

func newPlace(t *testing.T) place {
	t.Helper()
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	p := place{base: filepath.Join(t.TempDir(), "gsd-workspaces"), source: filepath.Join(t.TempDir(), "source")}
	gittest.Write(t, p.source, "a.txt", "a\n")
	gittest.Run(t, p.source, "init", "-q")
	gittest.Run(t, p.source, "add", "-A")
	gittest.Run(t, p.source, "commit", "-q", "-m", "one")
	return p
}

const head = "# Workspace: w\n\nCreated: 2026-01-01\nStrategy: worktree\n\n## Member Repos\n\n| Repo | Source | Branch | Strategy |\n|------|------|------|------|\n"

// TestLosses: of each repository of a workspace it is said whether removing it would lose something.
func TestLosses(t *testing.T) {
	p := newPlace(t)
	at := func(name string) string { return filepath.Join(p.base, "w", name) }
	if err := os.MkdirAll(at(""), 0o755); err != nil {
		t.Fatal(err)
	}
	commit := func(dir string) {
		gittest.Write(t, dir, "b.txt", dir)
		gittest.Run(t, dir, "add", "-A")
		gittest.Run(t, dir, "commit", "-q", "-m", "two")
	}
	manifest := head
	cases := []struct {
		name, how, want string
		then            func(dir string)
		unlisted        bool
	}{
		{name: "clean tree", how: "tree"},
		{name: "committed", how: "tree", then: commit},
		{name: "my api", how: "tree", want: "1 files are not committed", then: func(dir string) { gittest.Write(t, dir, "new.txt", "x") }},
		{name: "forgotten", how: "tree", want: "1 files are not committed", then: func(dir string) { gittest.Write(t, dir, "a.txt", "x") }, unlisted: true},
		{name: "detached", how: "tree", want: "in no branch", then: func(dir string) { gittest.Run(t, dir, "checkout", "-q", "--detach"); commit(dir) }},
		{name: "stashed in a tree", how: "tree", then: func(dir string) { gittest.Write(t, dir, "a.txt", "x"); gittest.Run(t, dir, "stash", "-q") }},
		{name: "clone", how: "clone"},
		{name: "ahead", how: "clone", want: "not pushed", then: commit},
		{name: "pushed", how: "clone", then: func(dir string) {
			gittest.Run(t, dir, "checkout", "-q", "-b", "pushed")
			commit(dir)
			gittest.Run(t, dir, "push", "-q", "origin", "pushed")
		}},
		{name: "stashed", how: "clone", want: "stashed", then: func(dir string) { gittest.Write(t, dir, "a.txt", "x"); gittest.Run(t, dir, "stash", "-q") }},
		{name: "merging", how: "clone", want: "has begun", then: func(dir string) {
			gittest.Write(t, dir, ".git/MERGE_HEAD", gittest.Run(t, dir, "rev-parse", "HEAD")+"\n")
		}},
		{name: "empty", how: "init"},
		{name: "plain", how: "mkdir", want: "it cannot be told: not in a git repository"},
		{name: "gone"},
		{name: "../../source", want: "the name is not a folder"},
		{name: "link", how: "link", want: "is not a folder, or a link"},
		{name: "broken", how: "init", want: "it cannot be told: ", then: func(dir string) { gittest.Write(t, dir, ".git/index", "nonsense") }},
		{name: "pipe in the way", how: "tree", want: "1 files are not committed", then: func(dir string) {
			if err := os.Remove(filepath.Join(dir, "a.txt")); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, tc := range cases {
		dir := at(tc.name)
		switch tc.how {
		case "tree":
			gittest.Run(t, p.source, "worktree", "add", "-q", "-b", strings.ReplaceAll(tc.name, " ", "-"), dir)
		case "clone":
			gittest.Run(t, p.source, "clone", "-q", p.source, dir)
		case "init":
			gittest.Run(t, p.source, "init", "-q", dir)
		case "mkdir":
			gittest.Write(t, dir, "x", "x")
		case "link":
			if err := os.Symlink(p.source, dir); err != nil {
				t.Fatal(err)
			}
		}
		if tc.then != nil {
			tc.then(dir)
		}
		if !tc.unlisted {
			manifest += "| " + tc.name + " | " + p.source + " | b | worktree |\n"
		}
	}
	gittest.Write(t, at(""), "WORKSPACE.md", manifest)
	w, err := workspace.Open(p.base, "w")
	if err != nil {
		t.Fatal(err)
	}
	unlisted, err := w.UnlistedRepos()
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.Losses(context.Background(), unlisted)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range cases {
		if tc.unlisted != slices.Contains(unlisted, tc.name) {
			t.Errorf("%s: unlisted are %q", tc.name, unlisted)
		}
		i := slices.IndexFunc(list, func(l workspace.Loss) bool { return l.Repo == tc.name })
		switch {
		case tc.want == "" && i >= 0:
			t.Errorf("%s: %s, and nothing would be lost", tc.name, list[i].Reason)
		case tc.want != "" && (i < 0 || !strings.Contains(list[i].Reason, tc.want)):
			t.Errorf("%s: want %q of %v", tc.name, tc.want, list)
		}
	}
}

// TestSubmodulesAreNotLookedInto: git would look into one with settings of its own, so it is said that nobody did.
func TestSubmodulesAreNotLookedInto(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Join(p.base, "w", "super")
	gittest.Run(t, p.source, "clone", "-q", p.source, dir)
	gittest.Run(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", p.source, "sub")
	gittest.Run(t, dir, "commit", "-q", "-m", "sub")
	list, err := workspace.Children(context.Background(), filepath.Dir(dir))
	if err != nil || len(list) != 1 || list[0].Uncommitted != nil || !strings.Contains(list[0].Problem, `submodule "sub"`) {
		t.Errorf("%+v %v", list, err)
	}
}

func TestChildren(t *testing.T) {
	p := newPlace(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "clone", "-q", p.source, "clean")
	gittest.Run(t, dir, "clone", "-q", p.source, "changed")
	gittest.Write(t, dir, "changed/new", "x")
	gittest.Run(t, dir, "init", "-q", "broken")
	gittest.Write(t, dir, "broken/.git/index", "nonsense")
	gittest.Run(t, dir, "init", "-q", ".hidden")
	gittest.Write(t, dir, "none/.git/x", "x")
	gittest.Write(t, dir, "file", "x")
	got := []string{}
	list, err := workspace.Children(context.Background(), dir)
	for _, c := range list {
		is := "unknown"
		if c.Uncommitted != nil {
			is = map[bool]string{true: "changed", false: "clean"}[*c.Uncommitted]
		}
		if (c.Problem != "") != (is == "unknown") {
			t.Errorf("%+v", c)
		}
		got = append(got, c.Name+" "+is)
	}
	if want := []string{"broken unknown", "changed changed", "clean clean"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

func TestManifests(t *testing.T) {
	for text, want := range map[string]string{
		head + "| api | /a/Repo/x | b | clone |\n| Repository | /my projects/r | b | worktree |\n": "worktree: api clone /a/Repo/x; Repository worktree /my projects/r",
		"":                                  "unknown:",
		"Strategy:\n\n| A |\n|--|\n| b |\n": "unknown:",
		"Strategy: clone\r\n\r\n| Source | Repo |\r\n|---|---|\r\n| /s | x |\r\n|  |  |\r\n": "clone: x  /s",
		"```\n" + head + "| a | b | c | d |\n```\n":                                          "unknown:",
		head + "<<<<<<< HEAD\n=======\n>>>>>>> x\n":                                          "worktree: !WORKSPACE.md has an open conflict in line 10",
	} {
		base := t.TempDir()
		gittest.Write(t, base, "w/WORKSPACE.md", text)
		list, problems, err := workspace.List(base)
		if err != nil || len(list) != 1 || len(problems) > 0 {
			t.Fatal(list, problems, err)
		}
		var repos []string
		for _, r := range list[0].Repos {
			repos = append(repos, r.Name+" "+r.Strategy+" "+r.Source)
		}
		for _, p := range list[0].Problems {
			repos = append(repos, "!"+p)
		}
		if got := strings.TrimSpace(list[0].Strategy + ": " + strings.Join(repos, "; ")); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/etc", "a\nb", "\xff"} {
		if w, err := workspace.Open(base, name); err == nil || errors.Is(err, workspace.ErrNone) {
			t.Errorf("%q: %v %v", name, w, err)
		}
	}
	if _, err := workspace.Open(base, "none"); !errors.Is(err, workspace.ErrNone) {
		t.Error(err)
	}
	gittest.Write(t, base, "file", "x")
	if err := os.Symlink(t.TempDir(), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "a\nb"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "link"} {
		if _, err := workspace.Open(base, name); err == nil {
			t.Errorf("%s is a workspace", name)
		}
	}
	list, problems, err := workspace.List(base)
	if len(list) != 0 || len(problems) != 1 || err != nil {
		t.Error(list, problems, err)
	}
	if list, problems, err = workspace.List(filepath.Join(base, "nowhere")); len(list)+len(problems) > 0 || err != nil {
		t.Error(list, problems, err)
	}
	if _, _, err = workspace.List(filepath.Join(base, "file")); err == nil {
		t.Error("a file was listed")
	}
}
