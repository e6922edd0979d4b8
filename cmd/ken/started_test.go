package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// started writes ../started.json: the payload after the tool that printed what the last command did began a guarded task, in a
// session and, if one is named, by an agent. The answer is in the form that the tool answers in.
func started(ts *testscript.TestScript, _ bool, args []string) {
	out := ts.ReadFile("stdout")
	p := map[string]any{
		"session_id": args[0], "hook_event_name": "PostToolUse", "tool_name": args[1], "tool_use_id": "started " + strings.Join(args, " "),
		"tool_input": map[string]any{}, "tool_response": []map[string]any{{"type": "text", "text": out}},
	}
	if args[1] == "Bash" {
		p["tool_input"] = map[string]any{"command": "ken task start_session 'the price' --intent MODIFY"}
		p["tool_response"] = map[string]any{"stdout": out, "stderr": "", "interrupted": false}
	}
	if len(args) > 2 {
		p["agent_id"] = args[2]
	}
	text, err := json.Marshal(p)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("../started.json"), text, 0o644))
}
