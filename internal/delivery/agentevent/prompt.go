package agentevent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/memories"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// onPrompt remembers the prompt and replies with remembered items relevant to it: at most five lines, each once in a session, and
// mostly none. It answers the queries in the prompt.
func (h *Handler) onPrompt(ctx context.Context, e *agent.Event) agent.Reply {
	if !h.recordEvent(ctx, e, session.Event{Kind: session.Prompted}) {
		return agent.Reply{}
	}
	h.keepPrompt(ctx, e)
	h.recordComplaint(ctx, e)
	reply := h.recallForPrompt(ctx, e)
	if answer := h.answerQueries(ctx, e, e.Text[:min(len(e.Text), maxPrompt)]); answer != "" {
		reply.Context = strings.TrimPrefix(reply.Context+"\n"+answer, "\n")
	}
	return reply
}

// recallForPrompt replies with learned items and open tasks relevant to a prompt.
func (h *Handler) recallForPrompt(ctx context.Context, e *agent.Event) agent.Reply {
	m := h.openMemory()
	if m == nil {
		return agent.Reply{}
	}
	text := e.Text[:min(len(e.Text), maxPrompt)]
	lines := h.learnedLines(ctx, e, text)
	open, err := m.Like(ctx, memories.Terms(text), maxLooked)
	if err != nil {
		h.logError(err)
		return newReply(lines)
	}
	open = slices.DeleteFunc(open, func(n session.Note) bool { return n.Kind != session.Planned })
	return newReply(append(lines, h.todoLines(ctx, e, open[:min(len(open), maxShown-len(lines))])...))
}

// todoLines returns a line for each open task that was not shown in the session yet.
func (h *Handler) todoLines(ctx context.Context, e *agent.Event, open []session.Note) (lines []string) {
	var items []string
	for i := range open {
		items = append(items, noteItemID(&open[i]))
	}
	fresh, err := h.openMemory().Show(ctx, sessionID(e.Session), sessionID(e.Agent), items)
	if err != nil {
		h.logError(err)
		return nil
	}
	stale, err := memories.StalePins(ctx, h.Project, open)
	h.logError(err)
	for i := range open {
		if slices.Contains(fresh, items[i]) {
			lines = append(lines, noteLine(&open[i], stale[i]))
		}
	}
	return lines
}

func noteItemID(n *session.Note) string { return fmt.Sprintf("note %d", n.ID) }

// noteLine renders an open task as one line.
func noteLine(n *session.Note, changed []string) string {
	text := n.Text
	if n.Topic != "" {
		text = n.Topic + ": " + text
	}
	line := fmt.Sprintf("- %s left to do: %s", n.At.Format(time.DateOnly), agenttext.Quote(agenttext.Clip(strings.Join(strings.Fields(text), " "), maxNote)))
	if len(changed) > 0 {
		line += fmt.Sprintf(" (possibly outdated: %s changed since)", agenttext.Text(listFirst(changed, 2)))
	}
	return line
}

// keepPrompt keeps a prompt for the quotes of a task: of a session that is bound to one, and of others only where
// tasks are in use, because the prompt that asks for a task comes before it.
func (h *Handler) keepPrompt(ctx context.Context, e *agent.Event) {
	b := h.Project.Bound
	if b == nil || e.Session == "" || e.Text == "" || !b.WasUsedLately(h.Now()) {
		return
	}
	m := h.openMemory()
	if m == nil {
		return
	}
	text := e.Text[:min(len(e.Text), maxPrompt)]
	h.logError(m.Tasks.AddPrompt(ctx, sessionID(e.Session), h.Now(), m.Hide(strings.ToValidUTF8(text, "\uFFFD"))))
}

// forgetPrompts forgets the prompts of a session that ends without a task, because no quote will be looked for in them.
func (h *Handler) forgetPrompts(ctx context.Context, e *agent.Event) {
	b := h.Project.Bound
	if b == nil || e.Session == "" || !b.WasUsedLately(h.Now()) {
		return
	}
	if _, ok := b.Task(e.Session, ""); ok {
		return
	}
	if m := h.openMemory(); m != nil {
		h.logError(m.Tasks.ForgetPrompts(ctx, sessionID(e.Session)))
	}
}
