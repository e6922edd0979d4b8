package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMCPEras speaks both eras of the protocol on one connection, in each order.
func TestMCPEras(t *testing.T) {
	dir := served(t)
	discover := func(c *client, id int) {
		t.Helper()
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"server/discover","params":{%s}}`, id, modernMeta))
		if r := c.read(); r.Error != nil || !bytes.Contains(r.raw, []byte(`"2026-07-28"`)) {
			t.Errorf("discover: %s", r.raw)
		}
	}
	modernTool := func(c *client, id int) {
		t.Helper()
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"find","arguments":{"query":"app"},%s}}`, id, modernMeta))
		if r := c.read(); r.Error != nil || r.Result.IsError || !bytes.Contains(r.raw, []byte(`"resultType":"complete"`)) {
			t.Errorf("call: %s", r.raw)
		}
	}
	legacy := func(c *client) {
		t.Helper()
		if r := c.call("find", `{"query":"app"}`); r.Error != nil || r.Result.IsError || bytes.Contains(r.raw, []byte(`"resultType"`)) {
			t.Errorf("call of the older era: %s", r.raw)
		}
	}
	c := newClient(t, dir)
	discover(c, 100)
	modernTool(c, 101)
	if r := c.call("find", `{"query":"app"}`); r.Error == nil {
		t.Errorf("without initialize: %s", r.raw)
	}
	c.send(hello)
	if r := c.read(); r.Error != nil || !bytes.Contains(r.raw, []byte(`"protocolVersion":"2025-06-18"`)) {
		t.Fatalf("initialize after a message that names its revision: %s", r.raw)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	legacy(c)
	modernTool(c, 102)
	legacy(c)
	c.send(hello)
	if r := c.read(); r.Error == nil {
		t.Errorf("initialize twice: %s", r.raw)
	}
	c.end()
}

// TestMCPCancelled cancels calls of both eras: nothing is answered any more.
func TestMCPCancelled(t *testing.T) {
	dir := served(t)
	c := newClient(t, dir).hello()
	for i, meta := range []string{`"_meta":{}`, modernMeta} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"name":"find","arguments":{"query":"app"},%s}}`, i, meta) + "\n" +
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c%d"}}`, i))
	}
	// The answers may have been sent before they were cancelled; what comes last is not of them.
	c.send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	for {
		r := c.read()
		if r.ID == "last" {
			break
		}
		if r.Error != nil {
			t.Errorf("a cancelled call: %s", r.raw)
		}
	}
	c.end()
}

// TestMCPBatch sends batches: they are answered in the revision that has them, and refused in others.
func TestMCPBatch(t *testing.T) {
	dir := served(t)
	const two = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"tools/list"}]`
	for _, revision := range []string{"", "2024-11-05", "2025-06-18", "2025-11-25"} {
		c := newClient(t, dir)
		if revision != "" {
			c.send(strings.Replace(hello, "2025-06-18", revision, 1))
			c.read()
		}
		c.send(two)
		if r := c.read(); r.Error == nil || r.Error.Code != -32600 || r.ID != nil {
			t.Errorf("in %q: %s", revision, r.raw)
		}
		c.end()
	}
	c := newClient(t, dir)
	c.send(strings.Replace(hello, "2025-06-18", "2025-03-26", 1))
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	batch := func(line string) []reply {
		t.Helper()
		c.send(line)
		raw, err := c.out.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var all []reply
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Errorf("%.80s: %s", line, raw)
		}
		return all
	}
	ids := func(all []reply) map[any]bool {
		out := map[any]bool{}
		for _, r := range all {
			out[r.ID] = r.Error == nil
		}
		return out
	}
	if got := ids(batch(two)); len(got) != 2 || !got[1.0] || !got["b"] {
		t.Errorf("two calls: %v", got)
	}
	got := ids(batch(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"},17,{"id":5},{"jsonrpc":"2.0","method":"notifications/initialized"},` +
		`{"jsonrpc":"2.0","id":6,"method":"nosuch"},{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + modernMeta + `}}]`))
	if len(got) != 5 || got[nil] || got[5.0] || got[6.0] || got[7.0] {
		t.Errorf("what is none of a batch: %v", got)
	}
	if all := batch(`[1,2]`); len(all) != 2 || all[0].Error == nil {
		t.Errorf("no message in it: %v", all)
	}
	for _, bad := range []string{`[]`, `[` + hello + `]`, `[` + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 101), ",") + `]`} {
		c.send(bad)
		if r := c.read(); r.Error == nil || r.Error.Code != -32600 {
			t.Errorf("%.60s: %s", bad, r.raw)
		}
	}
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf(`{"jsonrpc":"2.0","id":"m%d","method":"tools/call","params":{"name":"overview"}}`, i))
	}
	if got := ids(batch("[" + strings.Join(many, ",") + "]")); len(got) != 100 {
		t.Errorf("%d of 100 answers", len(got))
	}
	// Notifications are not answered: the next answer is that of the ping.
	c.send(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nosuch"}}]`)
	c.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
	if r := c.read(); r.ID != "after" {
		t.Errorf("after notifications: %s", r.raw)
	}
	c.send(two) // the input ends before it is answered
	c.in.Close()
	if raw, err := c.out.ReadBytes('\n'); err != nil || !bytes.HasPrefix(raw, []byte("[")) {
		t.Errorf("%v: %s", err, raw)
	}
	c.end()
}

// TestMCPListen ends the input of a client that has asked to be sent changes: nothing is waited for.
func TestMCPListen(t *testing.T) {
	dir := served(t)
	c := newClient(t, dir)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`)
	if r := c.read(); r.Error != nil {
		t.Errorf("%s", r.raw)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find","arguments":{"query":"app"},` + modernMeta + `}}`)
	c.in.Close()
	if r := c.read(); r.Error != nil || r.Result.IsError {
		t.Errorf("a call beside it: %s", r.raw)
	}
	c.end()
}
