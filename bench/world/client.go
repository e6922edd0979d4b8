package world

import (
	"bufio"
	"encoding/json"
	"errors"
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

// Send writes one line as it is. It fails if the server does not read any more.
func (c *Client) Send(line string) error {
	_, err := io.WriteString(c.in, line+"\n")
	return err
}

// Receive returns the next line of the server. It fails if the server ended.
func (c *Client) Receive() ([]byte, error) { return c.out.ReadBytes('\n') }

// Exchange sends one line as it is and returns the next line of the server. It
// writes while it reads, because neither side has to take a long line at once. It fails if the server ended.
func (c *Client) Exchange(line string) ([]byte, error) {
	sent := make(chan error, 1)
	go func() { sent <- c.Send(line) }()
	answer, err := c.Receive()
	return answer, errors.Join(err, <-sent)
}

// Message returns a request of the given parameters, with the next id.
func (c *Client) Message(method, params string) string {
	c.id++
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params)
}

// Request sends a request and returns its result; notifications in between are
// passed over. It fails with the server's error.
func (c *Client) Request(method string, params any) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	line, err := c.Exchange(c.Message(method, string(text)))
	for ; err == nil; line, err = c.Receive() {
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
	return nil, err
}

// CloseInput ends the server's input. It fails if that is closed already.
func (c *Client) CloseInput() error { return c.in.Close() }

// Wait reads the rest of the server's output and waits for it. It returns an error if the server did not end with 0.
func (c *Client) Wait() error {
	io.Copy(io.Discard, c.out)
	return c.Cmd.Wait()
}

// Close ends the server's input and waits for it.
func (c *Client) Close() {
	c.in.Close()
	c.Cmd.Wait()
}
