package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
)

// phaseTrace is what the leader has to have done, in this order; other lines may be between.
var phaseTrace = []string{
	"main: skill ken-plan", "main: ken plan guide", "main: ken overview", "ask: is this what you want?", "main: ken plan start", "main: agent project-researcher",
	"main: agent roadmapper", "main: ken plan validate consistency", "ask: is the roadmap right?", "main: ken plan commit", "main: ken plan guide plan-phase 1",
	"main: ken plan check phase-ready 1", "ask: settle open questions first", "main: agent phase-researcher", "main: agent pattern-mapper", "main: ken plan run start 1", "main: agent planner",
	"main: ken plan run report 01 planned", "main: agent plan-checker", "main: ken plan run report 01 checked --blockers 1 --warnings 0", "main: agent planner",
	"planner-2: ken plan guide planner 01", "main: ken plan run report 01 planned", "main: agent plan-checker",
	"main: ken plan run report 01 checked --blockers 0 --warnings 0", "main: ken plan waves 1", "ask: may the plans be carried out?",
	"main: ken plan run report 01 gate --result passed", "main: ken plan guide execute-phase", "main: ken plan commit", "main: ken plan run next 01",
	"main: ken plan executor create 01", "main: agent executor", "main: agent executor", "main: ken plan executor status --phase 01",
	"main: ken plan run report 01 executed --plan 01-01", "main: ken plan executor status --phase 01", "main: ken plan run report 01 failed --plan 01-02",
	"main: ken plan run report 01 repaired --plan 01-02 --result retry", "main: agent executor", "main: ken plan executor status --phase 01",
	"main: ken plan run report 01 executed --plan 01-02", "main: ken plan worktree cleanup-wave --phase 01", "main: make test", "main: ken plan run report 01 gate --ran '0 make test'",
	"main: ken plan executor create 01", "main: agent executor", "main: ken plan executor status --phase 01", "main: ken plan run report 01 executed --plan 01-03",
	"main: ken plan worktree cleanup-wave --phase 01", "main: make test", "main: agent code-reviewer", "main: agent verifier",
	"main: ken plan run report 01 verified --result passed", "main: ken plan verify phase 01", "ask: may the phase end?", "main: ken plan run report 01 gate --result passed",
	"main: ken plan commit",
}

// phaseLeftOut are the steps of guides that the run does not take, with the reasons that ken gives.
var phaseLeftOut = []string{
	"present plans (there is no PLAN)", "interface contract (it is not about interface)", "ai contract (it is not about ai)", "second check (workflow.plan_bounce is off)",
	"threats (there is no SECURITY)", "bring plans (PLAN is there)", "schema (it is not about schema)",
}

// expectTrace holds what was done against a list: its lines begin lines of the trace, in this order.
func (t *trial) expectTrace(want []string) {
	at := 0
	for _, line := range want {
		i := slices.IndexFunc(t.trace[at:], func(s string) bool { return s == line || strings.HasPrefix(s, line) })
		if i < 0 {
			last := "the beginning"
			if at > 0 {
				last = t.trace[at-1]
			}
			t.fault("trace: behind %q there is no %q", last, line)
			return
		}
		at += i + 1
	}
}

// expectFile expects texts in a file of the project.
func (t *trial) expectFile(name string, parts ...string) {
	b, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(name)))
	if err != nil {
		t.fault("%v", err)
		return
	}
	for _, p := range parts {
		if !strings.Contains(string(b), p) {
			t.fault("%s has no %q", name, p)
		}
	}
}

// git returns the output of git in the project.
func (t *trial) git(args ...string) string {
	out, err := world.Git(t.ctx, t.root, args...)
	if err != nil {
		t.fault("%v", err)
	}
	return out
}

// expectGit expects a line of git's output to be a text.
func (t *trial) expectGit(want string, args ...string) {
	if got := t.git(args...); got != want {
		t.fault("git %s: %q instead of %q", strings.Join(args, " "), got, want)
	}
}

