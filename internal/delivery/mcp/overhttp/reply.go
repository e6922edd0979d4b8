package overhttp

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ken/internal/delivery/httpfront"
	"ken/internal/delivery/mcp/wire"
)

// reply writes an answer over HTTP. It drops a client that does not read for a time, so that it holds nothing for ever.
// Errors that the library writes as text become errors of JSON-RPC, because clients read nothing else.
type reply struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration // for each piece
	place   *httpfront.Place
	sent    bool       // the status
	id      jsonrpc.ID // of the message that is answered, if it has one
	status  int        // of an error that is text, 0 if there is none
	text    bytes.Buffer
}

func newReply(w http.ResponseWriter, timeout time.Duration, place *httpfront.Place) *reply {
	return &reply{ResponseWriter: w, control: http.NewResponseController(w), timeout: timeout, place: place}
}

// Unwrap lets the library flush the buffer.
func (r *reply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader sends the status, unless it belongs to an error text that the library is going to write.
func (r *reply) WriteHeader(status int) {
	if status >= http.StatusBadRequest && !strings.HasPrefix(r.Header().Get("Content-Type"), "application/json") {
		r.status = status
		return
	}
	r.sent = true
	if status < http.StatusBadRequest {
		r.place.Prove()
	}
	r.control.SetWriteDeadline(time.Now().Add(r.timeout))
	r.ResponseWriter.WriteHeader(status)
}

// Write sends a piece of the answer.
func (r *reply) Write(b []byte) (int, error) {
	if r.status != 0 {
		return r.text.Write(b)
	}
	if !r.sent {
		r.WriteHeader(http.StatusOK)
	}
	r.control.SetWriteDeadline(time.Now().Add(r.timeout))
	return r.ResponseWriter.Write(b)
}

// refuse answers with an error.
func (r *reply) refuse(no *refusal) {
	switch no.status {
	case http.StatusUnauthorized:
		r.Header().Set("WWW-Authenticate", `Bearer realm="ken"`)
	case http.StatusMethodNotAllowed:
		if r.Header().Get("Allow") == "" {
			r.Header().Set("Allow", "POST, GET, DELETE")
		}
	}
	r.Header().Set("Content-Type", "application/json")
	r.status = 0
	r.WriteHeader(no.status)
	r.Write(wire.ErrorLine(r.id, no.code, no.message)) // a client that is gone is none of ours
}

// refuseAndClose answers with an error and closes the connection, without reading what is left of the request. The server reads a part of
// what is left before it closes, without a deadline of its own, so it gets one that is over.
func (r *reply) refuseAndClose(no *refusal) {
	r.place.Begin(httpfront.Refused)
	r.control.SetReadDeadline(time.Unix(1, 0))
	r.Header().Set("Connection", "close")
	r.refuse(no)
}

// maxQuoted is the length of the shown beginning of the library's error text, which may quote a header.
const maxQuoted = 500

// finish sends the error text of the library as an error of JSON-RPC.
func (r *reply) finish() {
	if r.status != 0 {
		text := strings.TrimSpace(r.text.String())
		r.refuse(&refusal{r.status, jsonrpc.CodeInvalidRequest, strings.ToValidUTF8(text[:min(len(text), maxQuoted)], "\uFFFD")})
	}
}
