// Package httpfront takes requests over HTTP for the surfaces that have clients there: serve.go listens and ends, guard.go decides by
// the head of a request whether it is answered, places.go bounds the connections. It knows no protocol above HTTP; its neighbours
// delivery/mcp/overhttp and delivery/web, which use it, do.
package httpfront

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"ken/internal/operation"
)

// Limits bound what connections can make the server hold.
type Limits struct {
	Connections      int           // at once
	Head, Body, Idle time.Duration // for the head and the body of a request, and until the next request
	Write            time.Duration // for each piece of an answer
	Linger           time.Duration // for a client to read why it is refused
}

// ServerLimits returns the limits of every server. Timeouts are long, because a client may wait
// for a person, but they end, so that a client that is gone holds nothing for ever.
func ServerLimits() *Limits {
	return &Limits{Connections: 256, Head: 10 * time.Second, Body: time.Minute, Idle: 2 * time.Minute, Write: 30 * time.Second,
		Linger: 500 * time.Millisecond}
}

const (
	maxHeader  = 64 << 10
	endTimeout = 3 * time.Second // for open requests when the server ends
)

// Listen opens a port; address is host:port, and port 0 takes a free one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", operation.Quote(address), err)
	}
	return l, nil
}

// OnLoopback reports whether an address is one of the loopback interface, which other machines do not reach.
func OnLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Serve has a handler answer requests until ctx ends, and closes l. Open requests then get a moment to end; end is called in the same
// moment and may be nil. Requests have ctx as their base. It fails if connections cannot be accepted.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, limits *Limits, end func(context.Context)) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	at := newPlaces(l, limits)
	h := &http.Server{
		Handler: handler, ReadHeaderTimeout: limits.Head, IdleTimeout: limits.Idle, MaxHeaderBytes: maxHeader,
		ConnState: at.onState, ConnContext: withPlace,
		ErrorLog: log.New(io.Discard, "", 0), DisableGeneralOptionsHandler: true,
		BaseContext: func(net.Listener) context.Context { return running },
	}
	var owned sync.WaitGroup
	owned.Go(func() {
		<-running.Done()
		moment, stop := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer stop()
		if h.Shutdown(moment) != nil {
			h.Close() // a client does not read, or has not sent a whole request
		}
		if end != nil {
			end(moment)
		}
	})
	err := h.Serve(at)
	cancel()
	owned.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
