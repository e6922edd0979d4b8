package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
)

// CreateOptions describe a work tree to create.
type CreateOptions struct {
	ID      string
	Branch  string // name of its new branch, such as llm_task_7
	Purpose string
	// Targets are the files or folders to work on, relative to the project's root. None may have changes that are not
	// committed, because the work tree would not have them.
	Targets []string
}

// MissingFiles lists the files that are in the user's tree and not in a new work tree, because git ignores them.
type MissingFiles struct {
	Folders []string // such as node_modules, from the top of the repository; at most MaxNamed
	Files   []string // such as .env; at most MaxNamed
	More    int      // number of those that are not named
}

// Create makes a work tree of the commit of HEAD. If it fails, it leaves nothing behind. It returns a Refused with the reason if an ID,
// folder or branch is taken or invalid, HEAD has no commit or branch, a merge or rebase is in progress, the repository uses filter
// programs or submodules, or a target has uncommitted changes.
func (t *Trees) Create(ctx context.Context, opt CreateOptions) (*Tree, error) {
	if !ValidID(opt.ID) {
		return nil, newRefused(Occupied, "%q cannot be the name of a work tree's folder", opt.ID)
	}
	if err := t.finishAll(ctx); err != nil {
		return nil, err
	}
	head, err := t.checkHead(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := t.checkFolders(true); err != nil {
		return nil, err
	}
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return nil, err
	}
	r := Record{
		ID: opt.ID, Purpose: opt.Purpose, Branch: "refs/heads/" + opt.Branch, Base: head.Ref, Start: head.Commit, Tip: head.Commit,
		State: Creating, Began: t.now().UTC(),
	}
	if err := t.checkFree(ctx, g, &r); err != nil {
		return nil, err
	}
	if err := t.store.KeepWorktree(ctx, r); err != nil {
		return nil, err
	}
	branch := plumbing.RefUpdate{Name: r.Branch, New: r.Start, Old: plumbing.ZeroID(r.Start)}
	if err := plumbing.UpdateRefs(ctx, g, t.repo, "ken: work tree "+r.ID, branch); err != nil {
		return nil, errors.Join(fmt.Errorf("make the branch %s: %w", opt.Branch, err), t.store.ForgetWorktree(context.WithoutCancel(ctx), r.ID))
	}
	tree, err := t.fillTree(ctx, g, r, r.Start)
	if err != nil {
		// The beginnings are removed even if ctx has ended, because no record of them would remain.
		ctx := context.WithoutCancel(ctx)
		return nil, errors.Join(fmt.Errorf("make the work tree: %w", err), t.removeTree(ctx, g, &r))
	}
	return tree, nil
}

