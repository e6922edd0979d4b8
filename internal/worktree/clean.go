package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/statefile"
)

// Cleaned is the result of cleaning up one work tree.
type Cleaned struct {
	Record
	Removed bool
	// Why and Text are the reason why it was kept, and Paths the files that would have been lost.
	Why   Reason
	Text  string
	Paths []string
}

// CleanOptions select the work trees to clean up.
type CleanOptions struct {
	IDs   []string // none: all
	Force bool     // remove uncommitted and unmerged work too
	// InUse are the work trees in which work goes on, each with the reason why it is kept. One is removed only if IDs names it and
	// Force is set.
	InUse map[string]string
}

// Clean removes work trees with their branches: those named, or all. It keeps those in use. Unless Force is set, it also keeps one with
// changes that are not committed, or commits that no other branch has. It always removes the remains of a creation or removal that crashed.
// It fails with ErrUnknown if an ID names no work tree; a work tree that it keeps is no error.
func (t *Trees) Clean(ctx context.Context, opt CleanOptions) ([]Cleaned, error) {
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := t.checkFolders(false); err != nil {
		return nil, err
	}
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return nil, err
	}
	records, err := t.store.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range opt.IDs {
		if !slices.ContainsFunc(records, func(r Record) bool { return r.ID == id }) {
			return nil, fmt.Errorf("%q: %w", id, ErrUnknown)
		}
	}
	var done []Cleaned
	for _, r := range records {
		if len(opt.IDs) > 0 && !slices.Contains(opt.IDs, r.ID) {
			continue
		}
		confirmed := opt.Force && slices.Contains(opt.IDs, r.ID)
		if why := opt.InUse[r.ID]; why != "" && r.isWhole() && !confirmed {
			done = append(done, Cleaned{Record: r, Why: InUse, Text: why})
			continue
		}
		c, err := t.cleanOne(ctx, g, r, opt.Force)
		if err != nil {
			return done, fmt.Errorf("clean up %s: %w", r.ID, err)
		}
		done = append(done, c)
	}
	t.removeEmptyRoots(ctx)
	return done, nil
}

// isWhole reports whether neither the creation nor the removal of the work tree was broken off.
func (r *Record) isWhole() bool { return r.State != Creating && r.State != Removing }

// cleanOne removes a work tree if nothing would be lost.
func (t *Trees) cleanOne(ctx context.Context, g git.Git, r Record, force bool) (Cleaned, error) {
	c := Cleaned{Record: r}
	if r.State != Creating {
		err := t.finishRemoved(ctx, g, &r, force)
		if err == nil {
			err = t.checkLosses(ctx, g, &r, force)
		}
		if err != nil {
			var why *RefusedError
			if !errors.As(err, &why) {
				return c, err
			}
			c.Why, c.Text, c.Paths = why.Why, why.Error(), why.Paths
			return c, nil
		}
	}
	if err := t.removeTree(ctx, g, &r); err != nil {
		return c, err
	}
	c.Record, c.Removed = r, true
	return c, nil
}

// checkLosses returns an error with the reason if removing a work tree would lose work. With force, only files that may not be ken's are
// a reason.
func (t *Trees) checkLosses(ctx context.Context, g git.Git, r *Record, force bool) error {
	known := r.Tip
	if tip, err := plumbing.RefCommit(ctx, g, t.repo, r.Branch); err == nil {
		r.Tip = tip
	} else if !errors.Is(err, git.ErrNotFound) {
		return err
	}
	tree, err := t.openRecord(ctx, *r)
	_, noFolder := os.Lstat(t.treeFolder(r.ID))
	switch {
	case RefusalReason(err) == Occupied:
		return err // even force removes no file that may not be ken's
	case RefusalReason(err) == Gone && r.State == Removing && r.Tip == known:
		return nil // the removal was decided before a crash, and no commit has been added since
	case RefusalReason(err) == Gone && !force && noFolder == nil && r.State != Restoring:
		return err // git has forgotten it, and its uncommitted files are in no branch
	case RefusalReason(err) == Gone, force && RefusalReason(err) != "":
	case err != nil:
		return err
	case !force:
		if err := tree.refuseUncommitted(ctx); err != nil {
			return err
		}
	}
	if force {
		return nil
	}
	with, err := plumbing.BranchesWith(ctx, g, t.repo, r.Tip)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return err
	}
	with = slices.DeleteFunc(with, func(ref string) bool { return ref == r.Branch })
	if len(with) == 0 {
		return newRefused(Unmerged, "%s has commits up to %.12s that no other branch has; merge it, or remove it by force",
			strings.TrimPrefix(r.Branch, "refs/heads/"), r.Tip)
	}
	return nil
}

