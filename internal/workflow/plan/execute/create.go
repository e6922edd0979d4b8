package execute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git/foldercommit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
	"ken/internal/worktree"
)

// Created is a new executor, or the reason why none was made.
type Created struct {
	Plan      string   `json:"plan"`
	ID        string   `json:"id"`
	Wave      int      `json:"wave"`
	Mode      Mode     `json:"mode"`
	Reason    string   `json:"reason,omitempty"` // for sequential
	New       bool     `json:"created"`          // false: it existed, or it is refused
	Directory string   `json:"directory"`        // its working directory
	Branch    string   `json:"branch"`
	Base      string   `json:"base"` // the commit from which it begins
	PlanFile  string   `json:"plan_file"`
	Summary   string   `json:"summary_file"`
	State     State    `json:"state,omitempty"`    // of an executor that existed
	Restored  bool     `json:"restored,omitempty"` // its folder was gone and was made again from its branch
	Stale     []string `json:"stale,omitempty"`    // its plan and files that the plan names, where the base has a later state
	Refused   string   `json:"refused,omitempty"`
	Message   string   `json:"message,omitempty"`
	Paths     []string `json:"paths,omitempty"` // the paths of the refusal
}

// CreateAnswer is the answer of `ken plan executor create`.
type CreateAnswer struct {
	Phase     string    `json:"phase"`
	Executors []Created `json:"executors"`
	Pending   []string  `json:"pending"` // plans that could begin but must wait for one on the main tree
	Limits    Limits    `json:"limits"`
	Owned     []string  `json:"written_by_orchestrator"` // files of the planning folder that executors do not write
	Lacks     []string  `json:"work_trees_lack"`         // files of the main tree that git ignores, such as dependencies
	More      int       `json:"work_trees_lack_more"`    // the number of others
	Warnings  []string  `json:"warnings"`
}

// createCall is one call of Create, with its plan, options and answer so far.
type createCall struct {
	*Executors
	phase    *wave.Phase
	sequence string
	have     []*Executor
	outside  bool // plans may contain paths outside of the project
	answer   CreateAnswer
}

// Create makes executors for plans that can begin: for the named plans, or without names for all that can be carried out at the same
// time now. An existing executor is returned unchanged, so that a call can be repeated. It fails with a *planop.Fault if there is no
// such phase or plan, if no plan can begin, if all plans are refused, or if HEAD is not at base.
func (x *Executors) Create(ctx context.Context, phaseText string, plans []string, base string, outside bool) (*CreateAnswer, error) {
	phase, limits, err := wave.ReadIndexed(ctx, x.call, phaseText)
	if err != nil {
		return nil, err
	}
	if phase.Archived != "" {
		return nil, planop.Faultf("phase_archived", "phase %s was shipped with %s", phase.Token(), phase.Archived)
	}
	c := &createCall{Executors: x, phase: phase, sequence: limits.Sequence, outside: outside}
	c.answer = CreateAnswer{
		Phase: phase.Token(), Executors: []Created{}, Pending: []string{}, Limits: x.limits(), Owned: []string{}, Lacks: []string{},
		Warnings: append([]string{}, phase.Layout.Warnings...),
	}
	for _, name := range wave.OwnedFiles() {
		c.answer.Owned = append(c.answer.Owned, path.Join(x.folder.Base, name))
	}
	if err := c.chooseMode(ctx, base); err != nil {
		return nil, err
	}
	if len(plans) == 0 {
		plans = phase.Layout.Ready
	}
	if len(plans) == 0 {
		number := phase.Token()
		return nil, planop.Faultf("nothing_to_run", "no plan of phase %s can begin now; \"ken plan waves %s\" shows the reasons", number, number)
	}
	for _, id := range plans {
		row, err := c.createOne(ctx, id)
		if err != nil {
			return nil, err
		}
		if row != nil {
			c.answer.Executors = append(c.answer.Executors, *row)
		}
	}
	if refused := c.allRefused(); refused != nil {
		return nil, refused
	}
	return &c.answer, nil
}

