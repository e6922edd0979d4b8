package outcomes

import (
	"context"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
)

// Bounds of the sessions that git judges: those of the last maxAge, because older work was committed elsewhere, and, if no end was
// reported, not before quiet has passed since their last event.
const (
	maxAge   = 30 * 24 * time.Hour
	quiet    = time.Hour
	maxLooks = 50 // sessions
)

// SessionWork returns the work of a session in the form in which git judges it.
func SessionWork(r *session.Record) *outcome.Work {
	w := &outcome.Work{Session: r.ID, Phase: r.Phase, Commit: r.Commit, Began: r.Started}
	for _, f := range r.Files {
		w.Changes = append(w.Changes, outcome.Change{Path: f.Path, Created: f.Change == session.Created, Deleted: f.Change == session.Deleted})
	}
	return w
}

// Judge asks git of each session that is over and not judged yet whether its edits were kept or reverted, and records the result. most
// bounds the number of sessions, the latest first; 0 is all. It returns the outcomes that it recorded, and fails if the logs, the
// memory or git cannot be read.
func Judge(ctx context.Context, p *project.Project, logs *outcome.Logs, now time.Time, most int) (out []outcome.Outcome, err error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return nil, err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	list, err := m.Sessions(ctx, maxLooks)
	if err != nil {
		return nil, err
	}
	kept, err := logs.Read()
	if err != nil {
		return nil, err
	}
	judged := map[string]bool{}
	for _, o := range kept.Outcomes {
		if o.Source == outcome.FromGit {
			judged[o.Session] = true
		}
	}
	tried := 0
	for i := range list {
		if ctx.Err() != nil || most > 0 && tried == most {
			break
		}
		r := &list[i]
		over := !r.Ended.IsZero() || now.Sub(r.Last) > quiet
		if judged[r.ID] || !over || now.Sub(r.Last) > maxAge || !changedSomething(r) {
			continue
		}
		tried++
		o, ok, err := outcome.Judge(ctx, p.Root, SessionWork(r), now)
		if err == nil && ok {
			if err = logs.Record(&o); err == nil {
				err = p.LearnOutcome(ctx, logs, &o)
			}
		}
		if err != nil {
			return out, err
		}
		if ok {
			out = append(out, o)
		}
	}
	return out, ctx.Err()
}

// changedSomething reports whether a session has edits that git can judge.
func changedSomething(r *session.Record) bool { return len(r.Files) > 0 && r.Commit != "" }
