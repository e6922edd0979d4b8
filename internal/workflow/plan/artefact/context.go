package artefact

import (
	"strings"

	"ken/internal/workflow/plan/document"
)

// Decision is a decision that was made when a phase was discussed.
type Decision struct {
	ID, Text string // D-01
	Category string // the heading above it
	Tags     []string
	// Tracked reports whether plans must implement the decision. Decisions left to the implementer, or only for information, are not
	// tracked.
	Tracked bool
}

// ParseDecisions returns the decisions in all blocks <decisions> of a CONTEXT.md, such as "- **D-01:** text" or "- **D-01
// [informational]:** text". If no block is closed, as in a half-written file, it searches the whole text, because a decision that is
// not found passes every check.
func ParseDecisions(text string) []Decision {
	d := document.Parse(text)
	var list []Decision
	found := false
	for _, tag := range d.Tags(d.Body()) {
		if tag.Name == "decisions" {
			found = true
			list = append(list, decisionsIn(d, document.Range{From: tag.Line, To: d.LineAt(tag.Inner.End) + 1})...)
		}
	}
	if !found {
		list = decisionsIn(d, d.Body())
	}
	return list
}

func decisionsIn(d *document.Document, r document.Range) (list []Decision) {
	titles := map[int]string{}
	for _, h := range d.HeadingsIn(r) {
		titles[h.Line] = h.Text.Text(d.Text())
	}
	category, open := "", false
	for i := r.From; i < min(r.To, d.LineCount()); i++ {
		line := d.Line(i)
		trimmed := strings.TrimSpace(line)
		it, item := d.ItemAt(i)
		switch title, heading := titles[i]; {
		case heading:
			category, open = strings.TrimSpace(title), false
		case item:
			var one Decision
			if one, open = parseDecision(it.Text.Text(d.Text())); open {
				one.Category = category
				one.Tracked = isTracked(&one)
				list = append(list, one)
			}
		case trimmed == "" || d.Kind(i) != document.Text || line == strings.TrimLeft(line, " \t"):
			open = false
		case open:
			list[len(list)-1].Text += " " + trimmed
		}
	}
	return list
}

// parseDecision reads **D-01:** text, **D-01**: text and **D-01 [tag, tag]:** text; the stars may be missing, or unclosed.
func parseDecision(item string) (Decision, bool) {
	bold := strings.HasPrefix(item, "**")
	rest := strings.TrimPrefix(item, "**")
	head, text, ok := strings.Cut(rest, ":")
	if before, after, tags := strings.Cut(rest, "]"); tags && strings.Contains(before, "[") && len(before) > len(head) {
		// This colon is in a tag; the one after the tags ends the id.
		_, text, ok = strings.Cut(after, ":")
		head = before + "]"
	}
	if !ok && bold {
		head, text, ok = strings.Cut(rest, "**")
	}
	if !ok {
		return Decision{}, false
	}
	head, tags, _ := strings.Cut(strings.Trim(head, "* "), "[")
	d := Decision{ID: strings.Trim(head, "* "), Text: strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(text), "*: "))}
	tags, _, _ = strings.Cut(tags, "]")
	for tag := range strings.SplitSeq(tags, ",") {
		if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
			d.Tags = append(d.Tags, tag)
		}
	}
	return d, isDecision(d.ID)
}

// isDecision reports whether a text is the id of a decision: D-01, D-INFRA-01.
func isDecision(id string) bool {
	name, ok := strings.CutPrefix(id, "D-")
	if !ok || name == "" || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "_") {
		return false
	}
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

func isTracked(d *Decision) bool {
	category := strings.ToLower(d.Category)
	if strings.Contains(category, "discretion") || strings.Contains(category, "deferred") {
		return false
	}
	for _, tag := range d.Tags {
		switch tag {
		case "informational", "folded", "deferred":
			return false
		}
	}
	return true
}
