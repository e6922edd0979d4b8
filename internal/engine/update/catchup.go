package update

import (
	"context"
	"errors"
	"slices"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Bounds of the parts of a CatchUp. A part takes a quarter of the remaining time, as far as the part before predicts, so
// that little is lost when the last one does not end in time.
const (
	firstPart    = 8  // files of the first part
	wholePart    = 24 // files up to which the rest is applied in one step
	shareOfLeft  = 4
	growthOfPart = 4
	leastShare   = 3 // of the time, for the parts, however long the look took
)

// CatchUp brings the index up to date as far as that is possible within a time, in parts that are committed one by one:
// a later call does not repeat the work of an earlier one. Changes are in the order in which they were applied. done is
// true if nothing is left. An index that has to be rebuilt is left as it is, because that cannot be done in parts. It
// returns the error of ctx, or one if the index cannot be read or written.
func (w *Writer) CatchUp(ctx context.Context, within time.Duration) (u *Update, done bool, err error) {
	u = &Update{}
	end := time.Now().Add(within)
	short, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	look, err := w.compareToCatchUp(short)
	if err == nil && look != nil {
		// Where the look took nearly all of the time, as for a huge tree on a busy machine, some work is done all the
		// same, because the next look takes as long.
		if least := time.Now().Add(within / leastShare); least.After(end) {
			end = least
		}
		var cancel context.CancelFunc
		short, cancel = context.WithDeadline(ctx, end)
		defer cancel()
		u, done, err = w.updateInParts(short, look)
	}
	if err != nil && short.Err() != nil {
		err = ctx.Err() // an expired time limit is not an error
	}
	return u, done && err == nil, err
}

// compareToCatchUp compares the tree with the index; it returns nil if the index has to be rebuilt.
func (w *Writer) compareToCatchUp(ctx context.Context) (*Comparison, error) {
	if reason, err := w.buildReason(ctx, Request{}); err != nil || reason != "" {
		return nil, err
	}
	return w.compareAgain(ctx)
}

func (w *Writer) updateInParts(ctx context.Context, look *Comparison) (*Update, bool, error) {
	u := &Update{}
	if err := w.applyParts(ctx, u, look); err != nil {
		return u, false, err
	}
	rest, err := w.updateTree(ctx, Request{Look: look})
	if err != nil {
		return u, false, err
	}
	rest.Changes = slices.Concat(u.Changes, rest.Changes)
	return rest, true, nil
}

// pathsToUpdate returns the paths that CatchUp has to update one by one. Links and submodules, which are not read, are left to its last
// step.
func (w *Writer) pathsToUpdate(ctx context.Context, look *Comparison) ([]string, error) {
	if look.last.seen == nil || look.IsSame() {
		return nil, nil
	}
	r, err := w.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	added, changed, deleted, err := outdatedFiles(r, look)
	left := slices.DeleteFunc(slices.Concat(added, changed), func(p string) bool {
		en, _ := look.now.Find(p)
		return hasNoContent(&en)
	})
	left = append(left, deleted...)
	slices.Sort(left)
	return left, err
}

// applyParts updates the differing paths in parts, each in a transaction of its own, except for the last few paths.
func (w *Writer) applyParts(ctx context.Context, u *Update, look *Comparison) error {
	gone := map[string]bool{} // files that had vanished when their turn came
	left, err := w.pathsToUpdate(ctx, look)
	for size := firstPart; err == nil && len(left) > wholePart; {
		n := min(size, len(left))
		began := time.Now()
		part, perr := w.updatePaths(ctx, left[:n], false)
		var missing *code.NotFoundError
		if errors.As(perr, &missing) { // it came and went since, or an earlier part included it
			gone[missing.Name] = true
			left, err = w.pathsToUpdate(ctx, look)
			left = slices.DeleteFunc(left, func(p string) bool { return gone[p] })
			continue
		}
		if perr != nil {
			return perr
		}
		u.Rev, u.Files, u.Changes = part.Rev, u.Files+part.Files, append(u.Changes, part.Changes...)
		left = left[n:]
		if end, ok := ctx.Deadline(); ok {
			each := max(time.Since(began)/time.Duration(n), time.Microsecond)
			size = min(max(int(time.Until(end)/shareOfLeft/each), 1), growthOfPart*n)
		}
	}
	return err
}

// outdatedFiles returns the files whose state in the index differs from that in the tree. Files that were updated one
// by one, after the last comparison of the whole tree, are compared with the index itself.
func outdatedFiles(r store.Files, look *Comparison) (added, changed, deleted []string, err error) {
	added, changed, deleted = scan.Diff(look.last.seen, look.now)
	holds := func(p string) bool {
		f, known, ferr := r.FileByPath(p)
		err = errors.Join(err, ferr)
		en, there := look.now.Find(p)
		return known && there && f.Stat == en.Stat
	}
	added, changed = slices.DeleteFunc(added, holds), slices.DeleteFunc(changed, holds)
	deleted = slices.DeleteFunc(deleted, func(p string) bool {
		_, known, ferr := r.FileByPath(p)
		err = errors.Join(err, ferr)
		return !known
	})
	return added, changed, deleted, err
}
