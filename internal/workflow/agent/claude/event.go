package claude

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ken/internal/workflow/agent"
)

// payload is the standard input of a hook. Fields that ken does not use are omitted, and a value of an unexpected type counts as missing,
// because later versions add fields and change them.
type payload struct {
	Session   text `json:"session_id"`
	PromptID  text `json:"prompt_id"`
	Dir       text `json:"cwd"`
	Event     text `json:"hook_event_name"`
	Agent     text `json:"agent_id"`
	AgentType text `json:"agent_type"`
	// Transcript is a file of JSON, a line for each message.
	Transcript text `json:"transcript_path"`

	Source  text `json:"source"`
	Trigger text `json:"trigger"`
	Reason  text `json:"reason"`
	Prompt  text `json:"prompt"`
	Last    text `json:"last_assistant_message"`
	Active  flag `json:"stop_hook_active"`

	Tool     text            `json:"tool_name"`
	ToolUse  text            `json:"tool_use_id"`
	Input    toolInput       `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	Error    text            `json:"error"`
	Stopped  flag            `json:"is_interrupt"`
}

// text is a string; any other value becomes "".
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
	}
	return nil
}

// flag is a boolean; any other value becomes false.
type flag bool

func (f *flag) UnmarshalJSON(b []byte) error {
	*f = flag(string(b) == "true")
	return nil
}

// toolInput is the input of the tools that ken knows; for others it is empty.
type toolInput struct {
	File     text  `json:"file_path"`
	Notebook text  `json:"notebook_path"`
	Path     text  `json:"path"`
	Content  text  `json:"content"`
	New      text  `json:"new_string"`
	Source   text  `json:"new_source"`
	Edits    edits `json:"edits"`
	Command  text  `json:"command"`
	Pattern  text  `json:"pattern"`
	Behind   flag  `json:"run_in_background"`
	// Offset and Limit are the requested lines of a file.
	Offset number `json:"offset"`
	Limit  number `json:"limit"`
}

// UnmarshalJSON leaves the input empty if it is not an object.
func (in *toolInput) UnmarshalJSON(b []byte) error {
	type plain toolInput
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*in = toolInput(p)
	}
	return nil
}

// edits are the edits of one MultiEdit.
type edits []struct {
	New text `json:"new_string"`
}

// UnmarshalJSON leaves the list empty if it is not a list of objects.
func (e *edits) UnmarshalJSON(b []byte) error {
	type plain edits
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*e = edits(p)
	}
	return nil
}

// events are the names of events in payloads.
var events = map[string]agent.Kind{
	"SessionStart": agent.SessionStart, "UserPromptSubmit": agent.Prompt, "PreToolUse": agent.BeforeTool, "PostToolUse": agent.AfterTool,
	"PostToolUseFailure": agent.ToolFailed, "SubagentStart": agent.SubagentStart, "SubagentStop": agent.SubagentStop,
	"PreCompact": agent.BeforeCompact, "Stop": agent.Stop, "SessionEnd": agent.SessionEnd,
}

// tools are the tools that ken knows.
var tools = map[string]agent.ToolKind{
	"Write": agent.Edit, "Edit": agent.Edit, "MultiEdit": agent.Edit, "NotebookEdit": agent.Edit,
	"Bash": agent.Shell, "PowerShell": agent.Shell, "Grep": agent.Grep, "Read": agent.Read, "WebFetch": agent.Fetch,
	"Agent": agent.Task, "Task": agent.Task,
}

// startTool ends the name of the tool of ken's server that begins a guarded task, whatever the name of the server.
const startTool = "__start_session"

// errOtherEvent reports a payload of another event than the one that the hook was registered for.
var errOtherEvent = errors.New("the payload is of another event")

// Decode reads the payload of a hook that was registered for an event. It returns an error if the payload is not a JSON object, or if it
// names another event.
func Decode(kind agent.Kind, raw []byte) (*agent.Event, error) {
	var p payload
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), &p); err != nil {
		return nil, fmt.Errorf("read the payload: %w", err)
	}
	if named := events[string(p.Event)]; named != "" && named != kind && !(named == agent.Stop && kind == agent.StopAsync) {
		return nil, fmt.Errorf("%w: %s, not %s", errOtherEvent, named, kind)
	}
	e := &agent.Event{
		Kind: kind, Session: string(p.Session), Agent: string(p.Agent), AgentType: string(p.AgentType), Prompt: string(p.PromptID),
		ToolUse: string(p.ToolUse), Dir: string(p.Dir), Interrupted: bool(p.Stopped), Repeated: bool(p.Active), Hash: sha256.Sum256(raw),
		Transcript: string(p.Transcript),
	}
	switch kind {
	case agent.SessionStart:
		e.Source = string(p.Source)
	case agent.BeforeCompact:
		e.Source = string(p.Trigger)
	case agent.SessionEnd:
		e.Source = string(p.Reason)
	case agent.Prompt:
		e.Text = string(p.Prompt)
	case agent.Stop, agent.StopAsync, agent.SubagentStop:
		e.Text = string(p.Last)
	case agent.BeforeTool, agent.AfterTool, agent.ToolFailed:
		p.tool(e)
	}
	return e, nil
}

// tool adds the use of a tool to an event.
func (p *payload) tool(e *agent.Event) {
	e.ToolName, e.Tool = string(p.Tool), tools[string(p.Tool)]
	if strings.HasPrefix(e.ToolName, "mcp__") && strings.HasSuffix(e.ToolName, startTool) {
		e.Tool = agent.StartTask
	}
	in := &p.Input
	for _, f := range []text{in.File, in.Notebook} {
		if f != "" {
			e.Files = append(e.Files, string(f))
		}
	}
	e.Command, e.Pattern = string(in.Command), string(in.Pattern)
	for _, w := range []text{in.Content, in.New, in.Source} {
		if w != "" {
			e.Written = append(e.Written, string(w))
		}
	}
	for i := range in.Edits {
		e.Written = append(e.Written, string(in.Edits[i].New))
	}
	if e.Kind == agent.ToolFailed {
		e.Output = string(p.Error)
		return
	}
	switch e.Tool {
	case agent.Edit:
		e.Created = p.response().Type == "create"
	case agent.Shell:
		r := p.response()
		e.Background = bool(in.Behind) || r.Task != ""
		e.Interrupted = e.Interrupted || bool(r.Stopped)
	}
	if e.Kind == agent.AfterTool {
		e.Seen = p.seenFiles(e.Tool)
	}
	switch e.Tool {
	case agent.Read, agent.Fetch, agent.Shell, agent.StartTask:
		e.Output = strings.Join(texts(nil, p.Response, 0), "\n")
	}
}

// response has fields of the answers of some tools.
type response struct {
	Type    text `json:"type"`             // of an edit: create or update
	Task    text `json:"backgroundTaskId"` // of a command that continues while the agent works
	Stopped flag `json:"interrupted"`
}

// response returns the answer, empty if it is not an object.
func (p *payload) response() (r response) {
	if json.Unmarshal(p.Response, &r) != nil {
		return response{}
	}
	return r
}

// maxDepth is the greatest depth at which texts in a tool's response are found.
const maxDepth = 8

// texts appends the strings of a JSON value, in order; the answer of a tool has another form for each tool and kind of file.
func texts(out []string, raw json.RawMessage, depth int) []string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth > maxDepth {
		return out
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil && s != "" {
			out = append(out, s)
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			for _, v := range list {
				out = texts(out, v, depth+1)
			}
		}
	case '{':
		d := json.NewDecoder(bytes.NewReader(raw))
		if _, err := d.Token(); err != nil {
			return out
		}
		for d.More() {
			var v json.RawMessage
			if _, err := d.Token(); err != nil || d.Decode(&v) != nil {
				return out
			}
			out = texts(out, v, depth+1)
		}
	}
	return out
}

// maxContext is the longest text that Claude Code takes without moving it to a file, in characters.
const maxContext = 10_000

// Encode returns a reply in Claude Code's notation, or nil for an empty one. It returns an error if JSON cannot encode it.
func Encode(e *agent.Event, r agent.Reply) ([]byte, error) {
	if r.Empty() {
		return nil, nil
	}
	var out struct {
		Decision string `json:"decision,omitempty"`
		Reason   string `json:"reason,omitempty"`
		Notice   string `json:"systemMessage,omitempty"`
		Specific any    `json:"hookSpecificOutput,omitempty"`
	}
	out.Notice = clip(r.Notice)
	if r.Reason != "" {
		out.Decision, out.Reason = "block", clip(r.Reason)
	}
	if name := eventName(e.Kind); name != "" && (r.Context != "" || r.Deny != "") {
		specific := struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision,omitempty"`
			Why      string `json:"permissionDecisionReason,omitempty"`
			Context  string `json:"additionalContext,omitempty"`
		}{Event: name, Context: clip(r.Context)}
		if r.Deny != "" && e.Kind == agent.BeforeTool { // no other event has a tool that can still be stopped
			specific.Decision, specific.Why = "deny", clip(r.Deny)
		}
		out.Specific = specific
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return b.Bytes(), err
}

func eventName(kind agent.Kind) string {
	if kind == agent.StopAsync {
		kind = agent.Stop
	}
	for name, k := range events {
		if k == kind {
			return name
		}
	}
	return ""
}

// clip shortens a text that is too long. Invalid bytes are replaced first, because JSON writes three bytes for each.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxContext {
		return s
	}
	return strings.ToValidUTF8(s[:maxContext-len("…")], "") + "…"
}
