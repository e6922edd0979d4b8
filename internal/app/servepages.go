package app

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/delivery/web"
	"ken/internal/operation"
)

// servePages shows a project in a browser until ctx ends or no client was there for a time.
func (p *Program) servePages(ctx context.Context, o *opener, opt *operation.Serving) error {
	plans := p.plan(func(dir string) (*project.Project, error) { return o.open(dir, operation.Existing) })
	s := web.Server{
		Tools: slices.Concat(op.All(), plans.Tools()), Dir: opt.Dir, Getenv: p.Getenv, Open: o.open,
		Listening: func(url string) { fmt.Fprintf(p.Stderr, "ken: open %s\n", url) },
	}
	return s.Serve(ctx, opt.Address)
}
