// Package speech reads the payloads of hooks and writes replies in the forms of all runtimes: it finds out which runtime sent a payload,
// rewrites it into Claude Code's form, which most runtimes took over, and writes a reply as the runtime's contract asks. Its neighbours
// are agent/runtimes, which describes how a runtime names its events and tools, and agent/claude, which reads the common form.
package speech

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

// Message is a payload that was read.
type Message struct {
	*agent.Event
	Runtime runtimes.Runtime // that sent it
	// Repeats is set for an event that stands for the start of a session and comes again while the session goes on.
	Repeats bool
	// Void is set for an event that is none: Qwen Code reports the results of tools as prompts without a text.
	Void bool

	kind agent.Kind // of the event in the runtime; a tool that failed may be reported as one that was used
	name string     // of the event in the payload
}

// errNoObject is returned for a payload that is no object of JSON.
var errNoObject = errors.New("the payload is no JSON object")

// errOtherEvent is returned if the payload is of another event than the one that the hook was registered for.
var errOtherEvent = errors.New("the payload is of another event")

// Decode reads the payload of a hook that was registered for an event of a runtime. It fails if the payload is not a JSON object, or if it
// names another event.
func Decode(declared runtimes.Runtime, kind agent.Kind, raw []byte, env func(string) string) (*Message, error) {
	m := &Message{Runtime: declared, kind: kind}
	if declared.Name == nativeName && isNative(kind, raw) && caller(declared, env).Name == nativeName {
		return m.readNative(raw) // the payload need not be read twice
	}
	var p fields
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), &p); err != nil {
		return nil, fmt.Errorf("read the payload: %w", err)
	}
	if p == nil {
		return nil, errNoObject
	}
	if m.Runtime = sender(declared, p, env); m.IsNative() {
		return m.readNative(raw)
	}
	if err := m.read(p); err != nil {
		return nil, err
	}
	if name := m.hooks().SessionEnv; m.Session == "" && name != "" {
		m.Session = env(name)
	}
	return m, nil
}

// readNative fills the event from a payload of Claude Code itself.
func (m *Message) readNative(raw []byte) (*Message, error) {
	e, err := claude.Decode(m.kind, raw)
	if err != nil {
		return nil, err
	}
	m.Event = e
	return m, nil
}

// IsNative reports whether Claude Code itself sent the payload.
func (m *Message) IsNative() bool { return m.Runtime.Name == nativeName }

// read fills the event.
func (m *Message) read(p fields) error {
	m.name = p.text(eventNames...)
	if err := m.checkEvent(); err != nil {
		return err
	}
	form, use := rewrite(&m.Runtime, m.kind, p)
	raw, err := json.Marshal(form)
	if err != nil {
		return fmt.Errorf("read the payload: %w", err)
	}
	e, err := claude.Decode(m.kind, raw)
	if err != nil {
		return err
	}
	m.Event = e
	if use != nil {
		m.addTool(use, p)
	}
	if m.kind == agent.SessionStart && m.hooks().Speech == runtimes.Antigravity {
		m.Repeats = true
	}
	m.Void = m.kind == agent.Prompt && e.Text == ""
	e.Hash = key(e)
	return nil
}

// addTool adds the facts on the use of a tool that the common form has no place for.
func (m *Message) addTool(u *toolUse, p fields) {
	e := m.Event
	for _, f := range u.files {
		e.Files = append(e.Files, claude.WrittenPaths(f)...)
	}
	e.Files = absolute(e.Files, e.Dir)
	e.Seen = nil // the results of other runtimes do not tell what was shown
	if m.kind == agent.AfterTool && u.name == "Write" && len(e.Files) > 0 {
		e.Seen = []agent.SeenPart{{Path: e.Files[0], Text: true}}
	}
	if u.written != "" {
		e.Written = append(e.Written, u.written)
	}
	e.Created = e.Created || u.created
	if m.kind == agent.AfterTool && failed(p, u.kind) {
		e.Kind, e.Seen, e.Created = agent.ToolFailed, nil, false
	}
}

// checkEvent fails if the payload names an event of the runtime that is of another kind.
func (m *Message) checkEvent() error {
	if m.name == "" {
		return nil
	}
	is := func(kind agent.Kind) bool { return kind == m.kind || kind == agent.Stop && m.kind == agent.StopAsync }
	known := false
	for _, e := range m.hooks().Events {
		if e.Name == m.name {
			if known = true; is(e.Kind) {
				return nil
			}
		}
	}
	if known {
		return fmt.Errorf("%w: %.40q is not %s", errOtherEvent, m.name, m.kind)
	}
	return nil
}

// hooks returns the description of the runtime's hooks, that of Claude Code's form where there is none.
func (m *Message) hooks() *runtimes.Hooks { return hooksIn(&m.Runtime) }

func hooksIn(r *runtimes.Runtime) *runtimes.Hooks {
	if r.Hooks == nil {
		return &runtimes.Hooks{Speech: runtimes.Claude}
	}
	return r.Hooks
}