// fillTree makes the folder of a work tree with the files of the last commit of its branch, which already exists.
func (t *Trees) fillTree(ctx context.Context, g git.Git, r Record, tip string) (*Tree, error) {
	dir := t.treeFolder(r.ID)
	if err := plumbing.AddWorktree(ctx, g, t.repo, dir, strings.TrimPrefix(r.Branch, "refs/heads/")); err != nil {
		return nil, err
	}
	r.State = Open
	tree, err := t.openRecord(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := plumbing.FillTree(ctx, tree.git.KeepingOpen(g.HeldFiles()...), tree.repo, tip); err != nil {
		return nil, err
	}
	return tree, t.store.KeepWorktree(ctx, tree.Record)
}

// checkHead returns HEAD, or a Refused with the reason why no work tree can be made of it.
func (t *Trees) checkHead(ctx context.Context, opt CreateOptions) (git.Head, error) {
	if git.ReadConfig(t.repo).Bool("core.bare") {
		return git.Head{}, newRefused(Bare, "%s is a bare repository: it has no files to work on", t.repo.GitDir)
	}
	head, err := t.git.Head(ctx, t.repo)
	if err != nil {
		return head, err
	}
	switch {
	case t.repo.IsMerging():
		return head, newRefused(Unfinished, "a merge, rebase, cherry-pick, revert or bisection has begun in %s; finish or abort it first", t.repo.Root)
	case head.Ref == "":
		// A work tree could be made, but its commits could be merged nowhere.
		return head, newRefused(Detached, "HEAD is at %.12s and on no branch, so there would be nothing to merge into; check out a branch first", head.Commit)
	case head.Commit == "":
		return head, newRefused(Unborn, "the branch %s has no commit yet; make one first", strings.TrimPrefix(head.Ref, "refs/heads/"))
	case !strings.HasPrefix(head.Ref, "refs/heads/"):
		return head, newRefused(Detached, "HEAD names %s, which is no branch", head.Ref)
	case !plumbing.ValidBranch(ctx, t.git, t.repo, opt.Branch):
		return head, newRefused(Occupied, "%q cannot be the name of a branch", opt.Branch)
	}
	if err := t.refuseFilters(ctx); err != nil {
		return head, err
	}
	return head, t.checkTargets(ctx, opt.Targets)
}

// refuseFilters refuses a repository that uses filters or submodules. A filter is a program that changes files for git; ken does not run
// it, and without it a file would be committed with its form on disk. The files of a submodule belong to another repository.
func (t *Trees) refuseFilters(ctx context.Context) error {
	g, err := t.git.WithoutPrograms(ctx, t.repo)
	if err != nil {
		return err
	}
	entries, err := g.Entries(ctx, t.repo)
	if err != nil {
		return err
	}
	var paths, modules []string
	for _, e := range entries {
		if e.IsSubmodule() {
			modules = append(modules, e.Path)
		}
		paths = append(paths, e.Path)
	}
	if len(modules) > 0 {
		return newRefusedPaths(Submodules, modules, "the repository has submodules, whose changes a work tree would not bring back")
	}
	filtered, err := t.filteredPaths(ctx, g, t.repo, paths)
	if err != nil {
		return err
	}
	if len(filtered) > 0 {
		return newRefusedPaths(Filters, filtered, "a filter program changes files between disk and repository, and ken runs none")
	}
	return nil
}

// filteredPaths returns the paths to which git would apply a filter program that the configuration defines.
func (t *Trees) filteredPaths(ctx context.Context, g git.Git, r *git.Repo, paths []string) ([]string, error) {
	set, err := plumbing.FilterAttributes(ctx, g, r, paths)
	if err != nil || len(set) == 0 {
		return nil, err
	}
	defined := map[string]bool{}
	var list []string
	for _, a := range set {
		is, asked := defined[a.Value]
		if !asked {
			if is, err = plumbing.HasSection(ctx, t.git, r, "filter", a.Value); err != nil {
				return nil, err
			}
			defined[a.Value] = is
		}
		if is {
			list = append(list, a.Path)
		}
	}
	return list, nil
}

// maxTargets is the maximal number of target paths in one run of git.
const maxTargets = 200

// checkTargets refuses with Uncommitted targets that differ from HEAD.
func (t *Trees) checkTargets(ctx context.Context, targets []string) error {
	paths := make([]string, 0, len(targets))
	for _, p := range targets {
		in, err := t.repoPath(p)
		if err != nil {
			return err
		}
		paths = append(paths, in)
	}
	g, err := t.git.WithoutPrograms(ctx, t.repo)
	if err != nil {
		return err
	}
	excludes := git.ReadConfig(t.repo).ExcludesFile(t.repo)
	var changed, ignored []string
	for part := range slices.Chunk(paths, maxTargets) {
		list, err := plumbing.Status(ctx, g, t.repo, excludes, true, part...)
		if err != nil {
			return err
		}
		for _, c := range list {
			if c.Code == "!!" {
				ignored = append(ignored, c.Path)
			} else {
				changed = append(changed, c.Path)
			}
		}
	}
	if len(changed) > 0 {
		return newRefusedPaths(Uncommitted, changed, "these have changes that are not committed, and the work tree would not have them; commit or stash them first")
	}
	for _, p := range ignored { // a folder may hold ignored files; only one that is a target itself matters
		if slices.Contains(paths, strings.TrimSuffix(p, "/")) {
			return newRefusedPaths(Uncommitted, []string{p}, "git ignores this, so the work tree would not have it and nothing would be merged")
		}
	}
	return nil
}

// checkFree refuses an ID, a folder or a branch that is taken. The caller holds the lock.
func (t *Trees) checkFree(ctx context.Context, g git.Git, r *Record) error {
	if _, err := t.store.Worktree(ctx, r.ID); err == nil {
		return newRefused(Exists, "a work tree %s already exists", r.ID)
	} else if !errors.Is(err, ErrUnknown) {
		return err
	}
	if _, err := os.Lstat(t.treeFolder(r.ID)); !errors.Is(err, os.ErrNotExist) {
		return newRefused(Occupied, "%s already exists and was not made by ken", t.treeFolder(r.ID))
	}
	_, err := plumbing.RefCommit(ctx, g, t.repo, r.Branch)
	if err == nil {
		return newRefused(Exists, "a branch %s already exists", strings.TrimPrefix(r.Branch, "refs/heads/"))
	}
	if !errors.Is(err, git.ErrNotFound) {
		return err
	}
	return nil
}

// MissingFiles lists the files that git ignores in the user's tree, such as dependencies and environments. They must be made again or
// linked if a work tree needs them. It fails if git does.
func (t *Trees) MissingFiles(ctx context.Context) (MissingFiles, error) {
	list, err := plumbing.IgnoredPaths(ctx, t.git, t.repo, git.ReadConfig(t.repo).ExcludesFile(t.repo))
	if err != nil {
		return MissingFiles{}, err
	}
	var l MissingFiles
	own := path.Join(filepath.ToSlash(t.below), ".ken") + "/"
	for _, p := range list {
		to := &l.Files
		if strings.HasSuffix(p, "/") {
			to = &l.Folders
		}
		switch {
		case strings.HasPrefix(p, own):
		case len(*to) < MaxNamed:
			*to = append(*to, strings.TrimSuffix(p, "/"))
		default:
			l.More++
		}
	}
	return l, nil
}
