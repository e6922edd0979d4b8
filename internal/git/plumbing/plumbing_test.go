package plumbing

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

// repository is one with a commit, and a git that is disarmed for it.
func repository(t *testing.T) (git.Git, *git.Repo) {
	t.Helper()
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "T")
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "a", "a\n")
	gittest.Commit(t, dir, "one")
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := git.Git{}.WithoutPrograms(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return g, r
}

// TestRefs: refs move together, and only from where they are.
func TestRefs(t *testing.T) {
	g, r := repository(t)
	ctx := t.Context()
	one := gittest.Run(t, r.Root, "rev-parse", "HEAD")
	two, err := CommitTree(ctx, g, r, one+"^{tree}", []string{one}, "größe\n\nbody")
	if err != nil || gittest.Run(t, r.Root, "log", "-1", "--format=%s|%b|%an", two) != "größe|body|T" {
		t.Fatal(two, err)
	}
	none := ZeroID(one)
	if err := UpdateRefs(ctx, g, r, "why", RefUpdate{"refs/heads/x/é", one, none}, RefUpdate{"refs/heads/y", one, none}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]RefUpdate{
		{{"refs/heads/y", two, one}, {"refs/heads/x/é", one, none}}, // exists
		{{"refs/heads/y", two, one}, {"refs/heads/main", one, two}}, // is elsewhere
		{{"refs/heads/y", two, one}, {"refs/heads/x/../z", one, none}},
		{{"HEAD", two, one}},
		{{"refs/heads/y", "HEAD", one}},
		{{"refs/heads/y", none, two}},
	} {
		if err := UpdateRefs(ctx, g, r, "why", bad...); err == nil {
			t.Errorf("%v: no error", bad)
		}
		if at, err := RefCommit(ctx, g, r, "refs/heads/y"); err != nil || at != one {
			t.Errorf("%v: y is at %s, %v", bad, at, err)
		}
	}
	gittest.Write(t, r.Root, ".git/refs/heads/y.lock", "")
	if err := UpdateRefs(ctx, g, r, "why", RefUpdate{"refs/heads/y", two, one}); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("locked: %v", err)
	}
	os.Remove(filepath.Join(r.Root, ".git/refs/heads/y.lock"))
	if err := UpdateRefs(ctx, g, r, "why", RefUpdate{"refs/heads/y", none, one}); err != nil {
		t.Fatal(err)
	}
	if _, err := RefCommit(ctx, g, r, "refs/heads/y"); !errors.Is(err, git.ErrNotFound) {
		t.Errorf("a ref that was deleted: %v", err)
	}
	if with, err := BranchesWith(ctx, g, r, one); err != nil || strings.Join(with, " ") != "refs/heads/main refs/heads/x/é" {
		t.Errorf("%v, %v", with, err)
	}
	for name, want := range map[string]bool{"a": true, "日本/é": true, "": false, "-a": false, "a..b": false, "HEAD": false, "a.lock": false, "a b": false, "a\x01": false} {
		if ValidBranch(ctx, g, r, name) != want {
			t.Errorf("ValidBranch(%q) = %v", name, !want)
		}
	}
}

// TestUnknownUser: without a name git commits nothing, and it is said what to do.
func TestUnknownUser(t *testing.T) {
	g, r := repository(t)
	gittest.Write(t, os.Getenv("HOME"), ".gitconfig", "[user]\n\tuseConfigOnly = true\n")
	_, err := CommitTree(t.Context(), g, r, gittest.Run(t, r.Root, "rev-parse", "HEAD^{tree}"), nil, "m")
	if err == nil || !strings.Contains(err.Error(), "user.name") {
		t.Errorf("err = %v", err)
	}
}

