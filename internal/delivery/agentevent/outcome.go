package agentevent

import (
	"context"
	"time"

	"ken/internal/delivery/outcomes"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// recordOutcome records how the work of a session turned out. Work that changed nothing has no outcome.
func (h *Handler) recordOutcome(ctx context.Context, r *session.Record, o outcome.Outcome) {
	logs := h.Project.Logs()
	if logs == nil || r == nil || len(r.Files) == 0 {
		return
	}
	w := outcomes.SessionWork(r)
	o.At, o.Session, o.Phase, o.Intent, o.Files = h.Now(), w.Session, w.Phase, w.Intent(), w.Files()
	h.logError(logs.Record(&o))
	h.logError(h.Project.LearnOutcome(ctx, logs, &o))
}

// complaintWindow is the time after a session within which the first prompt of the next session may complain about it.
const complaintWindow = 24 * time.Hour

// recordComplaint records a failed outcome if a prompt complains about earlier work: that of its own session or, if it is the first
// prompt, that of the previous session. The prompt itself is not kept.
func (h *Handler) recordComplaint(ctx context.Context, e *agent.Event) {
	c, ok := outcome.FindComplaint(e.Text[:min(len(e.Text), maxPrompt)])
	if !ok {
		return
	}
	r := h.sessionRecord(ctx, e.Session)
	if r != nil && r.Prompts <= 1 && len(r.Files) == 0 {
		if r = h.previousSession(ctx, e.Session, true); r != nil && h.Now().Sub(r.Last) > complaintWindow {
			r = nil
		}
	}
	h.recordOutcome(ctx, r, outcome.Outcome{
		Result: outcome.Failure, Source: outcome.FromPrompt, Reason: string(c.Kind), Detail: c.Phrase, Confidence: c.Confidence,
	})
}

// judgedAtOnce is the number of earlier sessions that git is asked about at one stop.
const judgedAtOnce = 5

// judgePastSessions asks git, once in a session, whether the edits of earlier sessions were kept.
func (h *Handler) judgePastSessions(ctx context.Context, e *agent.Event) {
	logs := h.Project.Logs()
	if logs == nil || !h.showOnce(ctx, e, "outcomes of git") {
		return
	}
	if _, err := outcomes.Judge(ctx, h.Project, logs, h.Now().UTC(), judgedAtOnce); ctx.Err() == nil {
		h.logError(err)
	}
}
