package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/git"
	"ken/internal/git/gittest"
)

// isolate keeps the machine's settings out of a test, and names a user.
func isolate(t testing.TB) {
	t.Helper()
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "Tess T")
}

// mapStore keeps records in memory.
type mapStore struct {
	mu   sync.Mutex
	kept map[string]Record
	fail error // of the next KeepWorktree
}

var _ Store = (*mapStore)(nil)

func (s *mapStore) KeepWorktree(_ context.Context, r Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.kept[r.ID] = r
	return nil
}

func (s *mapStore) Worktree(_ context.Context, id string) (Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.kept[id]
	if !ok {
		return r, ErrUnknown
	}
	return r, nil
}

func (s *mapStore) Worktrees(context.Context) ([]Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Record
	for _, r := range s.kept {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Record) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

func (s *mapStore) ForgetWorktree(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, id)
	return nil
}

// project is a repository with some files, and its work trees.
type project struct {
	*testing.T
	dir   string
	store *mapStore
	*Trees
}

func newProject(t *testing.T) *project {
	t.Helper()
	isolate(t)
	return projectAt(t, t.TempDir())
}

func projectAt(t *testing.T, dir string) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n")
	gittest.Write(t, dir, "sub/b.txt", "b\n")
	gittest.Write(t, dir, "old.txt", "old\n")
	gittest.Write(t, dir, ".gitignore", "node_modules/\n.env\n/.ken/\n")
	gittest.Commit(t, dir, "first")
	p := &project{T: t, dir: dir, store: &mapStore{kept: map[string]Record{}}}
	p.Trees = p.trees(dir)
	return p
}

func (p *project) trees(dir string) *Trees {
	p.Helper()
	trees, err := New(dir, git.Git{}, p.store, time.Now)
	if err != nil {
		p.Fatal(err)
	}
	return trees
}

func (p *project) create(id string) *Tree {
	p.Helper()
	tree, err := p.Create(p.Context(), CreateOptions{ID: id, Branch: "llm_task_" + id, Purpose: "task"})
	if err != nil {
		p.Fatal(err)
	}
	return tree
}

func (p *project) look(tree *Tree) *TreeLook {
	p.Helper()
	l, err := tree.Look(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(l.Close)
	return l
}

// finalize keeps the changes of some paths, or of all, and says nothing of the others.
func (p *project) finalize(tree *Tree, paths ...string) *Commit {
	p.Helper()
	var choices []Choice
	for _, c := range p.look(tree).Changes {
		if len(paths) == 0 || slices.Contains(paths, c.Path) {
			choices = append(choices, Choice{Change: c, Keep: true})
		}
	}
	done, err := tree.Commit(p.Context(), choices, "work")
	if err != nil {
		p.Fatal(err)
	}
	return done
}

func (p *project) merge(id string) *MergeResult {
	p.Helper()
	r, err := p.Merge(p.Context(), id, MergeOptions{})
	if err != nil {
		p.Fatal(err)
	}
	return r
}

func (p *project) refused(err error, why Reason, has ...string) {
	p.Helper()
	if RefusalReason(err) != why {
		p.Fatalf("err = %v (%q), want %q", err, RefusalReason(err), why)
	}
	for _, h := range has {
		if !strings.Contains(err.Error(), h) {
			p.Errorf("%q does not say %q", err, h)
		}
	}
}

// status is what git says of a tree.
func status(t testing.TB, dir string) string {
	return gittest.Run(t, dir, "status", "--porcelain", "--untracked-files=all")
}

// changes lists the changes of a look in short.
func changes(l *TreeLook) string {
	var b strings.Builder
	for _, c := range l.Changes {
		kind := "M"
		if c.IsNew() {
			kind = "A"
		} else if c.IsDeleted() {
			kind = "D"
		}
		if c.Committed {
			kind += "c"
		}
		b.WriteString(kind + " " + c.Path + ";")
	}
	return b.String()
}

// clean fails if anything of work trees is left.
func (p *project) nothingLeft() {
	p.Helper()
	if list, _ := p.store.Worktrees(p.Context()); len(list) > 0 {
		p.Errorf("records are left: %v", list)
	}
	for _, gone := range []string{".ken/worktrees", ".git/worktrees", ".git/index.lock"} {
		if _, err := os.Lstat(filepath.Join(p.dir, gone)); err == nil {
			p.Errorf("%s is left", gone)
		}
	}
	if out := gittest.Run(p, p.dir, "for-each-ref", "--format=%(refname)", "refs/heads/llm_task_*"); out != "" {
		p.Errorf("branches are left: %s", out)
	}
	entries, _ := os.ReadDir(filepath.Join(p.dir, ".git"))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "ken-") && e.Name() != lockName {
			p.Errorf("%s is left", e.Name())
		}
	}
}
