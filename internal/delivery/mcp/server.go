// Package mcp is ken's surface for agents that speak the Model Context Protocol: it lists the operations that it is given as
// tools (sets.go, list.go), decodes the arguments that models send (input.go), runs the operation (call.go) and fits the
// answer into a budget of tokens (fit.go, structured.go). mcp/stdio reads and writes messages over standard input and
// output, mcp/overhttp takes them over HTTP. The protocol itself, in all its revisions, is the library's. Its neighbours
// are delivery/cli and delivery/hook, which are other surfaces.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/code"
	"ken/internal/delivery/mcp/overhttp"
	"ken/internal/delivery/mcp/scope"
	"ken/internal/delivery/mcp/stdio"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// Server answers over the protocol, over a project.
type Server struct {
	Tools []*project.Tool
	Sets  []string // names of sets of tools; none means core
	// SetsFrom names the source of Sets, for an error.
	SetsFrom string
	Scope    *scope.Scope // the projects that calls may be about
	Version  string
	Getenv   func(string) string
	// Open opens a project, which stays open between calls. Several calls use it at
	// once.
	Open func(dir string, need operation.Need) (*project.Project, error)
	// Answered is called after an answer was made; may be nil.
	Answered func(*operation.Answered, *project.Project)

	// Extend has the protocol's own tests served instead; nil for ken.
	Extend *Extension

	words    *vocabulary
	relists  bool            // the list of tools changes when the client's roots do
	counters sync.Pool       // of *token.Counter
	running  context.Context // of the server; calls end with it
	owned    sync.WaitGroup  // of goroutines that end with running
}

// Extension has tools, resources and prompts that are served instead of ken's.
type Extension struct {
	Add     func(ctx context.Context, server *mcp.Server)
	Watches func(uri string) bool // reports whether a resource may be subscribed to
}

// parentPoll is the interval at which the server checks whether its parent process is alive.
const parentPoll = 2 * time.Second

// drainTime is how long calls may go on after standard input has ended: answers that
// a script waits for are short, and longer ones have no reader.
const drainTime = 10 * time.Second

// ServeStdio answers messages from in on out until in ends, ctx does or the parent dies. It fails if the
// server cannot be made or a write fails.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var owned sync.WaitGroup
	defer s.owned.Wait()
	defer owned.Wait()
	defer cancel()
	owned.Go(func() { watchParent(ctx, cancel) })
	l := stdio.New(out, s.Scope)
	l.Rooted = s.relist(ctx, l.WriteLine)
	server, err := s.newLibraryServer(ctx)
	if err != nil {
		return err
	}
	go l.Read(in)
	owned.Go(func() { server.Run(ctx, l.Single) }) // it ends as the other session does, whose error is returned
	owned.Go(func() {
		select {
		case <-ctx.Done():
		case <-l.Ended:
			after(ctx, drainTime, cancel)
		}
	})
	err = server.Run(ctx, l.Session)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// ServeOverHTTP answers over streamable HTTP until ctx ends. It fails as overhttp.Serve does.
func (s *Server) ServeOverHTTP(ctx context.Context, opt *overhttp.Options) error {
	defer s.owned.Wait()
	return overhttp.Serve(ctx, s.newLibraryServer, opt)
}

func after(ctx context.Context, d time.Duration, f func()) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
		f()
	}
}

// watchParent calls dead when the parent process is gone. Usually standard input
// ends then, but another process may hold its other end.
func watchParent(ctx context.Context, dead func()) {
	parent := os.Getppid()
	t := time.NewTicker(parentPoll)
	defer t.Stop()
	for os.Getppid() == parent {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
	dead()
}

// newLibraryServer returns the library's server with all tools, resources and prompts.
func (s *Server) newLibraryServer(ctx context.Context) (*mcp.Server, error) {
	s.running = ctx
	list, err := offeredTools(s.Tools, s.Sets)
	if err != nil {
		return nil, code.Usagef("%s: %v", s.SetsFrom, err)
	}
	s.words = newVocabulary(list)
	subscribed := newSubscriptions(s)
	server := mcp.NewServer(&mcp.Implementation{Name: "ken", Title: "ken", Version: s.Version}, &mcp.ServerOptions{
		Instructions: instructions(list),
		Logger:       slog.New(slog.DiscardHandler),
		PageSize:     pageSize,
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{ListChanged: s.relists}, Resources: &mcp.ResourceCapabilities{Subscribe: true},
			Prompts: &mcp.PromptCapabilities{}, Completions: &mcp.CompletionCapabilities{},
		},
		CompletionHandler: s.complete,
		SubscribeHandler:  subscribed.add, UnsubscribeHandler: subscribed.remove,
	})
	subscribed.server = server
	if s.Extend != nil {
		s.Extend.Add(ctx, server)
		server.AddReceivingMiddleware(validErrors)
		return server, nil
	}
	s.addResources(server)
	s.addPrompts(server)
	for i := range list {
		t := &list[i]
		server.AddTool(t.listing(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, req)
		})
	}
	server.AddReceivingMiddleware(validErrors, unknownTools(list), s.namesProjects(list))
	return server, nil
}

// pageSize is the number of entries on a page of a list: more than any list has.
const pageSize = 200

// unknownTools answers a call of a tool that does not exist with similar names.
func unknownTools(list []offeredTool) mcp.Middleware {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name()
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			p, ok := req.GetParams().(*mcp.CallToolParamsRaw)
			if ok && p != nil && !slices.Contains(names, p.Name) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: unknownNameError("tool", p.Name, names)}
			}
			return next(ctx, method, req)
		}
	}
}
