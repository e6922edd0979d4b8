// Package engine is the front door of the index: Update is the only write,
// Snapshot the only read. It puts the parts below it together (scan, extract,
// token, resolve, graph) and declares the store it needs; store/sqlite
// implements it, delivery/tool asks.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/source/secret"
)

// Options of an Engine; zero values are defaults.
type Options struct {
	Root             string // absolute path of the project, the directory that holds .ken
	Store            Store
	Include, Exclude []string // gitignore patterns; see scan.Options
	MaxFileSize      int64    // bytes; 0 means scan.DefaultMaxFileSize
	// AllowSecrets are findings that Secrets leaves out. They are masked all the same.
	AllowSecrets []Allow
	// HistoryCommits is the number of commits of the history that are kept; 0 means
	// history.DefaultLimit, below 0 none.
	HistoryCommits int
	// Cache keeps readings across branches and working trees; nil is none.
	Cache Cache
	Log   *slog.Logger
	// Embedding adds what texts mean to what search finds them by; none by default.
	Embedding Embedding
	// Getenv is the environment, which says where Go's sources and modules are;
	// nil is an empty one.
	Getenv func(string) string
}

// Engine serves one project. It is safe for concurrent use.
type Engine struct {
	opt     Options
	once    sync.Once // makes scanner
	scan    *scan.Scanner
	err     error
	secrets func() *secret.Engine

	recallMu sync.Mutex // guards recall
	recall   *recall    // see recalled

	askedMu sync.Mutex   // guards asked and warned
	asked   *askedVector // see queryVector
	warned  string       // the last note about embeddings
}

// New makes an engine; it opens nothing.
func New(opt Options) *Engine {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Engine{opt: opt, secrets: sync.OnceValue(secret.New)}
}

