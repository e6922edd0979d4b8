// Package execute carries plans out side by side: each executor has a work tree of its own, made of what the orchestrator has
// committed, and what it did comes back by one merge. It runs no agent and no command of a project; it makes the work trees, says
// how far each is, merges and cleans up.
//
// Nothing is lost: a step is written down before it begins and can be done again after a crash; a summary that was not
// committed is committed before its plan is merged; what does not fit stays whole where it is, and is named; one plan that cannot
// be merged holds no other up. STATE.md, ROADMAP.md and REQUIREMENTS.md have one writer, the orchestrator: what an executor did to
// them stays in its commits and does not reach the base.
//
// It is built over package worktree. Its neighbour wave says which plans run side by side.
package execute

import (
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

// Mode is where an executor works.
type Mode string

// The modes.
const (
	OwnTree    Mode = "worktree"
	Sequential Mode = "sequential" // on the main tree, one after another
)

// Executor is what is kept of a plan that is being carried out.
type Executor struct {
	Version    int       `json:"version"`
	ID         string    `json:"id"` // of its work tree
	Plan       string    `json:"plan"`
	Phase      string    `json:"phase"`
	PhaseDir   string    `json:"phase_dir"` // from the root of the project, when it began
	PlanFile   string    `json:"plan_file"` // from PhaseDir
	Workstream string    `json:"workstream,omitempty"`
	Wave       int       `json:"wave"`
	Mode       Mode      `json:"mode"`
	Reason     string    `json:"reason,omitempty"` // of Sequential
	Files      []string  `json:"files"`            // that the plan names
	Deletes    []string  `json:"deletes"`          // that it means to delete
	Agent      string    `json:"agent,omitempty"`  // who carries it out, as its product calls it
	Start      string    `json:"start"`            // the commit that it began from
	Began      time.Time `json:"began"`
}

// Summary is where the summary of the plan goes, from the root of the project.
func (e *Executor) Summary() string { return path.Join(e.PhaseDir, summaryOf(e.PlanFile)) }

// summaryOf is the file of a summary by the file of its plan.
func summaryOf(planFile string) string {
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
	repo    *git.Repo // nil: none
	trees   *worktree.Trees
	keep    *records
	now     func() time.Time
}

// Open finds the executors of the project that an operation is about. Orchestrators work in the project's own tree: in the work tree of
// an executor it is refused, because an executor that merges itself would remove the ground that it works on.
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
	if errors.Is(err, git.ErrNoRepository) || err == nil && !repo.Known() {
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
	// Linked work trees share the repository and not the executors: each orchestrator cleans up its own.
	x.keep = &records{dir: filepath.Join(repo.GitDir, "ken", "executors")}
	x.trees, err = worktree.New(real, x.git, x.keep, c.Now)
	return x, err
}

// inRepo is a path of the project from the top of its repository.
func (x *Executors) inRepo(p string) string { return path.Join(x.prefix, p) }

// inProject is a path from the top of the repository as the project has it; ok is false for one outside it.
func (x *Executors) inProject(p string) (inside string, ok bool) {
	if x.prefix == "" {
		return p, true
	}
	return strings.CutPrefix(p, x.prefix+"/")
}

// isOwned reports whether a path, from the top of the repository, is a file that the orchestrator alone writes: of the whole folder or of
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

// limits are the timers of executors, as data for whoever watches over them.
func (x *Executors) limits() Limits {
	return Limits{
		Timeout: x.set.Number("workflow.subagent_timeout"), Interval: x.set.Number("executor.stall_detect_interval_minutes"),
		Threshold: x.set.Number("executor.stall_threshold_minutes"),
	}
}

// Limits are the timers of an executor.
type Limits struct {
	Timeout   int `json:"subagent_timeout_ms"`
	Interval  int `json:"stall_detect_interval_minutes"`
	Threshold int `json:"stall_threshold_minutes"`
}

// all are the executors of a phase or of all, by wave and plan; of some plans alone if any are named.
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
		return cmpOr(strings.Compare(a.Phase, b.Phase), a.Wave-b.Wave, strings.Compare(a.Plan, b.Plan))
	})
	for _, id := range plans {
		if !slices.ContainsFunc(list, func(e *Executor) bool { return e.Plan == id }) {
			return nil, &planop.Fault{Reason: "executor_not_found", Message: fmt.Sprintf("plan %s has no executor", id), Near: planNames(list)}
		}
	}
	return list, nil
}

func cmpOr(list ...int) int {
	for _, n := range list {
		if n != 0 {
			return n
		}
	}
	return 0
}

func planNames(list []*Executor) []string {
	var names []string
	for _, e := range list {
		names = append(names, e.Plan)
	}
	return names
}

// tracked reports whether git keeps the planning folder. Where it does not, executors read and write that of the main tree.
func (x *Executors) tracked() (bool, error) {
	files, err := x.repo.TrackedBelow(x.inRepo(folder.Name))
	return len(files) > 0, err
}

// record is the work tree of an executor; ok is false if there is none.
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