// checkPhase holds repository, commits, planning files and trace against what a phase leaves that was carried out well.
func (t *trial) checkPhase() {
	t.expectTrace(phaseTrace)
	for _, name := range phaseLeftOut {
		if !strings.Contains(t.agents["main"].reads.String(), name) {
			t.fault("no guide accounts for the step %s", name)
		}
	}
	t.expectGit("", "status", "--porcelain", "--untracked-files=all")
	t.expectGit("* main", "branch", "--list")
	t.expectGit("3", "rev-list", "--count", "--merges", "HEAD")
	if n := strings.Count(t.git("worktree", "list", "--porcelain"), "worktree "); n != 1 {
		t.fault("%d work trees are left", n-1)
	}
	subjects := strings.Split(t.git("log", "--format=%s"), "\n")
	for _, want := range []string{
		"docs: begin the plan", "docs: research of the phase", "docs: plans of the phase", "Merge plan 01-01 of phase 01", "Merge plan 01-02 of phase 01", "Merge plan 01-03 of phase 01",
		"feat(01-01): the greeting", "feat(01-02): the name", "feat(01-03): the command", "docs: review of the phase", "docs: verification of the phase", "docs: the phase is complete",
	} {
		if !slices.Contains(subjects, want) {
			t.fault("there is no commit %q", want)
		}
	}
	for _, p := range plans {
		t.expectFile(p.file, p.code)
		t.expectFile(p.test, p.check)
		t.expectFile(phaseDir+p.id+"-SUMMARY.md", "Self-Check: PASSED", p.file)
		t.expectFile(phaseDir+"01-VERIFICATION.md", "| "+p.truth+" | verified | sh "+p.test+" ends with 0 |")
	}
	if r := t.runShell("make test"); r.failed {
		t.fault("make test: %s", r.text)
	}
	t.expectFile(phaseDir+"01-VERIFICATION.md", "status: passed")
	t.expectFile(phaseDir+"01-REVIEW.md", "status: clean")
	t.expectFile(phaseDir+"01-RESEARCH.md", "Primary recommendation")
	t.expectFile(phaseDir+"01-PATTERNS.md", "## Files")
	t.expectFile(".planning/research/SUMMARY.md", "shell")
	t.expectFile(".planning/ROADMAP.md", "- [x] **Phase 1: Greet**", "- [ ] **Phase 2: Languages**", "| 1. Greet | 3/3 | Complete")
	t.expectFile(".planning/REQUIREMENTS.md", "- [x] **GREET-01**", "- [x] **GREET-02**", "- [ ] **LANG-01**")
	t.expectFile(".planning/STATE.md", "completed_phases: 1", "total_plans: 3", "completed_plans: 3", "Phase: 2 of 2")
	t.expectCounts(3, 3)
}

// expectCounts expects ken to count plans so, and STATE.md to agree with it.
func (t *trial) expectCounts(done, all int) {
	var page struct {
		Done  int `json:"completed_plans"`
		Plans int `json:"total_plans"`
		Stale []string
	}
	r := t.runShell("ken plan show --json 2>/dev/null")
	if err := json.Unmarshal([]byte(r.text), &page); err != nil {
		t.fault("ken plan show: %s", r.text)
		return
	}
	if page.Done != done || page.Plans != all || len(page.Stale) > 0 {
		t.fault("ken plan counts %d of %d plans; STATE.md is stale: %v", page.Done, page.Plans, page.Stale)
	}
}

// fastTrace is what a small change takes.
var fastTrace = []string{
	"main: skill ken-do", "main: ken plan size lib/name.sh", "main: ken plan guide fast", "main: ken brief", "main: ken impact lib/name.sh", "main: Edit lib/name.sh", "main: make test",
	"main: ken impact --diff",
}

// checkFast holds what a small change leaves against what it has to.
func (t *trial) checkFast() {
	t.expectTrace(fastTrace)
	t.expectFile("lib/name.sh", "a name is missing")
	t.expectGit("", "status", "--porcelain", "--untracked-files=all")
	t.expectGit("fix(name) - the message is a sentence", "log", "-1", "--format=%s")
	t.expectGit("lib/name.sh", "show", "--format=", "--name-only")
	if _, err := os.Stat(filepath.Join(t.root, ".planning")); err == nil {
		t.fault("there is a planning folder")
	}
}
