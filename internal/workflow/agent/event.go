// Package agent has what the runtimes of agents have in common: the events that a
// runtime reports while an agent works, and what ken may reply to one. How a runtime
// spells them is in a package of its own below, workflow/agent/claude for Claude Code.
// Its neighbour workflow/install writes what a runtime needs into its settings.
package agent

// Kind is what happened.
type Kind string

// The kinds of events.
const (
	SessionStart  Kind = "session-start"
	Prompt        Kind = "user-prompt-submit"
	BeforeTool    Kind = "pre-tool-use"
	AfterTool     Kind = "post-tool-use"
	ToolFailed    Kind = "post-tool-use-failure"
	SubagentStart Kind = "subagent-start"
	SubagentStop  Kind = "subagent-stop"
	BeforeCompact Kind = "pre-compact"
	Stop          Kind = "stop"
	// StopAsync is Stop for work that may take longer than an agent should wait.
	StopAsync  Kind = "stop-async"
	SessionEnd Kind = "session-end"
)

// Kinds are all kinds, in the order of a session.
func Kinds() []Kind {
	return []Kind{
		SessionStart, Prompt, BeforeTool, AfterTool, ToolFailed, SubagentStart, SubagentStop, BeforeCompact, Stop, StopAsync, SessionEnd,
	}
}

// ToolKind is what a tool does, whatever a runtime calls it.
type ToolKind string

// The kinds of tools. OtherTool is one that ken does nothing about.
const (
	OtherTool ToolKind = ""
	Edit      ToolKind = "edit" // writes a file
	Shell     ToolKind = "shell"
	Grep      ToolKind = "grep"
	Read      ToolKind = "read"
	Fetch     ToolKind = "fetch"
	Task      ToolKind = "task"       // starts another agent
	StartTask ToolKind = "start-task" // begins a guarded task
)

// Event is one event of one agent's session. What a runtime does not say is the zero
// value. Paths are as the runtime gives them, absolute where its contract says so.
type Event struct {
	Kind    Kind
	Session string
	Agent   string // of a sub-agent, "" of the main one
	// AgentType is what a sub-agent is for, as its definition names it.
	AgentType string
	Prompt    string // id of the prompt that the agent works on
	ToolUse   string // id of the use of a tool
	Dir       string // where the agent works now

	// Source is why a session starts: startup, resume, clear, compact or fork; of a
	// compaction, what asked for it; of the end of a session, its reason.
	Source string
	Text   string // of Prompt what the user wrote, of Stop the agent's last message

	Tool     ToolKind
	ToolName string   // as the runtime calls it
	Files    []string // that the tool reads or writes
	Written  []string // texts that the tool writes
	Command  string   // of a shell
	Pattern  string   // of a search
	Output   string   // of a tool that read or ran something
	Seen     []Seen   // what a tool that succeeded showed of files
	Created  bool     // of an edit: the file was not there before
	// Interrupted: the user stopped the tool, so that its failure says nothing.
	Interrupted bool
	// Background: a command goes on while the agent works, so that its outcome is not known yet.
	Background bool
	// Repeated: the agent stops again after it was made to go on.
	Repeated bool

	// Transcript is the file in which the runtime keeps the session.
	Transcript string
	// Tokens are those that the session has used so far, where that was asked for.
	Tokens int64

	// Hash is of the bytes of the payload, to recognise one that comes twice.
	Hash [32]byte
}

// Seen is what a tool showed of a file.
type Seen struct {
	Path string
	// First and Last are lines, from 1; both 0 mean the file as a whole.
	First, Last int
	Text        bool // its text was shown or written, not only its name
}

// Reply is what ken gives back. The zero value is nothing at all.
type Reply struct {
	Context string // facts for the agent
	Deny    string // why the tool must not be used, of BeforeTool
	Notice  string // for the user
	Continue
}

// Continue makes an agent that stops go on, with the answer to what it asked.
type Continue struct{ Reason string }

// Empty reports whether there is nothing to say.
func (r Reply) Empty() bool { return r == Reply{} }
