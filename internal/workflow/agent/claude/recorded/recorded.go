// Package recorded has one payload of each event as Claude Code wrote it to hooks and to a status line, and the project that they are
// about. "ken doctor" passes them to the installed commands, because only an event can show the answer of a hook. They are copies of some
// in testdata/payloads of workflow/agent/claude, its neighbour, which reads them.
package recorded

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed *.json
var payloads embed.FS

// StatusLine is the name of the payload of a status line; other payloads have the name of their event.
const StatusLine = "statusline"

// payloadFile returns the file name of a payload without ".json", or "" if there is no such payload.
func payloadFile(name string) string {
	return map[string]string{
		"session-start": "SessionStart-startup", "user-prompt-submit": "UserPromptSubmit", "pre-tool-use": "PreToolUse-Grep", "post-tool-use": "PostToolUse-Edit",
		"post-tool-use-failure": "PostToolUseFailure-Bash", "subagent-start": "SubagentStart", "subagent-stop": "SubagentStop", "pre-compact": "PreCompact-manual",
		"stop": "Stop", "stop-async": "Stop", "session-end": "SessionEnd-other", StatusLine: "StatusLine-used",
	}[name]
}

// The paths in the payloads: of the project, and of the home that contains it.
const (
	recordedHome    = "/home/dev"
	recordedProject = recordedHome + "/greet"
)

// Payload returns the payload of an event in the project at root. Paths outside of the project are moved beside it. It returns an error
// if there is no such event.
func Payload(name, root string) ([]byte, error) {
	raw, err := payloads.ReadFile(payloadFile(name) + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no payload of %s: %w", name, err)
	}
	text := string(raw)
	for _, p := range []struct{ was, is string }{{recordedProject, root}, {recordedHome, filepath.Dir(root)}} {
		quoted, err := json.Marshal(p.is)
		if err != nil {
			return nil, err
		}
		is := strings.Trim(string(quoted), `"`)
		for _, end := range []string{`"`, `/`} {
			text = strings.ReplaceAll(text, `"`+p.was+end, `"`+is+end)
		}
	}
	return []byte(text), nil
}

// projectFiles returns the files of the project that the payloads are about.
func projectFiles() map[string]string {
	return map[string]string{
		"go.mod":  "module greet\n\ngo 1.24\n",
		"main.go": "package main\n\nimport \"greet/words\"\n\nfunc main() {\n\tprintln(words.Hello(\"you\"))\n\tprintln(words.Bye(\"you\"))\n}\n",
		"words/words.go": "package words\n\n// Hello greets somebody.\nfunc Hello(name string) string { return \"Hello \" + name }\n\n" +
			"// Bye takes leave.\nfunc Bye(name string) string { return \"Bye \" + name }\n",
	}
}

// MakeProject writes the project into a directory, which it makes. It returns an error if a file cannot be written.
func MakeProject(root string) error {
	for name, text := range projectFiles() {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
