package claude

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/agent"
)

func TestSeen(t *testing.T) {
	lines := func(first, last int) []agent.SeenPart {
		return []agent.SeenPart{{Path: "a.go", Text: true, First: first, Last: last}}
	}
	for name, c := range map[string]struct {
		tool, input, response string
		want                  []agent.SeenPart
	}{
		"a whole file": {"Read", `{"file_path":"a.go"}`, `{"type":"text","file":{"numLines":9,"startLine":1,"totalLines":9}}`, lines(0, 0)},
		"its beginning, because it is longer than is shown at once": {"Read", `{"file_path":"a.go"}`, `{"type":"text","file":{"numLines":2000,"startLine":1,"totalLines":9000}}`, lines(1, 2000)},
		"lines of it":                             {"Read", `{"file_path":"a.go","offset":5,"limit":100}`, `{"type":"text","file":{"numLines":5,"startLine":5,"totalLines":9}}`, lines(5, 9)},
		"what is in the context already":          {"Read", `{"file_path":"a.go"}`, `{"type":"file_unchanged","file":{"filePath":"a.go"}}`, lines(0, 0)},
		"lines that are in the context already":   {"Read", `{"file_path":"a.go","offset":5,"limit":2}`, `{"type":"file_unchanged"}`, lines(5, 6)},
		"an image":                                {"Read", `{"file_path":"a.go"}`, `{"type":"image","file":{"base64":"x"}}`, nil},
		"an answer of another form":               {"Read", `{"file_path":"a.go"}`, `"a.go"`, nil},
		"numbers that are none":                   {"Read", `{"file_path":"a.go"}`, `{"file":{"numLines":"9","startLine":-4,"totalLines":1e99}}`, nil},
		"a file that was written":                 {"Write", `{"file_path":"a.go","content":"x"}`, `{"type":"create"}`, lines(0, 0)},
		"what surrounds an edit":                  {"Edit", `{"file_path":"a.go"}`, `{"structuredPatch":[{"newStart":3,"newLines":4}]}`, lines(3, 6)},
		"an edit whose place is not known":        {"Edit", `{"file_path":"a.go"}`, `{"structuredPatch":"x"}`, nil},
		"a notebook":                              {"NotebookEdit", `{"notebook_path":"a.ipynb"}`, `{}`, nil},
		"files that a search names":               {"Grep", `{"pattern":"x"}`, `{"filenames":["a.go","b.go"]}`, []agent.SeenPart{{Path: "a.go"}, {Path: "b.go"}}},
		"lines that a search prints":              {"Grep", `{"pattern":"x"}`, `{"mode":"content","content":"a.go:3:x\nno line\nb.go:4:y"}`, []agent.SeenPart{{Path: "a.go", First: 3, Last: 3}, {Path: "b.go", First: 4, Last: 4}}},
		"lines of the file that is searched":      {"Grep", `{"pattern":"x","path":"a.go"}`, `{"content":"3:x"}`, []agent.SeenPart{{Path: "a.go", First: 3, Last: 3}}},
		"lines of no file":                        {"Grep", `{"pattern":"x"}`, `{"content":"3:x"}`, nil},
		"a command shows what nobody can say":     {"Bash", `{"command":"cat a.go"}`, `{"stdout":"x"}`, nil},
		"the tool that begins a task shows files": {"mcp__ken__start_session", `{"file_path":"a.go"}`, `{"file":{"numLines":9}}`, nil},
	} {
		raw := fmt.Sprintf(`{"hook_event_name":"PostToolUse","tool_name":%q,"tool_input":%s,"tool_response":%s}`, c.tool, c.input, c.response)
		e, err := Decode(agent.AfterTool, []byte(raw))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, e.Seen); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDenied: only a tool that is still to be used can be stopped.
func TestDenied(t *testing.T) {
	for kind, want := range map[agent.Kind]string{
		agent.BeforeTool: `{"systemMessage":"seen","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not yet"}}` + "\n",
		agent.AfterTool:  `{"systemMessage":"seen","hookSpecificOutput":{"hookEventName":"PostToolUse"}}` + "\n",
	} {
		got, err := Encode(&agent.Event{Kind: kind}, agent.Reply{Deny: "not yet", Notice: "seen"})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s%v, want %s", kind, got, err, want)
		}
	}
}
