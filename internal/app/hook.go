package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/config"
	"ken/internal/delivery/agentevent"
	"ken/internal/delivery/hook"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/delivery/setup"
	"ken/internal/engine"
	"ken/internal/engine/source"
	"ken/internal/engine/source/known"
	"ken/internal/engine/source/owner"
	"ken/internal/engine/store"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
	"ken/internal/store/hookstate"
	"ken/internal/store/spool"
	"ken/internal/store/sqlite/memory"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/install"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/process"
)

// hook runs `ken hook RUNTIME EVENT` and `ken statusline`. They are no operations, because they read the
// event format of a runtime and answer in it. They end with 0 whatever goes wrong, because runtimes take other
// codes for a refusal.
func (p *Program) hook(ctx context.Context, o *opener, out *known.Writer) int {
	start := time.Now()
	var build func() error // of the index of a clone
	log := hookLog{getenv: p.Getenv, what: strings.Join(p.Args[1:min(len(p.Args), 3)], " ")}
	defer log.flush()
	o.stderr, o.hook = &log, true
	c := hook.Command{
		Args: p.Args[1:], Stdin: p.Stdin, Stdout: out, Getenv: p.Getenv, Dir: p.Dir, Now: time.Now, Debug: log.fault,
		Open: func(dir string) (*project.Project, error) {
			p, err := o.open(dir, operation.Existing)
			if errors.Is(err, store.ErrNoIndex) || errors.Is(err, os.ErrNotExist) {
				return nil, nil
			}
			return p, err
		},
		Bound: func(session, agent string) []task.OpenTask {
			state, err := config.StateDir(p.Getenv)
			if err != nil || state == "" {
				return nil
			}
			return hookstate.OpenTasks(state, session, agent)
		},
		Unopened: func(e *agent.Event, open *task.OpenTask, cause error) agent.Reply {
			u := agentevent.Unopened{Open: open}
			if cause != nil {
				u.Why = "the project cannot be opened: " + explain(cause, nil)
			}
			own, _, err := config.Load("", p.Getenv)
			u.Advise = err == nil && own.TaskGuard == "advise"
			return u.Handle(e)
		},
		Handle: func(ctx context.Context, r *hook.Received) agent.Reply {
			h := agentevent.Handler{Project: r.Project, Runtime: r.Runtime, Began: r.Began, Now: time.Now, Debug: r.Debug}
			h.Building, build = p.buildBehind(r.Project)
			h.Foreign = r.Event.Kind == agent.SessionStart && r.Project.Foreign()
			reply := h.Handle(ctx, r.Event)
			if r.Event.Kind == agent.SessionStart && reply.Notice == "" {
				reply.Notice = setup.OutdatedNotice(p.Getenv, r.Runtime, r.Project.Root)
			}
			return reply
		},
	}
	c.First = firstsIn(p.Getenv)
	run := c.Run
	if p.Args[0] == "statusline" {
		state, _ := config.StateDir(p.Getenv)
		line := hook.StatusLine{
			Stdin: p.Stdin, Stdout: out, Dir: p.Dir, Now: time.Now, Open: c.Open, Debug: log.fault, Gauge: gaugeIn(state), State: state, Getenv: p.Getenv,
			Own:   func(projects []string) string { return userStatusLine(state, p.Getenv, projects) },
			Shown: injection.Shown,
		}
		run = line.Run
	}
	if err := run(ctx); err != nil {
		fmt.Fprintln(p.Stderr, "ken: "+operation.Escape(err.Error()))
	}
	if err := out.Flush(); err != nil {
		log.fault(err)
	}
	if build != nil { // only now, because it would take the processors from the hook
		if err := build(); err != nil {
			log.fault(err)
		}
	}
	if p.Getenv("KEN_DEBUG") != "" {
		log.flush()
		line := fmt.Sprintf("done in %d ms", time.Since(start).Milliseconds())
		if c.Void {
			line += ", of no event"
		}
		log.write(line)
	}
	if c.Refusal != "" {
		io.WriteString(p.Stderr, c.Refusal)
	}
	return c.Status
}

// firstsIn returns the function that reports whether a key is given for the first time, as kept in the user's state directory; nil
// without one.
func firstsIn(getenv func(string) string) func(string) bool {
	return func(key string) bool {
		state, err := config.StateDir(getenv)
		return err != nil || state == "" || hookstate.Firsts{Dir: filepath.Join(state, "first")}.Take(key, time.Now())
	}
}

// A build in the background has the lock of writers within buildBegins of its start, and is started again only after rebuildAfter if it
// has left no index, because one that fails would fail again.
const (
	buildBegins  = time.Second
	rebuildAfter = 10 * time.Second
)

