package checks_test

import (
	"encoding/json"
	"flag"
	"maps"
	"strings"
	"testing"

	"ken/internal/workflow/plan/checks"
	"ken/internal/workflow/plan/configure"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/settings"
)

var update = flag.Bool("update", false, "write what is expected")

// TestOperations asks the questions of testdata about the folders that are there.
func TestOperations(t *testing.T) {
	operationtest.Run(t, checks.All(), "testdata/*.txtar", *update)
}

// withPhases are files of a project with those of one more test.
func withPhases(more map[string]string) map[string]string {
	files := map[string]string{
		".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n**Goal**: a\n\n### Phase 2: Show\n**Goal**: b\n",
		".planning/STATE.md":   "# State\n\nPhase: 1 of 2 (Base)\nStatus: Executing\n",
	}
	maps.Copy(files, more)
	return files
}

// answer asks and reads the answer into what is given.
func answer(t *testing.T, p *operationtest.Project, line string, into any) {
	t.Helper()
	text, err := p.Do(operationtest.Words(line)...)
	if err == nil {
		err = json.Unmarshal([]byte(text), into)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, text)
	}
}

// TestCompletionAgreesWithPhaseComplete: the original completes a phase with missing summaries. What the check says is what completing
// a phase does.
func TestCompletionAgreesWithPhaseComplete(t *testing.T) {
	const dir = ".planning/phases/01-base/01-"
	for name, row := range map[string]struct {
		files    map[string]string
		complete bool
	}{
		"no folder":       {nil, false},
		"no plan":         {map[string]string{dir + "CONTEXT.md": "x"}, false},
		"no summary":      {map[string]string{dir + "01-PLAN.md": "x"}, false},
		"one of two":      {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x", dir + "02-PLAN.md": "x"}, false},
		"of another plan": {map[string]string{dir + "01-PLAN.md": "x", dir + "02-SUMMARY.md": "x"}, false},
		"carried out":     {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x"}, false},
		"gaps":            {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x", dir + "VERIFICATION.md": "---\nstatus: gaps_found\n---\n"}, false},
		"gaps in a field": {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x", dir + "VERIFICATION.md": "# V\n\n**Status:** gaps_found\n"}, false},
		"a conflict": {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x",
			dir + "VERIFICATION.md": "---\nstatus: passed\n---\n<<<<<<< a\n=======\n>>>>>>> b\n"}, false},
		"passed":   {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x", dir + "VERIFICATION.md": "---\nstatus: passed\n---\n"}, true},
		"a person": {map[string]string{dir + "01-PLAN.md": "x", dir + "01-SUMMARY.md": "x", dir + "VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := operationtest.New(t, append(checks.All(), phases.All()...), withPhases(row.files))
			var got struct {
				Complete bool
				Blockers []string
			}
			answer(t, p, "check completion phase 1", &got)
			if got.Complete != row.complete || got.Complete != (len(got.Blockers) == 0) {
				t.Errorf("complete %v, want %v; blockers %q", got.Complete, row.complete, got.Blockers)
			}
			if _, err := p.Do("phase", "complete", "1", "--dry-run"); (err == nil) != row.complete {
				t.Errorf("phase complete: %v, and the check says %v", err, row.complete)
			}
		})
	}
}

// TestCompletionOfUnknownPhases: a section that does not hold the phases of the milestone, or no roadmap, is not a milestone of
// no phases that is complete, and `milestone complete` refuses it, too.
func TestCompletionOfUnknownPhases(t *testing.T) {
	done := map[string]string{".planning/phases/01-base/01-01-PLAN.md": "x", ".planning/phases/01-base/01-01-SUMMARY.md": "x"}
	for name, row := range map[string]struct{ roadmap, want string }{
		"truncated": {"# Roadmap\n\n## v1.0 First\n\ntext\n\n## ✅ Details\n\n### Phase 1: Base\n**Goal**: a\n", "truncated"},
		"conflict":  {"<<<<<<< a\n### Phase 1: Base\n=======\n>>>>>>> b\n", "unreadable"},
		"none":      {"", "unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			files := withPhases(done)
			files[".planning/STATE.md"] = "---\nmilestone: v1.0\n---\n\n# State\n\nStatus: Executing\n"
			if files[".planning/ROADMAP.md"] = row.roadmap; row.roadmap == "" {
				delete(files, ".planning/ROADMAP.md")
			}
			p := operationtest.New(t, append(checks.All(), phases.All()...), files)
			var got struct {
				Complete bool
				Scope    string
				Blockers []string
			}
			answer(t, p, "check completion milestone", &got)
			if got.Complete || got.Scope != row.want || len(got.Blockers) == 0 {
				t.Errorf("%+v, want scope %s", got, row.want)
			}
			p.Fails("milestone complete v1.0 --dry-run")
		})
	}
}

// TestCompletionOfMilestoneWithUnplannedPhase: all plans of phase 1 are not all of the milestone, and a phase in a code fence or in
// a sentence is none.
func TestCompletionOfMilestoneWithUnplannedPhase(t *testing.T) {
	files := withPhases(map[string]string{".planning/phases/01-base/01-01-PLAN.md": "x", ".planning/phases/01-base/01-01-SUMMARY.md": "x",
		".planning/config.json": `{"workflow": {"verifier": false}}`})
	files[".planning/ROADMAP.md"] += "\n```\n### Phase 7: An example\n```\n\nSee ### Phase 8: of the contract.\n"
	p := operationtest.New(t, append(checks.All(), phases.All()...), files)
	p.Want("check completion milestone", `{"complete":false,"phase_count":2,"phases_complete":1,"phases_incomplete":["02"],`+
		`"blockers":["phase 2 was not begun"],"scope":"unscoped"}`)
	p.Fails("milestone complete v1.0 --dry-run", "phase 2 was not begun")
	p.Write(".planning/phases/02-show/02-01-PLAN.md", "x")
	p.Write(".planning/phases/02-show/02-01-SUMMARY.md", "x")
	p.Want("check completion milestone", `{"complete":true,"phase_count":2,"phases_complete":2,"phases_incomplete":[],"blockers":[],"scope":"unscoped"}`)
}

// TestConfigGatesKeysCanBeSet: every key that is read for config-gates can be set, and what was set is what is answered. The setter of
// the original rejects keys that its own code reads.
func TestConfigGatesKeysCanBeSet(t *testing.T) {
	p := operationtest.New(t, append(checks.All(), configure.All()...), withPhases(nil))
	before := map[string]any{}
	answer(t, p, "check config-gates", &before)
	keys := map[string]string{
		"research_enabled": "research", "plan_checker_enabled": "plan_check", "auto_chain_active": "_auto_chain_active",
	}
	for field, value := range before {
		if field == "workflow" {
			continue
		}
		key := "workflow." + field
		if keys[field] != "" {
			key = "workflow." + keys[field]
		}
		if field == "context_window" {
			key = field
		}
		row, ok := settings.Find(key)
		if !ok {
			t.Errorf("%s: there is no key %s", field, key)
			continue
		}
		var other string
		switch value := value.(type) {
		case bool:
			other = map[bool]string{true: "false", false: "true"}[value]
		case float64:
			other = "7"
		default:
			other = row.Values[0]
			if other == value {
				other = row.Values[1]
			}
		}
		if _, err := p.Do("config-set", key, other); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		after := map[string]any{}
		answer(t, p, "check config-gates", &after)
		if b, _ := json.Marshal(after[field]); strings.Trim(string(b), `"`) != other {
			t.Errorf("%s was set to %s and is %s", key, other, b)
		}
	}
}

// TestConfigGatesWarn: a config.json that cannot be read has the defaults, and the answer says that it could not.
func TestConfigGatesWarn(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"half a file": {`{"workflow": {"research": false`, "config.json: line 1"},
		"a list":      {`[]`, "is not an object"},
		"a text":      {`{"workflow": {"research": "false"}}`, "true or false"},
		"a typo":      {`{"workflow": {"reserch": false}}`, "workflow.research meant"},
		"fine":        {`{"workflow": {"ui_review": false, "post_planning_gaps": true}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := operationtest.New(t, checks.All(), withPhases(map[string]string{".planning/config.json": row.text}))
			for _, line := range []string{"check config-gates", "check auto-mode"} {
				var got struct {
					Research bool `json:"research_enabled"`
					Active   bool
					Warnings []string
				}
				answer(t, p, line, &got)
				if text := strings.Join(got.Warnings, "\n"); (row.want == "") != (text == "") || !strings.Contains(text, row.want) {
					t.Errorf("%s: warnings %q, want %q", line, text, row.want)
				}
				if got.Active || line == "check config-gates" && !got.Research {
					t.Errorf("%s: %+v, want the defaults", line, got)
				}
			}
		})
	}
}

// TestGatesLookWherePausesAre: the original looks for .continue-here.md at the top of the project alone, and pauses write it into the
// folder of what was worked on.
func TestGatesLookWherePausesAre(t *testing.T) {
	const rows = "## Critical Anti-Patterns\n\n| Pattern | Description | Severity | Prevention |\n|-|-|-|-|\n| Mocks | x | %s | y |\n"
	for _, file := range []string{
		".continue-here.md", ".planning/.continue-here.md", ".planning/phases/01-base/.continue-here.md", ".planning/spikes/001-a/.continue-here.md",
		".planning/sketches/001-a/.continue-here.md",
	} {
		p := operationtest.New(t, checks.All(), withPhases(map[string]string{file: strings.ReplaceAll(rows, "%s", "**Blocking**")}))
		p.Want("check gates execute-phase", `{"passed":false,"blockers":[{"gate":"continue-here","file":"`+file+
			`","severity":"blocking","anti_patterns":["Mocks"]}],"warnings":[]}`)
		p.Write(file, strings.ReplaceAll(rows, "%s", "advisory"))
		p.Want("check gates execute-phase", `{"passed":true,"blockers":[],"warnings":[{"gate":"continue-here","phase":"","file":"`+file+
			`","items":[],"message":"work was paused here; read the file, or go on with resume-work"}]}`)
	}
}
