package execute

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
	"ken/internal/worktree"
)

// State is the state of an executor.
type State string

// The states.
const (
	Running     State = "running"     // there is no summary yet
	Finished    State = "finished"    // its summary is committed
	Unfinished  State = "unfinished"  // its summary is written but not committed; merging commits it
	Merging     State = "merging"     // a merge was interrupted; merging again finishes it
	Merged      State = "merged"      // it can be cleaned up
	Interrupted State = "interrupted" // making or removing it was interrupted; reaping removes it
	Gone        State = "gone"        // its folder was removed; its commits are on its branch
)

// Status is the present state of one executor.
type Status struct {
	Plan        string   `json:"plan"`
	ID          string   `json:"id"`
	Phase       string   `json:"phase"`
	Wave        int      `json:"wave"`
	Mode        Mode     `json:"mode"`
	Reason      string   `json:"reason,omitempty"`
	Agent       string   `json:"agent,omitempty"` // as recorded
	State       State    `json:"state"`
	Directory   string   `json:"directory"`
	Branch      string   `json:"branch"`
	Base        string   `json:"base"`
	Tip         string   `json:"tip"`
	Commits     int      `json:"commits"`
	Changed     []string `json:"changed"`      // committed or not, from the top of the repository
	Uncommitted []string `json:"uncommitted"`  // part of Changed
	Owned       []string `json:"owned"`        // part of Changed: files that only the orchestrator writes, which the merge leaves out
	Deleted     []string `json:"deleted"`      // files that are gone
	Unintended  []string `json:"unintended"`   // part of Deleted: files that the plan does not name; merging is refused
	Undeclared  []string `json:"undeclared"`   // files that it writes but its plan does not name
	Stale       []string `json:"stale"`        // its plan and files that the plan names, where the base has a later state
	Began       string   `json:"began"`        // RFC 3339
	Last        string   `json:"last_active"`  // the last commit or write that can be seen
	Idle        int      `json:"idle_minutes"` // since then
	Stalled     bool     `json:"stalled"`      // idle for longer than the threshold, and not finished
	TimedOut    bool     `json:"timed_out"`    // running for longer than an agent's time limit
	Moved       bool     `json:"base_moved"`   // the commit from which it began is no longer in the base
	Renamed     string   `json:"renamed_to,omitempty"`
	Message     string   `json:"message,omitempty"`
}

// StatusAnswer is the answer of `ken plan executor status`.
type StatusAnswer struct {
	Executors []Status `json:"executors"`
	Limits    Limits   `json:"limits"`
	Unknown   []string `json:"unknown"` // folders among the work trees without an executor
}

