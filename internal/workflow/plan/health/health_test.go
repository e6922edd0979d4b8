package health_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/health"
	"ken/internal/workflow/plan/planop"
)

// project is a folder with the files that work needs, and those that are given besides; "" takes one away.
func project(t *testing.T, more map[string]string) string {
	t.Helper()
	files := map[string]string{
		"PROJECT.md": "# P\n\n## What This Is\n\n## Core Value\n\n## Requirements\n", "config.json": "{}\n",
		"ROADMAP.md": "# Roadmap\n\n## v1.0 First\n\n- [x] **Phase 1: Base**\n- [ ] **Phase 2: Next**\n\n### Phase 1: Base\n\nPlans:\n- [x] 01-01: a\n\n### Phase 2: Next\n\nPlans:\n- [ ] 02-01: b\n\n" +
			"| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. Base | 1/1 | Complete | - |\n| 2. Next | 0/1 | Not started | - |\n",
		"STATE.md":                     "---\nprogress:\n  total_plans: 2\n  percent: 50\n---\n# State\n\n## Current Position\n\nPhase: 2 of 2 (Next)\nPlan: 0 of 1\nStatus: Executing\n",
		"phases/01-base/01-01-PLAN.md": "---\nwave: 1\n---\n", "phases/01-base/01-01-SUMMARY.md": "", "phases/02-next/02-01-PLAN.md": "---\nwave: 1\n---\n",
	}
	for name, text := range more {
		files[name] = text
	}
	root := t.TempDir()
	for name, text := range files {
		if text == "" && !strings.Contains(name, "SUMMARY") {
			continue
		}
		at := filepath.Join(root, ".planning", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func asked(t *testing.T, root, line string) string {
	t.Helper()
	return askedAs(t, root, line, false)
}

// askedAs gives a line to the operations, as `ken plan` or, for original, as `ken gsd` does.
func askedAs(t *testing.T, root, line string, original bool) string {
	t.Helper()
	a, err := planop.RunWords(context.Background(), health.All(), planop.Surroundings{
		Original: original,
		Dir:      root, StateDir: filepath.Join(root, "state"), Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}, strings.Fields(line))
	if err != nil {
		return err.Error()
	}
	b, err := json.Marshal(a.Value)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestHealth has one fault a row.
func TestHealth(t *testing.T) {
	for _, row := range []struct {
		name string
		more map[string]string
		line string
		want []string
	}{
		{"whole", nil, "validate health", []string{`"status":"healthy"`, `"warnings":[]`, `"code":"I001","message":"02-next/02-01-PLAN.md has no SUMMARY.md"`, `"errors":[]`, `"repairable_count":0`}},
		{"no project", map[string]string{"PROJECT.md": ""}, "validate health", []string{`"status":"broken"`, `"code":"E002"`}},
		{"sections", map[string]string{"PROJECT.md": "# P\n"}, "validate health", []string{`PROJECT.md missing section: ## Core Value`}},
		{"no roadmap", map[string]string{"ROADMAP.md": ""}, "validate health", []string{`"code":"E003"`}},
		{"no state", map[string]string{"STATE.md": ""}, "validate health", []string{`"code":"E004"`, `"repairable_count":1`}},
		{"phase that is none", map[string]string{"STATE.md": "# State\n\n## Current Position\n\nPhase: 7 of 9 (X)\n"}, "validate health", []string{`references phase 7, but only phases 01, 02 exist`}},
		{"no config", map[string]string{"config.json": ""}, "validate health", []string{`"code":"W003"`}},
		{"broken config", map[string]string{"config.json": "{\n \"mode\": \n"}, "validate health", []string{`"code":"E005"`, `line 3`}},
		{"values", map[string]string{"config.json": `{"model_profile": "x", "branching_strategy": "y", "context_window": 0, "phase_branch_template": "z", "workflow": {}}`}, "validate health",
			[]string{`"code":"W004"`, `"code":"W012"`, `"code":"W013"`, `"code":"W014"`, `"code":"W008"`, `"code":"W016"`}},
		{"folder without a phase", map[string]string{"phases/05-x/05-01-PLAN.md": "-"}, "validate health", []string{`Phase 05 exists on disk but not in ROADMAP.md`}},
		{"name", map[string]string{"phases/notes/x.md": "-"}, "validate health", []string{`"code":"W005"`}},
		{"research", map[string]string{"phases/02-next/02-RESEARCH.md": "## Validation Architecture\n"}, "validate health", []string{`"code":"W009"`}},
		{"state behind", map[string]string{"STATE.md": "# State\n\n**Current Phase:** 1\n**Status:** Executing\n"}, "validate health", []string{`"code":"W011"`}},
		{"consistent", nil, "validate consistency", []string{`{"passed":true,"errors":[],"warnings":[],"warning_count":0}`}},
		{"orphan", map[string]string{"phases/02-next/02-03-SUMMARY.md": "x", "phases/02-next/02-04-PLAN.md": "x"}, "validate consistency", []string{`Summary 02-03-SUMMARY.md in 02-next has no matching PLAN.md`, `Gap in plan numbering in 02-next: plan 1 → 4`,
			`missing 'wave'`}},
		{"context", nil, "validate context --used 130000", []string{`"status":"warn","percent":65`}},
		{"full context", nil, "validate context --used 900 --window 1000", []string{`"status":"critical","percent":90`}},
		{"agents", nil, "validate agents", []string{`"agents_found":false`, `"installed":[]`}},
		{"no drift", nil, "doctor", []string{`"healthy":true,"drifts":[]`, `"looked_at":[".planning/STATE.md",".planning/ROADMAP.md"]`}},
		{"drift", map[string]string{"phases/02-next/02-01-SUMMARY.md": "", "phases/02-next/02-02-PLAN.md": "x"}, "doctor", []string{
			`{"file":".planning/STATE.md","line":0,"what":"progress.total_plans","says":"2","is":"3"}`, `{"file":".planning/ROADMAP.md","line":16,"what":"box of plan 02-01","says":"open","is":"done"}`,
			`"what":"Total Plans in Phase","says":"1","is":"2"`, `"says":"0/1","is":"1/2"`,
		}},
	} {
		got := asked(t, project(t, row.more), row.line)
		for _, want := range row.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s\n got %s\nwant %s", row.name, row.line, got, want)
			}
		}
	}
	if got := asked(t, t.TempDir(), "validate health"); !strings.Contains(got, `"code":"E001"`) {
		t.Error(got)
	}
}

// TestRepair repairs, keeps what it replaces, and leaves alone what it cannot know.
func TestRepair(t *testing.T) {
	root := project(t, map[string]string{"config.json": "{\n \"mode\": \n", "STATE.md": ""})
	got := asked(t, root, "validate health --repair")
	for _, want := range []string{`{"action":"resetConfig","success":true,"path":"config.json"}`, `{"action":"regenerateState","success":true,"path":"STATE.md"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	kept, err := os.ReadFile(filepath.Join(root, ".planning", "config.json.bak-2026-01-02T03-04-05"))
	if err != nil || string(kept) != "{\n \"mode\": \n" {
		t.Errorf("%q %v", kept, err)
	}
	if again := asked(t, root, "validate health"); !strings.Contains(again, `"repairable_count":0`) || !strings.Contains(again, `"errors":[]`) {
		t.Error(again)
	}
	root = project(t, map[string]string{"config.json": "{\n  \"mode\": \"yolo\", \"workflow\": {\"research\": false}\n}\n"})
	asked(t, root, "validate health --repair")
	text, err := os.ReadFile(filepath.Join(root, ".planning", "config.json"))
	if err != nil || !strings.Contains(string(text), `"nyquist_validation": true`) || !strings.HasPrefix(string(text), "{\n  \"mode\": \"yolo\", ") {
		t.Errorf("%s %v", text, err)
	}
}

// TestAgentsAreRoles: no agent is missing where its role is printed; gsd-tools has files alone.
func TestAgentsAreRoles(t *testing.T) {
	root := project(t, nil)
	for _, c := range []struct {
		line           string
		original       bool
		want, unwanted string
	}{
		{"validate agents", false, `"missing":[]`, ""},
		{"validate agents", false, "ken plan guide ROLE", ""},
		{"validate agents", true, `"missing":["gsd-`, "ken plan guide"},
		{"validate health", false, `"warnings":[]`, "W010"},
		{"validate health", true, `"code":"W010"`, ""},
	} {
		got := askedAs(t, root, c.line, c.original)
		if !strings.Contains(got, c.want) || c.unwanted != "" && strings.Contains(got, c.unwanted) {
			t.Errorf("%s, original %t: %s", c.line, c.original, got)
		}
	}
}

// TestRequirementsInPhases: every requirement is in exactly one phase, and a phase has none that is unknown; gsd-tools does not look.
func TestRequirementsInPhases(t *testing.T) {
	road := "# R\n\n- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n**Requirements**: A-1, A-2, A-9\n\n### Phase 2: B\n**Requirements**: A-2\n"
	root := project(t, map[string]string{"ROADMAP.md": road, "REQUIREMENTS.md": "## v1\n\n- [ ] **A-1**: a\n- [ ] **A-2**: b\n- [ ] **A-3**: c\n- [x] **A-4**: d\n\n## v2\n\n- **A-5**: e\n"})
	got := asked(t, root, "validate consistency")
	for _, want := range []string{"A-2 is in phases 1 and 2", "A-3 is in no phase", "A-9 of phase 1 is not in REQUIREMENTS.md"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing: %s", want, got)
		}
	}
	for _, other := range []string{"A-1 ", "A-4 ", "A-5 "} {
		if strings.Contains(got, other) {
			t.Errorf("%q is reported: %s", other, got)
		}
	}
	if got := askedAs(t, root, "validate consistency", true); strings.Contains(got, "A-") {
		t.Errorf("gsd-tools reports requirements: %s", got)
	}
	for _, text := range []string{"<<<<<<< a\n"} {
		if got := asked(t, project(t, map[string]string{"ROADMAP.md": text}), "validate consistency"); !strings.Contains(got, `"passed":false`) {
			t.Errorf("%q passes: %s", text, got)
		}
	}
}
