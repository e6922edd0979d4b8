package stdio

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ken/internal/delivery/mcp/wire"
)

// batch gathers the answers to several messages that came in one line. Only the revision 2025-03-26 has batches.
type batch struct {
	left    int // calls that are not answered yet
	answers [][]byte
}

// takeAnswer adds an answer. After the last one it returns the joined answer, nil if there is none to send.
func (b *batch) takeAnswer(line []byte, cancelled bool) []byte {
	b.left--
	if !cancelled {
		b.answers = append(b.answers, line)
	}
	return b.joinedAnswer()
}

func (b *batch) joinedAnswer() []byte {
	if b.left > 0 || len(b.answers) == 0 {
		return nil
	}
	return append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']')
}

// handleBatch hands the messages of a batch to the session. All calls are recorded first, because the first could be answered
// before the last is read.
func (l *Connection) handleBatch(line []byte) {
	l.mu.Lock()
	revision := l.revision
	l.mu.Unlock()
	all, refused := wire.SplitBatch(line)
	if revision != wire.WithBatches {
		refused = wire.BatchRefusal()
	}
	if refused != "" {
		l.answerInvalid(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, refused)
		return
	}
	b := &batch{}
	var messages []jsonrpc.Message
	l.mu.Lock()
	for _, raw := range all {
		if m := l.recordBatched(raw, b); m != nil {
			messages = append(messages, m)
		}
	}
	if line := b.joinedAnswer(); line != nil { // there is nothing to wait for
		l.send(line)
	}
	l.mu.Unlock()
	for _, m := range messages {
		if r, ok := m.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
			l.cancelCall(r)
		}
		l.dispatch(m, l.Session)
	}
}

// recordBatched records a message of a batch and returns it; an invalid one gets an error in the batch's answer. l.mu is held.
func (l *Connection) recordBatched(raw json.RawMessage, b *batch) jsonrpc.Message {
	no := func(message string) jsonrpc.Message {
		b.answers = append(b.answers, wire.ErrorLine(wire.ID(raw), jsonrpc.CodeInvalidRequest, message))
		return nil
	}
	m, err := jsonrpc.DecodeMessage(raw)
	switch {
	case err != nil:
		return no("not a JSON-RPC 2.0 message")
	case wire.HasRevision(raw):
		return no("a message that names its revision cannot be in a batch")
	}
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return m
	}
	if l.open[r.ID] != nil {
		return no("a call with this id is not answered yet")
	}
	l.open[r.ID] = &pendingCall{to: l.Session, batch: b}
	b.left++
	return m
}
