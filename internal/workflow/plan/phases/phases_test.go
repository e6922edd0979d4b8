package phases_test

import (
	"flag"
	"strings"
	"testing"

	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop/operationtest"
)

var update = flag.Bool("update", false, "write what is expected")

// TestOperations runs the steps of testdata: what each operation answers and which lines it changes.
func TestOperations(t *testing.T) {
	operationtest.Run(t, phases.All(), "testdata/*.txtar", *update)
}

const roadmapText = `# Roadmap

Phase 2: is late, says Phase 3 of the contract.

- [ ] **Phase 1: Base**
- [ ] **Phase 2: Search**
- [ ] **Phase 3: Show**
- [ ] **Phase 10: Ship**

### Phase 1: Base
**Goal**: a in 40-45 days
**Requirements**: A-1

### Phase 2: Search
**Goal**: b

### Phase 3: Show
**Goal**: c
**Depends on:** Phase 2

### Phase 10: Ship
**Goal**: d, see 10-03 of the standard
**Depends on:** Phase 3
`

// steps runs steps over a folder with phases of which the first was carried out.
func steps(t *testing.T, list ...string) string {
	t.Helper()
	return operationtest.Steps(t, phases.All(), strings.Join(list, "\n")+"\n", map[string]string{
		"ROADMAP.md": roadmapText, "REQUIREMENTS.md": "- [ ] **A-1**: x\n", "phases/01-base/01-01-PLAN.md": "", "phases/01-base/01-01-SUMMARY.md": "",
		"phases/01-base/01-VERIFICATION.md": "---\nstatus: passed\n---\n",
		"phases/03-show/03-01-PLAN.md":      "", "phases/10-ship/10-01-PLAN.md": "---\nphase: 10-ship\ndepends_on:\n  - 02-01\n  - 03-01\n---\n",
	})
}

func check(t *testing.T, got string, wanted, unwanted []string) {
	t.Helper()
	for _, part := range wanted {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
	for _, part := range unwanted {
		if strings.Contains(got, part) {
			t.Errorf("%q is in:\n%s", part, got)
		}
	}
}

// TestRemoveRenumbersByPlace: numbers change where the roadmap has phases, not wherever the same digits are.
func TestRemoveRenumbersByPlace(t *testing.T) {
	got := steps(t, "> phase remove 2")
	check(t, got, []string{"+### Phase 2: Show", "+### Phase 9: Ship", "+**Depends on:** Phase 1", "-**Depends on:** Phase 3", `"to": "09-ship"`, "+phase: 09-ship", "+  - 02-01", `"text": "Phase 2: is late, says Phase 3 of the contract."`},
		[]string{"-Phase 2: is late", "+Phase", "40-45", "39-45", "09-03", "+  - 03-01", "Phase 09"})
}

// TestCompleteNeedsAllSummaries: a phase with plans that nobody carried out is not complete.
func TestCompleteNeedsAllSummaries(t *testing.T) {
	check(t, steps(t, "> phase complete 3"), []string{"fault: phase_incomplete", "03-01"}, []string{"***"})
	check(t, steps(t, "> phase complete 3 --force"), []string{`"has_warnings": true`, "+- [x] **Phase 3: Show** (completed 2026-03-04)"}, nil)
}

// TestNextPhaseNeedsNoFolder: the next phase is that of the roadmap, also while a later one alone has a folder.
func TestNextPhaseNeedsNoFolder(t *testing.T) {
	check(t, steps(t, "> phase complete 1", "again"), []string{`"next_phase": "2"`, `"next_phase_name": "search"`, `"requirements_updated": true`}, nil)
}

// TestBoxIsTickedWhenVerified: that all plans have a summary is no verification.
func TestBoxIsTickedWhenVerified(t *testing.T) {
	files := map[string]string{
		"ROADMAP.md": "# R\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n", "phases/01-base/01-01-PLAN.md": "", "phases/01-base/01-01-SUMMARY.md": "",
	}
	const step = "> roadmap update-plan-progress 1\n"
	check(t, operationtest.Steps(t, phases.All(), step, files), []string{`"status": "Executed"`, `"complete": false`}, []string{"[x]"})
	files["phases/01-base/01-VERIFICATION.md"] = "---\nstatus: passed\n---\n"
	check(t, operationtest.Steps(t, phases.All(), step, files), []string{`"complete": true`, "+- [x] **Phase 1: Base**"}, nil)
}

// TestChangesKeepStateTrue: whatever a change does to the files, the counters of STATE.md are right behind it.
func TestChangesKeepStateTrue(t *testing.T) {
	files := map[string]string{
		"ROADMAP.md": "# R\n\n### Phase 1: Base\n\n### Phase 2: More\n", "phases/01-base/01-01-PLAN.md": "", "phases/01-base/01-01-SUMMARY.md": "",
		"STATE.md": "---\nprogress:\n  total_phases: 2\n  total_plans: 1\n  completed_plans: 1\n  percent: 50\n---\n# S\n\nPhase: 1 of 2 (Base)\nPlan: 1 of 1\n",
	}
	got := operationtest.Steps(t, phases.All(), "> phase add Third\n> phase remove 2\n> phases clear --confirm\n", files)
	check(t, got, []string{"+  total_phases: 3", "+  percent: 33", "+Phase: 1 of 3 (Base)", "+  total_phases: 2", "+  total_plans: 0"}, nil)
}

// TestCompletedPhaseIsLeft: STATE.md does not go on naming a phase as the present work, or a place in it as that of the last session.
func TestCompletedPhaseIsLeft(t *testing.T) {
	const session = "\n## Session Continuity\n\nLast session: 2026-01-01\nStopped at: 01-01 is half done\nResume file: phases/01-base/.continue-here.md\n"
	for _, c := range []struct{ focus, more, want string }{
		{"Phase 1 — Base", "", "Milestone complete"},
		{"Phase 1: Base", "- [ ] **Phase 2: Show**\n", "Phase 2 — Show"},
		{"Base", "- [ ] **Phase 2: Show**\n", "Phase 2 — Show"},
		{"the budget of the project", "- [ ] **Phase 2: Show**\n", ""},
	} {
		got := operationtest.Steps(t, phases.All(), "> phase complete 1 --force\n", map[string]string{
			"ROADMAP.md": "# R\n\n- [ ] **Phase 1: Base**\n" + c.more + "\n### Phase 1: Base\n", "phases/01-base/01-01-PLAN.md": "", "phases/01-base/01-01-SUMMARY.md": "",
			"STATE.md": "# S\n\n## Project Reference\n\n**Current focus:** " + c.focus + "\n\n## Current Position\n\nPhase: 1 of 2 (Base)\n" + session,
		})
		check(t, got, []string{"+Stopped at: phase 1 is complete", "+Resume file: None"}, nil)
		if c.want != "" {
			check(t, got, []string{"+**Current focus:** " + c.want}, nil)
		} else {
			check(t, got, nil, []string{"+**Current focus:**"})
		}
	}
}
