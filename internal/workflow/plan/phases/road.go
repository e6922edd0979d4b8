package phases

import (
	"errors"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/roadmap"
)

// roadmapText is the text of ROADMAP.md while an operation changes it. Each edit is made at once and the text parsed again.
type roadmapText struct {
	*roadmap.Roadmap
	view    roadmap.MilestoneLines
	version string // the version of the milestone that the work is on
	err     error
}

func newRoadmapText(text, version string) (*roadmapText, error) {
	r := &roadmapText{version: version}
	r.parseText(text)
	if line := r.Doc.ConflictLine(); line > 0 {
		return nil, edit.Problem{Line: line, Why: "a merge conflict is not resolved: ROADMAP.md is not written"}
	}
	return r, nil
}

func (r *roadmapText) parseText(text string) {
	r.Roadmap = roadmap.Parse(text)
	r.view = r.MilestoneView(r.version)
}

// applyEdits makes edits of the current text. It keeps the first error.
func (r *roadmapText) applyEdits(edits []edit.Edit, err error) {
	if err == nil && r.err == nil && len(edits) > 0 {
		text := ""
		if text, err = edit.Apply(r.Doc.Text(), edits); err == nil {
			r.parseText(text)
		}
	}
	if r.err == nil {
		r.err = err
	}
}

// insertAfter inserts lines after the line with number line.
func (r *roadmapText) insertAfter(line int, lines ...string) {
	at := 0
	lead := ""
	if line >= 0 {
		at, lead = r.Doc.Span(line).End, r.Doc.Newline()
	}
	r.applyEdits([]edit.Edit{{Span: edit.Span{Start: at, End: at}, New: lead + strings.Join(lines, r.Doc.Newline())}}, nil)
}

// removalEdit returns the edit that removes a range of lines, together with the line ending before them, so that removing lines that
// insertAfter inserted restores the same bytes.
func (r *roadmapText) removalEdit(lines document.Range) edit.Edit {
	if lines.From == 0 {
		return edit.Edit{Span: r.Doc.BytesOf(lines)}
	}
	return edit.Edit{Span: edit.Span{Start: r.Doc.Span(lines.From - 1).End, End: r.Doc.Span(lines.To - 1).End}}
}

// lastTextLine returns the last line of a range that belongs to its section: the empty lines and rules at the end separate sections.
func (r *roadmapText) lastTextLine(lines document.Range) int {
	line := lines.To - 1
	for line >= lines.From {
		s := strings.TrimSpace(r.Doc.Line(line))
		if s != "" && (strings.Trim(s, "-") != "" || len(s) < 3 || r.Doc.Kind(line) != document.Text) {
			break
		}
		line--
	}
	return line
}

// phaseSection returns the section of a phase in the current milestone.
func (r *roadmapText) phaseSection(id phaseid.ID) (roadmap.Phase, bool) {
	i := slices.IndexFunc(r.view.Phases, func(p roadmap.Phase) bool { return phaseid.Same(p.ID, id) })
	if i < 0 {
		return roadmap.Phase{}, false
	}
	return r.view.Phases[i], true
}

// checklistEntries returns the checklist entries of the current milestone for whose phases want returns true. rows does the same for the
// rows of progress tables.
func (r *roadmapText) checklistEntries(want func(phaseid.ID) bool) (list []roadmap.CheckItem) {
	for _, c := range r.Checklist {
		if !c.Shipped && r.view.Has(c.Item.Line) && want(c.ID) {
			list = append(list, c)
		}
	}
	return list
}

func (r *roadmapText) progressRows(want func(phaseid.ID) bool) (list []roadmap.ProgressRow) {
	for _, row := range r.Rows {
		if !r.InShipped(row.Row.Line) && want(row.ID) {
			list = append(list, row)
		}
	}
	return list
}

func equals(id phaseid.ID) func(phaseid.ID) bool {
	return func(other phaseid.ID) bool { return phaseid.Same(id, other) }
}

// itemLines returns the lines of a list item: the line with its marker, and the indented lines below it.
func (r *roadmapText) itemLines(it document.Item) document.Range {
	end := it.Line + 1
	for end < r.Doc.LineCount() && strings.TrimSpace(r.Doc.Line(end)) != "" && strings.IndexAny(r.Doc.Line(end), " \t") == 0 {
		if _, nested := r.Doc.ItemAt(end); nested {
			break
		}
		end++
	}
	return document.Range{From: it.Line, To: end}
}

// phaseAddition is a phase to add to the roadmap.
type phaseAddition struct {
	id        phaseid.ID
	name      string
	depends   string // "" for none
	inserted  bool
	original  bool       // with the placeholders that gsd-tools writes
	after     phaseid.ID // the phase after which it is inserted; the zero ID for the end
	milestone string
}

