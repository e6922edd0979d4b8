package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Turns of the session that works on a guarded task, and of the one beside it that does not.
const (
	turnGuarded = "guarded"
	turnFramed  = "framed"
	turnFree    = "free"
)

// guardedCaller uses the function that the session changes.
const guardedCaller = "package main\n\nimport \"greet/words\"\n\nfunc main() {\n\tprintln(words.Bye(\"you\"))\n}\n"

// refused is in the client's result for a write that the task does not permit.
const refused = "gives no leave to write `words/words.go`"

// guardedSteps returns the steps of the first turn of such a session: the model begins a task over the server.
func (w *stage) guardedSteps() []step {
	names := serverPrefix + "start_session," + serverPrefix + "set_query_frame"
	start := map[string]any{"query": "Bye should take leave politely", "intent": "MODIFY"}
	return []step{
		{uses: []use{{"ToolSearch", map[string]any{"query": "select:" + names, "max_results": 2}}}},
		{uses: []use{{serverPrefix + "start_session", start}}},
		{text: "The task goes on.", check: func(q *request) {
			text, failed := lastResult(q.Raw)
			w.contains(text, "a guarded task begins", "EXPLORATION")
			w.expect(!failed, "and that is no error")
		}},
	}
}

// frameSteps returns the steps of the second turn: a quote is checked, and a write is stopped until the user of the changed function was
// read.
func (w *stage) frameSteps() []step {
	slot := func(quote string) map[string]any {
		return map[string]any{"target_feature": map[string]any{"value": "leave", "quote": quote}}
	}
	write := w.edit("words/words.go", "Bye takes leave.", "Bye takes leave politely.")
	return []step{
		{uses: []use{{serverPrefix + "set_query_frame", slot("take leave of everybody")}}},
		{uses: []use{{serverPrefix + "set_query_frame", slot("take leave more politely")}}, check: func(q *request) {
			text, _ := lastResult(q.Raw)
			w.contains(text, "a quote that nobody wrote is refused", "frame_refused")
		}},
		{uses: []use{w.read("words/words.go")}, check: func(q *request) {
			text, failed := lastResult(q.Raw)
			w.expect(!failed && strings.Contains(text, "prompt"), "one of the prompt is a fact")
			w.without(text, "which the hook has recorded", "unverified")
		}},
		{uses: []use{write}},
		{uses: []use{w.read("main.go")}, check: func(q *request) {
			text, failed := lastResult(q.Raw)
			w.expect(failed, "a write before what uses the file was read is stopped")
			w.contains(text, "and the client says why and what is next", refused, "read main.go:6")
			w.expect(!w.holds("words/words.go", "politely"), "the file is as it was")
		}},
		{uses: []use{write}},
		{text: "Done.", check: func(q *request) {
			_, failed := lastResult(q.Raw)
			w.expect(!failed && w.holds("words/words.go", "politely"), "after the file was read, the write is let through")
		}},
	}
}

// free is a session of the same project that works on no task.
func (w *stage) free() []step {
	return []step{
		{uses: []use{w.read("words/words.go")}},
		{uses: []use{w.edit("words/words.go", "leave politely.", "leave.")}},
		{text: "Done.", check: func(q *request) {
			_, failed := lastResult(q.Raw)
			w.expect(!failed && !w.holds("words/words.go", "politely"), "a session without a task is never stopped")
			w.without(q.texts(), "and hears nothing of it", "gives no leave")
		}},
	}
}

func (w *stage) holds(path, text string) bool {
	data, err := os.ReadFile(w.path(path))
	return err == nil && strings.Contains(string(data), text)
}

// guardedSession has the client work on a guarded task, and on none.
func (w *stage) guardedSession(ctx context.Context) error {
	fmt.Println("a guarded task")
	if _, err := w.command("ken", "install", "claude", "--project", "--yes"); err != nil {
		return err
	}
	user := filepath.Join(w.home, ".claude", "settings.json")
	if err := os.WriteFile(user, []byte(approval), 0o600); err != nil {
		return err
	}
	for name, text := range map[string]string{"main.go": guardedCaller, "words/words.go": words} {
		was, err := os.ReadFile(w.path(name))
		if err != nil {
			return err
		}
		defer w.write(name, string(was)) // later sessions expect the files of the earlier ones
		w.write(name, text)
	}
	env := w.client.env
	defer func() { w.client.env = env }()
	w.client.env = append(slices.Clone(env), "KEN_MCP_TOOLS=guard")
	c := w.client
	// Without the recording, because the ids of tasks differ.
	c.args = []string{"--debug-file", filepath.Join(w.keep, "debug.log"), "--allowedTools", "Read,Edit,mcp__ken,ToolSearch"}
	for _, prompts := range [][]string{
		{mark(turnGuarded) + " Begin a task.", mark(turnFramed) + " Have Bye take leave more politely."},
		{mark(turnFree) + " Take it back."},
	} {
		w.sessions++
		if _, err := c.session(ctx, nil, prompts...); err != nil {
			return err
		}
	}
	requests := w.model.received()
	last := requests[len(requests)-1]
	w.expect(last.Turn == turnFree && last.Step == len(w.free())-1, "the sessions came to their end: step %d of turn %s", last.Step, last.Turn)
	if err := os.Remove(user); err != nil {
		return err
	}
	_, err := w.command("ken", "uninstall", "claude", "--project", "--yes")
	return err
}
