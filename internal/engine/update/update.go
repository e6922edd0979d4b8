package update

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/history"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// Update brings the index up to date with the tree. It fails with store.ErrNoIndex if there is none and req does not
// create it, with a usage error for paths outside of the project, with code.NotFoundError for a path that is neither in
// the tree nor in the index, or with an error of ctx, of the tree or of the store.
func (w *Writer) Update(ctx context.Context, req Request) (*Update, error) {
	start := time.Now()
	reason, err := w.buildReason(ctx, req)
	if err != nil {
		return nil, err
	}
	var u *Update
	seeded := reason == "missing" && w.seedIndex(ctx)
	if seeded {
		reason, req.Paths, req.seeded = "", nil, true
	}
	if reason == "" {
		u, err = w.updateExisting(ctx, req)
		if errors.Is(err, store.ErrDamaged) { // damage shows only where it is read
			reason = "damaged"
		}
	}
	if reason != "" {
		u, err = w.rebuild(ctx, reason, req.Progress)
	}
	if err != nil {
		return nil, err
	}
	if seeded && (u.Reason == "" || u.Reason == ReasonChanges) {
		u.Reason = "worktree"
	}
	u.Elapsed = time.Since(start)
	return u, nil
}

// Refresh brings the index up to date with the tree. It returns the errors of Update.
func (w *Writer) Refresh(ctx context.Context) error {
	_, err := w.Update(ctx, Request{})
	return err
}

// rebuild builds the index, unless another process did so meanwhile: then it is brought up to date.
func (w *Writer) rebuild(ctx context.Context, reason string, progress func(done, total int)) (*Update, error) {
	u, built, err := w.buildIndex(ctx, reason, progress)
	if err != nil {
		return nil, err
	}
	if !built {
		return w.updateTree(ctx, Request{Progress: progress})
	}
	return u, nil
}

// buildReason returns the reason why the index has to be rebuilt, "" if it need not be.
func (w *Writer) buildReason(ctx context.Context, req Request) (string, error) {
	r, err := w.Store.Read(ctx)
	if req.Create = req.Create || errors.Is(err, store.ErrNoIndex) && w.adopts(); req.Create {
		if err := w.prepare(); err != nil {
			if r != nil {
				r.Close()
			}
			return "", err
		}
	}
	switch {
	case errors.Is(err, store.ErrNoIndex) && req.Create:
		return "missing", nil
	case errors.Is(err, store.ErrOldSchema):
		return "schema", nil
	case errors.Is(err, store.ErrDamaged):
		return "damaged", nil
	case errors.Is(err, store.ErrForeign):
		return "owner", nil
	case err != nil:
		return "", err
	}
	defer r.Close()
	if req.Full {
		return "asked", nil
	}
	if req.Create && req.Paths == nil {
		if err := checkSearchAndHistory(r); errors.Is(err, store.ErrDamaged) {
			return "damaged", nil
		}
	}
	changed, err := w.hasSaltChanged(r)
	if changed && err == nil {
		return "salt", nil
	}
	return "", err
}

// checkSearchAndHistory opens the search index and the history as questions do, because no update of files reads these
// two. So a user who indexes learns of damage there at once. The rest of their data, and the packed facts of files,
// would take longer to read than the comparison of the tree, so damage of them shows when a question or an update reads
// it.
func checkSearchAndHistory(r store.Reader) error {
	if _, err := search.NewIndex(r); err != nil {
		return err
	}
	_, err := history.NewView(r.History)
	return err
}

// updateExisting updates an existing index.
func (w *Writer) updateExisting(ctx context.Context, req Request) (*Update, error) {
	if req.Paths != nil {
		paths, whole, err := w.cleanPaths(req.Paths)
		if err != nil {
			return nil, err
		}
		if !whole {
			return w.updatePaths(ctx, paths, req.SkipMissing)
		}
	}
	return w.updateTree(ctx, req)
}

// cleanPaths checks paths given by a user. whole is set if one of them is a directory: then the whole tree is compared.
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

// updateTree compares the whole tree with the index and applies the differences.
func (w *Writer) updateTree(ctx context.Context, req Request) (*Update, error) {
	look, err := req.Look, error(nil)
	if look == nil {
		if look, err = w.compareAgain(ctx); err != nil {
			return nil, err
		}
	}
	u := &Update{Rev: look.last.Rev, Files: len(look.now.Files)}
	if look.IsSame() {
		return u, nil
	}
	remake, err := w.isRebuildCheaper(ctx, look)
	if err != nil {
		return nil, err
	}
	if remake {
		return w.rebuildFromUnchanged(ctx, look, req)
	}
	makePlan := func(tx store.Tx) (*updatePlan, error) { return w.planTree(ctx, tx, tx.ForgetNote, look, !req.seeded) }
	return u, w.applyPlan(ctx, u, req.Progress, makePlan)
}

// updatePaths applies the changes of single files. It fails as planPaths does.
func (w *Writer) updatePaths(ctx context.Context, paths []string, skipMissing bool) (*Update, error) {
	u := &Update{}
	return u, w.applyPlan(ctx, u, nil, func(tx store.Tx) (*updatePlan, error) { return w.planPaths(ctx, tx, paths, skipMissing) })
}

// applyPlan makes a plan inside the write transaction, applies it and finishes.
func (w *Writer) applyPlan(ctx context.Context, u *Update, progress func(done, total int), makePlan func(store.Tx) (*updatePlan,
	error)) error {
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
		if err := up.applyFiles(); err != nil {
			return err
		}
		return up.finishUpdate(u)
	})
}
