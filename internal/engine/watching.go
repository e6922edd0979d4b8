package engine

import (
	"context"
	"errors"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/update"
	"ken/internal/engine/watch"
	"ken/internal/git"
)

// WatchOptions are the options of Watch; zero values are defaults.
type WatchOptions struct {
	Debounce, MaxDelay, Poll time.Duration // see watch.Options
	MaxDirs                  int
}

// WatchEvent is one report of Watch. Exactly one of the fields below At is set.
type WatchEvent struct {
	Rev     code.Rev
	At      time.Time
	Started *Watching    // the first event: the index is up to date and changes are seen from now on
	Stale   string       // why the index is behind or cannot be brought up to date
	Change  *code.Change // a file of the index changed
	// Compressed is the number of files whose outlines changed with the changes
	// reported before.
	Compressed int
	SymbolSum  int // with Compressed: symbols now minus before
}

// Watching describes a started watcher.
type Watching struct {
	Files   int
	Dirs    int    // 0 while polling
	Polling string // why there are no notifications, "" if there are
}

// staleError is the prefix of the reason in a Stale event that reports an error.
const staleError = "error: "

// unknownRev is a revision that no index has. It makes the next catchUp compare all files.
const unknownRev code.Rev = -1

// knownFile is the state of a file that the watcher remembers. By it, the watcher notices changes
// that other processes have written to the same index first.
type knownFile struct {
	hash    [16]byte
	tokens  uint32
	symbols uint32
}

// watcher holds the state of a running Watch.
type watcher struct {
	e     *Engine
	w     *watch.Watcher
	emit  func(WatchEvent) error
	rev   code.Rev
	files map[string]knownFile
	limit bool // polling was reported
}

// Watch keeps the index up to date until ctx ends, and passes each change to emit. It reports an update that fails as
// stale and tries it again with the next change. It fails with store.ErrWatched if another process watches the tree, or
// with the error of ctx, of emit, or of the first update.
func (e *Engine) Watch(ctx context.Context, opt WatchOptions, emit func(WatchEvent) error) error {
	release, err := e.opt.Store.Watching(ctx)
	if err != nil {
		return err
	}
	defer release()
	o := watch.Options{Root: e.opt.Root, Debounce: opt.Debounce, MaxDelay: opt.MaxDelay, Poll: opt.Poll, MaxDirs: opt.MaxDirs}
	if repo, err := git.Find(e.opt.Root); err == nil {
		o.GitDir = repo.GitDir
	}
	w := &watcher{e: e, w: watch.New(o), emit: emit, files: map[string]knownFile{}}
	defer w.w.Close()
	if err := w.start(ctx); err != nil {
		return err
	}
	for {
		b, err := w.w.Next(ctx)
		if err != nil {
			return err
		}
		if err := w.apply(ctx, b); err != nil {
			return err
		}
	}
}

// start brings the index up to date and begins to watch.
func (w *watcher) start(ctx context.Context) error {
	for try := 0; ; try++ {
		if _, err := w.e.Update(ctx, update.Request{Create: true}); err != nil {
			return err
		}
		added, err := w.follow(ctx)
		if err != nil {
			return err
		}
		if added == 0 || try == maxTries {
			break
		}
	}
	if _, err := w.compare(ctx, true); err != nil {
		return err
	}
	started := &Watching{Files: len(w.files), Dirs: w.w.Dirs()}
	if err := w.w.Limit(); err != nil {
		started.Polling, w.limit = err.Error(), true
	}
	return w.report(WatchEvent{Started: started})
}

// follow watches the directories that the last comparison of the tree found, and returns the number of new ones.
func (w *watcher) follow(ctx context.Context) (int, error) {
	r, err := w.e.opt.Store.Read(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	l, err := source.ReadListing(r)
	if err != nil || l == nil {
		return 0, err
	}
	return w.w.SetDirs(l.WatchedDirs()), nil
}

// apply brings the index up to date with one batch of notified changes. It returns only
// errors that end the watch.
func (w *watcher) apply(ctx context.Context, b watch.Batch) error {
	switch b.Reason {
	case watch.Branch, watch.Overflow:
		if err := w.report(WatchEvent{Stale: b.Reason}); err != nil {
			return err
		}
	}
	changes, err := w.updateIndex(ctx, b)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return w.report(WatchEvent{Stale: staleError + err.Error()})
	}
	if err := w.reportChanges(changes); err != nil {
		return err
	}
	if limit := w.w.Limit(); limit != nil && !w.limit {
		w.limit = true
		return w.report(WatchEvent{Stale: watch.Polling + ": " + limit.Error()})
	}
	return nil
}

