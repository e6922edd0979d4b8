// Package stdio reads and writes messages of the Model Context Protocol over standard input and output: lines.go takes them, conn.go
// hands them to the library, batch.go is for several that come as one. delivery/mcp makes the answers; the neighbour overhttp does the
// same over HTTP.
package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ken/internal/delivery/mcp/wire"
)

// Connection is the connection over standard input and output, with one message on a line. Unlike the library's, it answers an
// invalid line with an error and goes on, because one bad line is no reason to lose a session, and it sends nothing more about a
// cancelled call. It has two sessions of the library, one for messages that name their revision and one that initialize begins.
// On a single connection the library mixes them up and refuses initialize after such a message.
type Connection struct {
	Session *Conn         // of messages that belong to the session
	Single  *Conn         // of those that name their revision
	Ended   chan struct{} // closed when there is nothing more to read
	Rooted  func()        // called when the client has named its roots; may be nil
	roots   Roots

	mu       sync.Mutex // guards the fields below
	out      io.Writer
	open     map[jsonrpc.ID]*pendingCall // calls that were not answered yet
	answered chan struct{}               // closed, and replaced, when one was
	revision string                      // that initialize agreed on
}

// pendingCall is a call that is not answered yet.
type pendingCall struct {
	to         *Conn
	cancelled  bool
	initialize bool
	lasting    bool   // it is answered when the client ends it, and not waited for
	batch      *batch // that it is one of, nil if none
}

// Roots asks the client for the directories that it works in; scope.Scope is one.
type Roots interface {
	// ObserveMessage looks at a message of the client. It returns the line of a question that is to be sent, nil if there is none.
	ObserveMessage(method string, params json.RawMessage) []byte
	// TakeRootsAnswer takes an answer, and reports whether it is one to such a question.
	TakeRootsAnswer(asked any, result json.RawMessage) bool
}

// New makes the connection that answers on out.
func New(out io.Writer, r Roots) *Connection {
	l := &Connection{roots: r, Ended: make(chan struct{}), out: out, open: map[jsonrpc.ID]*pendingCall{}, answered: make(chan struct{})}
	l.Session, l.Single = newConn(l), newConn(l)
	return l
}

// Read handles messages until the input ends. A blocked read cannot be interrupted, so it may go on
// after the sessions have ended until the process ends.
func (l *Connection) Read(in io.Reader) {
	defer close(l.Ended)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLong):
			l.answerInvalid(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the message is too long")
			continue
		case len(bytes.TrimSpace(line)) > 0:
			l.handleLine(line)
		}
		l.waitForRoom()
		if err != nil {
			return
		}
	}
}

// maxOpen is the number of calls that are answered at once. No more are read until one ends, so that a client that does not read
// answers cannot make the server hold any number of them.
const maxOpen = 64

// waitForRoom waits until a further call may be read.
func (l *Connection) waitForRoom() {
	for {
		open, answered := l.openCalls()
		if open < maxOpen {
			return
		}
		select {
		case <-answered:
		case <-l.Session.closed:
			return
		}
	}
}

var errLong = errors.New("line too long")

// readLine reads a line. If it is too long, it skips the line and returns errLong. At the end of the
// input it returns the rest with the error.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > wire.MaxMessage {
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

// handleLine hands the message in a line to its session, or answers an invalid line with an error.
func (l *Connection) handleLine(line []byte) {
	switch {
	case !json.Valid(line):
		l.answerInvalid(jsonrpc.ID{}, jsonrpc.CodeParseError, "the line is not valid JSON")
		return
	case wire.IsBatch(line):
		l.handleBatch(line)
		return
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		l.answerInvalid(wire.ID(line), jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message")
		return
	}
	to := l.Session
	if wire.HasRevision(line) {
		to = l.Single
	}
	r, ok := m.(*jsonrpc.Request)
	switch {
	case ok && r.IsCall():
		if !l.recordCall(r, &pendingCall{to: to}) {
			l.answerInvalid(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "a call with this id is not answered yet")
			return
		}
	case ok && r.Method == "notifications/cancelled":
		if of := l.cancelCall(r); of != nil {
			to = of
		}
	}
	l.dispatch(m, to)
}

// dispatch gives a message to a session. Messages about the client's roots are observed first, and answers about them are not passed on.
func (l *Connection) dispatch(m jsonrpc.Message, to *Conn) {
	switch m := m.(type) {
	case *jsonrpc.Request:
		if question := l.roots.ObserveMessage(m.Method, m.Params); question != nil {
			l.WriteLine(question)
		}
	case *jsonrpc.Response:
		if l.roots.TakeRootsAnswer(m.ID.Raw(), m.Result) {
			if l.Rooted != nil {
				l.Rooted()
			}
			return
		}
	}
	select {
	case to.in <- m:
	case <-to.closed:
	}
}

// recordCall records a call as pending; it reports false if one with the same id is pending.
func (l *Connection) recordCall(r *jsonrpc.Request, p *pendingCall) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[r.ID] != nil {
		return false
	}
	p.initialize, p.lasting = r.Method == "initialize", r.Method == "subscriptions/listen"
	l.open[r.ID] = p
	return true
}

// cancelCall marks a call as cancelled and returns its session, nil if there is no such call.
func (l *Connection) cancelCall(r *jsonrpc.Request) *Conn {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &p) != nil {
		return nil
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	call := l.open[id]
	if call == nil {
		return nil
	}
	call.cancelled = true
	return call.to
}

// answerInvalid answers an invalid message with an error. A failed write is noticed with the next answer.
func (l *Connection) answerInvalid(id jsonrpc.ID, code int, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.send(wire.ErrorLine(id, code, message))
}

// WriteLine writes a line that is no answer to a call.
func (l *Connection) WriteLine(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Write(line) // that it cannot be written is noticed with the next answer
}

// send writes a line. l.mu is held.
func (l *Connection) send(line []byte) error {
	_, err := l.out.Write(append(line, '\n'))
	return err
}

// openCalls returns the number of pending calls, and a channel that is closed when one is answered.
func (l *Connection) openCalls() (open int, answered <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.open {
		if !p.lasting {
			open++
		}
	}
	return open, l.answered
}

// encodeLine encodes a message for sending. If that fails it encodes an error instead, because without an answer the client waits for
// ever.
func encodeLine(m jsonrpc.Message) ([]byte, error) {
	line, err := jsonrpc.EncodeMessage(m)
	if r, ok := m.(*jsonrpc.Response); ok && err != nil {
		return jsonrpc.EncodeMessage(&jsonrpc.Response{
			ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the answer cannot be sent: " + err.Error()},
		})
	}
	return line, err
}

// write sends a message of a session.
func (l *Connection) write(m jsonrpc.Message) error {
	line, err := encodeLine(m)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return l.send(line)
	}
	call := l.open[r.ID]
	if call == nil {
		return l.send(line)
	}
	defer func() {
		delete(l.open, r.ID)
		close(l.answered)
		l.answered = make(chan struct{})
	}()
	if call.initialize {
		l.rememberRevision(r)
	}
	switch {
	case call.batch != nil:
		if all := call.batch.takeAnswer(line, call.cancelled); all != nil {
			return l.send(all)
		}
		return nil
	case call.cancelled:
		return nil
	}
	return l.send(line)
}

// rememberRevision stores the protocol revision in an answer to initialize. l.mu is held.
func (l *Connection) rememberRevision(r *jsonrpc.Response) {
	var result struct{ ProtocolVersion string }
	if r.Error == nil && json.Unmarshal(r.Result, &result) == nil {
		l.revision = result.ProtocolVersion
	}
}
