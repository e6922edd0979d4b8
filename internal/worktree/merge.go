package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/git/plumbing"
	"ken/internal/statefile"
)

// MergeOptions are the options of Merge.
type MergeOptions struct {
	// NoFastForward makes a merge commit even if the base could simply be moved to the branch.
	NoFastForward bool
	Message       string // of a merge commit; "": git's own wording
	// Tip is the commit that the caller reviewed: Merge refuses a branch that is at another by now. "" accepts any.
	Tip string
	// Leave are paths that the merge leaves as in the base, even if the branch changed them. Move maps files of the branch to other
	// places in the merge. Both are paths from the top of the repository; the commits of the branch stay as they are.
	Leave []string
	Move  map[string]string
}

// MergeResult is the result of a merge.
type MergeResult struct {
	Base, Branch string   // in short
	From, Into   string   // commits of the base before and after
	FastForward  bool     // no merge commit was needed
	Already      bool     // the base had every commit, and nothing was done
	Updated      string   // the work tree whose files were updated, "" if the base is checked out nowhere
	Uncommitted  []string // changes of the work tree that are on no branch, and so not in the merge
	NotRun       []string // hooks of the user's that `git merge` would have run
	Unsigned     bool     // the user's settings have commits signed, and the merge commit is not
	Finished     []string // branches whose interrupted merges into this base were finished first
}

// ConflictError reports that both sides changed the same files, and that nothing was done.
type ConflictError struct {
	Base, Branch string // in short
	Dir          string // of the work tree, in which the conflict can be resolved; "" if it is gone
	Files        []Conflict
}

// Conflict is one file that both sides changed.
type Conflict struct {
	Path   string
	Base   string   // the base's change: changed, added or deleted
	Branch string   // the work's change
	Notes  []string // git's words
}

