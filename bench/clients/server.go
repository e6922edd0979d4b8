package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tokens "ken/internal/token"
)

// turnServer is the one turn of a session that calls the tools of ken's server.
const turnServer = "server"

// serverTools are those that the default set offers.
var serverTools = []string{"overview", "find", "show", "refs", "grep", "impact", "brief", "recall"}

// serverCall is a call of a tool with the texts that its answer must hold.
type serverCall struct {
	tool   string
	input  map[string]any
	want   string
	failed bool // the answer is an error that lists the available names
}

// serverCalls returns calls of every tool of the default set, two of them with unknown arguments.
func serverCalls() []serverCall {
	return []serverCall{
		{tool: "overview", want: "words/words.go"},
		{tool: "find", input: map[string]any{"query": "greeting somebody"}, want: "words/words.go"},
		{tool: "show", input: map[string]any{"target": "Hello"}, want: "Hello greets somebody"},
		{tool: "refs", input: map[string]any{"name": "Hello"}, want: "words/words_test.go"},
		{tool: "grep", input: map[string]any{"regex": "func Hello"}, want: "words/words.go:"},
		{tool: "impact", input: map[string]any{"target": []string{"words/words.go"}}, want: "words/words_test.go"},
		{tool: "brief", input: map[string]any{"goal": "translate the greeting in words/words.go"}, want: "words/words.go"},
		{tool: "recall", input: map[string]any{"text": "greetings"}, want: decision},
		{tool: "find", input: map[string]any{"querry": "Hello"}, want: `near: query`, failed: true},
		{tool: "show", input: map[string]any{"target": "/etc/passwd"}, want: "is not inside the project", failed: true},
		{tool: "grep", input: map[string]any{"regex": "func Hello", "budget": 20000}, want: "words/words.go:"},
	}
}

// answerBudget is the default budget of an answer, in tokens.
const answerBudget = 2000

// serverSteps returns the steps of such a session: one call each. The next step checks the answer.
func (w *stage) serverSteps() []modelStep {
	counter := tokens.New(tokens.O200K)
	calls := serverCalls()
	names := serverPrefix + strings.Join(serverTools, ","+serverPrefix)
	steps := []modelStep{{check: w.checkToolNames, uses: []toolUse{{"ToolSearch", map[string]any{"query": "select:" + names, "max_results": len(serverTools)}}}}}
	for i := range calls {
		s := modelStep{uses: []toolUse{{serverPrefix + calls[i].tool, calls[i].input}}, check: w.checkToolList}
		if calls[i].input == nil {
			s.uses[0].input = map[string]any{}
		}
		if i > 0 {
			s.check = func(q *request) { w.checkServerAnswer(q, &calls[i-1], counter) }
		}
		steps = append(steps, s)
	}
	return append(steps, modelStep{text: "All were called.", check: func(q *request) { w.checkServerAnswer(q, &calls[len(calls)-1], counter) }})
}

// serverPrefix begins the names by which the client knows the tools of the server.
const serverPrefix = "mcp__ken__"

// checkToolNames checks the beginning of a session: the client names the tools, holds their schemas back until the model
// searches for them, and shows the server's instructions, which therefore describe each tool.
func (w *stage) checkToolNames(q *request) {
	raw := string(q.Raw)
	for _, name := range serverTools {
		w.checkThat(strings.Contains(raw, serverPrefix+name), "the session begins with the name %s", name)
	}
	w.checkContains(raw, "and with the instructions of the server", "ken answers questions about this repository", "Every tool takes budget")
}

