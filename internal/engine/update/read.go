package update

import (
	"context"
	"errors"
	"fmt"
	"ken/internal/code"
	"ken/internal/engine/store"
)

// Read opens the index, rebuilding one that an older ken wrote, that is damaged, or that is not the user's. It fails
// with store.ErrNoIndex if there is none, or with another error of the store.
func (w *Writer) Read(ctx context.Context) (store.Reader, error) {
	r, err := w.Store.Read(ctx)
	if errors.Is(err, store.ErrOldSchema) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrForeign) {
		if _, err := w.Update(ctx, Request{Create: true}); err != nil {
			return nil, err
		}
		r, err = w.Store.Read(ctx)
	}
	return r, err
}

// StalePaths lists the paths whose stat differs from the index, and those that the settings exclude now. It returns an error
// if the index or the settings cannot be read.
func (w *Writer) StalePaths(r store.Reader, paths []string) ([]string, error) {
	var out, shown []string
	seen := map[string]bool{}
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		f, ok, err := r.FileByPath(p)
		if err != nil {
			return nil, err
		}
		s, err := w.Tree.Scanner()
		if err != nil {
			return nil, err
		}
		st, there := s.Stat(p)
		if there != ok || there && st != f.Stat {
			out = append(out, p)
			continue
		}
		if ok && f.Problem != code.ProblemExcluded {
			shown = append(shown, p)
		}
	}
	s, err := w.Tree.Scanner()
	if err != nil || len(shown) == 0 {
		return out, err
	}
	hidden, err := s.ExcludedPaths(shown)
	return append(out, hidden...), err
}

// WithRebuild runs f. If f finds the index damaged, or no index and the writer adopts the project, it builds the index and
// runs f once more. Damage shows only where it is read, so every reader of the index goes through WithRebuild or Update. It
// returns the error of f or of the build.
func (w *Writer) WithRebuild(ctx context.Context, f func() error) error {
	err := f()
	switch {
	case errors.Is(err, store.ErrNoIndex) && w.adopts():
		if _, err := w.Update(ctx, Request{}); err != nil {
			return fmt.Errorf("build the index: %w", err)
		}
	case errors.Is(err, code.ErrDamaged):
		if _, err := w.Update(ctx, Request{Full: true}); err != nil {
			return fmt.Errorf("rebuild the damaged index: %w", err)
		}
	default:
		return err
	}
	return f()
}

// ReadChecked opens the index and reads its listing of the last comparison with the tree. It fails with
// store.ErrNoIndex if there is none, or with another error of the store.
func (w *Writer) ReadChecked(ctx context.Context) (store.Reader, LastComparison, error) {
	r, err := w.Store.Read(ctx)
	if err != nil {
		return nil, LastComparison{}, err
	}
	last, err := w.lastComparison(ctx, r)
	if err != nil {
		r.Close()
	}
	return r, last, err
}
