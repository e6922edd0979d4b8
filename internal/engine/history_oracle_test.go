package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	"ken/internal/engine/history"
	store "ken/internal/store/sqlite"
)

// past is a repository whose history is made up at random, and an index kept
// beside it.
type past struct {
	t      *testing.T
	root   string
	rnd    *rand.Rand
	clock  int64
	n      int
	log    []string
	steady bool // the clock never goes back
}

func newPast(t *testing.T, seed uint64) *past {
	t.Helper()
	p := &past{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(seed, 3)), clock: 1_700_000_000}
	p.git("init", "-q", "-b", "main")
	p.write(".git/info/exclude", ".ken\n") // or git clean takes the salt
	p.write("a.go", "package a\n")
	p.commit()
	return p
}

// try runs git and reports whether it succeeded.
func (p *past) try(args ...string) (string, bool) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "advice.detachedHead=false", "-c", "merge.renames=false"}, args...)...)
	cmd.Dir = p.root
	date := fmt.Sprintf("%d +0000", p.clock)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (p *past) git(args ...string) string {
	p.t.Helper()
	out, ok := p.try(args...)
	if !ok {
		p.t.Fatalf("git %q: %s\nafter\n%s", args, out, strings.Join(p.log, "\n"))
	}
	return out
}

func (p *past) write(path, text string) {
	p.t.Helper()
	full := filepath.Join(p.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// tick moves the clock: mostly on, at times not at all, or backward.
func (p *past) tick() {
	if p.steady && p.rnd.IntN(3) > 0 {
		p.clock++
	}
	switch k := p.rnd.IntN(6); {
	case p.steady && k < 2: // several commits in a second
	case k == 0:
	case k == 1:
		p.clock -= int64(p.rnd.IntN(5000))
	default:
		p.clock += int64(p.rnd.IntN(90_000))
	}
}

func (p *past) commit(more ...string) {
	p.t.Helper()
	p.tick()
	p.n++
	p.git("add", "-A")
	msg := fmt.Sprintf("change number%d of the %s\n\nBecause the %s was wrong.\n\nSigned-off-by: t <t@example.org>\n", p.n, p.word(), p.word())
	p.git(append([]string{"commit", "-q", "--allow-empty", "-m", msg}, more...)...)
}

func (p *past) word() string {
	list := []string{"parser", "cache", "lexer", "walker", "índice", "スキーマ", "getUserName", "http_server"}
	return list[p.rnd.IntN(len(list))]
}

func (p *past) tracked() []string {
	return strings.Split(strings.TrimSuffix(p.git("ls-files", "-z"), "\x00"), "\x00")
}

func (p *past) any() string { l := p.tracked(); return l[p.rnd.IntN(len(l))] }

func (p *past) branches() []string {
	return strings.Fields(p.git("for-each-ref", "--format=%(refname)", "refs/heads"))
}

func (p *past) branch() string {
	l := p.branches()
	return strings.TrimPrefix(l[p.rnd.IntN(len(l))], "refs/heads/")
}

// edit changes the tree.
func (p *past) edit() {
	names := []string{"a.go", "b.go", "dir/c.go", "dir/d.py", "x y.txt", "new\nline.md", "dir/ü.ts", "\xff\xfe.bin"}
	for range 1 + p.rnd.IntN(4) {
		switch f := p.any(); p.rnd.IntN(5) {
		case 0:
			if to := fmt.Sprintf("moved/m%d.go", p.rnd.IntN(6)); f != "" {
				os.MkdirAll(filepath.Join(p.root, "moved"), 0o755)
				p.try("mv", "-f", f, to)
			}
		case 1:
			if len(p.tracked()) > 2 {
				p.try("rm", "-q", "-f", f)
			}
		default:
			n := names[p.rnd.IntN(len(names))]
			p.write(n, fmt.Sprintf("package a\n// %s\nvar V%d = %d\n%s", n, p.rnd.IntN(40), p.rnd.IntN(9), strings.Repeat("// line\n", p.rnd.IntN(30))))
		}
	}
}

func (p *past) step() {
	op := p.rnd.IntN(12)
	p.log = append(p.log, fmt.Sprintf("op %d at %s", op, strings.TrimSpace(p.git("rev-parse", "--abbrev-ref", "HEAD"))))
	switch op {
	case 0: // another branch
		p.git("checkout", "-q", "-f", p.branch())
	case 1:
		p.git("checkout", "-q", "-f", "-b", fmt.Sprintf("b%d", p.n), "HEAD")
		p.n++
	case 2:
		p.tick()
		if out, ok := p.try("merge", "-q", "--no-ff", "-X", "theirs", "-m", "merge", p.branch()); !ok {
			p.log = append(p.log, out)
			p.try("merge", "--abort")
			p.git("reset", "-q", "--hard")
		}
	case 3: // octopus
		p.tick()
		if _, ok := p.try("merge", "-q", "-m", "octopus", p.branch(), p.branch(), p.branch()); !ok {
			p.try("merge", "--abort")
			p.git("reset", "-q", "--hard")
		}
	case 4:
		p.edit()
		p.commit("--amend")
	case 5:
		p.try("reset", "-q", "--hard", fmt.Sprintf("HEAD~%d", 1+p.rnd.IntN(3)))
	case 6:
		p.tick()
		if _, ok := p.try("rebase", "-q", "-X", "theirs", p.branch()); !ok {
			p.try("rebase", "--abort")
			p.git("reset", "-q", "--hard")
		}
	case 7: // bulk
		for i := range history.MaxFiles + 5 {
			p.write(fmt.Sprintf("bulk/f%d.txt", i), fmt.Sprint(p.rnd.IntN(3), " of ", i))
		}
		p.commit()
	default:
		p.edit()
		p.commit()
	}
	p.git("clean", "-q", "-f", "-d")
}

// TestHistoryOracle: however HEAD came to where it is, the history equals one
// read anew; and its commits are those git tells, with the files git tells.
//
//	KEN_SEQUENCES=200 go test ./internal/engine -run TestHistoryOracle
func TestHistoryOracle(t *testing.T) {
	needGit(t)
	for seed := range envInt("KEN_SEQUENCES", 4) {
		limit := []int{0, 12, 30}[seed%3]
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			p := newPast(t, uint64(seed))
			p.steady = limit > 0
			exempt := 0
			kept := newProjectWith(t, p.root, engine.Options{HistoryCommits: limit})
			for range 12 {
				for range 1 + p.rnd.IntN(4) {
					p.step()
				}
				if diff := kept.check(); diff != "" && limit > 0 && p.skewed() {
					exempt++
				} else if diff != "" {
					t.Fatalf("%s\nafter\n%s", diff, strings.Join(p.log, "\n"))
				}
				if limit == 0 {
					p.compare(kept.db)
				}
			}
			t.Logf("%d of 12 histories end elsewhere than one read anew, by the clocks", exempt)
		})
	}
}

