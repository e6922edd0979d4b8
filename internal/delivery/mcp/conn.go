package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// conn is a connection of one message a line. Unlike the library's, it answers a line that is
// no message with an error and goes on, because one bad line is no reason to lose a session,
// and it sends nothing more about a call that was cancelled.
type conn struct {
	lines  chan []byte
	ended  chan struct{} // closed when there is nothing more to read
	closed chan struct{}
	// answered has an entry after a call was answered.
	answered chan struct{}
	close    sync.Once

	mu        sync.Mutex // guards the fields below
	out       io.Writer
	cancelled map[jsonrpc.ID]bool // calls that were cancelled and not answered yet
	open      map[jsonrpc.ID]bool // calls that were not answered yet
}

// maxLine is the longest message that is read, in bytes.
const maxLine = 32 << 20

func newConn(in io.Reader, out io.Writer) *conn {
	c := &conn{
		lines: make(chan []byte), ended: make(chan struct{}), closed: make(chan struct{}), answered: make(chan struct{}, 1),
		out: out, cancelled: map[jsonrpc.ID]bool{}, open: map[jsonrpc.ID]bool{},
	}
	// It ends with the input. A read that waits cannot be broken off, so that after Close it may
	// go on until the process ends, which is next.
	go c.read(in)
	return c
}

// Connect hands the library the connection.
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: the process is the session.
func (c *conn) SessionID() string { return "" }

func (c *conn) read(in io.Reader) {
	defer close(c.ended)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLong):
			c.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the message is too long")
		case len(bytes.TrimSpace(line)) > 0:
			select {
			case c.lines <- line:
			case <-c.closed:
				return
			}
		}
		if err != nil && !errors.Is(err, errLong) {
			return
		}
	}
}

var errLong = errors.New("line too long")

// readLine reads a line; of one that is too long it returns errLong after its end. At the end of the
// input what is there is returned with the error.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && long:
			return nil, errLong
		}
		return line, err
	}
}

// Read returns the next message.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var line []byte
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case line = <-c.lines:
		case <-c.ended:
			return nil, c.finish(ctx)
		}
		if m := c.message(line); m != nil {
			return m, nil
		}
	}
}

// finish waits at the end of the input until all calls are answered, because a script that asks on
// standard input reads its answers afterwards.
func (c *conn) finish(ctx context.Context) error {
	for {
		c.mu.Lock()
		open := len(c.open)
		c.mu.Unlock()
		if open == 0 {
			return io.EOF
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-c.answered:
		}
	}
}

// message decodes a line; it answers one that holds no message and returns nil.
func (c *conn) message(line []byte) jsonrpc.Message {
	switch {
	case !json.Valid(line):
		c.refuse(jsonrpc.ID{}, jsonrpc.CodeParseError, "the line is not valid JSON")
		return nil
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		c.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "batches are not supported: send each message on a line of its own")
		return nil
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		c.refuse(idOf(line), jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message")
		return nil
	}
	if r, ok := m.(*jsonrpc.Request); ok && !c.note(r) {
		c.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "a call with this id is not answered yet")
		return nil
	}
	return m
}

// note remembers what was asked and what was cancelled; it reports whether the message can be taken.
func (c *conn) note(r *jsonrpc.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.IsCall() {
		if c.open[r.ID] {
			return false
		}
		c.open[r.ID] = true
		return true
	}
	if r.Method != "notifications/cancelled" {
		return true
	}
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &p) != nil {
		return true
	}
	if id, err := jsonrpc.MakeID(p.RequestID); err == nil && c.open[id] {
		c.cancelled[id] = true
	}
	return true
}

// idOf is the id of a message that is not understood, so that whoever sent it can match the answer.
func idOf(line []byte) jsonrpc.ID {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(m.ID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// refuse answers what is no message. That it cannot be written is noticed with the next answer.
func (c *conn) refuse(id jsonrpc.ID, code int, message string) {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id.Raw(), "error": map[string]any{"code": code, "message": message},
	})
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.out.Write(append(line, '\n'))
	}
}

// Write sends a message.
func (c *conn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := m.(*jsonrpc.Response); ok {
		dropped := c.cancelled[r.ID]
		delete(c.open, r.ID)
		select {
		case c.answered <- struct{}{}:
		default: // there is one already
		}
		delete(c.cancelled, r.ID)
		if dropped {
			return nil
		}
	}
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// Close ends reading.
func (c *conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}
