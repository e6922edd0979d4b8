package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
)

const token = "0123456789abcdef0123456789abcdef"

// badClient is a way of holding a connection.
type badClient struct {
	name string
	send string // at once
	drip string // again and again, one byte at a time
}

// badClients returns twelve kinds of clients. Those that send a token have none, if token is false.
func badClients(host string, withToken bool) []badClient {
	head := func(method string, lines ...string) string {
		return method + " /mcp HTTP/1.1\r\n" + strings.Join(append(lines, "", ""), "\r\n")
	}
	at, kind, long, evil := "Host: "+host, "Content-Type: application/json", "Content-Length: 1000", "Host: evil.example"
	both := "Accept: application/json, text/event-stream"
	show := "X-None: x"
	if withToken {
		show = "Authorization: Bearer " + token
	}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`
	whole := head("POST", at, kind, both, show, fmt.Sprintf("Content-Length: %d", len(hello))) + hello
	return []badClient{
		{name: "sends nothing"},
		{name: "half a head", send: head("POST", at, kind)[:40]},
		{name: "a head byte by byte", send: "POST /mcp HTTP/1.1\r\n", drip: "X: y\r\n"},
		{name: "no token, half a body", send: head("POST", at, kind, long) + "{"},
		{name: "wrong token, half a body", send: head("POST", at, kind, "Authorization: Bearer x", long) + "{"},
		{name: "Host of another, half a body", send: head("POST", evil, kind, show, long) + "{"},
		{name: "Origin of another, half a body", send: head("POST", at, kind, show, "Origin: http://evil.example", long) + "{"},
		{name: "a good head, half a body", send: head("POST", at, kind, show, long) + "{"},
		{name: "a body byte by byte", send: head("POST", at, kind, show, "Content-Length: 100000"), drip: " "},
		{name: "refused, then idle", send: head("GET", evil)},
		{name: "answered, then idle", send: whole},
		{name: "200 requests, no answer read", send: strings.Repeat(whole, 200)},
	}
}

// hold is a client of one kind: it connects again, a moment after it was closed.
func (b *badClient) hold(ctx context.Context, host string) {
	for ctx.Err() == nil {
		c, err := net.Dial("tcp", host)
		if err == nil {
			stop := context.AfterFunc(ctx, func() { c.Close() })
			b.use(c)
			stop()
			c.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// use returns when the server has closed the connection.
func (b *badClient) use(c net.Conn) {
	c.(*net.TCPConn).SetReadBuffer(1024)
	if _, err := io.WriteString(c, b.send); err != nil {
		return
	}
	for i := 0; b.drip != ""; i++ {
		if _, err := io.WriteString(c, b.drip[i%len(b.drip):][:1]); err != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	if strings.Contains(b.name, "no answer read") {
		for { // writing notices the end
			if _, err := io.WriteString(c, "\r\n"); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	io.Copy(io.Discard, c)
}

// attackServer measures one good client alone and beside 256 bad connections, with a token and without.
func (t *trial) attackServer(ctx context.Context) error {
	root, err := t.makeProject(ctx, "made")
	if err != nil {
		return err
	}
	for _, secret := range []string{token, ""} {
		if err := t.attackOne(ctx, root, secret); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) attackOne(ctx context.Context, root, secret string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.ken, "-C", root, "mcp", "--http", "127.0.0.1:0")
	cmd.Env = append(t.env, "KEN_MCP_TOKEN="+secret)
	lines, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer cancel()
	line, err := bufio.NewReader(lines).ReadString('\n')
	_, at, ok := strings.Cut(line, "listening on ")
	if err != nil || !ok {
		return fmt.Errorf("%q: %w", line, errors.Join(err, errors.New("the server does not start")))
	}
	at, _, _ = strings.Cut(strings.TrimSpace(at), ",")
	u, err := url.Parse(at)
	if err != nil {
		return err
	}
	many, calls := 256, 200
	if t.Short {
		calls = 20
	}
	good := goodClient{url: at, token: secret}
	if _, err := good.measure(ctx, 5); err != nil { // the first reads the index
		return err
	}
	quiet, err := good.measure(ctx, calls)
	if err != nil {
		return err
	}
	attack, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	kinds := badClients(u.Host, secret != "")
	for i := range many {
		all.Go(func() { kinds[i%len(kinds)].hold(attack, u.Host) })
	}
	time.Sleep(2 * time.Second)
	held, err := good.measure(ctx, calls)
	end()
	all.Wait()
	name := "no token is demanded"
	if secret != "" {
		name = "a token is demanded"
	}
	q, h := world.Percentile(quiet, 50), world.Percentile(held, 50)
	reached := fmt.Sprintf("quiet %s, then %s (slowest of %d: %s)", world.Millis(q), world.Millis(h), calls, world.Millis(world.Percentile(held, 100)))
	if err != nil {
		reached = err.Error()
	}
	t.RowOfTime(fmt.Sprintf("%d bad connections of %d kinds, %s", many, len(kinds), name), "the good client is answered in ≤ 2 × its quiet median", reached, err == nil && h <= 2*q)
	return nil
}

// goodClient asks one thing at a time, each on a new connection.
type goodClient struct{ url, token string }

// measure returns the times of calls. It fails if one is not answered.
func (g *goodClient) measure(ctx context.Context, calls int) (times []time.Duration, err error) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"query":"start pod"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for range calls {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, strings.NewReader(call))
		if err != nil {
			return nil, err
		}
		for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "find"} {
			r.Header.Set(name, value)
		}
		if g.token != "" {
			r.Header.Set("Authorization", "Bearer "+g.token)
		}
		began := time.Now()
		answer, err := client.Do(r)
		if err != nil {
			return times, fmt.Errorf("call %d: %w", len(times)+1, err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), "pod.go") {
			return times, fmt.Errorf("call %d: %d %.200s %w", len(times)+1, answer.StatusCode, text, err)
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}
