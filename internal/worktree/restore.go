package worktree

import (
	"context"
	"errors"
	"os"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// Restore makes the folder of a work tree again from the last commit of its branch, if the folder is gone. What was not committed in it is
// lost. A work tree whose folder is there is returned as it is. Restore returns ErrUnknown if there is no such work tree. It refuses one
// that is being made, merged or removed, whose branch is gone, or in whose place there is something else.
func (t *Trees) Restore(ctx context.Context, id string) (*Tree, error) {
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	r, err := t.store.Worktree(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.State == Creating || r.State == Removing || r.State == Merging {
		return nil, newRefused(Interrupted, "%s the work tree %s was broken off", r.State, id)
	}
	tree, err := t.openRecord(ctx, r)
	if RefusalReason(err) != Gone {
		return tree, err
	}
	if _, lost := os.Lstat(t.treeFolder(id)); r.State != Restoring && !errors.Is(lost, os.ErrNotExist) {
		return nil, err // git has forgotten the folder, and what is in it may be nowhere else
	}
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return nil, err
	}
	tip, err := plumbing.RefCommit(ctx, g, t.repo, r.Branch)
	if errors.Is(err, git.ErrNotFound) {
		return nil, newRefused(Gone, "the folder of the work tree %s and its branch %s are gone; its last known commit is %.12s", id, r.Branch, r.Tip)
	}
	if err != nil {
		return nil, err
	}
	r.State, r.Tip = Restoring, tip
	if err := t.store.KeepWorktree(ctx, r); err != nil {
		return nil, err
	}
	if err := t.removeFolders(ctx, id, true); err != nil {
		return nil, err
	}
	return t.fillTree(ctx, g, r, tip)
}
