package planning

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/planop"
)

// TestAgentsOfBothSpellings: ken needs no file of an agent, and the original's spelling answers which files of that program are missing.
func TestAgentsOfBothSpellings(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"ROADMAP.md": "### Phase 1: A\n", "STATE.md": "Phase: 1 of 1 (A)\n"} {
		if err := os.MkdirAll(filepath.Join(root, ".planning"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, ".planning", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		line       string
		ken, other []string
	}{
		{"validate agents", []string{`"missing":[]`, `"roles":"`}, []string{`"missing":["gsd-planner",`}},
		{"init plan-phase 1", []string{`"agents_installed":true`, `"missing_agents":[]`}, []string{`"agents_installed":false`, `"missing_agents":["gsd-planner",`}},
		{"init new-project", []string{`"agents_installed":true`, `"missing_agents":[]`}, []string{`"agents_installed":false`, `"missing_agents":["gsd-planner",`}},
		{"init progress", []string{`"agents_installed":true`, `"missing_agents":[]`}, []string{`"agents_installed":false`, `"missing_agents":["gsd-planner",`}},
	} {
		for original, want := range map[bool][]string{false: c.ken, true: c.other} {
			a, err := planop.RunWords(t.Context(), All(), planop.Surroundings{
				Dir: root, StateDir: filepath.Join(root, "state"), Home: root, Getenv: func(string) string { return "" }, Now: time.Now, Original: original,
			}, strings.Fields(c.line))
			if err != nil {
				t.Fatal(c.line, err)
			}
			text := strings.NewReplacer("\n", "", " ", "").Replace(string(a.JSON))
			for _, part := range want {
				if !strings.Contains(text, part) {
					t.Errorf("%s, original %v: no %s in %.300s", c.line, original, part, text)
				}
			}
		}
	}
}
