package execute

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ken/internal/workflow/plan/planop"
	"ken/internal/worktree"
)

// CleanedPlan is the result of cleaning up one executor.
type CleanedPlan struct {
	Plan    string   `json:"plan"`
	ID      string   `json:"id"`
	Removed bool     `json:"removed"`
	Branch  string   `json:"branch"`
	Kept    string   `json:"kept_branch,omitempty"` // with the work of an abandoned one
	Rescued []string `json:"rescued"`
	Reason  string   `json:"reason,omitempty"`
	Message string   `json:"message,omitempty"`
	Paths   []string `json:"paths,omitempty"`
}

// CleanAnswer is the answer of `ken plan executor cleanup`.
type CleanAnswer struct {
	OK      bool          `json:"ok"` // everything requested was removed
	Results []CleanedPlan `json:"results"`
}

// WaveAnswer is the answer of `ken plan worktree cleanup-wave`.
type WaveAnswer struct {
	OK      bool          `json:"ok"`
	Merged  []MergedPlan  `json:"merged"`
	Cleaned []CleanedPlan `json:"cleaned"`
}

// Clean removes the work trees and branches of executors: of the named plans, or without names of all merged ones. It only removes
// recorded work trees. Work that exists nowhere else stays and is listed. With abandon, unmerged work is given up: it is committed to a
// branch of its own. Clean fails if abandon is set without plans, if a plan has no executor, and if git or a record cannot be used.
func (x *Executors) Clean(ctx context.Context, phase string, plans []string, abandon bool) (*CleanAnswer, error) {
	if abandon && len(plans) == 0 {
		return nil, planop.Faultf("plan_missing", "name the plans whose work is abandoned")
	}
	list, err := x.listExecutors(phase, plans)
	if err != nil {
		return nil, err
	}
	a := &CleanAnswer{OK: true, Results: []CleanedPlan{}}
	for _, e := range list {
		row, err := x.cleanOne(ctx, e, abandon, len(plans) > 0)
		if err != nil {
			return nil, fmt.Errorf("clean up %s: %w", e.Plan, err)
		}
		a.OK = a.OK && row.Removed
		a.Results = append(a.Results, *row)
	}
	return a, nil
}

func (x *Executors) cleanOne(ctx context.Context, e *Executor, abandon, wanted bool) (*CleanedPlan, error) {
	row := &CleanedPlan{Plan: e.Plan, ID: e.ID, Rescued: []string{}}
	if e.Mode == Sequential {
		return x.cleanSequential(e, row, abandon)
	}
	w, err := x.readState(ctx, e)
	if err != nil {
		return nil, err
	}
	row.Branch = shortRef(w.record.Branch)
	left := w.state != Merged && w.state != Interrupted
	hasWork := w.commits > 0 || len(w.changes) > 0
	switch {
	case left && !abandon && (!wanted || hasWork):
		row.Reason, row.Message, row.Paths = "unmerged", "its work is not merged; merge it, or name it with --abandon", changedPaths(w.changes)
		return row, nil
	case x.call.DryRun:
		row.Message = "it would be removed"
		return row, nil
	}
	if row.Rescued, err = x.rescueHidden(ctx, w, row); err != nil || row.Reason != "" {
		return row, err
	}
	if abandon && left && hasWork {
		if err := x.abandonWork(ctx, w, row); err != nil || row.Reason != "" {
			return row, err
		}
	}
	return row, x.removeTree(ctx, e, row)
}

// rescueHidden copies summaries that are in no commit to the main tree, before their work tree is removed.
func (x *Executors) rescueHidden(ctx context.Context, w *treeState, row *CleanedPlan) ([]string, error) {
	copied, err := x.copyHidden(ctx, w)
	if b, ok := errors.AsType[*blockedError](err); ok {
		row.Reason, row.Message, row.Paths = b.reason, b.text, b.paths
		err = nil
	}
	return append([]string{}, copied...), err
}

// removeTree removes the work tree of an executor, if that loses nothing, and then the executor's record.
func (x *Executors) removeTree(ctx context.Context, e *Executor, row *CleanedPlan) error {
	if _, ok, err := x.treeRecord(ctx, e); err != nil {
		return err
	} else if ok {
		done, err := x.trees.Clean(ctx, worktree.CleanOptions{IDs: []string{e.ID}})
		if err != nil && !errors.Is(err, worktree.ErrUnknown) { // another process removed it first
			return err
		}
		if len(done) == 1 && !done[0].Removed {
			row.Reason, row.Message, row.Paths = string(done[0].Why), done[0].Text, done[0].Paths
			return nil
		}
	} else if err := x.trees.CleanFolders(ctx); err != nil { // a kill after the last record leaves the folder
		return err
	}
	row.Removed = true
	return x.keep.removeRecord(e.ID, plainEnd)
}

