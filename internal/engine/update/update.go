package update

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/history"
	"ken/internal/engine/search"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Update is what one call of Engine.Update did.
type Update struct {
	Rev     code.Rev
	Changes []code.Change   // by path
	Skipped []store.Skipped // by path; of the files looked at
	Files   int             // files looked at
	Full    bool            // the index was built anew
	Reason  string          // why it was built anew: "missing", "schema", "damaged", "salt", "asked"; "worktree": see Engine.seed
	History *HistoryUpdate  // what was done about the history; nil if nothing was
	Elapsed time.Duration
}

// Request says what Update is to bring up to date.
type Request struct {
	Full  bool     // build anew
	Paths []string // relative to the root; nil means the whole tree
	// Create makes .ken and the index if they are missing; else that is ErrNoIndex.
	Create   bool
	Progress func(done, total int) // files read; may be nil
	seeded   bool                  // the index is a copy of another working tree's, which still has what is replaced
	Look     *Look                 // what a look at the tree found already
}

// Update brings the index up to date: the only write.
func (w *Writer) Update(ctx context.Context, req Request) (*Update, error) {
	start := time.Now()
	reason, err := w.buildReason(ctx, req)
	if err != nil {
		return nil, err
	}
	var u *Update
	seeded := reason == "missing" && w.seed(ctx)
	if seeded {
		reason, req.Paths, req.seeded = "", nil, true
	}
	if reason == "" {
		u, err = w.bringUp(ctx, req)
		if errors.Is(err, store.ErrDamaged) { // seen only where it was read
			reason = "damaged"
		}
	}
	if reason != "" {
		u, err = w.build(ctx, reason, req.Progress)
	}
	if err != nil {
		return nil, err
	}
	if seeded && u.Reason == "" {
		u.Reason = "worktree"
	}
	u.Elapsed = time.Since(start)
	return u, nil
}

// buildReason says why the index has to be built anew, "" if it has not.
func (w *Writer) buildReason(ctx context.Context, req Request) (string, error) {
	if req.Create {
		if err := w.prepare(); err != nil {
			return "", err
		}
	}
	r, err := w.Store.Read(ctx)
	switch {
	case errors.Is(err, store.ErrNoIndex) && req.Create:
		return "missing", nil
	case errors.Is(err, store.ErrOldSchema):
		return "schema", nil
	case errors.Is(err, store.ErrDamaged):
		return "damaged", nil
	case err != nil:
		return "", err
	}
	defer r.Close()
	if req.Full {
		return "asked", nil
	}
	if req.Create && req.Paths == nil {
		if err := checkHeads(r); errors.Is(err, store.ErrDamaged) {
			return "damaged", nil
		}
	}
	changed, err := w.saltChanged(r)
	if changed && err == nil {
		return "salt", nil
	}
	return "", err
}

// checkHeads opens the search index and the history, as questions do: the two that
// no update of files reads. Somebody who asks for the index is told of damage there
// at once; the rest of what these hold, and the packed facts of files, would take
// longer to read than the look at the tree does, so damage of them shows when a
// question or an update reads it.
func checkHeads(r store.Reader) error {
	if _, err := search.NewIndex(r); err != nil {
		return err
	}
	_, err := history.NewView(r.History)
	return err
}

// bringUp updates an index that is there.
func (w *Writer) bringUp(ctx context.Context, req Request) (*Update, error) {
	if req.Paths != nil {
		paths, whole, err := w.cleanPaths(req.Paths)
		if err != nil {
			return nil, err
		}
		if !whole {
			return w.updatePaths(ctx, paths)
		}
	}
	return w.updateTree(ctx, req)
}

