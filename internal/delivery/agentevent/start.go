package agentevent

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/ask/summary"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/essentials"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/render"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/plan/position"
)

// lookTime is the time that the comparison of the tree with the index may take before a
// session starts. After it, the agent is shown the index as it is, with a note that it
// was not compared.
const lookTime = 150 * time.Millisecond

// keptSessions is the number of recent sessions that are searched for the last one that did something.
const keptSessions = 20

// onSessionStart handles the start of a session. A new one is shown the project and the last session; a compacted one the project and
// its own work; a resumed one only the files changed while it was away.
func (h *Handler) onSessionStart(ctx context.Context, e *agent.Event) agent.Reply {
	before := h.sessionRecord(ctx, e.Session)
	what := session.Event{Kind: session.Started, Source: e.Source}
	var out agent.Reply
	switch e.Source {
	case "resume", "fork":
		out = h.changesSince(ctx, before)
	case "compact":
		h.forgetShownItems(ctx, e)
		out = h.projectSummary(ctx, e, before, &what)
	default:
		if e.Source == "clear" {
			h.forgetShownItems(ctx, e)
		}
		out = h.projectSummary(ctx, e, h.previousSession(ctx, e.Session, false), &what)
	}
	if !h.recordEvent(ctx, e, what) {
		return agent.Reply{}
	}
	return h.withoutMemory(out)
}

// sessionRecord returns the record of a session, or nil if there is none.
func (h *Handler) sessionRecord(ctx context.Context, session string) *session.Record {
	m := h.openMemory()
	if m == nil {
		return nil
	}
	r, ok, err := m.Store.Session(ctx, sessionID(session))
	if err != nil || !ok {
		h.logError(err)
		return nil
	}
	return &r
}

// previousSession returns the last other session that did something. Where ended is set, it also has ended, or had no event for an hour,
// because not every runtime reports the end of a session. Without ended, one that was killed a moment ago counts: its work is what the
// next session has to know, and it cannot be told from one that still runs.
func (h *Handler) previousSession(ctx context.Context, but string, ended bool) *session.Record {
	m := h.openMemory()
	if m == nil {
		return nil
	}
	list, err := m.Sessions(ctx, keptSessions)
	h.logError(err)
	for i := range list {
		r := &list[i]
		over := !ended || !r.Ended.IsZero() || h.Now().Sub(r.Last) > time.Hour
		if r.ID != sessionID(but) && over && !r.IsEmpty() {
			return r
		}
	}
	return nil
}

// openTodos returns the tasks of all sessions that are not done, the oldest first.
func (h *Handler) openTodos(ctx context.Context) (out []string) {
	m := h.openMemory()
	if m == nil {
		return nil
	}
	open, err := m.Notes(ctx, []session.Kind{session.Planned}, true, 0)
	h.logError(err)
	for i := range slices.Backward(open) {
		out = append(out, noteText(&open[i]))
	}
	return out
}

// lastSession returns the description of a session for the beginning of session current: an earlier one, or the same session before its
// context was compacted. todos are the open tasks of all sessions, results the commits and outcomes of the session. It returns nil if
// there is nothing to report.
func lastSession(r *session.Record, current string, todos, results []string) *render.LastSession {
	l := &render.LastSession{Todos: todos}
	if r == nil || r.IsEmpty() {
		if len(todos) == 0 {
			return nil
		}
		return l
	}
	l.ID, l.Same, l.When, l.Duration = r.ID, r.ID == current, r.Last, r.Duration()
	l.Phase, l.Summary = r.Phase, r.Summary(results...)
	l.Unfinished = !l.Same && r.Ended.IsZero()
	for _, n := range r.NotesByKind(session.Decided) {
		l.Decisions = append(l.Decisions, noteText(&n))
	}
	return l
}

func noteText(n *session.Note) string {
	if n.Topic == "" {
		return n.Text
	}
	return n.Topic + ": " + n.Text
}

// Bounds of the commits of a session: those that are looked at and named, and the time after its last event within which one is made by
// the command of that event.
const (
	maxPastCommits  = 50
	maxNamedCommits = 2
	maxSubject      = 80
	commitDelay     = time.Minute
)

// sessionResults returns the commits that were made during a session, the latest first, and its outcome, unless that is of tests, which
// the record has. It returns an error if the history cannot be read.
func (h *Handler) sessionResults(s *view.Snapshot, r *session.Record) (out []string, err error) {
	if r == nil || r.IsEmpty() {
		return nil, nil
	}
	info, err := s.HistoryInfo()
	if err != nil {
		return nil, err
	}
	more := 0
	for n := info.Commits - 1; n >= max(0, info.Commits-maxPastCommits); n-- {
		c, err := s.PastCommit(n)
		if err != nil {
			return nil, err
		}
		if r.Commit != "" && strings.HasPrefix(r.Commit, c.Hash) || c.Time.Before(r.Started.Truncate(time.Second)) {
			break
		}
		switch {
		case c.Time.After(r.Last.Add(commitDelay)) || len(injection.Scan(c.Subject)) > 0:
		case len(out) < maxNamedCommits:
			out = append(out, "committed '"+agenttext.Clip(c.Subject, maxSubject)+"'")
		default:
			more++
		}
	}
	if more > 0 {
		out = append(out, operation.Plural(more, "more commit"))
	}
	if o := h.lastOutcome(r.ID); o != nil {
		out = append(out, outcomeText(o))
	}
	return out, nil
}

