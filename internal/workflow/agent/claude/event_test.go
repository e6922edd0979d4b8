package claude

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/workflow/agent"
)

// payloads are one payload of each kind as Claude Code sends them.
var payloads = map[agent.Kind]string{
	agent.SessionStart: `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/p","hook_event_name":"SessionStart","source":"startup","model":"m"}`,
	agent.Prompt:       `{"session_id":"s","prompt_id":"p1","cwd":"/p","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"do it"}`,
	agent.BeforeTool:   `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":{"pattern":"foo","path":"/p"},"tool_use_id":"toolu_1"}`,
	agent.AfterTool: `{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/p/a.go","content":"package a"},` +
		`"tool_response":{"type":"create","filePath":"/p/a.go","content":"package a","structuredPatch":[]},"tool_use_id":"toolu_2","duration_ms":3}`,
	agent.ToolFailed: `{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"go test ./..."},` +
		`"tool_use_id":"toolu_3","error":"Exit code 1","is_interrupt":false}`,
	agent.SubagentStart: `{"session_id":"s","cwd":"/p","hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"Explore"}`,
	agent.SubagentStop: `{"session_id":"s","cwd":"/p","hook_event_name":"SubagentStop","agent_id":"a1","agent_type":"Explore","stop_hook_active":false,` +
		`"last_assistant_message":"found"}`,
	agent.BeforeCompact: `{"session_id":"s","cwd":"/p","hook_event_name":"PreCompact","trigger":"auto","custom_instructions":""}`,
	agent.Stop:          `{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"done"}`,
	agent.StopAsync:     `{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":false}`,
	agent.SessionEnd:    `{"session_id":"s","cwd":"/p","hook_event_name":"SessionEnd","reason":"logout"}`,
}

func TestDecode(t *testing.T) {
	s := agent.Event{Session: "s", Dir: "/p"}
	with := func(kind agent.Kind, f func(e *agent.Event)) *agent.Event {
		e := s
		e.Kind = kind
		f(&e)
		return &e
	}
	want := map[agent.Kind]*agent.Event{
		agent.SessionStart: with(agent.SessionStart, func(e *agent.Event) { e.Source, e.Transcript = "startup", "/t.jsonl" }),
		agent.Prompt:       with(agent.Prompt, func(e *agent.Event) { e.Prompt, e.Text = "p1", "do it" }),
		agent.BeforeTool:   with(agent.BeforeTool, func(e *agent.Event) { e.Tool, e.ToolName, e.Pattern, e.ToolUse = agent.Grep, "Grep", "foo", "toolu_1" }),
		agent.AfterTool: with(agent.AfterTool, func(e *agent.Event) {
			e.Tool, e.ToolName, e.ToolUse, e.Created = agent.Edit, "Write", "toolu_2", true
			e.Files, e.Written, e.Seen = []string{"/p/a.go"}, []string{"package a"}, []agent.SeenPart{{Path: "/p/a.go", Text: true}}
		}),
		agent.ToolFailed: with(agent.ToolFailed, func(e *agent.Event) {
			e.Tool, e.ToolName, e.ToolUse, e.Command, e.Output = agent.Shell, "Bash", "toolu_3", "go test ./...", "Exit code 1"
		}),
		agent.SubagentStart: with(agent.SubagentStart, func(e *agent.Event) { e.Agent, e.AgentType = "a1", "Explore" }),
		agent.SubagentStop:  with(agent.SubagentStop, func(e *agent.Event) { e.Agent, e.AgentType, e.Text = "a1", "Explore", "found" }),
		agent.BeforeCompact: with(agent.BeforeCompact, func(e *agent.Event) { e.Source = "auto" }),
		agent.Stop:          with(agent.Stop, func(e *agent.Event) { e.Repeated, e.Text = true, "done" }),
		agent.StopAsync:     with(agent.StopAsync, func(*agent.Event) {}),
		agent.SessionEnd:    with(agent.SessionEnd, func(e *agent.Event) { e.Source = "logout" }),
	}
	for _, kind := range agent.Kinds() {
		got, err := Decode(kind, []byte(payloads[kind]))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if diff := cmp.Diff(want[kind], got, cmpopts.IgnoreFields(agent.Event{}, "Hash")); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
	for _, bad := range []string{"", "null x", `{"hook_event_name":"SessionEnd"}`, "[]", `{"session_id":`} {
		if e, err := Decode(agent.SessionStart, []byte(bad)); err == nil && bad != "" {
			t.Errorf("%q: %+v", bad, e)
		}
	}
}

// FuzzDecode: whatever comes in, what goes out is a JSON object of the right event or nothing.
func FuzzDecode(f *testing.F) {
	for _, kind := range agent.Kinds() {
		f.Add(string(kind), []byte(payloads[kind]), "context <&> \xff", "")
	}
	for _, p := range recordedPayloads(f) {
		f.Add(string(p.kind), p.raw, "context", "reason")
	}
	f.Add("post-tool-use", []byte(`{"tool_name":"Read","tool_response":[{"a":["b",{"c":"d"}]}]}`), "", "go on")
	f.Add("session-start", []byte(payloads[agent.SessionStart]), strings.Repeat("\xff", maxContext), "")
	f.Fuzz(func(t *testing.T, kind string, raw []byte, context, reason string) {
		e, err := Decode(agent.Kind(kind), raw)
		if err != nil {
			return
		}
		out, err := Encode(e, agent.Reply{Context: context, Continue: agent.Continue{Reason: reason}})
		if err != nil {
			t.Fatal(err)
		}
		if context == "" && reason == "" {
			if out != nil {
				t.Errorf("nothing to say became %q", out)
			}
			return
		}
		var back struct {
			Specific struct {
				Event   string `json:"hookEventName"`
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out, &back); err != nil || bytes.Count(out, []byte("\n")) != 1 {
			t.Fatalf("%q: %v", out, err)
		}
		if len(back.Specific.Context) > maxContext+3 || context != "" && EventName(e.Kind) != "" && back.Specific.Event == "" {
			t.Errorf("%+v", back)
		}
	})
}

func TestTexts(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40) + `"x"` + strings.Repeat("}", 40)
	for raw, want := range map[string]string{
		`"a"`: "a", `{"stdout":"a","stderr":"b","n":1}`: "a b", `[{"type":"text","text":"a"}]`: "text a", `null`: "", deep: "", `{"a":"b","c":`: "b",
	} {
		if got := strings.Join(appendStrings(nil, json.RawMessage(raw), 0), " "); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// TestWrittenPaths: a path is judged as the tool takes it.
func TestWrittenPaths(t *testing.T) {
	t.Setenv("HOME", "/home/a")
	for _, c := range []struct{ path, want string }{
		{"/p/a.go", "/p/a.go"}, {"a_b.go", "a_b.go"}, {" /p/a.go\n", "/p/a.go"}, {"a.go ", "a.go"}, {"~/p/a.go", "/home/a/p/a.go"},
		{"~", "/home/a"}, {"~a/b.go", "~a/b.go"}, {"cafe\u0301.go", "café.go cafe\u0301.go"},
	} {
		if got := strings.Join(WrittenPaths(c.path), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.path, got, c.want)
		}
	}
}
