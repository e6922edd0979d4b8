// Package process runs a program for a limited time and takes a limited amount of what it
// writes. Only two kinds of programs are run so: ken itself, as it was installed, and the
// user's own status line. What a repository names is never one of them; who calls this
// package sees to that. git is run by package git alone, its neighbour.
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
	Env   []string // "NAME=value"; the environment of ken if it is nil
	Stdin []byte
	Time  time.Duration // after which it is killed, with what it has started
	Most  int           // bytes of each output; a program that writes more is killed
}

// Result is what a program did.
type Result struct {
	Stdout, Stderr []byte
	Code           int // exit status, -1 if it was killed
	Took           time.Duration
	Late           bool // it was killed because its time was over
	Cut            bool // it was killed because it wrote too much
}

// Run runs the program. The error says that it could not be started; how it ended is in the
// result.
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

// limited keeps the beginning of what is written.
type limited struct {
	text []byte
	left int
	cut  bool
	full func()
}

// Write takes everything, so that the writer does not fail before it is killed.
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
