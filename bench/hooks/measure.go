package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
)

// project is a tree with a home of its own for settings, state and caches.
type project struct {
	ken, dir, home string
}

// project returns a project in the scratch folder; neither its tree nor its home is made.
func (o *options) project(name string) *project {
	dir := filepath.Join(o.work, name)
	return &project{ken: o.ken, dir: filepath.Join(dir, "tree"), home: filepath.Join(dir, "home")}
}

// stateDir is ken's state directory.
func (p *project) stateDir() string { return filepath.Join(p.home, "state") }

func (p *project) env() []string {
	return world.Environment(p.home, "LC_ALL=C")
}

// runOutcome is the output and the cost of one run of the program.
type runOutcome struct {
	out             []byte
	wall, processor time.Duration
}

// runKen runs ken once.
func (p *project) runKen(ctx context.Context, dir string, stdin []byte, args ...string) (runOutcome, error) {
	cmd := exec.CommandContext(ctx, p.ken, args...)
	cmd.Dir, cmd.Env = dir, p.env()
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	o := runOutcome{out: out.Bytes(), wall: time.Since(start)}
	if s := cmd.ProcessState; s != nil {
		o.processor = s.UserTime() + s.SystemTime()
	}
	if err != nil {
		return o, fmt.Errorf("ken %s: %w\n%s%s", strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return o, nil
}

// runProgram runs another program in the project, and returns its output.
func (p *project) runProgram(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w\n%s", name, err, failed.Stderr)
	}
	return out, err
}

// runUnmeasured is run without the measurement.
func (p *project) runUnmeasured(ctx context.Context, args ...string) error {
	_, err := p.runKen(ctx, p.dir, nil, args...)
	return err
}

// runHook runs a hook in the project.
func (p *project) runHook(ctx context.Context, event string, payload map[string]any) (runOutcome, error) {
	return p.runKen(ctx, p.dir, encode(payload), "hook", "claude", event)
}

func encode(payload map[string]any) []byte {
	b, err := json.Marshal(payload)
	if err != nil {
		panic(err) // maps of strings
	}
	return b
}

// hookFaults returns the errors that hooks logged.
func (p *project) hookFaults() string {
	b, err := os.ReadFile(filepath.Join(p.stateDir(), "hooks.log"))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return string(b)
}

// measuredCommand is a command that is measured in a project.
type measuredCommand struct {
	name    string
	p       *project
	dir     string // where it runs, if not in the project
	args    []string
	argsOf  func(run int) []string          // instead of args
	before  func(run int) error             // called before each run, not measured
	payload func(run int) map[string]any    // for a hook
	says    func(run int, out string) error // checks the output; nil accepts any
}

// runInTurns runs all commands alternately, in another order each time, after one run of each that does not count.
func runInTurns(ctx context.Context, seed uint64, runs int, things []measuredCommand) (map[string]series, error) {
	rng := rand.New(rand.NewPCG(seed, 2))
	out := map[string]series{}
	for run := -1; run < runs; run++ {
		for _, i := range rng.Perm(len(things)) {
			th := &things[i]
			if th.before != nil {
				if err := th.before(run + 1); err != nil {
					return nil, fmt.Errorf("%s: %w", th.name, err)
				}
			}
			var stdin []byte
			if th.payload != nil {
				stdin = encode(th.payload(run + 1))
			}
			args := th.args
			if th.argsOf != nil {
				args = th.argsOf(run + 1)
			}
			o, err := th.p.runKen(ctx, cmp.Or(th.dir, th.p.dir), stdin, args...)
			if err == nil && th.says != nil {
				err = th.says(run+1, string(o.out))
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", th.name, err)
			}
			if run >= 0 {
				s := out[th.name]
				s.wall, s.processor = append(s.wall, o.wall), append(s.processor, o.processor)
				out[th.name] = s
			}
		}
	}
	return out, nil
}

// mustContain returns a check that an answer contains a text.
func mustContain(text string) func(int, string) error {
	return func(_ int, out string) error {
		if !strings.Contains(out, text) {
			return fmt.Errorf("it does not say %q: %s", text, out[:min(len(out), 2000)])
		}
		return nil
	}
}

// mustBeEmpty is a check that there is no answer.
func mustBeEmpty(_ int, out string) error {
	if out != "" {
		return fmt.Errorf("it says something: %s", out[:min(len(out), 2000)])
	}
	return nil
}

// goFiles returns the Go files of the tree.
func (p *project) goFiles(ctx context.Context) ([]string, error) {
	out, err := world.Git(ctx, p.dir, "ls-files", "-z", "--", "*.go")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// appendLine adds a line to the end of a file of the tree, after an empty one.
func (p *project) appendLine(file, line string) error {
	f, err := os.OpenFile(filepath.Join(p.dir, file), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n%s\n", line)
	return errors.Join(err, f.Close())
}
