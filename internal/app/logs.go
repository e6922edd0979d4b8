package app

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks"
	"ken/internal/engine"
	"ken/internal/engine/source/owner"
	"ken/internal/knowledge/outcome"
	"ken/internal/operation"
	"ken/internal/store/linelog"
)

// How large the logs of a project may be, in bytes. Each is kept twice: the file that grows, and the full one before it.
const (
	maxQueryLog   = 2 << 20
	maxOutcomeLog = 1 << 20
)

// openLogs are the logs of a project, nil if none can be kept. Nothing is opened before it is used.
func openLogs(folder *owner.Folder, e *engine.Engine) *outcome.Logs {
	place := folder.Place()
	if place.Logs == "" {
		return nil
	}
	open := func(name string, most int64) *linelog.Log {
		return linelog.New(filepath.Join(place.Logs, name), []byte(place.LogKey), most)
	}
	return &outcome.Logs{Queries: open("queries.jsonl", maxQueryLog), Outcomes: open("outcomes.jsonl", maxOutcomeLog), Hide: e.Hide}
}

// noteAnswer logs an answer of the project that was asked last.
func (o *opener) noteAnswer(a *operation.Answered) {
	if len(o.projects) > 0 {
		o.note(o.projects[len(o.projects)-1], a)
	}
}

// note logs an answer to an agent's session, after the session has it. A failure to log is ignored: an
// answer must not fail or be late because of it.
func (o *opener) note(p *project.Project, a *operation.Answered) {
	if p.NoQueryLog || !a.Logged {
		return
	}
	session := p.Session
	if session == "" && strings.HasPrefix(a.Operation, "task ") {
		session = tasks.QuerySession(context.Background(), p, a.Task)
	}
	if session == "" {
		session = o.session
	}
	if session == "" {
		return
	}
	logs := p.Logs()
	if logs == nil {
		return
	}
	known := p.KnownSecrets()
	q := outcome.Query{
		At: time.Now(), Session: session, Operation: a.Operation, Query: known.MaskString(a.Arguments),
		Found: a.Found, MS: a.Took.Milliseconds(), Bytes: a.Bytes,
	}
	for _, f := range a.Files {
		q.Files = append(q.Files, known.MaskString(f))
	}
	logs.RecordQuery(q) // an error is ignored, see above
}
