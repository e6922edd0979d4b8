// Package engine is the entry to the index: Update brings it up to date with the
// tree, Answer reads it, Watch keeps it up to date. It connects
// the packages below it: update writes, view reads, source opens the project's
// files. Questions are packages of internal/ask, which get a view.Snapshot.
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

// Options are the options of an Engine; zero values are defaults.
type Options struct {
	Root             string // absolute path of the project, the directory that holds .ken
	Store            store.Store
	Salts            source.Salts // whose salts are trusted; nil trusts any, for tests
	Include, Exclude []string     // gitignore patterns; see scan.Options
	MaxFileSize      int64        // bytes; 0 means scan.DefaultMaxFileSize
	// AllowSecrets are secrets that reports leave out. Output masks them nevertheless.
	AllowSecrets []source.Allow
	// Own holds the Include, Exclude and AllowSecrets that the user set, so that answers
	// can report what the project's own settings hide.
	Own view.UserSettings
	// HistoryCommits is the number of commits that the index keeps of the history;
	// 0 means history.DefaultLimit, a negative number none.
	HistoryCommits int
	// Cache keeps the results of parsing files across branches and working trees; nil means no cache.
	Cache store.Cache
	Log   *slog.Logger
	// Embedding adds the search by meaning; none by default.
	Embedding store.Embedding
	// Pages is update.Writer's.
	Pages func(kept string) (nodes, words string)
	// Adopts is set if a question builds the index of a project that has written knowledge and no index, as a clone does.
	Adopts bool
	// Elsewhere is set if the store keeps the index in another place than .ken, which is not made then.
	Elsewhere bool
	// Getenv reads the environment, to find Go's sources and modules;
	// nil means an empty environment.
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
	settled  sync.Map // *func() → func(), those of OnSettled
}

// New makes an engine; it opens nothing.
func New(opt Options) *Engine {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Getenv == nil {
		opt.Getenv = func(string) string { return "" }
	}
	t := source.New(source.Options{Root: opt.Root, Include: opt.Include, Exclude: opt.Exclude, MaxFileSize: opt.MaxFileSize, Salts: opt.Salts})
	return &Engine{
		opt: opt, tree: t, answered: make(chan struct{}),
		writer: &update.Writer{Tree: t, Store: opt.Store, HistoryCommits: opt.HistoryCommits, Cache: opt.Cache, Log: opt.Log, Pages: opt.Pages,
			Adopts: opt.Adopts, Elsewhere: opt.Elsewhere},
		views: &view.Options{Tree: t, Store: opt.Store, AllowSecrets: opt.AllowSecrets, Own: opt.Own, HistoryCommits: opt.HistoryCommits, Log: opt.Log,
			Semantic: &view.Semantic{Embedding: opt.Embedding}, Memo: &view.Memo{}},
	}
}