// Status returns the progress of executors. It returns an error if a plan has no executor, and if git or a record cannot be read.
func (x *Executors) Status(ctx context.Context, phase string, plans []string) (*StatusAnswer, error) {
	list, err := x.listExecutors(phase, plans)
	if err != nil {
		return nil, err
	}
	a := &StatusAnswer{Executors: []Status{}, Limits: x.limits(), Unknown: []string{}}
	for _, e := range list {
		s, err := x.executorStatus(ctx, e)
		if err != nil {
			return nil, err
		}
		a.Executors = append(a.Executors, *s)
	}
	if a.Unknown, err = x.unknownFolders(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// CheckExecuted fails with a *planop.Fault unless the executor of a plan has written a summary. It returns another error as Status does.
func CheckExecuted(ctx context.Context, c *planop.Call, phase, plan string) error {
	x, err := Open(c)
	if err != nil {
		return err
	}
	a, err := x.Status(ctx, phase, nil)
	if err != nil {
		return err
	}
	for _, s := range a.Executors {
		switch {
		case s.Plan != plan:
		case (s.State == Finished || s.State == Unfinished) && s.Commits == 0 && changesFiles(c, phase, plan):
			return planop.Faultf("no_evidence", "the executor of %s has made no commit, and the plan changes files", plan)
		case s.State == Finished || s.State == Unfinished || s.State == Merged:
			return nil
		default:
			return planop.Faultf("no_evidence", "the executor of %s is %s, with %d commits and no summary", plan, s.State, s.Commits)
		}
	}
	return planop.Faultf("no_evidence", "%s has no summary, neither in the main tree nor in the work tree of an executor", plan)
}

// changesFiles reports whether a plan lists files that it changes.
func changesFiles(c *planop.Call, phase, plan string) bool {
	ph, _, err := wave.ReadPhase(c, phase)
	if err != nil {
		return false
	}
	p := ph.Layout.Plan(plan)
	return p != nil && len(p.Files) > 0
}

// unknownFolders returns the folders among the work trees that have no record. The work trees of guarded tasks are among them.
func (x *Executors) unknownFolders(ctx context.Context) ([]string, error) {
	unknown := []string{}
	entries, err := os.ReadDir(filepath.Join(x.project, filepath.FromSlash(worktree.Folder)))
	if errors.Is(err, os.ErrNotExist) {
		return unknown, nil
	}
	if err != nil {
		return nil, err
	}
	known, err := x.keep.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		here := func(r worktree.Record) bool { return r.ID == e.Name() }
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.ContainsFunc(known, here) {
			unknown = append(unknown, e.Name())
		}
	}
	return unknown, nil
}

func (x *Executors) executorStatus(ctx context.Context, e *Executor) (*Status, error) {
	s := &Status{
		Plan: e.Plan, ID: e.ID, Phase: e.Phase, Wave: e.Wave, Mode: e.Mode, Reason: e.Reason, Agent: e.Agent, State: Running,
		Directory: x.project, Base: e.Start,
		Changed: []string{}, Uncommitted: []string{}, Owned: []string{}, Deleted: []string{}, Unintended: []string{}, Undeclared: []string{}, Stale: []string{},
		Began: e.Began.Format(time.RFC3339),
	}
	last := e.Began
	if e.Mode == Sequential {
		if x.existsInMainTree(e.Summary()) {
			s.State = Finished
		}
	} else {
		w, err := x.readState(ctx, e)
		if err != nil {
			return nil, err
		}
		s.setWork(w)
		if w.last.After(last) {
			last = w.last
		}
	}
	x.setTimers(s, e, last)
	if to, err := x.findRenaming(e); err != nil {
		return nil, err
	} else if to != nil {
		s.Renamed = to.summary
	}
	return s, nil
}

// setTimers compares the times that an executor has run and been idle with the limits.
func (x *Executors) setTimers(s *Status, e *Executor, last time.Time) {
	now, limits := x.now(), x.limits()
	s.Last, s.Idle = last.UTC().Format(time.RFC3339), max(0, int(now.Sub(last)/time.Minute))
	if s.State != Running && s.State != Unfinished {
		return
	}
	s.Stalled = limits.Threshold > 0 && now.Sub(last) >= time.Duration(limits.Threshold)*time.Minute
	s.TimedOut = limits.Timeout > 0 && now.Sub(e.Began) >= time.Duration(limits.Timeout)*time.Millisecond
}

// existsInMainTree reports whether the main tree has a regular file at path p.
func (x *Executors) existsInMainTree(p string) bool {
	return statefile.IsRegular(filepath.Join(x.project, filepath.FromSlash(p)))
}

func (s *Status) setWork(w *treeState) {
	s.State, s.Message, s.Branch, s.Tip, s.Commits = w.state, w.message, shortRef(w.record.Branch), w.tip, w.commits
	s.Directory, s.Moved = w.dir, w.moved
	for _, c := range w.changes {
		s.Changed = append(s.Changed, c.Path)
		if !c.Committed {
			s.Uncommitted = append(s.Uncommitted, c.Path)
		}
	}
	s.Owned = append(s.Owned, w.owned...)
	s.Deleted = append(s.Deleted, w.deleted...)
	s.Unintended = append(s.Unintended, w.unintended...)
	s.Undeclared = append(s.Undeclared, w.undeclared...)
	s.Stale = append(s.Stale, w.stale...)
}

// planRenaming has the new paths of a plan and its summary, if the folder of the phase was renamed after the executor began.
type planRenaming struct {
	plan, summary string // from the root of the project
}

// findRenaming returns the new paths of an executor's plan, or nil if the folder of its phase was not renamed. The paths are empty if
// the plan is in no folder of a phase any more.
func (x *Executors) findRenaming(e *Executor) (*planRenaming, error) {
	old := path.Join(e.PhaseDir, e.PlanFile)
	if x.existsInMainTree(old) || e.Mode == Sequential || x.repo == nil {
		return nil, nil
	}
	inv, err := x.call.Inventory()
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(inv.Phases, inv.Others, inv.Backlog) {
		for _, plan := range p.Plans {
			if p.Dir != "" && samePlan(plan, e) {
				to := path.Join(p.Dir, plan.File)
				return &planRenaming{plan: to, summary: summaryFile(to)}, nil
			}
		}
	}
	return &planRenaming{}, nil
}

// samePlan reports whether a plan in another folder is the plan of an executor: apart from the phase number it has the same name.
func samePlan(plan inventory.Plan, e *Executor) bool {
	if plan.ID == e.Plan {
		return true
	}
	rest, ok := strings.CutPrefix(e.Plan, e.Phase+"-")
	return ok && len(rest) > 4 && strings.HasSuffix(plan.ID, "-"+rest)
}

// lastActive returns the last time at which one of the changed files was written.
func lastActive(dir string, changes []worktree.Change) time.Time {
	var last time.Time
	for _, c := range changes {
		st, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(c.Path)))
		if err == nil && st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	return last
}
