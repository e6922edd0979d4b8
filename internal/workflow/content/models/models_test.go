package models_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/settings"
)

// TestResolve asks in the order of what wins: an override, no ids, an unknown agent, inherit, the profile.
func TestResolve(t *testing.T) {
	for _, row := range []struct {
		config, agent, want string
		known               bool
	}{
		{``, "gsd-planner", "opus", true},
		{``, "gsd-codebase-mapper", "haiku", true},
		{``, "nobody", "sonnet", false},
		{`{"model_profile": "budget"}`, "gsd-planner", "sonnet", true},
		{`{"model_profile": "quality"}`, "gsd-executor", "opus", true},
		{`{"model_profile": "nonsense"}`, "gsd-executor", "sonnet", true},
		{`{"model_profile": "inherit"}`, "gsd-executor", "inherit", true},
		{`{"model_profile": "inherit"}`, "nobody", "sonnet", false},
		{`{"resolve_model_ids": "omit"}`, "gsd-planner", "", true},
		{`{"resolve_model_ids": true}`, "gsd-planner", "claude-opus-4-6", true},
		{`{"resolve_model_ids": "omit", "model_overrides": {"gsd-planner": "mine"}}`, "gsd-planner", "mine", true},
	} {
		if got, known := models.Resolve(settings.Parse(row.config), row.agent); got != row.want || known != row.known {
			t.Errorf("%s %s: %q %v, want %q %v", row.config, row.agent, got, known, row.want, row.known)
		}
	}
}

// TestMissing looks for agents where they are installed.
func TestMissing(t *testing.T) {
	project, home := t.TempDir(), t.TempDir()
	none := func(string) string { return "" }
	if got := models.MissingAgents(project, home, none); len(got) != len(models.Agents()) {
		t.Errorf("nothing is installed: %v", got)
	}
	put := func(dir, name string) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, agent := range models.Agents() {
		put([]string{filepath.Join(project, ".claude", "agents"), filepath.Join(home, ".claude", "agents")}[i%2], agent+[]string{".md", ".agent.md"}[i%2])
	}
	if got := models.MissingAgents(project, home, none); len(got) > 0 {
		t.Errorf("missing %v", got)
	}
	own := t.TempDir()
	put(own, "gsd-planner.md")
	got := models.MissingAgents(project, home, func(name string) string { return map[string]string{"GSD_AGENTS_DIR": own}[name] })
	if len(got) != len(models.Agents())-1 || slices.Contains(got, "gsd-planner") {
		t.Errorf("%v", got)
	}
}
