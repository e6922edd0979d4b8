package stdio

import (
	"context"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Conn is the part of the connection that belongs to one session of the library.
type Conn struct {
	lines  *Connection
	in     chan jsonrpc.Message
	closed chan struct{}
	close  sync.Once
}

func newConn(l *Connection) *Conn {
	return &Conn{lines: l, in: make(chan jsonrpc.Message), closed: make(chan struct{})}
}

// Connect hands the library the connection. Its error is always nil.
func (c *Conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: the process is the session.
func (c *Conn) SessionID() string { return "" }

// Read returns the next message. It fails with io.EOF once the connection is closed, or once the input has ended and all calls are
// answered, and with the error of ctx if that has ended.
func (c *Conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	case m := <-c.in:
		return m, nil
	case <-c.lines.Ended:
		return nil, c.waitForAnswers(ctx)
	}
}

// waitForAnswers waits at the end of the input until all calls are answered, because a script that
// asks on standard input reads its answers afterwards.
func (c *Conn) waitForAnswers(ctx context.Context) error {
	for {
		open, answered := c.lines.openCalls()
		if open == 0 {
			return io.EOF
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-answered:
		}
	}
}

// Write sends a message. It returns the error of the output, or of ctx if that has ended.
func (c *Conn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.lines.write(m)
}

// Close ends reading. Its error is always nil.
func (c *Conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}