// cleanPaths checks paths given from outside. whole is set if one of them is a
// directory: then the whole tree is looked at.
func (w *Writer) cleanPaths(paths []string) (clean []string, whole bool, err error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, false, err
	}
	for _, p := range paths {
		c := filepath.ToSlash(filepath.Clean(p))
		if filepath.IsAbs(p) || c == ".." || strings.HasPrefix(c, "../") || strings.IndexByte(c, 0) >= 0 {
			return nil, false, code.Usagef("%q is not inside the project", p)
		}
		if c == "." || s.IsDir(c) {
			return nil, true, nil
		}
		clean = append(clean, c)
	}
	slices.Sort(clean)
	return slices.Compact(clean), false, nil
}

// updateTree looks at the whole tree and applies what differs.
func (w *Writer) updateTree(ctx context.Context, req Request) (*Update, error) {
	look := req.Look
	if look == nil {
		var err error
		if look, err = w.lookAgain(ctx); err != nil {
			return nil, err
		}
	}
	u := &Update{Rev: look.last.Rev, Files: len(look.now.Files)}
	if look.Same() {
		return u, nil
	}
	return u, w.write(ctx, u, req.Progress, func(tx store.Tx) (*plan, error) { return w.planTree(ctx, tx, look, !req.seeded) })
}

// updatePaths applies what became of single files.
func (w *Writer) updatePaths(ctx context.Context, paths []string) (*Update, error) {
	u := &Update{}
	return u, w.write(ctx, u, nil, func(tx store.Tx) (*plan, error) { return w.planPaths(ctx, tx, paths) })
}

// write makes a plan inside the write transaction, applies it and finishes.
func (w *Writer) write(ctx context.Context, u *Update, progress func(done, total int), makePlan func(store.Tx) (*plan, error)) error {
	return w.Store.Write(ctx, func(tx store.Tx) error {
		p, err := makePlan(tx)
		if err != nil {
			return err
		}
		up, err := w.newUpdater(ctx, tx, p, progress)
		if err != nil {
			return err
		}
		defer up.close()
		if err := up.apply(); err != nil {
			return err
		}
		return up.finish(u)
	})
}

// LastLook is what the index remembers of the last look at the tree.
type LastLook struct {
	packed []byte        // seen
	seen   *scan.Listing // nil if unknown; see decode
	stamp  string        // metaLooked
	Rev    code.Rev
	due    bool  // something is to be done even if the tree is the same
	limit  int64 // MaxFileSize the index was made with
}

// decode fills seen. What another version wrote counts as unknown: then
// everything is looked at.
func (l *LastLook) decode() { l.seen, _ = scan.DecodeListing(l.packed) }

// Look is what a look at the tree found, beside what the index remembers.
type Look struct {
	last LastLook
	now  *scan.Listing
}

// Same reports whether there is nothing to do, not even to note that somebody looked.
func (f *Look) Same() bool { return !f.last.due && f.now == f.last.seen }

// lookAgain compares the tree with what the index remembers of it.
func (w *Writer) lookAgain(ctx context.Context) (*Look, error) {
	r, err := w.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	last, err := w.lastLook(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.Look(ctx, last)
}

// Look compares the tree with what the index remembers of it.
func (w *Writer) Look(ctx context.Context, last LastLook) (*Look, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	last.decode()
	now, err := s.List(ctx, last.seen)
	return &Look{last, now}, err
}

func (w *Writer) lastLook(ctx context.Context, r store.Reader) (l LastLook, err error) {
	if l.Rev, err = store.Revision(r); err != nil {
		return l, err
	}
	if l.stamp, err = r.Meta(store.MetaLooked); err != nil {
		return l, err
	}
	unranked, err := r.Meta(store.MetaUnranked)
	if err != nil {
		return l, err
	}
	noted, err := r.Noted()
	if err != nil {
		return l, err
	}
	limit, err := r.Meta(store.MetaLimit)
	if err != nil {
		return l, err
	}
	l.limit, _ = strconv.ParseInt(limit, 10, 64)
	moved, err := w.headMoved(ctx, r)
	if err != nil {
		return l, err
	}
	l.due = unranked == "1" || len(noted) > 0 || l.limit != w.Tree.SizeLimit() || moved
	l.packed, err = r.Look()
	return l, err
}
