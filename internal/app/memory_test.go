package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlantedMemory: no credential that has a shape of its own is kept of a session, however it
// came in: as a prompt, a command, a path, a note, an id or a reason.
func TestPlantedMemory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "code")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	session := "" // that runs the command
	run := func(stdin string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		prog := Program{Args: args, Dir: root, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(k string) string {
			return map[string]string{"HOME": filepath.Join(dir, "home"), "KEN_STATE": filepath.Join(dir, "state"), "KEN_DEBUG": "1", "CLAUDE_CODE_SESSION_ID": session}[k]
		}}
		if status := prog.Run(t.Context()); status != Found {
			t.Errorf("ken %q: exit %d, %s", args, status, errs.Bytes())
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc A() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("", "init")
	g := &generator{rand.New(rand.NewPCG(7, 7))}
	var values []string
	secret := func() string {
		for {
			if f := formats()[g.IntN(len(formats()))]; !f.opaque {
				v := f.make(g)
				values = append(values, v)
				return v
			}
		}
	}
	for n := range 30 {
		event := func(name string, fields map[string]any) {
			fields["session_id"], fields["hook_event_name"], fields["cwd"] = "s", name, root
			raw, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			run(string(raw), "hook", "claude", map[string]string{"SessionStart": "session-start", "UserPromptSubmit": "user-prompt-submit",
				"PostToolUse": "post-tool-use", "PostToolUseFailure": "post-tool-use-failure", "PreToolUse": "pre-tool-use", "PreCompact": "pre-compact",
				"SubagentStop": "subagent-stop", "Stop": "stop-async", "SessionEnd": "session-end"}[name])
		}
		use := fmt.Sprint("t", n)
		event("SessionStart", map[string]any{"source": secret()})
		event("UserPromptSubmit", map[string]any{"prompt": "use " + secret() + " for it", "prompt_id": secret()})
		event("PreToolUse", map[string]any{"tool_name": "Grep", "tool_use_id": use + "a", "tool_input": map[string]any{"pattern": secret()}})
		event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_use_id": use, "tool_input": map[string]any{"command": "TOKEN=1 npm test -- --key " + secret()}})
		event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_use_id": use + "f", "error": secret(), "tool_input": map[string]any{"command": "go test -run " + secret()}})
		event("PostToolUse", map[string]any{"tool_name": "Write", "tool_use_id": use + "w", "tool_input": map[string]any{"file_path": filepath.Join(root, secret()+".txt"), "content": secret()}})
		event("PreCompact", map[string]any{"trigger": secret(), "custom_instructions": secret()})
		event("SubagentStop", map[string]any{"agent_id": secret(), "agent_type": secret(), "last_assistant_message": secret()})
		event("Stop", map[string]any{"last_assistant_message": secret()})
		event("SessionEnd", map[string]any{"reason": secret()})
		event("UserPromptSubmit", map[string]any{"prompt": "That doesn't work with " + secret(), "prompt_id": fmt.Sprint("c", n)})
		run("", "outcome", "record", "failure", "it needs "+secret(), "--session", "s")
		run("", "outcome", "stats") // of what is in the logs so far
		session = "s"
		run("", "find", "func a "+secret())
		session = ""
		run("", "session", "note", "the key is "+secret())
		run("", "session", "decide", "use "+secret(), "--topic", "key "+secret(), "--why", "because of "+secret())
		run("", "session", "todo", "replace "+secret(), "--session", secret())
		run("", "remember", "the other key is "+secret(), "--topic", "key "+secret(), "--session", secret())
		run("", "remember", "--kind", "decision", "take "+secret(), "--why", "because of "+secret())
		run("", "remember", "--kind", "outcome", "replace "+secret()+" everywhere")
		imported := filepath.Join(dir, "store.json")
		entries, err := json.Marshal([]map[string]any{{"content": "the key is " + secret(), "summary": "key " + secret(), "metadata": map[string]any{"sourceFile": "a.go"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(imported, entries, 0o600); err != nil {
			t.Fatal(err)
		}
		run("", "memory", "import", imported, "--from", "of "+secret())
	}
	for _, where := range []string{filepath.Join(root, ".ken"), filepath.Join(dir, "state")} {
		err := filepath.WalkDir(where, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), "index.db") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, v := range values {
				if bytes.Contains(data, []byte(v)) {
					t.Errorf("%s holds %q", d.Name(), v)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"queries.jsonl", "outcomes.jsonl"} {
		if data, err := os.ReadFile(filepath.Join(root, ".ken", "logs", name)); err != nil || bytes.Count(data, []byte("\n")) < 30 {
			t.Errorf("%s holds nothing: %v", name, err)
		}
	}
	if len(values) < 300 {
		t.Errorf("only %d values were planted", len(values))
	}
}
