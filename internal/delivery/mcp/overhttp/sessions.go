package overhttp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions bounds the number of clients with a session over HTTP. A killed client sends nothing, so its session can only be recognised by
// not being used: when there are too many sessions, the least recently used one ends. If its client is alive, it begins another, as the
// protocol requires.
type sessions struct {
	server *mcp.Server

	mu      sync.Mutex // guards the fields below
	used    map[string]*sessionUse
	begun   int             // that are not there yet
	leaving map[string]bool // that were ended and may still be closing
	closing sync.WaitGroup
}

// sessionUse records the uses of a session.
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

// openSessions returns the existing sessions.
func (s *sessions) openSessions() map[string]*mcp.ServerSession {
	out := map[string]*mcp.ServerSession{}
	for one := range s.server.Sessions() {
		if id := one.ID(); id != "" { // requests without a session have one for themselves
			out[id] = one
		}
	}
	return out
}

// markUsed marks a session as in use until done is called; revision is the protocol revision it began with, "" if there is no such
// session.
func (s *sessions) markUsed(id string) (revision string, done func()) {
	one := s.openSessions()[id]
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

// reserveSession makes room for one more session, and reports whether that is possible. done must be called when the session exists.
func (s *sessions) reserveSession() (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.refreshSessions()
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

// refreshSessions updates the list of sessions and returns those that exist. s.mu is held.
func (s *sessions) refreshSessions() map[string]*mcp.ServerSession {
	open := s.openSessions()
	for id := range s.leaving {
		if open[id] == nil {
			delete(s.leaving, id)
		}
		delete(open, id)
	}
	for id := range s.used {
		if open[id] == nil {
			s.endCalls(id)
		}
	}
	for id := range open {
		if s.used[id] == nil {
			s.used[id] = newUse() // it was begun and nothing asked yet
		}
	}
	return open
}

// evict ends the least recently used session that is not in use; it reports whether there is one. s.mu is held.
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
	s.endCalls(oldest)
	s.leaving[oldest] = true
	s.closing.Go(func() { open[oldest].Close() })
	return true
}

// endCalls ends the calls of a session, because closing it would wait for them. s.mu is held.
func (s *sessions) endCalls(id string) {
	if u := s.used[id]; u != nil {
		u.end()
		delete(s.used, id)
	}
}

// endClientCalls ends the calls of a session that its client ends.
func (s *sessions) endClientCalls(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endCalls(id)
}

// contextUntilEnd returns a context that ends with ctx and with a session.
func (s *sessions) contextUntilEnd(ctx context.Context, id string) (context.Context, context.CancelFunc) {
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

// endAll ends all sessions, and waits for that until ctx ends.
func (s *sessions) endAll(ctx context.Context) {
	s.mu.Lock()
	for id := range s.used {
		s.endCalls(id)
	}
	s.mu.Unlock()
	for _, one := range s.openSessions() {
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