// skewed reports whether some commit is older than a parent: then which commits
// are the newest is a matter of the way git walks.
func (p *past) skewed() bool {
	times := map[string]string{}
	lines := strings.Split(strings.TrimSpace(p.git("log", "--format=%H %ct %P")), "\n")
	for _, l := range lines {
		f := strings.Fields(l)
		times[f[0]] = f[1]
	}
	for _, l := range lines {
		f := strings.Fields(l)
		for _, parent := range f[2:] {
			if times[parent] > f[1] { // ten digits each
				return true
			}
		}
	}
	return false
}

// compare holds an index's history against what plain git says.
func (p *past) compare(db string) {
	p.t.Helper()
	st := store.New(db)
	defer st.Close()
	r, err := st.Read(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Close()
	s, err := history.Unpack(r.History)
	if err != nil {
		p.t.Fatal(err)
	}
	ids := strings.Fields(p.git("rev-list", "HEAD"))
	if len(ids) != len(s.Commits) {
		p.t.Fatalf("%d commits, git has %d\nafter\n%s", len(s.Commits), len(ids), strings.Join(p.log, "\n"))
	}
	at := map[string]*history.Commit{}
	for i := range s.Commits {
		at[s.Commits[i].ID.String()] = &s.Commits[i]
	}
	for _, id := range ids {
		c := at[id[:20]]
		if c == nil {
			p.t.Fatalf("commit %s is missing", id)
		}
		var want []string
		if out := p.git("diff-tree", "-z", "-r", "-M", "--root", "--no-commit-id", "--name-only", id); out != "" && !c.Merge {
			want = strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
		}
		if c.Files != len(want) {
			p.t.Fatalf("commit %s: %d files, git says %q", id, c.Files, want)
		}
		var got []string
		for _, f := range c.Touched {
			got = append(got, s.Paths[f])
		}
		slices.Sort(got)
		slices.Sort(want)
		if len(want) > history.MaxFiles {
			want = nil
		}
		if !slices.Equal(got, want) {
			p.t.Fatalf("commit %s: files %q, git says %q", id, got, want)
		}
	}
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
}

// TestHistoryFollowsRenames: a file's commits are those `git log --follow` tells,
// on a line of commits whose renames keep the content.
func TestHistoryFollowsRenames(t *testing.T) {
	needGit(t)
	p := newPast(t, 1)
	files := []string{"one.go", "two.go", "three.go"}
	text := func(f string) string { return strings.Repeat("// a line of "+f+"\n", 40) }
	for _, f := range files {
		p.write(f, text(f))
	}
	p.commit()
	for i := range 40 {
		k := p.rnd.IntN(len(files))
		if p.rnd.IntN(3) == 0 {
			to := fmt.Sprintf("%s/f%d.go", []string{"x", "y"}[i%2], i)
			os.MkdirAll(filepath.Join(p.root, filepath.Dir(to)), 0o755)
			p.git("mv", files[k], to)
			files[k] = to
		} else {
			p.write(files[k], text(files[k][:3])+fmt.Sprint("// ", i, "\n")+strings.Repeat(fmt.Sprintln("//", k), 60))
		}
		p.clock += 1000
		p.commit()
	}
	askPast(t, p.root, func(ctx context.Context, s *view.Snapshot) {
		for _, f := range files {
			want := len(strings.Fields(p.git("log", "--follow", "--format=%H", "--", f)))
			file, err := s.File(ctx, f)
			if err != nil {
				t.Fatal(err)
			}
			a, ok, err := s.Activity(file.ID)
			if err != nil || !ok || a.Commits != want || a.Authors != 1 {
				t.Errorf("%s: %+v %v %v, git tells %d commits", f, a, ok, err, want)
			}
		}
	})
}

// askPast indexes a project and asks of it.
func askPast(t *testing.T, root string, f func(context.Context, *view.Snapshot)) {
	t.Helper()
	e := engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(root, ".ken", "index.db"))})
	defer e.Close()
	if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		f(ctx, s)
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
