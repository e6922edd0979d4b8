package artefact

import (
	"errors"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

// Project is the content of a PROJECT.md.
type Project struct {
	Doc       *document.Document
	Title     string
	What      string // what this is
	CoreValue string
	Active    []string // requirements
	Validated []string
	Decisions []KeyDecision
	Missing   []string // required sections that are missing
}

// KeyDecision is a row of the table of decisions in a PROJECT.md.
type KeyDecision struct{ Decision, Rationale, Outcome string }

var sectionsOfProject = [...]string{"What This Is", "Core Value", "Requirements"}

// ParseProject reads a PROJECT.md.
func ParseProject(text string) *Project {
	d := document.Parse(text)
	p := &Project{Doc: d}
	for _, h := range d.Headings() {
		if h.Level == 1 {
			p.Title = h.Text.Text(text)
			break
		}
	}
	for _, name := range sectionsOfProject {
		if _, ok := d.FindHeading(d.Body(), name); !ok {
			p.Missing = append(p.Missing, name)
		}
	}
	p.What, p.CoreValue = sectionText(d, "What This Is"), sectionText(d, "Core Value")
	p.Active, p.Validated = sectionItems(d, "Active"), sectionItems(d, "Validated")
	for _, t := range d.Tables(d.Body()) {
		decision, rationale, outcome := d.Column(t, "Decision"), d.Column(t, "Rationale"), d.Column(t, "Outcome")
		if decision < 0 || rationale < 0 {
			continue
		}
		for _, row := range t.Rows {
			p.Decisions = append(p.Decisions, KeyDecision{d.Cell(row, decision), d.Cell(row, rationale), d.Cell(row, outcome)})
		}
	}
	return p
}

// sectionText returns the text below a heading, up to the next, without surrounding empty lines.
func sectionText(d *document.Document, name string) string {
	h, ok := d.FindHeading(d.Body(), name)
	if !ok {
		return ""
	}
	return strings.TrimSpace(d.BytesOf(d.OwnLines(h)).Text(d.Text()))
}

func sectionItems(d *document.Document, name string) []string {
	h, ok := d.FindHeading(d.Body(), name)
	if !ok {
		return nil
	}
	var list []string
	for _, it := range d.Items(h.Section()) {
		if text := it.Text.Text(d.Text()); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// Milestone is an entry of MILESTONES.md.
type Milestone struct {
	Version, Name, Shipped string
	Accomplishments        []string
	Line                   int // from 0
}

// ParseMilestones reads MILESTONES.md: ## v1.0 Name (Shipped: 2026-01-31), newest first.
func ParseMilestones(text string) []Milestone {
	d := document.Parse(text)
	var list []Milestone
	for _, h := range d.Headings() {
		title := h.Text.Text(text)
		head, shipped, ok := strings.Cut(title, "(Shipped:")
		version, name, _ := strings.Cut(strings.TrimSpace(head), " ")
		if h.Level != 2 || !ok || !isVersion(version) {
			continue
		}
		m := Milestone{Version: version, Name: strings.TrimSpace(name), Shipped: strings.Trim(shipped, " )"), Line: h.Line}
		if f, ok := d.Field(h.Section(), "Key accomplishments"); ok {
			for i := f.Line + 1; i < h.End; i++ {
				it, item := d.ItemAt(i)
				if item {
					m.Accomplishments = append(m.Accomplishments, it.Text.Text(text))
				} else if strings.TrimSpace(d.Line(i)) != "" {
					break
				}
			}
		}
		list = append(list, m)
	}
	return list
}

func isVersion(s string) bool {
	number, ok := strings.CutPrefix(s, "v")
	return ok && number != "" && strings.Trim(number, "0123456789.") == ""
}

// Note is a file of one of the small stores: a todo, a note, a seed, a thread, a debug session. Its values are in its front matter, or in
// lines "key: value" at its beginning, as in older files.
type Note struct {
	Doc *document.Document
	// Completed is the day that other programs put above the front matter of a finished todo.
	Completed string
}

// ParseNote reads a file of a small store.
func ParseNote(text string) *Note {
	n := &Note{}
	// "completed: day" is a line before the front matter, which then does not begin the file.
	first, rest, ok := strings.Cut(text, "\n")
	if day, is := strings.CutPrefix(first, "completed:"); ok && is && strings.HasPrefix(rest, "---") {
		n.Completed = strings.TrimSpace(day)
		text = rest
	}
	n.Doc = document.Parse(text)
	if day := n.Value("completed"); n.Completed == "" {
		n.Completed = day
	}
	return n
}

// Value returns a value of the front matter, or "". Without front matter it is that of a line at the beginning.
func (n *Note) Value(key string) string {
	if n.Doc.FrontMatter() != nil {
		return n.Doc.FrontMatter().Get(key).Text()
	}
	for line := range strings.Lines(n.Doc.Text()) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok || strings.ContainsAny(name, " #*-") {
			return ""
		}
		if name == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Title returns the title in the front matter, else the first heading.
func (n *Note) Title() string {
	if title := n.Value("title"); title != "" {
		return title
	}
	for _, h := range n.Doc.Headings() {
		return h.Text.Text(n.Doc.Text())
	}
	return ""
}

// Status returns the status of a thread, seed or debug session in lower case: from the front matter, else from a heading "Status: OPEN"
// as in older threads.
func (n *Note) Status() string {
	if s := n.Value("status"); s != "" {
		return strings.ToLower(s)
	}
	for _, h := range n.Doc.Headings() {
		if s, ok := strings.CutPrefix(h.Text.Text(n.Doc.Text()), "Status:"); ok {
			return strings.ToLower(strings.TrimSpace(s))
		}
	}
	return ""
}

// Set gives a key of the front matter another value. It returns an error if there is no front matter, or as yamltree.Tree.Set does.
func (n *Note) Set(key, value string) ([]edit.Edit, error) {
	f := n.Doc.FrontMatter()
	if f == nil {
		return nil, errors.New("there is no front matter")
	}
	return f.Set(key, value, n.Doc.Newline())
}

// QuickTask is a quick task, a small piece of work outside of the phases. Its values are in the name of its folder.
type QuickTask struct{ ID, Slug, Date string }

// ParseQuickTask reads the name of a quick task's folder, such as 260318-tj1-words, or in older forms 1-words and 2026-03-18-words. Date
// is the day in the id, or "".
func ParseQuickTask(name string) (QuickTask, bool) {
	if n := len(time.DateOnly); len(name) > n+1 && name[n] == '-' {
		if _, err := time.Parse(time.DateOnly, name[:n]); err == nil {
			return QuickTask{ID: name[:n], Slug: name[n+1:], Date: name[:n]}, true
		}
	}
	first, rest, _ := strings.Cut(name, "-")
	if first == "" || strings.Trim(first, "0123456789") != "" {
		return QuickTask{}, false
	}
	q := QuickTask{ID: first, Slug: rest}
	if len(first) != 6 && len(first) != 8 {
		return q, true
	}
	q.Date = first[len(first)-6:]
	q.Date = "20" + q.Date[:2] + "-" + q.Date[2:4] + "-" + q.Date[4:]
	if part, slug, ok := strings.Cut(rest, "-"); len(part) == 3 && (ok || rest == part) {
		q.ID, q.Slug = first+"-"+part, slug
	}
	return q, true
}

// IsDone reports whether the files in a quick task's folder include its summary, under any of the names in use.
func (q QuickTask) IsDone(files []string) bool { return len(q.Summaries(files)) > 0 }

// Summaries returns the summaries of a finished quick task: SUMMARY.md, ID-SUMMARY.md, or one for each of its plans, such as
// ID-02-SUMMARY.md for ID-02-PLAN.md. It returns none as long as one is missing.
func (q QuickTask) Summaries(files []string) []string {
	for _, name := range [...]string{q.ID + "-SUMMARY.md", "SUMMARY.md"} {
		if slices.Contains(files, name) {
			return []string{name}
		}
	}
	var list []string
	for _, f := range files {
		part, ok := strings.CutPrefix(f, q.ID+"-")
		if plan, is := strings.CutSuffix(part, "-PLAN.md"); ok && is && positiveNumber(plan) > 0 && !slices.Contains(files, q.ID+"-"+plan+"-SUMMARY.md") {
			return nil
		}
		if plan, is := strings.CutSuffix(part, "-SUMMARY.md"); ok && is && positiveNumber(plan) > 0 {
			list = append(list, f)
		}
	}
	return list
}
