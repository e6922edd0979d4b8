package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/token"
)

// served makes an indexed copy of the sample project.
func served(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KEN_STATE", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("ken", "-C", dir, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// client is one that writes and reads lines, to say what no library says.
type client struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

func newClient(t *testing.T, dir string, args ...string) *client {
	t.Helper()
	c := &client{t: t, cmd: exec.Command("ken", append([]string{"-C", dir, "mcp"}, args...)...)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func (c *client) hello() *client {
	c.t.Helper()
	c.send(hello)
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Error(err)
	}
}

// reply is a message of the server.
type reply struct {
	ID     any
	Result struct {
		Content []struct{ Text string }
		IsError bool
		Tools   []struct{ Name string }
	}
	Error *struct {
		Code    int
		Message string
	}
	raw []byte
}

func (c *client) read() *reply {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.t.Fatalf("the server ended: %v", err)
	}
	r := &reply{raw: line}
	if err := json.Unmarshal(line, r); err != nil {
		c.t.Fatalf("%v: %.200s", err, line)
	}
	return r
}

func (c *client) call(name, args string) *reply {
	c.t.Helper()
	c.n++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.n, name, args))
	return c.read()
}

// text is what the answer of a call says.
func (c *client) text(name, args string) string {
	c.t.Helper()
	r := c.call(name, args)
	if r.Error != nil || len(r.Result.Content) != 1 {
		c.t.Fatalf("%s %s: %s", name, args, r.raw)
	}
	return r.Result.Content[0].Text
}

// end closes standard input and waits for the process.
func (c *client) end() {
	c.t.Helper()
	c.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			c.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		c.t.Error("the server goes on after its input ended")
	}
}

// TestMCPClient talks to the server with the library's client, in both eras of the protocol.
func TestMCPClient(t *testing.T) {
	dir := served(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	s, err := c.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("ken", "-C", dir, "mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := s.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 8 {
		t.Fatalf("%v, %v", tools, err)
	}
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "show", Arguments: map[string]any{"target": "web/app.ts"}})
	if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "web/app.ts") {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"query": "app", "structured": true}})
	if err != nil || r.IsError || r.StructuredContent == nil {
		t.Errorf("%+v, %v", r, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}

	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, legacy := range []bool{false, true} {
		c := newClient(t, dir)
		if legacy {
			c.hello()
		}
		c.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
		if r := c.read(); !bytes.Contains(r.raw, []byte(`"2026-07-28"`)) || !bytes.Contains(r.raw, []byte("instructions")) {
			t.Errorf("discover: %s", r.raw)
		}
		c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refs","arguments":{"name":"nosuch"},` + meta + `}}`)
		if r := c.read(); r.Result.IsError || !bytes.Contains(r.raw, []byte(`"resultType":"complete"`)) {
			t.Errorf("call: %s", r.raw)
		}
		if legacy {
			if r := c.call("refs", `{"name":"nosuch"}`); r.Error != nil || r.Result.IsError {
				t.Errorf("call of the older era: %s", r.raw)
			}
		}
		c.end()
	}
}

