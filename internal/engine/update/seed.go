package update

import (
	"context"
	"errors"
	"path/filepath"

	"ken/internal/engine/store"
	"ken/internal/git"
)

// seedIndex starts a project's index as a copy of that of another working tree of the same repository, so that only the
// differences have to be read; it reports whether there was one. A failure is not an error, because the index can always
// be built.
//
// The copy is trusted no more than an index of our own: every file is hashed and those with another hash are read. The
// other working tree's stats are of other inodes and prove nothing here.
func (w *Writer) seedIndex(ctx context.Context) bool {
	repo, err := git.Find(w.Tree.Root())
	if err != nil || w.Tree.ReadSalt() != nil {
		return false // hashes of secrets made with one salt are useless with another
	}
	below, err := filepath.Rel(repo.Root, w.Tree.Root())
	if err != nil {
		return false
	}
	for _, tree := range git.Worktrees(repo) {
		dir := filepath.Join(tree, below, ".ken")
		if err := w.seedFrom(ctx, dir); err == nil {
			return true
		} else if ctx.Err() != nil {
			return false
		} else if !errors.Is(err, store.ErrNoIndex) {
			w.Log.Debug("start from another worktree's index: " + err.Error())
		}
	}
	return false
}

func (w *Writer) seedFrom(ctx context.Context, dir string) error {
	salt := w.Tree.OtherSalt(dir)
	if salt == nil {
		return store.ErrForeign
	}
	return w.Store.Seed(ctx, filepath.Join(dir, "index.db"), func() error { return w.Tree.WriteSalt(salt) })
}
