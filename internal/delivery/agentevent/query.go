package agentevent

import (
	"context"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// Queries in a prompt: a text between two tags is answered as `ken find --format intel`
// answers it.
const (
	queryBegin = "<intel_query>"
	queryEnd   = "</intel_query>"
	maxQueries = 3
	maxQuery   = 1000 // bytes
	queryFiles = 10
	// hotspots is the query for the files that most others depend on.
	hotspots = "hotspots"
)

// extractQueries returns the queries in a text.
func extractQueries(text string) (out []string) {
	for len(out) < maxQueries {
		_, rest, ok := strings.Cut(text, queryBegin)
		if !ok {
			break
		}
		var q string
		if q, text, ok = strings.Cut(rest, queryEnd); !ok {
			break
		}
		if q = strings.TrimSpace(q); q != "" && len(q) <= maxQuery {
			out = append(out, q)
		}
	}
	return out
}

// answerQueries answers the queries in a text, "" if there are none.
func (h *Handler) answerQueries(ctx context.Context, e *agent.Event, text string) string {
	var out []string
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	for _, q := range extractQueries(text) {
		block, began := "", h.Now()
		note := outcome.Query{Session: sessionID(e.Session), Operation: "find", Query: h.Project.KnownSecrets().MaskString(h.Project.Engine.Hide(q))}
		err := h.Project.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) (err error) {
			block, note.Files, err = h.answerQuery(ctx, s, note.Query)
			return err
		})
		h.logError(err)
		if block == "" {
			continue
		}
		out = append(out, block)
		if logs := h.Project.Logs(); logs != nil && !h.Project.NoQueryLog {
			note.At, note.Found, note.Bytes = h.Now(), len(note.Files) > 0, int64(len(block))
			note.MS = note.At.Sub(began).Milliseconds()
			h.logError(logs.RecordQuery(note))
		}
	}
	return strings.Join(out, "\n")
}

// onStop answers the queries in an agent's last message, if the settings ask for it, and reports the pages that wait: the
// agent goes on with that, once. The next stop is not answered.
func (h *Handler) onStop(ctx context.Context, e *agent.Event) agent.Reply {
	if e.Repeated {
		return agent.Reply{}
	}
	var parts []string
	text := e.Text[max(0, len(e.Text)-maxPrompt):]
	if h.Project.Guards.StopQueries && len(extractQueries(text)) > 0 {
		if !h.recordEvent(ctx, e, session.Event{Kind: session.Stopped}) {
			return agent.Reply{}
		}
		parts = append(parts, strings.TrimSpace(h.answerQueries(ctx, e, text)))
	}
	if line := h.waitingPages(ctx, e); line != "" {
		parts = append(parts, line)
	}
	return agent.Reply{Continue: agent.Continue{Reason: strings.Join(parts, "\n")}}
}

// answerQuery returns the answer to one query, and the files that it names. If nothing matches the query, the answer states that.
func (h *Handler) answerQuery(ctx context.Context, s *view.Snapshot, query string) (text string, files []string, err error) {
	memory, rows, err := memories.Lookup(ctx, h.Project, query).Resolve(ctx, h.Project, s)
	if err != nil {
		return "", nil, err
	}
	var found *find.Found
	if query == hotspots {
		found, err = find.Hotspots(s, queryFiles)
	} else {
		found, err = find.Find(ctx, s, query, find.SearchOptions{Limit: queryFiles, Known: memory})
	}
	if err != nil {
		return "", nil, err
	}
	if len(found.Files) == 0 {
		return "[INTELLIGENCE] no file fits the query\n", nil, nil
	}
	left, err := h.Project.Excluded(s)
	if err != nil {
		return "", nil, err
	}
	intel, err := find.MakeIntel(ctx, s, query, found)
	if err == nil {
		err = render.SetWrittenCardPurposes(ctx, h.Project, s, intel.Matches)
	}
	if err != nil {
		return "", nil, err
	}
	layout := render.QueryBlock(intel, left)
	layout.Parts = append(layout.Parts, memories.RowParts(rows)...)
	for i := range found.Files {
		files = append(files, found.Files[i].Path)
	}
	fitted, err := render.Fit(s, layout, render.QueryBudget)
	return fitted.Text, files, err
}
