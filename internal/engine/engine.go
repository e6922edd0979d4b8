// Package engine is the front door of the index: Update is the only write,
// Answer the only read, Watch keeps it up to date. It puts the parts below it
// together: update writes, view reads, source is the door to the project's files.
// Questions are packages of internal/ask, which are handed a view.Snapshot.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/update/embed"
	"ken/internal/engine/update/exactrun"
	"ken/internal/engine/view"
	"ken/internal/token"
)

// Options of an Engine; zero values are defaults.
type Options struct {
	Root             string // absolute path of the project, the directory that holds .ken
	Store            store.Store
	Salts            source.Salts // whose salts are believed; nil: whatever is there, for tests
	Include, Exclude []string     // gitignore patterns; see scan.Options
	MaxFileSize      int64        // bytes; 0 means scan.DefaultMaxFileSize
	// AllowSecrets are findings that Secrets leaves out. They are masked all the same.
	AllowSecrets []source.Allow
	// Own is what of Include, Exclude and AllowSecrets the user set, so that answers
	// can say what the project's own settings hide.
	Own view.Own
	// HistoryCommits is the number of commits of the history that are kept; 0 means
	// history.DefaultLimit, below 0 none.
	HistoryCommits int
	// Cache keeps readings across branches and working trees; nil is none.
	Cache store.Cache
	Log   *slog.Logger
	// Embedding adds what texts mean to what search finds them by; none by default.
	Embedding store.Embedding
	// Pages is what is written of files, as store.MetaPages holds it; nil: nothing is.
	Pages func() string
	// Getenv is the environment, which says where Go's sources and modules are;
	// nil is an empty one.
	Getenv func(string) string
}

// Engine serves one project. It is safe for concurrent use.
type Engine struct {
	opt    Options
	tree   *source.Tree
	writer *update.Writer
	views  *view.Options
	behind atomic.Int64 // see Behind; the revision plus 1, 0 if the index is not behind

	answered chan struct{} // closed after the first answer
	first    sync.Once     // closes it
	follower atomic.Pointer[follower]
}

// New makes an engine; it opens nothing.
func New(opt Options) *Engine {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	t := source.New(source.Options{Root: opt.Root, Include: opt.Include, Exclude: opt.Exclude, MaxFileSize: opt.MaxFileSize, Salts: opt.Salts})
	return &Engine{
		opt: opt, tree: t, answered: make(chan struct{}),
		writer: &update.Writer{Tree: t, Store: opt.Store, HistoryCommits: opt.HistoryCommits, Cache: opt.Cache, Log: opt.Log, Getenv: opt.Getenv, Pages: opt.Pages},
		views: &view.Options{Tree: t, Store: opt.Store, AllowSecrets: opt.AllowSecrets, Own: opt.Own, HistoryCommits: opt.HistoryCommits, Log: opt.Log,
			Semantic: &view.Semantic{Embedding: opt.Embedding}, Memo: &view.Memo{}},
	}
}

// KeepPages stores what is written of files for the views of the index, if that has changed.
func (e *Engine) KeepPages(ctx context.Context) error {
	if e.opt.Pages == nil {
		return nil
	}
	pages := e.opt.Pages()
	return e.opt.Store.Write(ctx, func(tx store.Tx) error {
		was, err := tx.Meta(store.MetaPages)
		if err != nil || was == pages {
			return err
		}
		return tx.SetMeta(store.MetaPages, pages)
	})
}