// updateIndex updates the index with a batch of notified changes. It returns all changes since its last call, including those by other
// processes.
func (w *watcher) updateIndex(ctx context.Context, b watch.Batch) ([]code.Change, error) {
	if b.Reason == "" {
		paths, err := w.differing(ctx, b.Paths)
		if err != nil || len(paths) == 0 {
			return w.catchUp(ctx, nil, err)
		}
		u, err := w.e.Update(ctx, update.Request{Paths: paths})
		var missing *code.NotFoundError
		if !errors.As(err, &missing) { // a missing file went away again: look at the tree
			return w.catchUp(ctx, u, err)
		}
	}
	for try := 0; ; try++ {
		u, err := w.e.Update(ctx, update.Request{Create: true})
		if err != nil {
			return nil, err
		}
		added, err := w.follow(ctx)
		if err != nil {
			return nil, err
		}
		if added > 0 && try < maxTries {
			// The contents of the new directories when they were watched are looked at
			// again; both updates are reported as one.
			if len(u.Changes) > 0 {
				w.rev = unknownRev
			}
			continue
		}
		return w.catchUp(ctx, u, nil)
	}
}

// differing removes the paths that were never listed, and those that do not differ from the index.
func (w *watcher) differing(ctx context.Context, paths []string) ([]string, error) {
	r, err := w.e.writer.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return w.e.tree.ChangedPaths(ctx, r, paths)
}

// catchUp returns the changes since the state that the watcher remembers. If its own update u is the only one since,
// these are the changes of u; else it compares all files.
func (w *watcher) catchUp(ctx context.Context, u *update.Update, err error) ([]code.Change, error) {
	if err != nil {
		return nil, err
	}
	if u == nil || u.Full || w.rev+code.Rev(min(1, len(u.Changes))) != u.Rev {
		return w.compare(ctx, false)
	}
	return u.Changes, w.rememberUpdate(ctx, u)
}

// rememberUpdate updates the watcher's memory with the changes of its own update.
func (w *watcher) rememberUpdate(ctx context.Context, u *update.Update) error {
	r, err := w.e.writer.Read(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, c := range u.Changes {
		f, ok, err := r.FileByPath(c.Path)
		if err != nil {
			return err
		}
		if !ok {
			delete(w.files, c.Path)
			continue
		}
		w.files[c.Path] = newKnown(&f)
	}
	w.rev = u.Rev
	return nil
}

func newKnown(f *code.File) knownFile {
	return knownFile{hash: [16]byte(f.Hash[:16]), tokens: f.O200K, symbols: f.Symbols}
}

// compare compares all files of the index with those that the watcher remembers, and remembers the new state. It
// reads all rows of files. If quiet is set, it returns no list.
func (w *watcher) compare(ctx context.Context, quiet bool) ([]code.Change, error) {
	r, err := w.e.writer.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rev, err := store.Revision(r)
	if err != nil || rev == w.rev {
		return nil, err
	}
	var out []code.Change
	seen := make(map[string]knownFile, len(w.files))
	for f, err := range r.Files() {
		if err != nil {
			return nil, err
		}
		now := newKnown(&f)
		seen[f.Path] = now
		was, ok := w.files[f.Path]
		if quiet || ok && was == now {
			continue
		}
		c := code.Change{Path: f.Path, Type: code.Modified, TokenDelta: int(now.tokens) - int(was.tokens),
			SymbolDelta: int(now.symbols) - int(was.symbols)}
		if !ok {
			c.Type = code.Added
		}
		out = append(out, c)
	}
	for p, was := range w.files {
		if _, ok := seen[p]; !ok {
			out = append(out, code.Change{Path: p, Type: code.Deleted, TokenDelta: -int(was.tokens), SymbolDelta: -int(was.symbols)})
		}
	}
	w.files, w.rev = seen, rev
	update.SortChanges(out)
	return out, nil
}

// reportChanges reports each change, then the number of changed outlines if there are any.
func (w *watcher) reportChanges(changes []code.Change) error {
	e := WatchEvent{}
	for i := range changes {
		c := &changes[i]
		if err := w.report(WatchEvent{Change: c}); err != nil {
			return err
		}
		e.SymbolSum += c.SymbolDelta
		if c.SymbolDelta != 0 || c.ExportsChanged {
			e.Compressed++
		}
	}
	if e.Compressed == 0 {
		return nil
	}
	return w.report(e)
}

func (w *watcher) report(e WatchEvent) error {
	e.Rev, e.At = w.rev, time.Now().UTC()
	return w.emit(e)
}
