// Package agent has the part common to all runtimes of agents: the events that a runtime reports while an agent works, and ken's replies.
// The notation of each runtime is in a package of its own below, workflow/agent/claude for Claude Code. Its neighbour workflow/install
// changes the settings of a runtime.
package agent

// Kind is the kind of an event.
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
	// StopAsync is the same event as Stop, for work that takes longer than an agent should wait.
	StopAsync  Kind = "stop-async"
	SessionEnd Kind = "session-end"
)

// Kinds returns all kinds, in the order of a session.
func Kinds() []Kind {
	return []Kind{
		SessionStart, Prompt, BeforeTool, AfterTool, ToolFailed, SubagentStart, SubagentStop, BeforeCompact, Stop, StopAsync, SessionEnd,
	}
}

// ToolKind is the purpose of a tool, whatever its name in a runtime.
type ToolKind string

// The kinds of tools. OtherTool is one that ken ignores.
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

// Event is one event of an agent's session. A value that the runtime does not report is zero. Paths are as the runtime gives them,
// absolute where its contract promises that.
type Event struct {
	Kind    Kind
	Session string
	Agent   string // of a sub-agent, "" of the main one
	// AgentType is the purpose of a sub-agent, as its definition names it.
	AgentType string
	Prompt    string // id of the prompt that the agent works on
	ToolUse   string // id of the use of a tool
	Dir       string // the directory in which the agent works now

	// Source is the reason why a session starts: startup, resume, clear, compact or fork; for a compaction its trigger; for the end of a
	// session its reason.
	Source string
	Text   string // for Prompt the user's text, for Stop the agent's last message

	Tool     ToolKind
	ToolName string     // in Claude Code, or in the runtime where Claude Code has no such tool
	Files    []string   // that the tool reads or writes
	Written  []string   // texts that the tool writes
	Edits    []TextEdit // that the tool makes in the only one of Files; nil if it writes the file anew, or the edits are not known
	Command  string     // of a shell
	Pattern  string     // of a search
	Output   string     // of a tool that read or ran something
	Seen     []SeenPart // the parts of files shown by a successful tool
	Created  bool       // by an edit: the file is new
	// Interrupted: the user stopped the tool, so its failure means nothing.
	Interrupted bool
	// Background: a command continues while the agent works, so its outcome is not known yet.
	Background bool
	// Repeated: the agent stops again after it was made to go on.
	Repeated bool

	// Transcript is the file in which the runtime keeps the session.
	Transcript string
	// Tokens is the number used by the session so far, if it was requested.
	Tokens int64

	// Hash is the hash of the payload's bytes, to detect one that comes twice.
	Hash [32]byte
}

// TextEdit replaces a text in a file, at its first place or at all.
type TextEdit struct {
	Old, New string
	All      bool
}

// SeenPart is a part of a file that a tool showed to the agent.
type SeenPart struct {
	Path string
	// First and Last are lines, from 1; both 0 mean the file as a whole.
	First, Last int
	Text        bool // its text was shown or written, not only its name
}

// Reply is ken's reply to an event. The zero value is no reply.
type Reply struct {
	Context string // facts for the agent
	Deny    string // the reason to forbid the tool, for BeforeTool
	Notice  string // for the user
	Continue
}

// Continue makes an agent that is about to stop go on, with a text that answers its question.
type Continue struct{ Reason string }

// Empty reports whether the reply has no content.
func (r Reply) Empty() bool { return r == Reply{} }
