package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/diff"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// TestChangedOracle compares the changed paths of random trees with git's.
func TestChangedOracle(t *testing.T) {
	m := miniatures()[0]
	for seed := range uint64(envInt("KEN_SEQUENCES", 3)) {
		w := &worktree{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(seed, 9)), mini: m, git: true}
		w.run("init", "-q", "-b", "main")
		for _, p := range m.paths {
			w.write(p, m.content(w.rnd, p))
		}
		w.run("add", "-A")
		w.run("commit", "-q", "-m", "first")
		p := newProject(t, w.root)
		for round := range 12 {
			w.log = w.log[:0]
			for range 1 + w.rnd.IntN(5) {
				w.step()
			}
			got := statuses(t, p.e)
			excluded := func(l string) bool { // by .kenignore
				_, err := os.Lstat(w.full(l[2:]))
				return err == nil && !hasRow(t, p.e, l[2:])
			}
			want := slices.DeleteFunc(w.gitChanged(), excluded)
			got = slices.DeleteFunc(got, excluded)
			got = slices.DeleteFunc(got, func(l string) bool { // written twice within a moment: git may miss it
				return l[0] == 'M' && !slices.Contains(want, l) && !w.asCommitted(l[2:])
			})
			if diff := cmp.Diff(want, got); !slices.Equal(want, got) {
				t.Fatalf("seed %d, round %d (-git +ken):\n%s\nafter\n%s\n%s", seed, round, diff, strings.Join(w.log, "\n"), w.run("status", "--porcelain"))
			}
		}
	}
}

func hasRow(t testing.TB, e *engine.Engine, path string) bool {
	err := e.Answer(t.Context(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		_, err := s.File(ctx, path)
		return nil, err
	})
	return err == nil
}

// statuses returns the first letters of what diff.Changed says of the working tree, with
// the paths; a rename is a deletion and an addition, both of one path a modification.
func statuses(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	set := map[string]string{}
	note := func(status, p string) {
		if set[p] != "" {
			status = "M"
		}
		set[p] = status
	}
	err := e.Answer(t.Context(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		clear(set)
		list, err := diff.ChangedFiles(ctx, s, "")
		for _, f := range list {
			if f.Status == diff.DiffRenamed {
				note("D", f.Old)
				note("A", f.Path)
				continue
			}
			note(strings.ToUpper(string(f.Status)[:1]), f.Path)
		}
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sortedStatuses(set)
}

func sortedStatuses(set map[string]string) []string {
	var out []string
	for p, s := range set {
		if !strings.HasPrefix(p, ".ken/") {
			out = append(out, s+" "+p)
		}
	}
	slices.Sort(out)
	return out
}

// gitChanged is what git tells of regular files: HEAD against the working tree.
func (w *worktree) gitChanged() []string {
	set := map[string]string{}
	fields := strings.Split(w.stdout("diff", "--raw", "-z", "--no-renames", "HEAD"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(fields[i])
		from, to := strings.HasPrefix(f[0], ":100"), strings.HasPrefix(f[1], "100")
		switch {
		case from && to && f[2] != f[3]:
			set[fields[i+1]] = "M"
		case from && !to:
			set[fields[i+1]] = "D"
		case to && !from:
			set[fields[i+1]] = "A"
		}
	}
	for _, p := range strings.Split(w.stdout("ls-files", "-o", "-z", "--exclude-standard"), "\x00") {
		st, err := os.Lstat(w.full(p))
		if p == "" || err != nil || !st.Mode().IsRegular() {
			continue
		}
		switch {
		case set[p] != "D":
			set[p] = "A"
		case w.asCommitted(p):
			delete(set, p)
		default:
			set[p] = "M"
		}
	}
	return sortedStatuses(set)
}

// asCommitted reports whether a file holds what HEAD has of it.
func (w *worktree) asCommitted(p string) bool {
	return w.stdout("hash-object", "--no-filters", "--", p) == w.stdout("rev-parse", "HEAD:"+p)
}

// stdout is what git prints, without its warnings.
func (w *worktree) stdout(args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, _ := cmd.Output()
	return string(out)
}
