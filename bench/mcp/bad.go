package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
)

// outsideCanary is in files outside of the project; no answer may hold it.
const outsideCanary = "CanaryOutsideOfTheProject"

// sendBadInput sends bad input to servers of a small project. Each row counts the
// messages that were refused or answered correctly; after each the server still answers.
func (b *bench) sendBadInput(ctx context.Context) error {
	home, remove, err := world.Scratch("ken-bench-bad-")
	if err != nil {
		return err
	}
	defer remove()
	made := *b
	if made.dir, err = b.makeProject(ctx, home); err != nil {
		return err
	}
	err = errors.Join(world.WriteFiles(home, map[string]string{"beside/secret.go": "package beside\n\nfunc " + outsideCanary + "() {}\n"}),
		os.Symlink(filepath.Join(home, "beside"), filepath.Join(made.dir, "linked")),
		os.Symlink(filepath.Join(home, "beside", "secret.go"), filepath.Join(made.dir, "linked.go")))
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		made.sendLarge, made.askOutside, made.sendMalformed, made.writeTogether, made.readSlowly, made.deleteProject,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// trialCount counts messages and those that were answered correctly.
type trialCount struct {
	all, good int
	faults    []string
}

func (t *trialCount) countTrial(ok bool, what string, answer []byte) {
	t.all++
	if ok {
		t.good++
		return
	}
	t.faults = append(t.faults, fmt.Sprintf("%s: %.200s", what, answer))
}

// trialsRow prints a row of trials.
func (b *bench) trialsRow(what, must string, t *trialCount, more string) {
	for _, f := range t.faults {
		fmt.Fprintln(os.Stderr, f)
	}
	b.Row(what, must, fmt.Sprintf("%d of %d%s", t.good, t.all, more), t.good == t.all)
}

// isAlive reports whether a server answers a question correctly.
func isAlive(c *client) bool {
	line, err := c.call(`{"name":"grep","arguments":{"regex":"type Pod"}}`)
	return err == nil && bytes.Contains(line, []byte("p0/pod.go"))
}

// isRefused reports whether an answer is an error, of the protocol or of a tool.
func isRefused(line []byte) bool {
	var m struct {
		Error  json.RawMessage
		Result struct{ IsError bool }
	}
	return json.Unmarshal(line, &m) == nil && (len(m.Error) > 0 || m.Result.IsError)
}

// maxForBad is the memory that a server may take for bad input, in MB.
const maxForBad = 400

// sendLarge gives each tool arguments of 10 MB, and a line longer than a server reads.
func (b *bench) sendLarge(ctx context.Context) error {
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var t trialCount
	ten := strings.Repeat("x", 10<<20)
	many := `["` + strings.TrimSuffix(strings.Repeat(`a","`, 2<<20), `","`) + `"]`
	for _, q := range []string{
		`{"name":"find","arguments":{"query":"` + ten + `"}}`, `{"name":"grep","arguments":{"regex":"` + ten + `"}}`, `{"name":"show","arguments":{"target":"` + ten + `"}}`,
		`{"name":"refs","arguments":{"name":"` + ten + `"}}`, `{"name":"brief","arguments":{"goal":"` + ten + `"}}`, `{"name":"recall","arguments":{"text":"` + ten + `"}}`,
		`{"name":"overview","arguments":{"` + ten + `":1}}`, `{"name":"` + ten + `"}`,
	} {
		line, err := c.call(q)
		t.countTrial(err == nil && isRefused(line) && len(line) < 64<<10, q[:min(60, len(q))], line)
	}
	for _, q := range []string{`{"name":"impact","arguments":{"target":` + many + `}}`, `{"name":"grep","arguments":{"regex":"x","path":` + many + `}}`} {
		line, err := c.call(q) // each of them is looked for, and none is there
		t.countTrial(err == nil && bytes.Contains(line, []byte(`no `)) && len(line) < 64<<10, q[:min(60, len(q))], line)
	}
	line, err := c.Exchange(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 40<<20) + `"}}`)
	t.countTrial(err == nil && isRefused(line), "a line of 40 MB", line)
	t.countTrial(isAlive(c), "the server goes on", nil)
	mb := world.ResidentMemory(c.Cmd.Process.Pid) / 1024
	b.trialsRow("arguments of 10 MB, a message of 40 MB", fmt.Sprintf("all refused, it goes on, ≤ %d MB", maxForBad), &t, fmt.Sprintf(", %d MB", mb))
	if mb > maxForBad {
		b.Missed++
	}
	return nil
}

// askOutside asks for files outside of the project, directly and through links.
func (b *bench) askOutside(ctx context.Context) error {
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var t trialCount
	beside := filepath.Join(filepath.Dir(b.dir), "beside", "secret.go")
	for _, path := range []string{
		beside, "../beside/secret.go", "p0/../../beside/secret.go", "linked/secret.go", "./linked/secret.go", "linked.go", b.dir + "/linked.go", b.dir + "/linked/secret.go",
		"/etc/passwd", "file://" + beside, `..\beside\secret.go`, "~/secret.go", "p0/\x00", strings.Repeat("../", 2000) + "etc/passwd", ".ken/index.db", "/proc/self/environ", "/dev/stdin",
	} {
		p, _ := json.Marshal(path) // a string can always be encoded
		for _, q := range []string{
			`{"name":"show","arguments":{"target":%s}}`, `{"name":"grep","arguments":{"regex":"Canary|root:","path":%s}}`, `{"name":"impact","arguments":{"target":%s}}`,
			`{"name":"grep","arguments":{"regex":"Canary|root:","project":%s}}`, `{"name":"refs","arguments":{"name":%s}}`,
		} {
			q = fmt.Sprintf(q, p)
			line, err := c.call(q)
			t.countTrial(err == nil && !bytes.Contains(line, []byte("func "+outsideCanary)) && !bytes.Contains(line, []byte("root:x:")), q, line)
		}
		uri, _ := json.Marshal("ken://file/" + path)
		line, err := c.Exchange(c.Message("resources/read", `{"uri":`+string(uri)+`}`))
		t.countTrial(err == nil && !bytes.Contains(line, []byte("func "+outsideCanary)) && !bytes.Contains(line, []byte("root:x:")), string(uri), line)
	}
	t.countTrial(isAlive(c), "the server goes on", nil)
	b.trialsRow("paths outside of the project and through links", "no content, it goes on", &t, "")
	return nil
}

