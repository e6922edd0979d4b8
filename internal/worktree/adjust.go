package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// adjustTip returns a commit to merge instead of the tip of a branch. It differs from the tip in two ways: the paths of
// MergeOptions.Leave are as in the merge base, and the files of MergeOptions.Move are at their new places. No ref points to it; the merge
// commit names the tip itself as its parent. It fails if git does.
func (m *mergeRun) adjustTip(ctx context.Context, base, tip string) (string, error) {
	if len(m.opt.Leave) == 0 && len(m.opt.Move) == 0 {
		return tip, nil
	}
	shared, err := m.g.MergeBase(ctx, m.repo, base, tip)
	if errors.Is(err, git.ErrNotFound) {
		return tip, nil
	}
	if err != nil {
		return "", err
	}
	diff, err := m.g.Differences(ctx, m.repo, shared, tip)
	if err != nil {
		return "", err
	}
	var entries []plumbing.IndexEntry
	for _, d := range diff {
		to, moves := m.opt.Move[d.Path]
		switch {
		case slices.Contains(m.opt.Leave, d.Path):
			entries = append(entries, plumbing.IndexEntry{Path: d.Path, Mode: d.OldMode, ID: cmp.Or(d.OldID, plumbing.ZeroID(tip))})
		case moves && d.NewMode != 0 && to != d.Path:
			entries = append(entries, plumbing.IndexEntry{Path: d.Path, ID: plumbing.ZeroID(tip)},
				plumbing.IndexEntry{Path: to, Mode: d.NewMode, ID: d.NewID})
		}
	}
	if len(entries) == 0 {
		return tip, nil
	}
	tree, err := m.treeWith(ctx, tip, entries)
	if err != nil {
		return "", err
	}
	return plumbing.CommitTree(ctx, m.g, m.repo, tree, []string{tip}, "as it is merged\n")
}

// treeWith writes the tree of a commit with some entries replaced, and returns its ID.
func (m *mergeRun) treeWith(ctx context.Context, commit string, entries []plumbing.IndexEntry) (string, error) {
	scratch, err := os.MkdirTemp(m.repo.GitDir, workName)
	if err != nil {
		return "", fmt.Errorf("merge: %w", err)
	}
	defer os.RemoveAll(scratch)
	g := m.g.WithIndex(filepath.Join(scratch, "index"))
	if err := plumbing.SetIndex(ctx, g, m.repo, commit); err != nil {
		return "", err
	}
	if err := plumbing.PutEntries(ctx, g, m.repo, entries); err != nil {
		return "", err
	}
	return plumbing.WriteTree(ctx, g, m.repo)
}

// KeepBranch creates a further branch at the tip of a work tree's branch, so that removing the work tree loses no commit. It succeeds if
// a branch of that name is at the tip already, fails with ErrUnknown if there is no such work tree, and refuses with Occupied an invalid
// name and with Exists a branch that is elsewhere.
func (t *Trees) KeepBranch(ctx context.Context, id, branch string) error {
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return err
	}
	defer release()
	r, err := t.store.Worktree(ctx, id)
	if err != nil {
		return err
	}
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return err
	}
	if !plumbing.ValidBranch(ctx, g, t.repo, branch) {
		return newRefused(Occupied, "%q cannot be the name of a branch", branch)
	}
	tip, err := plumbing.RefCommit(ctx, g, t.repo, r.Branch)
	if err != nil {
		return err
	}
	name := "refs/heads/" + branch
	switch at, err := plumbing.RefCommit(ctx, g, t.repo, name); {
	case err == nil && at == tip:
		return nil
	case err == nil:
		return newRefused(Exists, "a branch %s already exists", branch)
	case !errors.Is(err, git.ErrNotFound):
		return err
	}
	return plumbing.UpdateRefs(ctx, g, t.repo, "ken: keep the work of "+id, plumbing.RefUpdate{Name: name, New: tip, Old: plumbing.ZeroID(tip)})
}

// BranchTip returns the last commit of a work tree's branch, even if its folder is gone. It fails with ErrUnknown if there is no such
// work tree, and with git.ErrNotFound if the branch is gone.
func (t *Trees) BranchTip(ctx context.Context, id string) (string, error) {
	r, err := t.store.Worktree(ctx, id)
	if err != nil {
		return "", err
	}
	return plumbing.RefCommit(ctx, t.git, t.repo, r.Branch)
}
