package httpfront

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// places is a listener that bounds the number of connections. Programs that only connect must not be able to keep others out: at most half
// of the places go to connections whose client has not shown that it may ask, and a new connection takes the place of one that does
// nothing, so that no request waits for a place.
type places struct {
	net.Listener
	limits *Limits

	mu   sync.Mutex // guards open and the fields of its places
	open map[*Place]bool
}

func newPlaces(l net.Listener, limits *Limits) *places {
	return &places{Listener: l, limits: limits, open: map[*Place]bool{}}
}

// Activity is the present activity of a connection. When no place is free, connections with the smallest are closed first; working ones
// are not closed.
type Activity int

// The activities.
const (
	Refused   Activity = iota // its request is refused: it waits until the client has read the reason
	Waiting                   // for a request or a part of one
	Listening                 // a stream of notifications that a client keeps open
	Working                   // on an answer
)

// Place is an open connection.
type Place struct {
	net.Conn
	among *places
	end   func() error // closes the connection, once

	// proven is set if the client has shown the token or, where none is demanded, has been answered a valid request.
	proven bool
	doing  Activity
	since  time.Time
	// sending is the number of writes that are not done. A stream's are made beside those of its request.
	sending int
}

// dispensable reports whether the connection may be closed for another.
func (c *Place) dispensable() bool { return c.doing != Working || c.sending > 0 }

// Accept returns the next connection for which there is a place. Others are closed.
func (p *places) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err != nil {
			return nil, err
		}
		one := &Place{Conn: c, among: p, doing: Waiting, since: time.Now()}
		one.end = sync.OnceValue(func() error {
			p.mu.Lock()
			delete(p.open, one)
			p.mu.Unlock()
			return c.Close()
		})
		if p.admit(one) {
			return one, nil
		}
		c.Close()
	}
}

// admit gives a connection a place, if necessary that of another. It reports false if all others are working.
func (p *places) admit(one *Place) bool {
	p.mu.Lock()
	unproven := 0
	for c := range p.open {
		if !c.proven && c.dispensable() {
			unproven++
		}
	}
	var leaves *Place
	full := len(p.open) >= p.limits.Connections
	if many := unproven >= p.limits.Connections/2; many || full {
		for c := range p.open {
			switch {
			case !c.dispensable(), many && c.proven:
			case leaves == nil, c.before(leaves):
				leaves = c
			}
		}
		if leaves == nil {
			p.mu.Unlock()
			return false
		}
	}
	p.open[one] = true
	p.mu.Unlock()
	if leaves != nil {
		leaves.end()
	}
	return true
}

// before reports whether c loses its place before other does.
func (c *Place) before(other *Place) bool {
	switch {
	case c.proven != other.proven:
		return other.proven
	case c.doing != other.doing:
		return c.doing < other.doing
	}
	return c.since.Before(other.since)
}

// Begin notes a new activity.
func (c *Place) Begin(a Activity) {
	c.among.mu.Lock()
	defer c.among.mu.Unlock()
	c.doing, c.since = a, time.Now()
}

// Prove notes that the client has shown that it may ask.
func (c *Place) Prove() {
	c.among.mu.Lock()
	defer c.among.mu.Unlock()
	c.proven = true
}

// Write sends bytes. While a client does not take them, its connection may be closed for another.
func (c *Place) Write(b []byte) (int, error) {
	c.countSending(1)
	defer c.countSending(-1)
	return c.Conn.Write(b)
}

func (c *Place) countSending(n int) {
	c.among.mu.Lock()
	defer c.among.mu.Unlock()
	c.sending += n
	c.since = time.Now()
}

// CloseWrite ends sending. The server calls it before it closes a connection with unread data, because the client would lose the answer
// otherwise.
func (c *Place) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// Close ends the connection: after a refusal a moment later, so that the client can read it, and without reading what it sends.
func (c *Place) Close() error {
	c.among.mu.Lock()
	late := c.doing == Refused
	c.among.mu.Unlock()
	if !late {
		return c.end()
	}
	time.AfterFunc(c.among.limits.Linger, func() { c.end() })
	return c.CloseWrite()
}

// onState notes that a connection begins to send a request, or has been answered.
func (p *places) onState(c net.Conn, s http.ConnState) {
	if one, ok := c.(*Place); ok && (s == http.StateActive || s == http.StateIdle) {
		one.Begin(Waiting)
	}
}

type placeKey struct{}

func withPlace(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, placeKey{}, c)
}

// RequestPlace returns the connection of a request that Serve takes.
func RequestPlace(r *http.Request) *Place { return r.Context().Value(placeKey{}).(*Place) }
