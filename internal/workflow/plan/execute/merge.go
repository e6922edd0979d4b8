package execute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/wave"
	"ken/internal/worktree"
)

// MergeOptions allow a merge that is otherwise refused.
type MergeOptions struct {
	Deletes []string // further files that executors may delete, from the root of the project
	Partial bool     // merge plans without a summary
	Owned   bool     // merge files of the orchestrator that the plan names
	Moved   bool     // merge even if the base no longer contains the commit from which an executor began
}

// MergedPlan is the result of merging one executor.
type MergedPlan struct {
	Plan      string          `json:"plan"`
	ID        string          `json:"id"`
	Mode      Mode            `json:"mode"`
	Merged    bool            `json:"merged"`
	Already   bool            `json:"already"` // the base had everything
	Reason    string          `json:"reason,omitempty"`
	Message   string          `json:"message,omitempty"`
	Paths     []string        `json:"paths,omitempty"` // the paths of the reason
	Conflicts []MergeConflict `json:"conflicts"`
	Branch    string          `json:"branch"`
	Base      string          `json:"base"` // the branch
	From      string          `json:"from"` // its commits before and after
	Into      string          `json:"into"`
	Rescued   []string        `json:"rescued"` // summaries that were not committed
	Moved     []string        `json:"moved"`   // summaries moved to the present folder of their phase
	LeftOut   []string        `json:"left_out"`
	Deleted   []string        `json:"deleted"`
	Beyond    []string        `json:"undeclared"`  // files that it wrote and its plan does not name
	Remaining []string        `json:"uncommitted"` // work on no branch; it stays in the work tree
	NotRun    []string        `json:"hooks_not_run"`
	Finished  []string        `json:"finished_first"` // branches whose interrupted merges were finished
	Next      []string        `json:"next,omitempty"` // the next commands for the one writer of the planning files
}

// MergeConflict is a file that both the executor and the base changed.
type MergeConflict struct {
	Path     string `json:"path"`
	Base     string `json:"base"`     // the base's change
	Executor string `json:"executor"` // the executor's change
}

// MergeAnswer is the answer of `ken plan executor merge`.
type MergeAnswer struct {
	OK      bool         `json:"ok"` // all were merged
	Results []MergedPlan `json:"results"`
}

// Merge merges the work of executors into the branches from which they came, one after another, in the order of their waves. An executor
// that cannot be merged stays unchanged and is listed, and the others are still merged. It returns an error if a plan has no executor,
// and if git or a record cannot be used.
func (x *Executors) Merge(ctx context.Context, phase string, plans []string, opt MergeOptions) (*MergeAnswer, error) {
	list, err := x.listExecutors(phase, plans)
	if err != nil {
		return nil, err
	}
	a := &MergeAnswer{OK: true, Results: []MergedPlan{}}
	for _, e := range list {
		m := &planMerge{Executors: x, e: e, opt: opt, row: MergedPlan{
			Plan: e.Plan, ID: e.ID, Mode: e.Mode, Conflicts: []MergeConflict{}, Rescued: []string{}, Moved: []string{}, LeftOut: []string{},
			Deleted: []string{}, Beyond: []string{}, Remaining: []string{}, NotRun: []string{},
			Finished: []string{},
		}}
		if err := m.mergePlan(ctx); err != nil {
			if !m.setBlocked(err) {
				return nil, fmt.Errorf("merge %s: %w", e.Plan, err)
			}
		}
		a.OK = a.OK && m.row.Merged
		a.Results = append(a.Results, m.row)
	}
	if !slices.ContainsFunc(a.Results, func(r MergedPlan) bool { return r.Merged }) {
		return a, nil
	}
	return a, x.call.Recount(ctx, "count what was merged")
}

// planMerge is the merge of one executor.
type planMerge struct {
	*Executors
	e   *Executor
	opt MergeOptions
	w   *treeState
	row MergedPlan
}

// blockedError is an error with the reason why a plan is not merged. Nothing of the plan was changed.
type blockedError struct {
	reason, text string
	paths        []string
}

