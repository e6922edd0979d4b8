// Package execute carries plans out side by side: each executor has a work tree of its own, made from the orchestrator's commits, and its
// work comes back by one merge. The package runs no agent and no command of a project; it makes the work trees, reports the progress of
// each, merges and cleans up.
//
// Nothing is lost: each step is recorded before it begins and can be repeated after a crash; an uncommitted summary is committed before
// its plan is merged; work that cannot be merged stays whole and is listed; one plan that cannot be merged does not block others. Only
// the orchestrator writes STATE.md, ROADMAP.md and REQUIREMENTS.md: an executor's changes to them stay in its commits and do not reach
// the base.
//
// It is built on package worktree. Its neighbour wave decides which plans run side by side.
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

// Executor is the record of a plan being carried out.
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
}

// Summary returns the path of the plan's summary, from the root of the project.
func (e *Executor) Summary() string { return path.Join(e.PhaseDir, summaryFile(e.PlanFile)) }

// summaryFile returns the summary's file for a plan's file.
func summaryFile(planFile string) string {
	dir, name := path.Split(planFile)
	return dir + strings.TrimSuffix(name, "PLAN.md") + "SUMMARY.md"
}

// Executors are the executors of one project.
type Executors struct {
	call    *planop.Call
	folder  *folder.Folder
	set     *settings.Settings
	project string // without links
	prefix  string // of the project in its repository, "" at its top
	git     git.Git
	repo    *git.Repo // or nil
	trees   *worktree.Trees
	keep    *records
	now     func() time.Time
}

// Open returns the executors of an operation's project. Orchestrators work in the project's own tree: Open fails in the work tree of an
// executor, because an executor that merges itself would remove its own working directory. It also fails if there is no planning folder
// or the repository cannot be read.
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
	if errors.Is(err, git.ErrNoRepository) || err == nil && !repo.HasTree() {
		x.keep = &records{dir: filepath.Join(c.StateDir, "executors", stateName(real))}
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
	// Linked work trees share the repository but not the executors: each orchestrator cleans up its own.
	x.keep = &records{dir: filepath.Join(repo.GitDir, "ken", "executors")}
	x.trees, err = worktree.New(real, x.git, x.keep, c.Now)
	return x, err
}

// inRepo returns a path of the project from the top of its repository.
func (x *Executors) inRepo(p string) string { return path.Join(x.prefix, p) }

// inProject returns a path from the top of the repository relative to the project; ok is false for one outside it.
func (x *Executors) inProject(p string) (inside string, ok bool) {
	if x.prefix == "" {
		return p, true
	}
	return strings.CutPrefix(p, x.prefix+"/")
}

// isOwned reports whether a path, from the top of the repository, is a file that only the orchestrator writes: of the whole folder or of
// a workstream.
func (x *Executors) isOwned(p string) bool {
	in, ok := x.inProject(p)
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

// limits returns the time limits of executors, as data for the program that watches them.
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

// all returns the executors of a phase or of all, by wave and plan; only those of some plans if any are named.
func (x *Executors) all(phase string, plans []string) ([]*Executor, error) {
	list, err := x.keep.executors()
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

// tracksPlanning reports whether git tracks the planning folder. If not, executors use that of the main tree.
func (x *Executors) tracksPlanning() (bool, error) {
	files, err := x.repo.TrackedBelow(x.inRepo(folder.Name))
	return len(files) > 0, err
}

// record returns the work tree of an executor; ok is false if there is none.
func (x *Executors) record(ctx context.Context, e *Executor) (r worktree.Record, ok bool, err error) {
	if e.Mode == Sequential {
		return r, false, nil
	}
	r, err = x.keep.Worktree(ctx, e.ID)
	if errors.Is(err, worktree.ErrUnknown) {
		return r, false, nil
	}
	return r, err == nil, err
}
