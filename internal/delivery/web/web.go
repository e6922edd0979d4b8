// Package web is ken's surface for people in a browser: access.go lets in who has the token, pages.go has the
// list of views, view_*.go fill them, question.go runs the operations that a view asks and decodes their answers, live.go tells open
// pages of changes. A view has no answer of its own: it shows what commands answer, and the commands. Its part picture lays out what is
// drawn. Its neighbours are delivery/cli and delivery/mcp, which are other surfaces; delivery/httpfront takes
// the requests.
package web

import (
	"context"
	"crypto/rand"
	"io/fs"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"ken/internal/delivery/httpfront"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// Server shows a project in pages.
type Server struct {
	Tools  []*project.Tool
	Dir    string // absolute directory that the project holds
	Getenv func(string) string
	// Open opens a project, which stays open between requests. Several use it at once.
	Open func(dir string, need operation.Need) (*project.Project, error)
	// Listening is called with the address of the first page once requests are taken.
	Listening func(url string)
	// Templates are those of the pages, templates/*.html; nil stands for the program's own. Tests damage them.
	Templates fs.FS
	// Idle is the time without a client after which the server ends; 0 stands for 30 minutes.
	Idle time.Duration

	guard  httpfront.Guard
	prefix string // of all paths: "/<random>/"
	pages  *pages
	asker  *asker
	limits *httpfront.Limits
	used   atomic.Int64 // when a client was there last, in nanoseconds
	open   atomic.Int64 // streams of events
	live   changes
}

const defaultIdle = 30 * time.Minute

// Serve answers at address, host:port, until ctx ends or no client was there for a time. It fails if the address cannot be
// listened on or is none of the loopback interface, or the project cannot be opened.
func (s *Server) Serve(ctx context.Context, address string) error {
	l, err := httpfront.Listen(ctx, address)
	if err != nil {
		return err
	}
	defer l.Close()
	p, err := s.Open(s.Dir, operation.Existing)
	if err != nil {
		return err
	}
	s.asker = &asker{tools: s.Tools, dir: p.Root, getenv: s.Getenv, open: s.Open, asking: make(chan struct{}, maxAsking)}
	if s.pages, err = newPages(s.templates()); err != nil {
		return err
	}
	token := rand.Text() + rand.Text()
	s.guard, s.prefix = httpfront.NewGuard(token, l.Addr()), "/"+rand.Text()+"/"
	s.limits = httpfront.ServerLimits()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var owned sync.WaitGroup
	defer owned.Wait()
	defer cancel()
	s.used.Store(time.Now().UnixNano())
	owned.Go(func() { s.endIdle(ctx, cancel) })
	owned.Go(func() { s.live.follow(ctx, s.asker, func() bool { return s.open.Load() > 0 }) })
	s.Listening("http://" + l.Addr().String() + s.prefix + "#t=" + token)
	return httpfront.Serve(ctx, l, s, s.limits, nil)
}

func (s *Server) templates() fs.FS {
	if s.Templates != nil {
		return s.Templates
	}
	return templateFiles
}

// endIdle calls end when no client was there for a time.
func (s *Server) endIdle(ctx context.Context, end func()) {
	idle := s.Idle
	if idle == 0 {
		idle = defaultIdle
	}
	t := time.NewTicker(idle / 30)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if s.open.Load() == 0 && time.Since(time.Unix(0, s.used.Load())) > idle {
			end()
			return
		}
	}
}

// policy lets a page load what this server has and nothing else, and run no text as a program.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ken"

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
