// Package roadmap reads ROADMAP.md: phases in headings and checklists, the progress table, milestones, and the phases of the current
// milestone.
//
// A phase is a heading of level 2 to 4 that begins its line, "Phase 2.1: Name". The same words in a sentence, a code fence or a
// comment are not. Neighbours: document finds the headings, lists and tables, phaseid reads numbers, inventory joins the roadmap with
// the folders.
package roadmap

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
)

// Roadmap is the content of a roadmap. It does not change.
type Roadmap struct {
	Doc        *document.Document
	Phases     []Phase // the phases with a section of their own, in the order of the text
	Checklist  []CheckItem
	Rows       []ProgressRow // the rows of the progress tables
	Milestones []Milestone
	shipped    []document.Range // the <details> blocks, which contain shipped milestones
	headings   []milestoneHeading
}

// Phase is a phase with a section of its own.
type Phase struct {
	ID       phaseid.ID
	Name     string // without the marks (INSERTED) and (BACKLOG)
	Inserted bool
	Backlog  bool
	Shipped  bool // inside <details>
	Line     int  // of the heading, from 0
	Lines    document.Range
	Heading  document.Heading
}

// CheckItem is the entry of a phase in a checklist: - [ ] **Phase 1: Name** - text.
type CheckItem struct {
	ID        phaseid.ID
	Name      string
	Done      bool
	Completed string // the date after "completed"
	Shipped   bool   // inside <details>
	Bold      bool
	Item      document.Item
}

// ProgressRow is a row of a progress table. Its cells are found by the names of their columns.
type ProgressRow struct {
	ID                                 phaseid.ID
	Name                               string
	Milestone, Plans, Status, Finished string
	Row                                document.Row
	Table                              document.Table
}

// Milestone is a milestone with a version, in a list entry with a symbol or in a heading.
type Milestone struct {
	Version, Name string
	State         State
	Line          int
}

// State is the progress of a milestone, given by the symbol before its name.
type State uint8

// The states of milestones.
const (
	NoMark  State = iota
	Shipped       // ✅
	Active        // 🚧
	Planned       // 📋
)

// Parse reads a roadmap. It never fails: a text that is no roadmap has no phases.
func Parse(text string) *Roadmap {
	r := &Roadmap{Doc: document.Parse(text)}
	body := r.Doc.Body()
	for _, tag := range r.Doc.Tags(body) {
		if tag.Name == "details" && len(tag.Attrs) == 0 { // one that is open is shown, so that it is of now
			r.shipped = append(r.shipped, document.Range{From: tag.Line, To: r.Doc.LineAt(tag.Span.End-1) + 1})
		}
	}
	r.shipped = outermostRanges(r.shipped)
	r.readPhases()
	r.readChecklist(body)
	r.readRows(body)
	r.readMilestones(body)
	return r
}

// outermostRanges returns the ranges that are not inside another one, so that a binary search can be made. list is sorted.
func outermostRanges(list []document.Range) []document.Range {
	var out []document.Range
	for _, r := range list {
		if n := len(out); n == 0 || r.From >= out[n-1].To {
			out = append(out, r)
		}
	}
	return out
}

