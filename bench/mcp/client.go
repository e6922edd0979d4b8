package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
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

func (c *client) close() {
	c.in.Close()
	c.cmd.Wait()
}
