// Package protected has the files that no guarded task gives leave for, because a write there could switch the guard off or start a
// program. Its parent asks it before a write.
package protected

import (
	"os"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
	"ken/internal/worktree"
)

// files are patterns of files and folders: what belongs to git and to ken, and the settings and hooks of agents, also those in the heads
// of commands and skills. The last element of a file may have wildcards. Case does not matter, because on some systems it does not.
var files = []struct{ pattern, why string }{
	{".git/", "it belongs to git"}, {".git", "it belongs to git"}, {".gitmodules", "it belongs to git"},
	{".ken/", "it belongs to ken"}, {".ken", "it belongs to ken"}, {".kenignore", "it belongs to ken"}, {".code-intel/", "it belongs to ken"},
	{".claude/settings*.json", agentSettings}, {".claude/hooks/", agentSettings}, {".claude/agents/", agentSettings}, {".claude/commands/", agentSettings},
	{".claude/skills/", agentSettings}, {".claude/plugins/", agentSettings}, {".claude/output-styles/", agentSettings}, {".claude.json", agentSettings}, {".mcp.json", agentSettings},
	{".codex/", agentSettings}, {".gemini/", agentSettings}, {".qwen/", agentSettings}, {".opencode/", agentSettings},
	{"opencode.json*", agentSettings}, {".cursor/hooks/", agentSettings}, {".cursor/*.json", agentSettings}, {".vscode/mcp.json", agentSettings},
	{".roo/mcp.json", agentSettings}, {".windsurf/", agentSettings}, {".amazonq/", agentSettings}, {".kiro/settings/", agentSettings},
	{".kiro/hooks/", agentSettings}, {".junie/mcp/", agentSettings}, {".continue/", agentSettings}, {".aider.conf.yml", agentSettings},
	{".claude-plugin/", agentSettings}, {"hooks/hooks.json", agentSettings}, {".github/hooks/", agentSettings}, {".copilot/", agentSettings},
	{".vscode/settings.json", agentSettings}, {".zed/settings.json", agentSettings}, {".clinerules/hooks/", agentSettings}, {".cline/", agentSettings},
	{".factory/", agentSettings}, {".augment/", agentSettings}, {".amp/", agentSettings}, {"crush.json", agentSettings}, {".crush.json", agentSettings},
	{".crush/", agentSettings}, {".goose/", agentSettings}, {".trae/", agentSettings}, {".antigravity/", agentSettings}, {".iflow/", agentSettings},
	{".codebuddy/", agentSettings}, {".qoder/", agentSettings}, {".rovodev/", agentSettings}, {".grok/", agentSettings}, {".pi/", agentSettings},
}

const agentSettings = "it holds settings or hooks of an agent"

// Reason returns the reason why no task gives leave to write a file of the project at root, an absolute path, "" if one may. own is
// the work tree of the task, "" if it has none.
func Reason(root, own, file string) string {
	if main, _, ok := worktree.MainRoot(root); ok {
		root = main
	}
	rel, ok := "", false
	if own != "" {
		rel, ok = Below(own, file)
	}
	if !ok {
		rel, ok = Below(root, file)
	}
	if !ok {
		return "it is outside of the project"
	}
	parts := strings.Split(strings.ToLower(filepath.ToSlash(rel)), "/")
	for _, u := range files {
		if matchesBelow(u.pattern, parts) {
			return u.why
		}
	}
	st, err := os.Lstat(file)
	switch {
	case err != nil:
	case st.Mode()&os.ModeSymlink != 0:
		return "it is a link: name the file that it leads to"
	case statefile.HasOtherNames(st):
		return "the file has another name, too (a hard link), and would change there"
	}
	return ""
}

// matchesBelow reports whether a path has, in any of its folders, a pattern of files.
func matchesBelow(pattern string, parts []string) bool {
	folder := strings.HasSuffix(pattern, "/")
	want := strings.Split(strings.TrimSuffix(pattern, "/"), "/")
	for i := range parts {
		rest := parts[i:]
		all := len(rest) == len(want)
		if folder {
			all = len(rest) > len(want)
		}
		for k, w := range want {
			if all {
				all, _ = filepath.Match(w, rest[k])
			}
		}
		if all {
			return true
		}
	}
	return false
}

// Below returns the path of a file relative to a folder, and whether it is below it.
func Below(folder, file string) (string, bool) {
	rel, err := filepath.Rel(folder, file)
	return rel, err == nil && filepath.IsLocal(rel) && rel != "."
}