// InShipped reports whether a line is inside <details>, which contains shipped milestones, and not inside <details open>.
func (r *Roadmap) InShipped(line int) bool {
	low, high := 0, len(r.shipped)
	for low < high {
		mid := (low + high) / 2
		switch s := r.shipped[mid]; {
		case line < s.From:
			high = mid
		case line >= s.To:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}

func (r *Roadmap) readPhases() {
	for _, h := range r.Doc.Headings() {
		if h.Level < 2 || h.Level > 4 {
			continue
		}
		id, name, ok := phaseTitle(h.Text.Text(r.Doc.Text()))
		if !ok {
			continue
		}
		p := Phase{ID: id, Name: name, Line: h.Line, Lines: h.Section(), Heading: h, Shipped: r.InShipped(h.Line), Backlog: id.IsBacklog()}
		p.Name, p.Inserted = cutMark(p.Name, "(INSERTED)")
		var marked bool
		p.Name, marked = cutMark(p.Name, "(BACKLOG)")
		p.Backlog = p.Backlog || marked
		r.Phases = append(r.Phases, p)
	}
	// If a heading is inside <details>, its section ends with that.
	for i := range r.Phases {
		p := &r.Phases[i]
		for _, s := range r.shipped {
			if p.Line >= s.From && p.Line < s.To {
				p.Lines.To = min(p.Lines.To, s.To-1)
			}
		}
	}
}

// phaseTitle reads a title such as "Phase 1: Name". It drops a symbol before it, such as ✅.
func phaseTitle(title string) (id phaseid.ID, name string, ok bool) {
	title = strings.TrimLeft(title, "✅🚧📋⏸️❌ *")
	if len(title) < len("Phase ") || !strings.EqualFold(title[:len("Phase ")], "Phase ") {
		return id, "", false
	}
	number, name, ok := strings.Cut(title[len("Phase "):], ":")
	if !ok {
		return id, "", false
	}
	if id, ok = phaseid.Parse(number); !ok {
		return id, "", false
	}
	return id, strings.TrimSpace(name), true
}

// cutMark removes a mark such as (INSERTED) from a name, ignoring case. It reports whether the name had it.
func cutMark(name, mark string) (string, bool) {
	for i := 0; i+len(mark) <= len(name); i++ {
		if name[i] == '(' && strings.EqualFold(name[i:i+len(mark)], mark) {
			// The mark may be between stars: *(INSERTED)*.
			before, after := strings.TrimRight(name[:i], "* "), strings.TrimLeft(name[i+len(mark):], "* ")
			return strings.TrimSpace(before + " " + after), true
		}
	}
	return name, false
}

func (r *Roadmap) readChecklist(body document.Range) {
	for _, it := range r.Doc.Items(body) {
		if !it.HasBox() {
			continue
		}
		text := it.Text.Text(r.Doc.Text())
		bold := strings.HasPrefix(text, "**")
		label, rest := strings.TrimPrefix(text, "**"), ""
		if bold {
			if label, rest, bold = strings.Cut(label, "**"); !bold {
				continue
			}
		}
		id, name, ok := phaseTitle(label)
		if !ok {
			continue
		}
		c := CheckItem{ID: id, Name: name, Done: r.Doc.IsChecked(it), Bold: bold, Item: it, Shipped: r.InShipped(it.Line)}
		if !bold {
			// A remark follows " - ", " — " or " (".
			for _, mark := range [...]string{" — ", " – ", " -- ", " - ", " ("} {
				c.Name, _, _ = strings.Cut(c.Name, mark)
			}
			c.Name = strings.TrimSpace(c.Name)
		}
		c.Name, _ = cutMark(c.Name, "(INSERTED)")
		c.Completed = completionDate(rest + name)
		r.Checklist = append(r.Checklist, c)
	}
}

// completionDate returns the date of "(completed 2026-01-31)", or "".
func completionDate(text string) string {
	_, after, ok := strings.Cut(text, "completed ")
	const form = "0000-00-00"
	if !ok || len(after) < len(form) {
		return ""
	}
	for i := range len(form) {
		if isDigit := '0' <= after[i] && after[i] <= '9'; isDigit != (form[i] == '0') {
			return ""
		}
	}
	return after[:len(form)]
}

func (r *Roadmap) readRows(body document.Range) {
	for _, t := range r.Doc.Tables(body) {
		phase, status := r.Doc.Column(t, "Phase"), r.Doc.Column(t, "Status")
		if phase != 0 || status < 0 {
			continue
		}
		plans, done := r.Doc.Column(t, "Plans Complete", "Plans"), r.Doc.Column(t, "Completed")
		milestone := r.Doc.Column(t, "Milestone")
		for _, row := range t.Rows {
			number, name, ok := strings.Cut(r.Doc.Cell(row, 0), ". ")
			if !ok {
				number, name = strings.TrimSuffix(r.Doc.Cell(row, 0), "."), ""
			}
			id, ok := phaseid.Parse(strings.TrimPrefix(number, "Phase "))
			if !ok {
				continue
			}
			r.Rows = append(r.Rows, ProgressRow{
				ID: id, Name: name, Milestone: r.Doc.Cell(row, milestone), Plans: r.Doc.Cell(row, plans),
				Status: r.Doc.Cell(row, status), Finished: r.Doc.Cell(row, done), Row: row, Table: t,
			})
		}
	}
}

// Find returns the phase with a number. It prefers the current milestone to shipped ones.
func (r *Roadmap) Find(id phaseid.ID) (Phase, bool) {
	var found Phase
	ok := false
	for _, p := range r.Phases {
		if phaseid.Same(p.ID, id) && (!ok || found.Shipped && !p.Shipped) {
			found, ok = p, true
		}
	}
	return found, ok
}

// CheckState reports whether a phase is ticked in a checklist outside <details>, and whether it is in one at all.
func (r *Roadmap) CheckState(id phaseid.ID) (done, listed bool) {
	for _, c := range r.Checklist {
		if phaseid.Same(c.ID, id) && !c.Shipped {
			return c.Done, true
		}
	}
	return false, false
}

// Value returns the value of a field of a phase, such as **Goal**: text, without a comment after it.
func (r *Roadmap) Value(p Phase, name string) string {
	f, ok := r.Doc.Field(p.Lines, name)
	if !ok {
		return ""
	}
	return withoutComment(r.Doc.Value(f))
}

func withoutComment(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "<!--")
		if !ok {
			return strings.TrimSpace(s)
		}
		_, after, ok := strings.Cut(rest, "-->")
		if !ok {
			return strings.TrimSpace(before)
		}
		s = before + after
	}
}

