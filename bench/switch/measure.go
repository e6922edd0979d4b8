package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"ken/internal/store/sqlite"
)

// cost is what one run of the program took.
type cost struct {
	wall, processor time.Duration
}

// better is the smaller of each.
func (c cost) better(d cost) cost { return cost{min(c.wall, d.wall), min(c.processor, d.processor)} }

// bench is a tree to index, with a home of its own for settings and caches.
type bench struct {
	ken, tree, home string
	saved           string // what the first index left
	rounds          int
}

func newBench(o options, name string) *bench {
	dir := filepath.Join(o.work, name)
	return &bench{ken: o.ken, rounds: o.rounds, tree: filepath.Join(dir, "tree"), home: filepath.Join(dir, "home"),
		saved: filepath.Join(dir, "saved")}
}

func (b *bench) index() string { return filepath.Join(b.tree, ".ken") }

// run runs `ken index`.
func (b *bench) run(ctx context.Context) (cost, error) {
	if err := os.MkdirAll(b.home, 0o755); err != nil {
		return cost{}, err
	}
	cmd := exec.CommandContext(ctx, b.ken, "index")
	cmd.Dir = b.tree
	for _, v := range []string{"PATH", "TMPDIR"} {
		cmd.Env = append(cmd.Env, v+"="+os.Getenv(v))
	}
	cmd.Env = append(cmd.Env, "HOME="+b.home)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return cost{}, fmt.Errorf("ken index: %w\n%s", err, out.Bytes())
	}
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// start makes the first index and keeps it with its caches.
func (b *bench) start(ctx context.Context) error {
	if err := errors.Join(empty(b.index()), os.RemoveAll(b.home), os.RemoveAll(b.saved)); err != nil {
		return err
	}
	if _, err := b.run(ctx); err != nil {
		return err
	}
	return errors.Join(copyAll(ctx, b.index(), filepath.Join(b.saved, "index")), copyAll(ctx, b.home, filepath.Join(b.saved, "home")))
}

// restore puts back what start kept, or nothing of the index if it is to be made
// anew. The folder itself stays, because an index can be bound to it.
func (b *bench) restore(ctx context.Context, index bool) error {
	err := errors.Join(empty(b.index()), empty(b.home), copyAll(ctx, filepath.Join(b.saved, "home"), b.home))
	if err != nil || !index {
		return err
	}
	return copyAll(ctx, filepath.Join(b.saved, "index"), b.index())
}

// copyAll copies what is in a folder with all its permissions, without which ken
// does not believe what it finds.
func copyAll(ctx context.Context, from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", from+"/.", to).CombinedOutput(); err != nil {
		return fmt.Errorf("copy %s: %w: %s", from, err, out)
	}
	return nil
}

// empty deletes what is in a folder.
func empty(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range list {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// result is one switch measured.
type result struct {
	update, full cost
	same         bool // whether both indexes hold the same
	unlike       string
}

// compare measures an update and a full index of the tree as it is now in turns.
func (b *bench) compare(ctx context.Context) (result, error) {
	var r result
	var facts [2][]string // updated, made anew
	for round := range b.rounds {
		for turn := range 2 {
			way := (round + turn) % 2
			if err := b.restore(ctx, way == 0); err != nil {
				return r, err
			}
			c, err := b.run(ctx)
			if err != nil {
				return r, err
			}
			into := [...]*cost{&r.update, &r.full}[way]
			if round == 0 {
				*into = c
			}
			*into = into.better(c)
			if round > 0 {
				continue
			}
			if facts[way], err = digest(ctx, sqlite.New(filepath.Join(b.index(), "index.db"))); err != nil {
				return r, err
			}
		}
	}
	r.unlike = unlike(facts[0], facts[1])
	r.same = r.unlike == ""
	return r, nil
}
