package mcp

import (
	"context"
	"crypto/sha256"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/operation"
)

const (
	// maxSubscriptions is the number of resources that are subscribed to at once: each is made anew after a change of the tree.
	maxSubscriptions = 64
	// pollSubscribed is the interval at which resources are made anew where the tree cannot be followed.
	pollSubscribed = 5 * time.Second
)

// subscriptions are the resources that clients subscribed to. After a change of the tree each is made anew, and its clients are told if
// its text is another one.
type subscriptions struct {
	s       *Server
	server  *mcp.Server
	changed chan struct{} // has an entry if the tree has changed since the texts were compared

	mu    sync.Mutex // guards the fields below
	texts map[string]*subscribedText
	began bool
}

// subscribedText is a resource with its clients and the hash of the text that they know.
type subscribedText struct {
	of      *resource
	value   string
	hash    [sha256.Size]byte
	clients map[*mcp.ServerSession]bool
}

func newSubscriptions(s *Server) *subscriptions {
	return &subscriptions{s: s, changed: make(chan struct{}, 1), texts: map[string]*subscribedText{}}
}

// add subscribes a client to a resource. It fails if there is no such resource, or too many are subscribed to.
func (k *subscriptions) add(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if k.s.Extend != nil && k.s.Extend.Watches(uri) {
		return nil
	}
	of, value := findResource(uri)
	if of == nil {
		return mcp.ResourceNotFoundError(uri)
	}
	text, err := k.s.readResource(ctx, of, value)
	if err != nil {
		return err
	}
	if text == "" {
		return mcp.ResourceNotFoundError(uri)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dropEnded()
	t := k.texts[uri]
	if t == nil {
		if len(k.texts) >= maxSubscriptions {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "too many resources are subscribed to"}
		}
		t = &subscribedText{of: of, value: value, hash: sha256.Sum256([]byte(text)), clients: map[*mcp.ServerSession]bool{}}
		k.texts[uri] = t
	}
	t.clients[req.Session] = true
	if !k.began {
		k.began = true
		k.s.owned.Go(func() { k.run(k.s.running) })
	}
	return nil
}

// remove ends the subscription of a client.
func (k *subscriptions) remove(_ context.Context, req *mcp.UnsubscribeRequest) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t := k.texts[req.Params.URI]; t != nil {
		if delete(t.clients, req.Session); len(t.clients) == 0 {
			delete(k.texts, req.Params.URI)
		}
	}
	return nil
}

// dropEnded drops the clients whose sessions have ended. k.mu is held.
func (k *subscriptions) dropEnded() {
	open := map[*mcp.ServerSession]bool{}
	for one := range k.server.Sessions() {
		open[one] = true
	}
	for uri, t := range k.texts {
		for one := range t.clients {
			if !open[one] {
				delete(t.clients, one)
			}
		}
		if len(t.clients) == 0 {
			delete(k.texts, uri)
		}
	}
}

// run compares the texts after each change until ctx ends.
func (k *subscriptions) run(ctx context.Context) {
	var stop func()
	watched := ""
	poll := time.NewTicker(pollSubscribed)
	defer poll.Stop()
	defer func() {
		if stop != nil {
			stop()
		}
	}()
	for {
		followed := false
		if dir, err := k.s.Scope.ChooseDirectory(ctx, "", nil); err == nil {
			if p, err := k.s.open(dir, operation.Existing); err == nil {
				if followed = p.Engine.IsFollowed(); p.Root != watched {
					if stop != nil {
						stop()
					}
					watched, stop = p.Root, p.Engine.OnSettled(k.noteChange)
				}
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-k.changed:
		case <-poll.C:
			if followed {
				continue
			}
		}
		k.compare(ctx)
	}
}

// noteChange notes that the tree has changed.
func (k *subscriptions) noteChange() {
	select {
	case k.changed <- struct{}{}:
	default:
	}
}

// compare makes the texts anew and notifies the clients of those that differ.
func (k *subscriptions) compare(ctx context.Context) {
	k.mu.Lock()
	k.dropEnded()
	uris := make(map[string]*subscribedText, len(k.texts))
	for uri, t := range k.texts {
		uris[uri] = t
	}
	k.mu.Unlock()
	for uri, t := range uris {
		text, err := k.s.readResource(ctx, t.of, t.value)
		if err != nil {
			continue // it is asked about again after the next change
		}
		hash := sha256.Sum256([]byte(text))
		k.mu.Lock()
		same := t.hash == hash
		t.hash = hash
		k.mu.Unlock()
		if !same {
			_ = k.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it never fails
		}
	}
}

// findResource returns the resource at an address and the rest of the address, nil if there is none.
func findResource(uri string) (of *resource, value string) {
	list := resources()
	for i := range list {
		fixed, _, template := strings.Cut(list[i].uri, "{")
		rest, ok := strings.CutPrefix(uri, fixed)
		if !ok || template == (rest == "") {
			continue
		}
		value, err := url.PathUnescape(rest)
		if err != nil {
			return nil, ""
		}
		return &list[i], value
	}
	return nil, ""
}