// buildBehind reports whether the index of a project that came with knowledge is being built in the background, and returns the function
// that starts that if no other process builds it; nil if it need not. Hooks of one moment may start several builds: the first has the lock
// of writers, and the others find its index.
func (p *Program) buildBehind(project *project.Project) (building bool, start func() error) {
	if !project.Missing() || !project.IsDir(".ken/knowledge") || p.Self == "" || project.Events == nil {
		return false, nil
	}
	since := rebuildAfter
	if last, ok := project.Events.Last("build"); ok {
		since = time.Since(last)
	}
	switch {
	case project.Built(), since < buildBegins:
		return true, nil
	case since < rebuildAfter: // it failed, or was killed
		return false, nil
	}
	if err := project.Events.Note("build", time.Now()); err != nil {
		return false, func() error { return err }
	}
	return true, func() error { return process.StartDetached(p.Self, project.Root, "index") }
}

// userStatusLine is the command of the status line that the user has without ken.
func userStatusLine(state string, getenv func(string) string, projects []string) string {
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return ""
	}
	o := claude.Options{Home: home, ConfigDir: getenv("CLAUDE_CONFIG_DIR")}
	if !o.UserSettingsApart(projects) {
		return ""
	}
	return claude.UserStatusLine(&install.Installer{State: state}, o)
}

// gaugeIn returns the readings of sessions' contexts that are kept in the user's state directory; without one it keeps none.
func gaugeIn(state string) hookstate.Gauge {
	if state == "" {
		return hookstate.Gauge{}
	}
	return hookstate.Gauge{Dir: filepath.Join(state, "context")}
}

// openMemory returns the memory of a project, nil if it has none. It fails with project.ErrNoMemory if create is set and there is no
// place for one.
func openMemory(folder *owner.Folder, e *engine.Engine, create bool) (*project.Memory, error) {
	place := folder.Place()
	if create {
		var err error
		if place, err = folder.PlaceWithMemory(); err != nil {
			return nil, err
		}
	}
	switch {
	case place.Memory != "":
		m := memory.NewSealed(place.Memory, place.Print, place.TaskKey)
		return &project.Memory{
			Store: m, Pages: m, Learned: m, Graph: m, Tasks: m, Worktrees: m, Spool: spool.New(place.Spool, []byte(place.SpoolKey)), Hide: e.Hide,
		}, nil
	case create:
		return nil, project.ErrNoMemory
	}
	return nil, nil
}

// hookLog is the log of failures in hooks, in the user's state directory: output elsewhere
// is not seen. It is an io.Writer for warnings.
type hookLog struct {
	getenv func(string) string
	what   string // runtime and event

	mu    sync.Mutex
	lines []string // of this event, so far
}

// maxLog is how large the log may be before it begins anew, in bytes; the one before is kept.
const maxLog = 1 << 20

func (l *hookLog) fault(err error) { l.write(source.Redact(err.Error())) }

// Write takes a warning.
func (l *hookLog) Write(b []byte) (int, error) {
	l.write(strings.TrimSpace(string(b)))
	return len(b), nil
}

// maxLines is how many of an event's lines are kept.
const maxLines = 20

// write adds a text to the event's line: an event has one line, so that lines count events.
func (l *hookLog) write(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < maxLines && !slices.Contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
}

// flush writes the line. Where there is no place for it, nothing can be done about it.
func (l *hookLog) flush() {
	l.mu.Lock()
	line := strings.Join(l.lines, "; ")
	l.lines = nil
	l.mu.Unlock()
	if line == "" {
		return
	}
	path := config.HookLog(l.getenv)
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		return
	}
	if err == nil && st.Size() > maxLog {
		os.Rename(path, path+".1")
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %s: %s\n", time.Now().UTC().Format(time.RFC3339), operation.Escape(l.what), operation.Escape(line))
}

// maxPlanSettings is the largest config.json of a planning folder that hooks read.
const maxPlanSettings = 1 << 20

// planHooks reads what the settings of a planning folder ask of hooks. A file that is missing, a link or not readable asks nothing.
func planHooks(root string) (p project.PlanHooks) {
	in, err := os.OpenRoot(root)
	if err != nil {
		return p
	}
	defer in.Close()
	name := filepath.Join(".planning", "config.json")
	if i, err := in.Lstat(name); err != nil || !i.Mode().IsRegular() || i.Size() > maxPlanSettings {
		return p
	}
	text, err := in.ReadFile(name)
	if err != nil {
		return p
	}
	s := settings.Parse(string(text))
	if s.Unreadable() {
		return p
	}
	return project.PlanHooks{
		WorkflowGuard: s.IsOn("hooks.workflow_guard"), Checks: s.IsOn("hooks.community"), NoContextWarnings: !s.IsOn("hooks.context_warnings"),
	}
}
