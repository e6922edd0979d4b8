package httpfront

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Guard decides by the head of an HTTP request whether it is answered.
type Guard struct {
	loopback bool // the server listens on the loopback interface
	token    [sha256.Size]byte
	demands  bool // a token
}

// NewGuard returns the guard of a server that listens at an address. Without a token it demands none.
func NewGuard(token string, at net.Addr) Guard {
	return Guard{loopback: OnLoopback(at), token: sha256.Sum256([]byte(token)), demands: token != ""}
}

// Demands reports whether requests have to carry a token.
func (g *Guard) Demands() bool { return g.demands }

// CheckOrigin returns the reason why a request is not answered, whatever it asks for; "" lets it pass. The status is 403 then.
//
// A page in a browser can send requests to the loopback interface. Names are checked because such a page can have the name of its
// own server lead there (DNS rebinding), and then the browser takes the answer for the page's; origins because
// it can send without reading the answer.
func (g *Guard) CheckOrigin(r *http.Request) string {
	if g.loopback && !isLoopbackName(r.Host) {
		return "the Host header names another server than this one on the loopback interface"
	}
	if !sameOrigin(r) {
		return "pages of other origins are not answered"
	}
	return ""
}

// HasBearer reports whether a request has the token in its Authorization header.
func (g *Guard) HasBearer(r *http.Request) bool {
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	return g.IsToken(strings.TrimSpace(token)) && strings.EqualFold(scheme, "Bearer")
}

// IsToken reports whether a text is the token. It compares hashes, in constant time, so that measuring reveals neither the token nor
// its length.
func (g *Guard) IsToken(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return g.demands && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
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
