package claude

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/skills"
	"ken/internal/workflow/install"
)

// Scope is the range of an installation.
type Scope string

// The scopes.
const (
	Local   Scope = "local"   // one user in one project: nothing is committed
	Project Scope = "project" // everybody in one project, by files that are committed
	User    Scope = "user"    // one user in all projects
)

// Options are the facts on which an installation depends. Paths are absolute.
type Options struct {
	Scope     Scope
	Root      string // of the project; unused for User
	Home      string // of the user
	ConfigDir string // CLAUDE_CONFIG_DIR, "" if it is not set
	Ken       string // path of the program
	// Shell is the name by which a shell calls ken: its name if it is in PATH, else its path.
	Shell string
	// CommonDir is the git directory of the project, or ""; Prefix is the path from the top of the working tree to Root.
	CommonDir, Prefix string
	Core              bool // no other skill than the one for questions
}

// hook is an event for which ken is registered.
type hook struct {
	name    string // in Claude Code's notation
	matcher string // of tools; "" for all, or where there are none
	kind    agent.Kind
	timeout int  // in seconds
	async   bool // Claude Code does not wait for it
}

const (
	editors = "Write|Edit|MultiEdit|NotebookEdit"
	shells  = "Bash|PowerShell"
	// starts matches the names of the tool that begins a guarded task, of the server installed by ken install and of the plugin's. The
	// hook gets the session of the task from it, which the server does not know.
	starts = "mcp__ken__start_session|mcp__plugin_ken_ken__start_session"
)

// hooks lists the registered hooks. After its timeout Claude Code continues without an answer; ken's own limits are far below. Only
// SessionEnd needs a timeout: by default all its hooks share a second and a half.
var hooks = []hook{
	{"SessionStart", "", agent.SessionStart, 10, false},
	{"UserPromptSubmit", "", agent.Prompt, 5, false},
	{"PreToolUse", editors + "|Grep|" + shells, agent.BeforeTool, 5, false},
	{"PostToolUse", editors + "|" + shells + "|Read|WebFetch|WebSearch|Grep|Glob|Agent|Task|" + starts, agent.AfterTool, 10, false},
	{"PostToolUseFailure", shells, agent.ToolFailed, 5, false},
	{"SubagentStart", "", agent.SubagentStart, 5, false},
	{"SubagentStop", "", agent.SubagentStop, 5, false},
	{"PreCompact", "", agent.BeforeCompact, 10, false},
	{"Stop", "", agent.Stop, 5, false},
	{"Stop", "", agent.StopAsync, 60, true},
	{"SessionEnd", "", agent.SessionEnd, 5, false},
}

// group and handler are a hook in settings. The exec form (args) starts ken without a shell, so that no path needs quoting.
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

func (e hook) hookGroup(ken string) group {
	return group{e.matcher, []handler{{"command", ken, []string{"hook", "claude", string(e.kind)}, e.timeout, e.async}}}
}

// encodeJSON returns v as JSON that keeps < and > as they are.
func encodeJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Plan returns the installation plan of a scope. It returns an error if a value cannot be encoded as JSON.
func Plan(o Options) (*install.Plan, error) {
	ken := o.Ken
	if o.Scope == Project {
		ken = "ken" // others have it in another place
	}
	calls := install.Settings{Path: o.settingsFile(), What: "hooks"}
	for _, e := range hooks {
		value, err := encodeJSON(e.hookGroup(ken))
		if err != nil {
			return nil, err
		}
		calls.Entries = append(calls.Entries, install.Entry{
			Keys: []string{"hooks", e.name}, Argv: []string{ken, "hook", "claude", string(e.kind)}, Value: value,
		})
	}
	if o.Scope != Project { // a project's would hide each user's own
		value, err := o.statusLine()
		if err != nil {
			return nil, err
		}
		calls.What = "hooks, status line"
		calls.Values = []install.Value{{Key: statusLineKey, Value: value, Yield: o.Scope == Local}}
	}
	p := &install.Plan{
		Name: "claude-" + string(o.Scope), Root: o.baseFolder(), Within: o.allowedFolders(),
		Blocks:   []install.Block{{Path: o.rulesFile(), What: "rules", Begin: skills.RulesBegin, End: skills.RulesEnd, Text: o.rulesText()}},
		Settings: []install.Settings{calls},
	}
	for _, k := range skills.Chosen(o.Core) {
		p.Files = append(p.Files, install.File{Path: o.skillFile(k.Name), Data: []byte(k.Called(o.shell())), What: "skill " + k.Name,
			Yield: o.Scope == Local})
	}
	if o.Scope == Project {
		servers, err := o.serverSettings()
		if err != nil {
			return nil, err
		}
		p.Settings = append(p.Settings, servers)
	}
	if o.Scope == Local && o.CommonDir != "" {
		p.Lines = []install.Lines{{
			Path: filepath.Join(o.CommonDir, "info", "exclude"), What: "ignored by git", Within: o.CommonDir, Lines: o.ignorePatterns(),
		}}
	}
	return p, nil
}

// baseFolder returns the folder that the installation is for.
func (o *Options) baseFolder() string {
	switch {
	case o.Scope != User:
		return o.Root
	case o.ConfigDir != "":
		return o.ConfigDir
	}
	return filepath.Join(o.Home, ".claude")
}

// allowedFolders returns the folders that links may lead to. Links in a project must stay in it, because a repository can contain links.
func (o *Options) allowedFolders() []string {
	if o.Scope != User {
		return []string{o.Root}
	}
	out := []string{o.Home}
	if o.ConfigDir != "" {
		out = append(out, nearestExisting(o.ConfigDir))
	}
	return out
}

// nearestExisting returns the nearest existing folder at or above a path.
func nearestExisting(dir string) string {
	for {
		if st, err := os.Stat(dir); err == nil && st.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (o *Options) settingsFile() string {
	switch o.Scope {
	case Local:
		return filepath.Join(o.Root, ".claude", "settings.local.json")
	case Project:
		return filepath.Join(o.Root, ".claude", "settings.json")
	}
	return filepath.Join(o.baseFolder(), "settings.json")
}

func (o *Options) rulesFile() string {
	switch o.Scope {
	case Local:
		return filepath.Join(o.Root, "CLAUDE.local.md")
	case Project:
		top, below := filepath.Join(o.Root, "CLAUDE.md"), filepath.Join(o.Root, ".claude", "CLAUDE.md")
		if _, err := os.Lstat(top); err == nil {
			return top
		}
		if _, err := os.Lstat(below); err == nil {
			return below
		}
		return top
	}
	return filepath.Join(o.baseFolder(), "CLAUDE.md")
}

func (o *Options) skillFile(name string) string {
	dir := filepath.Join(o.baseFolder(), "skills")
	if o.Scope != User {
		dir = filepath.Join(o.Root, ".claude", "skills")
	}
	return filepath.Join(dir, name, "SKILL.md")
}

// ignorePatterns returns the ignore patterns for the files of a local installation, from the top of the working tree.
func (o *Options) ignorePatterns() []string {
	var out []string
	for _, p := range []string{"CLAUDE.local.md", ".claude/settings.local.json", ".claude/skills/ken-*"} {
		dir := "/"
		if o.Prefix != "" && o.Prefix != "." {
			dir = "/" + escapePattern.Replace(filepath.ToSlash(o.Prefix)) + "/"
		}
		out = append(out, dir+p)
	}
	return out
}

// escapePattern escapes the special characters of git patterns.
var escapePattern = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
