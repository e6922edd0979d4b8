package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// client speaks to a server that it started.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

// spawn starts a server and begins a session.
func (b *bench) spawn(ctx context.Context) (*client, error) {
	c := &client{cmd: exec.CommandContext(ctx, b.ken, "-C", b.dir, "mcp")}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	if err == nil {
		_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return c, err
}

// ask sends a request and returns the line of its answer.
func (c *client) ask(method, params string) ([]byte, error) {
	c.n++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.n, method, params); err != nil {
		return nil, err
	}
	line, err := c.out.ReadBytes('\n')
	if err == nil && bytes.Contains(line[:min(len(line), 60)], []byte(`"error"`)) {
		err = fmt.Errorf("%s: %s", method, line)
	}
	return line, err
}

// timed asks a question so many times.
func (c *client) timed(q question, times int) ([]time.Duration, error) {
	var out []time.Duration
	for range times {
		began := time.Now()
		line, err := c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, q.name, q.args))
		out = append(out, time.Since(began))
		if err != nil {
			return nil, err
		}
		var m struct{ Result struct{ IsError bool } }
		if err := json.Unmarshal(line, &m); err != nil || m.Result.IsError {
			return nil, fmt.Errorf("%s: %.300s", q.name, line)
		}
	}
	return out, nil
}

func (c *client) close() {
	c.in.Close()
	c.cmd.Wait()
}

// resident is the memory of a process in kB, 0 where the system does not say.
func resident(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); err == nil {
			return kb
		}
	}
	return 0
}

// truth writes a file and asks for it at once.
func (b *bench) truth(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	file := filepath.Join(b.dir, "bench_mcp_probe.go")
	defer os.Remove(file)
	times, fresh := b.runs(1000), 0
	for i := range times {
		name := fmt.Sprintf("benchProbe%d", i)
		if err := os.WriteFile(file, []byte("package probe\n\nfunc "+name+"() {}\n"), 0o644); err != nil {
			return err
		}
		line, err := c.ask("tools/call", fmt.Sprintf(`{"name":"grep","arguments":{"regex":"%s\\b"}}`, name))
		if err != nil {
			return err
		}
		if bytes.Contains(line, []byte("bench_mcp_probe.go:3")) {
			fresh++
		}
	}
	b.row(fmt.Sprintf("truth after an edit: new content, of %d times", times), "≥ 99 %", fmt.Sprintf("%.1f %%", 100*float64(fresh)/float64(times)), 100*fresh >= 99*times, false)
	return nil
}

// killed kills servers' clients, each in the middle of a call.
func (b *bench) killed(ctx context.Context) error {
	n := b.runs(200)
	var started []*client
	for range n {
		c, err := b.spawn(ctx)
		if err != nil {
			return err
		}
		// The client goes away: both of its ends close, as the kernel does for a process that is killed.
		fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"overview"}}`+"\n")
		c.in.Close()
		started = append(started, c)
	}
	left := 0
	for _, c := range started {
		ended := make(chan struct{})
		go func() {
			io.Copy(io.Discard, c.out)
			c.cmd.Wait()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(15 * time.Second):
			left++
			c.cmd.Process.Kill()
		}
	}
	out, err := exec.CommandContext(ctx, b.ken, "-C", b.dir, "index").CombinedOutput()
	locks := 0
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s\n", out)
		locks = 1
	}
	b.row(fmt.Sprintf("%d clients that went away in a call", n), "0 processes, 0 locks left", fmt.Sprintf("%d, %d", left, locks), left+locks == 0, false)
	return nil
}