// addPhase writes a phase into the roadmap: a section, and an entry in the checklist and the progress table if these exist.
func (r *roadmapText) addPhase(a *phaseAddition) error {
	level, line := 3, -1
	switch p, ok := r.insertionSection(a.after); {
	case ok:
		level, line = p.Heading.Level, r.lastTextLine(document.Range{From: p.Line, To: p.Lines.To})
	case !a.after.IsNone():
		return errors.New("ROADMAP.md has no section of phase " + a.after.String())
	case len(r.view.Lines) > 0:
		line = r.lastTextLine(r.view.Lines[len(r.view.Lines)-1])
	}
	// The order of the edits does not matter, because the text is parsed again after each.
	mark := ""
	if a.inserted {
		mark = " (INSERTED)"
	}
	number := a.id.Number()
	if a.id.Custom != "" {
		number = a.id.Custom
	}
	heading := strings.Repeat("#", level) + " Phase " + number + ": " + a.name + mark
	text := []string{"", heading, ""}
	if a.original {
		text = append(text, "**Goal:** [To be planned]", "**Requirements**: TBD")
	}
	if a.depends != "" {
		text = append(text, "**Depends on:** Phase "+a.depends)
	}
	if text = append(text, noPlans); a.original {
		text = append(text, "", "Plans:", "- [ ] TBD (plan-phase "+number+" divides the work)")
	}
	r.insertAfter(line, text...)
	same := func(id phaseid.ID) bool {
		return a.after.IsNone() || phaseid.Same(id, a.after) || isInsertedAfter(id, a.after)
	}
	if list := r.checklistEntries(same); len(list) > 0 {
		c := list[len(list)-1]
		r.insertAfter(r.itemLines(c.Item).To-1, strings.Repeat(" ", c.Item.Indent)+"- [ ] **Phase "+number+": "+a.name+mark+"**")
	}
	if list := r.progressRows(same); len(list) > 0 {
		row := list[len(list)-1]
		r.insertAfter(row.Row.Line, r.newRow(&row, number+". "+a.name, a.milestone))
	}
	return r.err
}

// insertionSection returns the section after which a new phase is inserted: that of phase after, or of the last phase that was inserted
// after it. For the zero ID it is the last section that is not of the backlog.
func (r *roadmapText) insertionSection(after phaseid.ID) (last roadmap.Phase, ok bool) {
	for _, p := range r.view.Phases {
		if p.Backlog || !after.IsNone() && !phaseid.Same(p.ID, after) && !isInsertedAfter(p.ID, after) {
			continue
		}
		if !ok || p.Line > last.Line {
			last, ok = p, true
		}
	}
	return last, ok
}

// isInsertedAfter reports whether a phase was inserted after phase base: 2.1 after 2.
func isInsertedAfter(id, base phaseid.ID) bool {
	if len(id.Decimals) <= len(base.Decimals) || base.IsNone() {
		return false
	}
	id.Decimals = id.Decimals[:len(base.Decimals)]
	return phaseid.Same(id, base)
}

