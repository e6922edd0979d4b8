package planning_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/planning"
	"ken/internal/workflow/plan/planop"
)

// gsdRun gives `ken gsd` a command line in a folder. It returns the exit code and what was written on standard output.
func gsdRun(t *testing.T, dir, line string) (code int, stdout string) {
	t.Helper()
	var out, faults bytes.Buffer
	c := planning.GSD{Operations: planning.All(), Stdout: &out, Stderr: &faults, In: planop.Surroundings{
		Dir: dir, StateDir: t.TempDir(), Stdin: strings.NewReader(""), Getenv: func(string) string { return "" }, Now: time.Now,
	}}
	err := c.Run(context.Background(), strings.Split(line, "|"))
	if ended := (*planning.ExitError)(nil); errors.As(err, &ended) {
		return ended.Code, out.String()
	}
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return 0, out.String()
}

// planningFolder makes a project with a planning folder.
func planningFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, ".planning", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const twoPhases = "# Roadmap\n\n- [x] **Phase 1: Base** - a\n- [ ] **Phase 2: Show** - b\n\n### Phase 1: Base\n**Goal**: a base\n\n### Phase 2: Show\n**Goal**: a show\n"

func twoPhaseFolder(t *testing.T) string {
	return planningFolder(t, map[string]string{
		"ROADMAP.md": twoPhases, "STATE.md": "# State\n\n## Current Position\n\nPhase: 1 of 2 (Base)\nPlan: 1 of 1\nStatus: Blocked on infra\n",
		"config.json": "{}", "phases/01-base/01-01-PLAN.md": "---\nphase: 01\nplan: 01\n---\n\n<objective>x</objective>\n",
		"phases/01-base/01-01-SUMMARY.md": "---\nphase: 01\n---\n",
	})
}

// TestGSDForms: command lines that gsd-tools takes, with its exit codes and the form of its answers.
func TestGSDForms(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		want string // part of standard output; "" for none
	}{
		{"config-path", 0, "/.planning/config.json"},
		{"stats|table", 0, `"rendered": "# v1.0 milestone — Statistics`},
		{"stats|bar", 0, `"phases_total": 2`},
		{"stats.json", 0, `"phases_total": 2`},
		{"progress.bar", 0, `"bar": "[`},
		{"state|nonsense", 0, `"state_raw"`},
		{"current-timestamp|nonsense", 0, `"timestamp"`},
		{"milestone|complete|v9.9|--name|Big|One|--force", 0, `"name": "Big One"`},
		{"state|add-blocker", 0, `"error"`},
		{"state|add-decision", 0, `"error"`},
		{"phases|list|--phase|1", 0, `"01-base"`},
		{"phases|list|--phase|2", 0, `"Phase not found"`},
		{"websearch|x", 0, `"available": false`},
		{"state|signal-resume", 0, `"removed": false`},
		{"state|json", 0, `"status": "Blocked on infra"`},
		{"phase|complete|9", 1, ""},
		{"phase|complete|2", 1, ""}, // it has no folder
		{"phase|insert|9|Between", 1, ""},
		{"phase|remove|1", 1, ""},
		{"roadmap|update-plan-progress|9", 1, ""},
		{"roadmap|update-plan-progress|2", 1, ""},
		{"scaffold|context|--phase|9", 1, ""},
		{"scaffold|uat|--phase|2", 1, ""},
		{"phases|clear", 1, ""},
		{"verify|nonsense", 1, ""},
	} {
		code, out := gsdRun(t, twoPhaseFolder(t), c.line)
		if code != c.code || !strings.Contains(out, c.want) || c.want == "" && out != "" {
			t.Errorf("%s: code %d, want %d; answer %.300q, want %q in it", c.line, code, c.code, out, c.want)
		}
	}
}

// TestGSDWithoutFiles: where files are missing, `ken gsd` ends as gsd-tools does.
func TestGSDWithoutFiles(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"roadmap|analyze", 0, `"phases": []`},
		{"roadmap|get-phase|1", 0, `"found": false`},
		{"phase|add|X", 1, ""},
		{"phase|add-batch|X", 1, ""},
		{"phase|insert|1|X", 1, ""},
		{"phase|remove|1", 1, ""},
		{"state|get|Status", 1, ""},
		{"state|patch|--Status|x", 0, `"error": "STATE.md not found"`},
		{"state|json", 0, `"error": "STATE.md not found"`},
		{"state-snapshot", 0, `"error": "STATE.md not found"`},
		{"state|validate", 0, `"error": "STATE.md not found"`},
		{"state|advance-plan", 0, `"error": "STATE.md not found"`},
	} {
		code, out := gsdRun(t, planningFolder(t, map[string]string{"config.json": "{}"}), c.line)
		if code != c.code || !strings.Contains(out, c.want) || c.want == "" && out != "" {
			t.Errorf("%s: code %d, want %d; answer %.300q, want %q in it", c.line, code, c.code, out, c.want)
		}
	}
}

// TestUnreadablePlanIsInNoWave: a plan whose front matter cannot be read is named, and not ready.
func TestUnreadablePlanIsInNoWave(t *testing.T) {
	dir := twoPhaseFolder(t)
	at := filepath.Join(dir, ".planning", "phases", "01-base", "01-02-PLAN.md")
	if err := os.WriteFile(at, []byte("---\nphase: [01\nplan: : 02\n---\n\n<objective>x</objective>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, out := gsdRun(t, dir, "waves|1"); !strings.Contains(out, "01-02-PLAN.md cannot be read") || strings.Contains(out, `"state": "ready"`) {
		t.Error(out)
	}
}

// TestGSDRefusals: what `ken gsd` refuses on purpose where gsd-tools goes on.
func TestGSDRefusals(t *testing.T) {
	for line, want := range map[string]string{
		"phase|add|Own|--id|X-1": "there is a phase", // X-1 is phase 1 of the project X
		"phase|remove|99":        "there is no phase",
	} {
		dir := twoPhaseFolder(t)
		code, out := gsdRun(t, dir, line)
		if code != 0 || !strings.Contains(out, `"error": "`+want) {
			t.Errorf("%s: code %d, answer %q", line, code, out)
		}
		if text, err := os.ReadFile(filepath.Join(dir, ".planning", "ROADMAP.md")); err != nil || string(text) != twoPhases {
			t.Errorf("%s: ROADMAP.md was written (%v)", line, err)
		}
	}
}

// TestArticles looks for summaries with the wrong article.
func TestArticles(t *testing.T) {
	wrong := regexp.MustCompile(`\b(?:a [aeio]|an [^aeiouh])`)
	for _, o := range planning.All() {
		if m := wrong.FindString(o.Summary); m != "" && !strings.Contains(o.Summary, "a one") {
			t.Errorf("%s: %q in %q", o.Name, m, o.Summary)
		}
	}
}
