// Package execute carries out several plans at the same time. Each plan has an executor: an agent with a work tree of its own, made
// from a commit of the orchestrator, which is the agent that starts the others. The executor's work comes back by one merge. The
// package runs no agent and no command of a project; it makes the work trees, reports the progress of each, merges and cleans up.
//
// Nothing is lost: each step is recorded before it begins and can be repeated after a crash; an uncommitted summary is committed before
// its plan is merged; work that cannot be merged stays whole and is listed; one plan that cannot be merged does not block others. Only
// the orchestrator writes STATE.md, ROADMAP.md and REQUIREMENTS.md: an executor's changes to them stay in its commits and do not reach
// the base, the branch of the orchestrator.
//
// It is built on package worktree. Its neighbour wave decides which plans can be carried out at the same time.
package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/plan/wave"
	"ken/internal/worktree"
)

// Mode is the place where an executor works.
type Mode string

// The modes.
const (
	OwnTree    Mode = "worktree"
	Sequential Mode = "sequential" // on the main tree, one after another
)

// Executor is the record of a plan that an agent carries out.
type Executor struct {
	Version    int       `json:"version"`
	ID         string    `json:"id"` // of its work tree
	Plan       string    `json:"plan"`
	Phase      string    `json:"phase"`
	PhaseDir   string    `json:"phase_dir"` // from the root of the project, at the beginning
	PlanFile   string    `json:"plan_file"` // from PhaseDir
	Workstream string    `json:"workstream,omitempty"`
	Wave       int       `json:"wave"`
	Mode       Mode      `json:"mode"`
	Reason     string    `json:"reason,omitempty"` // for Sequential
	Files      []string  `json:"files"`            // named in the plan
	Deletes    []string  `json:"deletes"`          // to be deleted by the plan
	Agent      string    `json:"agent,omitempty"`  // the agent that carries it out, by its name in the product
	Start      string    `json:"start"`            // the commit from which it began
	Began      time.Time `json:"began"`
	From       string    `json:"from,omitempty"` // the commits of the base before and after its last merge
	Into       string    `json:"into,omitempty"`
}

// Summary returns the path of the file that summarizes the plan's results, from the root of the project.
func (e *Executor) Summary() string { return path.Join(e.PhaseDir, summaryFile(e.PlanFile)) }

// summaryFile returns the file name of a plan's summary.
func summaryFile(planFile string) string {
	dir, name := path.Split(planFile)
	return dir + strings.TrimSuffix(name, "PLAN.md") + "SUMMARY.md"
}

// Executors are the executors of one project.
type Executors struct {
	call    *planop.Call
	folder  *folder.Folder
	set     *settings.Settings
	project string // the root, without links
	prefix  string // the project's path in its repository, "" at the top
	git     git.Git
	repo    *git.Repo // nil without a repository
	trees   *worktree.Trees
	keep    *records
	now     func() time.Time
}

