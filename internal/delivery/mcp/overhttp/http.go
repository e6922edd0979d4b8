// Package overhttp answers the Model Context Protocol over streamable HTTP: guard.go decides which requests are answered,
// front.go takes each request and hands it to the library, sessions.go bounds the sessions, reply.go
// writes. delivery/httpfront listens and bounds the connections, delivery/mcp makes the answers; the neighbour stdio does the same over
// standard input and output.
package overhttp

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/code"
	"ken/internal/delivery/httpfront"
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

	limits *httpfront.Limits // nil for those of every server; tests have shorter ones
}

// endpoint is the only path that is answered.
const endpoint = "/mcp"

// Limits for the resources that clients can make the server hold, beside those of connections.
const (
	maxSessions = 128
	maxCalls    = 128 // that run at once
	maxLarge    = 4   // messages of more than largeBody that are read at once
	largeBody   = 1 << 20
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
		limits = httpfront.ServerLimits()
	}
	f := newHTTPFront(server, opt, limits, l.Addr())
	server.AddReceivingMiddleware(limitCalls(f.sessions, maxCalls))
	if opt.Listening != nil {
		opt.Listening("http://" + l.Addr().String() + endpoint)
	}
	return httpfront.Serve(running, l, f, limits, f.sessions.endAll)
}

// listen opens the port. Without a token it must be on the loopback interface, because others may be
// reached by people who may not read the project.
func listen(ctx context.Context, opt *Options) (net.Listener, error) {
	l, err := httpfront.Listen(ctx, opt.Address)
	if err != nil {
		return nil, err
	}
	if opt.Token == "" && !httpfront.OnLoopback(l.Addr()) {
		l.Close()
		return nil, code.Usagef("%s can be reached from other machines: a token is needed there, in KEN_MCP_TOKEN or a file that --token-file names; "+
			"without one listen on 127.0.0.1", operation.Quote(opt.Address))
	}
	return l, nil
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
