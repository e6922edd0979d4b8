package overhttp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions bounds the number of clients with a session over HTTP. A killed client sends nothing, so that its session is only known by not
// being used: when there are too many, the one that was used longest ago ends, and a client that still lives begins another, as the
// protocol has it.
type sessions struct {
	server *mcp.Server

	mu      sync.Mutex // guards the fields below
	used    map[string]*sessionUse
	begun   int             // that are not there yet
	leaving map[string]bool // that were ended and may still be closing
	closing sync.WaitGroup
}

// sessionUse is how a session is used.
type sessionUse struct {
	requests int // that are being answered
	last     time.Time
	over     context.Context // ends with the session; its calls end with it
	end      context.CancelFunc
}

func newUse() *sessionUse {
	u := &sessionUse{last: time.Now()}
	u.over, u.end = context.WithCancel(context.Background())
	return u
}

func newSessions(server *mcp.Server) *sessions {
	return &sessions{server: server, used: map[string]*sessionUse{}, leaving: map[string]bool{}}
}

// open are the sessions that there are.
func (s *sessions) open() map[string]*mcp.ServerSession {
	out := map[string]*mcp.ServerSession{}
	for one := range s.server.Sessions() {
		if id := one.ID(); id != "" { // requests without a session have one for themselves
			out[id] = one
		}
	}
	return out
}

// use notes that a session is used until done is called; revision is the one that it began with, "" if there is no such session.
func (s *sessions) use(id string) (revision string, done func()) {
	one := s.open()[id]
	if one == nil {
		return "", func() {}
	}
	if p := one.InitializeParams(); p != nil {
		revision = p.ProtocolVersion
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.used[id]
	if u == nil {
		u = newUse()
		s.used[id] = u
	}
	u.requests++
	return revision, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		u.requests--
		u.last = time.Now()
	}
}

// begin makes room for one more session; it reports whether there is. done has to be called when it is there.
func (s *sessions) begin() (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.current()
	if len(open)+s.begun >= maxSessions && !s.evict(open) {
		return func() {}, false
	}
	s.begun++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.begun--
	}, true
}

// current updates the list of sessions and returns those that exist. s.mu is held.
func (s *sessions) current() map[string]*mcp.ServerSession {
	open := s.open()
	for id := range s.leaving {
		if open[id] == nil {
			delete(s.leaving, id)
		}
		delete(open, id)
	}
	for id := range s.used {
		if open[id] == nil {
			s.forget(id)
		}
	}
	for id := range open {
		if s.used[id] == nil {
			s.used[id] = newUse() // it was begun and nothing asked yet
		}
	}
	return open
}

// evict ends the session that was used longest ago; it reports whether there is one that is not in use. s.mu is held.
func (s *sessions) evict(open map[string]*mcp.ServerSession) bool {
	var oldest string
	for id, u := range s.used {
		if u.requests == 0 && (oldest == "" || u.last.Before(s.used[oldest].last)) {
			oldest = id
		}
	}
	if oldest == "" {
		return false
	}
	s.forget(oldest)
	s.leaving[oldest] = true
	s.closing.Go(func() { open[oldest].Close() })
	return true
}

// forget ends the calls of a session, for which the library would wait when it closes it. s.mu is held.
func (s *sessions) forget(id string) {
	if u := s.used[id]; u != nil {
		u.end()
		delete(s.used, id)
	}
}

// leave ends the calls of a session that its client ends.
func (s *sessions) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(id)
}

// until is a context that ends with ctx and with the session of an id.
func (s *sessions) until(ctx context.Context, id string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.used[id]
	if u == nil {
		return ctx, cancel
	}
	stop := context.AfterFunc(u.over, cancel)
	return ctx, func() { stop(); cancel() }
}

// end ends all sessions, and waits for that until ctx ends.
func (s *sessions) end(ctx context.Context) {
	s.mu.Lock()
	for id := range s.used {
		s.forget(id)
	}
	s.mu.Unlock()
	for _, one := range s.open() {
		s.closing.Go(func() { one.Close() })
	}
	ended := make(chan struct{})
	go func() {
		s.closing.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done(): // a call does not end: the process does
	}
}
