package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

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
	return encode(statusLine{"command", ShellWord(o.Ken) + " statusline"})
}

// plainPath are the characters without a meaning in a shell.
const plainPath = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,="

// ShellWord quotes a path for a shell as one word. On Windows the shell is Git Bash, which needs slashes.
func ShellWord(path string) string {
	path = filepath.ToSlash(path)
	if strings.Trim(path, plainPath) == "" && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// maxSettings is the largest settings file that is read for its status line, at every turn of a session.
const maxSettings = 32 << 20

// UserStatusLine returns the command of the user's own status line, or "": the one in the user's settings, or the one that ken replaced
// there. A project's status line is never returned, because it would be a stranger's command.
func UserStatusLine(in *install.Installer, o Options) string {
	o.Scope = User
	text, err := statefile.ReadFollow(o.settings(), maxSettings)
	if err != nil {
		return ""
	}
	now, err := jsonedit.Value(text, statusLineKey)
	if err != nil {
		return ""
	}
	if isKens(now) {
		now = in.Previous("claude-"+string(User), o.folder(), o.settings(), statusLineKey)
	}
	if isKens(now) {
		return ""
	}
	return statusCommand(now)
}

// Apart reports whether the user's settings are outside of all projects, as required: settings of a project can set variables for the
// programs that Claude Code starts, and so could name a folder of the project as the user's. The usual folder in home belongs to the user
// even if home is a project.
func (o Options) Apart(projects []string) bool {
	o.Scope = User
	if !filepath.IsAbs(o.folder()) || !filepath.IsAbs(o.Home) { // relative to ken's working directory
		return false
	}
	folders := []string{o.Home}
	if usual := filepath.Join(o.Home, ".claude"); o.folder() != usual {
		folders = append(folders, o.folder())
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

// isBelow reports whether a path is a folder or below it, with links followed.
func isBelow(path, dir string) (below, same bool) {
	if dir == "" {
		return false, false
	}
	for _, p := range []string{path, real(path)} {
		for _, d := range []string{dir, real(dir)} {
			if rel, err := filepath.Rel(d, p); err == nil && filepath.IsLocal(rel) {
				return true, rel == "."
			}
		}
	}
	return false, false
}

// real returns a path without links, as far as it exists.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

func statusCommand(raw []byte) string {
	var s statusLine
	if json.Unmarshal(jsonedit.Standard(raw), &s) != nil || s.Type != "command" {
		return ""
	}
	return s.Command
}

// isKens reports whether a status line was written by ken, from any path: composing it with itself would never end.
func isKens(raw []byte) bool {
	program, ok := strings.CutSuffix(strings.TrimSpace(statusCommand(raw)), " statusline")
	if !ok {
		return false
	}
	name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(strings.Trim(program, `'"`))), ".exe")
	return name == "ken" || name == filepath.Base(os.Args[0])
}