// refuseUncommitted returns a Refused with the reason Uncommitted if the work tree has changes that are not committed to its branch.
func (t *Tree) refuseUncommitted(ctx context.Context) error {
	if t.repo.IsMerging() {
		return newRefused(Unfinished, "a merge, rebase or the like has begun in %s; finish or abort it first", t.Dir)
	}
	look, err := t.Look(ctx)
	if err != nil {
		return err
	}
	defer look.Close()
	list, err := look.uncommittedChanges(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	paths := make([]string, len(list))
	for i, c := range list {
		paths[i] = c.Path
	}
	return newRefusedPaths(Uncommitted, paths, "the work tree %s has changes that are not committed; finalize or discard them, or remove it by force", t.ID)
}

// removingPrefix is the prefix of the name of a folder that is being removed. No ID of a work tree has this prefix.
const removingPrefix = ".removing-"

// removeTree removes a work tree: its folder, git's folder for it, its branch, its record. Each step can be repeated after a crash.
func (t *Trees) removeTree(ctx context.Context, g git.Git, r *Record) error {
	creating := r.State == Creating
	if !creating {
		r.State = Removing
		if err := t.store.KeepWorktree(ctx, *r); err != nil {
			return err
		}
	}
	if err := t.removeFolders(ctx, r.ID, creating); err != nil {
		return err
	}
	if err := t.removeBranch(ctx, g, r, creating); err != nil {
		return err
	}
	return t.store.ForgetWorktree(ctx, r.ID)
}

// removeFolders removes the folder of a work tree and git's folder for it. It waits for a look or commit there.
func (t *Trees) removeFolders(ctx context.Context, id string, creating bool) error {
	if admin, err := t.gitFolder(id); err == nil {
		if _, release, err := takeLock(ctx, filepath.Join(admin, treeLock), false); err == nil {
			defer release()
		} else if ctx.Err() != nil {
			return err
		}
	}
	dir, away := t.treeFolder(id), t.treeFolder(removingPrefix+id)
	if st, err := os.Lstat(dir); err == nil {
		if !st.IsDir() {
			return newRefused(Occupied, "%s is a link or file in the place of a folder", dir)
		}
		// Renaming is one step, so that there is never half a work tree that looks like a changed one.
		if err := errors.Join(os.RemoveAll(away), os.Rename(dir, away)); err != nil {
			return fmt.Errorf("remove the work tree: %w", err)
		}
	}
	if err := os.RemoveAll(away); err != nil {
		return fmt.Errorf("remove the work tree: %w", err)
	}
	if err := t.removeGitFolder(id, creating); err != nil {
		return fmt.Errorf("remove the work tree: %w", err)
	}
	return nil
}

// removeGitFolder removes the folder in which git keeps its data about a work tree. With creating set, making the work tree crashed: the
// folder may lack the path of the work tree, and may have git's lock mark, because of which git itself never removes the folder.
func (t *Trees) removeGitFolder(id string, creating bool) error {
	admin, err := t.gitFolder(id)
	if err == nil {
		// Renaming is one step, as above: half of the folder would no longer identify its work tree.
		away := filepath.Join(t.repo.CommonDir, workName+"removed-"+id)
		if err := errors.Join(os.RemoveAll(away), os.Rename(admin, away)); err != nil {
			return err
		}
		return os.RemoveAll(away)
	}
	if RefusalReason(err) != Gone {
		return err
	}
	admin = filepath.Join(t.repo.CommonDir, "worktrees", id)
	entries, err := os.ReadDir(admin)
	if !creating || err != nil {
		return nil
	}
	for _, e := range entries { // git first writes the mark there, then the path, which may be cut short
		data, err := statefile.ReadFollow(filepath.Join(admin, e.Name()), 1<<16)
		text := strings.TrimSpace(string(data))
		mark := e.Name() == "locked" && (text == "" || text == "initializing")
		path := e.Name() == "gitdir" && strings.HasPrefix(filepath.Join(t.treeFolder(id), ".git"), text)
		if err != nil || !mark && !path {
			return nil
		}
	}
	return os.RemoveAll(admin)
}

// removeBranch deletes the branch of a work tree if it is at the recorded tip, else it refuses with Moved. With creating set, making the
// work tree crashed: a branch that already has commits is kept then.
func (t *Trees) removeBranch(ctx context.Context, g git.Git, r *Record, creating bool) error {
	tip, err := plumbing.RefCommit(ctx, g, t.repo, r.Branch)
	if errors.Is(err, git.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if creating && tip != r.Start {
		return nil
	}
	if tip != r.Tip {
		return newRefused(Moved, "%s has moved meanwhile; clean up again", r.Branch)
	}
	gone := plumbing.RefUpdate{Name: r.Branch, New: plumbing.ZeroID(tip), Old: tip}
	return plumbing.UpdateRefs(ctx, g, t.repo, "ken: work tree "+r.ID+" removed", gone)
}

// removeScratch removes the temporary folders that killed commits and merges left in git's folder of a work tree. The caller holds the
// lock of the work tree, so no commit or merge is running there.
func removeScratch(gitDir string) {
	entries, _ := os.ReadDir(gitDir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workName) || strings.HasPrefix(e.Name(), statefile.TempPrefix) {
			os.RemoveAll(filepath.Join(gitDir, e.Name()))
		}
	}
}

// CleanFolders removes the folder of all work trees if no work tree is left. A process killed at the end of Clean leaves the folder behind.
// It fails if the lock of the work trees cannot be had or the folder is a link.
func (t *Trees) CleanFolders(ctx context.Context) error {
	_, release, err := t.lockAll(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := t.checkFolders(false); err != nil {
		return err
	}
	t.removeEmptyRoots(ctx)
	return nil
}

// removeEmptyRoots removes ken's folder of work trees, and git's, if they are empty.
func (t *Trees) removeEmptyRoots(ctx context.Context) {
	removeScratch(t.repo.GitDir)
	removeScratch(t.repo.CommonDir)
	records, err := t.store.Worktrees(ctx)
	if err != nil || len(records) > 0 {
		return
	}
	os.Remove(filepath.Join(t.repo.CommonDir, "worktrees"))
	top := t.treeFolder("")
	entries, err := os.ReadDir(top)
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".gitignore" }) {
		return
	}
	os.Remove(filepath.Join(top, ".gitignore"))
	os.Remove(top)
}