// abandonWork keeps the unmerged work of an executor on a branch of its own. It commits uncommitted changes to it.
func (x *Executors) abandonWork(ctx context.Context, w *treeState, row *CleanedPlan) error {
	if w.tree != nil {
		var choices []worktree.Choice
		for _, c := range w.changes {
			if !c.Committed && !c.IsNested() {
				choices = append(choices, worktree.Choice{Change: c, Keep: true})
			}
		}
		if len(choices) > 0 {
			if _, err := w.tree.Commit(ctx, choices, fmt.Sprintf("wip(%s): abandoned\n", w.executor.Plan)); err != nil {
				return x.setLeftReason(err, row)
			}
		}
	}
	for n := 1; n <= maxBranches; n++ {
		name := "ken-abandoned-" + w.executor.ID
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		err := x.trees.KeepBranch(ctx, w.executor.ID, name)
		if err == nil {
			row.Kept = name
			return nil
		}
		if worktree.RefusalReason(err) != worktree.Exists {
			return x.setLeftReason(err, row)
		}
	}
	row.Reason, row.Message = "too_many", fmt.Sprintf("there are %d branches of abandoned work of this plan; delete some", maxBranches)
	return nil
}

// setLeftReason stores in the row of the answer the reason why a work tree was not removed. It returns errors that have another cause.
func (x *Executors) setLeftReason(err error, row *CleanedPlan) error {
	if why, ok := errors.AsType[*worktree.RefusedError](err); ok {
		row.Reason, row.Message, row.Paths = string(why.Why), why.Error(), why.Paths
		return nil
	}
	return err
}

func (x *Executors) cleanSequential(e *Executor, row *CleanedPlan, abandon bool) (*CleanedPlan, error) {
	switch {
	case !abandon && !x.existsInMainTree(e.Summary()):
		row.Reason, row.Message = "unmerged", "it is carried out on the main tree, and has no summary; name it with --abandon to give it up"
		return row, nil
	case x.call.DryRun:
		row.Message = "it would be removed"
		return row, nil
	}
	row.Removed = true
	return row, x.keep.removeRecord(e.ID, plainEnd)
}

// MergeWave merges all executors of a phase and cleans up the merged ones. It fails as Merge and Clean do.
func (x *Executors) MergeWave(ctx context.Context, phase string, plans []string, opt MergeOptions) (*WaveAnswer, error) {
	merged, err := x.Merge(ctx, phase, plans, opt)
	if err != nil {
		return nil, err
	}
	a := &WaveAnswer{OK: merged.OK, Merged: merged.Results, Cleaned: []CleanedPlan{}}
	for _, row := range merged.Results {
		if !row.Merged || row.Mode == Sequential {
			continue
		}
		cleaned, err := x.Clean(ctx, phase, []string{row.Plan}, false)
		if err != nil {
			return nil, err
		}
		a.OK = a.OK && cleaned.OK
		a.Cleaned = append(a.Cleaned, cleaned.Results...)
	}
	return a, nil
}

// RemoveOrphans removes the remains of crashes during the making or removal of work trees, merged work trees, and those in which no work
// was done and no agent works any more. It returns an error if git or a record cannot be used.
func (x *Executors) RemoveOrphans(ctx context.Context) (*CleanAnswer, error) {
	list, err := x.listExecutors("", nil)
	if err != nil {
		return nil, err
	}
	a := &CleanAnswer{OK: true, Results: []CleanedPlan{}}
	for _, e := range list {
		s, err := x.executorStatus(ctx, e)
		if err != nil {
			return nil, err
		}
		if e.Mode == Sequential || !s.isOrphan() {
			continue
		}
		row, err := x.cleanOne(ctx, e, false, true)
		if err != nil {
			return nil, err
		}
		a.OK = a.OK && row.Removed
		a.Results = append(a.Results, *row)
	}
	if !x.call.DryRun {
		err = x.removeTreesWithoutExecutor(ctx, a)
		if err == nil && x.trees != nil {
			err = x.trees.CleanFolders(ctx)
		}
		x.keep.removeOldTempFiles(x.now())
	}
	return a, err
}

// isOrphan reports whether a work tree is no longer needed: it is merged, its making or removal was interrupted, or its executor is stalled
// and did no work in it.
func (s *Status) isOrphan() bool {
	if s.State == Running {
		return s.Stalled && s.Commits == 0 && len(s.Changed) == 0
	}
	return s.State == Merged || s.State == Interrupted
}

// removeTreesWithoutExecutor removes work trees that have no executor. A crash leaves such a tree after the first of its two records was
// written.
func (x *Executors) removeTreesWithoutExecutor(ctx context.Context, a *CleanAnswer) error {
	records, err := x.keep.Worktrees(ctx)
	if err != nil {
		return err
	}
	known, err := x.keep.listExecutors()
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, e := range known {
		ids[e.ID] = true
	}
	for _, r := range records {
		if ids[r.ID] || x.now().Sub(r.Began) < time.Minute {
			continue
		}
		row := CleanedPlan{Plan: r.ID, ID: r.ID, Branch: shortRef(r.Branch), Rescued: []string{}}
		if err := x.removeTree(ctx, &Executor{ID: r.ID, Mode: OwnTree}, &row); err != nil {
			return err
		}
		a.OK = a.OK && row.Removed
		a.Results = append(a.Results, row)
	}
	return nil
}
