package protected

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReason: no task gives leave for what would switch the guard off, for files out of the project, and for other names of files.
func TestReason(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, own := filepath.Join(base, "p"), filepath.Join(base, "p", ".ken", "worktrees", "t1")
	for _, dir := range []string{filepath.Join(own, "sub"), filepath.Join(root, "sub"), filepath.Join(root, ".claude")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"p/a.go", "p/twice.go", "outside.go"} {
		if err := os.WriteFile(filepath.Join(base, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"p/link.go": "a.go", "p/gone.go": "nowhere.go", "p/out.go": "../outside.go"} {
		if err := os.Symlink(to, filepath.Join(base, from)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(root, "twice.go"), filepath.Join(root, "other.go")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ file, why string }{
		{"p/a.go", ""}, {"p/new.go", ""}, {"p/sub/new/deep.go", ""}, {"p/.claude/rules/x.md", ""}, {"p/.claude/CLAUDE.md", ""}, {"p/CLAUDE.md", ""}, {"p/.claude/worktrees/w/a.go", ""}, {"p/hooks/use.ts", ""},
		{"p/.gitignore", ""}, {"p/.github/workflows/ci.yml", ""}, {"p/settings.json", ""}, {"p/sub/codex/a.go", ""},
		{"outside.go", "outside"}, {"p2/a.go", "outside"}, {"p", "outside"},
		{"p/.git/hooks/pre-commit", "git"}, {"p/.GIT/config", "git"}, {"p/sub/.git", "git"}, {"p/sub/.git/config", "git"}, {"p/.gitmodules", "git"},
		{"p/.ken/config.yml", "ken"}, {"p/.ken/worktrees/t2/a.go", "ken"}, {"p/.kenignore", "ken"}, {"p/sub/.kenignore", "ken"},
		{"p/.claude/settings.json", "agent"}, {"p/.claude/settings.local.json", "agent"}, {"p/.Claude/Settings.json", "agent"},
		{"p/.claude/hooks/x.sh", "agent"}, {"p/.claude/commands/x.md", "agent"}, {"p/.claude/skills/x/SKILL.md", "agent"}, {"p/.github/hooks/x.json", "agent"},
		{"p/.vscode/settings.json", "agent"}, {"p/.vscode/launch.json", ""}, {"p/crush.json", "agent"}, {"p/sub/.factory/hooks/x", "agent"}, {"p/.mcp.json", "agent"}, {"p/sub/.mcp.json", "agent"}, {"p/.codex/config.toml", "agent"},
		{"p/.gemini/settings.json", "agent"}, {"p/.opencode/plugin/a.ts", "agent"}, {"p/opencode.jsonc", "agent"}, {"p/.cursor/mcp.json", "agent"},
		{"p/link.go", "link"}, {"p/gone.go", "link"}, {"p/out.go", "link"}, {"p/twice.go", "hard link"}, {"p/other.go", "hard link"},
		{"p/.ken/worktrees/t1/sub/a.go", ""}, {"p/.ken/worktrees/t1/.claude/settings.json", "agent"}, {"p/.ken/worktrees/t1/.ken/x", "ken"},
		{"p/.ken/worktrees/t1/.git", "git"},
	} {
		got := Reason(root, own, filepath.Join(base, filepath.FromSlash(c.file)))
		if (got == "") != (c.why == "") || !strings.Contains(got, c.why) {
			t.Errorf("%s: %q, want %q", c.file, got, c.why)
		}
	}
	if got := Reason(root, "", filepath.Join(own, "sub", "a.go")); !strings.Contains(got, "ken") {
		t.Errorf("the work tree of another task: %q", got)
	}
}