// allRefused returns an error if the call made no executor and found no existing one.
func (c *createCall) allRefused() error {
	if len(c.answer.Executors) == 0 || slices.ContainsFunc(c.answer.Executors, func(r Created) bool { return r.Refused == "" }) {
		return nil
	}
	var list []string
	for _, r := range c.answer.Executors {
		list = append(list, r.Plan+": "+r.Message)
	}
	return planop.Faultf(c.answer.Executors[0].Refused, "%s", strings.Join(list, "; "))
}

// chooseMode determines whether plans have to be carried out one after another, and why. It checks the commit from which executors begin.
func (c *createCall) chooseMode(ctx context.Context, base string) (err error) {
	switch {
	case c.repo == nil:
		c.sequence = "the project is not in a git repository"
		return nil
	case c.sequence != "":
	case !c.set.IsOn("workflow.use_worktrees"):
		c.sequence = "workflow.use_worktrees is off in config.json"
	case c.hasSubRepos():
		c.sequence = "planning.sub_repos names nested repositories, whose changes a work tree would not bring back"
	case !c.set.IsOn("commit_docs"):
		c.sequence = "commit_docs is off in config.json, so a work tree would not have the plan"
	default:
		ignored, err := foldercommit.IsIgnored(ctx, c.repo, c.repoPath(folder.Name))
		if err != nil {
			return err
		}
		if ignored {
			c.sequence = "git ignores " + folder.Name + ", so a work tree would not have the plan"
		}
	}
	if base != "" {
		head, err := c.git.Head(ctx, c.repo)
		if err != nil {
			return err
		}
		if want, err := c.git.Commit(ctx, c.repo, base); err != nil || want != head.Commit {
			return planop.Faultf("base_moved", "executors should begin from %.60s, but HEAD is at %.12s", base, head.Commit)
		}
	}
	if c.have, err = c.listExecutors("", nil); err != nil {
		return err
	}
	lacks, err := c.trees.MissingFiles(ctx)
	if err != nil {
		return err
	}
	c.answer.Lacks, c.answer.More = append(append(c.answer.Lacks, lacks.Folders...), lacks.Files...), lacks.More
	return nil
}

func (x *Executors) hasSubRepos() bool {
	v, _ := x.set.Get("planning.sub_repos")
	list, ok := v.([]any)
	return ok && len(list) > 0
}

// createOne makes the executor of a plan. It returns nil if the plan must wait until another one on the main tree is finished.
func (c *createCall) createOne(ctx context.Context, id string) (*Created, error) {
	p := c.phase.Layout.Plan(id)
	if p == nil {
		var near []string
		for _, other := range c.phase.Layout.Plans {
			near = append(near, other.ID)
		}
		return nil, &planop.Fault{Reason: "plan_not_found", Message: fmt.Sprintf("phase %s has no plan %.60q", c.phase.Token(), id), Near: near}
	}
	e := c.newExecutor(p)
	if at := slices.IndexFunc(c.have, func(h *Executor) bool { return h.Plan == id && h.Phase == e.Phase }); at >= 0 {
		if row, err := c.existingRow(ctx, c.have[at]); row != nil || err != nil {
			return row, err
		}
	}
	if row := c.refusalToBegin(p, e); row != nil {
		return row, nil
	}
	if c.sequence != "" {
		return c.createOnMainTree(ctx, e, c.sequence)
	}
	return c.makeWorkTree(ctx, e)
}

// newExecutor returns the executor of a plan before it is made.
func (c *createCall) newExecutor(p *wave.Placed) *Executor {
	return &Executor{
		ID: treeID(c.folder.Workstream, p.ID), Plan: p.ID, Phase: c.phase.Token(), PhaseDir: c.phase.Dir, Workstream: c.folder.Workstream, Wave: p.Wave,
		PlanFile: c.phase.Files.Plan(p.ID).File, Mode: OwnTree, Files: append([]string{}, p.Files...), Deletes: append([]string{}, c.phase.Deletes[p.ID]...), Began: c.now().UTC(),
	}
}

// treeID returns the name of the work tree for a plan. It replaces characters that a folder name may not have, and then adds a hash, so
// that two plans never get the same name.
func treeID(workstream, plan string) string {
	whole := strings.TrimPrefix(workstream+"-"+plan, "-")
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, whole)
	id = strings.TrimLeft(id, "-_")
	if id == whole && len(id) <= 48 {
		return id
	}
	sum := sha256.Sum256([]byte(whole))
	return "x" + id[:min(len(id), 40)] + "-" + hex.EncodeToString(sum[:4])
}

