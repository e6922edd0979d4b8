package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// canary is in files outside of the project, and may be in no answer.
const canary = "CanaryOutsideOfTheProject"

// badInput gives servers of a project that is made for it what they should not get. Each row says how many of so many were refused
// or answered as they should be, and after each the same server still answers.
func (b *bench) badInput(ctx context.Context) error {
	home, err := os.MkdirTemp("", "ken-bench-bad-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return err
	}
	root, err := b.make(ctx, home)
	if err != nil {
		return err
	}
	if err := outside(home, root); err != nil {
		return err
	}
	made := *b
	made.dir = root
	for _, part := range []func(context.Context) error{made.large, made.paths, made.lines, made.together, made.slowReader, made.deleted} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	b.missed += made.missed - b.missed
	return nil
}

// outside makes files beside a project, and links in it that lead to them.
func outside(home, root string) error {
	if err := writeIn(home, "beside/secret.go", "package beside\n\nfunc "+canary+"() {}\n"); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(home, "beside"), filepath.Join(root, "linked")); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(home, "beside", "secret.go"), filepath.Join(root, "linked.go"))
}

// tried counts what was tried and what went as it should.
type tried struct {
	all, good int
	faults    []string
}

func (t *tried) note(ok bool, what string, answer []byte) {
	t.all++
	if ok {
		t.good++
		return
	}
	t.faults = append(t.faults, fmt.Sprintf("%s: %.200s", what, answer))
}

// bad prints a row of what was tried.
func (b *bench) bad(what, must string, t *tried, more string) {
	for _, f := range t.faults {
		fmt.Fprintln(os.Stderr, f)
	}
	b.row(what, must, fmt.Sprintf("%d of %d%s", t.good, t.all, more), t.good == t.all, false)
}

// alive reports whether a server answers a question as it should.
func alive(c *client) bool {
	line, err := c.ask("tools/call", `{"name":"grep","arguments":{"regex":"type Pod"}}`)
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

// mostForBad is what a server may take for bad input, in MB.
const mostForBad = 400

// large gives each tool arguments of 10 MB, and a line beyond what is read.
func (b *bench) large(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	var t tried
	ten := strings.Repeat("x", 10<<20)
	many := `["` + strings.TrimSuffix(strings.Repeat(`a","`, 2<<20), `","`) + `"]`
	for _, q := range []string{
		`{"name":"find","arguments":{"query":"` + ten + `"}}`, `{"name":"grep","arguments":{"regex":"` + ten + `"}}`, `{"name":"show","arguments":{"target":"` + ten + `"}}`,
		`{"name":"refs","arguments":{"name":"` + ten + `"}}`, `{"name":"brief","arguments":{"goal":"` + ten + `"}}`, `{"name":"recall","arguments":{"text":"` + ten + `"}}`,
		`{"name":"overview","arguments":{"` + ten + `":1}}`, `{"name":"` + ten + `"}`,
	} {
		line, err := c.say(q)
		t.note(err == nil && isRefused(line) && len(line) < 64<<10, q[:min(60, len(q))], line)
	}
	for _, q := range []string{`{"name":"impact","arguments":{"target":` + many + `}}`, `{"name":"grep","arguments":{"regex":"x","path":` + many + `}}`} {
		line, err := c.say(q) // each of them is looked for, and none is there
		t.note(err == nil && bytes.Contains(line, []byte(`no `)) && len(line) < 64<<10, q[:min(60, len(q))], line)
	}
	line, err := c.raw(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 40<<20) + `"}}` + "\n")
	t.note(err == nil && isRefused(line), "a line of 40 MB", line)
	t.note(alive(c), "the server goes on", nil)
	mb := resident(c.cmd.Process.Pid) / 1024
	b.bad("arguments of 10 MB, a message of 40 MB", fmt.Sprintf("all refused, it goes on, ≤ %d MB", mostForBad), &t, fmt.Sprintf(", %d MB", mb))
	if mb > mostForBad {
		b.missed++
	}
	return nil
}

// paths asks for what is outside of the project, directly and through links.
func (b *bench) paths(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	var t tried
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
			line, err := c.say(q)
			t.note(err == nil && !bytes.Contains(line, []byte("func "+canary)) && !bytes.Contains(line, []byte("root:x:")), q, line)
		}
		uri, _ := json.Marshal("ken://file/" + path)
		line, err := c.sayTo("resources/read", `{"uri":`+string(uri)+`}`)
		t.note(err == nil && !bytes.Contains(line, []byte("func "+canary)) && !bytes.Contains(line, []byte("root:x:")), string(uri), line)
	}
	t.note(alive(c), "the server goes on", nil)
	b.bad("paths outside of the project and through links", "no content, it goes on", &t, "")
	return nil
}

