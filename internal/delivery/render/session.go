package render

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ken/internal/delivery/agenttext"
)

// Lengths of the texts of a session, in bytes.
const (
	maxSaid = 240 // its summary
	maxItem = 140 // a decision or task
)

// maxTodos is the number of open tasks that are shown; the others are counted. Those of long ago are shown first, because the code of
// today reminds of those of today.
const maxTodos = 3

const todoHeading = "Remaining tasks"

// The names of the sections about a session: the previous one, or the agent's own after a compaction.
const (
	lastSection = "Last Session"
	sameSection = "This Session"
)

// sectionHeading returns the heading of a section in a block.
func sectionHeading(section string) string { return "\n### " + section + "\n\n" }

// lastSession returns the part about a session, in at most budget tokens with its heading. The
// text is empty if nothing is known or nothing fits. The part is never left out in favour of
// others.
func (c *textCounter) lastSession(l *LastSession, budget int) agenttext.Part {
	if l == nil {
		return agenttext.Part{}
	}
	section := lastSection
	if l.Same {
		section = sameSection
	}
	items := lastItems(l)
	choice := agenttext.Choice{
		Items: len(items), Budget: budget, Count: c.tokens,
		Render: func(n int) string { return sectionHeading(section) + lastText(items, n, len(l.Todos)) },
	}
	_, _, n, err := choice.Fit()
	if err != nil {
		return agenttext.Part{}
	}
	return agenttext.Part{Section: section, Text: lastText(items, n, len(l.Todos)), Rank: math.Inf(-1)}
}

// lastItem is a line about a session, with the heading of the list that it belongs to.
type lastItem struct{ heading, text string }

// lastItems returns the lines, the most important first: open tasks and decisions cannot be seen in the code.
func lastItems(l *LastSession) []lastItem {
	var out []lastItem
	if !l.When.IsZero() {
		out = append(out, lastItem{text: "**When:** " + sessionTime(l) + "\n"})
	}
	if l.Phase != "" {
		out = append(out, lastItem{text: "**Phase:** " + agenttext.Quote(agenttext.Clip(l.Phase, maxItem)) + "\n"})
	}
	if l.Summary != "" {
		out = append(out, lastItem{text: "**Summary:** " + agenttext.Quote(agenttext.Clip(l.Summary, maxSaid)) + "\n"})
	}
	for i := range max(len(l.Todos), len(l.Decisions)) {
		if i < min(len(l.Todos), maxTodos) {
			out = append(out, lastItem{todoHeading, "- " + agenttext.Quote(agenttext.Clip(l.Todos[i], maxItem)) + "\n"})
		}
		if i < len(l.Decisions) {
			out = append(out, lastItem{"Decided", "- " + agenttext.Quote(agenttext.Clip(l.Decisions[i], maxItem)) + "\n"})
		}
	}
	return out
}

func sessionTime(l *LastSession) string {
	out := []string{l.When.UTC().Format("2006-01-02 15:04 UTC")}
	if l.Duration >= time.Minute {
		out = append(out, fmt.Sprintf("%d min", int(l.Duration.Minutes())))
	}
	if l.Unfinished {
		out = append(out, "its end was not reported (interrupted, or still running)")
	}
	return strings.Join(out, ", ")
}

// lastText renders the first n items, each list under its heading, with the number of items left out. todos is the number of open tasks.
func lastText(items []lastItem, n, todos int) string {
	var out strings.Builder
	for _, item := range items[:n] {
		if item.heading == "" {
			out.WriteString(item.text)
		}
	}
	for _, heading := range [...]string{todoHeading, "Decided"} {
		shown, left := "", 0
		for i, item := range items {
			switch {
			case item.heading != heading:
			case i < n:
				shown += item.text
			default:
				left++
			}
		}
		if heading == todoHeading {
			left += max(0, todos-maxTodos)
		}
		if shown == "" && left == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n**%s:**\n%s", heading, shown)
		if left > 0 {
			fmt.Fprintf(&out, "- %d more\n", left)
		}
	}
	return out.String()
}
