package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"ken/internal/operation"
)

const (
	pollChanges = 3 * time.Second  // where the tree cannot be followed
	pollRarely  = 4                // of these polls one is made where it is followed, because following may have begun after a change
	keepAlive   = 15 * time.Second // between lines of a stream on which nothing happens
)

// changes tells open pages which revision the index has.
type changes struct {
	mu       sync.Mutex // guards the fields below
	revision int64
	changed  chan struct{} // closed at the next change, nil if no page waits
}

// follow keeps the revision up to date until ctx ends. While no page is open nothing is asked.
func (c *changes) follow(ctx context.Context, s *asker, hasClients func() bool) {
	settled := make(chan struct{}, 1)
	p, err := s.open(s.dir, operation.Existing)
	if err != nil {
		return // pages are loaded by hand then
	}
	defer p.Engine.OnSettled(func() {
		select {
		case settled <- struct{}{}:
		default:
		}
	})()
	poll := time.NewTicker(pollChanges)
	defer poll.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-settled:
		case <-poll.C:
			n++
			if !hasClients() || p.Engine.IsFollowed() && n%pollRarely != 0 {
				continue
			}
		}
		var state struct {
			Revision int64 `json:"revision"`
		}
		if a := s.ask(ctx, newQuestion("status", "limit", "1"), &state); !a.Failed() {
			c.set(state.Revision)
		}
	}
}

// set notes a revision and wakes the streams if it is another one.
func (c *changes) set(revision int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if revision == c.revision {
		return
	}
	c.revision = revision
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// wait returns the revision, and a channel that is closed at the next change.
func (c *changes) wait() (int64, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.revision, c.changed
}

// serve writes a stream of events: the revision now, if it is known, and each later one.
func (c *changes) serve(w http.ResponseWriter, r *http.Request, timeout time.Duration) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	sent := int64(0)
	for {
		revision, changed := c.wait()
		line := ": still there\n\n"
		if revision != sent {
			line = fmt.Sprintf("event: revision\ndata: %d\n\n", revision)
			sent = revision
		}
		control.SetWriteDeadline(time.Now().Add(timeout))
		if _, err := fmt.Fprint(w, line); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-alive.C:
		}
	}
}
