package speech

import (
	"bytes"
	"encoding/json"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

// signs are members by which the payloads of a runtime differ from those of all others, all of which have to be there.
var signs = []struct {
	runtime string
	members []string
}{
	{"cursor", []string{"cursor_version"}},
	{"windsurf", []string{"agent_action_name", "trajectory_id"}},
	{"antigravity", []string{"conversationId", "workspacePaths"}},
	{"cline", []string{"hookName", "taskId"}},
	{"grok", []string{"toolInput"}},
	{"grok", []string{"hookEventName", "workspaceRoot"}},
	{"vscode", []string{"hookEventName", "sessionId"}},
	{"copilot", []string{"sessionId", "toolArgs"}},
	{"copilot", []string{"sessionId", "timestamp"}},
	{"augment", []string{"hook_event_name", "workspace_roots", "file_changes"}},
}

// sender returns the runtime that sent a payload. It is the declared one unless the payload is clearly that of another, because some
// runtimes run the hooks of others. env are the variables of the process.
func sender(declared runtimes.Runtime, p fields, env func(string) string) runtimes.Runtime {
	for _, s := range signs {
		if !p.has(s.members...) {
			continue
		}
		if s.runtime == declared.Name {
			return declared
		}
		if r, ok := runtimes.Named(s.runtime); ok {
			return r
		}
	}
	if declared.Name == nativeName {
		return caller(declared, env)
	}
	return declared
}

// nativeName is the runtime whose payloads are read as they are.
const nativeName = "claude"

// caller returns the runtime that runs a hook of Claude Code's settings: another one that sends the same payloads is known by a variable.
func caller(declared runtimes.Runtime, env func(string) string) runtimes.Runtime {
	for _, name := range declared.Env {
		if env(name) != "" {
			return declared
		}
	}
	if r := runtimes.Calling(env); r.Hooks != nil && len(r.Hooks.Events) > 0 {
		return r
	}
	return declared
}

// isNative reports whether a payload names an event as Claude Code does, where it names one first.
func isNative(kind agent.Kind, raw []byte) bool {
	_, rest, ok := bytes.Cut(raw, []byte(`"hook_event_name"`))
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
	var name string
	if !ok || json.NewDecoder(bytes.NewReader(rest[:min(len(rest), 64)])).Decode(&name) != nil {
		return false
	}
	return name != "" && name == claude.EventName(kind)
}