// Open returns the executors of a project. It fails in the work tree of an executor, because an executor that merges itself would
// remove its own working directory: only the orchestrator, which works in the project's main tree, may use them. It also fails if there
// is no planning folder or the repository cannot be read.
func Open(c *planop.Call) (*Executors, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(f.Project)
	if err != nil {
		return nil, err
	}
	x := &Executors{call: c, folder: f, set: set, project: real, now: c.Now}
	for _, dir := range []string{real, c.Dir} {
		if main, id, ok := worktree.MainRoot(dir); ok {
			return nil, planop.Faultf("inside_executor", "this is the work tree of executor %s; run it in %s", id, main)
		}
	}
	repo, err := git.Find(real)
	if errors.Is(err, git.ErrNoRepository) || err == nil && !repo.OwnsTree() {
		x.keep = &records{dir: filepath.Join(c.StateDir, "executors", stateName(real)), state: c.StateDir}
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(repo.Root, real)
	if err != nil {
		return nil, err
	}
	if x.repo = repo; below != "." {
		x.prefix = filepath.ToSlash(below)
	}
	// Work trees of one repository do not share executors, because the orchestrator of each only cleans up its own.
	x.keep = &records{dir: filepath.Join(repo.GitDir, "ken", "executors"), state: c.StateDir}
	x.trees, err = worktree.New(real, x.git, x.keep, c.Now)
	return x, err
}

// repoPath returns the path of a project's file from the top of its repository.
func (x *Executors) repoPath(p string) string { return path.Join(x.prefix, p) }

// projectPath returns a path from the root of the project, given the path from the top of its repository. It returns false if the file is
// not in the project.
func (x *Executors) projectPath(p string) (inside string, ok bool) {
	if x.prefix == "" {
		return p, true
	}
	return strings.CutPrefix(p, x.prefix+"/")
}

// isOwned reports whether a file belongs to the orchestrator, which alone may write it: STATE.md, ROADMAP.md or REQUIREMENTS.md of the
// planning folder or a workstream. p is its path from the top of the repository.
func (x *Executors) isOwned(p string) bool {
	in, ok := x.projectPath(p)
	if !ok {
		return false
	}
	dir, name := path.Split(in)
	if !slices.Contains(wave.OwnedFiles(), name) {
		return false
	}
	dir = strings.TrimSuffix(dir, "/")
	above := path.Dir(dir)
	return dir == folder.Name || dir == x.folder.Base || above == folder.Name+"/workstreams"
}

// limits returns the time limits of executors, for the program that watches them.
func (x *Executors) limits() Limits {
	return Limits{
		Timeout: x.set.Number("workflow.subagent_timeout"), Interval: x.set.Number("executor.stall_detect_interval_minutes"),
		Threshold: x.set.Number("executor.stall_threshold_minutes"),
	}
}

// Limits are the time limits of an executor.
type Limits struct {
	Timeout   int `json:"subagent_timeout_ms"`
	Interval  int `json:"stall_detect_interval_minutes"`
	Threshold int `json:"stall_threshold_minutes"`
}

// listExecutors returns the executors of the named plans of a phase, ordered by wave and plan. Without plans it returns all of the phase,
// and without a phase all of the project.
func (x *Executors) listExecutors(phase string, plans []string) ([]*Executor, error) {
	list, err := x.keep.listExecutors()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e *Executor) bool {
		other := e.Workstream != x.folder.Workstream || phase != "" && e.Phase != phase
		return other || len(plans) > 0 && !slices.Contains(plans, e.Plan)
	})
	slices.SortFunc(list, func(a, b *Executor) int {
		return cmp.Or(strings.Compare(a.Phase, b.Phase), a.Wave-b.Wave, strings.Compare(a.Plan, b.Plan))
	})
	for _, id := range plans {
		if !slices.ContainsFunc(list, func(e *Executor) bool { return e.Plan == id }) {
			var near []string
			for _, e := range list {
				near = append(near, e.Plan)
			}
			return nil, &planop.Fault{Reason: "executor_not_found", Message: fmt.Sprintf("plan %s has no executor", id), Near: near}
		}
	}
	return list, nil
}

// Begun returns the plans of a phase that have an executor. It fails as Open does.
func Begun(c *planop.Call, phase string) ([]wave.BegunPlan, error) {
	x, err := Open(c)
	if err != nil {
		return nil, err
	}
	list, err := x.listExecutors(phase, nil)
	begun := make([]wave.BegunPlan, len(list))
	for i, e := range list {
		begun[i] = wave.BegunPlan{Plan: e.Plan, OwnTree: e.Mode == OwnTree, Directory: x.treeRoot(e.ID)}
	}
	return begun, err
}

// treeRecord returns the record of an executor's work tree. It returns false if there is none.
func (x *Executors) treeRecord(ctx context.Context, e *Executor) (r worktree.Record, ok bool, err error) {
	if e.Mode == Sequential {
		return r, false, nil
	}
	r, err = x.keep.Worktree(ctx, e.ID)
	if errors.Is(err, worktree.ErrUnknown) {
		return r, false, nil
	}
	return r, err == nil, err
}
