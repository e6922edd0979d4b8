package artefact

import (
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

// Verification is the content of a VERIFICATION.md.
type Verification struct {
	Doc          *document.Document
	Phase, Score string
	Status       string // passed, gaps_found or human_needed
	Verified     string
	Gaps         []Gap
	Human        []HumanCheck
	Missing      []string
}

// Gap is a condition of a phase that the verification found not to hold.
type Gap struct {
	Truth, Status, Reason string
	Missing               []string
}

// HumanCheck is a check for a person to make. If it has no number or name, Number is 0 and Name "".
type HumanCheck struct {
	Number                         int
	Name, Test, Expected, WhyHuman string
}

// ParseVerification reads a VERIFICATION.md.
func ParseVerification(text string) *Verification {
	d := document.Parse(text)
	f := d.FrontMatter()
	v := &Verification{Doc: d, Phase: f.Get("phase").Text(), Score: f.Get("score").Text(), Status: f.Get("status").Text(), Verified: f.Get("verified").Text()}
	if status, ok := d.Field(d.Body(), "Status"); v.Status == "" && ok { // older files have no front matter
		v.Status = strings.ToLower(strings.Trim(d.Value(status), "*` "))
	}
	if list := f.Get("gaps"); list != nil {
		for _, it := range list.Items {
			v.Gaps = append(v.Gaps, Gap{it.Get("truth").Text(), it.Get("status").Text(), it.Get("reason").Text(), f.Texts(it.Get("missing"))})
		}
	}
	if list := f.Get("human_verification"); list != nil {
		for i, it := range list.Items {
			c := HumanCheck{i + 1, it.Get("name").Text(), it.Get("test").Text(), it.Get("expected").Text(), it.Get("why_human").Text()}
			if c.Test == "" {
				c.Test = it.Text() // an item that is a text
			}
			v.Human = append(v.Human, c)
		}
	}
	if len(v.Human) == 0 {
		v.Human = humanChecksInBody(d)
	}
	v.Missing = missingKeys(f, verificationKeys)
	return v
}

// UAT is the content of a UAT.md or HUMAN-UAT.md: acceptance tests that a person makes.
type UAT struct {
	Doc           *document.Document
	Phase, Status string
	Tests         []Test
	Current       Current
}

// Test is an acceptance test.
type Test struct {
	Number                     int
	Name, Expected, Result     string
	Reported, Severity, Reason string
	BlockedBy                  string
	Line                       int // from 0
	Lines                      document.Range
}

// Current is the test that waits for an answer. Done is true if all tests have one.
type Current struct {
	Number         int
	Name, Expected string
	Awaiting       string
	Done, Found    bool
}

// ParseUAT reads acceptance tests.
func ParseUAT(text string) *UAT {
	d := document.Parse(text)
	f := d.FrontMatter()
	u := &UAT{Doc: d, Phase: f.Get("phase").Text(), Status: f.Get("status").Text()}
	for _, h := range d.Headings() {
		number, name, ok := strings.Cut(h.Text.Text(d.Text()), ". ")
		if n := positiveNumber(number); ok && n > 0 && h.Level == 3 {
			u.Tests = append(u.Tests, u.newTest(n, strings.TrimSpace(name), h))
		}
	}
	if h, ok := d.FindHeading(d.Body(), "Current Test"); ok {
		r := h.Section()
		value := func(field string) string { return fieldBlock(d, r, field) }
		u.Current = Current{Number: positiveNumber(value("number")), Name: value("name"), Expected: value("expected"), Awaiting: value("awaiting"), Found: true}
		u.Current.Done = strings.Contains(strings.ToLower(d.BytesOf(r).Text(text)), "[testing complete]")
	}
	return u
}

func (u *UAT) newTest(n int, name string, h document.Heading) Test {
	r := u.Doc.OwnLines(h)
	value := func(field string) string { return fieldBlock(u.Doc, r, field) }
	return Test{
		Number: n, Name: name, Expected: value("expected"), Result: strings.Trim(value("result"), "[]"), Reported: unquote(value("reported")), Severity: value("severity"),
		Reason: unquote(value("reason")), BlockedBy: value("blocked_by"), Line: h.Line, Lines: r,
	}
}

// fieldBlock returns the value of a field. If its line has only "|" or ">", the value is all lines up to the next field, and if it has
// nothing, the indented lines below it, without the indentation of the first.
func fieldBlock(d *document.Document, r document.Range, field string) string {
	f, ok := d.Field(r, field)
	if !ok {
		return ""
	}
	v := d.Value(f)
	marked := v == "|" || v == ">"
	if v != "" && !marked {
		return v
	}
	var lines []string
	indent := ""
	for i := f.Line + 1; i < r.To; i++ {
		line := d.Line(i)
		trimmed := strings.TrimLeft(line, " \t")
		if _, isField := d.FieldAt(i); trimmed == line && trimmed != "" && (isField || !marked) {
			break
		}
		if len(lines) == 0 {
			indent = line[:len(line)-len(trimmed)]
		}
		if trimmed == "" || d.Kind(i) == document.Comment {
			line = ""
		}
		if line != "" || len(lines) > 0 {
			if rest, ok := strings.CutPrefix(line, indent); ok {
				line = rest
			} else {
				line = trimmed
			}
			lines = append(lines, strings.TrimRight(line, " \t"))
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// positiveNumber returns the number in s if it is greater than 0, else 0.
func positiveNumber(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<20 {
			return 0
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// Requirements is the content of a REQUIREMENTS.md.
type Requirements struct {
	Doc   *document.Document
	List  []Requirement
	Trace []Trace
}

// Requirement is a line of a REQUIREMENTS.md: - [ ] **CAT-01**: text.
type Requirement struct {
	ID, Text, Category string
	Done               bool
	HasBox             bool
	Item               document.Item
}

// Trace is a row of the traceability table, which assigns a requirement to a phase.
type Trace struct {
	ID, Phase, Status string
	Row               document.Row
	StatusColumn      int
}

// ParseRequirements reads a REQUIREMENTS.md.
func ParseRequirements(text string) *Requirements {
	d := document.Parse(text)
	q := &Requirements{Doc: d}
	for _, h := range append([]document.Heading{{Line: -1}}, d.Headings()...) {
		r := document.Range{From: d.Body().From, To: d.LineCount()}
		if h.Line >= 0 {
			r = d.OwnLines(h)
		} else if list := d.Headings(); len(list) > 0 {
			r.To = list[0].Line
		}
		for _, it := range d.Items(r) {
			id, rest, ok := parseBoldID(it.Text.Text(d.Text()))
			if ok {
				q.List = append(q.List, Requirement{id, rest, strings.TrimSpace(h.Text.Text(d.Text())), d.IsChecked(it), it.HasBox(), it})
			}
		}
	}
	for _, t := range d.Tables(d.Body()) {
		id, phase, status := d.Column(t, "Requirement", "REQ-ID", "ID"), d.Column(t, "Phase"), d.Column(t, "Status")
		if id < 0 || status < 0 {
			continue
		}
		for _, row := range t.Rows {
			q.Trace = append(q.Trace, Trace{strings.Trim(d.Cell(row, id), "*` "), d.Cell(row, phase), d.Cell(row, status), row, status})
		}
	}
	return q
}

// parseBoldID reads **CAT-01**: text, and **CAT-01:** text.
func parseBoldID(s string) (id, text string, ok bool) {
	inner, ok := strings.CutPrefix(s, "**")
	if !ok {
		return "", "", false
	}
	id, text, ok = strings.Cut(inner, "**")
	id = strings.TrimSuffix(strings.TrimSpace(id), ":")
	if !ok || id == "" || strings.ContainsAny(id, " \t") || !strings.ContainsAny(id, "0123456789") {
		return "", "", false
	}
	return id, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ":")), true
}

// CompleteRequirement returns the edits that tick a requirement and mark its rows in the table as complete. It compares whole ids: REQ-1
// is not REQ-10. It returns false if there is no such requirement, and an error if a cell of the table cannot be set.
func (q *Requirements) CompleteRequirement(id string) (edits []edit.Edit, found bool, err error) {
	for _, r := range q.List {
		if strings.EqualFold(r.ID, id) && r.HasBox {
			found = true
			edits = append(edits, q.Doc.SetBox(r.Item, true)...)
		}
	}
	for _, t := range q.Trace {
		if !strings.EqualFold(t.ID, id) {
			continue
		}
		found = true
		e, err := q.Doc.SetCell(t.Row, t.StatusColumn, "Complete")
		if err != nil {
			return nil, true, err
		}
		edits = append(edits, e...)
	}
	return edits, found, nil
}
