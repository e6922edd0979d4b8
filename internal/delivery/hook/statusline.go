package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/workflow/plan/position"
)

// StatusLine is one run of `ken statusline`: it reads the state of a session from the runtime, stores how much of its context is
// left, and prints one line: model, present task, position in the plan, directory, and how full the context is. The user's own status
// line comes before it.
type StatusLine struct {
	Stdin  io.Reader
	Stdout io.Writer
	Dir    string // absolute working directory, if the input names none
	Now    func() time.Time
	Open   func(dir string) (*project.Project, error)
	Gauge  project.Gauge
	State  string // the user's state directory, "" if there is none
	Debug  func(error)
	Getenv func(string) string
	// Own is the command of the user's own status line, "" if there is none. It is given the
	// directories that may be a repository's, because nothing that is in them is run.
	Own func(projects []string) string
	// Shown returns a passage of the repository as an agent may be shown it.
	Shown func(passage string) string
}

// status is the part of the input of Claude Code's status line that is used.
type status struct {
	Session   string `json:"session_id"`
	Dir       string `json:"cwd"`
	Workspace struct {
		Dir     string `json:"current_dir"`
		Project string `json:"project_dir"`
	} `json:"workspace"`
	Model struct {
		Name string `json:"display_name"`
	} `json:"model"`
	Context struct {
		Remaining *float64 `json:"remaining_percentage"`
	} `json:"context_window"`
}

// StatusEvent is the event kind under which calls of the status line are logged.
const StatusEvent = "statusline"

// reserved is the percentage of a context that is still free when it is compacted, so that it
// is no room for work.
const reserved = 16.5

// maxTask bounds the shown part of the present task, in characters.
const maxTask = 40

// Run prints the line. It prints nothing if the input cannot be read, and fails if the output cannot be written.
func (l *StatusLine) Run(ctx context.Context) error {
	raw, err := readPayload(l.Stdin)
	if err != nil {
		l.Debug(err)
		return nil
	}
	var s status
	if err := json.Unmarshal(raw, &s); err != nil {
		l.Debug(fmt.Errorf("read the status: %w", err))
		return nil
	}
	if s.Workspace.Dir != "" {
		s.Dir = s.Workspace.Dir
	}
	if !filepath.IsAbs(s.Dir) {
		s.Dir = filepath.Join(l.Dir, s.Dir)
	}
	var parts []string
	if s.Model.Name != "" {
		parts = append(parts, s.Model.Name)
	}
	if task := l.currentTask(ctx, &s); task != "" {
		parts = append(parts, task)
	}
	if at, ok := position.ProjectPosition(s.Dir, l.Getenv("HOME"), l.State); ok {
		parts = append(parts, at.Short())
	}
	parts = append(parts, filepath.Base(s.Dir))
	for i, p := range parts {
		parts[i] = operation.Escape(l.Shown(p))
	}
	line := strings.Join(parts, " │ ")
	if r := s.Context.Remaining; r != nil {
		l.storeRemaining(s.Session, *r)
		line = strings.TrimPrefix(line+" "+contextBar(*r), " ")
	}
	if line = joinLines(l.runOwnLine(ctx, &s, raw), line, l.Getenv("COLUMNS")); line != "" {
		fmt.Fprintln(l.Stdout, line)
	}
	return nil
}

// storeRemaining stores the remaining context with the last warning.
func (l *StatusLine) storeRemaining(id string, remaining float64) {
	r, _ := l.Gauge.Get(id)
	r.Remaining, r.At = remaining, l.Now()
	if err := l.Gauge.Put(id, r); err != nil {
		l.Debug(err)
	}
}

// currentTask returns the first open task of the session.
func (l *StatusLine) currentTask(ctx context.Context, s *status) string {
	p, err := l.Open(s.Dir)
	if err != nil || p == nil {
		return ""
	}
	if p.Events != nil {
		if err := p.Events.Note(StatusEvent, l.Now()); err != nil {
			l.Debug(err)
		}
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return ""
	}
	r, _, err := m.Store.Session(ctx, s.Session)
	if err != nil {
		l.Debug(err)
	}
	open := r.NotesByKind(session.Planned)
	if len(open) == 0 {
		return ""
	}
	text := []rune(strings.Join(strings.Fields(open[0].Text), " "))
	if len(text) > maxTask {
		text = append(text[:maxTask-1], '…')
	}
	return string(text)
}

// contextBar draws how full a context is, relative to the part that can be used before it is compacted.
func contextBar(remaining float64) string {
	left := max(0, min(100, (remaining-reserved)/(100-reserved)*100))
	used := 100 - left
	const cells = 10
	full := int(used/100*cells + 0.5)
	return strings.Repeat("█", full) + strings.Repeat("░", cells-full) + fmt.Sprintf(" %.0f%%", used)
}
