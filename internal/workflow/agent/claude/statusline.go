package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/operation"
	"ken/internal/statefile"
	"ken/internal/workflow/install"
	"ken/internal/workflow/install/jsonedit"
)

const statusLineKey = "statusLine"

// statusLine is the setting of a status line.
type statusLine struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

// statusLine returns ken's status line. Claude Code has no exec form for it: a shell reads the command.
func (o *Options) statusLine() (json.RawMessage, error) {
	return encodeJSON(statusLine{"command", ShellWord(o.Ken) + " statusline"})
}

// ShellWord quotes a path for a shell as one word. On Windows the shell is Git Bash, which needs slashes.
func ShellWord(path string) string { return operation.ShellWord(filepath.ToSlash(path)) }

// maxSettings is the size of the largest settings file that is read for its status line. The file is read at every turn of a session.
const maxSettings = 32 << 20

// UserStatusLine returns the command of the user's own status line, or "": the one in the user's settings, or the one that ken replaced
// there. A project's status line is never returned, because it would be a stranger's command.
func UserStatusLine(in *install.Installer, o Options) string {
	o.Scope = User
	text, err := statefile.ReadFollow(o.settingsFile(), maxSettings)
	if err != nil {
		return ""
	}
	now, err := jsonedit.Value(text, statusLineKey)
	if err != nil {
		return ""
	}
	if isKenStatusLine(now) {
		now = in.PreviousValue("claude-"+string(User), o.baseFolder(), o.settingsFile(), statusLineKey)
	}
	if isKenStatusLine(now) {
		return ""
	}
	return statusCommand(now)
}

// UserSettingsApart reports whether the user's settings are outside of all projects, as required: settings of a project can set variables
// for the programs that Claude Code starts, and so could name a folder of the project as the user's. The usual folder in home belongs to
// the user even if home is a project.
func (o Options) UserSettingsApart(projects []string) bool {
	o.Scope = User
	if !filepath.IsAbs(o.baseFolder()) || !filepath.IsAbs(o.Home) { // relative to ken's working directory
		return false
	}
	folders := []string{o.Home}
	if usual := filepath.Join(o.Home, ".claude"); o.baseFolder() != usual {
		folders = append(folders, o.baseFolder())
	}
	for _, p := range projects {
		for i, f := range folders {
			if below, same := isBelow(f, p); below && !(same && i == 0) {
				return false
			}
		}
	}
	return true
}

// isBelow reports whether a path is in a folder, and whether it is the folder itself. Links are followed.
func isBelow(path, dir string) (below, same bool) {
	if dir == "" {
		return false, false
	}
	for _, p := range []string{path, realPath(path)} {
		for _, d := range []string{dir, realPath(dir)} {
			if rel, err := filepath.Rel(d, p); err == nil && filepath.IsLocal(rel) {
				return true, rel == "."
			}
		}
	}
	return false, false
}

// realPath resolves the links in a path, as far as it exists.
func realPath(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

func statusCommand(raw []byte) string {
	var s statusLine
	if json.Unmarshal(jsonedit.StandardJSON(raw), &s) != nil || s.Type != "command" {
		return ""
	}
	return s.Command
}

// isKenStatusLine reports whether a status line was written by ken, from any path: combining it with itself would never end.
func isKenStatusLine(raw []byte) bool {
	program, ok := strings.CutSuffix(strings.TrimSpace(statusCommand(raw)), " statusline")
	if !ok {
		return false
	}
	name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(strings.Trim(program, `'"`))), ".exe")
	return name == "ken" || name == filepath.Base(os.Args[0])
}
