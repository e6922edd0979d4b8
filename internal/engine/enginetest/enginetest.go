// Package enginetest makes projects for tests: a tree of files, an index of it
// and the engine over both. Only tests import it.
package enginetest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
)

// Tree is a directory with files.
type Tree struct {
	T    testing.TB
	Root string
}

// NewTree returns an empty tree, which is removed when the test ends.
func NewTree(t testing.TB) *Tree { return &Tree{T: t, Root: t.TempDir()} }

// Project is a tree with an index of it that is closed when the test ends.
type Project struct {
	*Tree
	DB     string // file of the index, outside of the tree
	Engine *engine.Engine
}

// New writes files into a new directory and indexes them.
func New(t testing.TB, files map[string]string) *Project {
	t.Helper()
	return NewWith(t, files, engine.Options{})
}

// NewWith is New with options; Root and Store are filled.
func NewWith(t testing.TB, files map[string]string, opt engine.Options) *Project {
	t.Helper()
	tree := NewTree(t)
	for path, text := range files {
		tree.Write(path, text)
	}
	return tree.IndexWith(opt)
}

// NewTxtar is New with the files of a txtar archive.
func NewTxtar(t testing.TB, archive []byte) *Project {
	t.Helper()
	files := map[string]string{}
	for _, f := range txtar.Parse(archive).Files {
		files[f.Name] = string(f.Data)
	}
	return New(t, files)
}

// Index indexes the tree.
func (w *Tree) Index() *Project {
	w.T.Helper()
	return w.IndexWith(engine.Options{})
}

// IndexWith is Index with options; Root and Store are filled.
func (w *Tree) IndexWith(opt engine.Options) *Project {
	w.T.Helper()
	p := &Project{Tree: w, DB: filepath.Join(w.T.TempDir(), "index.db")}
	opt.Root, opt.Store = w.Root, sqlite.New(p.DB)
	p.Engine = engine.New(opt)
	w.T.Cleanup(func() { p.Engine.Close() })
	p.Update()
	return p
}

// Write puts a text at a path, making its directories.
func (w *Tree) Write(path, text string) {
	w.T.Helper()
	full := filepath.Join(w.Root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		w.T.Fatal(err)
	}
}

// Read returns the text at a path.
func (w *Tree) Read(path string) string {
	w.T.Helper()
	b, err := os.ReadFile(filepath.Join(w.Root, filepath.FromSlash(path)))
	if err != nil {
		w.T.Fatal(err)
	}
	return string(b)
}

// Remove deletes a file or a directory with all below it.
func (w *Tree) Remove(path string) {
	w.T.Helper()
	if err := os.RemoveAll(filepath.Join(w.Root, filepath.FromSlash(path))); err != nil {
		w.T.Fatal(err)
	}
}

// Update brings the index up to date: with these paths, or the whole tree.
func (p *Project) Update(paths ...string) *engine.Update {
	p.T.Helper()
	u, err := p.Engine.Update(context.Background(), engine.Request{Create: true, Paths: paths})
	if err != nil {
		p.T.Fatal(err)
	}
	return u
}

// Ask runs f over the index as it is; an error of f fails the test.
func (p *Project) Ask(f func(ctx context.Context, s *view.Snapshot) error) {
	p.T.Helper()
	err := p.Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		return nil, f(ctx, s)
	})
	if err != nil {
		p.T.Fatal(err)
	}
}

// Git runs git in the tree, with a fixed author and no settings of the user's.
func (p *Tree) Git(args ...string) string {
	p.T.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.Root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.T.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// Commit commits everything in the tree, making the repository if there is none.
func (p *Tree) Commit(message string) {
	p.T.Helper()
	if _, err := os.Stat(filepath.Join(p.Root, ".git")); err != nil {
		p.Git("init", "-q", "-b", "main")
	}
	p.Git("add", "-A")
	p.Git("commit", "-q", "--allow-empty", "-m", message)
}
