package execute

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/wave"
	"ken/internal/worktree"
)

// treeState is the state of an executor's work tree and branch.
type treeState struct {
	executor   *Executor
	record     worktree.Record
	tree       *worktree.Tree // nil if its folder does not exist
	dir        string         // the root of the project in the work tree
	state      State
	message    string
	tip        string // the last commit of the executor's branch
	base       string // the last commit of the branch that it is merged into
	shared     string // the merge base of tip and base
	commits    int
	changes    []worktree.Change // committed or not
	owned      []string
	deleted    []string
	unintended []string
	undeclared []string
	inBase     []git.Compared    // what the base has changed since shared
	stale      []string          // the plan and files that it names, changed in the base since they were last taken from there
	summaries  []worktree.Change // the uncommitted summaries
	hasSummary bool              // committed or not
	moved      bool              // the base no longer contains the commit from which the executor began
	last       time.Time
}

// readState reads the state of an executor's work tree and branch. A defect of the work tree becomes a state with a message.
func (x *Executors) readState(ctx context.Context, e *Executor) (*treeState, error) {
	w := &treeState{executor: e, state: Running, dir: x.treeRoot(e.ID)}
	r, ok, err := x.treeRecord(ctx, e)
	if err != nil {
		return nil, err
	}
	w.record = r
	if !ok || r.State == worktree.Creating || r.State == worktree.Removing {
		w.state, w.message = Interrupted, "making or removing its work tree was interrupted"
		return w, nil
	}
	if w.tip, err = x.trees.BranchTip(ctx, e.ID); err != nil {
		if errors.Is(err, git.ErrNotFound) {
			w.state, w.message = Interrupted, "its branch is gone"
			return w, nil
		}
		return nil, err
	}
	if err := x.findFork(ctx, w); err != nil {
		return nil, err
	}
	if err := x.readTree(ctx, w); err != nil {
		return nil, err
	}
	switch {
	case r.State == worktree.Merging:
		w.state, w.message = Merging, "a merge was interrupted; merge again to finish it"
	case r.State == worktree.Merged && w.tip == r.Tip && len(w.summaries) == 0:
		w.state = Merged
	case w.state == Running && len(w.summaries) > 0:
		w.state = Unfinished
	case w.state == Running && w.hasSummary:
		w.state = Finished
	}
	return w, nil
}

// findFork finds the last commit that the executor's branch has in common with the base, and the changes of the branch after it.
func (x *Executors) findFork(ctx context.Context, w *treeState) (err error) {
	if w.base, err = x.git.Commit(ctx, x.repo, w.record.Base); err != nil {
		if errors.Is(err, git.ErrNotFound) {
			w.moved, w.message = true, "the branch from which it came is gone"
			return nil
		}
		return err
	}
	if w.shared, err = x.git.MergeBase(ctx, x.repo, w.base, w.tip); err != nil && !errors.Is(err, git.ErrNotFound) {
		return err
	}
	began, err := x.git.MergeBase(ctx, x.repo, w.base, w.record.Start)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return err
	}
	if w.moved = began != w.record.Start; w.moved {
		w.message = "the base no longer has the commit from which it began: merging would bring back removed work"
	}
	if w.shared == "" {
		return nil
	}
	err = x.git.CommitsBetween(ctx, x.repo, w.base, w.tip, func(_ string, left bool) {
		if !left {
			w.commits++
		}
	})
	if err != nil {
		return err
	}
	if err := x.findStale(ctx, w); err != nil {
		return err
	}
	return x.compareBranch(ctx, w)
}

// findStale finds what the work tree should have and has in an older state: its plan, or files that the plan names.
func (x *Executors) findStale(ctx context.Context, w *treeState) error {
	diff, err := x.git.Differences(ctx, x.repo, w.shared, w.base)
	if err != nil {
		return err
	}
	w.inBase = diff
	for _, d := range diff {
		in, ok := x.projectPath(d.Path)
		if ok && (in == path.Join(w.executor.PhaseDir, w.executor.PlanFile) || len(wave.SharedPaths(w.executor.Files, []string{in})) > 0) {
			w.stale = append(w.stale, d.Path)
		}
	}
	return nil
}