func (c *ConflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s and %s changed the same files; nothing was merged", c.Base, c.Branch)
	for i, f := range c.Files {
		if i == MaxNamed {
			fmt.Fprintf(&b, "\n  and %d more", len(c.Files)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s in %s, %s in %s", quotePaths([]string{f.Path})[0], f.Base, c.Base, f.Branch, c.Branch)
	}
	if c.Dir == "" {
		fmt.Fprintf(&b, "\nto continue: the folder of the work tree is gone, so merge %s into %s with git and resolve the files", c.Branch, c.Base)
		return b.String()
	}
	fmt.Fprintf(&b, "\nto continue: in %s run `git merge %s`, resolve the files, `git add` them and `git commit`; then merge again", c.Dir, c.Base)
	return b.String()
}

// Merge merges the commits of a work tree into the branch that it came from. It makes the merge in the object database first. If the
// base is checked out, it then updates the changed files there. Then it moves the base. A merge that a crash interrupted is finished by the
// next call for it or for the same base.
//
// It returns ErrUnknown if there is no such work tree, a ConflictError if both sides changed the same files, and a Refused if the base is
// gone or has moved, the branch is not at MergeOptions.Tip, a file to update has changes of its own, or a merge or rebase is in progress.
// Nothing is changed then.
func (t *Trees) Merge(ctx context.Context, id string, opt MergeOptions) (*MergeResult, error) {
	file, release, err := t.lockAll(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	g, err := t.git.KeepingOpen(file).WithoutPrograms(ctx, t.repo)
	if err != nil {
		return nil, err
	}
	m := &mergeRun{Trees: t, g: g, opt: opt}
	done, err := m.openTree(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m.result = MergeResult{Base: shortRef(m.r.Base), Branch: shortRef(m.r.Branch)}
	return m.runMerge(ctx)
}

// openTree finds the work tree to merge and takes its lock. If the folder is gone, it succeeds without it, because the commits are on
// the branch.
func (m *mergeRun) openTree(ctx context.Context, id string) (done func(), err error) {
	tree, err := m.Tree(ctx, id)
	if RefusalReason(err) == Gone {
		if m.r, err = m.store.Worktree(ctx, id); err == nil && m.r.State == Restoring {
			err = m.removeFolders(ctx, id, true) // half a folder would look like a changed one
		}
		return func() {}, err
	}
	if err != nil {
		return nil, err
	}
	if done, err = tree.lockTree(ctx); err != nil {
		return nil, err
	}
	if tree.repo.IsMerging() {
		done()
		return nil, newRefused(Unfinished, "a merge, rebase or the like has begun in %s; finish it with `git commit` or abort it", tree.Dir)
	}
	m.tree, m.r = tree, tree.Record
	return done, nil
}

func shortRef(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// mergeRun is a merge in progress.
type mergeRun struct {
	*Trees
	g      git.Git
	r      Record
	tree   *Tree // nil if its folder is gone
	opt    MergeOptions
	result MergeResult
}

func (m *mergeRun) runMerge(ctx context.Context) (*MergeResult, error) {
	if err := m.finishOthers(ctx); err != nil {
		return nil, err
	}
	base, err := plumbing.RefCommit(ctx, m.g, m.repo, m.r.Base)
	if errors.Is(err, git.ErrNotFound) {
		return nil, newRefused(Gone, "the branch %s, from which the work came, is gone; make it again (`git branch %s %.12s`) or merge %s elsewhere",
			m.result.Base, m.result.Base, m.r.Start, m.result.Branch)
	}
	if err != nil {
		return nil, err
	}
	tip, err := plumbing.RefCommit(ctx, m.g, m.repo, m.r.Branch)
	if err != nil {
		return nil, err
	}
	if m.opt.Tip != "" && m.opt.Tip != tip {
		return nil, newRefused(Changed, "%s has commits that were not looked at; it is at %.12s and not at %.12s", m.result.Branch, tip, m.opt.Tip)
	}
	if m.tree != nil {
		if m.result.Uncommitted, err = m.tree.unsavedPaths(ctx); err != nil {
			return nil, err
		}
	}
	done, err := plumbing.IsAncestor(ctx, m.g, m.repo, tip, base)
	if err != nil {
		return nil, err
	}
	if done {
		return m.finishMerged(ctx, base, tip)
	}
	into, err := m.mergeCommit(ctx, base, tip)
	if err != nil {
		return nil, err
	}
	at, err := m.checkedOutTree(ctx)
	if err != nil {
		return nil, err
	}
	again := m.r.State == Merging && m.r.Into == into
	m.r.State, m.r.From, m.r.Into, m.r.Tip = Merging, base, into, tip
	if err := m.store.KeepWorktree(ctx, m.r); err != nil {
		return nil, err
	}
	if err := m.moveBaseWithFiles(ctx, at, base, into); err != nil {
		if RefusalReason(err) != "" && !again { // nothing was changed, this time or before
			m.r.State = Open
			err = errors.Join(err, m.store.KeepWorktree(context.WithoutCancel(ctx), m.r))
		}
		return nil, err
	}
	m.result.From, m.result.Into, m.result.FastForward = base, into, into == tip
	m.result.NotRun = m.repo.Hooks(git.ReadConfig(m.repo), "pre-merge-commit", "post-merge")
	m.r.State = Merged
	return &m.result, m.store.KeepWorktree(ctx, m.r)
}

// finishMerged ends a merge whose commits are already in the base branch, and cleans up after a crash.
func (m *mergeRun) finishMerged(ctx context.Context, base, tip string) (*MergeResult, error) {
	if m.r.State == Merging {
		at, err := m.checkedOutTree(ctx)
		if err != nil {
			return nil, err
		}
		if err := m.unlockAfterCrash(ctx, at); err != nil {
			return nil, err
		}
	}
	m.result.Already, m.result.From, m.result.Into = m.r.State != Merging, base, base
	if m.r.State == Merging {
		m.result.From = m.r.From
	}
	m.r.State, m.r.Tip = Merged, tip
	return &m.result, m.store.KeepWorktree(ctx, m.r)
}

// mergeCommit returns the commit to which the base branch is to move, and makes it if needed. It returns a ConflictError if both sides
// changed the same lines or files.
func (m *mergeRun) mergeCommit(ctx context.Context, base, tip string) (string, error) {
	if m.r.State == Merging && m.r.From == base && m.r.Into != "" {
		if has, err := plumbing.IsAncestor(ctx, m.g, m.repo, tip, m.r.Into); err == nil && has {
			return m.r.Into, nil // of the interrupted merge, so that files which were moved already match
		}
	}
	behind, err := plumbing.IsAncestor(ctx, m.g, m.repo, base, tip)
	if err != nil {
		return "", err
	}
	from, err := m.adjustTip(ctx, base, tip)
	if err != nil {
		return "", err
	}
	if behind && from == tip && !m.opt.NoFastForward {
		return tip, nil
	}
	out, err := plumbing.MergeTree(ctx, m.g, m.repo, base, from)
	if err != nil {
		return "", err
	}
	if len(out.Conflicts) > 0 {
		return "", m.conflictError(out)
	}
	message := m.opt.Message
	if strings.TrimSpace(message) == "" {
		message = fmt.Sprintf("Merge branch '%s' into %s\n", m.result.Branch, m.result.Base)
	}
	m.result.Unsigned = git.ReadConfig(m.repo).Bool("commit.gpgsign")
	return plumbing.CommitTree(ctx, m.g, m.repo, out.Tree, []string{base, tip}, message)
}

func (m *mergeRun) conflictError(out *plumbing.Merged) error {
	e := &ConflictError{Base: m.result.Base, Branch: m.result.Branch}
	if m.tree != nil {
		e.Dir = m.tree.Dir
	}
	for _, c := range out.Conflicts {
		e.Files = append(e.Files, Conflict{Path: c.Path, Base: sideChange(c.Base, c.Ours), Branch: sideChange(c.Base, c.Theirs), Notes: c.Notes})
	}
	return e
}

// sideChange returns a word for the change of a file on one side of a merge, from its object IDs before and after.
func sideChange(before, after string) string {
	switch {
	case before == after:
		return "unchanged"
	case before == "":
		return "added"
	case after == "":
		return "deleted"
	}
	return "changed"
}

// checkedOutTree returns the working tree in which the base branch is checked out, or nil if there is none. It refuses a working tree that
// cannot be updated.
func (m *mergeRun) checkedOutTree(ctx context.Context) (*git.Repo, error) {
	list, err := plumbing.LinkedTrees(ctx, m.g, m.repo)
	if err != nil {
		return nil, err
	}
	var at *git.Repo
	for _, l := range list {
		if l.Ref == "" && isRebasing(l.Path, m.r.Base) {
			return nil, newRefused(Unfinished, "%s is being rebased in %s; finish or abort that first", m.result.Base, l.Path)
		}
		if l.Ref != m.r.Base {
			continue
		}
		if l.Gone && !l.Locked {
			continue // git would forget it
		}
		r, err := git.Find(l.Path)
		switch {
		case err != nil || !sameDir(r.Root, l.Path) || !sameDir(r.CommonDir, m.repo.CommonDir):
			return nil, newRefused(Gone, "%s is checked out in %s, which cannot be reached now", m.result.Base, l.Path)
		case at != nil:
			return nil, newRefused(Busy, "%s is checked out in %s and %s, and only one of them could be brought to the merge", m.result.Base, at.Root, r.Root)
		case r.IsMerging():
			return nil, newRefused(Unfinished, "a merge, rebase or the like has begun in %s; finish or abort it first", r.Root)
		case git.ReadConfig(r).Bool("core.sparsecheckout"):
			return nil, newRefused(Sparse, "%s is a sparse checkout, which ken does not write; merge %s there with git", r.Root, m.result.Branch)
		}
		at = r
	}
	return at, nil
}

// isRebasing reports whether the branch ref is being rebased in a work tree. During a rebase HEAD names no branch.
func isRebasing(dir, ref string) bool {
	gitDir, ok := git.LocateGitDir(dir)
	if !ok {
		return false
	}
	for _, kind := range [...]string{"rebase-merge", "rebase-apply"} {
		if data, err := statefile.ReadFollow(filepath.Join(gitDir, kind, "head-name"), 1<<12); err == nil && strings.TrimSpace(string(data)) == ref {
			return true
		}
	}
	return false
}

// unsavedPaths returns the paths of the work tree whose changes are committed to no branch.
func (t *Tree) unsavedPaths(ctx context.Context) ([]string, error) {
	look, err := t.Look(ctx)
	if err != nil {
		return nil, err
	}
	defer look.Close()
	list, err := look.uncommittedChanges(ctx)
	paths := make([]string, 0, len(list))
	for _, c := range list {
		paths = append(paths, c.Path)
	}
	return paths, err
}

// moveBaseWithFiles moves the base branch to the commit into, and updates the files and the index of the working tree at, in which it is
// checked out. Files come first, then the index, then the branch: until the last step git sees staged changes, as during a merge of its
// own. The index is locked for git all the time, even after a crash, so that no commit comes in between.
func (m *mergeRun) moveBaseWithFiles(ctx context.Context, at *git.Repo, from, into string) error {
	moveBase := func() error { return m.moveBase(ctx, from, into) }
	if at == nil {
		return moveBase()
	}
	err := m.moveFiles(ctx, at, from, into, moveBase)
	if err == nil {
		m.result.Updated = at.Root
	}
	return err
}

// moveFiles changes the files and the index of a working tree from one commit to another, and then calls last. If a step fails, it restores
// files and index.
func (m *mergeRun) moveFiles(ctx context.Context, at *git.Repo, from, into string, last func() error) error {
	free, err := m.lockIndexOf(ctx, at)
	if err != nil {
		return err
	}
	mv, done, err := m.newMover(at, from, into)
	if err != nil {
		free()
		return err
	}
	defer done()
	mv.behind = from == m.r.Into // an interrupted merge is undone
	if err := mv.prepareMove(ctx); err != nil {
		free()
		return err
	}
	index := filepath.Join(at.GitDir, "index")
	before := filepath.Join(mv.scratch, "before")
	if err := copyWhole(index, before); err != nil {
		free()
		return fmt.Errorf("read the index: %w", err)
	}
	err = mv.placeFiles()
	if err == nil {
		err = mv.updateIndex(ctx)
	}
	if err == nil {
		err = renameAcrossDisks(filepath.Join(mv.scratch, "index"), index)
	}
	if err == nil {
		err = last()
	}
	if err != nil {
		// If restoring fails too, the index stays locked, and merging again continues from there.
		if berr := errors.Join(mv.restoreFiles(), renameAcrossDisks(before, index)); berr != nil {
			return fmt.Errorf("merge: %v; and not all files of %s could be put back, so its index stays locked until the merge is repeated: %w", err, at.Root, berr)
		}
		free()
		return err
	}
	free()
	return nil
}

// lockIndexOf locks the index of the working tree in which the base branch is checked out. If that is a linked work tree, it takes the
// tree's lock too, because a commit may be in progress there.
func (m *mergeRun) lockIndexOf(ctx context.Context, at *git.Repo) (free func(), err error) {
	release := func() {}
	if at.GitDir != at.CommonDir {
		if _, release, err = takeLock(ctx, filepath.Join(at.GitDir, treeLock), false); err != nil {
			return nil, err
		}
	}
	unlock, err := lockIndex(ctx, m.r.ID, at)
	if err != nil {
		release()
		return nil, err
	}
	return func() { unlock(); release() }, nil
}

// moveBase moves the base branch from one commit to another. It refuses with Moved if the branch is at a third commit.
func (m *mergeRun) moveBase(ctx context.Context, from, into string) error {
	err := plumbing.UpdateRefs(ctx, m.g, m.repo, "ken: merge "+m.result.Branch, plumbing.RefUpdate{Name: m.r.Base, New: into, Old: from})
	if err != nil && ctx.Err() == nil {
		return errors.Join(newRefused(Moved, "%s has moved meanwhile; merge again", m.result.Base), err)
	}
	return err
}

// newMover returns a move of the files of a work tree, and a function that removes its scratch folder.
func (m *mergeRun) newMover(at *git.Repo, from, into string) (mv *fileMover, done func(), err error) {
	removeScratch(at.GitDir)
	scratch, err := os.MkdirTemp(at.GitDir, workName)
	if err != nil {
		return nil, nil, fmt.Errorf("merge: %w", err)
	}
	index := filepath.Join(scratch, "index")
	if err := copyFile(filepath.Join(at.GitDir, "index"), index); err != nil && !errors.Is(err, os.ErrNotExist) {
		os.RemoveAll(scratch)
		return nil, nil, fmt.Errorf("merge: %w", err)
	}
	return &fileMover{git: m.g.WithIndex(index), repo: at, from: from, to: into, scratch: scratch}, func() { os.RemoveAll(scratch) }, nil
}

// unlockAfterCrash ends a merge that a crash interrupted after the base branch was moved. Files and index were moved before, so it only
// unlocks the index.
func (m *mergeRun) unlockAfterCrash(ctx context.Context, at *git.Repo) error {
	if at == nil || m.r.Into == "" {
		return nil
	}
	free, err := m.lockIndexOf(ctx, at)
	if err == nil {
		removeScratch(at.GitDir)
		free()
	}
	return err
}
