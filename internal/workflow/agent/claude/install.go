package claude

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/workflow/install"
)

// Scope says for whom ken is installed.
type Scope string

// The scopes.
const (
	Local   Scope = "local"   // one user in one project: nothing is committed
	Project Scope = "project" // everybody in one project, by files that are committed
	User    Scope = "user"    // one user in all projects
)

// Options say what an installation depends on. Paths are absolute.
type Options struct {
	Scope     Scope
	Root      string // of the project; unused for User
	Home      string // of the user
	ConfigDir string // CLAUDE_CONFIG_DIR, "" if it is not set
	Ken       string // path of the program
	// Shell is how a shell calls ken: its name if it is in PATH, else its path.
	Shell string
	// CommonDir is the git directory of the project, "" if there is none; Prefix is the
	// path from the top of the working tree to Root.
	CommonDir, Prefix string
}

// event is a hook: when Claude Code calls ken, and how.
type event struct {
	name    string // as Claude Code spells it
	matcher string // of tools; "" for all, or where there are none
	arg     string // as ken's command line spells it
	timeout int    // in seconds
	async   bool   // Claude Code does not wait for it
}

const (
	editors = "Write|Edit|MultiEdit|NotebookEdit"
	shells  = "Bash|PowerShell"
)

// events lists the hooks. A time is that after which Claude Code goes on without an
// answer; ken's own limits are far below. Only SessionEnd needs it to be given: without,
// all hooks share a second and a half.
var events = []event{
	{"SessionStart", "", "session-start", 10, false},
	{"UserPromptSubmit", "", "user-prompt-submit", 5, false},
	{"PreToolUse", editors + "|Grep|" + shells, "pre-tool-use", 5, false},
	{"PostToolUse", editors + "|" + shells + "|Read|WebFetch|WebSearch|Grep|Glob|Agent|Task", "post-tool-use", 10, false},
	{"PostToolUseFailure", shells, "post-tool-use-failure", 5, false},
	{"SubagentStart", "", "subagent-start", 5, false},
	{"SubagentStop", "", "subagent-stop", 5, false},
	{"PreCompact", "", "pre-compact", 10, false},
	{"Stop", "", "stop", 5, false},
	{"Stop", "", "stop-async", 60, true},
	{"SessionEnd", "", "session-end", 5, false},
}

// group and handler are a hook in settings. The exec form (args) starts ken without a
// shell, so that no path needs quoting.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout"`
	Async   bool     `json:"async,omitempty"`
}

func (e event) group(ken string) group {
	return group{e.matcher, []handler{{"command", ken, []string{"hook", "claude", e.arg}, e.timeout, e.async}}}
}

// encode is JSON that keeps < and > as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Plan is the installation of a scope.
func Plan(o Options) (*install.Plan, error) {
	ken, settings := o.Ken, o.settings()
	if o.Scope == Project {
		ken = "ken" // others have it elsewhere
	}
	hooks := install.Settings{Path: settings, What: "hooks"}
	for _, e := range events {
		value, err := encode(e.group(ken))
		if err != nil {
			return nil, err
		}
		hooks.Entries = append(hooks.Entries, install.Entry{
			Keys: []string{"hooks", e.name}, Argv: []string{ken, "hook", "claude", e.arg}, Value: value,
		})
	}
	if o.Scope != Project { // a project's would hide each user's own
		value, err := o.statusLine()
		if err != nil {
			return nil, err
		}
		hooks.What = "hooks, status line"
		hooks.Values = []install.Value{{Key: statusLineKey, Value: value, Yield: o.Scope == Local}}
	}
	p := &install.Plan{
		Name: "claude-" + string(o.Scope), Root: o.folder(), Within: o.within(),
		Files:    []install.File{{Path: o.skill(), Data: []byte(o.skillText()), What: "skill " + skillName}},
		Blocks:   []install.Block{{Path: o.rules(), What: "rules", Begin: rulesBegin, End: rulesEnd, Text: o.rulesText()}},
		Settings: []install.Settings{hooks},
	}
	if o.Scope == Local && o.CommonDir != "" {
		p.Lines = []install.Lines{{
			Path: filepath.Join(o.CommonDir, "info", "exclude"), What: "ignored by git", Within: o.CommonDir, Lines: o.ignored(),
		}}
	}
	return p, nil
}

// folder is what the installation is for.
func (o *Options) folder() string {
	switch {
	case o.Scope != User:
		return o.Root
	case o.ConfigDir != "":
		return o.ConfigDir
	}
	return filepath.Join(o.Home, ".claude")
}

// within are the folders that links may lead to. Those of a project stay in it, because
// a repository can bring links along.
func (o *Options) within() []string {
	if o.Scope != User {
		return []string{o.Root}
	}
	out := []string{o.Home}
	if o.ConfigDir != "" {
		out = append(out, existing(o.ConfigDir))
	}
	return out
}

// existing is the nearest folder at or above a path that exists.
func existing(dir string) string {
	for {
		if st, err := os.Stat(dir); err == nil && st.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (o *Options) settings() string {
	switch o.Scope {
	case Local:
		return filepath.Join(o.Root, ".claude", "settings.local.json")
	case Project:
		return filepath.Join(o.Root, ".claude", "settings.json")
	}
	return filepath.Join(o.folder(), "settings.json")
}

func (o *Options) rules() string {
	switch o.Scope {
	case Local:
		return filepath.Join(o.Root, "CLAUDE.local.md")
	case Project:
		return projectRules(o.Root)
	}
	return filepath.Join(o.folder(), "CLAUDE.md")
}

// projectRules is CLAUDE.md of a project, in the one of two places where it is.
func projectRules(root string) string {
	top, below := filepath.Join(root, "CLAUDE.md"), filepath.Join(root, ".claude", "CLAUDE.md")
	if _, err := os.Lstat(top); err == nil {
		return top
	}
	if _, err := os.Lstat(below); err == nil {
		return below
	}
	return top
}

func (o *Options) skill() string {
	dir := filepath.Join(o.folder(), "skills")
	if o.Scope != User {
		dir = filepath.Join(o.Root, ".claude", "skills")
	}
	return filepath.Join(dir, skillName, "SKILL.md")
}

// ignored are the patterns for what a local installation makes, from the top of the
// working tree.
func (o *Options) ignored() []string {
	var out []string
	for _, p := range []string{"CLAUDE.local.md", ".claude/settings.local.json", ".claude/skills/ken-*"} {
		dir := "/"
		if o.Prefix != "" && o.Prefix != "." {
			dir = "/" + literal.Replace(filepath.ToSlash(o.Prefix)) + "/"
		}
		out = append(out, dir+p)
	}
	return out
}

// literal takes the meaning from the characters that have one in patterns of git.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
