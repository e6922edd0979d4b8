package execute

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ken/internal/git"
	"ken/internal/workflow/plan/planop"
	"ken/internal/worktree"
)

// BaseAnswer is the answer of `ken plan worktree base-check`.
type BaseAnswer struct {
	OK       bool   `json:"ok"`
	Expected string `json:"expected"`
	Head     string `json:"head"`
	Branch   string `json:"branch"`
	Reason   string `json:"reason,omitempty"`
}

type expectedInput struct {
	Expected string `flag:"expected" help:"the commit; in the work tree of an executor the one that it was made of"`
}

// checkBase tells an agent, before it begins, whether its work tree is made from the right commit. Some agent programs make work trees from
// the default branch, which does not even contain the plan.
func checkBase(ctx context.Context, c *planop.Call, in *expectedInput) (*BaseAnswer, error) {
	dir, expected := c.Dir, in.Expected
	repo, err := git.Find(dir)
	if errors.Is(err, git.ErrNoRepository) || err == nil && !repo.OwnsTree() {
		return nil, planop.Faultf("no_repository", "%s is not in a git repository", dir)
	}
	if err != nil {
		return nil, err
	}
	if expected == "" {
		if expected, err = executorStart(ctx, c); err != nil {
			return nil, err
		}
	}
	var g git.Git
	head, err := g.Head(ctx, repo)
	if err != nil {
		return nil, err
	}
	a := &BaseAnswer{Expected: expected, Head: head.Commit, Branch: shortRef(head.Ref)}
	want, err := g.Commit(ctx, repo, expected)
	if errors.Is(err, git.ErrNotFound) {
		a.Reason = "the repository has no such commit"
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.Expected = want
	if head.Commit == "" {
		a.Reason = "the branch has no commit"
		return a, nil
	}
	shared, err := g.MergeBase(ctx, repo, head.Commit, want)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return nil, err
	}
	if a.OK = shared == want; !a.OK {
		a.Reason = "HEAD does not come from it"
	}
	return a, nil
}

// executorStart returns the commit from which the work tree of an executor was made.
func executorStart(ctx context.Context, c *planop.Call) (string, error) {
	real, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return "", err
	}
	main, id, ok := worktree.MainRoot(real)
	if !ok {
		return "", planop.Faultf("expected_missing", "this is not the work tree of an executor; name the commit with --expected")
	}
	repo, err := git.Find(main)
	if err != nil {
		return "", err
	}
	r, err := (&records{dir: filepath.Join(repo.GitDir, "ken", "executors"), state: c.StateDir}).Worktree(ctx, id)
	if err != nil {
		return "", fmt.Errorf("executor %s: %w", id, err)
	}
	return r.Start, nil
}

// AgentAnswer is the answer of `ken plan worktree record-agent`.
type AgentAnswer struct {
	Recorded bool   `json:"recorded"`
	Plan     string `json:"plan"`
	Agent    string `json:"agent"`
}

// maxAgent is the maximal length of the name of an agent.
const maxAgent = 200

type worktreeRecordAgentInput struct {
	Plan  string `arg:"PLAN" help:"the id of a plan: 03-01"`
	Agent string `arg:"AGENT" help:"as the product calls it"`
}

// recordAgent records which agent carries out a plan, so that a later session knows which one to ask.
func recordAgent(_ context.Context, x *Executors, in *worktreeRecordAgentInput) (any, error) {
	if len(in.Agent) > maxAgent {
		return nil, planop.Usagef("AGENT is longer than %d bytes", maxAgent)
	}
	list, err := x.listExecutors("", []string{in.Plan})
	if err != nil {
		return nil, err
	}
	e := list[0]
	e.Agent = in.Agent
	if !x.call.DryRun {
		err = x.keep.putExecutor(e)
	}
	return AgentAnswer{!x.call.DryRun && err == nil, e.Plan, e.Agent}, err
}
