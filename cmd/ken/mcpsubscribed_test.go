package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMCPSubscribed: a client hears of a subscribed resource whose text has changed, in a session and by a listening call, and not of others
// or after it has unsubscribed.
func TestMCPSubscribed(t *testing.T) {
	dir := served(t)
	file := filepath.Join(dir, "added.go")
	write := func(n int) {
		t.Helper()
		if err := os.WriteFile(file, fmt.Appendf(nil, "package added\n\nfunc Added%d() {}\n", n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(0)
	for name, subscribe := range map[string]func(c *client, uri string){
		"session": func(c *client, uri string) {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":900,"method":"resources/subscribe","params":{"uri":%q}}`, uri))
			if r := c.read(); r.Error != nil {
				t.Fatalf("%s", r.raw)
			}
		},
		"listening": func(c *client, uri string) {
			meta := `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":901,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%q]},"_meta":%s}}`, uri, meta))
			if r := c.read(); !strings.Contains(string(r.raw), "acknowledged") || !strings.Contains(string(r.raw), uri) {
				t.Fatalf("%s", r.raw)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, dir).hello()
			subscribe(c, "ken://file/added.go")
			for n := range 2 {
				write(len(name)*10 + n)
				var m struct {
					Method string
					Params struct{ URI string }
				}
				if r := c.readWithin(20 * time.Second); json.Unmarshal(r, &m) != nil || m.Method != "notifications/resources/updated" || m.Params.URI != "ken://file/added.go" {
					t.Fatalf("after a change: %s", r)
				}
			}
			if name == "session" {
				c.send(`{"jsonrpc":"2.0","id":902,"method":"resources/unsubscribe","params":{"uri":"ken://file/added.go"}}`)
				c.read()
				write(7)
			}
			c.send(`{"jsonrpc":"2.0","id":903,"method":"ping"}`)
			if r := c.read(); fmt.Sprint(r.ID) != "903" {
				t.Errorf("instead of a pong: %s", r.raw)
			}
			c.send(`{"jsonrpc":"2.0","id":904,"method":"resources/subscribe","params":{"uri":"ken://file/none.go"}}`)
			if r := c.read(); r.Error == nil {
				t.Errorf("a resource that does not exist is subscribed to: %s", r.raw)
			}
		})
	}
}

// readWithin reads a line, nil if none comes in time.
func (c *client) readWithin(d time.Duration) []byte {
	line := make(chan []byte, 1)
	go func() {
		b, _ := c.out.ReadBytes('\n')
		line <- b
	}()
	select {
	case b := <-line:
		return b
	case <-time.After(d):
		return nil
	}
}
