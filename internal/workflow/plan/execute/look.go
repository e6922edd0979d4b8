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

// work is the progress of an executor.
type work struct {
	executor   *Executor
	record     worktree.Record
	tree       *worktree.Tree // nil if its folder does not exist
	dir        string         // the root of the project in it
	state      State
	message    string
	tip        string // of its branch
	base       string // the commit of the base
	shared     string // the merge base of both
	commits    int
	changes    []worktree.Change // committed or not
	owned      []string
	deleted    []string
	unintended []string
	undeclared []string
	summaries  []worktree.Change // uncommitted ones
	hasSummary bool              // committed or not
	moved      bool              // the base no longer has the commit from which it began
	last       time.Time
}

// look reads the progress of an executor. A defect of its work tree is a state and a message.
func (x *Executors) look(ctx context.Context, e *Executor) (*work, error) {
	w := &work{executor: e, state: Running, dir: x.treeRoot(e.ID)}
	r, ok, err := x.record(ctx, e)
	if err != nil {
		return nil, err
	}
	w.record = r
	if !ok || r.State == worktree.Creating || r.State == worktree.Removing {
		w.state, w.message = Interrupted, "making or removing its work tree was interrupted"
		return w, nil
	}
	if w.tip, err = x.trees.Tip(ctx, e.ID); err != nil {
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

// findFork finds the commit at which base and branch parted, and the changes of the branch since.
func (x *Executors) findFork(ctx context.Context, w *work) (err error) {
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
	err = x.git.Between(ctx, x.repo, w.base, w.tip, func(_ string, left bool) {
		if !left {
			w.commits++
		}
	})
	if err != nil {
		return err
	}
	return x.compare(ctx, w)
}

// compare sorts the changes of the branch since both parted. Deletions are counted from there and not from the present base, which has
// files that came later.
func (x *Executors) compare(ctx context.Context, w *work) error {
	diff, err := x.git.Compare(ctx, x.repo, w.shared, w.tip)
	if err != nil {
		return err
	}
	for _, d := range diff {
		if x.noteOwned(w, d) {
			continue
		}
		switch in, ok := x.inProject(d.Path); {
		case d.Status == 'D':
			w.deleted = append(w.deleted, d.Path)
			if !ok || !w.executor.intends(in) {
				w.unintended = append(w.unintended, d.Path)
			}
		case !ok || !w.executor.names(in):
			w.undeclared = append(w.undeclared, d.Path)
		}
		if isSummary(w.executor, x, d.Path) && d.Status != 'D' {
			w.hasSummary = true
		}
	}
	if err := x.dropGone(ctx, w); err != nil {
		return err
	}
	if w.tip != w.record.Start { // a commit of its own
		if at, err := x.git.CommitTime(ctx, x.repo, w.tip); err == nil {
			w.last = at
		}
	}
	if !w.hasSummary { // it may have been merged before, and the branch has gone on
		_, err := x.git.Blob(ctx, x.repo, w.tip, x.inRepo(w.executor.Summary()))
		w.hasSummary = err == nil
	}
	return nil
}

// dropGone removes files that the base no longer has either from the unintended deletions.
func (x *Executors) dropGone(ctx context.Context, w *work) error {
	if len(w.unintended) == 0 {
		return nil
	}
	diff, err := x.git.Differences(ctx, x.repo, w.shared, w.base)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, d := range diff {
		gone[d.Path] = d.NewMode == 0
	}
	w.unintended = slices.DeleteFunc(w.unintended, func(p string) bool { return gone[p] })
	return nil
}

// noteOwned notes the changed files that only the orchestrator writes, and reports whether the change has no other file.
func (x *Executors) noteOwned(w *work, d git.Compared) bool {
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

// names reports whether the plan names a path, or the path is in its phase folder.
func (e *Executor) names(p string) bool {
	if strings.HasPrefix(p, e.PhaseDir+"/") {
		return true
	}
	return len(wave.SharedPaths(e.Files, []string{p})) > 0
}

// intends reports whether the plan intends to delete a path: it lists it as deleted or, for files outside the planning folder, names it
// at all. A plan that lists a file as changed may delete it, and mention that only in its text.
func (e *Executor) intends(p string) bool {
	if len(wave.SharedPaths(e.Deletes, []string{p})) > 0 {
		return true
	}
	return !strings.HasPrefix(p, folder.Name+"/") && len(wave.SharedPaths(e.Files, []string{p})) > 0
}

// isSummary reports whether a path is a summary of the phase in which an executor works. Usually it is that of its plan, but executors
// sometimes give it another name.
func isSummary(e *Executor, x *Executors, p string) bool {
	in, ok := x.inProject(p)
	if !ok || !strings.HasPrefix(in, e.PhaseDir+"/") {
		return false
	}
	_, is := inventory.Kind(path.Base(in), "SUMMARY")
	return is
}

// readTree reads the files of the work tree.
func (x *Executors) readTree(ctx context.Context, w *work) error {
	tree, err := x.trees.Tree(ctx, w.executor.ID)
	if why, ok := errors.AsType[*worktree.Refused](err); ok {
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
		if in, ok := x.inProject(c.Path); (!ok || !w.executor.names(in)) && !x.isOwned(c.Path) && !slices.Contains(w.undeclared, c.Path) {
			w.undeclared = append(w.undeclared, c.Path) // uncommitted changes will be committed
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