// lines sends what is no message, and half of one before the input ends.
func (b *bench) lines(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	var t tried
	for _, bad := range []string{
		"{", "nonsense", "[]", "[{}]", `"text"`, "12", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":"[[["}}`, "\x00\x01\x02", "\xff\xfe{", "\xef\xbb\xbf{}",
		strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ken://file/%zz"}}`, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`,
	} {
		line, err := c.raw(bad + "\n")
		t.note(err == nil && isRefused(line), fmt.Sprintf("%.60q", bad), line)
	}
	// These are notifications or answers to nothing: silence is right.
	for _, quiet := range []string{"", "   ", `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`} {
		_, err := io.WriteString(c.in, quiet+"\n")
		t.note(err == nil && alive(c), fmt.Sprintf("after %q", quiet), nil)
	}
	io.WriteString(c.in, `{"jsonrpc":"2.0","id":1,"method":"tools/ca`)
	c.in.Close()
	ended := make(chan error, 1)
	go func() {
		io.Copy(io.Discard, c.out)
		ended <- c.cmd.Wait()
	}()
	select {
	case err := <-ended:
		t.note(err == nil, "half a message at the end of the input", fmt.Append(nil, err))
	case <-time.After(endsWithin):
		t.note(false, "half a message at the end of the input", []byte("the server does not end"))
		c.cmd.Process.Kill()
	}
	b.bad("malformed and partial messages", "an error each, it goes on", &t, "")
	return nil
}

// together has two servers of one project write and ask at once.
func (b *bench) together(ctx context.Context) error {
	os.Setenv("KEN_MCP_TOOLS", "core,knowledge")
	defer os.Unsetenv("KEN_MCP_TOOLS")
	var mu sync.Mutex
	var t tried
	var all sync.WaitGroup
	n := b.runs(400)
	for s := range 2 {
		c, err := b.spawn(ctx)
		if err != nil {
			return err
		}
		defer c.close()
		all.Go(func() {
			for i := range n {
				name := fmt.Sprintf("Together%dx%d", s, i)
				werr := writeIn(b.dir, fmt.Sprintf("p1/together%d.go", s), "package p1\n\nfunc "+name+"() {}\n")
				wrote, err := c.say(fmt.Sprintf(`{"name":"remember","arguments":{"text":"server %d noted %d"}}`, s, i))
				found, ferr := c.say(fmt.Sprintf(`{"name":"grep","arguments":{"regex":"func %s\\b"}}`, name))
				ok := errors.Join(werr, err, ferr) == nil && !isRefused(wrote) && bytes.Contains(found, []byte(fmt.Sprintf("p1/together%d.go:3", s)))
				mu.Lock()
				t.note(ok, name, append(wrote, found...))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	b.bad("two servers of one project write, edit and ask at once", "each sees its own edit, nothing fails", &t, "")
	return nil
}

// slowReader asks much and reads nothing for a while.
func (b *bench) slowReader(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	n := b.runs(2000)
	sent := make(chan error, 1)
	go func() {
		for i := range n {
			if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"grep","arguments":{"regex":"func","budget":20000}}}`+"\n", 1000+i); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	time.Sleep(2 * time.Second)
	mb := resident(c.cmd.Process.Pid) / 1024
	var t tried
	seen := map[int]bool{}
	for range n {
		line, err := c.out.ReadBytes('\n')
		var m struct{ ID int }
		ok := err == nil && json.Unmarshal(line, &m) == nil && !seen[m.ID] && bytes.Contains(line, []byte("file1.go"))
		seen[m.ID] = true
		t.note(ok, "an answer", line)
		if err != nil {
			break
		}
	}
	if err := <-sent; err != nil {
		return err
	}
	t.note(alive(c), "the server goes on", nil)
	b.bad(fmt.Sprintf("%d calls of a client that reads nothing for 2 s", n), fmt.Sprintf("all answered once, it goes on, ≤ %d MB", mostForBad), &t, fmt.Sprintf(", %d MB", mb))
	if mb > mostForBad {
		b.missed++
	}
	return nil
}

// deleted deletes the project while it is served, and makes it again.
func (b *bench) deleted(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	var t tried
	t.note(alive(c), "before", nil)
	away := b.dir + "-away"
	if err := os.Rename(b.dir, away); err != nil {
		return err
	}
	line, err := c.say(`{"name":"grep","arguments":{"regex":"type Pod"}}`)
	t.note(err == nil && isRefused(line) && bytes.Contains(line, []byte("is gone")), "without the project", line)
	if err := os.Rename(away, b.dir); err != nil {
		return err
	}
	t.note(alive(c), "there again", nil)
	b.bad("the project is deleted while it is served, and made again", "an error that says so, then answers", &t, "")
	return nil
}

// say calls a tool; an answer that is an error is one.
func (c *client) say(params string) ([]byte, error) { return c.sayTo("tools/call", params) }

func (c *client) sayTo(method, params string) ([]byte, error) {
	c.n++
	return c.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.n, method, params))
}

// raw sends bytes and returns the next line.
func (c *client) raw(text string) ([]byte, error) {
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.in, text)
		sent <- err
	}()
	line, err := c.out.ReadBytes('\n')
	return line, errors.Join(err, <-sent)
}
