package agentevent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/memories"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// maxFiles is how many files of an item are shown.
const maxFiles = 3

// learnedLines returns a line for each learned item relevant to a prompt, each item once in a session.
func (h *Handler) learnedLines(ctx context.Context, e *agent.Event, text string) (lines []string) {
	m := h.openMemory()
	hits, err := m.Learned.Recall(ctx, memory.Query{Text: text, Now: h.Now()}, maxLooked)
	if err != nil {
		h.logError(err)
		return nil
	}
	hits = memory.WorthShowing(slices.DeleteFunc(hits, func(hit memory.Hit) bool { return isForeignOrder(hit.Item) }), maxShown)
	var ids []int64
	for i := range hits {
		ids = append(ids, hits[i].Item.ID)
	}
	fresh, err := m.Learned.ShowItems(ctx, sessionID(e.Session), sessionID(e.Agent), ids, h.Now())
	if err != nil || len(fresh) == 0 {
		h.logError(err)
		return nil
	}
	hits = slices.DeleteFunc(hits, func(hit memory.Hit) bool { return !slices.Contains(fresh, hit.Item.ID) })
	pinned := make([]session.Note, len(hits))
	for i := range hits {
		for _, p := range hits[i].Item.Pins {
			pinned[i].Pins = append(pinned[i].Pins, session.Pin{Target: p.Target, Hash: p.Hash})
		}
	}
	stale, err := memories.StalePins(ctx, h.Project, pinned)
	h.logError(err)
	for i := range hits {
		lines = append(lines, itemLine(hits[i].Item, stale[i]))
	}
	return lines
}

// isForeignOrder reports whether an item came from outside the project and is worded as an order to an agent. Such an item is only shown
// if asked for.
func isForeignOrder(it *memory.Item) bool {
	return it.IsForeign() && len(injection.Scan(it.Topic+"\n"+it.Text)) > 0
}

// itemLine renders an item with its date, source and evidence, and with the files that have changed since.
func itemLine(it *memory.Item, changed []string) string {
	text, why, reasoned := strings.Cut(it.Text, memory.Because)
	if it.Topic != "" {
		text = it.Topic + ": " + text
	}
	what := map[memory.Kind]string{memory.Note: "noted", memory.Decision: "decided", memory.Outcome: "a task that ended well", memory.Edit: "seen"}[it.Kind]
	line := fmt.Sprintf("- %s %s: %s", it.At.Format(time.DateOnly), what, shortQuote(text))
	if reasoned {
		line += ", because " + shortQuote(why)
	}
	if it.Kind == memory.Outcome && len(it.Pins) > 0 {
		var files []string
		for _, p := range it.Pins {
			files = append(files, p.Target)
		}
		line += "; it changed " + agenttext.Text(listFirst(files, maxFiles))
	}
	var about []string
	if by := itemSource(it); by != "" {
		about = append(about, agenttext.Text(by))
	}
	if it.For > 0 {
		about = append(about, fmt.Sprintf("confirmed by %d", it.For))
	}
	if it.Against > 0 {
		about = append(about, fmt.Sprintf("contradicted by %d", it.Against))
	}
	if len(changed) > 0 {
		about = append(about, fmt.Sprintf("possibly outdated: %s changed since", agenttext.Text(listFirst(changed, 2))))
	}
	if len(about) > 0 {
		line += " (" + strings.Join(about, "; ") + ")"
	}
	return line
}

// maxFrom is how much of a name or an id of a session is shown, in bytes.
const maxFrom = 40

// itemSource returns the author of an item, or the session that it comes from if the author is unknown.
func itemSource(it *memory.Item) string {
	switch {
	case it.Kind == memory.Edit:
		return ""
	case it.IsForeign():
		return agenttext.Clip(it.From, maxFrom)
	case it.From != "":
		return "from " + agenttext.Clip(it.From, maxFrom)
	case it.Session != "":
		return "from session " + agenttext.Clip(it.Session, maxFrom)
	}
	return ""
}

// shortQuote returns the beginning of a text on one line, in quotes. Quotes inside the text cannot end it early.
func shortQuote(text string) string {
	return agenttext.Quote(agenttext.Clip(strings.Join(strings.Fields(text), " "), maxNote))
}

// Bounds of a consolidation at a stop or the end of a session. The rest is done the next time.
const (
	maxConsolidate = 400 * time.Millisecond
	consolidatedAt = 300 // items that are related at once
)

// consolidateMemory relates the items learned in a session to the others.
func (h *Handler) consolidateMemory(ctx context.Context) {
	m := h.openMemory()
	if m == nil {
		return
	}
	short, cancel := context.WithTimeout(ctx, maxConsolidate)
	defer cancel()
	if _, err := m.Learned.Consolidate(short, memory.Work{Now: h.Now(), Items: consolidatedAt}); short.Err() == nil {
		h.logError(err)
	}
}
