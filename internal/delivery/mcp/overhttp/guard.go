package overhttp

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// guard decides who is answered over HTTP, before anything of a request but its head is read.
type guard struct {
	loopback bool // the server listens on the loopback interface
	token    [sha256.Size]byte
	demands  bool // a token
}

func newGuard(opt *Options, at net.Addr) guard {
	return guard{loopback: onLoopback(at), token: sha256.Sum256([]byte(opt.Token)), demands: opt.Token != ""}
}

// refusal is why a request is not answered.
type refusal struct {
	status, code int
	message      string
}

// check looks at the head of a request; nil lets it pass.
//
// A page in a browser can send requests to the loopback interface. Names are checked because such a page can have the name of its
// own server lead there (DNS rebinding), and then the browser takes the answer for the page's; origins because
// it can send without reading the answer.
func (g *guard) check(r *http.Request) *refusal {
	if g.loopback && !isLoopbackName(r.Host) {
		return &refusal{http.StatusForbidden, jsonrpc.CodeInvalidRequest, "the Host header names another server than this one on the loopback interface"}
	}
	if !sameOrigin(r) {
		return &refusal{http.StatusForbidden, jsonrpc.CodeInvalidRequest, "pages of other origins are not answered"}
	}
	if r.URL.Path != endpoint {
		return &refusal{http.StatusNotFound, jsonrpc.CodeInvalidRequest, "there is nothing here; the endpoint is " + endpoint}
	}
	if g.demands && !g.bears(r) {
		return &refusal{http.StatusUnauthorized, jsonrpc.CodeInvalidRequest, "the token in the Authorization header is missing or wrong"}
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

// sameOrigin reports whether a request comes from no page, or from one of this server, which has pages only through a proxy
// of the user's.
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

// bears reports whether a request has the token. Hashes are compared, in constant time, so that
// neither the token nor its length can be found out by measuring.
func (g *guard) bears(r *http.Request) bool {
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}
