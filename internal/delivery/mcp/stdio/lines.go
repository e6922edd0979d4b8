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

// Lines is the connection over standard input and output, of one message a line. Unlike the library's, it answers a line that is
// no message with an error and goes on, because one bad line is no reason to lose a session,
// and it sends nothing more about a call that was cancelled. It has two sessions of the library: messages that name their
// revision, as those of revisions without sessions do, are not those of the session that initialize begins, and
// the library mixes them up on one connection, so that initialize was refused after such a message.
type Lines struct {
	Session *Conn         // of messages that belong to the session
	Single  *Conn         // of those that name their revision
	Ended   chan struct{} // closed when there is nothing more to read
	Rooted  func()        // called when the client has named its roots; may be nil
	roots   Roots

	mu       sync.Mutex // guards the fields below
	out      io.Writer
	open     map[jsonrpc.ID]*pending // calls that were not answered yet
	answered chan struct{}           // closed, and replaced, when one was
	revision string                  // that initialize agreed on
}

// pending is a call that was not answered yet.
type pending struct {
	to         *Conn
	cancelled  bool
	initialize bool
	lasting    bool   // it is answered when the client ends it, and not waited for
	batch      *batch // that it is one of, nil if none
}

// Roots asks the client for the directories that it works in; scope.Scope is one.
type Roots interface {
	// See looks at a message of the client. It returns the line of a question that is to be sent, nil if there is none.
	See(method string, params json.RawMessage) []byte
	// Take takes an answer, and reports whether it is one to such a question.
	Take(asked any, result json.RawMessage) bool
}

// New makes the connection that answers on out.
func New(out io.Writer, r Roots) *Lines {
	l := &Lines{roots: r, Ended: make(chan struct{}), out: out, open: map[jsonrpc.ID]*pending{}, answered: make(chan struct{})}
	l.Session, l.Single = newConn(l), newConn(l)
	return l
}

// Read takes messages until the input ends. A read that waits cannot be broken off, so that after the
// sessions ended it may go on until the process ends, which is next.
func (l *Lines) Read(in io.Reader) {
	defer close(l.Ended)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLong):
			l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the message is too long")
			continue
		case len(bytes.TrimSpace(line)) > 0:
			l.take(line)
		}
		l.room()
		if err != nil {
			return
		}
	}
}

// maxOpen is how many calls are answered at once. More are not read before one of them is, so that a client that asks and does not
// read cannot make the server hold any number of answers.
const maxOpen = 64

// room waits until a further call may be taken.
func (l *Lines) room() {
	for {
		open, answered := l.waiting()
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

// readLine reads a line; of one that is too long it returns errLong after its end. At the end of the
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

// take hands a line's message to its session, or answers an invalid line with an error.
func (l *Lines) take(line []byte) {
	switch {
	case !json.Valid(line):
		l.refuse(jsonrpc.ID{}, jsonrpc.CodeParseError, "the line is not valid JSON")
		return
	case wire.IsBatch(line):
		l.takeBatch(line)
		return
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		l.refuse(wire.ID(line), jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message")
		return
	}
	to := l.Session
	if wire.NamesRevision(line) {
		to = l.Single
	}
	r, ok := m.(*jsonrpc.Request)
	switch {
	case ok && r.IsCall():
		if !l.note(r, &pending{to: to}) {
			l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "a call with this id is not answered yet")
			return
		}
	case ok && r.Method == "notifications/cancelled":
		if of := l.cancel(r); of != nil {
			to = of
		}
	}
	l.dispatch(m, to)
}

// dispatch gives a session a message. A message about the client's roots is seen first, and an answer about those goes no further.
func (l *Lines) dispatch(m jsonrpc.Message, to *Conn) {
	switch m := m.(type) {
	case *jsonrpc.Request:
		if question := l.roots.See(m.Method, m.Params); question != nil {
			l.WriteLine(question)
		}
	case *jsonrpc.Response:
		if l.roots.Take(m.ID.Raw(), m.Result) {
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

// note remembers a call; it reports whether none of its id is open.
func (l *Lines) note(r *jsonrpc.Request, p *pending) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[r.ID] != nil {
		return false
	}
	p.initialize, p.lasting = r.Method == "initialize", r.Method == "subscriptions/listen"
	l.open[r.ID] = p
	return true
}

// cancel remembers that a call was cancelled and returns the session that it is of, nil if there is none.
func (l *Lines) cancel(r *jsonrpc.Request) *Conn {
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

// refuse answers an invalid message. A failed write is noticed with the next answer.
func (l *Lines) refuse(id jsonrpc.ID, code int, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.send(wire.ErrorLine(id, code, message))
}

// WriteLine writes a line that the server sends of its own accord.
func (l *Lines) WriteLine(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Write(line) // that it cannot be written is noticed with the next answer
}

// send writes a line. l.mu is held.
func (l *Lines) send(line []byte) error {
	_, err := l.out.Write(append(line, '\n'))
	return err
}

// waiting returns how many calls are not answered yet, and a channel that is closed when one is.
func (l *Lines) waiting() (open int, answered <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.open {
		if !p.lasting {
			open++
		}
	}
	return open, l.answered
}

// encodeLine is a message as it is sent. One that cannot be encoded is answered with an error in its place, because without an answer
// the client waits for ever.
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
func (l *Lines) write(m jsonrpc.Message) error {
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
		l.agree(r)
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

// agree remembers the revision of an answer to initialize. l.mu is held.
func (l *Lines) agree(r *jsonrpc.Response) {
	var result struct{ ProtocolVersion string }
	if r.Error == nil && json.Unmarshal(r.Result, &result) == nil {
		l.revision = result.ProtocolVersion
	}
}
