package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/plan/execute"
)

// mergeAll merges until nothing is left to merge, and repairs each refused plan according to the reason.
func (r *executionRun) mergeAll() error {
	for round := 0; ; round++ {
		if round > 20 {
			return errors.New("merging comes to no end")
		}
		var a execute.WaveAnswer
		if err := r.runKen(&a, "worktree", "cleanup-wave"); err != nil {
			return err
		}
		for _, m := range a.Merged {
			r.rescued += len(m.Rescued)
			if !m.Merged {
				if err := r.mendPlan(m); err != nil {
					return err
				}
			}
		}
		for _, c := range a.Cleaned {
			if err := r.clearLeftWork(c); err != nil {
				return err
			}
		}
		var s execute.StatusAnswer
		if err := r.runKen(&s, "executor", "status"); err != nil {
			return err
		}
		if len(s.Executors) == 0 {
			var reaped execute.CleanAnswer
			return r.runKen(&reaped, "worktree", "reap-orphans")
		}
	}
}

func (r *executionRun) findPlan(id string) *plan {
	return r.plans[slices.IndexFunc(r.plans, func(p *plan) bool { return p.id == id })]
}

// mendPlan repairs a plan that could not be merged, in the role of an orchestrator, a person or another agent.
func (r *executionRun) mendPlan(m execute.MergedPlan) error {
	p := r.findPlan(m.Plan)
	r.refused++
	switch m.Reason {
	case "unfinished":
		if r.isDrawn(30) {
			return r.abandonPlan(p)
		}
		p.summary = "---\nplan: " + p.id + "\n---\n# Finished later\n"
		r.summaries++
		if err := write(p.dir, phaseDir+"/"+p.id+"-SUMMARY.md", p.summary); err != nil {
			return err
		}
		return r.commitWork(p)
	case "conflict":
		r.conflicts++
		if len(m.Conflicts) == 0 {
			r.recordFault("%s: no file of the conflict is named", p.id)
		}
		if r.isDrawn(20) {
			return r.abandonPlan(p)
		}
		return r.mergeBaseIntoBranch(p)
	case "unintended_deletions":
		if p.allowed || r.isDrawn(50) {
			p.allowed = true
			return r.mergeWithDeletions(p, m.Paths)
		}
		if _, err := r.git(p.dir, "checkout", "main", "--", p.ignores); err != nil {
			return nil // the base has lost it by another plan meanwhile, so that nothing is in the way any more
		}
		return r.commitWork(p)
	}
	return fmt.Errorf("%s was not merged: %s: %s", m.Plan, m.Reason, m.Message)
}

// mergeWithDeletions merges a plan and allows the deletions that were refused. It may still conflict with other plans.
func (r *executionRun) mergeWithDeletions(p *plan, paths []string) error {
	words := []string{"executor", "merge", p.id, "--delete"}
	for _, f := range paths {
		words = append(words, strings.TrimPrefix(f, "below/"))
	}
	var a execute.MergeAnswer
	if err := r.runKen(&a, words...); err != nil {
		return err
	}
	for _, m := range a.Results {
		if !m.Merged {
			return r.mendPlan(m)
		}
	}
	return nil
}

// mergeBaseIntoBranch merges the base into the branch of an executor; on conflicts the branch wins, also where it deleted.
func (r *executionRun) mergeBaseIntoBranch(p *plan) error {
	if _, err := r.commitAll(p.dir, "all of it"); err != nil {
		return err
	}
	if _, err := r.git(p.dir, "merge", "-q", "-X", "ours", "main"); err != nil {
		if _, err := r.git(p.dir, "add", "-A"); err != nil {
			return err
		}
		if _, err := r.git(p.dir, "commit", "-q", "--no-edit"); err != nil {
			return err
		}
	}
	return r.commitWork(p)
}

