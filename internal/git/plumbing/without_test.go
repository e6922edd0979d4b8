package plumbing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ken/internal/git"
	"ken/internal/git/gittest"
	"ken/internal/git/plumbing"
)

// randomHistory makes a repository whose branch work has commits of code, of a folder, of both and of nothing, side branches and merges of
// the base, which changes the folder, too.
func randomHistory(t *testing.T, rng *rand.Rand, folder string, steps int) *git.Repo {
	t.Helper()
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	gittest.SetUser(t, "A")
	write := func(path, text string) {
		gittest.Write(t, dir, path, text)
		gittest.Run(t, dir, "add", "-A")
	}
	commit := func(message string) { gittest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", message) }
	write("src/a.txt", "a")
	if rng.IntN(2) == 0 {
		write(folder+"/STATE.md", "state")
	}
	commit("begin")
	gittest.Run(t, dir, "switch", "-q", "-c", "work")
	for i := range steps {
		id := fmt.Sprint(i)
		switch rng.IntN(8) {
		case 0, 1:
			write("src/"+id+".txt", id)
			commit("code " + id + "\n\nbody\n")
		case 2, 3:
			write(folder+"/plan"+id+".md", id)
			commit("plan " + id)
		case 4:
			write("src/"+id+".txt", id)
			write(folder+"/plan"+id+".md", id)
			commit("both " + id)
		case 5:
			commit("empty " + id)
		case 6:
			gittest.Run(t, dir, "switch", "-q", "-c", "side"+id)
			if rng.IntN(2) == 0 {
				write("side/"+id, id)
			}
			write(folder+"/side"+id+".md", id)
			commit("side " + id)
			gittest.Run(t, dir, "switch", "-q", "work")
			write("src/beside"+id, id)
			commit("beside " + id)
			gittest.Run(t, dir, "merge", "-q", "--no-ff", "--no-edit", "side"+id)
		case 7:
			gittest.Run(t, dir, "switch", "-q", "main")
			write("main/"+id, id)
			write(folder+"/main"+id+".md", id)
			commit("main " + id)
			gittest.Run(t, dir, "switch", "-q", "work")
			if rng.IntN(2) == 0 {
				gittest.Run(t, dir, "merge", "-q", "--no-edit", "main")
			}
		}
	}
	write("src/last.txt", "x")
	commit("last")
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCopyWithout: a copy of random histories loses nothing outside of the folder and has nothing of it, commit by commit.
func TestCopyWithout(t *testing.T) {
	histories := 12
	if testing.Short() {
		histories = 3
	}
	for seed := range uint64(histories) {
		folder := ".planning"
		if seed%3 == 2 {
			folder = "sub/deep/.planning"
		}
		r, ctx := randomHistory(t, rand.New(rand.NewPCG(seed, 1)), folder, 14), context.Background()
		run := func(args ...string) string { return strings.TrimSpace(gittest.Run(t, r.Root, args...)) }
		g, err := git.Git{}.WithoutPrograms(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		base, head := run("rev-parse", "main"), run("rev-parse", "work")
		w, err := plumbing.CopyWithout(ctx, g, r, base, head, folder)
		if err != nil {
			t.Fatal(err)
		}
		d, err := plumbing.CompareWithout(ctx, g, r, w, base, head, folder)
		if err != nil || len(d.Outside)+len(d.Inside)+len(d.Commits) > 0 {
			t.Fatalf("seed %d: %+v %v", seed, d, err)
		}
		if d, err := plumbing.CompareWithout(ctx, g, r, &plumbing.Without{Base: w.Base, Head: head}, base, head, folder); err != nil || len(d.Commits) == 0 {
			t.Errorf("seed %d: commits of the folder are not seen: %+v %v", seed, d, err)
		}
		if d, err := plumbing.CompareWithout(ctx, g, r, &plumbing.Without{Base: w.Base, Head: w.Base}, base, head, folder); err != nil || len(d.Outside) == 0 {
			t.Errorf("seed %d: lost files are not seen: %+v %v", seed, d, err)
		}
		outside := []string{"--", ".", ":(exclude)" + folder}
		change := func(c string) string {
			return run(append([]string{"diff-tree", "-p", "--root", "--no-commit-id", c}, outside...)...)
		}
		for _, k := range w.Kept {
			if a, b := run("show", "-s", "--format=%an %ae %ad %cn %cd %B", k.ID), run("show", "-s", "--format=%an %ae %ad %cn %cd %B", k.Copy); a != b {
				t.Errorf("seed %d: %q is copied as %q", seed, a, b)
			}
			if parents := run("show", "-s", "--format=%P", k.ID); !strings.Contains(parents, " ") && change(k.ID) != change(k.Copy) {
				t.Errorf("seed %d: %s changes something else", seed, k.Subject)
			}
		}
		for _, k := range w.Dropped {
			if code := change(k.ID); code != "" || strings.HasPrefix(k.Subject, "empty") || k.Copy != "" {
				t.Errorf("seed %d: %s is left out with %s", seed, k.Subject, code)
			}
		}
		if n := fmt.Sprint(len(w.Kept) + len(w.Dropped)); n != run("rev-list", "--count", "main..work") {
			t.Errorf("seed %d: %s commits were sorted", seed, n)
		}
		if run("fsck", "--strict", "--no-dangling") != "" || run("status", "--porcelain") != "" || run("rev-parse", "work") != head {
			t.Errorf("seed %d: the repository is not as it was", seed)
		}
	}
}

// TestCopyWithoutNothing: a copy of planning alone is empty, one of commits that never touched the folder is they themselves, and two
// histories without a commit in common cannot be compared.
func TestCopyWithoutNothing(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "A")
	dir, ctx := t.TempDir(), context.Background()
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	commit := func(path, message string) string {
		gittest.Write(t, dir, path, message)
		gittest.Run(t, dir, "add", "-A")
		gittest.Run(t, dir, "commit", "-q", "-m", message)
		return strings.TrimSpace(gittest.Run(t, dir, "rev-parse", "HEAD"))
	}
	base, code := commit("a", "one"), commit("b", "two")
	plan := commit(".planning/a", "three")
	gittest.Run(t, dir, "checkout", "-q", "--orphan", "other")
	other := commit("c", "four")
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ base, head, want string }{{base, plan, code}, {code, plan, code}, {base, code, code}, {base, base, base}} {
		w, err := plumbing.CopyWithout(ctx, git.Git{}, r, c.base, c.head, ".planning")
		if err != nil || w.Head != c.want {
			t.Errorf("%v: %+v %v", c, w, err)
		}
	}
	if _, err := plumbing.CopyWithout(ctx, git.Git{}, r, base, other, ".planning"); err == nil {
		t.Error("two histories without a commit in common were compared")
	}
	if _, err := plumbing.CopyWithout(ctx, git.Git{}, r, "main", plan, ".planning"); err == nil {
		t.Error("a name was taken for an id")
	}
}
