package update

import (
	"context"
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"strconv"
)

// Comparison is the result of comparing the working tree with its listing at the last comparison, which the index keeps.
type Comparison struct {
	last LastComparison
	now  *scan.Listing
}

// IsSame reports whether an update has nothing to do, not even to store the comparison.
func (f *Comparison) IsSame() bool { return !f.last.due && f.now == f.last.seen }

// DifferingPaths returns the number of paths that have changed since the last comparison.
func (f *Comparison) DifferingPaths() int {
	added, changed, deleted := scan.Diff(f.last.seen, f.now)
	return len(added) + len(changed) + len(deleted)
}

// LastComparison is the listing of the working tree at the last comparison, as the index keeps it.
type LastComparison struct {
	packed []byte        // seen
	seen   *scan.Listing // nil if unknown; see Look
	stamp  string        // store.MetaLooked
	Rev    code.Rev
	due    bool  // there is work even if the tree is the same
	limit  int64 // MaxFileSize the index was made with
}

// compareAgain reads the last listing from the index and compares the tree with it.
func (w *Writer) compareAgain(ctx context.Context) (*Comparison, error) {
	r, err := w.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	last, err := w.lastComparison(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.CompareTree(ctx, last)
}

// CompareTree compares the tree with its last listing. It returns the error of ctx, or one if the tree cannot be listed.
func (w *Writer) CompareTree(ctx context.Context, last LastComparison) (*Comparison, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	// A listing of another version cannot be decoded and counts as unknown: then everything is read.
	last.seen, _ = scan.DecodeListing(last.packed)
	now, err := s.List(ctx, last.seen)
	return &Comparison{last, now}, err
}

func (w *Writer) lastComparison(ctx context.Context, r store.Reader) (l LastComparison, err error) {
	s, err := w.State(ctx, r)
	if err != nil {
		return l, err
	}
	noted, err := r.Noted()
	if err != nil {
		return l, err
	}
	l = LastComparison{stamp: s.Looked, Rev: s.Rev, limit: s.limit, due: s.Unranked || s.Due || len(noted) > 0}
	l.packed, err = r.Look()
	return l, err
}

// State describes how far an index is up to date.
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
	moved, err := w.commits().HasMoved(ctx, r)
	if err != nil {
		return s, err
	}
	salted, err := w.hasSaltChanged(r)
	s.Unranked, s.Due = unranked == "1", moved || salted || s.limit != w.Tree.SizeLimit()
	return s, err
}
