// Command knowledge checks the promises about knowledge and memory that a whole
// program has to keep: nothing that was reported stored is lost when processes
// are killed, noting answers is cheap, and the tests of single packages pass. It
// prints a table and fails if a promise is missed.
//
//	go run ./bench/knowledge [-short]
//
// It has to be started in the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"ken/bench/world"
)

type options struct {
	short        bool
	ken, scratch string
}

func main() {
	var o options
	flag.BoolVar(&o.short, "short", false, "little of everything, and no time counts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "knowledge:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) error {
	scratch, remove, err := world.Scratch("ken-knowledge")
	if err != nil {
		return err
	}
	defer remove()
	o.scratch = scratch
	if o.ken, err = world.Build(ctx, scratch); err != nil {
		return err
	}
	t := &world.Table{Short: o.short}
	for _, part := range []func(context.Context, *options, *world.Table) error{runTests, killWriters, measureLog} {
		if err := part(ctx, o, t); err != nil {
			return err
		}
	}
	return t.Summary()
}

// project is a small indexed project with a home of its own.
type project struct{ ken, dir, home string }

func newProject(ctx context.Context, o *options, name string) (*project, error) {
	p := &project{ken: o.ken, dir: filepath.Join(o.scratch, name, "tree"), home: filepath.Join(o.scratch, name, "home")}
	files := map[string]string{"../home/.keep": ""}
	for i := range 40 {
		files[fmt.Sprintf("part%d.go", i)] = fmt.Sprintf("package p\n\n// Part%d is a part.\nfunc Part%d(n int) int { return Part%d(n - 1) }\n", i, i, (i+1)%40)
	}
	if err := world.WriteFiles(p.dir, files); err != nil {
		return nil, err
	}
	if err := world.Commit(ctx, p.dir, "one"); err != nil {
		return nil, err
	}
	if out, err := p.kenCommand(ctx, "", "init").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ken init: %w: %s", err, out)
	}
	return p, nil
}

// kenCommand returns ken in the project, run by an agent's session or, with "", by a person.
func (p *project) kenCommand(ctx context.Context, session string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.ken, args...)
	cmd.Dir, cmd.Env = p.dir, world.Environment(p.home, "CLAUDE_CODE_SESSION_ID="+session)
	return cmd
}