func (b *blockedError) Error() string { return b.text }

func newBlocked(reason, text string, paths ...string) error {
	return &blockedError{reason, text, paths}
}

// setBlocked stores an error in the row of the plan and returns true, if the error is only about this plan.
func (m *planMerge) setBlocked(err error) bool {
	b, isBlocked := errors.AsType[*blockedError](err)
	c, isConflict := errors.AsType[*worktree.ConflictError](err)
	r, isRefused := errors.AsType[*worktree.RefusedError](err)
	switch {
	case isBlocked:
		m.row.Reason, m.row.Paths = b.reason, b.paths
	case isConflict:
		m.row.Reason = "conflict"
		for _, f := range c.Files {
			m.row.Conflicts = append(m.row.Conflicts, MergeConflict{f.Path, f.Base, f.Branch})
		}
	case isRefused:
		m.row.Reason, m.row.Paths = string(r.Why), r.Paths
	default:
		return false
	}
	m.row.Message = err.Error()
	return true
}

func (m *planMerge) mergePlan(ctx context.Context) (err error) {
	if m.e.Mode == Sequential {
		return m.runSequential()
	}
	if m.w, err = m.readState(ctx, m.e); err != nil {
		return err
	}
	m.row.Branch, m.row.Base = shortRef(m.w.record.Branch), shortRef(m.w.record.Base)
	if m.w.state == Interrupted && m.e.Into != "" { // only what is merged or given up is removed
		m.row.Merged, m.row.Already, m.row.From, m.row.Into = true, true, m.e.From, m.e.Into
		m.row.Message = "it was merged before; the removal of its work tree was interrupted"
		return nil
	}
	to, err := m.findRenaming(m.e)
	if err != nil {
		return err
	}
	if err := m.checkMergeable(to); err != nil {
		return err
	}
	if m.call.DryRun {
		m.row.Message = "it would be merged"
		return nil
	}
	if err := m.commitSummaries(ctx); err != nil {
		return err
	}
	left := m.filesToLeave()
	message := fmt.Sprintf("Merge plan %s of phase %s\n", m.e.Plan, m.e.Phase)
	opt := worktree.MergeOptions{NoFastForward: true, Tip: m.w.tip, Leave: left, Message: message}
	if to != nil {
		if opt.Move, err = m.moves(ctx, to); err != nil {
			return err
		}
	}
	result, err := m.trees.Merge(ctx, m.e.ID, opt)
	if err != nil {
		return err
	}
	m.row.Merged, m.row.Already, m.row.From, m.row.Into = true, result.Already, result.From, result.Into
	m.row.LeftOut, m.row.Deleted = append(m.row.LeftOut, left...), append(m.row.Deleted, m.w.deleted...)
	m.row.Beyond = append(m.row.Beyond, m.w.undeclared...)
	m.row.Remaining, m.row.NotRun = append(m.row.Remaining, result.Uncommitted...), append(m.row.NotRun, result.NotRun...)
	m.row.Finished = append(m.row.Finished, result.Finished...)
	m.row.Next = m.nextCommands()
	m.e.From, m.e.Into = result.From, result.Into
	return m.keep.putExecutor(m.e)
}

// filesToLeave returns the files of the orchestrator (the agent that starts the executors), which the merge leaves as they are in the
// base. If the options allow it, those that the plan names are merged.
func (m *planMerge) filesToLeave() []string {
	return slices.DeleteFunc(slices.Clone(m.w.owned), func(p string) bool {
		in, _ := m.projectPath(p)
		return m.opt.Owned && slices.Contains(m.e.Files, in)
	})
}

// nextCommands returns the commands that the orchestrator runs after a merge, because executors may not write its files.
func (m *planMerge) nextCommands() []string {
	next := []string{"roadmap update-plan-progress " + m.e.Phase} // which sets the counters of STATE.md right, too
	inv, err := m.call.Inventory()
	if err != nil {
		return next
	}
	for _, p := range inv.Phases {
		if p.Dir != m.e.PhaseDir {
			continue
		}
		if met := m.metRequirements(inv, p); len(met) > 0 {
			next = append(next, "requirements mark-complete "+strings.Join(met, " "))
		}
	}
	return next
}

