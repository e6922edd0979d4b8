package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpServer is ken answering over HTTP.
type httpServer struct {
	t        *testing.T
	cmd      *exec.Cmd
	url, net string // of the endpoint; host:port
	out      bytes.Buffer
}

func newHTTPServer(t *testing.T, dir string, args ...string) *httpServer {
	t.Helper()
	s := &httpServer{t: t, cmd: exec.Command("ken", append([]string{"-C", dir, "mcp", "--http"}, args...)...)}
	errors, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stdout = &s.out
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	line, err := bufio.NewReader(errors).ReadString('\n')
	rest, ok := strings.CutPrefix(line, "ken: listening on ")
	if err != nil || !ok {
		t.Fatalf("%q, %v", line, err)
	}
	s.url, _, _ = strings.Cut(strings.TrimSpace(rest), ",")
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	s.net = u.Host
	return s
}

// interrupt ends the server as Ctrl-C does, and waits for it.
func (s *httpServer) interrupt() {
	s.t.Helper()
	s.cmd.Process.Signal(syscall.SIGINT)
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(8 * time.Second):
		s.t.Error("the server goes on after it was interrupted")
	}
	if s.out.Len() > 0 {
		s.t.Errorf("on standard output: %s", &s.out)
	}
}

// answer is what came back over HTTP.
type answer struct {
	reply
	status int
	header http.Header
}

// post sends a message with headers of one's own, "Name: value"; one without value is taken out.
func (s *httpServer) post(message string, headers ...string) *answer {
	s.t.Helper()
	return s.do(http.MethodPost, s.url, strings.NewReader(message), headers...)
}

func (s *httpServer) do(method, url string, body io.Reader, headers ...string) *answer {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Add(name, value)
		}
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if i := bytes.LastIndex(raw, []byte("data: ")); i >= 0 && strings.HasPrefix(got.Header.Get("Content-Type"), "text/event-stream") {
		raw = bytes.TrimSpace(raw[i+len("data: "):])
	}
	a := &answer{status: got.StatusCode, header: got.Header, reply: reply{raw: raw}}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.reply); err != nil && !bytes.HasPrefix(raw, []byte("[")) {
			s.t.Errorf("%s %s: %d, not JSON-RPC: %.200s", method, url, got.StatusCode, raw)
		}
	}
	return a
}

// begin begins a session of a revision and returns its header.
func (s *httpServer) begin(revision string) string {
	s.t.Helper()
	a := s.post(strings.Replace(hello, "2025-06-18", revision, 1))
	id := a.header.Get("Mcp-Session-Id")
	if a.status != 200 || id == "" {
		s.t.Fatalf("initialize: %d %s", a.status, a.raw)
	}
	head := "Mcp-Session-Id: " + id
	if a := s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, head); a.status != 202 {
		s.t.Fatalf("initialized: %d %s", a.status, a.raw)
	}
	return head
}

// The parts of a request of the revision without sessions.
const (
	modern     = "Mcp-Protocol-Version: 2026-07-28"
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// modernCall is a call of a tool in the revision without sessions.
func (s *httpServer) modernCall(name, args string, headers ...string) *answer {
	s.t.Helper()
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`, name, args, modernMeta),
		append([]string{modern, "Mcp-Method: tools/call", "Mcp-Name: " + name}, headers...)...)
}

// TestHTTPClient talks to the server over HTTP with the library's client, and with messages of both eras.
func TestHTTPClient(t *testing.T) {
	dir := served(t)
	s := newHTTPServer(t, dir, "127.0.0.1:0")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 8 {
		t.Fatalf("%v, %v", tools, err)
	}
	r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "show", Arguments: map[string]any{"target": "web/app.ts"}})
	if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "web/app.ts") {
		t.Errorf("%+v, %v", r, err)
	}
	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "ken://file/web/app.ts"})
	if err != nil || !strings.Contains(read.Contents[0].Text, "web/app.ts") {
		t.Errorf("%+v, %v", read, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}

	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		id := s.begin(revision)
		a := s.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"query":"app","budget":200}}}`, id, "Mcp-Protocol-Version: "+revision)
		if a.status != 200 || a.Error != nil || !bytes.Contains(a.raw, []byte("web/app.ts")) {
			t.Errorf("%s: %d %s", revision, a.status, a.raw)
		}
		if a := s.do(http.MethodDelete, s.url, nil, id); a.status != 204 {
			t.Errorf("%s: %d %s", revision, a.status, a.raw)
		}
		if a := s.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, id); a.status != 404 || a.Error == nil {
			t.Errorf("%s after its end: %d %s", revision, a.status, a.raw)
		}
	}
	if a := s.post(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+modernMeta+`}}`, modern, "Mcp-Method: server/discover"); a.status != 200 || !bytes.Contains(a.raw, []byte(`"2026-07-28"`)) {
		t.Errorf("discover: %d %s", a.status, a.raw)
	}
	if a := s.modernCall("refs", `{"name":"nosuch"}`); a.status != 200 || a.Result.IsError || !bytes.Contains(a.raw, []byte(`"resultType":"complete"`)) {
		t.Errorf("call: %d %s", a.status, a.raw)
	}
	if a := s.modernCall("finds", `{}`); a.status != 400 || a.Error == nil || a.Error.Code != -32602 {
		t.Errorf("an unknown tool: %d %s", a.status, a.raw)
	}
	s.interrupt()
}

