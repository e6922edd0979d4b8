// Package runtimes describes the programs in which agents work, one file of data for each: where their settings are and in which form,
// how their events are named, what a user has to do, and what they cannot do. Packages that install ken, speak with hooks or tell agents
// how to start others read these descriptions; none of them knows a runtime by its name.
//
// The facts are those of the makers' documentation or source, or were seen in the program itself; each description tells which.
package runtimes

import "ken/internal/workflow/agent"

// Certainty tells where the facts of a description come from.
type Certainty string

// The kinds of certainty, the surest first.
const (
	Seen       Certainty = "seen"        // the program itself was run
	Documented Certainty = "documented"  // by its maker
	ThirdParty Certainty = "third party" // others have run it and described it
)

// Runtime describes a program in which agents work.
type Runtime struct {
	Name  string // on the command line
	Title string // that its maker gave it
	Sure  Certainty
	// Tried is how far the program was run with ken, where an account or a download is in the way; "" for the others.
	Tried string
	// Experimental: the facts are not sure enough to change somebody's settings unasked.
	Experimental bool

	Env  []string // variables that the program sets for the commands of its agents
	Home Home
	// Programs are the names of the program, by which it is found on a machine.
	Programs []string
	Skills   Place // the folder of skills
	Rules    Place // the text that is read in each session
	Server   *Server
	Hooks    *Hooks
	Plugin   *Plugin

	// Tools are the names of its tools that ken handles.
	Tools map[string]agent.ToolKind
	// Trust is what a user has to do before the program runs hooks or servers, in a sentence; "" if nothing.
	Trust string
	// Lacks are things that it cannot do, each with what ken does instead.
	Lacks []string

	// Start is a sentence on how an agent starts another one with the prompt that a guide names; "" if it cannot.
	Start string
	// Models reports whether an agent can be started with a model by its name.
	Models bool
	// Ask is a sentence on how a person is asked a question with options.
	Ask string
}

// Home is the folder of a user's settings.
type Home struct {
	Env  []string // variables that name it, the first that is set counts
	Dir  string   // below the home directory, without a variable
	Conf string   // below $XDG_CONFIG_HOME or ~/.config, instead of Dir
	// Windows is the folder below %APPDATA% there, "" if it is that of other systems.
	Windows string
}

// Place is a file or folder of a project, from its root, and of a user, from Home or, with a leading ~/, from the home directory. It is ""
// where there is none.
type Place struct{ Project, User string }

// Format is the form of a file of settings.
type Format string

// The forms. JSON files may have comments where the program allows them.
const (
	JSON Format = "json"
	TOML Format = "toml"
	YAML Format = "yaml"
)

// Server describes where a runtime lists the servers of the Model Context Protocol.
type Server struct {
	Place
	Format Format
	Keys   []string // from the outermost object to the map of servers
	Shape  ServerShape
}

// ServerShape is the form of an entry for a server.
type ServerShape string

// The forms of servers.
const (
	CommandArgs  ServerShape = "command and args"
	StdioArgs    ServerShape = "type stdio, command and args"
	LocalArgs    ServerShape = "type local, command and args, tools" // tools has to be a list
	LocalCommand ServerShape = "type local, command as a list, enabled"

	ExtensionArgs ServerShape = "type stdio, cmd, args, envs, enabled, timeout"
)

// Hooks describes where a runtime lists the commands for its events.
type Hooks struct {
	Place
	Own   bool // the file is ken's alone
	Shape HookShape
	// UserShape is the form of the user's file if it differs from that of a project's.
	UserShape HookShape
	// Experimental: how the runtime calls hooks is not sure enough to register them unasked.
	Experimental bool
	// Escapes: the model sees < and > of a reply as entities of HTML, so texts are sent without tags.
	Escapes bool
	// Speech is how payloads and replies are written.
	Speech Speech
	// SessionEnv is a variable with the id of the session, where payloads lack it.
	SessionEnv string
	// Timeout is the unit of timeouts: "s", "ms", or "" where none is written.
	Timeout string
	// PowerShell: it runs the commands on Windows.
	PowerShell bool
	// Approval is set if a command runs only after its user has approved it.
	Approval *Approval
	// Async: a command can run while the agent goes on, for the event of kind agent.StopAsync.
	Async  bool
	Events []Event
}

// Approval describes where a program keeps which commands its user has approved.
type Approval struct {
	File string   // of TOML, below Home
	Keys []string // from the outermost table to that of the commands, each of which has a table named FILE:EVENT:GROUP:HANDLER
	Hash string   // the member of such a table with the hash of the command
}

// HookShape is the form of the list of commands.
type HookShape string

// The forms of hooks.
const (
	Groups  HookShape = "hooks: event: [{matcher, hooks: [{type, command, timeout}]}]"
	Top     HookShape = "event: [{matcher, hooks: [{type, command, timeout}]}]"
	Flat    HookShape = "version, hooks: event: [{command, timeout, matcher}]"
	Shells  HookShape = "version, hooks: event: [{type, bash, powershell, timeoutSec}]"
	Windows HookShape = "hooks: event: [{command, powershell}]"
	ByName  HookShape = "name: event: groups or commands"

	Typed     HookShape = "hooks: event: [{type, command, timeout}]"
	Plain     HookShape = "hooks: event: [{matcher, command, timeout}]"
	Versioned HookShape = "version, hooks: event: [{matcher, hooks: [{type, command, timeout}]}]"
	Wrapped   HookShape = "hooks: event: [{matcher, hooks: [{type, command, timeout}]}], a command is the path of a script"
	Scripts   HookShape = "a folder of executables, named after events"
	Tables    HookShape = "tables [[hooks]] of TOML"
	Listed    HookShape = "version, hooks: [{name, trigger, command}]"
)

// Speech is the form of payloads and replies of hooks.
type Speech string

// The forms of speech. Most runtimes took that of Claude Code over.
const (
	Claude      Speech = "claude"
	Codex       Speech = "codex"   // Claude's, where a field that is not expected spoils the reply
	VSCode      Speech = "vscode"  // Claude's, where a stop is blocked within hookSpecificOutput
	Augment     Speech = "augment" // Claude's, but for the plain text with which a session begins
	Gemini      Speech = "gemini"  // Claude's with other names of events
	Cursor      Speech = "cursor"
	Copilot     Speech = "copilot"
	Cascade     Speech = "cascade" // a refusal is an exit status
	Antigravity Speech = "antigravity"
	Cline       Speech = "cline"
	Crush       Speech = "crush"
	Goose       Speech = "goose" // Claude's payloads, and no other reply than a refusal
	Grok        Speech = "grok"  // as Goose, and a refusal is an exit status as well
	Kiro        Speech = "kiro"  // a refusal is an exit status, and plain text answers a prompt
)

// Event is an event for which ken is registered.
type Event struct {
	Name    string // in the runtime
	Kind    agent.Kind
	Matcher string // of tools, or of causes of a compaction; "" for all
}

// startTask is the name of the tool that begins a guarded task, where the tools of servers are named as in Claude Code. A hook that is to
// bind the session to the task has to see its result.
const startTask = "mcp__ken__start_session"

// Plugin is a file of source that the runtime loads, which calls ken for its events.
type Plugin struct {
	Place
	Text string
}

// FolderNote is a sentence on how an agent that was started works in a folder of its own. FOLDER is filled in.
const FolderNote = "Begin each command with `cd FOLDER &&`, and give file tools absolute paths in it."
