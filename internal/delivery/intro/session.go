package intro

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/delivery/block"
)

// Lengths of the texts of a session, in bytes.
const (
	maxSaid = 240 // its summary
	maxItem = 140 // a decision or task
)

const (
	lastSection = "Last Session"
	lastHeading = "\n### " + lastSection + "\n\n"
)

// lastSession is the text about the session before, in at most so many tokens with its
// heading; "" if nothing is known or fits.
func (c *counter) lastSession(l *LastSession, budget int) string {
	if l == nil {
		return ""
	}
	items := lastItems(l)
	choice := block.Choice{
		Items: len(items), Budget: budget, Count: c.tokens,
		Render: func(n int) string { return lastHeading + lastText(items, n) },
	}
	_, _, n, err := choice.Fit()
	if err != nil {
		return ""
	}
	return lastText(items, n)
}

// lastItem is a line about a session; those of a list come under its heading.
type lastItem struct{ heading, text string }

// lastItems are the lines, the most important first: what was left to do and what was
// decided are not seen in the code.
func lastItems(l *LastSession) []lastItem {
	out := []lastItem{{text: "**When:** " + when(l) + "\n"}}
	if l.Phase != "" {
		out = append(out, lastItem{text: "**Phase:** " + block.Quote(block.Clip(l.Phase, maxItem)) + "\n"})
	}
	if l.Summary != "" {
		out = append(out, lastItem{text: "**Summary:** " + block.Quote(block.Clip(l.Summary, maxSaid)) + "\n"})
	}
	for i := range max(len(l.Todos), len(l.Decisions)) {
		if i < len(l.Todos) {
			out = append(out, lastItem{"Remaining tasks", "- " + block.Quote(block.Clip(l.Todos[i], maxItem)) + "\n"})
		}
		if i < len(l.Decisions) {
			out = append(out, lastItem{"Decided", "- " + block.Quote(block.Clip(l.Decisions[i], maxItem)) + "\n"})
		}
	}
	return out
}

func when(l *LastSession) string {
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

// lastText lays out the first n items, each list under its heading, and says how many
// of a list are left out.
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