// compareBranch sorts the changes that the branch made after it began. They are not computed from the present base, because files that the
// base got later would appear as deleted.
func (x *Executors) compareBranch(ctx context.Context, w *treeState) error {
	diff, err := x.git.Compare(ctx, x.repo, w.shared, w.tip)
	if err != nil {
		return err
	}
	for _, d := range diff {
		if x.recordOwnedChange(w, d) {
			continue
		}
		switch in, ok := x.projectPath(d.Path); {
		case d.Status == 'D':
			w.deleted = append(w.deleted, d.Path)
			if !ok || !w.executor.intendsDeletion(in) {
				w.unintended = append(w.unintended, d.Path)
			}
		case !ok || !w.executor.mentionsPath(in):
			w.undeclared = append(w.undeclared, d.Path)
		}
		if isSummary(w.executor, x, d.Path) && d.Status != 'D' {
			w.hasSummary = true
		}
	}
	w.dropDeletedInBase()
	if w.tip != w.record.Start { // the executor has made a commit
		if at, err := x.git.CommitTime(ctx, x.repo, w.tip); err == nil {
			w.last = at
		}
	}
	if !w.hasSummary { // it may have been merged before, after which work continued
		_, err := x.git.Blob(ctx, x.repo, w.tip, x.repoPath(w.executor.Summary()))
		w.hasSummary = err == nil
	}
	return nil
}

// dropDeletedInBase removes from the unintended deletions the files that the base has deleted, too.
func (w *treeState) dropDeletedInBase() {
	gone := map[string]bool{}
	for _, d := range w.inBase {
		gone[d.Path] = d.NewMode == 0
	}
	w.unintended = slices.DeleteFunc(w.unintended, func(p string) bool { return gone[p] })
}

// recordOwnedChange records the changed files that belong to the orchestrator. It reports whether the file
// that the change leaves is one of them.
func (x *Executors) recordOwnedChange(w *treeState, d git.Compared) bool {
	for _, p := range []string{d.Old, d.Path} {
		if x.isOwned(p) && !slices.Contains(w.owned, p) {
			w.owned = append(w.owned, p)
		}
	}
	if d.Status == 'R' && x.isOwned(d.Path) && !x.isOwned(d.Old) { // its new place is not merged, so the file would be lost
		w.deleted, w.unintended = append(w.deleted, d.Old), append(w.unintended, d.Old)
	}
	return x.isOwned(d.Path)
}

// mentionsPath reports whether the plan mentions a path, or the path is in the folder of its phase.
func (e *Executor) mentionsPath(p string) bool {
	if strings.HasPrefix(p, e.PhaseDir+"/") {
		return true
	}
	return len(wave.SharedPaths(e.Files, []string{p})) > 0
}

// intendsDeletion reports whether the plan intends to delete a file: the plan lists it as deleted or, outside of the planning folder,
// mentions it. A plan that lists a file as changed may delete it and mention that only in its text.
func (e *Executor) intendsDeletion(p string) bool {
	if len(wave.SharedPaths(e.Deletes, []string{p})) > 0 {
		return true
	}
	return !strings.HasPrefix(p, folder.Name+"/") && len(wave.SharedPaths(e.Files, []string{p})) > 0
}

// isSummary reports whether a path is a summary in the phase of an executor. Any name counts, because executors sometimes do not use
// the expected one.
func isSummary(e *Executor, x *Executors, p string) bool {
	in, ok := x.projectPath(p)
	if !ok || !strings.HasPrefix(in, e.PhaseDir+"/") {
		return false
	}
	_, is := inventory.StemOfKind(path.Base(in), "SUMMARY")
	return is
}

// readTree reads the uncommitted changes and the files of the work tree.
func (x *Executors) readTree(ctx context.Context, w *treeState) error {
	tree, err := x.trees.Tree(ctx, w.executor.ID)
	if why, ok := errors.AsType[*worktree.RefusedError](err); ok {
		w.message = why.Error()
		if why.Why == worktree.Gone {
			w.state = Gone
		} else {
			w.state = Interrupted
		}
		return nil
	}
	if err != nil {
		return err
	}
	w.tree = tree
	look, err := tree.Look(ctx)
	if err != nil {
		return err
	}
	defer look.Close()
	w.changes = look.Changes
	for _, c := range look.Changes {
		if c.Committed || c.IsDeleted() {
			continue
		}
		if in, ok := x.projectPath(c.Path); (!ok || !w.executor.mentionsPath(in)) && !x.isOwned(c.Path) && !slices.Contains(w.undeclared,
			c.Path) {
			w.undeclared = append(w.undeclared, c.Path) // a merge commits uncommitted changes
		}
		if isSummary(w.executor, x, c.Path) {
			w.summaries = append(w.summaries, c)
			w.hasSummary = true
		}
	}
	if at := lastActive(filepath.Clean(tree.Dir), look.Changes); at.After(w.last) {
		w.last = at
	}
	return nil
}