// newRow returns a new row for the table that contains the row like.
func (r *roadmapText) newRow(like *roadmap.ProgressRow, name, milestone string) string {
	cells := make([]string, len(like.Table.Head.Cells))
	for i := range cells {
		cells[i] = "-"
	}
	set := func(value string, columns ...string) {
		if i := r.Doc.Column(like.Table, columns...); i >= 0 {
			cells[i] = strings.ReplaceAll(value, "|", "\\|")
		}
	}
	set(name, "Phase")
	set("0/0", planColumns...)
	set("Not started", "Status")
	if milestone != "" {
		set(milestone, "Milestone")
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

var planColumns = []string{"Plans Complete", "Plans"}

// setCell returns the edits that give a cell of a row another text. It returns none if the table has none of the columns.
func (r *roadmapText) setCell(row *roadmap.ProgressRow, value string, columns ...string) []edit.Edit {
	i := r.Doc.Column(row.Table, columns...)
	if i < 0 || i >= len(row.Row.Cells) {
		return nil
	}
	edits, err := r.Doc.SetCell(row.Row, i, value)
	r.applyEdits(nil, err)
	return edits
}

// sectionEnd returns the end of a phase's section. A progress table is not part of it: the table is about all phases, and often at the
// end of the file, below the last heading.
func (r *roadmapText) sectionEnd(p roadmap.Phase) int {
	i := sort.Search(len(r.Rows), func(i int) bool { return r.Rows[i].Table.Lines.From > p.Line }) // they are in the order of the text
	if i == len(r.Rows) {
		return p.Lines.To
	}
	return min(p.Lines.To, r.Rows[i].Table.Lines.From)
}

// removePhase removes the section of a phase from the roadmap, and its entries in checklists and tables.
func (r *roadmapText) removePhase(id phaseid.ID) {
	var edits []edit.Edit
	for _, p := range r.view.Phases {
		if !phaseid.Same(p.ID, id) {
			continue
		}
		from := p.Line
		for from > 0 && strings.TrimSpace(r.Doc.Line(from-1)) == "" {
			from--
		}
		edits = append(edits, r.removalEdit(document.Range{From: from, To: r.lastTextLine(document.Range{From: p.Line,
			To: r.sectionEnd(p)}) + 1}))
	}
	for _, c := range r.checklistEntries(equals(id)) {
		edits = append(edits, r.removalEdit(r.itemLines(c.Item)))
	}
	for _, row := range r.progressRows(equals(id)) {
		edits = append(edits, r.removalEdit(document.Range{From: row.Row.Line, To: row.Row.Line + 1}))
	}
	r.applyEdits(edits, nil)
}

const number = `[0-9]+[A-Za-z]?(?:\.[0-9]+)*`

var (
	phaseWord  = lazyRegexp(`(?i)\bPhase\s+(` + number + `)`)
	phaseList  = lazyRegexp(`(?i)\bPhases?\s+` + number + `(?:\s*(?:,|and|&|-|–)\s*(?:Phase\s+)?` + number + `)*`)
	rowNumber  = lazyRegexp(`^(?:Phase\s+)?(` + number + `)\b`)
	planNumber = lazyRegexp(`^\**(` + number + `)-\d`)
	planPhase  = lazyRegexp(`\bplan-phase\s+(` + number + `)`)
	anyNumber  = lazyRegexp(number)
)

// renumberPhases changes the phase numbers in the roadmap whose place shows their meaning: in headings, checklists, tables, plans,
// dependencies, the ranges of milestones, and paths. Numbers in sentences stay, because their meaning is unknown. Their lines are
// returned.
func (r *roadmapText) renumberPhases(to *renumbering, file string) []NumberMention {
	var edits []edit.Edit
	in := func(s edit.Span, find *regexp.Regexp) {
		text := s.Text(r.Doc.Text())
		if m := find.FindStringSubmatchIndex(text); m != nil {
			edits = append(edits, to.editNumber(text[m[2]:m[3]], s.Start+m[2])...)
		}
	}
	for _, p := range r.view.Phases {
		in(p.Heading.Text, phaseWord())
		if f, ok := r.Doc.Field(p.Lines, "Depends on"); ok {
			edits = append(edits, r.editDependencies(f, to)...)
		}
		for _, it := range r.Doc.Items(p.Lines) {
			in(it.Text, planPhase())
			text := it.Text.Text(r.Doc.Text())
			if m := planNumber().FindStringSubmatchIndex(text); m != nil {
				span := edit.Span{Start: it.Text.Start + m[2], End: it.Text.Start + m[3]}
				edits = append(edits, edit.Replacement(r.Doc.Text(), span, to.newName(text[m[2]:m[3]]))...)
			}
		}
	}
	all := func(phaseid.ID) bool { return true }
	for _, c := range r.checklistEntries(all) {
		in(c.Item.Text, phaseWord())
	}
	for _, row := range r.progressRows(all) {
		if i := r.Doc.Column(row.Table, "Phase"); i >= 0 && i < len(row.Row.Cells) {
			in(row.Row.Cells[i], rowNumber())
		}
	}
	edits = append(edits, nonOverlapping(r.editRanges(to), edits)...)
	edits = append(edits, nonOverlapping(to.editPaths(r.Doc.Text()), edits)...)
	slices.SortFunc(edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	left := to.findMentions(file, r.Doc, edits, r.isShippedLine)
	r.applyEdits(slices.CompactFunc(edits, func(a, b edit.Edit) bool { return a.Start == b.Start }), nil)
	return quoteMentions(left, r.Doc, 0)
}

// editDependencies returns the edits of a field with a phase's dependencies. The phase before the removed one, which replaces it, is not
// listed twice.
func (r *roadmapText) editDependencies(f document.Field, to *renumbering) (edits []edit.Edit) {
	text := f.Value.Text(r.Doc.Text())
	for _, m := range phaseList().FindAllStringIndex(text, -1) {
		numbers := anyNumber().FindAllStringIndex(text[m[0]:m[1]], -1)
		named := func(want phaseid.ID) bool {
			return slices.ContainsFunc(numbers, func(n []int) bool { return phaseid.Same(parseID(text[m[0]+n[0]:m[0]+n[1]]), want) })
		}
		for i, n := range numbers {
			word, start := text[m[0]+n[0]:m[0]+n[1]], f.Value.Start+m[0]
			gone := phaseid.Same(parseID(word), to.removed)
			switch {
			case gone && to.before.IsNone():
				return edit.Replacement(r.Doc.Text(), f.Value, "Nothing") // the first phase was removed, so no phase replaces it
			case gone && i > 0 && named(to.before):
				edits = append(edits, edit.Edit{Span: edit.Span{Start: start + numbers[i-1][1], End: start + n[1]}})
			case gone && i < len(numbers)-1 && named(to.before):
				edits = append(edits, edit.Edit{Span: edit.Span{Start: start + n[0], End: start + numbers[i+1][0]}})
			default:
				edits = append(edits, to.editDependency(word, start+n[0])...)
			}
		}
	}
	return edits
}

// lazyRegexp returns a function that compiles a regular expression at its first call, because otherwise every start of the program would
// take longer.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// noPlans is the line about plans of a phase that has none.
const noPlans = "**Plans:** 0 plans"
