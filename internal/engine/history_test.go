package engine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// told is what a snapshot says of the history.
func told(t *testing.T, e *engine.Engine) (info view.HistoryInfo) {
	t.Helper()
	err := e.Answer(context.Background(), engine.AsIndexed, func(_ context.Context, s *view.Snapshot) (_ []string, err error) {
		info, err = s.HistoryInfo()
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// indexedPast makes an engine over a root and brings it up to date.
func indexedPast(t *testing.T, opt engine.Options) (*engine.Engine, *kenupdate.Update) {
	t.Helper()
	opt.Store = store.New(filepath.Join(t.TempDir(), "index.db"))
	e := engine.New(opt)
	t.Cleanup(func() { e.Close() })
	return e, brought(t, e)
}

func brought(t *testing.T, e *engine.Engine, paths ...string) *kenupdate.Update {
	t.Helper()
	u, err := e.Update(context.Background(), kenupdate.Request{Create: true, Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// asked asks everything there is to ask; without a history nothing is told and nothing fails.
func asked(t *testing.T, e *engine.Engine) (pairs, learned, similar int) {
	t.Helper()
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		co, err := s.CoChanged(ctx, "a.go", 0)
		if err != nil {
			return nil, err
		}
		terms := view.MessageTerms("change the number1 of it", 1)
		files, err := s.LearnedFiles(ctx, terms, 5)
		if err != nil {
			return nil, err
		}
		like, err := s.SimilarCommits(ctx, terms, 5)
		if err != nil {
			return nil, err
		}
		_, _, err = s.Activity(1)
		pairs, learned, similar = len(co), len(files), len(like)
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs, learned, similar
}

func TestHistoryAbsent(t *testing.T) {
	needGit(t)
	none := t.TempDir()
	empty := t.TempDir()
	(&past{t: t, root: empty}).git("init", "-q")
	whole := newPast(t, 1)
	broken := newPast(t, 2)
	for range 3 {
		broken.write("b.go", strings.Repeat("x", broken.n))
		broken.commit()
	}
	id := strings.TrimSpace(broken.git("rev-parse", "HEAD~1"))
	if err := os.Remove(filepath.Join(broken.root, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, root, problem string
		limit               int
	}{
		{"no repository", none, "no git repository", 0},
		{"no commit", empty, "no commit", 0},
		{"switched off", whole.root, "switched off", -1},
		{"broken", broken.root, "git could not read it: ", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _ := indexedPast(t, engine.Options{Root: c.root, HistoryCommits: c.limit})
			if info := told(t, e); !strings.HasPrefix(info.Problem, c.problem) || info.Commits != 0 {
				t.Errorf("%+v, want problem %q", info, c.problem)
			}
			if a, b, c := asked(t, e); a+b+c > 0 {
				t.Errorf("told %d %d %d without a history", a, b, c)
			}
			if u := brought(t, e); u.History != nil {
				t.Errorf("tried again at the same HEAD: %+v", u.History)
			}
		})
	}
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		e, _ := indexedPast(t, engine.Options{Root: whole.root})
		if info := told(t, e); info.Problem != "git is not installed" {
			t.Errorf("%+v", info)
		}
	})
}

// TestHistoryOneCommit: a repository's first commit is one like others.
func TestHistoryOneCommit(t *testing.T) {
	needGit(t)
	p := &past{t: t, root: t.TempDir(), clock: 1_700_000_000}
	p.git("init", "-q")
	p.write("a.go", "package a\n")
	p.write("a_test.go", "package a\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "number1 of all")
	e, u := indexedPast(t, engine.Options{Root: p.root})
	if u.History == nil || u.History.Commits != 1 || !u.History.Full {
		t.Errorf("%+v", u.History)
	}
	if a, b, c := asked(t, e); a != 1 || b != 2 || c != 1 {
		t.Errorf("told %d %d %d", a, b, c)
	}
}

func TestHistoryShallow(t *testing.T) {
	needGit(t)
	p := newPast(t, 1)
	for range 9 {
		p.write("a.go", strings.Repeat("// x\n", p.n))
		p.write("b.go", strings.Repeat("// x\n", p.n))
		p.commit()
	}
	dir := filepath.Join(t.TempDir(), "clone")
	p.git("clone", "-q", "--depth", "4", "file://"+p.root, dir)
	e, _ := indexedPast(t, engine.Options{Root: dir})
	if info := told(t, e); info.Commits != 4 || !info.Shallow || info.Problem != "" {
		t.Errorf("%+v", info)
	}
	together := func() int {
		var n int
		err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			list, err := s.CoChanged(ctx, "a.go", 0)
			if len(list) > 0 {
				n = list[0].Together
			}
			return nil, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := together(); n != 3 { // what the last of them changed git does not know
		t.Errorf("%d commits changed both", n)
	}
	cmd := exec.Command("git", "fetch", "-q", "--unshallow")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	u := brought(t, e)
	if info := told(t, e); u.History == nil || info.Commits != 10 || info.Shallow || together() != 9 {
		t.Errorf("deepened: %+v, %d", info, together())
	}
}

// TestHistoryOnward: an update reads what HEAD gained, one of a single file and
// one at the same HEAD start no git.
func TestHistoryOnward(t *testing.T) {
	needGit(t)
	p := newPast(t, 1)
	p.write("b.go", "package a\n")
	p.commit()
	e, u := indexedPast(t, engine.Options{Root: p.root})
	first := u.Rev
	p.write("a.go", "package a\n// more\n")
	p.write("b.go", "package a\n// more\n")
	p.commit()
	if u := brought(t, e, "a.go"); u.History != nil {
		t.Errorf("a file's update read the history: %+v", u.History)
	}
	if info := told(t, e); info.Commits != 2 {
		t.Errorf("%+v", info)
	}
	u = brought(t, e)
	if h := u.History; h == nil || h.Added != 1 || h.Dropped != 0 || h.Full || h.Commits != 3 || u.Rev <= first {
		t.Errorf("%+v, revision %d after %d", h, u.Rev, first)
	}
	p.git("commit", "-q", "--amend", "-m", "other words")
	if h := brought(t, e).History; h == nil || h.Added != 1 || h.Dropped != 1 || h.Full {
		t.Errorf("%+v", h)
	}
	p.git("commit", "-q", "--allow-empty", "-m", "nothing")
	if u := brought(t, e); u.History == nil || u.History.Added != 1 || len(u.Changes) != 0 {
		t.Errorf("%+v", u)
	}
	t.Setenv("PATH", t.TempDir())
	if u := brought(t, e); u.History != nil {
		t.Errorf("%+v", u.History)
	}
	if info := told(t, e); info.Problem != "" || info.Commits != 4 {
		t.Errorf("%+v", info)
	}
}

// TestHistoryBelow: a project that is a folder of its repository.
func TestHistoryBelow(t *testing.T) {
	needGit(t)
	p := newPast(t, 1)
	for _, text := range []string{"a", "b", "c"} {
		p.write("sub/a.go", text)
		p.write("sub/b.go", text)
		p.write("out.go", text)
		p.commit()
	}
	e, _ := indexedPast(t, engine.Options{Root: filepath.Join(p.root, "sub")})
	if a, _, c := asked(t, e); a != 1 || c == 0 {
		t.Errorf("told %d %d", a, c)
	}
}

// TestHistoryPartial: a clone without contents, of which renames are known by
// ids alone.
func TestHistoryPartial(t *testing.T) {
	needGit(t)
	p := newPast(t, 1)
	p.git("config", "uploadpack.allowFilter", "true")
	p.git("rm", "-q", "a.go")
	p.write("old.go", strings.Repeat("// line\n", 50))
	p.write("a_test.go", "package a\n")
	p.commit()
	p.git("mv", "old.go", "a.go")
	p.commit()
	p.write("b.go", strings.Repeat("// line b\n", 50))
	p.commit()
	p.git("mv", "b.go", "c.go")
	p.write("c.go", strings.Repeat("// line b\n", 48))
	p.commit()
	dir := filepath.Join(t.TempDir(), "clone")
	p.git("clone", "-q", "--filter=blob:none", "file://"+p.root, dir)
	e, _ := indexedPast(t, engine.Options{Root: dir})
	if info := told(t, e); info.Commits != 5 || info.Problem != "" {
		t.Errorf("%+v", info)
	}
	if a, _, _ := asked(t, e); a == 0 {
		t.Error("the file's commits under its old name are not known")
	}
}
