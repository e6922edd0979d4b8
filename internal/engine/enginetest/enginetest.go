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

// Project is a tree with an index of it that is closed when the test ends.
type Project struct {
	T      testing.TB
	Root   string
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
	p := &Project{T: t, Root: t.TempDir(), DB: filepath.Join(t.TempDir(), "index.db")}
	for path, text := range files {
		p.Write(path, text)
	}
	opt.Root, opt.Store = p.Root, sqlite.New(p.DB)
	p.Engine = engine.New(opt)
	t.Cleanup(func() { p.Engine.Close() })
	p.Update()
	return p
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

// Write puts a text at a path, making its directories.
func (p *Project) Write(path, text string) {
	p.T.Helper()
	full := filepath.Join(p.Root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.T.Fatal(err)
	}
}

// Remove deletes a file.
func (p *Project) Remove(path string) {
	p.T.Helper()
	if err := os.Remove(filepath.Join(p.Root, filepath.FromSlash(path))); err != nil {
		p.T.Fatal(err)
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
func (p *Project) Git(args ...string) string {
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
func (p *Project) Commit(message string) {
	p.T.Helper()
	if _, err := os.Stat(filepath.Join(p.Root, ".git")); err != nil {
		p.Git("init", "-q", "-b", "main")
	}
	p.Git("add", "-A")
	p.Git("commit", "-q", "--allow-empty", "-m", message)
}