// Close releases what the engine holds open.
func (e *Engine) Close() error {
	if c, ok := e.opt.Store.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// Rest gives back what is kept for the next answers only.
func (e *Engine) Rest() {
	e.views.Memo.Forget()
	if s, ok := e.opt.Store.(interface{ Rest() error }); ok {
		if err := s.Rest(); err != nil {
			e.opt.Log.Debug("close the index for a while: " + err.Error())
		}
	}
}

// Update brings the index up to date: the only write.
func (e *Engine) Update(ctx context.Context, req update.Request) (*update.Update, error) {
	return e.writer.Update(ctx, req)
}

// CatchUp brings the index up to date as far as it can within a time; see Writer.CatchUp.
func (e *Engine) CatchUp(ctx context.Context, within time.Duration) (u *update.Update, done bool, err error) {
	return e.writer.CatchUp(ctx, within)
}

// fewDiffer is up to how many paths that differ AnswerSoon brings the index up to date; more take longer than whoever asks so
// can wait.
const fewDiffer = 30

// Soon is how an answer was given that had to be there soon.
type Soon struct {
	Checked bool          // of the tree as it is
	Changes []code.Change // that the look at the tree found, by path
}

// AnswerSoon runs f over a snapshot of the tree as it is, if a look at it ends within a time and finds little changed, else of
// the index as it is. Unlike Answer it makes no index anew. f must not have side effects.
func (e *Engine) AnswerSoon(ctx context.Context, within time.Duration, f Question) (out Soon, err error) {
	short, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r, last, err := e.writer.ReadChecked(ctx)
	if err != nil {
		return out, err
	}
	found := e.lookBeside(short, last)
	err = e.ask(ctx, r, f)
	l := <-found
	switch {
	case err != nil:
		return out, err
	case l.err != nil && short.Err() == nil:
		return out, l.err
	case l.err != nil || l.Differ() > fewDiffer:
		return out, nil
	case l.Same():
		out.Checked = true
		return out, nil
	}
	u, uerr := e.Update(short, update.Request{Look: l.Look})
	if uerr != nil {
		return out, nil // what f found of the index as it is holds
	}
	out = Soon{true, u.Changes}
	if u.Rev == last.Rev && len(u.Changes) == 0 {
		return out, nil
	}
	_, err = e.answerOnce(ctx, AsIndexed, f)
	return out, err
}

// ask runs f over a reader, and closes it.
func (e *Engine) ask(ctx context.Context, r store.Reader, f Question) error {
	defer r.Close()
	s := view.New(e.views, r)
	_, err := f(ctx, s)
	e.views.Memo.Keep(s, err)
	return err
}

// looked is what a look at the tree found.
type looked struct {
	*update.Look
	err error
}

// lookBeside looks at the tree while something else is done.
func (e *Engine) lookBeside(ctx context.Context, last update.LastLook) <-chan looked {
	done := make(chan looked, 1)
	go func() {
		l, err := e.writer.Look(ctx, last)
		done <- looked{l, err}
	}()
	return done
}

// Exact binds the references of Go files by type-checking their packages; see
// Writer.Exact.
func (e *Engine) Exact(ctx context.Context, progress func(done, total int)) (*ExactReport, error) {
	start := time.Now()
	out, err := exactrun.Exact(ctx, e.writer, progress)
	if err != nil {
		return nil, err
	}
	rep := &ExactReport{ExactOutcome: *out}
	err = e.answer(ctx, AsIndexed, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		rep.Rev = s.Rev()
		rep.ExactInfo, err = s.ExactInfo(ctx)
		return nil, err
	})
	rep.Elapsed = time.Since(start)
	return rep, err
}

// ExactReport is what a run of Exact did and what is bound now.
type ExactReport struct {
	exactrun.ExactOutcome
	view.ExactInfo
	Rev code.Rev
}

// ImportSCIP binds references by the word of another indexer; see
// Writer.ImportSCIP.
func (e *Engine) ImportSCIP(ctx context.Context, src exactrun.SCIPSource) (*exactrun.SCIPReport, error) {
	return exactrun.ImportSCIP(ctx, e.writer, src)
}

// Embed sends passages to the Embedder that the options name; see Writer.Embed.
func (e *Engine) Embed(ctx context.Context, req embed.EmbedRequest) (*embed.EmbedReport, error) {
	return embed.Embed(ctx, e.writer, &e.opt.Embedding, req)
}

// Canonical returns a path as the tree holds it; see Tree.Canonical.
func (e *Engine) Canonical(p string) string { return e.tree.Canonical(p) }

// Hide masks the credentials in a text that did not come from the index and is
// going to be shown.
func (e *Engine) Hide(text string) string { return e.tree.MaskString(text) }

// ShownPath returns a path that may not be of the index, as it may be shown; see Tree.ShownPath.
func (e *Engine) ShownPath(p string) string { return e.tree.ShownPath(p) }

// Known returns the secrets of the index as it is; nil if it knows of none or there is no index.
func (e *Engine) Known() *source.Known {
	r, err := e.opt.Store.Read(context.Background())
	if err != nil {
		return nil // the command says what is wrong
	}
	defer r.Close()
	known, err := e.tree.KnownSecrets(r, e.opt.AllowSecrets)
	if err != nil {
		return nil
	}
	return known
}

// HiddenPath returns the path of the index that is shown as p because there are tokens in it, or p if there is none.
func (e *Engine) HiddenPath(p string) string {
	if !source.IsShownPath(p) {
		return p
	}
	r, err := e.opt.Store.Read(context.Background())
	if err != nil {
		return p // the question says what is wrong
	}
	defer r.Close()
	return source.HiddenPath(p, r.Secrets())
}

// IgnorePatterns returns the patterns that narrow the tree; see Tree.IgnorePatterns.
func (e *Engine) IgnorePatterns() ([]string, error) { return e.tree.IgnorePatterns() }

// SecretRules lists the rules findings can come from.
func (e *Engine) SecretRules() []source.SecretRule { return e.tree.SecretRules() }

// Tokens counts a file inside the root as it is on disk now, indexed or not.
func (e *Engine) Tokens(ctx context.Context, p string) (token.Size, error) {
	return e.tree.Tokens(ctx, p)
}

