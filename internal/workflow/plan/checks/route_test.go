package checks_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/checks"
	"ken/internal/workflow/plan/planop"
)

// TestRoute asks about a folder with a phase that is done, one that is planned and two that are not.
func TestRoute(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"ROADMAP.md":      "# Roadmap\n\n## v1.0 First\n\n### Phase 1: Base\n**Goal**: a base\n\n### Phase 2: Cart page\n**Goal**: a page\n**Depends on**: Phase 1\n\n### Phase 3: Pay\n**Depends on**: Phase 2\n\n### Phase 4: End\n",
		"STATE.md":        "# State\n\n## Current Position\n\nPhase: 2 of 4 (Cart page)\nStatus: Executing\nLast activity: 2026-01-01 — Began\n\n### Blockers/Concerns\n\n- the key is missing\n",
		"REQUIREMENTS.md": "# Requirements\n\n## v1\n\n- [x] **A-01**: a\n- [ ] **A-02**: b\n", "phases/01-base/01-01-PLAN.md": "x", "phases/01-base/01-01-SUMMARY.md": "x",
		"phases/01-base/01-VERIFICATION.md": "---\nstatus: passed\n---\n", "phases/02-cart/02-01-PLAN.md": "x", "phases/02-cart/02-CONTEXT.md": "x", "phases/03-pay/.gitkeep": "",
		"phases/04-end/04-01-PLAN.md": "<objective>[What this plan builds]</objective>\n",
	} {
		at := filepath.Join(root, ".planning", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ line, want string }{
		{"route next-action", `{"command":"execute-phase","args":["2"],"reason":"02-01 to carry out","current_phase":"2","phase_name":"Cart page","gates":["blocker: the key is missing"],"context":[".planning/phases/02-cart/02-CONTEXT.md"]}`},
		{"check phase-ready 2", `"ready":true,"phase":"2","has_context":true,"has_research":false,"has_plans":true`},
		{"check phase-ready 2", `"has_ui_indicators":true,"dependencies_met":true,"blockers":[],"next_step":"execute-phase"`},
		{"check phase-ready 3", `"dependencies_met":false,"blockers":["phase 2 is not complete","it has no plan"],"next_step":"discuss-phase"`},
		{"check phase-ready 4", `"ready":false,"phase":"4"`},
		{"check phase-ready 4", `"blockers":["to fill: 04-01"],"next_step":"plan-phase"`},
		{"check phase-ready 9", `"found":false,"ready":false`},
		{"check verification-status 1", `{"found":true,"status":"passed","file":".planning/phases/01-base/01-VERIFICATION.md"}`},
		{"check verification-status 2", `{"found":true,"status":"missing","file":null}`},
		{"stats", `{"number":"02","name":"Cart page","plans":1,"summaries":0,"status":"Planned"},{"number":"03","name":"Pay","plans":0,"summaries":0,"status":"Not Started"}`},
		{"stats", `"percent":25,"phases_completed":1`},
		{"stats", `"phases_completed":1,"phases_total":4,"plan_percent":33,"requirements_total":2,"requirements_complete":1,"last_activity":"2026-01-01 — Began"`},
	} {
		a, err := planop.RunWords(context.Background(), checks.All(), planop.Surroundings{Dir: root, Getenv: func(string) string { return "" }, Now: time.Now}, strings.Fields(row.line))
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(a.Value)
		if err != nil || !strings.Contains(string(b), row.want) {
			t.Errorf("%s %v\n got %s\nwant %s", row.line, err, b, row.want)
		}
	}
}
