package agentevent

import (
	"context"
	"time"

	"ken/internal/delivery/outcomes"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// turnedOut records how the work of a session turned out. Work that changed nothing has no outcome.
func (h *Handler) turnedOut(ctx context.Context, r *session.Record, o outcome.Outcome) {
	logs := h.Project.Logs()
	if logs == nil || r == nil || len(r.Files) == 0 {
		return
	}
	w := outcomes.WorkOf(r)
	o.At, o.Session, o.Phase, o.Intent, o.Files = h.Now(), w.Session, w.Phase, w.Intent(), w.Files()
	h.quietly(logs.Record(o))
	h.quietly(h.Project.LearnOutcome(ctx, logs, &o))
}

// byTests records what a run of tests says of the edits before it.
func (h *Handler) byTests(ctx context.Context, e *agent.Event, t *session.TestRun) {
	o := outcome.Outcome{Result: outcome.Failure, Source: outcome.FromTests, Reason: "failed", Detail: t.Command}
	if t.Passed {
		o.Result, o.Reason = outcome.Success, "passed"
	}
	h.turnedOut(ctx, h.recordOf(ctx, e.Session), o)
}

// since is how long after a session the first prompt of the next one may be about it.
const since = 24 * time.Hour

// complained records that a prompt says that the work before has failed: the work of the session, or, with its
// first prompt, that of the session before. The prompt is not kept.
func (h *Handler) complained(ctx context.Context, e *agent.Event) {
	c, ok := outcome.FindComplaint(e.Text[:min(len(e.Text), maxPrompt)])
	if !ok {
		return
	}
	r := h.recordOf(ctx, e.Session)
	if r != nil && r.Prompts <= 1 && len(r.Files) == 0 {
		if r = h.lastEnded(ctx, e.Session); r != nil && h.Now().Sub(r.Last) > since {
			r = nil
		}
	}
	h.turnedOut(ctx, r, outcome.Outcome{
		Result: outcome.Failure, Source: outcome.FromPrompt, Reason: string(c.Kind), Detail: c.Phrase, Confidence: c.Confidence,
	})
}

// judgedAtOnce is of how many sessions one stop asks git.
const judgedAtOnce = 5

// judge has git say, once in a session, whether the edits of the sessions before were kept.
func (h *Handler) judge(ctx context.Context, e *agent.Event) {
	logs := h.Project.Logs()
	if logs == nil || !h.first(ctx, e, "outcomes of git") {
		return
	}
	if _, err := outcomes.Judge(ctx, h.Project, logs, h.Now().UTC(), judgedAtOnce); ctx.Err() == nil {
		h.quietly(err)
	}
}
