// Package overhttp answers the Model Context Protocol over streamable HTTP: guard.go decides which requests are answered,
// front.go takes each request and hands it to the library, places.go bounds the connections and sessions.go the sessions, reply.go
// writes. delivery/mcp makes the answers; the neighbour stdio does the same over standard input and output.
package overhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/code"
	"ken/internal/delivery/mcp/wire"
	"ken/internal/operation"
)

// Options are the address of a server and the clients that it answers.
type Options struct {
	// Address is host:port; port 0 takes a free one.
	Address string
	// Token has to come with each request; "" demands none, which only an address of the loopback
	// interface may.
	Token string
	// Listening is called with the address of the endpoint once requests are taken; may be nil.
	Listening func(url string)

	limits *limits // nil for those of every server; tests have shorter ones
}

// limits bound what connections can make the server hold.
type limits struct {
	connections      int           // at once
	head, body, idle time.Duration // for the head and the body of a request, and until the next request
	write            time.Duration // for each piece of an answer
	linger           time.Duration // for a client to read why it is refused
}

// serverLimits returns the limits. Timeouts are long, because a client may wait
// for a person, but they end, so that a client that is gone holds nothing for ever.
func serverLimits() *limits {
	return &limits{connections: 256, head: 10 * time.Second, body: time.Minute, idle: 2 * time.Minute, write: 30 * time.Second,
		linger: 500 * time.Millisecond}
}

// endpoint is the only path that is answered.
const endpoint = "/mcp"

// Limits for the resources that clients can make the server hold, beside those of connections.
const (
	maxSessions = 128
	maxCalls    = 128 // that run at once
	maxLarge    = 4   // messages of more than largeBody that are read at once
	largeBody   = 1 << 20
	maxHeader   = 64 << 10
	endTimeout  = 3 * time.Second // for open requests when the server ends
)

// Serve answers over streamable HTTP until ctx ends, with sessions and without, as each request is made. The server is made with
// a context that its calls end with. It fails if the address cannot be listened on or the server cannot be made.
func Serve(ctx context.Context, make func(context.Context) (*mcp.Server, error), opt *Options) error {
	l, err := listen(ctx, opt)
	if err != nil {
		return err
	}
	defer l.Close()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := make(running)
	if err != nil {
		return err
	}
	limits := opt.limits
	if limits == nil {
		limits = serverLimits()
	}
	f := newHTTPFront(server, opt, limits, l.Addr())
	server.AddReceivingMiddleware(limitCalls(f.sessions, maxCalls))
	at := newPlaces(l, limits)
	h := &http.Server{
		Handler: f, ReadHeaderTimeout: limits.head, IdleTimeout: limits.idle, MaxHeaderBytes: maxHeader,
		ConnState: at.onState, ConnContext: withPlace,
		ErrorLog: log.New(io.Discard, "", 0), DisableGeneralOptionsHandler: true,
		BaseContext: func(net.Listener) context.Context { return running },
	}
	var owned sync.WaitGroup
	owned.Go(func() {
		<-running.Done()
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer stop()
		if h.Shutdown(end) != nil {
			h.Close() // a client does not read, or has not sent a whole request
		}
		f.sessions.endAll(end)
	})
	if opt.Listening != nil {
		opt.Listening("http://" + l.Addr().String() + endpoint)
	}
	err = h.Serve(at)
	cancel()
	owned.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// listen opens the port. Without a token it must be on the loopback interface, because others may be
// reached by people who may not read the project.
func listen(ctx context.Context, opt *Options) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", opt.Address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", operation.Quote(opt.Address), err)
	}
	if opt.Token == "" && !onLoopback(l.Addr()) {
		l.Close()
		return nil, code.Usagef("%s can be reached from other machines: a token is needed there, in KEN_MCP_TOKEN or a file that --token-file names; "+
			"without one listen on 127.0.0.1", operation.Quote(opt.Address))
	}
	return l, nil
}

func onLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// limitCalls refuses calls while most are running, and ends those of a session when it ends. A client that goes away does not end the
// calls of its session, as the protocol requires, so the number of connections does not bound calls.
func limitCalls(s *sessions, most int64) mcp.Middleware {
	var running atomic.Int64
	work := []string{"tools/call", "resources/read", "prompts/get", "completion/complete"}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if !slices.Contains(work, method) {
				return next(ctx, method, req)
			}
			defer running.Add(-1)
			if running.Add(1) > most {
				return nil, &jsonrpc.Error{Code: codeBusy, Message: "too many calls are running; ask again when some have been answered"}
			}
			ctx, cancel := s.contextUntilEnd(ctx, req.GetSession().ID())
			defer cancel()
			return next(ctx, method, req)
		}
	}
}

// codeBusy is the error code for too many calls, from the range that JSON-RPC leaves to servers.
const codeBusy = -32000

// handlers are the two HTTP handlers of the library: with and without sessions.
type handlers struct {
	sessions, single http.Handler // with sessions, and each request for itself
}

// maxEvents is the size of the answers that are kept for clients whose connection broke, in bytes.
const maxEvents = 1 << 20

func newHandlers(server *mcp.Server) handlers {
	one := func(*http.Request) *mcp.Server { return server }
	// With a store of events, streams of sessions begin with the event by which a client can take up a broken one (2025-11-25).
	events := mcp.NewMemoryEventStore(nil)
	events.SetMaxBytes(maxEvents)
	options := func(stateless bool) *mcp.StreamableHTTPOptions {
		return &mcp.StreamableHTTPOptions{
			Stateless: stateless, MaxRequestBodyBytes: wire.MaxMessage, PropagateRequestCancellation: true, Logger: slog.New(slog.DiscardHandler),
			// The guard has checked more already; the library's check would refuse requests that a token allows.
			DisableLocalhostProtection: true,
		}
	}
	sessions := options(false)
	sessions.EventStore = events
	return handlers{sessions: mcp.NewStreamableHTTPHandler(one, sessions), single: mcp.NewStreamableHTTPHandler(one, options(true))}
}
