package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPlan(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Plan
	}{
		"nothing": {"", Plan{}},
		"position": {
			"# Project State\n\n## Current Position\n\nPhase: 6 of 10 (UI Module Extraction) — IN PROGRESS\nPlan: 2 of 3\nStatus: Executing\n",
			Plan{"Phase 6: UI Module Extraction", "Executing"},
		},
		"front matter without a phase": {
			"---\nstatus: executing\nprogress:\n  status: nested\n---\n\n## Current Position\r\n\r\nPhase: 5 of 7 (Foundation)\r\nStatus: Ready\r\n",
			Plan{"Phase 5: Foundation", "executing"},
		},
		"front matter": {
			"---\ncurrent_phase: 03\ncurrent_phase_name: \"Sign in\"\nstatus: completed\n---\n# State\n\n**Current Phase:** 03\n**Status:** Phase 02 Complete\n",
			Plan{"Phase 03: Sign in", "completed"},
		},
		"the name is in the text":             {"---\ncurrent_phase: 3\n---\n## Current Position\n\nPhase: 03 of 5 (Sign in)\n", Plan{Phase: "Phase 3: Sign in"}},
		"the text is of another phase":        {"---\ncurrent_phase: 4\n---\n## Current Position\n\nPhase: 3 of 5 (Sign in)\n", Plan{Phase: "Phase 4"}},
		"classic":                             {"**Current Phase:** 2.1\n**Current Phase Name:** Repair\n**Status:** Planning\n", Plan{"Phase 2.1: Repair", "Planning"}},
		"a dash":                              {"**Current Phase:** 12 — Release gate\n", Plan{Phase: "Phase 12: Release gate"}},
		"none":                                {"**Status:** Milestone Complete\n**Current Phase:** —\n", Plan{Status: "Milestone Complete"}},
		"an archive is not where the work is": {"# State\n\n## Archive\n\nPhase: 1 of 5 (Old)\nStatus: Done\n\n## Current Position\n\nPhase: 4 of 5 (New)\n", Plan{Phase: "Phase 4: New"}},
		"half a front matter":                 {"---\ncurrent_phase: 3\n", Plan{}},
		"conflict":                            {"<<<<<<< HEAD\n=======\n>>>>>>> x\n", Plan{}},
	} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, ".planning"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, PlanFile), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := ReadPlan(root); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	for status, want := range map[string]bool{"Executing": true, "in_progress": true, "In progress": true, "Ready to execute": true, "planning": false, "": false} {
		if got := (Plan{Status: status}).IsExecuting(); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
}

// TestPlanStrange: what is no file of state says nothing.
func TestPlanStrange(t *testing.T) {
	root := t.TempDir()
	if got := ReadPlan(root); got != (Plan{}) {
		t.Errorf("%+v", got)
	}
	os.Mkdir(filepath.Join(root, ".planning"), 0o755)
	path := filepath.Join(root, PlanFile)
	os.WriteFile(path, []byte("Phase: 1 (x)\n"+strings.Repeat("x", maxPlan)), 0o644)
	if got := ReadPlan(root); got != (Plan{}) {
		t.Errorf("a huge one: %+v", got)
	}
	os.Remove(path)
	other := filepath.Join(t.TempDir(), "other")
	os.WriteFile(other, []byte("Phase: 1 (x)\n"), 0o644)
	if err := os.Symlink(other, path); err != nil {
		t.Skip(err)
	}
	if got := ReadPlan(root); got != (Plan{}) {
		t.Errorf("a link: %+v", got)
	}
}

func FuzzPlan(f *testing.F) {
	f.Add("---\ncurrent_phase: 3\n---\n## Current Position\nPhase: 3 of 5 (a)\n")
	f.Fuzz(func(t *testing.T, text string) {
		if p := parsePlan(text); strings.Contains(p.Phase, "\n") {
			t.Errorf("%q", p.Phase)
		}
	})
}