func (c *createCall) createdRow(e *Executor) *Created {
	return &Created{
		Plan: e.Plan, ID: e.ID, Wave: e.Wave, Mode: e.Mode, Reason: e.Reason, Directory: c.project, Base: e.Start,
		PlanFile: path.Join(e.PhaseDir, e.PlanFile), Summary: e.Summary(),
	}
}

func (c *createCall) refusedRow(e *Executor, reason, message string, paths ...string) *Created {
	row := c.createdRow(e)
	row.Refused, row.Message, row.Paths = reason, message, paths
	row.Directory = ""
	return row
}

// existingRow returns the answer about an existing executor. If a crash left only a part of it, existing removes that and returns nil, so
// that the executor is made again.
func (c *createCall) existingRow(ctx context.Context, e *Executor) (*Created, error) {
	row := c.createdRow(e)
	if e.Mode == Sequential {
		return row, nil
	}
	w, err := c.readState(ctx, e)
	if err != nil {
		return nil, err
	}
	switch w.record.State {
	case worktree.Creating, worktree.Removing:
		done, err := c.trees.Clean(ctx, worktree.CleanOptions{IDs: []string{e.ID}})
		if err != nil {
			return nil, err
		}
		if len(done) == 1 && !done[0].Removed {
			return c.refusedRow(e, string(done[0].Why), done[0].Text, done[0].Paths...), nil
		}
		fallthrough
	case "":
		return nil, c.keep.removeRecord(e.ID, plainEnd)
	}
	row.Directory, row.Branch, row.Base = c.treeRoot(e.ID), shortRef(w.record.Branch), w.record.Start
	row.State, row.Stale, row.Message = w.state, w.stale, w.message
	if w.state == Gone {
		return c.restore(ctx, e, row)
	}
	return row, nil
}

// restore makes the folder of an executor's work tree again.
func (c *createCall) restore(ctx context.Context, e *Executor, row *Created) (*Created, error) {
	if c.call.DryRun {
		row.Message = "its folder is gone and would be made again"
		return row, nil
	}
	if _, err := c.trees.Restore(ctx, e.ID); err != nil {
		if why, ok := errors.AsType[*worktree.RefusedError](err); ok {
			return c.refusedRow(e, string(why.Why), why.Error(), why.Paths...), nil
		}
		return nil, err
	}
	row.State, row.Restored, row.Message = Running, true, "its folder was gone; it was made again from its branch, without what was not committed"
	return row, nil
}