// metRequirements returns the requirements of the plan that no unfinished plan of the phase also has.
func (m *planMerge) metRequirements(inv *inventory.Inventory, p *inventory.Phase) []string {
	requirements := func(file string) []string {
		text, err := inv.ReadFile(p, file)
		if err != nil {
			return nil
		}
		return artefact.ParsePlan(text).Requirements
	}
	met := requirements(m.e.PlanFile)
	for _, other := range p.Plans {
		if other.File == m.e.PlanFile || m.existsInMainTree(path.Join(p.Dir, summaryFile(other.File))) {
			continue
		}
		left := requirements(other.File)
		met = slices.DeleteFunc(met, func(id string) bool { return slices.Contains(left, id) })
	}
	return met
}

// checkMergeable returns an error if the merge would lose work or bring in unwanted changes.
func (m *planMerge) checkMergeable(to *planRenaming) error {
	unintended := slices.DeleteFunc(slices.Clone(m.w.unintended), func(p string) bool {
		in, _ := m.projectPath(p)
		return slices.ContainsFunc(m.opt.Deletes, func(d string) bool { clean, ok := wave.CleanPath(d); return ok && clean == in })
	})
	switch {
	case m.w.state == Interrupted:
		return newBlocked("interrupted", m.w.message+"; reap it, and create the executor again if the plan is still needed")
	case m.w.moved && !m.opt.Moved:
		return newBlocked("base_moved", m.w.message+"; compare both, and merge with --accept-moved-base if that is wanted")
	case len(unintended) > 0:
		list := strings.Join(firstNames(unintended), ", ")
		return newBlocked("unintended_deletions",
			"its commits delete "+list+", which its plan does not name; restore them, or allow each with --delete", unintended...)
	case to != nil && to.plan == "":
		plan := path.Join(m.e.PhaseDir, m.e.PlanFile)
		return newBlocked("plan_gone", "its plan "+plan+" is in no phase any more, so its summary would have no phase")
	case !m.opt.Partial && !m.isFinished():
		return newBlocked("unfinished", "there is no summary yet; let the executor finish, or merge its commits with --partial", changedPaths(m.w.changes)...)
	}
	return nil
}

// isFinished reports whether the plan has its summary, which git may ignore, or a merge of it has begun before.
func (m *planMerge) isFinished() bool {
	if m.w.state == Merging || m.w.state == Merged || m.w.hasSummary {
		return true
	}
	list, err := m.hiddenSummaries(m.w)
	return err == nil && len(list) > 0
}

func changedPaths(changes []worktree.Change) []string {
	var list []string
	for _, c := range changes {
		if !c.Committed {
			list = append(list, c.Path)
		}
	}
	return list
}

// firstNames returns the first paths for a message, and the number of the others.
func firstNames(paths []string) []string {
	if len(paths) > worktree.MaxNamed {
		return append(slices.Clone(paths[:worktree.MaxNamed]), fmt.Sprintf("%d more", len(paths)-worktree.MaxNamed))
	}
	return paths
}

// commitSummaries commits uncommitted summaries to the branch of the executor. It does not copy them to the main tree, because a copy
// there would conflict with the merge; only summaries that git does not track are copied there.
func (m *planMerge) commitSummaries(ctx context.Context) error {
	if len(m.w.summaries) > 0 {
		var choices []worktree.Choice
		for _, c := range m.w.summaries {
			choices = append(choices, worktree.Choice{Change: c, Keep: true})
		}
		done, err := m.w.tree.Commit(ctx, choices, fmt.Sprintf("docs(%s): summary that was not committed\n", m.e.Plan))
		if err != nil {
			return err
		}
		m.row.Rescued = append(m.row.Rescued, done.Committed...)
		if done.ID != "" {
			m.w.tip = done.ID
		}
	}
	copied, err := m.copyHidden(ctx, m.w)
	m.row.Rescued = append(m.row.Rescued, copied...)
	return err
}

