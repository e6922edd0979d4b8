// Command clone measures a clone that brings knowledge and has no index: the first hook and the first question, beside an index and
// `git status`, in one run; and that the build which the hook starts is one at a time and survives kill -9.
//
//	go run ./bench/firstwords/clone -work SCRATCH [-ken PROGRAM] [-runs N] REPOSITORY…
//
// A REPOSITORY is a git directory or a work tree; it is cloned, and its clone with knowledge is cloned again for each run.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ken/bench/world"
)

// page is the knowledge that a clone brings.
const page = "---\nterm: build\nmeaning: README.md\nkind: file\n---\n\nThe build is described there.\n"

type bench struct {
	work, ken string
	runs      int
	table     world.Table
}

func main() {
	b := bench{}
	flag.StringVar(&b.work, "work", "", "scratch folder")
	flag.StringVar(&b.ken, "ken", "", "program to measure instead of that of this tree")
	flag.IntVar(&b.runs, "runs", 3, "clones of each repository")
	flag.Parse()
	if err := b.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "clone:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, repositories []string) (err error) {
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	if b.ken == "" {
		if b.ken, err = world.Build(ctx, b.work); err != nil {
			return err
		}
	}
	for _, r := range repositories {
		if err := b.measure(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	return b.table.Summary()
}

// measure measures one repository.
func (b *bench) measure(ctx context.Context, repository string) error {
	name := filepath.Base(strings.TrimSuffix(filepath.Clean(repository), "/repo"))
	origin := filepath.Join(b.work, name+"-origin")
	defer os.RemoveAll(origin)
	if _, err := world.Git(ctx, b.work, "clone", "-q", "--shared", repository, origin); err != nil {
		return err
	}
	knowledge := map[string]string{
		".ken/.gitignore":                    "/*\n!/.gitignore\n!/config.yml\n!/knowledge/\n",
		".ken/knowledge/agreements/build.md": page,
	}
	if err := world.WriteFiles(origin, knowledge); err != nil {
		return err
	}
	if _, err := world.Git(ctx, origin, "add", "-f", ".ken"); err != nil {
		return err
	}
	if _, err := world.Git(ctx, origin, "commit", "-q", "-m", "knowledge"); err != nil {
		return err
	}
	var index, question, hook, status []time.Duration
	for i := range b.runs {
		for _, do := range []func(tree string) error{
			func(tree string) error { return b.timed(tree, &index, "", "index") },
			func(tree string) error { return b.timed(tree, &question, "", "find", "--limit", "1", "build") },
			func(tree string) error { return b.timeHook(ctx, tree, &hook, &status) },
		} {
			if err := b.inClone(ctx, origin, fmt.Sprintf("%s-%d", name, i), do); err != nil {
				return err
			}
		}
	}
	median := func(list []time.Duration) time.Duration { return world.Percentile(list, 50) }
	most := median(index)*11/10 + 100*time.Millisecond
	b.table.Row(name+": clone to the first answer", "≤ 1.1 × index + 0.1 s = "+world.Millis(most), world.Millis(median(question)),
		median(question) <= most)
	most = 2*median(status) + 30*time.Millisecond
	b.table.Row(name+": hook at the start in a clone", "≤ 2 × git status + 30 ms = "+world.Millis(most), world.Millis(median(hook)),
		median(hook) <= most)
	return b.inClone(ctx, origin, name+"-kill", func(tree string) error { return b.kill(tree, name) })
}

// inClone calls do with a fresh clone and removes it.
func (b *bench) inClone(ctx context.Context, origin, name string, do func(tree string) error) error {
	tree := filepath.Join(b.work, name)
	defer os.RemoveAll(tree)
	if _, err := world.Git(ctx, b.work, "clone", "-q", "--shared", origin, tree); err != nil {
		return err
	}
	return do(tree)
}

// command returns ken with arguments, in a tree with a home of its own.
func (b *bench) command(tree, input string, args ...string) *exec.Cmd {
	cmd := exec.Command(b.ken, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = tree, strings.NewReader(input), world.Environment(tree+"-home")
	return cmd
}

func (b *bench) timed(tree string, list *[]time.Duration, input string, args ...string) error {
	defer os.RemoveAll(tree + "-home")
	began := time.Now()
	if out, err := b.command(tree, input, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ken %s: %w: %s", strings.Join(args, " "), err, out)
	}
	*list = append(*list, time.Since(began))
	return nil
}

const startEvent = `{"session_id":"s%d","hook_event_name":"SessionStart","source":"startup"}`

// timeHook times the first hook of a clone, beside git status, and ends the build that it started.
func (b *bench) timeHook(ctx context.Context, tree string, hook, status *[]time.Duration) error {
	for range 5 {
		began := time.Now()
		if _, err := world.Git(ctx, tree, "status", "--porcelain"); err != nil {
			return err
		}
		*status = append(*status, time.Since(began))
	}
	err := b.timed(tree, hook, fmt.Sprintf(startEvent, 1), "hook", "claude", "session-start")
	for _, pid := range builds(tree) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	for len(builds(tree)) > 0 {
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// kill has hooks of several sessions start at once, kills the build, and asks.
func (b *bench) kill(tree, name string) error {
	defer os.RemoveAll(tree + "-home")
	const sessions = 6
	var hooks []*exec.Cmd
	for i := range sessions {
		cmd := b.command(tree, fmt.Sprintf(startEvent, i), "hook", "claude", "session-start")
		if err := cmd.Start(); err != nil {
			return err
		}
		hooks = append(hooks, cmd)
	}
	most := 0
	for _, cmd := range hooks {
		most = max(most, len(builds(tree)))
		if err := cmd.Wait(); err != nil {
			return err
		}
	}
	most = max(most, len(builds(tree)))
	b.table.Row(fmt.Sprintf("%s: builds at once after %d hooks at once", name, sessions), "1", strconv.Itoa(most), most == 1)
	for _, pid := range builds(tree) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	time.Sleep(spawn)
	said, err := b.command(tree, fmt.Sprintf(startEvent, 99), "hook", "claude", "session-start").Output()
	if err != nil {
		return err
	}
	running := len(builds(tree)) > 0
	claims := bytes.Contains(said, []byte("is building the index"))
	b.table.Row(name+": hook after kill -9", "speaks of a build if there is one", fmt.Sprintf("speaks %v, runs %v", claims, running), claims == running)
	out, err := b.command(tree, "", "find", "--limit", "1", "build").CombinedOutput()
	b.table.Row(name+": question after kill -9", "answers", fmt.Sprintf("%v, %d bytes", err == nil, len(out)), err == nil && len(out) > 0)
	return nil
}

// spawn is the time after which a build that lives has begun.
const spawn = 1500 * time.Millisecond

// builds returns the processes that build an index of a tree.
func builds(tree string) (list []int) {
	procs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range procs {
		line, _ := os.ReadFile(p)
		dir, _ := os.Readlink(filepath.Join(filepath.Dir(p), "cwd"))
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(p))); err == nil && dir == tree && string(line) == "ken\x00index\x00" {
			list = append(list, pid)
		}
	}
	return list
}