// TestMCPResources reads resources, takes prompts and completes.
func TestMCPResources(t *testing.T) {
	dir := served(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	s, err := c.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("ken", "-C", dir, "mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fixed, err := s.ListResources(ctx, nil)
	if err != nil || len(fixed.Resources) != 2 {
		t.Errorf("%+v, %v", fixed, err)
	}
	templates, err := s.ListResourceTemplates(ctx, nil)
	if err != nil || len(templates.ResourceTemplates) != 3 {
		t.Errorf("%+v, %v", templates, err)
	}
	for uri, want := range map[string]string{
		"ken://summary": "files", "ken://map": "web/app.ts", "ken://file/web/app.ts": "web/app.ts", "ken://file/web%2Fapp.ts": "web/app.ts", "ken://entity/web/app.ts": "web/app.ts",
		"ken://schema/refs": `"resolved_share"`, "ken://schema/nosuch": "", "ken://nosuch": "", "ken://file/nosuch.go": "", "ken://file/../../etc/passwd": "",
	} {
		r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		switch {
		case want == "" && err == nil:
			t.Errorf("%s was read: %+v", uri, r.Contents[0])
		case want != "" && (err != nil || !strings.Contains(r.Contents[0].Text, want)):
			t.Errorf("%s: %+v, %v", uri, r, err)
		}
	}
	prompts, err := s.ListPrompts(ctx, nil)
	if err != nil || len(prompts.Prompts) != 3 {
		t.Errorf("%+v, %v", prompts, err)
	}
	for _, p := range prompts.Prompts {
		r, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"goal": "start the app"}})
		if err != nil && p.Name != "review" || err == nil && len(r.Messages) != 1 { // without git there is nothing to review
			t.Errorf("%s: %+v, %v", p.Name, r, err)
		}
	}
	for _, q := range []struct{ argument, begun, want string }{{"path", "web/a", "web/app.ts"}, {"tool", "re", "refs"}, {"path", "nosuch", ""}, {"symbol", "Ope", "Open"}} {
		r, err := s.Complete(ctx, &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "ken://file/{+path}"}, Argument: mcp.CompleteParamsArgument{Name: q.argument, Value: q.begun},
		})
		if err != nil || q.want != "" && !slices.ContainsFunc(r.Completion.Values, func(v string) bool { return strings.HasPrefix(v, q.want) }) {
			t.Errorf("%v: %+v, %v", q, r, err)
		}
	}
}

// TestMCPFresh asks right after files changed, came and went.
func TestMCPFresh(t *testing.T) {
	dir := served(t)
	c := newClient(t, dir).hello()
	for i := range 20 {
		name := fmt.Sprintf("fresh%d", i)
		if err := os.WriteFile(filepath.Join(dir, "web", "fresh.ts"), []byte("export function "+name+"() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if s := c.text("grep", fmt.Sprintf(`{"regex":"%s\\b"}`, name)); !strings.Contains(s, "web/fresh.ts:1") {
			t.Fatalf("grep %s: %s", name, s)
		}
		if s := c.text("show", fmt.Sprintf(`{"target":%q}`, name)); !strings.Contains(s, "web/fresh.ts") {
			t.Fatalf("show %s: %s", name, s)
		}
	}
	if err := os.Remove(filepath.Join(dir, "web", "fresh.ts")); err != nil {
		t.Fatal(err)
	}
	if s := c.text("grep", `{"regex":"fresh19"}`); !strings.Contains(s, "no line matches") {
		t.Errorf("after it was deleted: %s", s)
	}
	c.end()
}

// TestMCPOmit leaves out what the caller has.
func TestMCPOmit(t *testing.T) {
	dir := served(t)
	c := newClient(t, dir).hello()
	all := c.text("grep", `{"regex":"func"}`)
	first, _, _ := strings.Cut(all, ":")
	rest := c.text("grep", fmt.Sprintf(`{"regex":"func","omit":[%q]}`, first))
	if strings.Contains(rest, first+":") || rest == "" {
		t.Errorf("without %s:\n%s", first, rest)
	}
	rest = c.text("grep", fmt.Sprintf(`{"regex":"func","omit":[%q],"structured":true}`, first))
	if strings.Contains(rest, first) || !json.Valid([]byte(rest)) {
		t.Errorf("without %s: %s", first, rest)
	}
	if s := c.text("grep", `{"regex":"func","from":2}`); all != strings.SplitN(all, "\n", 2)[0]+"\n"+s {
		t.Errorf("from the second line:\n%s\nof\n%s", s, all)
	}
	c.end()
}

// TestMCPBudget asks every tool with random arguments: no answer has more tokens than its budget.
func TestMCPBudget(t *testing.T) {
	dir := served(t)
	var big strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&big, "export function wide%d(a: string) { return wide%d(\"Ж\\t%s\"); }\n", i, i/2, strings.Repeat("ü", i%50))
	}
	if err := os.WriteFile(filepath.Join(dir, "web", "wide.ts"), []byte(big.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, dir).hello()
	counter := token.New(token.O200K)
	rnd := rand.New(rand.NewPCG(1, 2))
	values := []any{"wide1", "web/wide.ts", "web/app.ts", ".", "wide", "nosuch", strings.Repeat("ж", 300), 3, -1, true, "0", []string{"web/wide.ts"}, []any{1}, nil, "..", "[", "\x00"}
	keys := map[string][]string{
		"overview": {"limit"}, "find": {"query", "limit"}, "show": {"target", "limit"}, "refs": {"name", "limit", "tier", "kind"}, "impact": {"target", "change", "diff", "depth", "limit"},
		"brief": {"goal"}, "recall": {"text"}, "grep": {"regex", "path", "ignore_case", "context", "limit", "include"},
	}
	calls := 400
	if testing.Short() {
		calls = 100
	}
	for i := range calls {
		name := []string{"overview", "find", "show", "refs", "impact", "brief", "recall", "grep"}[i%8]
		budget := 100 + rnd.IntN(2500)
		args := map[string]any{"budget": budget, "structured": rnd.IntN(3) == 0}
		for k, key := range keys[name] {
			if k == 0 || rnd.IntN(3) == 0 {
				args[key] = values[rnd.IntN(len(values))]
			}
		}
		if rnd.IntN(4) == 0 {
			args["from"] = rnd.IntN(40)
		}
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		r := c.call(name, string(b))
		var message struct{ Result, Error json.RawMessage }
		if err := json.Unmarshal(r.raw, &message); err != nil || message.Error != nil {
			t.Errorf("%s %s: %s", name, b, r.raw)
			continue
		}
		if n := counter.Count(message.Result); n > budget {
			t.Errorf("%s %s: %d tokens\n%.300s", name, b, n, message.Result)
		}
		if args["structured"] == true && !r.Result.IsError && !json.Valid([]byte(r.Result.Content[0].Text)) {
			t.Errorf("%s %s: not JSON: %.300s", name, b, r.Result.Content[0].Text)
		}
	}
	c.end()
}

