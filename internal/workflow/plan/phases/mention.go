package phases

import (
	"regexp"
	"slices"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
)

// NumberMention is a line that contains the number of a removed phase, or the number that a phase had before another was removed. The line
// is not changed, because the meaning of a number in a sentence is unknown: a person has to change it.
type NumberMention struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}

// phasePath matches a path that leads into the folder of a phase, with or without a file.
var phasePath = lazyRegexp(`\bphases/([A-Za-z0-9._-]+)(?:/([A-Za-z0-9._-]+))?`)

// editPaths returns the edits of the paths in text that lead into a renamed folder.
func (n *renumbering) editPaths(text string) (edits []edit.Edit) {
	for _, m := range phasePath().FindAllStringSubmatchIndex(text, -1) {
		if !slices.Contains(n.dirs, text[m[2]:m[3]]) {
			continue
		}
		for i := 2; i < len(m) && m[i] >= 0; i += 2 {
			edits = append(edits, edit.Replacement(text, edit.Span{Start: m[i], End: m[i+1]}, n.newName(text[m[i]:m[i+1]]))...)
		}
	}
	return edits
}

// nonOverlapping returns those of edits that do not overlap any of others.
func nonOverlapping(edits, others []edit.Edit) []edit.Edit {
	return slices.DeleteFunc(edits, func(e edit.Edit) bool {
		return slices.ContainsFunc(others, func(o edit.Edit) bool { return e.Start < o.End && o.Start < e.End })
	})
}

// editTitles returns the edits of the phase numbers in the titles of a document, such as "# Phase 6 Plan 1: Ship".
func (n *renumbering) editTitles(d *document.Document) (edits []edit.Edit) {
	for _, h := range d.Headings() {
		if h.Level == 1 {
			edits = append(edits, n.editFirst(h.Text, d.Text(), phaseWord())...)
		}
	}
	return edits
}

// editFirst returns the edit of the first phase number that the expression find matches in a span.
func (n *renumbering) editFirst(s edit.Span, text string, find *regexp.Regexp) []edit.Edit {
	m := find.FindStringSubmatchIndex(s.Text(text))
	if m == nil {
		return nil
	}
	return n.editNumber(s.Text(text)[m[2]:m[3]], s.Start+m[2])
}

// findMentions returns the lines that contain the old number of a phase, apart from numbers that edits change. It leaves out the lines for
// which skip returns true: those about other things, or changed in another way.
func (n *renumbering) findMentions(file string, d *document.Document, edits []edit.Edit, skip func(line int) bool) (list []NumberMention) {
	changed := func(at int) bool {
		return slices.ContainsFunc(edits, func(e edit.Edit) bool { return e.Start <= at && at < e.End })
	}
	for line := d.Body().From; line < d.LineCount(); line++ {
		if d.Kind(line) == document.Text && !skip(line) && n.isMentioned(d.Line(line), d.Span(line).Start, changed) {
			list = append(list, NumberMention{File: file, Line: line + 1})
		}
	}
	return list
}

// quoteMentions sets the line numbers and texts of mentions to those in d, the document after all edits. more is the number of lines that
// the edits inserted before them.
func quoteMentions(list []NumberMention, d *document.Document, more int) []NumberMention {
	for i := range list {
		list[i].Line += more
		if line := list[i].Line - 1; line >= 0 && line < d.LineCount() {
			list[i].Text = cutText(strings.TrimSpace(d.Line(line)))
		}
	}
	return list
}

func (n *renumbering) isMentioned(text string, start int, changed func(at int) bool) bool {
	for _, m := range phaseList().FindAllStringIndex(text, -1) {
		for _, at := range anyNumber().FindAllStringIndex(text[m[0]:m[1]], -1) {
			id := parseID(text[m[0]+at[0] : m[0]+at[1]])
			if _, moves := n.newID(id); !changed(start+m[0]+at[0]) && (moves || phaseid.Same(id, n.removed)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(phasePath().FindAllStringSubmatchIndex(text, -1), func(m []int) bool {
		id, _, ok := phaseid.ParseFolder(text[m[2]:m[3]])
		return ok && phaseid.Same(id, n.removed) && !changed(start+m[2])
	})
}

// cutText shortens a line for an answer.
func cutText(s string) string {
	const most = 160
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

var (
	entryPhase  = lazyRegexp(`(?i)^\**\[Phase\s+(` + number + `)`)
	metricPhase = lazyRegexp(`(?i)^(?:Phase\s+)?(` + number + `)\b`)
	phaseRange  = lazyRegexp(`(?i)\bPhases?\s+(` + number + `)\s*(?:-|–|—|to)\s*(` + number + `)`)
	versionMark = lazyRegexp(`\bv\d+\.\d+`)
)

// editEntries returns the edits of the phase numbers in STATE.md whose place shows their meaning: at the beginning of an entry, in the
// metrics tables, and in paths.
func (n *renumbering) editEntries(d *document.Document) (edits []edit.Edit) {
	for _, it := range d.Items(d.Body()) {
		edits = append(edits, n.editFirst(it.Text, d.Text(), entryPhase())...)
	}
	if h, ok := d.FindHeading(d.Body(), "Performance Metrics"); ok {
		for _, t := range d.Tables(h.Section()) {
			if d.Column(t, "Phase", "Plan") != 0 {
				continue
			}
			for _, row := range t.Rows {
				edits = append(edits, n.editFirst(row.Cells[0], d.Text(), metricPhase())...)
			}
		}
	}
	return append(edits, nonOverlapping(n.editPaths(d.Text()), edits)...)
}

// editRanges returns the edits of the ranges of phases that milestones have in lists and headings, such as "v1.1 New - Phases 3-6".
func (r *roadmapText) editRanges(to *renumbering) (edits []edit.Edit) {
	text := r.Doc.Text()
	var spans []edit.Span
	for _, it := range r.Doc.Items(r.Doc.Body()) {
		spans = append(spans, it.Text)
	}
	for _, h := range r.Doc.Headings() {
		spans = append(spans, h.Text)
	}
	for _, s := range spans {
		m := phaseRange().FindStringSubmatchIndex(s.Text(text))
		if m == nil || !versionMark().MatchString(s.Text(text)) || r.isShippedLine(r.Doc.LineAt(s.Start)) {
			continue
		}
		from, end := s.Text(text)[m[2]:m[3]], s.Text(text)[m[4]:m[5]]
		if phaseid.Same(parseID(end), to.removed) && phaseid.Compare(parseID(from), to.before) > 0 {
			continue // it was the milestone's only phase
		}
		edits = append(append(edits, to.editNumber(from, s.Start+m[2])...), to.editDependency(end, s.Start+m[4])...)
	}
	return edits
}

// isShippedLine reports whether a line is about a shipped milestone.
func (r *roadmapText) isShippedLine(line int) bool {
	text := r.Doc.Line(line)
	return r.InShipped(line) || strings.Contains(text, "✅") && versionMark().MatchString(text)
}

// isAmbiguous reports whether a shipped milestone has phases with numbers that change now, so that a number alone may mean a phase of
// either milestone.
func (r *roadmapText) isAmbiguous(to *renumbering) bool {
	moves := func(id phaseid.ID) bool { _, ok := to.newID(id); return ok }
	for _, p := range r.Phases {
		if p.Shipped && moves(p.ID) {
			return true
		}
	}
	for _, c := range r.Checklist {
		if c.Shipped && moves(c.ID) {
			return true
		}
	}
	return false
}
