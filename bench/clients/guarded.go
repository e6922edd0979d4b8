package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The names of the turns of the session that works on a guarded task, and of the one that does not.
const (
	turnGuarded = "guarded"
	turnFramed  = "framed"
	turnFree    = "free"
)

// guardedCaller uses the function that the session changes.
const guardedCaller = "package main\n\nimport \"greet/words\"\n\nfunc main() {\n\tprintln(words.Bye(\"you\"))\n}\n"

// refusedWrite is a part of the client's result for a write that the task does not permit.
const refusedWrite = "gives no leave to write `words/words.go`"

// guardedSteps returns the steps of the first turn of such a session: the model begins a task over the server.
func (w *stage) guardedSteps() []modelStep {
	names := serverPrefix + "start_session," + serverPrefix + "set_query_frame"
	start := map[string]any{"query": "Bye should take leave politely", "intent": "MODIFY"}
	return []modelStep{
		{uses: []toolUse{{"ToolSearch", map[string]any{"query": "select:" + names, "max_results": 2}}}},
		{uses: []toolUse{{serverPrefix + "start_session", start}}},
		{text: "The task goes on.", check: func(q *request) {
			text, failed := lastResult(q)
			w.checkContains(text, "a guarded task begins", "EXPLORATION")
			w.checkThat(!failed, "and that is no error")
		}},
	}
}

// frameSteps returns the steps of the second turn: a quote is checked, and a write is stopped until the user of the changed function was
// read.
func (w *stage) frameSteps() []modelStep {
	slot := func(quote string) map[string]any {
		return map[string]any{"target_feature": map[string]any{"value": "leave", "quote": quote}}
	}
	write := w.editUse("words/words.go", "Bye takes leave.", "Bye takes leave politely.")
	return []modelStep{
		{uses: []toolUse{{serverPrefix + "set_query_frame", slot("take leave of everybody")}}},
		{uses: []toolUse{{serverPrefix + "set_query_frame", slot("take leave more politely")}}, check: func(q *request) {
			text, _ := lastResult(q)
			w.checkContains(text, "a quote that nobody wrote is refused", "frame_refused")
		}},
		{uses: []toolUse{w.readUse("words/words.go")}, check: func(q *request) {
			text, failed := lastResult(q)
			w.checkThat(!failed && strings.Contains(text, "prompt"), "one of the prompt is a fact")
			w.checkWithout(text, "which the hook has recorded", "unverified")
		}},
		{uses: []toolUse{write}},
		{uses: []toolUse{w.readUse("main.go")}, check: func(q *request) {
			text, failed := lastResult(q)
			w.checkThat(failed, "a write before what uses the file was read is stopped")
			w.checkContains(text, "and the client says why and what is next", refusedWrite, `places "main.go:6"`)
			w.checkThat(!w.fileContains("words/words.go", "politely"), "the file is as it was")
		}},
		{uses: []toolUse{write}},
		{text: "Done.", check: func(q *request) {
			_, failed := lastResult(q)
			w.checkThat(!failed && w.fileContains("words/words.go", "politely"), "after the file was read, the write is let through")
		}},
	}
}

// freeSteps returns the steps of a session in the same project without a task.
func (w *stage) freeSteps() []modelStep {
	return []modelStep{
		{uses: []toolUse{w.readUse("words/words.go")}},
		{uses: []toolUse{w.editUse("words/words.go", "leave politely.", "leave.")}},
		{text: "Done.", check: func(q *request) {
			_, failed := lastResult(q)
			w.checkThat(!failed && !w.fileContains("words/words.go", "politely"), "a session without a task is never stopped")
			w.checkWithout(q.allText(), "and hears nothing of it", "gives no leave")
		}},
	}
}

func (w *stage) fileContains(path, text string) bool {
	data, err := os.ReadFile(w.absolutePath(path))
	return err == nil && strings.Contains(string(data), text)
}

// guardedSession has the client work with and without a guarded task.
func (w *stage) guardedSession(ctx context.Context) error {
	fmt.Println("a guarded task")
	if _, err := w.runCommand("ken", "install", "claude", "--project", "--yes"); err != nil {
		return err
	}
	user := filepath.Join(w.home, ".claude", "settings.json")
	if err := os.WriteFile(user, []byte(approval), 0o600); err != nil {
		return err
	}
	for name, text := range map[string]string{"main.go": guardedCaller, "words/words.go": words} {
		was, err := os.ReadFile(w.absolutePath(name))
		if err != nil {
			return err
		}
		defer w.writeFile(name, string(was)) // later sessions expect the files of the earlier ones
		w.writeFile(name, text)
	}
	env := w.client.Env
	defer func() { w.client.Env = env }()
	w.client.Env = append(slices.Clone(env), "KEN_MCP_TOOLS=guard")
	c := w.client
	// Without the recording, because the ids of tasks differ.
	c.Args = []string{"--debug-file", filepath.Join(w.keep, "debug.log"), "--allowedTools", "Read,Edit,mcp__ken,ToolSearch"}
	for _, prompts := range [][]string{
		{turnMark(turnGuarded) + " Begin a task.", turnMark(turnFramed) + " Have Bye take leave more politely."},
		{turnMark(turnFree) + " Take it back."},
	} {
		w.sessions++
		if _, err := c.RunSession(ctx, nil, prompts...); err != nil {
			return err
		}
	}
	requests := w.model.requestsSoFar()
	last := requests[len(requests)-1]
	w.checkThat(last.Turn == turnFree && last.Step == len(w.freeSteps())-1, "the sessions came to their end: step %d of turn %s", last.Step, last.Turn)
	if err := os.Remove(user); err != nil {
		return err
	}
	_, err := w.runCommand("ken", "uninstall", "claude", "--project", "--yes")
	return err
}
