// Package hook is the surface that runtimes of agents call: it reads the payload of one
// event, has package agentevent handle it, as package app joins them, and writes the reply as the runtime reads
// it. Standard output carries that reply or nothing, and whatever goes wrong is no reason
// to stop an agent, so it goes to the debug log. Its neighbour delivery/cli is the surface
// for people.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/task"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/agent/speech"
)

// Command is one run of `ken hook RUNTIME EVENT`.
type Command struct {
	Args   []string // RUNTIME EVENT
	Stdin  io.Reader
	Stdout io.Writer
	Getenv func(string) string
	Dir    string // absolute working directory, for payloads that name none
	Now    func() time.Time
	Open   func(dir string) (*project.Project, error) // the project that holds a directory; nil if none does
	// Bound returns the guarded tasks that an agent of a session works on, in any project, and Unopened handles an event if none of its
	// project can be opened: task is nil if the session works on none, and cause if there is no project. Both are nil for a status line.
	Bound    func(session, agent string) []task.OpenTask
	Unopened func(e *agent.Event, open *task.OpenTask, cause error) agent.Reply
	Debug    func(error) // may be called at any time; nothing of it reaches the agent
	Handle   func(context.Context, *Received) agent.Reply
	// First reports whether a key is given for the first time; nil if nothing is kept.
	First func(key string) bool

	// Status is the exit status with which Run answers, and Refusal the text for standard error: some runtimes read refusals there.
	Status  int
	Refusal string
	// Void is set by Run if the payload is of no event.
	Void bool
}

// Received is an event of a session that is to be handled.
type Received struct {
	*agent.Event
	Project *project.Project
	Runtime string
	Began   time.Time   // when the payload had been read
	Debug   func(error) // takes what goes wrong
}

// Off is the environment variable that turns the hooks off, for agents that a user runs
// within a hook of another agent: their events would be mistaken for the user's.
const Off = "KEN_NO_HOOKS"

// Limits of a payload.
const (
	maxPayload = 8 << 20
	maxWait    = 3 * time.Second
)

// maxTranscript is the largest transcript of Claude Code that is read, by event: the work at a stop has half a second and 32 MB take a
// third of it; at the end of a session the runtime soon ends the process.
var maxTranscript = map[agent.Kind]int64{agent.StopAsync: 32 << 20, agent.SessionEnd: 8 << 20}

// Run handles one event. It fails only if the command line names an unknown runtime or event.
func (c *Command) Run(ctx context.Context) error {
	if len(c.Args) != 2 {
		return code.Usagef("ken hook takes a runtime and an event: ken hook claude session-start")
	}
	r, ok := runtimes.Named(c.Args[0])
	if !ok {
		return code.Usagef("there is no runtime %q; ken knows %s", c.Args[0], strings.Join(runtimeNames(), ", "))
	}
	kind := agent.Kind(c.Args[1])
	if !slices.Contains(agent.Kinds(), kind) {
		return code.Usagef("there is no event %q", c.Args[1])
	}
	answer := speech.Neutral(r, kind)
	if c.Getenv(Off) == "" {
		c.answer(ctx, r, kind, &answer)
	}
	c.Status, c.Refusal = answer.Status, answer.Err
	if len(answer.Out) > 0 {
		if _, err := c.Stdout.Write(answer.Out); err != nil {
			c.Debug(err)
		}
	}
	return nil
}

func runtimeNames() (names []string) {
	for _, r := range runtimes.All() {
		names = append(names, r.Name)
	}
	return names
}

