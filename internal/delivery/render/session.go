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
		Render: func(n int) string { return sectionHeading(section) + lastText(items, n) },
	}
	_, _, n, err := choice.Fit()
	if err != nil {
		return agenttext.Part{}
	}
	return agenttext.Part{Section: section, Text: lastText(items, n), Rank: math.Inf(-1)}
}

// lastItem is a line about a session, with the heading of the list that it belongs to.
type lastItem struct{ heading, text string }

// lastItems returns the lines, the most important first: open tasks and decisions cannot be seen in the code.
func lastItems(l *LastSession) []lastItem {
	out := []lastItem{{text: "**When:** " + sessionTime(l) + "\n"}}
	if l.Phase != "" {
		out = append(out, lastItem{text: "**Phase:** " + agenttext.Quote(agenttext.Clip(l.Phase, maxItem)) + "\n"})
	}
	if l.Summary != "" {
		out = append(out, lastItem{text: "**Summary:** " + agenttext.Quote(agenttext.Clip(l.Summary, maxSaid)) + "\n"})
	}
	for i := range max(len(l.Todos), len(l.Decisions)) {
		if i < len(l.Todos) {
			out = append(out, lastItem{"Remaining tasks", "- " + agenttext.Quote(agenttext.Clip(l.Todos[i], maxItem)) + "\n"})
		}
		if i < len(l.Decisions) {
			out = append(out, lastItem{"Decided", "- " + agenttext.Quote(agenttext.Clip(l.Decisions[i], maxItem)) + "\n"})
		}
	}
	return out
}

func sessionTime(l *LastSession) string {
	var out []string
	if !l.When.IsZero() {
		out = append(out, l.When.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if l.Duration >= time.Minute {
		out = append(out, fmt.Sprintf("%d min", int(l.Duration.Minutes())))
	}
	if len(out) == 0 {
		return "not known"
	}
	return strings.Join(out, ", ")
}

// lastText renders the first n items, each list under its heading, with the number of items left out.
func lastText(items []lastItem, n int) string {
	var out strings.Builder
	for _, item := range items[:n] {
		if item.heading == "" {
			out.WriteString(item.text)
		}
	}
	for _, heading := range [...]string{"Remaining tasks", "Decided"} {
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