// KeepPages stores the pages that users wrote about files in the index, in the forms of store.MetaPages and store.MetaPageWords, if they
// have changed. It returns an error if the index cannot be written.
func (e *Engine) KeepPages(ctx context.Context, nodes, words string) error {
	return e.opt.Store.Write(ctx, func(tx store.Tx) error {
		for _, kv := range [...][2]string{{store.MetaPages, nodes}, {store.MetaPageWords, words}} {
			was, err := tx.Meta(kv[0])
			if err == nil && was != kv[1] {
				err = tx.SetMeta(kv[0], kv[1])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Close releases the store. It returns the error of closing it.
func (e *Engine) Close() error {
	if c, ok := e.opt.Store.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// Rest releases memory and files that are kept only to speed up later answers.
func (e *Engine) Rest() {
	e.views.Memo.Forget()
	if s, ok := e.opt.Store.(interface{ Rest() error }); ok {
		if err := s.Rest(); err != nil {
			e.opt.Log.Debug("close the index for a while: " + err.Error())
		}
	}
}

// Update brings the index up to date with the tree. It returns the errors of Writer.Update.
func (e *Engine) Update(ctx context.Context, req update.Request) (*update.Update, error) {
	return e.writer.Update(ctx, req)
}

// CatchUp brings the index up to date as far as possible within the given time; done reports whether it finished. It returns the errors
// of Writer.CatchUp.
func (e *Engine) CatchUp(ctx context.Context, within time.Duration) (u *update.Update, done bool, err error) {
	return e.writer.CatchUp(ctx, within)
}

// fewDiffer is the largest number of changed paths for which AnswerSoon updates the index. More would take longer than
// its caller can wait.
const fewDiffer = 30

// Soon describes how AnswerSoon got its answer.
type Soon struct {
	Checked bool          // of the tree as it is
	Changes []code.Change // that the look at the tree found, by path
}

// AnswerSoon runs f over the index as it is and compares the tree with the index meanwhile. If the comparison ends within
// the time and finds few changes, it updates the index and runs f again. Unlike Answer it does not rebuild an index that
// cannot be read. f must not have side effects. It returns the error of f, or an error if the index or the tree cannot
// be read.
func (e *Engine) AnswerSoon(ctx context.Context, within time.Duration, f Question) (out Soon, err error) {
	short, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r, last, err := e.writer.ReadChecked(ctx)
	if err != nil {
		return out, err
	}
	found := e.lookBeside(short, last)
	err = e.ask(ctx, view.New(e.views, r), f)
	l := <-found
	switch {
	case err != nil:
		return out, err
	case l.err != nil && short.Err() == nil:
		return out, l.err
	case l.err != nil || l.DifferingPaths() > fewDiffer:
		return out, nil
	case l.IsSame():
		out.Checked = true
		return out, nil
	}
	u, uerr := e.Update(short, update.Request{Look: l.Comparison})
	if uerr != nil {
		return out, nil // the answer from the index is still valid
	}
	out = Soon{true, u.Changes}
	if u.Rev == last.Rev && len(u.Changes) == 0 {
		return out, nil
	}
	_, err = e.answerOnce(ctx, AsIndexed, f)
	return out, err
}

// ask runs f over a snapshot, keeps the rows that it read for the next answer, and closes the snapshot's reader.
func (e *Engine) ask(ctx context.Context, s *view.Snapshot, f Question) error {
	defer s.Index.Close()
	_, err := f(ctx, s)
	e.views.Memo.Keep(s, err)
	return err
}

// lookResult is the result of comparing the tree with the index.
type lookResult struct {
	*update.Comparison
	err error
}

// lookBeside compares the tree with the index in the background, while the caller does other work.
func (e *Engine) lookBeside(ctx context.Context, last update.LastComparison) <-chan lookResult {
	done := make(chan lookResult, 1)
	go func() {
		l, err := e.writer.CompareTree(ctx, last)
		done <- lookResult{l, err}
	}()
	return done
}

// Exact binds the references of Go files by type-checking their packages. It returns the errors of exactrun.Exact.
func (e *Engine) Exact(ctx context.Context, progress func(done, total int)) (*ExactReport, error) {
	start := time.Now()
	out, err := exactrun.Exact(ctx, e.exactProject(), progress)
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

// ExactReport is the result of Exact, with the number of references that type checking has bound by then.
type ExactReport struct {
	exactrun.ExactOutcome
	view.ExactInfo
	Rev code.Rev
}

// ImportSCIP binds references by an index in the SCIP format that another tool made. It returns the errors of exactrun.ImportSCIP.
func (e *Engine) ImportSCIP(ctx context.Context, src exactrun.SCIPSource) (*exactrun.SCIPReport, error) {
	return exactrun.ImportSCIP(ctx, e.exactProject(), src)
}

func (e *Engine) exactProject() *exactrun.Project {
	return &exactrun.Project{Tree: e.tree, Index: e.writer, Store: e.opt.Store, Getenv: e.opt.Getenv}
}

// Embed computes the vectors for the search by meaning: it sends passages to the Embedder of the options. It returns the errors of
// embed.Embed.
func (e *Engine) Embed(ctx context.Context, req embed.EmbedRequest) (*embed.EmbedReport, error) {
	return embed.Embed(ctx, e.writer, e.tree, &e.opt.Embedding, req)
}

// Canonical returns a path as the tree spells it; see Tree.Canonical.
func (e *Engine) Canonical(p string) string { return e.tree.Canonical(p) }

// Hide masks the credentials in a text that comes from outside the index, before it is printed.
func (e *Engine) Hide(text string) string { return e.tree.MaskString(text) }

// ShownPath returns a printable form of a path that may not be in the index; see Tree.ShownPath.
func (e *Engine) ShownPath(p string) string { return e.tree.ShownPath(p) }

// KnownSecrets returns the secrets in the index; nil if it has none or there is no index.
func (e *Engine) KnownSecrets() *source.Known {
	r, err := e.opt.Store.Read(context.Background())
	if err != nil {
		return nil // the command reports the problem
	}
	defer r.Close()
	known, err := e.tree.KnownSecrets(r, e.opt.AllowSecrets)
	if err != nil {
		return nil
	}
	return known
}

// HiddenPath is the inverse of masking a path: it returns the path of the index that is printed as p, because it contains a token. It
// returns p if there is none.
func (e *Engine) HiddenPath(p string) string {
	if !source.IsShownPath(p) {
		return p
	}
	r, err := e.opt.Store.Read(context.Background())
	if err != nil {
		return p // the question reports the problem
	}
	defer r.Close()
	return source.HiddenPath(p, r.Secrets())
}

// IgnorePatterns returns the patterns of files that the index leaves out. It returns the errors of Tree.IgnorePatterns.
func (e *Engine) IgnorePatterns() ([]string, error) { return e.tree.IgnorePatterns() }

// SecretRules returns the rules that find secrets.
func (e *Engine) SecretRules() []source.SecretRule { return e.tree.SecretRules() }

// Tokens counts the tokens of a file inside the root, indexed or not. It returns an error if the file cannot be read.
func (e *Engine) Tokens(ctx context.Context, p string) (token.Size, error) {
	return e.tree.Tokens(ctx, p)
}

// CacheSize returns the directory of the cached readings and its size.
func (e *Engine) CacheSize() (dir string, bytes int64) { return e.writer.CacheSize() }

// Freshness states which part of the tree must be compared with the index before an answer.
type Freshness int

const (
	AsIndexed Freshness = iota // the tree is not compared with the index
	// Shown compares only the files that the answer shows, and reads them again if they
	// have changed. The lack of a name is then uncertain, so no similar names are
	// suggested.
	Shown
	WholeTree // the whole tree is compared with the index first
	// Checked is WholeTree for about half the wait: f runs while the tree is
	// compared, and again if there are changes. f must not have side effects.
	Checked
)

// maxTries bounds how often an answer is repeated because the files it shows keep changing.
const maxTries = 3

// Question computes an answer from a snapshot and returns the paths that the answer shows. It
// may run more than once, so it must not have side effects.
type Question = func(ctx context.Context, s *view.Snapshot) (paths []string, err error)

// Answer runs f over a snapshot of the index as fresh as demanded. With Shown, it compares the paths that f returns
// with the disk; if one has changed, it updates the index for them and runs f again. So f must not have side effects.
// It returns the error of f, or an error if the index cannot be read or written.
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
	return e.writer.WithRebuild(ctx, func() error { return e.answer(ctx, fresh, f) })
}

func (e *Engine) answer(ctx context.Context, fresh Freshness, f Question) error {
	if fresh == Checked {
		return e.answerChecked(ctx, f)
	}
	if fresh == WholeTree {
		_, err := e.Update(ctx, update.Request{})
		if err != nil && !e.isTolerable(err) {
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
			if e.isTolerable(uerr) {
				return err
			}
			return uerr
		}
	}
}

// isTolerable reports whether an error only means that the index cannot be written, as in a read-only checkout or in one of
// another user. Then the index is used as it is, and a warning is logged.
func (e *Engine) isTolerable(err error) bool {
	if !errors.Is(err, store.ErrReadOnly) {
		return false
	}
	rev := code.Rev(0)
	if r, err := e.opt.Store.Read(context.Background()); err == nil {
		rev, _ = store.Revision(r) // the question reads it, too, and reports the problem
		r.Close()
	}
	e.behind.Store(int64(rev) + 1)
	e.opt.Log.Warn("files may have changed and the index cannot be written: answered from the index as it is")
	return true
}

// Behind reports whether an answer came from an index that may be older than the tree, because it cannot be written. The
// facts of such an answer are true, but a missing one proves nothing. It is false again when the index is known to be up
// to date.
func (e *Engine) Behind() bool { return e.behind.Load() != 0 }

// BehindSince returns the revision after which the tree changed, and false if the index is up to date.
func (e *Engine) BehindSince() (rev code.Rev, ok bool) {
	n := e.behind.Load()
	return code.Rev(n - 1), n != 0
}

// answerChecked compares the tree with the index and runs f at the same time, over one connection.
// The comparison mostly makes system calls and f mostly uses memory, so they share two cores well.
func (e *Engine) answerChecked(ctx context.Context, f Question) error {
	r, last, err := e.writer.ReadChecked(ctx)
	if err != nil { // no index, an old or a damaged one: Update handles each
		if _, err := e.Update(ctx, update.Request{}); err != nil {
			return err
		}
		_, err := e.answerOnce(ctx, AsIndexed, f)
		return err
	}
	done := e.lookBeside(ctx, last)
	err = e.ask(ctx, view.New(e.views, r), f)
	l := <-done
	if l.err != nil {
		return l.err
	}
	if l.IsSame() {
		e.behind.Store(0)
		return err
	}
	u, uerr := e.Update(ctx, update.Request{Look: l.Comparison})
	switch {
	case uerr != nil && e.isTolerable(uerr):
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
	stale, serr := e.writer.StalePaths(r, paths)
	if serr != nil || len(stale) == 0 {
		return nil, errors.Join(err, serr)
	}
	return stale, err
}