// answer handles an event and replaces the answer that changes nothing, unless something goes wrong.
func (c *Command) answer(ctx context.Context, declared runtimes.Runtime, kind agent.Kind, to *speech.Answer) {
	defer func() {
		if r := recover(); r != nil {
			c.Debug(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	if kind == agent.StopAsync {
		c = c.detached(ctx)
	}
	raw, err := readPayload(c.Stdin)
	began := c.Now()
	if err != nil {
		c.Debug(err)
		return
	}
	m, err := speech.Decode(declared, kind, raw, c.Getenv)
	if err != nil {
		c.Debug(err)
		return
	}
	if m.Dir == "" {
		m.Dir = c.Dir
	}
	if c.Void = m.Void; c.Void {
		return
	}
	if m.Repeats && c.First != nil && !c.First(m.Runtime.Name+" "+string(kind)+" "+m.Session) {
		return
	}
	out, err := m.Encode(c.reply(ctx, m, began))
	if err != nil {
		c.Debug(err)
		return
	}
	*to = out
}

// reply handles an event, in its project if there is one.
func (c *Command) reply(ctx context.Context, m *speech.Message, began time.Time) agent.Reply {
	p, open, cause := c.project(m.Event)
	if p == nil {
		return c.Unopened(m.Event, open, cause)
	}
	return c.handle(ctx, p, m, began)
}

// handle handles an event of a project.
func (c *Command) handle(ctx context.Context, p *project.Project, m *speech.Message, began time.Time) agent.Reply {
	e, kind := m.Event, m.Kind
	if p.Events != nil {
		if err := p.Events.Note(string(kind), c.Now()); err != nil {
			c.Debug(err)
		}
	}
	if most := maxTranscript[kind]; most > 0 && e.Transcript != "" && m.IsNative() {
		var err error
		if e.Tokens, err = claude.TokensUsed(e.Transcript, most); err != nil {
			c.Debug(err)
		}
	}
	return c.Handle(ctx, &Received{Event: e, Project: p, Runtime: m.Runtime.Name, Began: began, Debug: c.Debug})
}

// detached returns the command for an event that the runtime does not wait for. If the runtime ends
// and takes it along, nothing is lost, because the next session start continues the work.
func (c *Command) detached(ctx context.Context) *Command {
	quiet := *c
	quiet.Debug = func(err error) {
		if ctx.Err() == nil {
			c.Debug(err)
		}
	}
	return &quiet
}

var (
	errTooLarge = errors.New("the payload is larger than 8 MB")
	errTooSlow  = errors.New("the payload did not end within 3 seconds")
)

// readPayload reads the payload within its limits. A read that is still blocked after the deadline ends with the process.
func readPayload(in io.Reader) ([]byte, error) {
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
		done <- result{raw, err}
	}()
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.err == nil && len(r.raw) > maxPayload {
			r.err = errTooLarge
		}
		return r.raw, r.err
	case <-timer.C:
		return nil, errTooSlow
	}
}

// project returns the project that an event is about: that of the file that a tool writes, else that of the directory the agent works in;
// nil if there is none or it cannot be opened. A write in a session that works on a guarded task is always about the project of the task,
// because a project within it, a link into it or another directory to work in must not switch its guard off. open is that task, and cause
// the reason why a project cannot be opened.
func (c *Command) project(e *agent.Event) (p *project.Project, open *task.OpenTask, cause error) {
	p, cause = c.openNearest(e)
	if p != nil && (e.Kind != agent.BeforeTool || e.Tool != agent.Edit) {
		return p, nil, nil
	}
	bound := c.Bound(e.Session, e.Agent)
	if len(bound) == 0 {
		return p, nil, cause
	}
	open = &bound[0]
	for i := range bound {
		if within(e, bound[i].Project) {
			open = &bound[i]
		}
	}
	if p != nil && p.Bound != nil {
		if _, ok := p.Bound.Task(e.Session, e.Agent); ok {
			return p, open, nil
		}
	}
	if e.Tool != agent.Edit || open.Project == "" {
		return p, open, cause
	}
	outer, err := c.Open(open.Project)
	if err != nil {
		c.Debug(err)
	}
	return outer, open, err
}

// within reports whether a file that an event is about, or else the directory that the agent works in, is below root.
func within(e *agent.Event, root string) bool {
	if root == "" {
		return false
	}
	for _, f := range append(slices.Clone(e.Files), e.Dir) {
		if !filepath.IsAbs(f) {
			continue
		}
		rel, err := filepath.Rel(root, project.RealPath(f))
		return err == nil && filepath.IsLocal(rel)
	}
	return false
}

// openNearest returns the project of the file that a tool writes, else that of the directory that the agent works in, and why one could
// not be opened.
func (c *Command) openNearest(e *agent.Event) (p *project.Project, cause error) {
	var dirs []string
	for _, f := range e.Files {
		if filepath.IsAbs(f) {
			dirs = append(dirs, existingDir(filepath.Dir(f)))
		}
	}
	if filepath.IsAbs(e.Dir) {
		dirs = append(dirs, e.Dir)
	}
	for _, d := range dirs {
		p, err := c.Open(d)
		if err != nil {
			c.Debug(err)
			cause = errors.Join(cause, err)
		}
		if p != nil {
			return p, nil
		}
	}
	return nil, cause
}

// existingDir returns the nearest existing directory at or above dir.
func existingDir(dir string) string {
	for {
		if st, err := os.Stat(dir); err == nil && st.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
