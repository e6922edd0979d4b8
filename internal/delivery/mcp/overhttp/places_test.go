package overhttp

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/httpfront"
)

const testToken = "0123456789abcdef"

// patience is the time after which something counts as never happening.
const patience = 20 * time.Second

// raw is a connection on which a test sends what it likes.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func (a *answering) dial(text string) *raw {
	a.t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(a.url, "http://"), endpoint)
	c, err := net.Dial("tcp", host)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	io.WriteString(c, text)
	return &raw{c, bufio.NewReader(c)}
}

// status reads an answer and returns its status, 0 if the connection was closed without one.
func (r *raw) status() (int, http.Header) {
	answer, err := http.ReadResponse(r.in, nil)
	if err != nil {
		return 0, nil
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return answer.StatusCode, answer.Header
}

// closed waits until the server closes the connection.
func (r *raw) closed() bool {
	_, err := io.Copy(io.Discard, r.in)
	ne, ok := err.(net.Error)
	return !ok || !ne.Timeout()
}

// open reports whether the connection is open. It is for one that nothing is sent on.
func (r *raw) open() bool {
	r.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	defer r.SetReadDeadline(time.Now().Add(patience))
	_, err := r.in.Peek(1)
	ne, ok := err.(net.Error)
	return ok && ne.Timeout()
}

func head(method, path string, headers ...string) string {
	return method + " " + path + " HTTP/1.1\r\n" + strings.Join(append(headers, "\r\n"), "\r\n")
}

const (
	hostLine = "Host: localhost"
	jsonLine = "Content-Type: application/json"
	longLine = "Content-Length: 1000"
	bearer   = "Authorization: Bearer " + testToken
	list     = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` + meta + `}}}`
)

func listText(lines ...string) string {
	lines = append([]string{hostLine, jsonLine, "Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list",
		fmt.Sprintf("Content-Length: %d", len(list))}, lines...)
	return head("POST", endpoint, lines...) + list
}

func patientLimits() *httpfront.Limits {
	return &httpfront.Limits{Connections: 8, Head: time.Hour, Body: time.Hour, Idle: time.Hour, Write: time.Hour, Linger: 10 * time.Millisecond}
}

// TestRefusedByHead has requests refused whose body never comes: each gets its answer, and its connection is closed.
func TestRefusedByHead(t *testing.T) {
	a := serveWith(t, &Options{Token: testToken, limits: patientLimits()})
	chunked := "Transfer-Encoding: chunked"
	for _, c := range []struct {
		status int
		text   string
	}{
		{403, head("POST", endpoint, "Host: evil.example", jsonLine, bearer, longLine) + "{"},
		{403, head("POST", endpoint, hostLine, "Origin: http://evil.example", jsonLine, bearer, longLine) + "{"},
		{403, head("POST", endpoint, hostLine, "Sec-Fetch-Site: cross-site", jsonLine, bearer, chunked) + "1\r\n{\r\n"},
		{404, head("POST", "/", hostLine, jsonLine, bearer, longLine) + "{"},
		{401, head("POST", endpoint, hostLine, jsonLine, longLine) + "{"},
		{401, head("POST", endpoint, hostLine, jsonLine, chunked)},
		{401, head("POST", endpoint, hostLine, jsonLine, bearer+"0", "Content-Length: 10000000") + "{"},
		{401, head("POST", endpoint, hostLine, jsonLine, longLine, "Expect: 100-continue")},
		{401, head("GET", endpoint, hostLine, longLine) + "{"},
		{405, head("PUT", endpoint, hostLine, jsonLine, bearer, longLine) + "{"},
		{405, head("OPTIONS", endpoint, hostLine, bearer)},
		{400, head("GET", endpoint, hostLine, bearer, longLine) + "{"},
		{400, head("DELETE", endpoint, hostLine, bearer, chunked) + "1\r\n{\r\n"},
		{415, head("POST", endpoint, hostLine, "Content-Type: text/plain", bearer, longLine) + "{"},
		{403, head("GET", endpoint, "Host: evil.example")},
	} {
		r := a.dial(c.text)
		status, header := r.status()
		if status != c.status || !r.closed() {
			t.Errorf("%q: %d %v, want %d and the end", c.text, status, header, c.status)
		}
	}
	if status, _ := a.dial(listText(bearer)).status(); status != 200 {
		t.Errorf("a good request: %d", status)
	}
}

// TestDeadlines has clients that stop at each place: the server closes the connection, after a refusal, too.
func TestDeadlines(t *testing.T) {
	short := func(change func(*httpfront.Limits)) *answering {
		l := patientLimits()
		l.Connections = 100
		change(l)
		return serveWith(t, &Options{limits: l})
	}
	const soon = 50 * time.Millisecond
	noHead := short(func(l *httpfront.Limits) { l.Head = soon })
	for _, text := range []string{"", "P", head("POST", endpoint, hostLine)[:30]} {
		if !noHead.dial(text).closed() {
			t.Errorf("head %q: open", text)
		}
	}
	noBody := short(func(l *httpfront.Limits) { l.Body = soon })
	for _, text := range []string{longLine + "\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
		r := noBody.dial(strings.TrimSuffix(head("POST", endpoint, hostLine, jsonLine), "\r\n") + text)
		if status, _ := r.status(); status != 400 || !r.closed() {
			t.Errorf("body %q: %d, or open", text, status)
		}
	}
	noMore := short(func(l *httpfront.Limits) { l.Idle = soon })
	for text, want := range map[string]int{listText(): 200, head("GET", endpoint, hostLine): 400, listText("Origin: null"): 403} {
		r := noMore.dial(text)
		if status, _ := r.status(); status != want || !r.closed() {
			t.Errorf("after %d, want %d: open", status, want)
		}
	}
}

// TestPlaces fills the places with each kind of connection: those that do nothing make room, oldest first, and
// those that have not shown the token have half of them.
func TestPlaces(t *testing.T) {
	for _, token := range []string{"", testToken} {
		a := serveWith(t, &Options{Token: token, limits: patientLimits()})
		good := []string{}
		if token != "" {
			good = append(good, bearer)
		}
		var proven []*raw
		for range 4 {
			proven = append(proven, a.dial(listText(good...)))
			if status, _ := proven[len(proven)-1].status(); status != 200 {
				t.Fatal(status)
			}
		}
		bad := []string{"", "POST", head("POST", endpoint, hostLine, jsonLine, longLine) + "{"}
		if token != "" {
			bad = bad[:2] // the third is refused
		}
		var last []*raw
		for i := range 40 {
			last = append(last, a.dial(bad[i%len(bad)]))
		}
		for i, r := range proven {
			io.WriteString(r, listText(good...))
			if status, _ := r.status(); status != 200 {
				t.Errorf("token %q: proven connection %d: %d", token, i, status)
			}
		}
		for i, r := range last[:30] {
			if !r.closed() {
				t.Errorf("token %q: the old connection %d that shows nothing is open", token, i)
			}
		}
		// A good client finds a place, and the oldest idle ones of its kind make room.
		for range 24 {
			r := a.dial(listText(good...))
			if status, _ := r.status(); status != 200 {
				t.Errorf("token %q: a new client: %d", token, status)
			}
		}
		for i, r := range proven {
			if !r.closed() {
				t.Errorf("token %q: the idle connection %d is open", token, i)
			}
		}
	}
}

// TestWorkingStay fills the places with calls that run: none is closed for a new connection, and one of them is answered.
func TestWorkingStay(t *testing.T) {
	a := serveWith(t, &Options{limits: patientLimits()})
	text := call(1, "wait", meta)
	var all []*raw
	for range 8 {
		lines := append([]string{hostLine, jsonLine, "Accept: application/json, text/event-stream", fmt.Sprintf("Content-Length: %d", len(text))}, modern("wait")...)
		all = append(all, a.dial(head("POST", endpoint, lines...)+text))
		if !comes(a.begun, patience) {
			t.Fatal("a call does not begin")
		}
	}
	if !a.dial("").closed() {
		t.Error("there are more connections than places")
	}
	for i, r := range all {
		if !r.open() {
			t.Errorf("call %d was closed", i)
		}
	}
}
