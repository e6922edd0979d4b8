package agentevent

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/delivery/agenttext"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/workflow/agent"
)

// maxWaiting is the number of a session's files whose pages are looked at when the agent stops, because it waits for the answer.
const maxWaiting = 40

// waitingPages returns a line about the pages that wait because of a session's work: of files that it created and of files whose API it
// changed. It returns "" in a project without written pages, in a sub-agent, while a guarded task runs, and after it was returned once in
// the session.
func (h *Handler) waitingPages(ctx context.Context, e *agent.Event) string {
	if _, running := h.boundTask(e); running || e.Agent != "" {
		return ""
	}
	r := h.sessionRecord(ctx, e.Session)
	if r == nil {
		return ""
	}
	files := slices.Concat(r.ChangedFiles(session.Created), r.ChangedFiles(session.Modified))
	if len(files) == 0 {
		return ""
	}
	var waiting []string
	err := h.Project.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		pages := h.Project.Pages(s)
		if pages.IsEmpty() {
			return nil, nil
		}
		waiting = nil
		for _, f := range files[:min(len(files), maxWaiting)] {
			yes, err := pages.Waiting(ctx, s, f)
			if err != nil {
				return nil, err
			}
			if yes {
				waiting = append(waiting, f)
			}
		}
		return nil, nil
	})
	h.logError(err)
	if len(waiting) == 0 || !h.showOnce(ctx, e, "waiting pages") {
		return ""
	}
	verb := "waits"
	if len(waiting) > 1 {
		verb = "wait"
	}
	return fmt.Sprintf("[INTELLIGENCE] %s to be written or renewed after this session's changes: %s. If you know why these files exist, `ken entity next --batch %d` "+
		"has the form and `ken entity put FILE` takes a page; else stop again.",
		operation.Plural(len(waiting), "page")+" "+verb, agenttext.Text(listFirst(waiting, maxFiles)), min(len(waiting), 5))
}

// keepPages brings the written pages that the index keeps up to date.
func (h *Handler) keepPages(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, maxConsolidate)
	defer cancel()
	if err := h.Project.KeepPages(ctx); ctx.Err() == nil {
		h.logError(err)
	}
}
