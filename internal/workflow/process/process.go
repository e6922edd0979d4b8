// Package process runs a program with a limited time and a limited output. Only two kinds of programs are run so: ken itself, as
// installed, and the user's own status line, never a program named by a repository; callers must ensure that. Package git, its neighbour,
// runs git.
package process

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"
)

// Command is a program to run.
type Command struct {
	Path  string // absolute
	Args  []string
	Dir   string
	Env   []string // "NAME=value"; ken's own environment if nil
	Stdin []byte
	Time  time.Duration // after which it is killed, with everything that it started
	Most  int           // bytes of each output; a program that writes more is killed
}

// Result is the outcome of a program.
type Result struct {
	Stdout, Stderr []byte
	Code           int // exit status, -1 if it was killed
	Took           time.Duration
	Late           bool // it was killed because its time was over
	Cut            bool // it was killed because it wrote too much
}

// Run runs the program. It returns an error if the program cannot be started or ctx is done; the result has its exit status.
func (c *Command) Run(ctx context.Context) (Result, error) {
	timed, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	cmd := exec.CommandContext(timed, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, bytes.NewReader(c.Stdin)
	out, err := limited{left: c.Most, full: cancel}, limited{left: c.Most, full: cancel}
	cmd.Stdout, cmd.Stderr = &out, &err
	apart(cmd)
	cmd.WaitDelay = 200 * time.Millisecond // a grandchild may hold the outputs open
	start := time.Now()
	failed := cmd.Run()
	r := Result{Stdout: out.text, Stderr: err.text, Code: -1, Took: time.Since(start), Cut: out.cut || err.cut}
	r.Late = errors.Is(timed.Err(), context.DeadlineExceeded)
	if cmd.ProcessState == nil {
		return r, failed
	}
	r.Code = cmd.ProcessState.ExitCode()
	return r, ctx.Err()
}

// StartDetached starts ken itself in dir with arguments and does not wait for it: it outlives its parent and has no input and output. It
// returns an error if the program cannot be started.
func StartDetached(path, dir string, args ...string) error {
	cmd := exec.Command(path, args...)
	cmd.Args[0], cmd.Dir = "ken", dir
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// limited keeps the beginning of its input.
type limited struct {
	text []byte
	left int
	cut  bool
	full func()
}

// Write accepts everything, so that the writer does not fail before it is killed.
func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.text = append(l.text, b[:n]...)
	l.left -= n
	if n < len(b) && !l.cut {
		l.cut = true
		l.full()
	}
	return len(b), nil
}
