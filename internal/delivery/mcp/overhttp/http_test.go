package overhttp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/httpfront"
)

// answering is a server over HTTP with a tool that reports progress and one that waits until its call ends.
type answering struct {
	t      *testing.T
	url    string
	begun  chan struct{} // has an entry for each call that waits
	ended  chan struct{} // has an entry for each that ended
	cancel context.CancelFunc
	done   chan error
}

func serve(t *testing.T) *answering {
	t.Helper()
	return serveWith(t, &Options{})
}

func serveWith(t *testing.T, opt *Options) *answering {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	a := &answering{t: t, begun: make(chan struct{}, 2*maxCalls), ended: make(chan struct{}, 2*maxCalls), cancel: cancel, done: make(chan error, 1)}
	url := make(chan string, 1)
	opt.Address, opt.Listening = "127.0.0.1:0", func(u string) { url <- u }
	go func() { a.done <- Serve(ctx, a.server, opt) }()
	select {
	case a.url = <-url:
	case err := <-a.done:
		t.Fatal(err)
	}
	t.Cleanup(cancel)
	return a
}

func (a *answering) server(running context.Context) (*mcp.Server, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object"}`)
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	s.AddTool(&mcp.Tool{Name: "progress", InputSchema: schema}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			p := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1)}
			if err := r.Session.NotifyProgress(ctx, p); err != nil {
				return nil, err
			}
		}
		return text("done"), nil
	})
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: schema}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a.begun <- struct{}{}
		select {
		case <-ctx.Done():
		case <-running.Done():
		}
		a.ended <- struct{}{}
		return nil, errors.New("it ended")
	})
	return s, nil
}

const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// post sends a message; the caller closes the answer.
func (a *answering) post(ctx context.Context, message string, headers ...string) *http.Response {
	a.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", a.url, strings.NewReader(message))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			a.t.Error(err)
		}
		return nil
	}
	return got
}

// begin begins a session and returns its header.
func (a *answering) begin() string {
	a.t.Helper()
	got := a.post(a.t.Context(), `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	defer got.Body.Close()
	head := "Mcp-Session-Id: " + got.Header.Get("Mcp-Session-Id")
	a.post(a.t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, head).Body.Close()
	return head
}

func call(id int, tool, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{%s}}}`, id, tool, meta)
}

// modern are the headers of a call without a session.
func modern(tool string) []string {
	return []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: " + tool}
}

// comes reports whether something comes soon.
func comes(c <-chan struct{}, within time.Duration) bool {
	select {
	case <-c:
		return true
	case <-time.After(within):
		return false
	}
}

// TestProgress has progress reported before the answer, in both eras.
func TestProgress(t *testing.T) {
	a := serve(t)
	session := a.begin()
	for _, c := range []struct {
		meta    string
		headers []string
	}{{`"progressToken":"p"`, []string{session}}, {meta + `,"progressToken":"p"`, modern("progress")}} {
		got := a.post(t.Context(), call(1, "progress", c.meta), c.headers...)
		var events []string
		for lines := bufio.NewScanner(got.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				events = append(events, data)
			}
		}
		got.Body.Close()
		if len(events) != 4 || !strings.Contains(events[0], `"progress":1`) || !strings.Contains(events[2], `"progress":3`) || !strings.Contains(events[3], "done") {
			t.Errorf("%q: %q", c.headers, events)
		}
	}
}

// TestCancelled ends calls: one of a session by a message or with its session, one without a session when its client goes away. A
// call of a session does not end with its client's connection.
func TestCancelled(t *testing.T) {
	a := serve(t)
	session := a.begin()
	start := func(message string, headers ...string) context.CancelFunc {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if got := a.post(ctx, message, headers...); got != nil {
				io.Copy(io.Discard, got.Body)
				got.Body.Close()
			}
		}()
		if !comes(a.begun, 10*time.Second) {
			t.Fatal("the call does not begin")
		}
		return cancel
	}
	leave := start(call(1, "wait", meta), modern("wait")...)
	leave()
	if !comes(a.ended, 10*time.Second) {
		t.Error("without a session: the call goes on without its client")
	}
	leave = start(call(2, "wait", ""), session)
	leave()
	if comes(a.ended, 300*time.Millisecond) {
		t.Error("in a session: the call ended with its client's connection")
	}
	a.post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, session).Body.Close()
	if !comes(a.ended, 10*time.Second) {
		t.Error("in a session: the call goes on after it was cancelled")
	}
	start(call(3, "wait", ""), session)
	r, err := http.NewRequest("DELETE", a.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	name, id, _ := strings.Cut(session, ": ")
	r.Header.Set(name, id)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if got, err := http.DefaultClient.Do(r); err == nil {
			got.Body.Close()
		}
	}()
	if !comes(a.ended, 10*time.Second) {
		t.Error("the call goes on after its session was ended")
	}
	if !comes(ended, 10*time.Second) {
		t.Error("a session with a call does not end")
	}
}

// TestMost begins more calls than may run, and ends the server while they do.
func TestMost(t *testing.T) {
	limits := httpfront.ServerLimits()
	limits.Connections *= 2 // so that all may be connected before the first is answered
	a := serveWith(t, &Options{limits: limits})
	refused := make(chan string, 2*maxCalls)
	for i := range maxCalls + 10 {
		go func() {
			got := a.post(t.Context(), call(i, "wait", meta), modern("wait")...)
			if got == nil {
				return
			}
			body, _ := io.ReadAll(got.Body)
			got.Body.Close()
			if strings.Contains(string(body), "too many calls") {
				refused <- string(body)
			}
		}()
	}
	for range 10 {
		select {
		case body := <-refused:
			if !strings.Contains(body, fmt.Sprint(codeBusy)) {
				t.Error(body)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("too many calls run")
		}
	}
	for range maxCalls {
		if !comes(a.begun, 10*time.Second) {
			t.Fatal("too few calls run")
		}
	}
	began := time.Now()
	a.cancel()
	select {
	case err := <-a.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the end took %v", took)
	}
}
