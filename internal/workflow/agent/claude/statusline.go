package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/install"
	"ken/internal/workflow/install/jsonedit"
)

const statusLineKey = "statusLine"

// statusLine is the setting of a status line.
type statusLine struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

// statusLine is ken's. Claude Code knows no exec form for it: a shell reads the command.
func (o *Options) statusLine() (json.RawMessage, error) {
	return encode(statusLine{"command", Quoted(o.Ken) + " statusline"})
}

// plainPath are the characters that mean nothing to a shell.
const plainPath = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,="

// Quoted is a path as a shell reads it as one word. On Windows the shell is Git Bash,
// which wants slashes.
func Quoted(path string) string {
	path = filepath.ToSlash(path)
	if strings.Trim(path, plainPath) == "" && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// maxSettings bounds the settings that are read for their status line, at every turn
// of a session.
const maxSettings = 32 << 20

// UserStatusLine is the command of the status line that the user has without ken, "" if
// there is none: that of the user's own settings, or the one that ken has replaced
// there. A project's is never given, because it would be a stranger's command.
func UserStatusLine(in *install.Installer, o Options) string {
	o.Scope = User
	text, err := git.ReadRegular(o.settings(), maxSettings)
	if err != nil {
		return ""
	}
	now, err := jsonedit.Value(text, statusLineKey)
	if err != nil {
		return ""
	}
	if isKens(now) {
		now = in.Replaced("claude-"+string(User), o.folder(), o.settings(), statusLineKey)
	}
	if isKens(now) {
		return ""
	}
	return commandOf(now)
}

// Apart reports whether the user's settings are outside of all projects, as they have to be:
// settings of a project can set variables for what Claude Code starts, and so could name a
// folder of the project as the user's. The usual folder in home is the user's even if home
// is a project.
func (o Options) Apart(projects []string) bool {
	o.Scope = User
	if !filepath.IsAbs(o.folder()) || !filepath.IsAbs(o.Home) { // below the directory that ken runs in
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

// isBelow reports whether a path is a folder or below it, links followed.
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

// real is a path without links, as far as it exists.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

func commandOf(raw []byte) string {
	var s statusLine
	if json.Unmarshal(jsonedit.Standard(raw), &s) != nil || s.Type != "command" {
		return ""
	}
	return s.Command
}

// isKens reports whether a status line is one that ken has written, from whatever path:
// composing it with itself would never end.
func isKens(raw []byte) bool {
	program, ok := strings.CutSuffix(strings.TrimSpace(commandOf(raw)), " statusline")
	if !ok {
		return false
	}
	name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(strings.Trim(program, `'"`))), ".exe")
	return name == "ken" || name == filepath.Base(os.Args[0])
}
