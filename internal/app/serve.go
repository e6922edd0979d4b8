package app

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ken/internal/config"
	"ken/internal/delivery/mcp"
	"ken/internal/delivery/mcp/scope"
	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/source/owner"
	"ken/internal/operation"
)

// serve answers agents until they go away. stdout is used for the protocol alone.
func (p *Program) serve(ctx context.Context, o *opener, opt *operation.Serving) error {
	ctx, cancel := context.WithCancel(ctx)
	o.serve(ctx, p)
	if opt.Pages {
		defer func() { cancel(); o.kept.close() }()
		return p.servePages(ctx, o, opt)
	}
	o.session = "mcp-" + time.Now().UTC().Format("20060102T150405.000")
	defer func() { cancel(); o.kept.close() }()
	sets, from, err := p.toolSets(opt)
	if err != nil {
		return err
	}
	plans := p.plan(func(dir string) (*project.Project, error) { return o.open(dir, operation.Existing) })
	s := mcp.Server{
		Tools: slices.Concat(op.All(), plans.Tools()), Sets: sets, SetsFrom: from, Version: operation.Version(), Getenv: p.Getenv, Open: o.open,
		Scope: &scope.Scope{
			Dir: opt.Dir, Projects: opt.Projects,
			Root: func(dir string) (string, error) { return findRoot(dir, p.Getenv("HOME"), false) },
		},
		Answered: func(a *operation.Answered, p *project.Project) { o.note(p, a) },
	}
	if opt.Address != "" {
		return p.serveHTTP(ctx, &s, opt)
	}
	return s.ServeStdio(ctx, p.Stdin, p.Stdout)
}

// serve keeps opened projects open until ctx ends and kept is closed.
func (o *opener) serve(ctx context.Context, p *Program) {
	o.kept = &kept{engines: map[string]*keptEngine{}, ctx: ctx}
	o.stderr = &locked{w: p.Stderr}
	p.Heap.serve()
	o.kept.owned.Go(func() { o.kept.releaseIdle(ctx) })
}

// Projects opens projects as a server does, for measurements of operations without a protocol around them.
func (p *Program) Projects(ctx context.Context) (open func(dir string, need operation.Need) (*project.Project, error), end func()) {
	ctx, cancel := context.WithCancel(ctx)
	o := &opener{getenv: p.Getenv, stderr: p.Stderr}
	o.serve(ctx, p)
	return o.open, func() { cancel(); o.kept.close() }
}

// toolSets are the sets of tools that are offered: those asked for, else those of the user's settings, and where these
// come from.
func (p *Program) toolSets(opt *operation.Serving) (sets []string, from string, err error) {
	if len(opt.Sets) > 0 {
		return opt.Sets, "--tools", nil
	}
	s, _, err := config.Load("", p.Getenv) // a project cannot choose them
	return s.MCPTools, "the setting mcp_tools", err
}

// kept are the engines of a server, which stay open between calls.
type kept struct {
	ctx   context.Context // of the server; trees are followed until it ends
	owned sync.WaitGroup  // the followers, and the goroutine that gives memory back
	asked atomic.Int64    // projects opened so far

	mu      sync.Mutex // guards the fields below
	engines map[string]*keptEngine
	old     []*engine.Engine // that were replaced; a call may still use them
}

// keptEngine is the engine of a project as the project was when it was opened.
type keptEngine struct {
	folder   *owner.Folder
	engine   *engine.Engine
	settings config.Settings
	dir      os.FileInfo // of .ken, so that a project that was deleted and made again is opened again
	used     int64       // when it was opened last, as the number of projects opened until then

	unfollow func()        // ends following the tree, nil if it is not followed
	ended    chan struct{} // closed when following the tree has ended
}

// makeEngine makes the engine of a project.
type makeEngine = func() (*owner.Folder, *engine.Engine, error)

// get returns the engine of a project, which make makes if there is none for these settings.
func (k *kept) get(root string, s *config.Settings, make makeEngine) (*owner.Folder, *engine.Engine, error) {
	asked := k.asked.Add(1)
	k.mu.Lock()
	defer k.mu.Unlock()
	dir, err := os.Stat(filepath.Join(root, ".ken"))
	if err != nil {
		return make() // there is none yet, which the caller reports
	}
	if e := k.engines[root]; e != nil {
		if os.SameFile(e.dir, dir) && reflect.DeepEqual(&e.settings, s) {
			e.used = asked
			if e.unfollow == nil {
				k.follow(e)
				k.limitFollowed()
			}
			return e.folder, e.engine, nil
		}
		e.leave()
		k.old = append(k.old, e.engine)
	}
	f, e, err := make()
	if err == nil {
		one := &keptEngine{folder: f, engine: e, settings: *s, dir: dir, used: asked}
		k.engines[root] = one
		k.follow(one)
		k.limitFollowed()
	}
	return f, e, err
}

// close closes the engines, after ctx has ended.
func (k *kept) close() {
	k.owned.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range k.engines {
		k.old = append(k.old, e.engine)
	}
	for _, e := range slices.Backward(k.old) {
		e.Close() // a reader's connection: nothing is lost with it
	}
}

// locked is a writer that several calls use.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
