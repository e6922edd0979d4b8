package overhttp

import (
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ken/internal/delivery/httpfront"
)

// refusal is the reason why a request is not answered.
type refusal struct {
	status, code int
	message      string
}

// check looks at the head of a request; nil lets it pass.
func check(g *httpfront.Guard, r *http.Request) *refusal {
	if reason := g.CheckOrigin(r); reason != "" {
		return &refusal{http.StatusForbidden, jsonrpc.CodeInvalidRequest, reason}
	}
	if r.URL.Path != endpoint {
		return &refusal{http.StatusNotFound, jsonrpc.CodeInvalidRequest, "there is nothing here; the endpoint is " + endpoint}
	}
	if g.Demands() && !g.HasBearer(r) {
		return &refusal{http.StatusUnauthorized, jsonrpc.CodeInvalidRequest, "the token in the Authorization header is missing or wrong"}
	}
	return checkMethod(r)
}

// checkMethod refuses methods that the protocol does not have, a body where none belongs, which nothing would read, and one of another
// type than the protocol's.
func checkMethod(r *http.Request) *refusal {
	switch r.Method {
	case http.MethodPost:
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			return &refusal{http.StatusUnsupportedMediaType, jsonrpc.CodeInvalidRequest, "the Content-Type has to be application/json"}
		}
	case http.MethodGet, http.MethodDelete:
		if r.ContentLength != 0 {
			return &refusal{http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "a message is sent with POST"}
		}
	default:
		return &refusal{http.StatusMethodNotAllowed, jsonrpc.CodeInvalidRequest, "only POST, GET and DELETE are answered"}
	}
	return nil
}
