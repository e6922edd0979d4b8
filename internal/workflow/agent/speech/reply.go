package speech

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"sync"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

// Answer is the result of a hook.
type Answer struct {
	Out    []byte // standard output
	Err    string // standard error
	Status int    // exit status
}

// refusal is the exit status by which a hook forbids a tool.
const refusal = 2

// Neutral returns the answer that changes nothing: none, unless the contract of the runtime asks for one.
func Neutral(r runtimes.Runtime, kind agent.Kind) Answer {
	var v any
	switch hooksIn(&r).Speech {
	case runtimes.Antigravity:
		v = struct{}{}
		if kind == agent.BeforeTool { // nothing less leaves the decision to the user
			v = decision{Decision: "ask"}
		}
	case runtimes.Cline:
		v = map[string]bool{"cancel": false}
	default:
		return Answer{}
	}
	out, _ := encode(v) // such values can be encoded
	return Answer{Out: out}
}

// Encode returns a reply in the notation of the runtime. It fails if JSON cannot encode it.
func (m *Message) Encode(r agent.Reply) (Answer, error) {
	if m.IsNative() {
		out, err := claude.Encode(m.Event, r)
		return Answer{Out: out}, err
	}
	if m.hooks().Escapes {
		r.Context, r.Deny, r.Reason = withoutTags(r.Context), withoutTags(r.Deny), withoutTags(r.Reason)
	}
	if m.kind != agent.BeforeTool {
		r.Deny = "" // no other event has a tool that can still be stopped
	}
	if m.kind != agent.Stop && m.kind != agent.SubagentStop {
		r.Reason = ""
	}
	if !m.takesContext() {
		r.Context = ""
	}
	r.Context, r.Deny, r.Reason, r.Notice = claude.Clip(r.Context), claude.Clip(r.Deny), claude.Clip(r.Reason), claude.Clip(r.Notice)
	switch m.hooks().Speech {
	case runtimes.Cascade:
		return m.refuseByStatus(r, nil)
	case runtimes.Kiro:
		a, err := m.refuseByStatus(r, nil)
		if m.kind == agent.Prompt && r.Context != "" {
			a.Out = []byte(r.Context + "\n")
		}
		return a, err
	case runtimes.Grok:
		return m.refuseByStatus(r, refused(r, "deny"))
	case runtimes.Augment:
		if m.kind == agent.SessionStart && r.Context != "" {
			return Answer{Out: []byte(r.Context + "\n")}, nil
		}
	}
	v := m.value(r)
	if v == nil {
		return Neutral(m.Runtime, m.kind), nil
	}
	out, err := encode(v)
	if err != nil {
		return Neutral(m.Runtime, m.kind), err
	}
	return Answer{Out: out}, nil
}

// refuseByStatus returns an answer whose exit status refuses the tool, beside an object if the runtime reads one.
func (m *Message) refuseByStatus(r agent.Reply, v any) (Answer, error) {
	var a Answer
	var err error
	if v != nil {
		a.Out, err = encode(v)
	}
	if r.Deny != "" {
		a.Status, a.Err = refusal, r.Deny+"\n"
	}
	return a, err
}

// decision is the object that has many runtimes refuse a tool or go on.
type decision struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Notice   string `json:"systemMessage,omitempty"`
	Context  string `json:"context,omitempty"`
	Specific any    `json:"hookSpecificOutput,omitempty"`
}

// refused returns a decision with a word for the refusal of a tool; nil if there is nothing to decide.
func refused(r agent.Reply, word string) any {
	switch {
	case r.Deny != "":
		return decision{Decision: word, Reason: r.Deny}
	case r.Reason != "":
		return decision{Decision: "block", Reason: r.Reason}
	}
	return nil
}

// value returns the object of an answer; nil if there is none.
func (m *Message) value(r agent.Reply) any {
	switch m.hooks().Speech {
	case runtimes.Cursor:
		return m.cursorValue(r)
	case runtimes.Copilot:
		return m.copilotValue(r)
	case runtimes.Antigravity:
		return m.antigravityValue(r)
	case runtimes.Cline:
		return m.clineValue(r)
	case runtimes.Gemini:
		return m.geminiValue(r)
	case runtimes.Goose:
		return refused(r, "block")
	case runtimes.Crush: // an answer that allows would skip the question to the user
		if r.Deny != "" {
			return decision{Decision: "deny", Reason: r.Deny}
		}
		if r.Context != "" {
			return decision{Context: r.Context}
		}
		return nil
	}
	return m.claudeValue(r)
}

