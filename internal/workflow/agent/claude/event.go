package claude

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ken/internal/workflow/agent"
)

// payload is the standard input of a hook. Fields that ken does not use are omitted, and a value of an unexpected type counts as missing,
// because later versions add fields and change them.
type payload struct {
	Session   lenientText `json:"session_id"`
	PromptID  lenientText `json:"prompt_id"`
	Dir       lenientText `json:"cwd"`
	Event     lenientText `json:"hook_event_name"`
	Agent     lenientText `json:"agent_id"`
	AgentType lenientText `json:"agent_type"`
	// Transcript is a file of JSON, a line for each message.
	Transcript lenientText `json:"transcript_path"`

	Source  lenientText `json:"source"`
	Trigger lenientText `json:"trigger"`
	Reason  lenientText `json:"reason"`
	Prompt  lenientText `json:"prompt"`
	Last    lenientText `json:"last_assistant_message"`
	Active  lenientBool `json:"stop_hook_active"`

	Tool     lenientText     `json:"tool_name"`
	ToolUse  lenientText     `json:"tool_use_id"`
	Input    toolInput       `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	Error    lenientText     `json:"error"`
	Stopped  lenientBool     `json:"is_interrupt"`
}

// lenientText is a string; any other JSON value becomes "".
type lenientText string

func (t *lenientText) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = lenientText(s)
	}
	return nil
}

// lenientBool is a boolean; any other JSON value becomes false.
type lenientBool bool

func (f *lenientBool) UnmarshalJSON(b []byte) error {
	*f = lenientBool(string(b) == "true")
	return nil
}

// toolInput is the input of the tools that ken knows; for others it is empty.
type toolInput struct {
	File     lenientText `json:"file_path"`
	Notebook lenientText `json:"notebook_path"`
	Path     lenientText `json:"path"`
	Content  lenientText `json:"content"`
	Old      lenientText `json:"old_string"`
	New      lenientText `json:"new_string"`
	All      lenientBool `json:"replace_all"`
	Source   lenientText `json:"new_source"`
	Edits    multiEdits  `json:"edits"`
	Command  lenientText `json:"command"`
	Pattern  lenientText `json:"pattern"`
	Behind   lenientBool `json:"run_in_background"`
	// Offset and Limit are the requested lines of a file.
	Offset lenientInt `json:"offset"`
	Limit  lenientInt `json:"limit"`
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

// multiEdits are the edits of one call of the tool MultiEdit.
type multiEdits []struct {
	Old lenientText `json:"old_string"`
	New lenientText `json:"new_string"`
	All lenientBool `json:"replace_all"`
}

// UnmarshalJSON leaves the list empty if it is not a list of objects.
func (e *multiEdits) UnmarshalJSON(b []byte) error {
	type plain multiEdits
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*e = multiEdits(p)
	}
	return nil
}

// events maps the names of events in payloads to their kinds.
var events = map[string]agent.Kind{
	"SessionStart": agent.SessionStart, "UserPromptSubmit": agent.Prompt, "PreToolUse": agent.BeforeTool, "PostToolUse": agent.AfterTool,
	"PostToolUseFailure": agent.ToolFailed, "SubagentStart": agent.SubagentStart, "SubagentStop": agent.SubagentStop,
	"PreCompact": agent.BeforeCompact, "Stop": agent.Stop, "SessionEnd": agent.SessionEnd,
}

// tools maps the names of tools to their kinds, for the tools that ken handles.
var tools = map[string]agent.ToolKind{
	"Write": agent.Edit, "Edit": agent.Edit, "MultiEdit": agent.Edit, "NotebookEdit": agent.Edit,
	"Bash": agent.Shell, "PowerShell": agent.Shell, "Grep": agent.Grep, "Read": agent.Read, "WebFetch": agent.Fetch,
	"Agent": agent.Task, "Task": agent.Task,
}

// ToolKind returns the kind of a tool of Claude Code.
func ToolKind(name string) agent.ToolKind { return tools[name] }

// startTool is the end of the name of the MCP tool that begins a guarded task. The beginning depends on the server's name.
const startTool = "__start_session"

// errOtherEvent is returned if the payload is of another event than the one that the hook was registered for.
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
		p.addToolUse(e)
	}
	return e, nil
}

// addToolUse sets the fields of an event that describe the use of a tool.
func (p *payload) addToolUse(e *agent.Event) {
	e.ToolName, e.Tool = string(p.Tool), tools[string(p.Tool)]
	if strings.HasPrefix(e.ToolName, "mcp__") && strings.HasSuffix(e.ToolName, startTool) {
		e.Tool = agent.StartTask
	}
	in := &p.Input
	for _, f := range []lenientText{in.File, in.Notebook} {
		if f != "" {
			e.Files = append(e.Files, WrittenPaths(string(f))...)
		}
	}
	e.Command, e.Pattern = string(in.Command), string(in.Pattern)
	for _, w := range []lenientText{in.Content, in.New, in.Source} {
		if w != "" {
			e.Written = append(e.Written, string(w))
		}
	}
	for i := range in.Edits {
		e.Written = append(e.Written, string(in.Edits[i].New))
		e.Edits = append(e.Edits, agent.TextEdit{Old: string(in.Edits[i].Old), New: string(in.Edits[i].New), All: bool(in.Edits[i].All)})
	}
	if in.Old != "" {
		e.Edits = append(e.Edits, agent.TextEdit{Old: string(in.Old), New: string(in.New), All: bool(in.All)})
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
		e.Output = strings.Join(Strings(p.Response), "\n")
	}
}

// WrittenPaths returns the paths of files that a tool may mean by a path that a model gave it: Claude Code drops blanks around it, puts the
// home directory in the place of a tilde and composes characters (NFC). Where composing changes it the path as it was given is one, too.
func WrittenPaths(path string) []string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if composed := norm.NFC.String(path); composed != path {
		return []string{composed, path}
	}
	return []string{path}
}

// response has the fields of the results of some tools.
type response struct {
	Type    lenientText `json:"type"`             // of an edit: create or update
	Task    lenientText `json:"backgroundTaskId"` // of a command that continues while the agent works
	Stopped lenientBool `json:"interrupted"`
}

// response returns the result of the tool, empty if it is not an object.
func (p *payload) response() (r response) {
	if json.Unmarshal(p.Response, &r) != nil {
		return response{}
	}
	return r
}

// maxDepth is the nesting depth down to which strings in a tool's result are collected.
const maxDepth = 8

// Strings returns the strings in a JSON value, in order, down to a depth.
func Strings(raw json.RawMessage) []string { return appendStrings(nil, raw, 0) }

// appendStrings appends the strings in a JSON value, in order. The result of a tool has a different form for each tool and kind of file.
func appendStrings(out []string, raw json.RawMessage, depth int) []string {
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
				out = appendStrings(out, v, depth+1)
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
			out = appendStrings(out, v, depth+1)
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
	out.Notice = Clip(r.Notice)
	if r.Reason != "" {
		out.Decision, out.Reason = "block", Clip(r.Reason)
	}
	if name := EventName(e.Kind); name != "" && (r.Context != "" || r.Deny != "") {
		specific := struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision,omitempty"`
			Why      string `json:"permissionDecisionReason,omitempty"`
			Context  string `json:"additionalContext,omitempty"`
		}{Event: name, Context: Clip(r.Context)}
		if r.Deny != "" && e.Kind == agent.BeforeTool { // no other event has a tool that can still be stopped
			specific.Decision, specific.Why = "deny", Clip(r.Deny)
		}
		out.Specific = specific
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return b.Bytes(), err
}

// EventName returns the name of an event in payloads, "" if there is none.
func EventName(kind agent.Kind) string {
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

// Clip shortens a text that is too long. Invalid bytes are replaced first, because JSON writes three bytes for each.
func Clip(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxContext {
		return s
	}
	return strings.ToValidUTF8(s[:maxContext-len("…")], "") + "…"
}
