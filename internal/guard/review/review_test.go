package review_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/git"
	"ken/internal/git/gittest"
	"ken/internal/guard/review"
	"ken/internal/worktree"
)

// store keeps one record.
type store struct{ r *worktree.Record }

func (s *store) KeepWorktree(_ context.Context, r worktree.Record) error { s.r = &r; return nil }
func (s *store) ForgetWorktree(context.Context, string) error            { s.r = nil; return nil }
func (s *store) Worktree(context.Context, string) (worktree.Record, error) {
	if s.r == nil {
		return worktree.Record{}, worktree.ErrUnknown
	}
	return *s.r, nil
}
func (s *store) Worktrees(context.Context) ([]worktree.Record, error) {
	if s.r == nil {
		return nil, nil
	}
	return []worktree.Record{*s.r}, nil
}

// newTree is a work tree of a repository with files.
func newTree(t *testing.T, files map[string]string) *worktree.Tree {
	t.Helper()
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "T")
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	for path, text := range files {
		gittest.Write(t, dir, path, text)
	}
	gittest.Commit(t, dir, "first")
	trees, err := worktree.New(dir, git.Git{}, &store{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := trees.Create(t.Context(), worktree.CreateOptions{ID: "t", Branch: "llm_task_t"})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func look(t *testing.T, tree *worktree.Tree) *review.Review {
	t.Helper()
	r, err := review.ReadChanges(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func changeAt(t *testing.T, r *review.Review, path string) *review.Change {
	t.Helper()
	i := slices.IndexFunc(r.Changes, func(c review.Change) bool { return c.Path == path })
	if i < 0 {
		t.Fatalf("%s is not among the changes", path)
	}
	return &r.Changes[i]
}

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

// TestReview describes every kind of change.
func TestReview(t *testing.T) {
	tree := newTree(t, map[string]string{"ten": ten, "gone": "x\n", "moved": "some content\n", "bin": "a\x00b", "run": "r\n", "same": "s\n", "line\nfeed": "l\n"})
	gittest.Write(t, tree.Dir, "ten", "1\ntwo\n3\n4\n5\n6\n7\n8\nnine\n10\neleven")
	os.Remove(filepath.Join(tree.Dir, "gone"))
	os.Rename(filepath.Join(tree.Dir, "moved"), filepath.Join(tree.Dir, "to é"))
	gittest.Write(t, tree.Dir, "bin", "a\x00c")
	gittest.Write(t, tree.Dir, "big", strings.Repeat("x\n", worktree.MaxText/2+1))
	gittest.Write(t, tree.Dir, "line\nfeed", "L\n")
	gittest.Write(t, tree.Dir, "empty", "")
	os.Chmod(filepath.Join(tree.Dir, "run"), 0o755)
	os.Symlink("ten", filepath.Join(tree.Dir, "link"))
	gittest.Run(t, tree.Dir, "init", "-q", "inner")
	gittest.Write(t, tree.Dir, "inner/f", "f")
	gittest.Run(t, filepath.Join(tree.Dir, "inner"), "add", "f")
	gittest.Run(t, filepath.Join(tree.Dir, "inner"), "commit", "-qm", "inner")
	gittest.Write(t, tree.Dir, ".ken/.gitignore", "*\n!/.gitignore\n")
	var got strings.Builder
	r := look(t, tree)
	for _, c := range r.Changes {
		fmt.Fprintf(&got, "%q %s", c.Path, c.Kind)
		if c.Opaque != "" {
			fmt.Fprintf(&got, " %s", c.Opaque)
		}
		if c.Run {
			got.WriteString(" run")
		}
		if c.MovedFrom != "" {
			got.WriteString(" from " + c.MovedFrom)
		}
		for _, h := range c.Hunks {
			fmt.Fprintf(&got, " %d,%d>%d,%d", h.OldFrom, h.OldLines, h.NewFrom, h.NewLines)
		}
		got.WriteByte('\n')
	}
	want := `"big" added large
"bin" modified binary
"empty" added
"gone" deleted 1,1>1,0
"inner" added nested
"line\nfeed" modified 1,1>1,1
"link" added link
"moved" deleted 1,1>1,0
"run" modified mode run
"ten" modified 2,1>2,1 9,1>9,1 11,0>11,1
"to é" added from moved 1,0>1,1
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	c := changeAt(t, r, "ten")
	wantDiff := "@@ -1,4 +1,4 @@ A\n 1\n-2\n+two\n 3\n 4\n@@ -7,4 +7,4 @@ B\n 7\n 8\n-9\n+nine\n 10\n@@ -10,0 +11,1 @@ C\n+eleven\n\\ No newline at end of file\n"
	diff := c.Diff(2)
	for i, h := range c.Hunks {
		diff = strings.ReplaceAll(diff, h.ID, string(rune('A'+i)))
	}
	if diff != wantDiff {
		t.Errorf("diff\n%swant\n%s", diff, wantDiff)
	}
	if _, err := review.Finalize(t.Context(), tree, []review.Decision{{Path: "inner", Verdict: review.Keep}}, "m"); worktree.RefusalReason(err) != worktree.Submodules {
		t.Errorf("a repository inside was kept: %v", err)
	}
	if again := look(t, tree); again.Changes[9].ID != c.ID || again.Changes[9].Hunks[1].ID != c.Hunks[1].ID {
		t.Error("ids are not the same when nothing changed")
	}
}

// TestFinalize keeps, discards and keeps in part, and says what is wrong with a decision.
func TestFinalize(t *testing.T) {
	tree := newTree(t, map[string]string{"ten": ten, "other": "o\n", "gone": "g\n", "whole": "w\n"})
	gittest.Write(t, tree.Dir, "ten", "1\nTWO\n3\n4\n5\n6\n7\n8\nNINE\n10\n")
	gittest.Write(t, tree.Dir, "other", "O\n")
	gittest.Write(t, tree.Dir, "whole", "W\n")
	gittest.Write(t, tree.Dir, "new/file", "print debug\nuseful\n")
	gittest.Write(t, tree.Dir, "junk/deep/x", "x\n")
	os.Remove(filepath.Join(tree.Dir, "gone"))
	r := look(t, tree)
	c := changeAt(t, r, "ten")
	bad := func(d review.Decision, says string) {
		t.Helper()
		_, err := review.Finalize(t.Context(), tree, []review.Decision{{Path: "other", Verdict: review.Keep}, d}, "m")
		var inv *review.InvalidError
		if !errors.As(err, &inv) || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", d, err, says)
		}
	}
	bad(review.Decision{Path: "nope", Verdict: review.Keep}, "not changed")
	bad(review.Decision{Path: "other", Verdict: review.Discard}, "two decisions")
	bad(review.Decision{Path: "ten", Verdict: "maybe"}, "no verdict")
	bad(review.Decision{Path: "ten", Verdict: review.Part, Hunks: []string{c.Hunks[0].ID, "0123456789ab"}}, "no hunk")
	bad(review.Decision{Path: "ten", Verdict: review.Keep, Seen: "0123"}, "changed since")
	if got := gittest.Run(t, tree.Dir, "rev-list", "--count", "HEAD"); got != "1" {
		t.Errorf("something was committed: there are %s commits", got)
	}

	done, err := review.Finalize(t.Context(), tree, []review.Decision{
		{Path: "ten", Verdict: review.Part, Hunks: []string{c.Hunks[1].ID}, Seen: c.ID},
		{Path: "other", Verdict: review.Discard},
		{Path: "gone", Verdict: review.Discard},
		{Path: "whole", Verdict: review.Keep},
		{Path: "junk/deep/x", Verdict: review.Discard},
	}, "what is kept")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(done.Committed, " "); got != "ten whole" {
		t.Errorf("committed %s", got)
	}
	if got := strings.Join(done.Left, " "); got != "new/file" {
		t.Errorf("left %s", got)
	}
	for path, want := range map[string]string{"ten": "1\n2\n3\n4\n5\n6\n7\n8\nNINE\n10\n", "other": "o\n", "gone": "g\n", "whole": "W\n", "junk/deep/x": "<none>", "new/file": "print debug\nuseful\n"} {
		if got := gittest.Read(t, tree.Dir, path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if got := gittest.Run(t, tree.Dir, "status", "--porcelain", "-uall"); got != "?? new/file" {
		t.Errorf("status %q", got)
	}
	if _, err := os.Stat(filepath.Join(tree.Dir, "junk")); err == nil {
		t.Error("an empty folder is left")
	}
	// What is committed can still be taken back, in part and as a whole.
	r = look(t, tree)
	if !changeAt(t, r, "whole").Committed || changeAt(t, r, "new/file").Committed {
		t.Error("what is committed is not marked")
	}
	if _, err := review.Finalize(t.Context(), tree, []review.Decision{{Path: "whole", Verdict: review.Discard}, {Path: "ten", Verdict: review.Discard}}, "back"); err != nil {
		t.Fatal(err)
	}
	if got := gittest.Read(t, tree.Dir, "whole") + gittest.Read(t, tree.Dir, "ten"); got != "w\n"+ten {
		t.Errorf("taken back: %q", got)
	}
	r = look(t, tree)
	if len(r.Changes) != 1 || r.Changes[0].Path != "new/file" {
		t.Errorf("changes: %+v", r.Changes)
	}
}

// TestMixed: a file and a folder of its name are kept or discarded together.
func TestMixed(t *testing.T) {
	tree := newTree(t, map[string]string{"a": "file\n", "d/x": "x\n"})
	os.Remove(filepath.Join(tree.Dir, "a"))
	gittest.Write(t, tree.Dir, "a/b", "folder\n")
	os.RemoveAll(filepath.Join(tree.Dir, "d"))
	gittest.Write(t, tree.Dir, "d", "file\n")
	for _, ds := range [][]review.Decision{
		{{Path: "a", Verdict: review.Discard}, {Path: "a/b", Verdict: review.Keep}},
		{{Path: "a/b", Verdict: review.Keep}},
		{{Path: "d", Verdict: review.Keep}, {Path: "d/x", Verdict: review.Discard}},
	} {
		_, err := review.Finalize(t.Context(), tree, ds, "m")
		if worktree.RefusalReason(err) != worktree.Mixed {
			t.Errorf("%+v: %v", ds, err)
		}
	}
	_, err := review.Finalize(t.Context(), tree, []review.Decision{
		{Path: "a", Verdict: review.Keep}, {Path: "a/b", Verdict: review.Keep}, {Path: "d", Verdict: review.Discard}, {Path: "d/x", Verdict: review.Discard},
	}, "m")
	if err != nil || gittest.Read(t, tree.Dir, "d/x") != "x\n" || gittest.Read(t, tree.Dir, "a/b") != "folder\n" {
		t.Errorf("%v", err)
	}
	if got := gittest.Run(t, tree.Dir, "status", "--porcelain"); got != "" {
		t.Errorf("status %q", got)
	}
}

// TestParts: whatever hunks of random changes are kept, the commit has exactly them; all of them are the new text, none the old.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	lines := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = string(rune('a'+rng.IntN(6))) + "\n"
		}
		return out
	}
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprint("f", i)] = strings.TrimSuffix(strings.Join(lines(30), ""), []string{"", "\n"}[i%2])
	}
	tree := newTree(t, files)
	for i := range 20 {
		was := strings.SplitAfter(files[fmt.Sprint("f", i)], "\n")
		for range 6 {
			at := rng.IntN(len(was))
			was = slices.Replace(was, at, min(len(was), at+rng.IntN(3)), lines(rng.IntN(3))...)
		}
		gittest.Write(t, tree.Dir, fmt.Sprint("f", i), strings.TrimSuffix(strings.Join(was, ""), []string{"\n", ""}[i/2%2]))
	}
	r := look(t, tree)
	var decisions []review.Decision
	want := map[string]int{}
	for _, c := range r.Changes {
		if patched := apply(t, c.Old, "--- a\n+++ b\n"+c.Diff(3)); patched != c.New {
			t.Errorf("%s: the diff makes\n%q of\n%q, want\n%q\n%s", c.Path, patched, c.Old, c.New, c.Diff(3))
		}
		d := review.Decision{Path: c.Path, Verdict: review.Part}
		for _, h := range c.Hunks {
			if rng.IntN(2) == 0 {
				d.Hunks = append(d.Hunks, h.ID)
			}
		}
		want[c.Path] = len(d.Hunks)
		decisions = append(decisions, d)
	}
	if _, err := review.Finalize(t.Context(), tree, decisions, "parts"); err != nil {
		t.Fatal(err)
	}
	if got := gittest.Run(t, tree.Dir, "status", "--porcelain"); got != "" {
		t.Errorf("status %q", got)
	}
	for _, c := range look(t, tree).Changes {
		if len(c.Hunks) > want[c.Path] { // kept hunks may touch and become one
			t.Errorf("%s: %d hunks, at most %d were kept", c.Path, len(c.Hunks), want[c.Path])
		}
		if want[c.Path] == 0 {
			t.Errorf("%s: nothing was kept, and it differs", c.Path)
		}
	}
}

// apply has git apply a patch to a text.
func apply(t *testing.T, text, patch string) string {
	t.Helper()
	dir := t.TempDir()
	gittest.Write(t, dir, "b", text)
	gittest.Write(t, dir, "p", strings.Replace(patch, "--- a\n+++ b\n", "--- a/b\n+++ b/b\n", 1))
	cmd := exec.Command("git", "apply", "--unidiff-zero", "p")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("git apply: %v %s", err, out)
	}
	return gittest.Read(t, dir, "b")
}
