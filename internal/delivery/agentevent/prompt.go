package agentevent

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/delivery/block"
	"ken/internal/delivery/notes"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// What a prompt is answered with.
const (
	maxShown  = 5        // lines
	maxLooked = 20       // notes that are ranked
	maxPrompt = 64 << 10 // how much of a prompt is read, in bytes
	maxNote   = 200      // how much of a note is shown, in bytes
)

// prompted remembers that there was a prompt and shows what is remembered of what it is
// about: at most five lines, each once in a session, and mostly nothing. Queries in it are
// answered.
func (h *Handler) prompted(ctx context.Context, e *agent.Event) agent.Reply {
	if !h.record(ctx, e, session.Event{Kind: session.Prompted}) {
		return agent.Reply{}
	}
	h.complained(ctx, e)
	reply := h.recalled(ctx, e)
	if answer := h.answer(ctx, e.Text[:min(len(e.Text), maxPrompt)]); answer != "" {
		reply.Context = strings.TrimPrefix(reply.Context+"\n"+answer, "\n")
	}
	return reply
}

// recalled shows what is remembered of what a prompt is about.
func (h *Handler) recalled(ctx context.Context, e *agent.Event) agent.Reply {
	m := h.remember()
	if m == nil {
		return agent.Reply{}
	}
	found, err := m.Like(ctx, notes.Terms(e.Text[:min(len(e.Text), maxPrompt)]), maxLooked)
	if err != nil || len(found) == 0 {
		h.quietly(err)
		return agent.Reply{}
	}
	var items []string
	for i := range found {
		items = append(items, itemOf(&found[i]))
	}
	fresh, err := m.Show(ctx, id(e.Session), id(e.Agent), items[:min(len(items), maxShown)])
	if err != nil {
		h.quietly(err)
		return agent.Reply{}
	}
	shown := map[string]bool{}
	for _, it := range fresh {
		shown[it] = true
	}
	stale, err := notes.Stale(ctx, h.Project, found[:min(len(found), maxShown)])
	h.quietly(err)
	var lines []string
	for i := range found[:min(len(found), maxShown)] {
		if shown[items[i]] {
			lines = append(lines, noteLine(&found[i], stale[i]))
		}
	}
	return says(lines)
}

func itemOf(n *session.Note) string { return fmt.Sprintf("note %d", n.ID) }

// noteLine is a note as one line.
func noteLine(n *session.Note, changed []string) string {
	what := map[session.Kind]string{session.Noted: "noted", session.Decided: "decided", session.Planned: "left to do"}[n.Kind]
	text := n.Text
	if n.Topic != "" {
		text = n.Topic + ": " + text
	}
	line := fmt.Sprintf("- %s %s: %s", n.At.Format("2006-01-02"), what, block.Quote(block.Clip(strings.Join(strings.Fields(text), " "), maxNote)))
	if n.Rationale != "" {
		line += ", because " + block.Quote(block.Clip(strings.Join(strings.Fields(n.Rationale), " "), maxNote))
	}
	if len(changed) > 0 {
		line += fmt.Sprintf(" (possibly outdated: %s changed since)", block.Text(list(changed, 2)))
	}
	return line
}