// TestMCPBadInput sends what is no message, too much, and what must be refused.
func TestMCPBadInput(t *testing.T) {
	dir := served(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	c := newClient(t, dir)
	for _, bad := range []struct {
		line string
		code int
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","par`, -32700},
		{"\xff\xfe", -32700},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		{`{"id":1}`, -32600},
		{`17`, -32600},
		{`null`, -32600},
		{strings.Repeat("x", 33<<20), -32600},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 0},
	} {
		c.send(bad.line)
		if r := c.read(); r.Error == nil || bad.code != 0 && r.Error.Code != bad.code {
			t.Errorf("%.60s: %s", bad.line, r.raw)
		}
	}
	c.hello()
	deep := `{"query":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + "}"
	for _, q := range []struct{ name, args, want string }{
		{"find", `{"query":"` + strings.Repeat("a ", 5<<20) + `"}`, "at most 65536 are accepted"},
		{"find", deep, ""},
		{"show", `{"target":"../../etc/passwd"}`, "not inside the project"},
		{"show", `{"target":"` + filepath.ToSlash(outside) + `/secret.txt"}`, "not inside the project"},
		{"show", `{"target":"link/secret.txt"}`, "not inside the project"},
		{"grep", `{"regex":"outside","path":["link"]}`, ""},
		{"grep", `{"regex":"outside","path":["link/secret.txt"]}`, "not inside the project"},
		{"impact", `{"target":["` + filepath.ToSlash(outside) + `"]}`, "not inside the project"},
		{"grep", `{"regex":"("}`, "missing closing"},
	} {
		r := c.call(q.name, q.args)
		if q.want != "" && (!r.Result.IsError || !bytes.Contains(r.raw, []byte(q.want))) {
			t.Errorf("%s %.80s: %.300s", q.name, q.args, r.raw)
		}
		if bytes.Contains(r.raw, []byte("secret.txt:1")) {
			t.Errorf("%s %.80s reads outside: %.300s", q.name, q.args, r.raw)
		}
	}
	if r := c.call("finds", `{}`); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "near: find") {
		t.Errorf("an unknown tool: %s", r.raw)
	}
	for _, same := range []string{"web/app.ts", "./web/app.ts", `web\\app.ts`, filepath.ToSlash(filepath.Join(dir, "web", "app.ts"))} {
		if s := c.text("show", `{"target":"`+same+`"}`); !strings.HasPrefix(s, "web/app.ts") {
			t.Errorf("%s: %s", same, s)
		}
	}
	c.end()
}

// TestMCPMany has several clients and servers at one project.
func TestMCPMany(t *testing.T) {
	dir := served(t)
	var all sync.WaitGroup
	for range 8 {
		c := newClient(t, dir)
		all.Go(func() {
			c.hello()
			for range 10 {
				if s := c.text("find", `{"query":"app"}`); !strings.Contains(s, "web/app.ts") {
					t.Errorf("find: %s", s)
				}
			}
			c.end()
		})
	}
	all.Wait()
	c := newClient(t, dir).hello()
	seen := map[any]bool{}
	for i := range 50 {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"name":"overview"}}`, i))
	}
	for range 50 {
		seen[c.read().ID] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d different answers", len(seen))
	}
	c.end()
}

// TestMCPDeleted deletes the project, and makes it again, while it is served.
func TestMCPDeleted(t *testing.T) {
	dir := served(t)
	c := newClient(t, dir).hello()
	c.text("overview", `{}`)
	removeServed(t, filepath.Join(dir, ".ken"))
	if r := c.call("find", `{"query":"app"}`); !r.Result.IsError || !bytes.Contains(r.raw, []byte("ken init")) {
		t.Errorf("without an index: %s", r.raw)
	}
	if out, err := exec.Command("ken", "-C", dir, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if s := c.text("find", `{"query":"app"}`); !strings.Contains(s, "web/app.ts") {
		t.Errorf("after it was made again: %s", s)
	}
	removeServed(t, dir)
	if r := c.call("find", `{"query":"app"}`); !r.Result.IsError {
		t.Errorf("without the folder: %s", r.raw)
	}
	c.end()
}

// TestMCPKilled kills clients with their servers in the middle of a call: no server outlives its
// client, and no lock is left.
func TestMCPKilled(t *testing.T) {
	dir := served(t)
	n := 20
	if testing.Short() {
		n = 5
	}
	var pids []int
	for i := range n {
		// The client is a shell, which starts the server and is killed.
		shell := exec.Command("sh", "-c", `exec 3<&0; ken -C "$0" mcp <&3 & echo $!; exec 3<&- <&-; wait`, dir)
		in, out := pipes(t, shell)
		if err := shell.Start(); err != nil {
			t.Fatal(err)
		}
		from := bufio.NewReader(out)
		line, err := from.ReadString('\n')
		var pid int
		if _, serr := fmt.Sscan(line, &pid); err != nil || serr != nil {
			t.Fatal(err, serr)
		}
		pids = append(pids, pid)
		if i%2 == 0 {
			io.WriteString(in, hello+"\n")
			from.ReadString('\n') // it runs, and knows who started it
			io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview"}}`+"\n")
		}
		if i%4 != 2 { // else only the parent is gone, and the input goes on
			in.Close()
		} else {
			defer in.Close()
		}
		shell.Process.Kill()
		shell.Process.Wait() // not shell.Wait, which waits for the end of the output
	}
	deadline := time.Now().Add(10 * time.Second)
	for slices.ContainsFunc(pids, isAlive) && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond)
	}
	for _, pid := range pids {
		if isAlive(pid) {
			t.Errorf("process %d lives", pid)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "web", "after.ts"), []byte("export const after = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("ken", "-C", dir, "index").CombinedOutput(); err != nil {
		t.Errorf("a lock is left: %v: %s", err, out)
	}
}

func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return in, out
}

// isAlive reports whether a process runs; one that ended and waits to be collected does not.
func isAlive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.Contains(b, []byte(") Z "))
}
