package update

import (
	"context"
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"strconv"
)

// Look is the result of comparing the tree with the last such comparison, which the index keeps.
type Look struct {
	last LastLook
	now  *scan.Listing
}

// Same reports whether an update has nothing to do, not even to store the comparison.
func (f *Look) Same() bool { return !f.last.due && f.now == f.last.seen }

// Differ returns the number of paths that have changed since the last comparison.
func (f *Look) Differ() int {
	added, changed, deleted := scan.Diff(f.last.seen, f.now)
	return len(added) + len(changed) + len(deleted)
}

// LastLook is the last comparison of the tree, as the index keeps it.
type LastLook struct {
	packed []byte        // seen
	seen   *scan.Listing // nil if unknown; see Look
	stamp  string        // store.MetaLooked
	Rev    code.Rev
	due    bool  // there is work even if the tree is the same
	limit  int64 // MaxFileSize the index was made with
}

// lookAgain reads the last comparison from the index and compares the tree with it.
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

// Look compares the tree with the last comparison. It returns the error of ctx, or one if the tree cannot be listed.
func (w *Writer) Look(ctx context.Context, last LastLook) (*Look, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	// A listing of another version cannot be decoded and counts as unknown: then everything is read.
	last.seen, _ = scan.DecodeListing(last.packed)
	now, err := s.List(ctx, last.seen)
	return &Look{last, now}, err
}

func (w *Writer) lastLook(ctx context.Context, r store.Reader) (l LastLook, err error) {
	s, err := w.State(ctx, r)
	if err != nil {
		return l, err
	}
	noted, err := r.Noted()
	if err != nil {
		return l, err
	}
	l = LastLook{stamp: s.Looked, Rev: s.Rev, limit: s.limit, due: s.Unranked || s.Due || len(noted) > 0}
	l.packed, err = r.Look()
	return l, err
}

// State tells how far an index is up to date.
type State struct {
	Rev      code.Rev
	Looked   string // differs after each look at the whole tree that found something
	Unranked bool   // ranks must be computed again
	// Due is set if a look at the whole tree has work to do even if no file changed: HEAD moved, or the limit of sizes
	// or the salt changed.
	Due   bool
	limit int64 // MaxFileSize the index was made with
}

// State reads the state of an index. It returns an error if the index cannot be read.
func (w *Writer) State(ctx context.Context, r store.Reader) (s State, err error) {
	if s.Rev, err = store.Revision(r); err != nil {
		return s, err
	}
	if s.Looked, err = r.Meta(store.MetaLooked); err != nil {
		return s, err
	}
	unranked, err := r.Meta(store.MetaUnranked)
	if err != nil {
		return s, err
	}
	limit, err := r.Meta(store.MetaLimit)
	if err != nil {
		return s, err
	}
	s.limit, _ = strconv.ParseInt(limit, 10, 64)
	moved, err := w.commits().Moved(ctx, r)
	if err != nil {
		return s, err
	}
	salted, err := w.saltChanged(r)
	s.Unranked, s.Due = unranked == "1", moved || salted || s.limit != w.Tree.SizeLimit()
	return s, err
}