// Close releases what the engine holds open.
func (e *Engine) Close() error {
	if c, ok := e.opt.Store.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

func (e *Engine) scanner() (*scan.Scanner, error) {
	e.once.Do(func() {
		e.scan, e.err = scan.New(scan.Options{Root: e.opt.Root, Include: e.opt.Include, Exclude: e.opt.Exclude, MaxFileSize: e.opt.MaxFileSize})
	})
	return e.scan, e.err
}

// Canonical is a path relative to the root as the tree holds it; see
// scan.Canonical. What users and agents name goes through it once.
func (e *Engine) Canonical(p string) string {
	s, err := e.scanner()
	if err != nil {
		return p // the next question says what is wrong
	}
	return s.Canonical(p)
}

// Freshness says how true of the working tree an answer must be.
type Freshness int

const (
	AsIndexed Freshness = iota // no look at the tree
	Shown                      // the files the answer shows are read again first if they changed
	WholeTree                  // the whole tree is compared with the index first
	// Checked is WholeTree at half the wait: f runs while the tree is looked at,
	// and once more if the look found changes. f must not have side effects.
	Checked
)

// maxTries bounds how often an answer is made anew because the files it shows
// keep changing.
const maxTries = 3

// Answer runs f over a snapshot as fresh as asked. With Shown, f returns the
// paths its answer shows; if one of them changed on disk the index is brought
// up to date for them and f runs again, so f must not have side effects.
func (e *Engine) Answer(ctx context.Context, fresh Freshness, f func(ctx context.Context, s *Snapshot) (paths []string, err error)) error {
	return e.healed(ctx, func() error { return e.answer(ctx, fresh, f) })
}

// healed runs f, and if that meets damage of the index, once more over one built
// anew. Damage shows only where it is read, so that whatever reads the index goes
// through here or through Update.
func (e *Engine) healed(ctx context.Context, f func() error) error {
	err := f()
	if !errors.Is(err, code.ErrDamaged) {
		return err
	}
	if _, err := e.Update(ctx, Request{Full: true}); err != nil {
		return fmt.Errorf("rebuild the damaged index: %w", err)
	}
	return f()
}

func (e *Engine) answer(ctx context.Context, fresh Freshness, f func(context.Context, *Snapshot) ([]string, error)) error {
	if fresh == Checked {
		return e.answerChecked(ctx, f)
	}
	if fresh == WholeTree {
		if _, err := e.Update(ctx, Request{}); err != nil && !e.tolerate(err) {
			return err
		}
	}
	for try := 1; ; try++ {
		stale, err := e.answerOnce(ctx, fresh, f)
		if len(stale) == 0 || try == maxTries {
			return err
		}
		if _, uerr := e.Update(ctx, Request{Paths: stale}); uerr != nil {
			if e.tolerate(uerr) {
				return err
			}
			return uerr
		}
	}
}

// tolerate says so if an answer can only be given from the index as it is,
// because it cannot be written: a read-only checkout, another user's.
func (e *Engine) tolerate(err error) bool {
	if !errors.Is(err, ErrReadOnly) {
		return false
	}
	e.opt.Log.Warn("files may have changed and the index cannot be written: answered from the index as it is")
	return true
}

// answerChecked looks at the tree and runs f at the same time. The look costs
// mostly system calls and f mostly memory, so two cores share them well; one
// connection serves both.
func (e *Engine) answerChecked(ctx context.Context, f func(context.Context, *Snapshot) ([]string, error)) error {
	r, last, err := e.readChecked(ctx)
	if err != nil { // no index, an old one, a damaged one: Update knows what to do
		if _, err := e.Update(ctx, Request{}); err != nil {
			return err
		}
		_, err := e.answerOnce(ctx, AsIndexed, f)
		return err
	}
	type looked struct {
		*found
		err error
	}
	done := make(chan looked, 1)
	go func() {
		l, err := e.look(ctx, last)
		done <- looked{l, err}
	}()
	s := newSnapshot(e, r)
	_, err = f(ctx, s)
	e.keep(s, err)
	r.Close()
	l := <-done
	if l.err != nil {
		return l.err
	}
	if l.same() {
		return err
	}
	u, uerr := e.Update(ctx, Request{found: l.found})
	switch {
	case uerr != nil && e.tolerate(uerr), uerr == nil && u.Rev == last.rev && len(u.Changes) == 0:
		return err
	case uerr != nil:
		return uerr
	}
	_, err = e.answerOnce(ctx, AsIndexed, f)
	return err
}

// readChecked opens the index and reads what it remembers of the tree.
func (e *Engine) readChecked(ctx context.Context) (Reader, lastLook, error) {
	r, err := e.opt.Store.Read(ctx)
	if err != nil {
		return nil, lastLook{}, err
	}
	last, err := e.lastLook(ctx, r)
	if err == nil {
		var salted bool
		salted, err = e.saltChanged(r)
		last.due = last.due || salted
	}
	if err != nil {
		r.Close()
	}
	return r, last, err
}

func (e *Engine) answerOnce(ctx context.Context, fresh Freshness, f func(context.Context, *Snapshot) ([]string, error)) ([]string, error) {
	r, err := e.read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := newSnapshot(e, r)
	paths, err := f(ctx, s)
	e.keep(s, err)
	if fresh != Shown {
		return nil, err
	}
	var missing *NotFoundError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	stale, serr := e.stale(r, paths)
	if serr != nil || len(stale) == 0 {
		return nil, errors.Join(err, serr)
	}
	return stale, err
}

// stale lists the paths whose stat differs from what the index knows.
func (e *Engine) stale(r Reader, paths []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		f, ok, err := r.FileByPath(p)
		if err != nil {
			return nil, err
		}
		s, err := e.scanner()
		if err != nil {
			return nil, err
		}
		st, there := s.Stat(p)
		if there != ok || there && st != f.Stat {
			out = append(out, p)
		}
	}
	return out, nil
}

// read opens the index, rebuilding one an older ken wrote or that is damaged.
func (e *Engine) read(ctx context.Context) (Reader, error) {
	r, err := e.opt.Store.Read(ctx)
	if errors.Is(err, ErrOldSchema) || errors.Is(err, ErrDamaged) {
		if _, err := e.Update(ctx, Request{Create: true}); err != nil {
			return nil, err
		}
		r, err = e.opt.Store.Read(ctx)
	}
	return r, err
}

// prepare makes the project's folder.
func (e *Engine) prepare() error {
	dir := filepath.Join(e.opt.Root, ".ken")
	if st, err := os.Lstat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("make %s: it exists and is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the project's folder: %w", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte(gitignore), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", ignore, err)
		}
	}
	return nil
}

// gitignore keeps everything ken derives out of git, but not what is written
// by hand.
const gitignore = "# Written by ken: only knowledge and settings are worth committing.\n*\n!/.gitignore\n!/config.yml\n!/knowledge/\n!/knowledge/**\n"

// getenv is how the environment is asked.
func (e *Engine) getenv() func(string) string {
	if e.opt.Getenv != nil {
		return e.opt.Getenv
	}
	return func(string) string { return "" }
}
