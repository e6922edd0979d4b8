package overhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/httpfront"
	"ken/internal/delivery/mcp/wire"
)

// httpFront handles each HTTP request: it has it checked, reads its message and hands it to the part of the library for its protocol
// revision.
type httpFront struct {
	guard    httpfront.Guard
	limits   *httpfront.Limits
	next     handlers
	sessions *sessions
	large    chan struct{} // has an entry for each large message that is being answered
}

func newHTTPFront(server *mcp.Server, opt *Options, limits *httpfront.Limits, at net.Addr) *httpFront {
	return &httpFront{
		guard: httpfront.NewGuard(opt.Token, at), limits: limits, next: newHandlers(server), sessions: newSessions(server), large: make(chan struct{}, maxLarge),
	}
}

// The headers that the protocol adds.
const (
	revisionHeader = "Mcp-Protocol-Version"
	sessionHeader  = "Mcp-Session-Id"
)

// ServeHTTP answers a request.
func (f *httpFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	place := httpfront.RequestPlace(r)
	out := newReply(w, f.limits.Write, place)
	defer out.finish()
	if no := check(&f.guard, r); no != nil {
		out.refuseAndClose(no)
		return
	}
	if f.guard.Demands() {
		place.Prove()
	}
	var message []byte
	if r.Method == http.MethodPost {
		m, done, no := f.readMessage(out, r)
		defer done()
		if no != nil {
			out.refuseAndClose(no)
			return
		}
		message = m
		out.id = wire.ID(message)
		r.Body = io.NopCloser(bytes.NewReader(message))
	}
	doing := httpfront.Working
	if r.Method == http.MethodGet {
		doing = httpfront.Listening
	}
	place.Begin(doing)
	defer place.Begin(httpfront.Waiting)
	if r.Header.Get(revisionHeader) >= wire.WithoutSessions || wire.HasRevision(message) {
		if wire.IsBatch(message) {
			out.refuse(batchRefusal())
			return
		}
		f.next.single.ServeHTTP(out, r)
		return
	}
	f.inSession(out, r, message)
}

// inSession answers a request of a protocol revision with sessions.
func (f *httpFront) inSession(out *reply, r *http.Request, message []byte) {
	id := r.Header.Get(sessionHeader)
	switch {
	case id != "":
		revision, done := f.sessions.markUsed(id)
		defer done()
		if r.Method == http.MethodDelete {
			f.sessions.endClientCalls(id)
		}
		if no := checkBatch(message, revision, r.Header.Get(revisionHeader)); no != nil {
			out.refuse(no)
			return
		}
	case r.Method != http.MethodPost: // the library answers with the error
	case wire.Method(message) != "initialize":
		out.refuse(&refusal{http.StatusBadRequest, jsonrpc.CodeInvalidRequest,
			"there is no session: begin with initialize, or send the revision with each request as 2026-07-28 has it"})
		return
	default:
		done, ok := f.sessions.reserveSession()
		defer done()
		if !ok {
			out.Header().Set("Retry-After", "10")
			out.refuse(&refusal{http.StatusServiceUnavailable, codeBusy, "too many clients are connected"})
			return
		}
	}
	f.next.sessions.ServeHTTP(out, r)
}

// readMessage reads the message of a request. The caller must call done after answering it.
func (f *httpFront) readMessage(out *reply, r *http.Request) (message []byte, done func(), no *refusal) {
	done = func() {}
	// It holds for this body alone: it is taken back, because a stream of answers may last.
	out.control.SetReadDeadline(time.Now().Add(f.limits.Body))
	defer out.control.SetReadDeadline(time.Time{})
	body := http.MaxBytesReader(out.ResponseWriter, r.Body, wire.MaxMessage)
	message, err := io.ReadAll(io.LimitReader(body, largeBody))
	if len(message) == largeBody && err == nil {
		if !f.waitForMemory(r.Context()) {
			return nil, done, &refusal{http.StatusServiceUnavailable, codeBusy, "too many large messages at once"}
		}
		done = func() { <-f.large }
		rest := bytes.NewBuffer(message)
		_, err = rest.ReadFrom(body)
		message = rest.Bytes()
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		no = &refusal{http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "the message is too long"}
	case err != nil:
		no = &refusal{http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "the message could not be read to its end"}
	case !json.Valid(message):
		no = &refusal{http.StatusBadRequest, jsonrpc.CodeParseError, "the message is not valid JSON"}
	}
	return message, done, no
}

// waitForMemory waits until a large message may be read; it reports false if the request ends before.
func (f *httpFront) waitForMemory(ctx context.Context) bool {
	t := time.NewTimer(f.limits.Head)
	defer t.Stop()
	select {
	case f.large <- struct{}{}:
		return true
	case <-ctx.Done():
	case <-t.C:
	}
	return false
}

func batchRefusal() *refusal {
	return &refusal{http.StatusBadRequest, jsonrpc.CodeInvalidRequest, wire.BatchRefusal()}
}

// checkBatch refuses a batch, unless it belongs to a session of the revision that has batches.
func checkBatch(message []byte, session, request string) *refusal {
	if !wire.IsBatch(message) {
		return nil
	}
	if session != wire.WithBatches || request != "" && request != wire.WithBatches {
		return batchRefusal()
	}
	if _, refused := wire.SplitBatch(message); refused != "" {
		return &refusal{http.StatusBadRequest, jsonrpc.CodeInvalidRequest, refused}
	}
	return nil
}
