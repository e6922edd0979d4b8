package update

import (
	"context"
	"errors"

	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// manyDiffer is the number of differing paths from which a rebuild is considered: below it the estimate costs more than
// it can save.
const manyDiffer = 200

// sampledFiles is the number of files with another stat that are hashed to estimate the share of those with another content.
const sampledFiles = 32

// isRebuildCheaper estimates, before anything is applied, whether rebuilding the index costs less than changing it. A rebuild
// would lose exact bindings, so an index with them is changed.
func (w *Writer) isRebuildCheaper(ctx context.Context, look *Comparison) (bool, error) {
	if look.last.seen == nil {
		return false, nil
	}
	added, changed, deleted := scan.Diff(look.last.seen, look.now)
	if len(added)+len(changed)+len(deleted) < manyDiffer {
		return false, nil
	}
	r, err := w.Store.Read(ctx)
	if err != nil {
		return false, err
	}
	defer r.Close()
	if exact, err := r.HasExact(); err != nil || exact {
		return false, err
	}
	if added, changed, deleted, err = outdatedFiles(r, look); err != nil {
		return false, err
	}
	same, err := w.sameContentShare(ctx, r, changed)
	if err != nil {
		return false, err
	}
	limit := w.Tree.SizeLimit()
	differ := float64(totalSize(look.now, changed, limit))
	t := workEstimate{fresh: float64(totalSize(look.now, added, limit)) + (1-same)*differ, gone: float64(totalSize(look.last.seen,
		deleted, limit))}
	for i := range look.now.Files {
		t.kept += float64(readSize(&look.now.Files[i], limit))
	}
	t.kept -= t.fresh
	return t.isRebuildCheaper(), nil
}

// workEstimate estimates the work of an update by the sizes of the new, deleted and unchanged files in bytes, because the
// number of rows of a file, and the time to store them, grow with its size.
type workEstimate struct{ fresh, gone, kept float64 }

// isRebuildCheaper compares the two ways. Fresh files are read in both. Changing the index costs most for deleted
// files, because each of their rows is looked up in every table and index; a rebuild copies the kept files. The
// factors are those of the processor time for spring-boot, django and sympy, measured over checkouts: 0.44 for
// deleted and 0.31 for fresh bytes against 0.12 and 0.19 for kept ones.
func (t workEstimate) isRebuildCheaper() bool { return t.kept < t.fresh+2.3*t.gone }

// readSize returns the number of bytes read of a listed file.
func readSize(en *scan.Entry, limit int64) int64 {
	if hasNoContent(en) {
		return 0
	}
	return min(en.Stat.Size, limit)
}

// totalSize returns the number of bytes read of some of the files of a listing.
func totalSize(l *scan.Listing, paths []string, limit int64) (sum int64) {
	for _, p := range paths {
		if en, ok := l.Find(p); ok {
			sum += readSize(&en, limit)
		}
	}
	return sum
}

// sameContentShare estimates the share of files with another stat whose content is unchanged, as after a clone or a touch: it
// hashes some, spread evenly.
func (w *Writer) sameContentShare(ctx context.Context, r store.Files, changed []string) (float64, error) {
	if len(changed) == 0 {
		return 0, nil
	}
	reader, err := w.Tree.NewReader(nil)
	if err != nil {
		return 0, err
	}
	n, same := min(len(changed), sampledFiles), 0
	for i := range n {
		p := changed[i*len(changed)/n]
		f, ok, err := r.FileByPath(p)
		if err != nil {
			return 0, err
		}
		c, err := reader.Open(ctx, p)
		if errors.Is(err, context.Canceled) {
			return 0, err
		}
		if err == nil && ok && c.Hash == f.Hash {
			same++
		}
	}
	return float64(same) / float64(n), nil
}
