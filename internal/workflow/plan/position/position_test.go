package position_test

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/workflow/plan/position"
)

// TestLine reads made-up folders.
func TestLine(t *testing.T) {
	const roadmap = "# Roadmap\n\n## v1.0 First\n\n- [x] **Phase 1: Base**\n- [ ] **Phase 2: Search**\n\n### Phase 1: Base\n\n### Phase 2: Search\n"
	for name, row := range map[string]struct {
		files       map[string]string
		line, short string
	}{
		"none":  {map[string]string{"a.go": ""}, "", ""},
		"empty": {map[string]string{".planning/x": ""}, "", ""},
		"no state": {
			map[string]string{".planning/ROADMAP.md": roadmap},
			"next is new-project (there is no STATE.md)", "new-project",
		},
		"to be discussed": {
			map[string]string{".planning/ROADMAP.md": roadmap, ".planning/STATE.md": "# State\n"},
			"phase 2 of 2 (Search); next is discuss-phase 2; ken plan shows all", "phase 2/2",
		},
		"under way": {
			map[string]string{
				".planning/ROADMAP.md": roadmap, ".planning/STATE.md": "# State\n", ".planning/phases/02-search/02-01-PLAN.md": "", ".planning/phases/02-search/02-01-SUMMARY.md": "",
				".planning/phases/02-search/02-02-PLAN.md": "",
			},
			"phase 2 of 2 (Search), 1 of 2 plans done; next is execute-phase 2; ken plan shows all", "phase 2/2 plan 1/2",
		},
	} {
		dir := t.TempDir()
		for file, text := range row.files {
			path := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p, ok := position.ProjectPosition(dir, "", "")
		line, short := "", ""
		if ok {
			line, short = p.Line(), p.Short()
		}
		if line != row.line || short != row.short {
			t.Errorf("%s:\n got %q, %q\nwant %q, %q", name, line, short, row.line, row.short)
		}
	}
}
