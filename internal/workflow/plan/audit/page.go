package audit

import (
	"cmp"
	"fmt"
	"strings"
)

// maxLines is the maximal number of items of a kind in the text for people. The JSON has all items.
const maxLines = 8

// page returns the text for people: first the items that threaten the quality of a milestone, then unfinished work, then the rest.
func (o Open) page() string {
	var b strings.Builder
	i := &o.Items
	writeList(&b, "debug sessions", i.Debug, func(d Debug) string { return d.Slug + " [" + d.Status + "]" + dashPrefixed(d.Hypothesis) })
	writeList(&b, "acceptance tests", i.UAT, func(u UATGap) string {
		return fmt.Sprintf("phase %s: %s [%s], %d not made", u.Phase, u.File, u.Status, u.Open)
	})
	writeList(&b, "verifications", i.Verifications, func(v Verification) string { return fmt.Sprintf("phase %s: %s [%s]", v.Phase, v.File, v.Status) })
	writeList(&b, "quick tasks", i.Quick, func(q Quick) string {
		return cmp.Or(q.ID, q.Slug) + " [" + q.Status + "]" + dashPrefixed(q.Description)
	})
	writeList(&b, "todos", i.Todos, func(t Todo) string {
		return t.File + dashPrefixed(t.Area) + dashPrefixed(t.Priority) + dashPrefixed(t.Summary)
	})
	writeList(&b, "threads", i.Threads, func(t Thread) string { return t.Slug + " [" + t.Status + "]" + dashPrefixed(t.Title) })
	writeList(&b, "seeds", i.Seeds, func(s Seed) string { return s.ID + " [" + s.Status + "]" + dashPrefixed(s.Title) })
	writeList(&b, "open questions", i.Questions, func(q Questions) string {
		return fmt.Sprintf("phase %s: %s: %s", q.Phase, q.File, strings.Join(q.Questions[:min(3, len(q.Questions))], " | "))
	})
	switch {
	case o.Counts.Total > 0:
		fmt.Fprintf(&b, "%d open items: decide about each before the milestone is closed\n", o.Counts.Total)
	case len(o.Problems) > 0:
		b.WriteString("nothing open was found in what could be read\n")
	default:
		b.WriteString("nothing is open\n")
	}
	writeUnread(&b, o.Problems)
	return b.String()
}

func dashPrefixed(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}

// writeList writes a title with the number of items, and below it a line for each.
func writeList[T any](b *strings.Builder, title string, items []T, line func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s: %d\n", title, len(items))
	for n, it := range items {
		if n == maxLines {
			fmt.Fprintf(b, "  and %d more\n", len(items)-maxLines)
			break
		}
		b.WriteString("  " + line(it) + "\n")
	}
}