// lastOutcome returns the latest outcome of a session that is not of tests, nil if there is none.
func (h *Handler) lastOutcome(id string) *outcome.Outcome {
	logs := h.Project.Logs()
	if logs == nil {
		return nil
	}
	k, err := logs.Read()
	if err != nil {
		h.logError(err)
		return nil
	}
	for i := range slices.Backward(k.Outcomes) {
		if o := &k.Outcomes[i]; o.Session == id && o.Source != outcome.FromTests {
			return o
		}
	}
	return nil
}

func outcomeText(o *outcome.Outcome) string {
	switch o.Source {
	case outcome.FromGit:
		if o.Reason == "mixed" {
			return "some of its edits were reverted"
		}
		return "its edits were " + o.Reason
	case outcome.FromPrompt:
		return "the user was not content"
	}
	return "recorded as " + string(o.Result)
}

// projectSummary replies with the summary of the project and the work of session r.
func (h *Handler) projectSummary(ctx context.Context, e *agent.Event, r *session.Record, what *session.Event) agent.Reply {
	var sum *summary.Summary
	var o render.SummaryOptions
	var results []string
	soon, err := h.Project.Engine.AnswerSoon(ctx, lookTime, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		if sum, err = summary.Start(ctx, s, render.WrittenPages(h.Project, s)); err != nil {
			return nil, err
		}
		if o.Known, err = s.KnownSecrets(); err != nil {
			return nil, err
		}
		if o.Excluded, err = h.Project.Excluded(s); err != nil {
			return nil, err
		}
		if h.Project.Counted != nil {
			counted, _ := h.Project.Counted.Get()
			sum.Patterns, sum.Pages = counted.Patterns, counted.Pages
		}
		if err := render.SetRules(ctx, s, sum, h.Runtime); err != nil {
			return nil, err
		}
		if o.Documents, err = essentials.SummaryLine(h.Project, s); err != nil {
			return nil, err
		}
		if at, ok := position.ProjectPosition(h.Project.Root, "", h.Project.State); ok {
			if len(injection.Scan(at.Name)) > 0 {
				at.Name = ""
			}
			o.Planning = at.Line()
		}
		if results, err = h.sessionResults(s, r); err != nil {
			return nil, err
		}
		info, err := s.Info(ctx)
		what.Commit = info.Head
		return nil, err
	})
	if err != nil {
		h.logError(err)
		return agent.Reply{}
	}
	o.Unchecked = !soon.Checked
	fitted, err := render.SessionStart(sum, lastSession(r, sessionID(e.Session), h.openTodos(ctx), results), o)
	h.logError(err)
	return agent.Reply{Context: fitted.Text}
}

// changesSince shows which files changed since a session's last event: those that the look at the
// tree finds, and those that another command found before. Where the look does not end in time nothing is shown.
func (h *Handler) changesSince(ctx context.Context, r *session.Record) agent.Reply {
	if r == nil {
		return agent.Reply{}
	}
	var since map[string]session.Change
	var o render.SummaryOptions
	soon, err := h.Project.Engine.AnswerSoon(ctx, lookTime, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		since = map[string]session.Change{}
		for f, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
			if f.Stat.MTime > r.Last.UnixNano() {
				since[f.Path] = session.Modified
			}
		}
		o.Known, err = s.KnownSecrets()
		return nil, err
	})
	if err != nil || !soon.Checked {
		h.logError(err)
		return agent.Reply{}
	}
	for i := range soon.Changes {
		one := edit{changes: soon.Changes[i : i+1]}
		since[soon.Changes[i].Path] = one.changeKind(soon.Changes[i].Path, false)
	}
	var list []render.ChangedFile
	for _, path := range slices.Sorted(maps.Keys(since)) {
		list = append(list, render.ChangedFile{Path: path, What: string(since[path])})
	}
	fitted, err := render.ChangedFiles(list, o)
	h.logError(err)
	return agent.Reply{Context: fitted.Text}
}

// onSubagentStart shows a sub-agent the shorter form.
func (h *Handler) onSubagentStart(ctx context.Context, e *agent.Event) agent.Reply {
	if !h.showOnce(ctx, e, "summary") {
		return agent.Reply{}
	}
	text := ""
	h.logError(h.Project.Engine.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		sum, err := summary.Start(ctx, s, render.WrittenPages(h.Project, s))
		if err != nil {
			return nil, err
		}
		known, err := s.KnownSecrets()
		if err != nil {
			return nil, err
		}
		fitted, err := render.SubagentStart(sum, render.SummaryOptions{Known: known, Unchecked: true})
		text = fitted.Text
		return nil, err
	}))
	return agent.Reply{Context: text}
}
