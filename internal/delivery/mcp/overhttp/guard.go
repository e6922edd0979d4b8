package overhttp

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// requestGuard decides by the head of an HTTP request whether it is answered.
type requestGuard struct {
	loopback bool // the server listens on the loopback interface
	token    [sha256.Size]byte
	demands  bool // a token
}

func newGuard(opt *Options, at net.Addr) requestGuard {
	return requestGuard{loopback: onLoopback(at), token: sha256.Sum256([]byte(opt.Token)), demands: opt.Token != ""}
}

// refusal is the reason why a request is not answered.
type refusal struct {
	status, code int
	message      string
}

// check looks at the head of a request; nil lets it pass.
//
// A page in a browser can send requests to the loopback interface. Names are checked because such a page can have the name of its
// own server lead there (DNS rebinding), and then the browser takes the answer for the page's; origins because
// it can send without reading the answer.
func (g *requestGuard) check(r *http.Request) *refusal {
	if g.loopback && !isLoopbackName(r.Host) {
		return &refusal{http.StatusForbidden, jsonrpc.CodeInvalidRequest, "the Host header names another server than this one on the loopback interface"}
	}
	if !sameOrigin(r) {
		return &refusal{http.StatusForbidden, jsonrpc.CodeInvalidRequest, "pages of other origins are not answered"}
	}
	if r.URL.Path != endpoint {
		return &refusal{http.StatusNotFound, jsonrpc.CodeInvalidRequest, "there is nothing here; the endpoint is " + endpoint}
	}
	if g.demands && !g.hasToken(r) {
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

// isLoopbackName reports whether a Host header, with or without a port, names the loopback interface.
func isLoopbackName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		name = host[1 : len(host)-1]
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// sameOrigin reports whether a request comes from no web page, or from a page of this server, which it has only through a
// proxy of the user.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 {
		return false
	}
	web := u.Scheme == "http" || u.Scheme == "https"
	return web && strings.EqualFold(u.Host, r.Host)
}

// hasToken reports whether a request has the token. It compares hashes, in constant time, so
// that measuring reveals neither the token nor its length.
func (g *requestGuard) hasToken(r *http.Request) bool {
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}