// sendMalformed sends malformed messages, and half a message before the input ends.
func (b *bench) sendMalformed(ctx context.Context) error {
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var t trialCount
	for _, bad := range []string{
		"{", "nonsense", "[]", "[{}]", `"text"`, "12", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":"[[["}}`, "\x00\x01\x02", "\xff\xfe{", "\xef\xbb\xbf{}",
		strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ken://file/%zz"}}`, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`,
	} {
		line, err := c.Exchange(bad)
		t.countTrial(err == nil && isRefused(line), fmt.Sprintf("%.60q", bad), line)
	}
	// These are notifications or answers to nothing: silence is right.
	for _, quiet := range []string{"", "   ", `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`} {
		err := c.Send(quiet)
		t.countTrial(err == nil && isAlive(c), fmt.Sprintf("after %q", quiet), nil)
	}
	c.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/ca`)
	c.CloseInput()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		t.countTrial(err == nil, "half a message at the end of the input", fmt.Append(nil, err))
	case <-time.After(endsWithin):
		t.countTrial(false, "half a message at the end of the input", []byte("the server does not end"))
		c.Cmd.Process.Kill()
	}
	b.trialsRow("malformed and partial messages", "an error each, it goes on", &t, "")
	return nil
}

// writeTogether has two servers of one project write and ask at once.
func (b *bench) writeTogether(ctx context.Context) error {
	os.Setenv("KEN_MCP_TOOLS", "core,knowledge")
	defer os.Unsetenv("KEN_MCP_TOOLS")
	var mu sync.Mutex
	var t trialCount
	var all sync.WaitGroup
	n := b.runCount(400)
	for s := range 2 {
		c, err := b.spawnServer(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		all.Go(func() {
			for i := range n {
				name := fmt.Sprintf("Together%dx%d", s, i)
				werr := world.WriteFiles(b.dir, map[string]string{fmt.Sprintf("p1/together%d.go", s): "package p1\n\nfunc " + name + "() {}\n"})
				wrote, err := c.call(fmt.Sprintf(`{"name":"remember","arguments":{"text":"server %d noted %d"}}`, s, i))
				found, ferr := c.call(fmt.Sprintf(`{"name":"grep","arguments":{"regex":"func %s\\b"}}`, name))
				ok := errors.Join(werr, err, ferr) == nil && !isRefused(wrote) && bytes.Contains(found, []byte(fmt.Sprintf("p1/together%d.go:3", s)))
				mu.Lock()
				t.countTrial(ok, name, append(wrote, found...))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	b.trialsRow("two servers of one project write, edit and ask at once", "each sees its own edit, nothing fails", &t, "")
	return nil
}

// readSlowly asks much and reads nothing for a while.
func (b *bench) readSlowly(ctx context.Context) error {
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	n := b.runCount(2000)
	sent := make(chan error, 1)
	go func() {
		for i := range n {
			if err := c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"grep","arguments":{"regex":"func","budget":20000}}}`, 1000+i)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	time.Sleep(2 * time.Second)
	mb := world.ResidentMemory(c.Cmd.Process.Pid) / 1024
	var t trialCount
	seen := map[int]bool{}
	for range n {
		line, err := c.Receive()
		var m struct{ ID int }
		ok := err == nil && json.Unmarshal(line, &m) == nil && !seen[m.ID] && bytes.Contains(line, []byte("file1.go"))
		seen[m.ID] = true
		t.countTrial(ok, "an answer", line)
		if err != nil {
			break
		}
	}
	if err := <-sent; err != nil {
		return err
	}
	t.countTrial(isAlive(c), "the server goes on", nil)
	b.trialsRow(fmt.Sprintf("%d calls of a client that reads nothing for 2 s", n), fmt.Sprintf("all answered once, it goes on, ≤ %d MB", maxForBad), &t, fmt.Sprintf(", %d MB", mb))
	if mb > maxForBad {
		b.Missed++
	}
	return nil
}

// deleteProject deletes the project while it is served, and makes it again.
func (b *bench) deleteProject(ctx context.Context) error {
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var t trialCount
	t.countTrial(isAlive(c), "before", nil)
	away := b.dir + "-away"
	if err := os.Rename(b.dir, away); err != nil {
		return err
	}
	line, err := c.call(`{"name":"grep","arguments":{"regex":"type Pod"}}`)
	t.countTrial(err == nil && isRefused(line) && bytes.Contains(line, []byte("is gone")), "without the project", line)
	if err := os.Rename(away, b.dir); err != nil {
		return err
	}
	t.countTrial(isAlive(c), "there again", nil)
	b.trialsRow("the project is deleted while it is served, and made again", "an error that says so, then answers", &t, "")
	return nil
}