// CacheSize says where readings are kept beside the index; see Writer.CacheSize.
func (e *Engine) CacheSize() (dir string, bytes int64) { return e.writer.CacheSize() }

// Freshness says how true of the working tree an answer must be.
type Freshness int

const (
	AsIndexed Freshness = iota // no look at the tree
	// Shown: the files the answer shows are read again first if they changed. That
	// there is no such name is not sure then, so that nothing near it is suggested.
	Shown
	WholeTree // the whole tree is compared with the index first
	// Checked is WholeTree at half the wait: f runs while the tree is looked at,
	// and once more if the look found changes. f must not have side effects.
	Checked
)

// maxTries bounds how often an answer is made anew because the files it shows
// keep changing.
const maxTries = 3

// Question is asked of a snapshot, and returns the paths that its answer shows. It
// may run more than once, so it must not have side effects.
type Question = func(ctx context.Context, s *view.Snapshot) (paths []string, err error)

// Answer runs f over a snapshot as fresh as asked. With Shown, f returns the
// paths its answer shows; if one of them changed on disk the index is brought
// up to date for them and f runs again, so f must not have side effects.
func (e *Engine) Answer(ctx context.Context, fresh Freshness, f Question) error {
	defer e.first.Do(func() { close(e.answered) })
	if fresh != AsIndexed && e.isCurrent(ctx, fresh) {
		e.behind.Store(0)
		if fresh != Shown {
			fresh = AsIndexed
		}
		followed := f
		f = func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			s.Followed = true
			return followed(ctx, s)
		}
	}
	return e.writer.Healed(ctx, func() error { return e.answer(ctx, fresh, f) })
}

func (e *Engine) answer(ctx context.Context, fresh Freshness, f Question) error {
	if fresh == Checked {
		return e.answerChecked(ctx, f)
	}
	if fresh == WholeTree {
		_, err := e.Update(ctx, update.Request{})
		if err != nil && !e.tolerate(err) {
			return err
		}
		if err == nil {
			e.behind.Store(0)
		}
	}
	for try := 1; ; try++ {
		stale, err := e.answerOnce(ctx, fresh, f)
		if len(stale) == 0 || try == maxTries {
			return err
		}
		if _, uerr := e.Update(ctx, update.Request{Paths: stale}); uerr != nil {
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
	if !errors.Is(err, store.ErrReadOnly) {
		return false
	}
	rev := code.Rev(0)
	if r, err := e.opt.Store.Read(context.Background()); err == nil {
		rev, _ = store.Revision(r) // whoever asks reads it, too, and says what is wrong
		r.Close()
	}
	e.behind.Store(int64(rev) + 1)
	e.opt.Log.Warn("files may have changed and the index cannot be written: answered from the index as it is")
	return true
}

// Behind reports whether an answer was given from an index that may be behind the
// tree, because it cannot be written: that it holds a thing is true, that it does
// not proves nothing. Once it is known to be up to date again, later answers are not behind.
func (e *Engine) Behind() bool { return e.behind.Load() != 0 }

// BehindSince returns the revision that the tree has changed since, if the index is behind it.
func (e *Engine) BehindSince() (rev code.Rev, ok bool) {
	n := e.behind.Load()
	return code.Rev(n - 1), n != 0
}

// answerChecked looks at the tree and runs f at the same time. The look costs
// mostly system calls and f mostly memory, so two cores share them well; one
// connection serves both.
func (e *Engine) answerChecked(ctx context.Context, f Question) error {
	r, last, err := e.writer.ReadChecked(ctx)
	if err != nil { // no index, an old one, a damaged one: Update knows what to do
		if _, err := e.Update(ctx, update.Request{}); err != nil {
			return err
		}
		_, err := e.answerOnce(ctx, AsIndexed, f)
		return err
	}
	done := e.lookBeside(ctx, last)
	err = e.ask(ctx, r, f)
	l := <-done
	if l.err != nil {
		return l.err
	}
	if l.Same() {
		e.behind.Store(0)
		return err
	}
	u, uerr := e.Update(ctx, update.Request{Look: l.Look})
	switch {
	case uerr != nil && e.tolerate(uerr):
		return err
	case uerr != nil:
		return uerr
	}
	e.behind.Store(0)
	if u.Rev == last.Rev && len(u.Changes) == 0 {
		return err
	}
	_, err = e.answerOnce(ctx, AsIndexed, f)
	return err
}

func (e *Engine) answerOnce(ctx context.Context, fresh Freshness, f Question) ([]string, error) {
	r, err := e.writer.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := view.New(e.views, r)
	s.Provisional = fresh == Shown
	paths, err := f(ctx, s)
	e.views.Memo.Keep(s, err)
	if fresh != Shown {
		return nil, err
	}
	var missing *code.NotFoundError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	stale, serr := e.writer.Stale(r, paths)
	if serr != nil || len(stale) == 0 {
		return nil, errors.Join(err, serr)
	}
	return stale, err
}