func shortRef(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// treeRoot returns the root of the project in the work tree of an executor.
func (x *Executors) treeRoot(id string) string {
	return filepath.Join(x.project, filepath.FromSlash(worktree.Folder), id, filepath.FromSlash(x.prefix))
}

// refusalToBegin returns an answer with the reason if a plan cannot be carried out now, else nil.
func (c *createCall) refusalToBegin(p *wave.Placed, e *Executor) *Created {
	switch {
	case p.State == wave.Done:
		return c.refusedRow(e, "plan_done", "it is done")
	case p.State == wave.Halted:
		return c.refusedRow(e, "plan_halted", "it is halted: "+p.Reason)
	case p.State == wave.Draft:
		return c.refusedRow(e, "plan_draft", p.Reason)
	case p.State == wave.Retired:
		return c.refusedRow(e, "plan_superseded", "another plan has replaced it")
	case p.State == wave.Waiting:
		return c.refusedRow(e, "plan_waiting", p.Reason)
	case len(c.phase.Outside[p.ID]) > 0 && !c.outside:
		list := c.phase.Outside[p.ID]
		return c.refusedRow(e, "outside_project", "it names paths outside the project, which no merge brings back: "+
			strings.Join(firstNames(list), ", ")+"; use --outside to allow them", list...)
	}
	if err := c.phase.Layout.CheckMayBegin(p.Wave); err != nil {
		return c.refusedRow(e, "wave_blocked", err.Error())
	}
	if !slices.Contains(c.phase.Layout.Ready, p.ID) {
		return c.refusedRow(e, "set_apart", "it writes the same files as another plan of its wave, or no more plans run side by side; first come "+
			strings.Join(c.phase.Layout.Ready, ", "))
	}
	return nil
}

// createOnMainTree lets a plan be carried out on the main tree, unless another plan is. why is the reason for not using a work tree.
func (c *createCall) createOnMainTree(ctx context.Context, e *Executor, why string) (*Created, error) {
	e.Mode, e.Reason = Sequential, why
	busy := slices.ContainsFunc(c.have, func(h *Executor) bool { return h.Mode == Sequential }) ||
		slices.ContainsFunc(c.answer.Executors, func(r Created) bool { return r.Mode == Sequential && r.Refused == "" })
	if busy {
		c.answer.Pending = append(c.answer.Pending, e.Plan)
		return nil, nil
	}
	if c.repo != nil {
		head, err := c.git.Head(ctx, c.repo)
		if err != nil {
			return nil, err
		}
		e.Start = head.Commit
	}
	row := c.createdRow(e)
	row.New = !c.call.DryRun
	if c.call.DryRun {
		return row, nil
	}
	return row, c.keep.putExecutor(e)
}

// mainTreeReasons are the reasons why a repository cannot have work trees, so that plans are carried out on the main tree, one after
// another.
var mainTreeReasons = [...]worktree.Reason{
	worktree.Filters, worktree.Submodules, worktree.Bare, worktree.Unborn, worktree.Detached, worktree.NoRepository, worktree.Sparse,
}

// maxBranches is the maximal number of branch names that are tried. Branches of earlier attempts keep their names.
const maxBranches = 50

// makeWorkTree makes the work tree of an executor. It records the executor first, so that a crash leaves no unknown work tree.
func (c *createCall) makeWorkTree(ctx context.Context, e *Executor) (*Created, error) {
	if c.call.DryRun {
		return c.createdRow(e), nil
	}
	targets := c.filesToCommit(e)
	if err := c.keep.putExecutor(e); err != nil {
		return nil, err
	}
	var tree *worktree.Tree
	var err error
	for n := 1; n <= maxBranches; n++ {
		branch := "ken-plan-" + e.ID
		if n > 1 {
			branch += fmt.Sprintf("-%d", n)
		}
		tree, err = c.trees.Create(ctx, worktree.CreateOptions{ID: e.ID, Branch: branch, Purpose: "executor of " + e.Plan, Targets: targets})
		if worktree.RefusalReason(err) != worktree.Exists {
			break
		}
		if _, ok, rerr := c.treeRecord(ctx, e); ok || rerr != nil { // another process made it first
			row, err := c.existingRow(ctx, e)
			return row, errors.Join(rerr, err)
		}
	}
	if err != nil {
		return c.failedRow(ctx, e, err)
	}
	e.Start = tree.Start
	if err := c.keep.putExecutor(e); err != nil {
		return nil, err
	}
	row := c.createdRow(e)
	row.New, row.Directory, row.Branch = true, tree.Root, shortRef(tree.Branch)
	return row, nil
}

// failedRow returns the answer for a plan that cannot have a work tree.
func (c *createCall) failedRow(ctx context.Context, e *Executor, err error) (*Created, error) {
	if _, ok, rerr := c.treeRecord(ctx, e); !ok && rerr == nil {
		if rerr := c.keep.removeRecord(e.ID, plainEnd); rerr != nil {
			return nil, errors.Join(err, rerr)
		}
	}
	why, ok := errors.AsType[*worktree.RefusedError](err)
	switch {
	case !ok:
		return nil, err
	case slices.Contains(mainTreeReasons[:], why.Why):
		return c.createOnMainTree(ctx, e, why.Error())
	}
	return c.refusedRow(e, string(why.Why), why.Error(), why.Paths...), nil
}

// filesToCommit returns the files that must be committed before an executor begins, because a work tree only has committed files: the
// plan, and the files that it names.
func (c *createCall) filesToCommit(e *Executor) []string {
	list := []string{path.Join(e.PhaseDir, e.PlanFile)}
	for _, f := range e.Files {
		f = strings.TrimSuffix(f, "/")
		planning := f == folder.Name || strings.HasPrefix(f, folder.Name+"/")
		if f != "." && !planning && !strings.ContainsAny(f, "*?") {
			list = append(list, f)
		}
	}
	return list
}