// TestIndex puts entries and moves the index; paths outside and git's own are refused.
func TestIndex(t *testing.T) {
	g, r := repository(t)
	ctx := t.Context()
	blob, err := PutBlob(ctx, g, r, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", "/x", "", "a\x00b", ".git/config", "b/.git/x"} {
		if PutEntries(ctx, g, r, []IndexEntry{{path, 0o100644, blob}}) == nil {
			t.Errorf("%q was put", path)
		}
	}
	first, err := WriteTree(ctx, g, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := PutEntries(ctx, g, r, []IndexEntry{{"line\nfeed é", 0o100755, blob}, {"a", 0, blob}}); err != nil {
		t.Fatal(err)
	}
	second, err := WriteTree(ctx, g, r)
	if err != nil || gittest.Run(t, r.Root, "ls-tree", "--name-only", "-z", second) != "line\nfeed é\x00" {
		t.Errorf("%s, %v", second, err)
	}
	if err := SetIndex(ctx, g, r, first); err != nil {
		t.Fatal(err)
	}
	if err := MoveIndex(ctx, g, r, first, second); err != nil {
		t.Fatal(err)
	}
	if list, err := DifferingFiles(ctx, g, r); err != nil || len(list) != 1 || list[0] != "line\nfeed é" {
		t.Errorf("%q, %v", list, err)
	}
	gittest.Write(t, r.Root, "new\nfile", "")
	gittest.Write(t, r.Root, ".gitignore", "*.o\nout/\n")
	gittest.Write(t, r.Root, "x.o", "")
	gittest.Write(t, r.Root, "out/y", "")
	list, err := Status(ctx, g, r, "", true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, c.Code+" "+c.Path)
	}
	if s := strings.Join(got, ";"); s != "D  a;AD line\nfeed é;?? .gitignore;?? a;?? new\nfile;!! out/;!! x.o" {
		t.Errorf("status %q", s)
	}
	if ignored, err := IgnoredPaths(ctx, g, r, ""); err != nil || strings.Join(ignored, " ") != "out/ x.o" {
		t.Errorf("ignored %q, %v", ignored, err)
	}
}

// TestMergeTree parses what does not fit, of paths that hold what separates fields elsewhere.
func TestMergeTree(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	m, err := parseMergeTree([]byte(a + "\x00100644 " + b + " 1\tx\ty\n\x00100644 " + a + " 2\tx\ty\n\x00100644 " + b + " 3\tz\x00\x00" +
		"1\x00x\ty\n\x00CONFLICT (contents)\x00CONFLICT (content): it\n\x001\x00z\x00Auto-merging\x00Auto-merging z\n\x00"))
	if err != nil || m.Tree != a || len(m.Conflicts) != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	if c := m.Conflicts[0]; c.Path != "x\ty\n" || c.Base != b || c.Ours != a || c.Theirs != "" || len(c.Notes) != 1 || c.Notes[0] != "CONFLICT (content): it" {
		t.Errorf("%+v", c)
	}
	if c := m.Conflicts[1]; c.Path != "z" || c.Theirs != b || len(c.Notes) != 0 {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{"", "x", a + "\x00100644 1\tx\x00"} {
		if _, err := parseMergeTree([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if m, err := parseMergeTree([]byte(a + "\x00\x0099\x00x\x00")); err != nil || len(m.Conflicts) != 0 {
		t.Errorf("messages that are cut short: %+v, %v", m, err)
	}
}

// TestLinked reads the list of work trees.
func TestLinked(t *testing.T) {
	g, r := repository(t)
	second := filepath.Join(t.TempDir(), "zwei\né")
	gittest.Run(t, r.Root, "worktree", "add", "-q", second, "-b", "two")
	gittest.Run(t, r.Root, "worktree", "add", "-q", "--detach", "--lock", filepath.Join(t.TempDir(), "three"))
	list, err := LinkedTrees(t.Context(), g, r)
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	if list[0].Ref != "refs/heads/main" || list[1].Ref != "refs/heads/two" || list[1].Path != second || list[2].Ref != "" || !list[2].Locked || list[1].Locked {
		t.Errorf("%+v", list)
	}
	os.RemoveAll(second)
	if list, err = LinkedTrees(t.Context(), g, r); err != nil || !list[1].Gone || list[0].Gone {
		t.Errorf("%+v, %v", list, err)
	}
}
