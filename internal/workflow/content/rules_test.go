package content_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/content"
)

// TestRules: each rule of testdata/rules.txt is held by a test, a script or a step of a guide that exists.
func TestRules(t *testing.T) {
	const root = "../../.."
	data, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for line := range strings.Lines(string(data)) {
		rule, held, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			continue
		}
		rules++
		where, name, _ := strings.Cut(held, " ")
		switch where {
		case "guide":
			guide, step, _ := strings.Cut(name, " ")
			g, err := content.ReadGuide(guide)
			if err != nil || !slices.ContainsFunc(g.Steps, func(s content.Step) bool { return s.Name == step }) {
				t.Errorf("%s: the guide %s has no step %q (%v)", rule, guide, step, err)
			}
		case "script":
			if _, err := os.Stat(filepath.Join(root, "cmd/ken/testdata/script", name+".txtar")); err != nil {
				t.Errorf("%s: %v", rule, err)
			}
		default:
			if !hasTest(t, filepath.Join(root, where), name) {
				t.Errorf("%s: %s has no %s", rule, where, name)
			}
		}
	}
	if rules < 40 {
		t.Errorf("only %d rules were read", rules)
	}
}

func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}
