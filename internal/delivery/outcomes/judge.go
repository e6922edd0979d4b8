package outcomes

import (
	"context"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
)

// Which sessions git judges: those of the last maxAge, because who has not committed by then does it elsewhere, and not
// before quiet has passed since their last event if nothing said that they ended.
const (
	maxAge   = 30 * 24 * time.Hour
	quiet    = time.Hour
	maxLooks = 50 // sessions
)

// SessionWork is what a session did, as git judges it.
func SessionWork(r *session.Record) *outcome.Work {
	w := &outcome.Work{Session: r.ID, Phase: r.Phase, Commit: r.Commit, Began: r.Started}
	for _, f := range r.Files {
		w.Changes = append(w.Changes, outcome.Change{Path: f.Path, Created: f.Change == session.Created, Deleted: f.Change == session.Deleted})
	}
	return w
}

// Judge records of the sessions that are over, and of which it is not recorded yet, whether git shows their edits to be kept or
// reverted. most is how many git is asked about, the latest first; 0 is all. What it returns was recorded.
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
			if err = logs.Record(o); err == nil {
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

// changedSomething reports whether there is anything that git could say of a session.
func changedSomething(r *session.Record) bool { return len(r.Files) > 0 && r.Commit != "" }