// TestHTTPRefused sends what must not be answered: each with a status and an error of JSON-RPC.
func TestHTTPRefused(t *testing.T) {
	dir := served(t)
	s := newHTTPServer(t, dir, "0")
	_, port, err := net.SplitHostPort(s.net)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"localhost:" + port, "LOCALHOST", "127.0.0.1", "127.9.9.9:1", "[::1]:" + port, "[::1]"} {
		if a := s.post(hello, "Host: "+host, "Origin: http://"+host); a.status != 200 {
			t.Errorf("Host %s: %d %s", host, a.status, a.raw)
		}
	}
	for _, bad := range [][]string{
		{"Host: evil.example"}, {"Host: evil.example:" + port}, {"Host: localhost.evil.example"}, {"Host: 127.0.0.1.evil.example"}, {"Host: 192.168.1.1"}, {"Host: 0.0.0.0"},
		{"Host: [::1]:1:2"}, {"Host: evil.example", "Origin: http://evil.example"}, {"Origin: http://evil.example"}, {"Origin: null"}, {"Origin: http://localhost:1"},
		{"Origin: file://"}, {"Origin: http://" + s.net, "Origin: http://evil.example"}, {"Origin: ftp://" + s.net}, {"Sec-Fetch-Site: cross-site"}, {"Sec-Fetch-Site: same-site"},
	} {
		for _, method := range []string{"POST", "GET", "DELETE", "OPTIONS"} {
			if a := s.do(method, s.url, strings.NewReader(hello), bad...); a.status != 403 || a.Error == nil || len(a.header.Values("Access-Control-Allow-Origin")) > 0 {
				t.Errorf("%s %q: %d %s", method, bad, a.status, a.raw)
			}
		}
	}
	root := strings.TrimSuffix(s.url, "/mcp")
	for _, path := range []string{"/", "/mcp/", "/mcpx", "/MCP", "/.well-known/oauth-protected-resource", "/debug/pprof/", "//mcp", "/mcp/../mcp"} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			if a := s.do(method, root+path, strings.NewReader(hello)); a.status != 404 || a.Error == nil {
				t.Errorf("%s %s: %d %s", method, path, a.status, a.raw)
			}
		}
	}
	id := s.begin("2025-06-18")
	for _, bad := range []struct {
		method, message string
		status, code    int
		headers         []string
	}{
		{"PUT", hello, 405, -32600, nil},
		{"OPTIONS", "", 405, -32600, nil},
		{"GET", "", 400, -32600, nil},
		{"GET", "", 404, -32600, []string{"Mcp-Session-Id: nosuch"}},
		{"GET", "", 405, -32600, []string{modern}},
		{"POST", hello, 415, -32600, []string{"Content-Type"}},
		{"POST", hello, 415, -32600, []string{"Content-Type", "Content-Type: text/plain"}},
		{"POST", hello, 400, -32600, []string{"Accept", "Accept: text/html"}},
		{"POST", "", 400, -32700, nil},
		{"POST", hello[:60], 400, -32700, nil},
		{"POST", "\xff\xfe", 400, -32700, nil},
		{"POST", `{"id":1}`, 400, -32600, nil},
		{"POST", `17`, 400, -32600, nil},
		{"POST", `null`, 400, -32600, nil},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 400, -32600, nil},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 404, -32600, []string{"Mcp-Session-Id: nosuch"}},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"nosuch"}`, 400, -32600, []string{id}},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 400, -32600, []string{id, "Mcp-Protocol-Version: 1999-01-01"}},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"nosuch","params":{` + modernMeta + `}}`, 404, -32601, []string{modern, "Mcp-Method: nosuch"}},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + modernMeta + `}}`, 400, -32020, nil},
		{"POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 400, -32602, []string{modern, "Mcp-Method: tools/list"}},
		{"POST", `[{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + modernMeta + `}}]`, 400, -32600, []string{modern}},
		{"POST", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, 400, -32600, []string{id}},
		{"POST", `[` + hello + `]`, 400, -32600, nil},
		{"POST", strings.Repeat(" ", 33<<20), 413, -32600, nil},
	} {
		a := s.do(bad.method, s.url, strings.NewReader(bad.message), bad.headers...)
		if a.status != bad.status || a.Error == nil || a.Error.Code != bad.code {
			t.Errorf("%s %.80s %q: %d %s", bad.method, bad.message, bad.headers, a.status, a.raw)
		}
	}
	s.interrupt()
}

// TestHTTPToken demands a token.
func TestHTTPToken(t *testing.T) {
	dir := served(t)
	const token = "0123456789abcdef0123456789abcdef"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inFile := newHTTPServer(t, dir, "0.0.0.0:0", "--token-file", file)
	inFile.url = strings.Replace(inFile.url, "[::]", "127.0.0.1", 1)
	t.Setenv("KEN_MCP_TOKEN", token)
	inVariable := newHTTPServer(t, dir, "127.0.0.1:0")
	for _, s := range []*httpServer{inFile, inVariable} {
		for _, bad := range [][]string{
			{}, {"Authorization: Bearer"}, {"Authorization: Bearer x"}, {"Authorization: Bearer " + token[1:]}, {"Authorization: Bearer " + token + "x"}, {"Authorization: " + token},
			{"Authorization: Basic " + token}, {"Authorization: Bearer " + token, "Authorization: Bearer x"}, {"Cookie: token=" + token},
		} {
			for _, method := range []string{"POST", "GET", "DELETE", "OPTIONS"} {
				a := s.do(method, s.url, strings.NewReader(hello), bad...)
				if a.status != 401 || a.Error == nil || !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer") {
					t.Errorf("%s %q: %d %s", method, bad, a.status, a.raw)
				}
			}
		}
		if a := s.do("POST", s.url+"?token="+token, strings.NewReader(hello)); a.status != 401 {
			t.Errorf("in the address: %d %s", a.status, a.raw)
		}
		for _, good := range []string{"Authorization: Bearer " + token, "Authorization: bearer  " + token} {
			if a := s.post(hello, good); a.status != 200 {
				t.Errorf("%q: %d %s", good, a.status, a.raw)
			}
		}
	}
	bearer := "Authorization: Bearer " + token
	if a := inFile.post(hello, bearer, "Host: ken.example"); a.status != 200 {
		t.Errorf("another name of this machine: %d %s", a.status, a.raw)
	}
	if a := inFile.post(hello, bearer, "Origin: http://evil.example"); a.status != 403 {
		t.Errorf("another origin: %d %s", a.status, a.raw)
	}
	if a := inVariable.post(hello, bearer, "Host: ken.example"); a.status != 403 {
		t.Errorf("another name, on the loopback interface: %d %s", a.status, a.raw)
	}
	inFile.interrupt()
	inVariable.interrupt()
}

// TestHTTPStart starts the server in ways that must fail.
func TestHTTPStart(t *testing.T) {
	dir := served(t)
	files := t.TempDir()
	name := func(text string, mode os.FileMode) string {
		f := filepath.Join(files, fmt.Sprintf("%x-%o", text[:min(len(text), 4)], mode))
		if err := os.WriteFile(f, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return f
	}
	good := strings.Repeat("t", 32)
	pipe := filepath.Join(files, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, bad := range []struct {
		want, token string
		args        []string
	}{
		{"a token is needed", "", []string{"--http", "0.0.0.0:0"}},
		{"a token is needed", "", []string{"--http", ":0"}},
		{"a token is needed", "", []string{"--http", "[::]:0"}},
		{"16 to 4096", "short", []string{"--http", "0.0.0.0:0"}},
		{"16 to 4096", "short", []string{"--http", "127.0.0.1:0"}},
		{"a header cannot carry", good + "\n", []string{"--http", "127.0.0.1:0"}},
		{"use one", good, []string{"--http", "127.0.0.1:0", "--token-file", name(good, 0o600)}},
		{"chmod 600", "", []string{"--http", "127.0.0.1:0", "--token-file", name(good, 0o644)}},
		{"16 to 4096", "", []string{"--http", "127.0.0.1:0", "--token-file", name("", 0o600)}},
		{"16 to 4096", "", []string{"--http", "127.0.0.1:0", "--token-file", name(strings.Repeat("a", 9999), 0o600)}},
		{"no regular file", "", []string{"--http", "127.0.0.1:0", "--token-file", files}},
		{"no regular file", "", []string{"--http", "127.0.0.1:0", "--token-file", pipe}},
		{"no such file", "", []string{"--http", "127.0.0.1:0", "--token-file", filepath.Join(files, "nosuch")}},
		{"is for --http", "", []string{"--token-file", name(good, 0o600)}},
		{"in use", "", []string{"--http", taken.Addr().String()}},
		{"listen on", "", []string{"--http", "nosuch"}},
		{"listen on", "", []string{"--http", "127.0.0.1:99999"}},
		{"no set of tools", "", []string{"--http", "127.0.0.1:0", "--tools", "nosuch"}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, "ken", append([]string{"-C", dir, "mcp"}, bad.args...)...)
		if bad.token != "" {
			cmd.Env = append(os.Environ(), "KEN_MCP_TOKEN="+bad.token)
		}
		out, err := cmd.CombinedOutput()
		cancel()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), bad.want) || strings.Contains(string(out), good) {
			t.Errorf("%q, token %q: %v, %s", bad.args, bad.token, err, out)
		}
	}
}

// TestHTTPBatch sends batches in a session of the revision that has them.
func TestHTTPBatch(t *testing.T) {
	dir := served(t)
	s := newHTTPServer(t, dir, "127.0.0.1:0")
	id := s.begin("2025-03-26")
	r, err := http.NewRequest("POST", s.url, strings.NewReader(
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}},{"jsonrpc":"2.0","id":"b","method":"tools/list"}]`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Session-Id", strings.TrimPrefix(id, "Mcp-Session-Id: "))
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	raw, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != 200 || !bytes.Contains(raw, []byte(`"id":1`)) || !bytes.Contains(raw, []byte(`"id":"b"`)) {
		t.Errorf("%d, %v: %s", a.StatusCode, err, raw)
	}
	for _, bad := range []string{`[]`, `[` + hello + `]`, `[` + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 101), ",") + `]`, `[1]`} {
		if a := s.post(bad, id); a.status != 400 || a.Error == nil {
			t.Errorf("%.60s: %d %s", bad, a.status, a.raw)
		}
	}
	if a := s.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, id, "Mcp-Protocol-Version: 2025-06-18"); a.status != 400 {
		t.Errorf("with the header of another revision: %d %s", a.status, a.raw)
	}
	s.interrupt()
}

