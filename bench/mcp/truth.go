package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

// behindNote is a part of an answer that may be older than the tree.
const behindNote = "changed since revision"

// freshness counts the answers with new content, and those that report to be older.
type freshness struct{ asked, fresh, admitted int }

func (n *freshness) countAnswer(line []byte, fresh bool) {
	n.asked++
	switch {
	case fresh:
		n.fresh++
	case bytes.Contains(line, []byte(behindNote)):
		n.admitted++
	}
}

func (b *bench) freshnessRow(what string, n freshness) {
	b.Row(what, "≥ 99 % new content, else marked as older", fmt.Sprintf("%.1f %% of %d, %d marked", 100*float64(n.fresh)/float64(n.asked), n.asked, n.admitted),
		100*n.fresh >= 99*n.asked && n.fresh+n.admitted == n.asked)
}

// probes is the directory below the project in which files are edited.
const probes = "bench_mcp_probe"

// editAndAsk writes, adds, moves and deletes files, and asks one of two servers at once. Now and then another process takes the
// same file into the index, as hooks do.
func (b *bench) editAndAsk(ctx context.Context) error {
	var servers [2]*client
	for i := range servers {
		c, err := b.spawnServer(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		if _, err := c.mustCall(`{"name":"overview"}`); err != nil {
			return err
		}
		servers[i] = c
	}
	b.waitUntilSettled(len(servers))
	root := filepath.Join(b.dir, probes)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(root)
	var n freshness
	for i := range b.runCount(1000) {
		name, place, err := b.editFile(root, i)
		if err != nil {
			return err
		}
		var hook *exec.Cmd
		if i%10 == 0 {
			hook = exec.CommandContext(ctx, b.ken, "-C", b.dir, "index", filepath.Join(b.dir, filepath.FromSlash(place)))
			if err := hook.Start(); err != nil {
				return err
			}
		}
		line, err := servers[i%2].call(cardQuestion(name, i))
		if hook != nil {
			_ = hook.Wait() // whether it came in time does not matter
		}
		if err != nil {
			return err
		}
		found := bytes.Contains(line, []byte(place+":3"))
		n.countAnswer(line, found)
	}
	b.freshnessRow("an edit, then a question at once, two servers", n)
	return nil
}

// cardQuestion returns a question about a name that is declared once: mostly for its description, because a search would read all files
// of the project.
func cardQuestion(name string, i int) string {
	if i%20 == 0 {
		return fmt.Sprintf(`{"name":"grep","arguments":{"regex":"func %s\\b"}}`, name)
	}
	return fmt.Sprintf(`{"name":"show","arguments":{"target":%q}}`, name)
}

// editFile makes one change, after which a name is at the third line of a file.
func (b *bench) editFile(root string, i int) (name, place string, err error) {
	name = fmt.Sprintf("benchProbe%d", i)
	text := []byte("package probe\n\nfunc " + name + "() {}\n")
	file := "a.go"
	switch i % 5 {
	case 1: // a new file
		file = fmt.Sprintf("b%d.go", i)
	case 2: // new directories
		file = fmt.Sprintf("d%d/deep/a.go", i)
		err = os.MkdirAll(filepath.Join(root, fmt.Sprintf("d%d/deep", i)), 0o755)
	case 3: // as editors save
		if err = os.WriteFile(filepath.Join(root, "a.go~"), text, 0o644); err == nil {
			err = os.Rename(filepath.Join(root, "a.go~"), filepath.Join(root, file))
		}
	case 4: // a directory that goes, and one that moves
		err = os.RemoveAll(filepath.Join(root, fmt.Sprintf("d%d", i-7)))
		if err == nil {
			err = os.Rename(filepath.Join(root, fmt.Sprintf("d%d", i-2)), filepath.Join(root, fmt.Sprintf("m%d", i)))
		}
		file = fmt.Sprintf("m%d/deep/a.go", i)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(root, filepath.FromSlash(file)), text, 0o644)
	}
	return name, probes + "/" + file, err
}

const (
	switched = 200 // files that a checkout changes
	sampled  = 5   // questions after each
)

// switchAndAsk switches between two branches of a scratch repository, and asks at once for files that differ.
func (b *bench) switchAndAsk(ctx context.Context) error {
	home, remove, err := world.Scratch("ken-bench-checkout-")
	if err != nil {
		return err
	}
	defer remove()
	root := filepath.Join(home, "repository")
	files, err := b.twoBranches(ctx, root)
	if err != nil {
		return err
	}
	if _, err := b.runKen(ctx, root, "init"); err != nil {
		return err
	}
	there := *b
	there.dir = root
	c, err := there.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.mustCall(`{"name":"overview"}`); err != nil {
		return err
	}
	b.waitUntilSettled(1)
	var n freshness
	for i := range b.runCount(60) {
		branch := []string{"probeA", "probeB"}[i%2]
		if _, err := world.Git(ctx, root, "checkout", "-q", branch); err != nil {
			return err
		}
		for k := range sampled {
			at := (i*sampled + k*len(files)/sampled) % len(files)
			line, err := c.call(cardQuestion(fmt.Sprintf("bench%s%d", branch, at), i*sampled+k))
			if err != nil {
				return err
			}
			n.countAnswer(line, bytes.Contains(line, []byte(files[at]+":3")))
		}
	}
	b.freshnessRow(fmt.Sprintf("a checkout of %d files, then %d questions at once", switched, sampled), n)
	return nil
}

// twoBranches makes a repository with two branches in which the same files differ: a clone of the project if it is a repository,
// else an empty one. It returns the paths of the files.
func (b *bench) twoBranches(ctx context.Context, root string) (files []string, err error) {
	if _, err := os.Stat(filepath.Join(b.dir, ".git")); err == nil && !b.Short {
		if _, err := world.Git(ctx, b.dir, "clone", "-q", ".", root); err != nil {
			return nil, err
		}
		list, err := world.Git(ctx, root, "ls-files", "*.go")
		if err != nil {
			return nil, err
		}
		files = strings.Fields(list)
	} else if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	} else if _, err := world.Git(ctx, root, "init", "-q"); err != nil {
		return nil, err
	}
	for len(files) < switched {
		files = append(files, fmt.Sprintf("made%d/file%d.go", len(files)%20, len(files)))
	}
	files = files[:switched]
	for _, branch := range []string{"probeA", "probeB"} {
		if _, err := world.Git(ctx, root, "checkout", "-q", "-b", branch); err != nil {
			return nil, err
		}
		texts := map[string]string{}
		for i, f := range files {
			texts[f] = fmt.Sprintf("package probe\n\nfunc bench%s%d() {}\n", branch, i)
		}
		if err := world.WriteFiles(root, texts); err != nil {
			return nil, err
		}
		if err := world.Commit(ctx, root, branch); err != nil {
			return nil, err
		}
	}
	return files, nil
}