// clearLeftWork commits or gives up changes that remained uncommitted when their plan was merged.
func (r *executionRun) clearLeftWork(c execute.CleanedPlan) error {
	if c.Removed {
		return nil
	}
	if c.Reason != "uncommitted" && c.Reason != "unmerged" {
		return fmt.Errorf("%s was not cleaned up: %s: %s", c.Plan, c.Reason, c.Message)
	}
	p := r.findPlan(c.Plan)
	if r.isDrawn(50) {
		return r.commitWork(p)
	}
	return r.abandonPlan(p)
}

func (r *executionRun) abandonPlan(p *plan) error {
	var a execute.CleanAnswer
	if err := r.runKen(&a, "executor", "cleanup", p.id, "--abandon"); err != nil {
		return err
	}
	// A killed process may have finished without a report.
	if len(a.Results) == 1 && !a.Results[0].Removed {
		return fmt.Errorf("%s was not abandoned: %s", p.id, a.Results[0].Message)
	}
	r.abandoned++
	p.abandoned = true
	return nil
}

// checkRepository compares the repository with the work of the run.
func (r *executionRun) checkRepository() {
	for _, p := range r.plans {
		for _, c := range p.commits {
			if out, err := r.git(r.dir, "for-each-ref", "--contains", c, "--format=%(refname:short)", "refs/heads/"); err != nil || out == "" {
				r.recordFault("commit %.12s of %s is lost (%v)", c, p.id, err)
			}
		}
		if p.summary != "" {
			r.checkPlanSummary(p)
		}
	}
	if b, err := os.ReadFile(filepath.Join(r.dir, ".planning/STATE.md")); err != nil || string(b) != r.state {
		r.recordFault("STATE.md is %q (%v)", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(r.dir, ".planning/ROADMAP.md")); err != nil || !strings.Contains(string(b), "Phase 1") {
		r.recordFault("ROADMAP.md is %q (%v)", b, err)
	}
	for _, p := range r.plans {
		if _, err := os.Stat(filepath.Join(r.dir, phaseDir, p.id+"-PLAN.md")); err != nil {
			r.recordFault("a plan is gone: %v", err)
		}
	}
	r.checkLeftovers()
}

func (r *executionRun) checkPlanSummary(p *plan) {
	name := phaseDir + "/" + p.id + "-SUMMARY.md"
	if b, err := os.ReadFile(filepath.Join(r.dir, name)); err == nil && string(b) == p.summary {
		return
	}
	out, err := r.git(r.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads/ken-abandoned-*")
	if err == nil && p.abandoned {
		for ref := range strings.FieldsSeq(out) {
			if text, err := r.git(r.dir, "show", ref+":./"+name); err == nil && text == strings.TrimSpace(p.summary) {
				return
			}
		}
	}
	r.recordFault("the summary of %s is lost (%v)", p.id, err)
}

// checkLeftovers looks for leftovers.
func (r *executionRun) checkLeftovers() {
	repo := filepath.Join(r.top, "project")
	for _, gone := range []string{filepath.Join(r.dir, ".ken/worktrees"), filepath.Join(repo, ".git/worktrees"), filepath.Join(repo, ".git/index.lock")} {
		if _, err := os.Lstat(gone); err == nil {
			r.recordFault("%s is left", gone)
		}
	}
	for _, dir := range []string{".git", ".git/ken/executors"} {
		entries, _ := os.ReadDir(filepath.Join(repo, dir))
		for _, e := range entries {
			work := strings.HasPrefix(e.Name(), "ken-work-") || strings.HasPrefix(e.Name(), "ken-look-")
			if work || strings.HasSuffix(e.Name(), ".json") {
				r.recordFault("%s/%s is left", dir, e.Name())
			}
		}
	}
	if out, err := r.git(repo, "for-each-ref", "--format=%(refname:short)", "refs/heads/ken-plan-*"); err != nil || out != "" {
		r.recordFault("branches are left: %s (%v)", out, err)
	}
	if out, err := r.git(repo, "status", "--porcelain", "--untracked-files=all"); err != nil || out != "" {
		r.recordFault("git status: %s (%v)", out, err)
	}
	if _, err := r.git(repo, "fsck", "--connectivity-only", "--no-dangling"); err != nil {
		r.recordFault("%v", err)
	}
}