// specific is the part of a reply that depends on the event.
type specific struct {
	Event    string `json:"hookEventName"`
	Verdict  string `json:"permissionDecision,omitempty"`
	Why      string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// claudeValue returns a reply in Claude Code's notation.
func (m *Message) claudeValue(r agent.Reply) any {
	s := specific{Event: m.eventName(), Context: r.Context}
	if r.Deny != "" {
		s.Verdict, s.Why = "deny", r.Deny
	}
	out := decision{Notice: r.Notice}
	switch {
	case r.Reason == "":
	case m.hooks().Speech == runtimes.VSCode:
		s.Decision, s.Reason = "block", r.Reason
	default:
		out.Decision, out.Reason = "block", r.Reason
	}
	if s != (specific{Event: s.Event}) {
		out.Specific = s
	}
	if out == (decision{}) {
		return nil
	}
	return out
}

// takesContext reports whether the runtime reads facts for the agent in the answer to the event. Codex takes no others: they spoil its
// whole reply.
func (m *Message) takesContext() bool {
	switch m.kind {
	case agent.SessionStart, agent.BeforeTool, agent.AfterTool, agent.SubagentStart:
		return true
	case agent.Prompt:
		return m.hooks().Speech != runtimes.VSCode
	case agent.ToolFailed:
		return m.hooks().Speech != runtimes.Codex
	}
	return false
}

func (m *Message) geminiValue(r agent.Reply) any {
	out := decision{Notice: r.Notice}
	switch {
	case r.Deny != "":
		out.Decision, out.Reason = "deny", r.Deny
	case r.Reason != "":
		out.Decision, out.Reason = "deny", r.Reason
	}
	if r.Context != "" {
		out.Specific = specific{Event: m.eventName(), Context: r.Context}
	}
	if out == (decision{}) {
		return nil
	}
	return out
}

// eventName returns the name of the event in the runtime: that of the payload if it is described, else the first that is of its kind.
func (m *Message) eventName() string {
	first := ""
	for _, e := range m.hooks().Events {
		switch {
		case e.Name == m.name:
			return e.Name
		case first == "" && e.Kind == m.kind:
			first = e.Name
		}
	}
	if first == "" {
		return claude.EventName(m.kind)
	}
	return first
}

func (m *Message) cursorValue(r agent.Reply) any {
	switch {
	case r.Deny != "":
		return struct {
			Permission string `json:"permission"`
			User       string `json:"user_message"`
			Agent      string `json:"agent_message"`
		}{"deny", r.Deny, r.Deny}
	case r.Reason != "":
		return map[string]string{"followup_message": r.Reason}
	case r.Context == "" || m.name == "afterFileEdit":
		return nil
	case m.kind == agent.SessionStart, m.kind == agent.AfterTool:
		return map[string]string{"additional_context": r.Context}
	}
	return nil
}

func (m *Message) copilotValue(r agent.Reply) any {
	switch {
	case r.Deny != "":
		return struct {
			Verdict string `json:"permissionDecision"`
			Why     string `json:"permissionDecisionReason"`
		}{"deny", r.Deny}
	case r.Reason != "":
		return decision{Decision: "block", Reason: r.Reason}
	case r.Context == "":
		return nil
	case m.kind == agent.SessionStart, m.kind == agent.AfterTool, m.kind == agent.SubagentStart:
		return map[string]string{"additionalContext": r.Context}
	}
	return nil
}

func (m *Message) antigravityValue(r agent.Reply) any {
	switch {
	case r.Deny != "":
		return decision{Decision: "deny", Reason: r.Deny}
	case r.Reason != "":
		return decision{Decision: "continue", Reason: r.Reason}
	case r.Context != "" && m.kind == agent.SessionStart:
		return map[string]any{"injectSteps": []map[string]string{{"ephemeralMessage": r.Context}}}
	}
	return nil
}

func (m *Message) clineValue(r agent.Reply) any {
	if r.Deny == "" && r.Context == "" {
		return nil
	}
	return struct {
		Cancel  bool   `json:"cancel"`
		Context string `json:"contextModification,omitempty"`
		Error   string `json:"errorMessage,omitempty"`
	}{r.Deny != "", r.Context, r.Deny}
}

// tagLine matches a line that is a tag and nothing else.
var tagLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^</?[a-z][a-z0-9_-]*(?: [^<>\n]*)?>\n?`) })

// withoutTags returns a text without lines that are tags, and with the characters that its entities stand for, because the runtime escapes
// them itself.
func withoutTags(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	return html.UnescapeString(tagLine().ReplaceAllString(s, ""))
}

// encode returns v as a line of JSON that keeps < and > as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}
