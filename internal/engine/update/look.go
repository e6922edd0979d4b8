package update

import (
	"context"
	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"strconv"
)

// Look is what a look at the tree found, beside what the index remembers.
type Look struct {
	last LastLook
	now  *scan.Listing
}

// Same reports whether there is nothing to do, not even to note that somebody looked.
func (f *Look) Same() bool { return !f.last.due && f.now == f.last.seen }

// Differ is how many paths differ from what the index remembers of them.
func (f *Look) Differ() int {
	added, changed, deleted := scan.Diff(f.last.seen, f.now)
	return len(added) + len(changed) + len(deleted)
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
	moved, err := w.commits().Moved(ctx, r)
	if err != nil {
		return l, err
	}
	l.due = unranked == "1" || len(noted) > 0 || l.limit != w.Tree.SizeLimit() || moved
	l.packed, err = r.Look()
	return l, err
}
