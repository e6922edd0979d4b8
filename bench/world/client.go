package world

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Client speaks JSON-RPC to a server of the Model Context Protocol over the
// server's standard input and output, one request at a time.
type Client struct {
	Cmd *exec.Cmd

	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// Params are the parameters of a request, or the arguments of a tool.
type Params map[string]any

// Start starts a server and shakes hands in a version of the protocol. It fails
// if the program cannot be started or refuses.
func Start(cmd *exec.Cmd, version string) (*Client, error) {
	c := &Client{Cmd: cmd}
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	about := Params{"name": "bench", "version": "1"}
	if _, err = c.Request("initialize", Params{"protocolVersion": version, "capabilities": Params{}, "clientInfo": about}); err != nil {
		return nil, err
	}
	return c, c.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// Send writes one line as it is.
func (c *Client) Send(line string) error {
	_, err := io.WriteString(c.in, line+"\n")
	return err
}

// Receive returns the next line of the server. It fails if the server ended.
func (c *Client) Receive() ([]byte, error) { return c.out.ReadBytes('\n') }

// Request sends a request and returns its result; notifications in between are
// passed over. It fails with the server's error.
func (c *Client) Request(method string, params any) (json.RawMessage, error) {
	c.id++
	line, err := json.Marshal(Params{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if err := c.Send(string(line)); err != nil {
		return nil, err
	}
	for {
		line, err := c.Receive()
		if err != nil {
			return nil, err
		}
		var m struct {
			ID            int
			Result, Error json.RawMessage
		}
		switch err := json.Unmarshal(line, &m); {
		case err != nil:
			return nil, err
		case m.ID != c.id:
		case m.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, m.Error)
		default:
			return m.Result, nil
		}
	}
}

// Close ends the server's input and waits for it.
func (c *Client) Close() {
	c.in.Close()
	c.Cmd.Wait()
}
