package worktree

import (
	"context"
	"errors"
	"slices"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// finishOthers finishes those merges into the same base branch that a crash interrupted. Some of their files may be in the user's tree
// already, where they would look like changes by the user, and the callers of the merges may never return. They are finished rather than
// undone, because they were requested and their commits are made. A merge that cannot be finished now is left; if it is in the way,
// moving the files is refused. It fails if git or the store does.
func (m *mergeRun) finishOthers(ctx context.Context) error {
	records, err := m.store.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.State != Merging || r.Base != m.r.Base {
			continue
		}
		if r.ID == m.r.ID {
			// If its branch has no new commits since, the merge itself finishes it.
			if in, err := m.hasBranch(ctx); err != nil {
				return err
			} else if !in {
				if err := m.finishInterrupted(ctx); err != nil {
					return err
				}
			}
			continue
		}
		other := &mergeRun{Trees: m.Trees, g: m.g}
		done, err := other.openTree(ctx, r.ID)
		if err == nil {
			err = other.finishInterrupted(ctx)
			done()
		}
		switch {
		case err != nil && RefusalReason(err) == "":
			return err
		case err == nil && other.r.State != Merging:
			m.result.Finished = append(m.result.Finished, shortRef(r.Branch))
		}
	}
	return nil
}

// finishAll finishes interrupted merges into any base before a work tree is made, because their files in the user's tree would look like
// changes by the user. Those that cannot be finished now are left. It fails if git or the store does.
func (t *Trees) finishAll(ctx context.Context) error {
	records, err := t.store.Worktrees(ctx)
	if err != nil || !slices.ContainsFunc(records, func(r Record) bool { return r.State == Merging }) {
		return err
	}
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return err
	}
	defer release()
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.State == Merging {
			m := &mergeRun{Trees: t, g: g, r: Record{Base: r.Base}}
			if err := m.finishOthers(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasBranch reports whether the interrupted merge includes every commit that the branch has now.
func (m *mergeRun) hasBranch(ctx context.Context) (bool, error) {
	tip, err := plumbing.RefCommit(ctx, m.g, m.repo, m.r.Branch)
	if err != nil || m.r.Into == "" {
		return false, err
	}
	return plumbing.IsAncestor(ctx, m.g, m.repo, tip, m.r.Into)
}

// finishInterrupted completes an interrupted merge with its recorded result. If the base branch is neither at its old commit nor at the
// merge commit, it does nothing and keeps the record. It fails if git or the store does.
func (m *mergeRun) finishInterrupted(ctx context.Context) error {
	base, err := plumbing.RefCommit(ctx, m.g, m.repo, m.r.Base)
	if errors.Is(err, git.ErrNotFound) || m.r.Into == "" {
		return nil
	}
	if err != nil {
		return err
	}
	at, err := m.checkedOutTree(ctx)
	if err != nil {
		return err
	}
	if base == m.r.From {
		err = m.moveBaseWithFiles(ctx, at, base, m.r.Into)
	} else {
		var in bool
		if in, err = plumbing.IsAncestor(ctx, m.g, m.repo, m.r.Into, base); err != nil || !in {
			return err
		}
		err = m.unlockAfterCrash(ctx, at)
	}
	if err != nil {
		return err
	}
	m.r.State = Open
	if in, err := m.hasBranch(ctx); err == nil && in {
		m.r.State = Merged
	}
	return m.store.KeepWorktree(ctx, m.r)
}

// finishRemoved ends the interrupted merge of a work tree before the work tree is removed, because the merge could not be repeated
// afterwards. With force it undoes the merge, because the work is not wanted then; if that is impossible, the user's files stay as they
// are, and the index is unlocked.
func (t *Trees) finishRemoved(ctx context.Context, g git.Git, r *Record, force bool) error {
	if r.State != Merging {
		return nil
	}
	m := &mergeRun{Trees: t, g: g, r: *r}
	if force {
		err := m.undoInterrupted(ctx)
		if RefusalReason(err) != "" {
			err = nil
		}
		return err
	}
	done, err := m.openTree(ctx, r.ID)
	if err == nil {
		err = m.finishInterrupted(ctx)
		done()
	}
	*r = m.r
	return err
}

// undoInterrupted restores the files and the index of the base's work tree to their state before an interrupted merge. If the base itself
// was already moved, it stays moved.
func (m *mergeRun) undoInterrupted(ctx context.Context) error {
	at, err := m.checkedOutTree(ctx)
	if err != nil || at == nil {
		return err
	}
	base, err := plumbing.RefCommit(ctx, m.g, m.repo, m.r.Base)
	if err == nil && base == m.r.From && m.r.Into != "" {
		err = m.moveFiles(ctx, at, m.r.Into, m.r.From, func() error { return nil })
	}
	if err != nil && (RefusalReason(err) == "" && !errors.Is(err, git.ErrNotFound)) {
		return err
	}
	return m.unlockAfterCrash(ctx, at)
}
