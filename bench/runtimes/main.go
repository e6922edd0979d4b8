// Command runtimes tries ken in agents other than Claude Code, as they are, with a scripted model on the loopback interface: ken is
// installed for a user, an agent writes a file, asks ken and works on a guarded task, and what reached the model, the index and the memory
// is looked at. Agents that want an account go as far as they go without one.
//
//	go run ./bench/runtimes [-only codex,gemini] [-keep FOLDER]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/world"
)

func main() {
	only := flag.String("only", "", "names of clients, with commas between")
	keep := flag.String("keep", "", "a folder for what was asked of the model and what the clients printed")
	flag.Parse()
	if err := run(context.Background(), *only, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "runtimes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only, keep string) error {
	user, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	from := programs{user}
	if err := from.installShared(ctx); err != nil {
		return err
	}
	scratch, remove, err := world.Scratch("ken-runtimes")
	if err != nil {
		return err
	}
	defer remove()
	if keep == "" {
		keep = filepath.Join(scratch, "kept")
	}
	if _, err := world.Build(ctx, filepath.Join(scratch, "bin")); err != nil {
		return err
	}
	wanted := func(name string) bool { return only == "" || slices.Contains(strings.Split(only, ","), name) }
	t := &world.Table{}
	for _, c := range clients() {
		if !wanted(c.name) {
			continue
		}
		p := &place{client: c, Table: t, dir: filepath.Join(scratch, c.name), bin: filepath.Join(scratch, "bin")}
		p.keep = filepath.Join(keep, c.name)
		if err := p.tryAll(ctx, from); err != nil {
			p.cell("it works", "without errors", err.Error(), false)
		}
	}
	return t.Summary()
}
