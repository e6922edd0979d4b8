package statechange_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/statechange"
	"ken/internal/worktree"
)

var update = flag.Bool("update", false, "write what is expected")

// TestOperations runs the steps of testdata: what each operation answers and which lines it changes.
func TestOperations(t *testing.T) {
	operationtest.Run(t, statechange.All(), "testdata/*.txtar", *update)
}

const (
	roadmapText = "# Roadmap\n\n## v1.0 First\n\n### Phase 1: Base\n**Goal**: a\n\n### Phase 2: Search\n**Goal**: b\n"
	positionOf  = "# State\n\n## Current Position\n\nPhase: 2 of 2 (Search)\nPlan: %s\nStatus: Planning\nLast activity: 2026-01-01\n"
)

// steps runs steps over a folder with two phases, the second of three plans.
func steps(t *testing.T, state string, list ...string) string {
	t.Helper()
	return operationtest.Steps(t, statechange.All(), strings.Join(list, "\n")+"\n", map[string]string{
		"STATE.md": state, "ROADMAP.md": roadmapText, "phases/02-search/02-01-PLAN.md": "", "phases/02-search/02-02-PLAN.md": "", "phases/02-search/02-03-PLAN.md": "",
	})
}

func contains(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("%q is not in:\n%s", p, got)
		}
	}
}

// TestAdvanceCountsPlansOnDisk: how many plans a phase has and which is next is counted, whatever the copy says.
func TestAdvanceCountsPlansOnDisk(t *testing.T) {
	for _, c := range []struct {
		plan string
		done int
		want string
	}{
		{"1 of 1", 1, "+Plan: 2 of 3"}, {"0 of 2", 2, "+Plan: 3 of 3"}, {"Not started", 0, "+Plan: 1 of 3"}, {"1 of 9 in current phase", 2, "+Plan: 3 of 3 in current phase"},
		{"1 of 3", 0, `"reason": "no_summary"`}, {"3 of 3", 1, "+Plan: 2 of 3"}, {"1 of 3", 3, `"reason": "last_plan"`},
	} {
		files := map[string]string{
			"STATE.md": fmt.Sprintf(positionOf, c.plan), "ROADMAP.md": roadmapText, "phases/02-search/02-01-PLAN.md": "", "phases/02-search/02-02-PLAN.md": "",
			"phases/02-search/02-03-PLAN.md": "",
		}
		for n := range c.done {
			files[fmt.Sprintf("phases/02-search/02-0%d-SUMMARY.md", n+1)] = ""
		}
		contains(t, operationtest.Steps(t, statechange.All(), "> state advance-plan\n", files), c.want, `"total_plans": 3`)
	}
	contains(t, steps(t, "# State\n", "> state advance-plan"), "fault: plan_not_found")
}

// TestUnknownBlockerIsNotResolved: what is not there is not reported as done.
func TestUnknownBlockerIsNotResolved(t *testing.T) {
	got := steps(t, "# State\n\n## Blockers\n\n- The key\n", "> state resolve-blocker --text disk")
	contains(t, got, `"resolved": false`, `"near": [`, `"The key"`)
}

// TestSyncIsNoActivity: computing counters anew is not work on the plan.
func TestSyncIsNoActivity(t *testing.T) {
	got := steps(t, fmt.Sprintf(positionOf, "1 of 9"), "> state sync", "again")
	if contains(t, got, "+Plan: 1 of 3"); strings.Contains(got, "activity") {
		t.Errorf("%s", got)
	}
}

// TestBothPlacesAreSet: a file that followed both templates says the position twice.
func TestBothPlacesAreSet(t *testing.T) {
	got := steps(t, "# State\n\n**Status:** Planning\n\n"+fmt.Sprintf(positionOf, "1 of 3")[9:], "> state update Status Paused", "again")
	contains(t, got, "+**Status:** Paused", "+Status: Paused")
}

// TestWorkTreeChangesTheMainTree: what a task in a tree of its own says of the plan is in the tree that all share.
func TestWorkTreeChangesTheMainTree(t *testing.T) {
	main := t.TempDir()
	write := func(root, text string) {
		dir := filepath.Join(root, folder.Name)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "STATE.md"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	state := fmt.Sprintf(positionOf, "1 of 3")
	write(main, state)
	tree := filepath.Join(main, worktree.Folder, "a1")
	other := filepath.Join(t.TempDir(), "other")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "x"}, {"worktree", "add", "-q", tree}, {"worktree", "add", "-q", other}} {
		args = append([]string{"-C", main, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, c := range []struct{ in, changes string }{{tree, main}, {other, other}} {
		_, err := planop.RunWords(t.Context(), statechange.All(), planop.Surroundings{Dir: c.in, Getenv: func(string) string { return "" }, Now: time.Now}, []string{"state", "update", "Status", "Paused"})
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range []string{main, tree, other} {
			b, err := os.ReadFile(filepath.Join(root, folder.Name, "STATE.md"))
			if changed := string(b) != state; err != nil || changed != (root == c.changes) {
				t.Errorf("in %s: %s changed: %v, %v", c.in, root, changed, err)
			}
		}
		write(c.changes, state)
	}
}

// TestPruneTakesRowsOfPhases: a row of a table whose first column is no phase stays, though it begins with a number.
func TestPruneTakesRowsOfPhases(t *testing.T) {
	text := "# S\n\n## Current Position\n\nPhase: 9 of 9 (X)\n\n## Performance Metrics\n\n| Metric | Value |\n|---|---|\n| 3 retries | 9 |\n\n| Phase | Plans |\n|---|---|\n| 3. Show | 1 |\n"
	got := operationtest.Steps(t, statechange.All(), "> state prune\n", map[string]string{"STATE.md": text})
	if !strings.Contains(got, "-| 3. Show | 1 |") || strings.Contains(got, "3 retries") {
		t.Error(got)
	}
}
