package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// behind is what an answer says that may not be of the tree as it is.
const behind = "changed since revision"

// counted counts the answers that are true, or say that they may not be.
type counted struct{ asked, fresh, said int }

func (n *counted) note(line []byte, fresh bool) {
	n.asked++
	switch {
	case fresh:
		n.fresh++
	case bytes.Contains(line, []byte(behind)):
		n.said++
	}
}

func (b *bench) truthRow(what string, n counted) {
	b.row(what, "≥ 99 % new content, else it says so", fmt.Sprintf("%.1f %% of %d, %d said so", 100*float64(n.fresh)/float64(n.asked), n.asked, n.said),
		100*n.fresh >= 99*n.asked && n.fresh+n.said == n.asked, false)
}

// truth changes files and asks for what changed at once.
func (b *bench) truth(ctx context.Context) error {
	if err := b.edits(ctx); err != nil {
		return err
	}
	return b.checkouts(ctx)
}

// probes is the directory that edits are made in, below the project.
const probes = "bench_mcp_probe"

// edits writes, adds, moves and deletes files, and asks one of two servers at once. Now and then another process takes the
// same file into the index, as hooks do.
func (b *bench) edits(ctx context.Context) error {
	var servers [2]*client
	for i := range servers {
		c, err := b.spawn(ctx)
		if err != nil {
			return err
		}
		defer c.close()
		if _, err := c.ask("tools/call", `{"name":"overview"}`); err != nil {
			return err
		}
		servers[i] = c
	}
	b.settle(len(servers))
	root := filepath.Join(b.dir, probes)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(root)
	var n counted
	for i := range b.runs(1000) {
		name, place, err := b.edit(root, i)
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
		line, err := servers[i%2].ask("tools/call", about(name, i))
		if hook != nil {
			_ = hook.Wait() // whether it came in time does not matter
		}
		if err != nil {
			return err
		}
		found := bytes.Contains(line, []byte(place+":3"))
		n.note(line, found)
	}
	b.truthRow("an edit, then a question at once, two servers", n)
	return nil
}

// about asks for a name that is declared once: mostly for its card, because a search reads all files of the project.
func about(name string, i int) string {
	if i%20 == 0 {
		return fmt.Sprintf(`{"name":"grep","arguments":{"regex":"func %s\\b"}}`, name)
	}
	return fmt.Sprintf(`{"name":"show","arguments":{"target":%q}}`, name)
}

// edit makes one change, after which a name is at the third line of a file.
func (b *bench) edit(root string, i int) (name, place string, err error) {
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

// checkouts switches between two branches of a repository of its own, and asks at once for files that differ.
func (b *bench) checkouts(ctx context.Context) error {
	home, err := os.MkdirTemp("", "ken-bench-checkout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	root := filepath.Join(home, "repository")
	files, err := b.twoBranches(ctx, root)
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, b.ken, "-C", root, "init").CombinedOutput(); err != nil {
		return fmt.Errorf("index: %w: %s", err, out)
	}
	there := *b
	there.dir = root
	c, err := there.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if _, err := c.ask("tools/call", `{"name":"overview"}`); err != nil {
		return err
	}
	b.settle(1)
	var n counted
	for i := range b.runs(60) {
		branch := []string{"probeA", "probeB"}[i%2]
		if err := inGit(ctx, root, "checkout", "-q", branch); err != nil {
			return err
		}
		for k := range sampled {
			at := (i*sampled + k*len(files)/sampled) % len(files)
			line, err := c.ask("tools/call", about(fmt.Sprintf("bench%s%d", branch, at), i*sampled+k))
			if err != nil {
				return err
			}
			n.note(line, bytes.Contains(line, []byte(files[at]+":3")))
		}
	}
	b.truthRow(fmt.Sprintf("a checkout of %d files, then %d questions at once", switched, sampled), n)
	return nil
}

// twoBranches makes a repository with two branches in which the same files differ, from the project if it is one, else from nothing.
func (b *bench) twoBranches(ctx context.Context, root string) (files []string, err error) {
	if _, err := os.Stat(filepath.Join(b.dir, ".git")); err == nil && !b.short {
		if err := inGit(ctx, b.dir, "clone", "-q", ".", root); err != nil {
			return nil, err
		}
		out, err := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "*.go").Output()
		if err != nil {
			return nil, err
		}
		files = strings.Fields(string(out))
	} else if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	} else if err := inGit(ctx, root, "init", "-q"); err != nil {
		return nil, err
	}
	for len(files) < switched {
		files = append(files, fmt.Sprintf("made%d/file%d.go", len(files)%20, len(files)))
	}
	files = files[:switched]
	for _, branch := range []string{"probeA", "probeB"} {
		if err := inGit(ctx, root, "checkout", "-q", "-b", branch); err != nil {
			return nil, err
		}
		for i, f := range files {
			path := filepath.Join(root, filepath.FromSlash(f))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(path, fmt.Appendf(nil, "package probe\n\nfunc bench%s%d() {}\n", branch, i), 0o644); err != nil {
				return nil, err
			}
		}
		if err := inGit(ctx, root, "add", "-A"); err != nil {
			return nil, err
		}
		if err := inGit(ctx, root, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", branch); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func inGit(ctx context.Context, dir string, args ...string) error {
	if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