// TestHTTPSessions begins more sessions than there may be: those used longest ago end, those in use do not.
func TestHTTPSessions(t *testing.T) {
	dir := served(t)
	s := newHTTPServer(t, dir, "127.0.0.1:0")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ids := make([]string, 300)
	for i := range ids {
		ids[i] = s.begin("2025-06-18")
		if i == 0 { // a client that listens
			r, err := http.NewRequestWithContext(ctx, "GET", s.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept", "text/event-stream")
			r.Header.Set("Mcp-Session-Id", strings.TrimPrefix(ids[0], "Mcp-Session-Id: "))
			a, err := http.DefaultClient.Do(r)
			if err != nil || a.StatusCode != 200 {
				t.Fatal(a, err)
			}
			defer a.Body.Close()
		}
	}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	alive := 0
	for i, id := range ids {
		status := s.post(ping, id).status
		if want := i == 0 || i == len(ids)-1; want && status != 200 || status != 200 && status != 404 {
			t.Errorf("session %d: %d", i, status)
		}
		if status == 200 {
			alive++
		}
	}
	if alive > 128 || alive < 100 {
		t.Errorf("%d sessions", alive)
	}
	s.interrupt()
}

// TestHTTPSlow has clients that do not read, do not go on sending, and send much: others are answered, and the end of the
// server waits for none of them.
func TestHTTPSlow(t *testing.T) {
	dir := served(t)
	if err := os.WriteFile(filepath.Join(dir, "web", "long.ts"), []byte(strings.Repeat("export function long() {}\n", 5000)), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newHTTPServer(t, dir, "127.0.0.1:0")
	head := "POST /mcp HTTP/1.1\r\nHost: " + s.net + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	open := func(text string) net.Conn {
		c, err := net.Dial("tcp", s.net)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.(*net.TCPConn).SetReadBuffer(1024)
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		return c
	}
	open("")
	open("POST /m")
	for range 20 {
		open(head)
		open(head + "Content-Length: 10000\r\n\r\n{")
		open(head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":")
	}
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":{"regex":"long","limit":5000,"budget":20000},%s}}`, modernMeta)
	for range 3 { // more answers than buffers take, that nobody reads
		request := head + modern + "\r\nMcp-Method: tools/call\r\nMcp-Name: grep\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(call), call)
		open(strings.Repeat(request, 50))
	}
	began := time.Now()
	id := s.begin("2025-06-18")
	for range 20 {
		a := s.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"query":"app"}}}`, id)
		if a.status != 200 || a.Error != nil || a.Result.IsError {
			t.Errorf("%d %s", a.status, a.raw)
		}
	}
	if took := time.Since(began); took > 25*time.Second { // one that waits for a slow reader takes over 30
		t.Errorf("20 answers took %v", took)
	}
	s.interrupt()
}

// TestHTTPLarge sends large arguments, many at once, and many calls at once.
func TestHTTPLarge(t *testing.T) {
	dir := served(t)
	s := newHTTPServer(t, dir, "127.0.0.1:0")
	large := `{"query":"` + strings.Repeat("a ", 5<<20) + `"}`
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			a := s.modernCall("find", large)
			for a.status == 503 && bytes.Contains(a.raw, []byte("too many large messages at once")) { // a slow machine: come again
				a = s.modernCall("find", large)
			}
			if a.status != 200 || !a.Result.IsError || !bytes.Contains(a.raw, []byte("at most 65536 are accepted")) {
				t.Errorf("10 MB: %d %.300s", a.status, a.raw)
			}
		})
	}
	all.Wait()
	deep := `{"query":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + "}"
	if a := s.modernCall("find", deep); a.status != 200 && a.Error == nil {
		t.Errorf("deep: %d %.300s", a.status, a.raw)
	}
	for range 60 {
		all.Go(func() {
			if a := s.modernCall("overview", `{}`); a.status != 200 || a.Result.IsError {
				t.Errorf("%d %.300s", a.status, a.raw)
			}
		})
	}
	all.Wait()
	s.interrupt()
}

// TestHTTPPrimed: since revision 2025-11-25 a stream begins with an event that has an id and no data, with which a client takes up a broken
// one; before it no client knows such events.
func TestHTTPPrimed(t *testing.T) {
	s := newHTTPServer(t, served(t), "127.0.0.1:0")
	for revision, want := range map[string]bool{"2025-11-25": true, "2025-06-18": false} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.url,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"query":"app"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", revision)
		r.Header.Set("Mcp-Session-Id", strings.TrimPrefix(s.begin(revision), "Mcp-Session-Id: "))
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(got.Body)
		got.Body.Close()
		first, _, _ := strings.Cut(string(raw), "\n\n")
		if primed := strings.Contains(first, "id: ") && !strings.Contains(first, `"jsonrpc"`); err != nil || primed != want {
			t.Errorf("%s: the first event is %q, %v", revision, first, err)
		}
	}
}