// hiddenSummaries returns the summaries in the work tree of an executor that are in no commit, because git ignores them. It leaves links
// out.
func (x *Executors) hiddenSummaries(w *treeState) (map[string]string, error) {
	e := w.executor
	known, err := x.knownFiles(w)
	if known == nil || err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(x.treeRoot(e.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if st, err := root.Stat(filepath.FromSlash(e.PhaseDir)); err != nil || !st.IsDir() {
		return nil, nil // opening a pipe would wait for a writer
	}
	dir, err := root.Open(filepath.FromSlash(e.PhaseDir))
	if err != nil {
		return nil, nil
	}
	defer dir.Close()
	entries, err := dir.ReadDir(folder.MaxEntries)
	if err != nil {
		return nil, nil
	}
	list := map[string]string{}
	for _, f := range entries {
		at := path.Join(e.PhaseDir, f.Name())
		if known[x.repoPath(at)] {
			continue
		}
		st, serr := root.Lstat(filepath.FromSlash(at))
		if _, is := inventory.StemOfKind(f.Name(), "SUMMARY"); !is || serr != nil || !st.Mode().IsRegular() || st.Size() > folder.MaxBytes {
			continue
		}
		text, err := root.ReadFile(filepath.FromSlash(at))
		if err != nil {
			return nil, err
		}
		list[at] = string(text)
	}
	return list, nil
}

// knownFiles returns the files of the phase that git sees in the work tree of an executor, from the top of the repository: tracked ones and
// new ones. It returns nil if git has no work tree there.
func (x *Executors) knownFiles(w *treeState) (map[string]bool, error) {
	repo, err := git.Find(x.treeRoot(w.executor.ID))
	if errors.Is(err, git.ErrNoRepository) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tracked, err := repo.TrackedBelow(x.repoPath(w.executor.PhaseDir))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, p := range tracked {
		known[path.Join(x.repoPath(w.executor.PhaseDir), p)] = true
	}
	for _, c := range w.changes {
		known[c.Path] = true
	}
	return known, nil
}

// copyHidden copies the summaries that are in no commit to the planning folder of the main tree, and returns their names.
func (x *Executors) copyHidden(ctx context.Context, w *treeState) ([]string, error) {
	list, err := x.hiddenSummaries(w)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var copied []string
	_, err = x.call.Change(ctx, "summaries of plan "+w.executor.Plan, func(read change.Read) ([]change.File, error) {
		var files []change.File
		for at, text := range list {
			below := strings.TrimPrefix(at, folder.Name+"/")
			now, there, err := read(below)
			switch {
			case err != nil:
				return nil, err
			case there && now != text:
				return nil, newBlocked("summary_differs", at+" has another text in the main tree; keep one of the two", at)
			case !there:
				files = append(files, change.File{Name: below, Text: &text})
				copied = append(copied, at)
			}
		}
		return files, nil
	})
	slices.Sort(copied)
	return copied, err
}

// moves returns the new paths of the summaries, if the folder of their phase was renamed after the executor began.
func (m *planMerge) moves(ctx context.Context, to *planRenaming) (map[string]string, error) {
	if _, err := m.git.Blob(ctx, m.repo, m.w.record.Base, m.repoPath(to.plan)); err != nil {
		return nil, newBlocked("phase_renamed", "its phase is now in "+path.Dir(to.plan)+", which is not committed; commit it first", to.plan)
	}
	moves := map[string]string{m.repoPath(m.e.Summary()): m.repoPath(to.summary)}
	m.row.Moved = append(m.row.Moved, to.summary)
	return moves, nil
}

// runSequential finishes a plan that was carried out on the main tree, so that nothing has to be merged.
func (m *planMerge) runSequential() error {
	if !m.existsInMainTree(m.e.Summary()) && !m.opt.Partial {
		return newBlocked("unfinished", "there is no summary yet", m.e.Summary())
	}
	m.row.Merged, m.row.Already, m.row.Next = true, true, m.nextCommands()
	if m.call.DryRun {
		return nil
	}
	return m.keep.removeRecord(m.e.ID, plainEnd)
}