// Requirements returns the ids of the requirements in the section of a phase, with or without brackets. The word TBD is not an id.
func (r *Roadmap) Requirements(p Phase) []string {
	value := strings.Trim(r.Value(p, "Requirements"), "[] ")
	var list []string
	for part := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ';' }) {
		id := strings.Trim(strings.TrimSpace(part), "*`[]")
		if id != "" && !strings.EqualFold(id, "TBD") && !strings.EqualFold(id, "none") {
			list = append(list, id)
		}
	}
	return list
}

// DependsOn returns the numbers of the phases on which a phase depends, each once, from a text such as "Phase 1, Phases 2-4, 3 and
// 5". It ignores text in brackets, because a remark often names other phases.
func (r *Roadmap) DependsOn(p Phase) []phaseid.ID {
	var list []phaseid.ID
	add := func(word string) {
		id, ok := phaseid.Parse(word)
		if !ok || id.Custom != "" || id.Code != "" || slices.ContainsFunc(list, func(had phaseid.ID) bool { return phaseid.Same(had, id) }) {
			return
		}
		list = append(list, id)
	}
	for w := range strings.FieldsFuncSeq(withoutRemarks(r.Value(p, "Depends on")), func(c rune) bool { return strings.ContainsRune(" ,;&", c) }) {
		w = strings.TrimRight(w, ".:")
		first, last, ok := phaseRange(w)
		if !ok {
			add(w)
			continue
		}
		for n := first; n <= last; n++ {
			add(strconv.Itoa(n))
		}
	}
	return list
}

// withoutRemarks returns s without the text in brackets.
func withoutRemarks(s string) string {
	var b strings.Builder
	depth := 0
	for _, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// phaseRange reads a range of phases such as 2-9, also with a long dash.
func phaseRange(w string) (first, last int, ok bool) {
	const most = 200 // the maximal number of phases in a range
	a, b, ok := strings.Cut(strings.ReplaceAll(w, "–", "-"), "-")
	if !ok {
		return 0, 0, false
	}
	first, err := strconv.Atoi(a)
	last, err2 := strconv.Atoi(b)
	return first, last, err == nil && err2 == nil && first <= last && last-first < most
}

// Criteria returns the numbered success criteria of a phase.
func (r *Roadmap) Criteria(p Phase) []string {
	fields := r.Doc.Fields(p.Lines)
	at := slices.IndexFunc(fields, func(f document.Field) bool {
		// A remark may follow these words: (what must be TRUE).
		return strings.HasPrefix(strings.ToLower(f.Name), "success criteria")
	})
	if at < 0 {
		return nil
	}
	list := []string{}
	for i := fields[at].Line + 1; i < p.Lines.To; i++ {
		it, ok := r.Doc.ItemAt(i)
		switch {
		case ok && it.Number:
			list = append(list, it.Text.Text(r.Doc.Text()))
		case ok || r.Doc.Line(i) != "" && !strings.HasPrefix(r.Doc.Line(i), " "):
			return list
		}
	}
	return list
}

// PlanItem is an entry in a phase's list of plans: - [ ] 01-02: text, or - [x] 01-02-PLAN.md — text.
type PlanItem struct {
	ID   string // 01-02
	Text string
	Done bool
	Item document.Item
}

// Plans returns the plans that the section of a phase lists.
func (r *Roadmap) Plans(p Phase) []PlanItem {
	var list []PlanItem
	for _, it := range r.Doc.Items(p.Lines) {
		if !it.HasBox() {
			continue
		}
		text := it.Text.Text(r.Doc.Text())
		name, rest, _ := strings.Cut(strings.TrimLeft(text, "*`["), " ")
		name = strings.Trim(name, "*`]:")
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "-PLAN")
		if _, tail, ok := phaseid.ParseFolder(name); !ok || tail == "" || tail[0] < '0' || tail[0] > '9' {
			continue
		}
		list = append(list, PlanItem{ID: name, Text: strings.TrimLeft(rest, "—–-: *"), Done: r.Doc.IsChecked(it), Item: it})
	}
	return list
}

// Section returns the text of a phase with its heading, without empty lines around it.
func (r *Roadmap) Section(p Phase) string {
	return strings.TrimSpace(r.Doc.BytesOf(document.Range{From: p.Line, To: p.Lines.To}).Text(r.Doc.Text()))
}

// MissingDetails returns the phases in checklists outside <details> that have no section of their own.
func (r *Roadmap) MissingDetails(lines []document.Range) []phaseid.ID {
	var list []phaseid.ID
	seen := map[string]bool{}
	for _, p := range r.Phases {
		seen[p.ID.Key()] = true
	}
	for _, c := range r.Checklist {
		if !c.Shipped && isInRanges(lines, c.Item.Line) && !seen[c.ID.Key()] {
			list = append(list, c.ID)
			seen[c.ID.Key()] = true
		}
	}
	return list
}

func isInRanges(lines []document.Range, line int) bool {
	for _, r := range lines {
		if line >= r.From && line < r.To {
			return true
		}
	}
	return false
}

// Problems returns the defects of the text.
func (r *Roadmap) Problems() []edit.Problem { return r.Doc.Problems() }