// checkToolList checks that the client offers the model all tools of the server.
func (w *stage) checkToolList(q *request) {
	var got []string
	for _, name := range q.Tools {
		if rest, ok := strings.CutPrefix(name, serverPrefix); ok {
			got = append(got, rest)
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(serverTools))
	w.checkThat(slices.Equal(got, want), "the client offers the model the tools of the server: %v", got)
}

// checkServerAnswer checks the answer of one call as the client sent it on.
func (w *stage) checkServerAnswer(q *request, c *serverCall, counter *tokens.Counter) {
	text, failed := lastResult(q)
	input, _ := json.Marshal(c.input)
	w.checkContains(text, fmt.Sprintf("%s %s is answered", c.tool, input), c.want)
	w.checkThat(failed == c.failed, "its answer is an error: %t", failed)
	n := counter.Count([]byte(text))
	w.checkThat(n <= answerBudget, "it has %d tokens", n)
}

// lastResult returns the client's result of the last tool use.
func lastResult(q *request) (text string, failed bool) {
	for _, m := range q.Messages {
		for _, r := range m.Results {
			text, failed = r.Text, r.Failed
		}
	}
	return text, failed
}

// approval lets the client start a server that a project names.
const approval = `{"enabledMcpjsonServers":["ken"]}`

// runServerSession has the client use the server that `ken install claude` adds to a project: it is approved,
// called and removed. It then tests the server that the client itself adds for one user.
func (w *stage) runServerSession(ctx context.Context) error {
	fmt.Println("the server for agents")
	before, err := w.settingsFiles()
	if err != nil {
		return err
	}
	if _, err := w.runCommand("ken", "install", "claude", "--project", "--yes"); err != nil {
		return err
	}
	w.expectListed("a project's server waits for its approval", "Pending approval")
	user := filepath.Join(w.home, ".claude", "settings.json")
	if err := os.WriteFile(user, []byte(approval), 0o600); err != nil {
		return err
	}
	w.expectListed("approved, it is connected", "ken: ken mcp", "Connected")
	w.sessions++
	c := w.client
	c.Args = []string{"--debug-file", filepath.Join(w.keep, "debug.log")} // without the recording: no hook of ken's is for these tools
	if _, err := c.RunSession(ctx, []string{"--allowedTools", "mcp__ken,ToolSearch"}, turnMark(turnServer)+" Call them all."); err != nil {
		return err
	}
	requests := w.model.requestsSoFar()
	last := requests[len(requests)-1]
	w.checkThat(last.Turn == turnServer && last.Step == len(serverCalls())+1, "the session came to its end: step %d of turn %s", last.Step, last.Turn)
	if err := os.Remove(user); err != nil {
		return err
	}
	if _, err := w.runCommand("ken", "uninstall", "claude", "--project", "--yes"); err != nil {
		return err
	}
	w.expectListed("taken out, there is none", "No MCP servers configured")
	if err := w.tryOwnServer(); err != nil {
		return err
	}
	after, err := w.settingsFiles()
	if err != nil {
		return err
	}
	w.checkThat(len(differingPaths(before, after)) == 0, "taken out, nothing is left: %v", differingPaths(before, after))
	return nil
}

// tryOwnServer has ken run the client to add the server for one user, and to remove it.
func (w *stage) tryOwnServer() error {
	env := w.client.Env
	defer func() { w.client.Env = env }()
	path := strings.Join([]string{filepath.Dir(w.client.Program), w.bin, os.Getenv("PATH")}, string(os.PathListSeparator))
	w.client.Env = append(slices.Clone(env), "PATH="+path)
	if _, err := w.runCommand("ken", "install", "claude", "--local", "--mcp", "--yes"); err != nil {
		return err
	}
	w.expectListed("the client adds one's own server itself", "ken: ", "Connected")
	if _, err := w.runCommand("ken", "uninstall", "claude", "--local", "--mcp", "--yes"); err != nil {
		return err
	}
	w.expectListed("and removes it", "No MCP servers configured")
	return nil
}

// expectListed checks that the client's list of servers holds some texts.
func (w *stage) expectListed(what string, parts ...string) {
	out, err := w.runCommand(w.client.Program, "mcp", "list")
	if err != nil {
		out += err.Error()
	}
	w.checkContains(out, what, parts...)
}
