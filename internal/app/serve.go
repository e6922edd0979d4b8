package app

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"

	"ken/internal/config"
	"ken/internal/delivery/mcp"
	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
	"ken/internal/engine"
	"ken/internal/engine/source/owner"
)

// serve answers agents until they go away. stdout is used for the protocol alone.
func (p *Program) serve(ctx context.Context, o *opener, opt *tool.Serving) error {
	o.kept = &kept{engines: map[string]*keptEngine{}}
	o.stderr = &locked{w: p.Stderr}
	defer o.kept.close()
	version := "(devel)"
	if b, ok := debug.ReadBuildInfo(); ok {
		version = b.Main.Version
	}
	s := mcp.Server{
		Tools: op.All(), Sets: opt.Sets, Dir: opt.Dir, Version: version, Getenv: p.Getenv, Open: o.open,
		Answered: func(a *tool.Answered, p *project.Project) { o.note(p, a) },
	}
	return s.ServeStdio(ctx, p.Stdin, p.Stdout)
}

// kept are the engines of a server, which stay open between calls.
type kept struct {
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
}

// makeEngine makes the engine of a project.
type makeEngine = func() (*owner.Folder, *engine.Engine, error)

// get returns the engine of a project, which make makes if there is none for these settings.
func (k *kept) get(root string, s *config.Settings, make makeEngine) (*owner.Folder, *engine.Engine, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	dir, err := os.Stat(filepath.Join(root, ".ken"))
	if err != nil {
		return make() // there is none yet, and whoever asked says so
	}
	if e := k.engines[root]; e != nil {
		if os.SameFile(e.dir, dir) && reflect.DeepEqual(&e.settings, s) {
			return e.folder, e.engine, nil
		}
		k.old = append(k.old, e.engine)
	}
	f, e, err := make()
	if err == nil {
		k.engines[root] = &keptEngine{folder: f, engine: e, settings: *s, dir: dir}
	}
	return f, e, err
}

func (k *kept) close() {
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
