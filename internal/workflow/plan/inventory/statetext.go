package inventory

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/state"
)

// StateText is the text of STATE.md while an operation changes it. Each edit is made at once and the text parsed again.
type StateText struct {
	State *state.State
	start string
	err   error
}

// NewStateText returns the text of STATE.md to be changed. It fails if the text must not be changed, for example because of a merge
// conflict.
func NewStateText(text string) (*StateText, error) {
	s := state.Parse(text)
	if err := s.CheckWritable(); err != nil {
		return nil, err
	}
	if s.Doc.FrontMatter() == nil && s.Doc.LineCount() > 0 && strings.TrimRight(s.Doc.Line(0), " ") == "---" {
		return nil, edit.Problem{
			Line: 1,
			Why:  "the front matter of STATE.md is not closed, so what is a field and what is not cannot be known: it is not written",
		}
	}
	return &StateText{State: s, start: text}, nil
}

// Text returns the present text, or the first error of an edit.
func (b *StateText) Text() (string, error) { return b.State.Doc.Text(), b.err }

// IsChanged reports whether any edit had an effect.
func (b *StateText) IsChanged() bool { return b.State.Doc.Text() != b.start }

// Edit makes edits of the present text. It keeps the first error, so that the caller can pass the results of a function that returns
// both.
func (b *StateText) Edit(edits []edit.Edit, err error) {
	if b.err != nil || err != nil || len(edits) == 0 {
		b.setError(err)
		return
	}
	next, err := edit.Apply(b.State.Doc.Text(), edits)
	if err != nil {
		b.setError(err)
		return
	}
	b.State = state.Parse(next)
}

func (b *StateText) setError(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Set gives a field another value in all places that are about the present. It reports whether there is such a field.
func (b *StateText) Set(name, value string) bool {
	fields := b.State.FieldPlaces(name)
	var edits []edit.Edit
	for _, f := range fields {
		e, err := b.State.Doc.SetField(f, value)
		b.setError(err)
		edits = append(edits, e...)
	}
	b.Edit(edits, nil)
	return len(fields) > 0
}

// SetStatus gives the status another text. In a file that has it in the front matter alone it gets the word for the text there. It reports
// whether there is a status.
func (b *StateText) SetStatus(text string) bool {
	if b.Set("Status", text) {
		return true
	}
	if b.State.Doc.FrontMatter().Get("status") == nil {
		return false
	}
	b.SetFront(state.NormalizeStatus(text), "status")
	return true
}

// SetIn gives a field in one of the sections another value. It reports whether there is such a field.
func (b *StateText) SetIn(field, value string, sections ...string) bool {
	f, ok := b.State.FieldIn(field, sections...)
	if ok {
		b.Edit(b.State.Doc.SetField(f, value))
	}
	return ok
}

// Activity sets the date and the description of the last activity. The date's field also gets the description, unless that has a field of
// its own. It returns the names of the fields.
func (b *StateText) Activity(day, what string) (set []string) {
	alone := len(b.State.FieldPlaces("Last Activity Description")) > 0
	value := day
	if !alone && what != "" {
		value += " — " + what
	}
	if b.Set("Last Activity", value) {
		set = append(set, "Last Activity")
	}
	if alone && b.Set("Last Activity Description", what) {
		set = append(set, "Last Activity Description")
	}
	return set
}

// SetPhase sets the current phase, in separate fields and in the line "Phase: 2 of 5 (Name)". An unknown name is "" and an unknown total
// 0. It returns the names of the fields.
func (b *StateText) SetPhase(number, name string, total int) (set []string) {
	if b.Set("Current Phase", b.phaseValue("Current Phase", number, name, total)) {
		set = append(set, "Current Phase")
	}
	if name != "" && b.Set("Current Phase Name", name) {
		set = append(set, "Current Phase Name")
	}
	if b.Set("Phase", b.phaseValue("Phase", number, name, total)) {
		set = append(set, "Phase")
	}
	return set
}

// phaseValue returns the new value of a field about the phase, in the form of its present value: the number alone, or with total and name.
func (b *StateText) phaseValue(field, number, name string, total int) string {
	value := number
	old := b.State.Value(field)
	_, rest, _ := strings.Cut(old, " ")
	if field == "Current Phase" && rest == "" {
		return value
	}
	if of, ok := strings.CutPrefix(rest, "of "); ok {
		if total == 0 {
			total, _ = strconv.Atoi(strings.TrimRight(strings.SplitN(of, " ", 2)[0], ",;"))
		}
		value += " of " + strconv.Itoa(total)
	}
	if name != "" {
		value += " (" + name + ")"
	}
	return value
}

// RenumberPhase changes the number of the current phase, which remains the same phase, and the total of phases. A total of 0 leaves that
// unchanged.
func (b *StateText) RenumberPhase(of func(number string) string, total int) {
	var edits []edit.Edit
	for _, name := range [...]string{"Current Phase", "Phase"} {
		for _, f := range b.State.FieldPlaces(name) {
			value := b.State.Doc.Value(f)
			m := phaseForm().FindStringSubmatchIndex(value)
			if m == nil {
				continue
			}
			at := func(from, to int) edit.Span { return edit.Span{Start: f.Value.Start + from, End: f.Value.Start + to} }
			edits = append(edits, edit.Replacement(b.State.Doc.Text(), at(m[2], m[3]), of(value[m[2]:m[3]]))...)
			if total > 0 && m[4] >= 0 {
				edits = append(edits, edit.Replacement(b.State.Doc.Text(), at(m[4], m[5]), strconv.Itoa(total))...)
			}
		}
	}
	b.Edit(edits, nil)
}

// phaseForm matches the forms of a phase in a field: "3", "Phase 3", "3 of 5".
var phaseForm = lazyRegexp(`(?i)^(?:Phase\s+)?([0-9]+[A-Za-z]?(?:\.[0-9]+)*)(?:\s+of\s+([0-9]+))?`)

// SetPlan sets the current plan in the fields "Current Plan" and "Total Plans in Phase", or in the line "Plan: 1 of 3 in current
// phase". plan is 0 if none was begun, and total is 0 if it is unknown. It returns the names of the fields.
func (b *StateText) SetPlan(plan, total int) (set []string) {
	number := "Not started"
	if plan > 0 {
		number = strconv.Itoa(plan)
	}
	if b.Set("Current Plan", number) {
		set = append(set, "Current Plan")
	}
	if total > 0 && b.Set("Total Plans in Phase", strconv.Itoa(total)) {
		set = append(set, "Total Plans in Phase")
	}
	if old := b.State.Value("Plan"); len(b.State.FieldPlaces("Plan")) > 0 {
		value := number
		if plan > 0 && total > 0 {
			value += " of " + strconv.Itoa(total)
		}
		if strings.HasSuffix(old, " in current phase") && value != number {
			value += " in current phase"
		}
		b.Set("Plan", value)
		set = append(set, "Plan")
	}
	return set
}

// SetProgress sets the progress bar.
func (b *StateText) SetProgress(percent int) bool { return b.Set("Progress", ProgressText(percent)) }

// AddRow adds a row to a table of the present text.
func (b *StateText) AddRow(t document.Table, row string) { b.Edit(b.RowEdits(t, row), nil) }

// SetFocus sets the line about the present work. It reports whether there is one.
func (b *StateText) SetFocus(text string) bool {
	return b.SetIn("Current focus", text, "Project Reference") || b.Set("Current focus", text)
}

// MoveFocus sets the line about the present work, if it names a phase. It reports whether it did.
func (b *StateText) MoveFocus(from *Phase, text string) bool {
	focus := b.State.Focus()
	if m := focusPhase().FindStringSubmatch(focus); m != nil {
		id, ok := phaseid.Parse(strings.TrimRight(m[1], ":,"))
		return ok && phaseid.Same(id, from.ID) && b.SetFocus(text)
	}
	return focus != "" && strings.EqualFold(focus, from.Name) && b.SetFocus(text)
}

var focusPhase = lazyRegexp(`^Phase (\S+)`)

// SetSession sets the fields about the last session that are there, and returns their names. An empty place is left as it is; the file to
// go on from is that of this session, or none.
func (b *StateText) SetSession(now time.Time, stoppedAt, resumeFile string) (names []string) {
	set := func(name, value string) {
		if b.SetIn(name, value, "Session Continuity", "Session") || b.Set(name, value) {
			names = append(names, name)
		}
	}
	at := now.UTC().Format("2006-01-02T15:04:05.000Z")
	set("Last session", at)
	set("Last Date", at)
	if stoppedAt != "" {
		set("Stopped At", stoppedAt)
	}
	set("Resume File", cmp.Or(resumeFile, "None"))
	return names
}

// Refresh computes again the values of the front matter that are copies, and returns the names of the changed ones. It adds no missing
// key, because ken does not read the copies, and a person may have left the key out.
func (b *StateText) Refresh(inv *Inventory, now time.Time) (names []string) {
	pos := b.State.Position()
	want := [][2]string{
		{"current_phase_name", pos.PhaseName}, {"current_plan", b.State.Value("Current Plan", "Plan")}, {"stopped_at", b.State.Session().StoppedAt},
		{"paused_at", b.State.Value("Paused At")}, {"last_activity", b.State.Value("Last Activity")},
	}
	if !pos.Phase.IsNone() {
		want = append(want, [2]string{"current_phase", pos.Phase.String()})
	}
	if pos.Plan > 0 {
		want[1][1] = strconv.Itoa(pos.Plan)
	}
	if _, word := b.State.Status(); word != "unknown" && state.NormalizeStatus(b.State.FrontValue("status")) != word {
		want = append(want, [2]string{"status", word})
	}
	for _, w := range want {
		if w[1] != "" && b.SetFront(w[1], w[0]) {
			names = append(names, w[0])
		}
	}
	for _, c := range b.recountFront(inv) {
		names = append(names, c.Field)
	}
	slices.Sort(names)
	if b.IsChanged() && b.SetFront(now.UTC().Format("2006-01-02T15:04:05.000Z"), "last_updated") {
		names = append(names, "last_updated")
	}
	return names
}

// SetFront changes the value at a path of keys in the front matter, if it exists and differs. It reports whether it did.
func (b *StateText) SetFront(value string, path ...string) bool {
	front := b.State.Doc.FrontMatter()
	n := front.Get(path...)
	if n == nil || n.Text() == value {
		return false
	}
	before := b.State.Doc.Text()
	if len(path) == 1 {
		b.Edit(front.Set(path[0], value, b.State.Doc.Newline()))
	} else {
		b.Edit(front.SetScalar(n, value), nil)
	}
	return b.State.Doc.Text() != before
}

// RowEdits returns the edits that add a row to a table. They remove a row of dashes, which is in an empty table.
func (b *StateText) RowEdits(t document.Table, row string) []edit.Edit {
	d := b.State.Doc
	if len(t.Rows) > 0 {
		last := t.Rows[len(t.Rows)-1]
		empty := func(s edit.Span) bool { return strings.Trim(s.Text(d.Text()), "-— ") == "" }
		if !slices.ContainsFunc(last.Cells, func(s edit.Span) bool { return !empty(s) }) {
			return edit.Replacement(d.Text(), d.Span(last.Line), row)
		}
	}
	at := d.Span(t.Lines.To - 1).End
	return []edit.Edit{{Span: edit.Span{Start: at, End: at}, New: d.Newline() + row}}
}

// AddEntry adds an entry to the list below a heading. It removes an entry such as "None".
func (b *StateText) AddEntry(h document.Heading, entry string) {
	d := b.State.Doc
	r := d.OwnLines(h)
	for line := r.From; line < r.To; line++ {
		text := d.Line(line)
		if it, ok := d.ItemAt(line); ok {
			text = it.Text.Text(d.Text())
		}
		if d.Kind(line) == document.Text && state.IsNone(text) {
			b.Edit(edit.Replacement(d.Text(), d.Span(line), entry), nil)
			return
		}
	}
	last := lastText(d, r)
	lead := d.Newline()
	if items := d.Items(r); len(items) == 0 {
		lead += d.Newline()
	}
	at := d.Span(max(last, h.Line)).End
	b.Edit([]edit.Edit{{Span: edit.Span{Start: at, End: at}, New: lead + entry}}, nil)
}

// lastText returns the last line of a range that is not empty, or r.From-1.
func lastText(d *document.Document, r document.Range) int {
	line := r.To - 1
	for line >= r.From && strings.TrimSpace(d.Line(line)) == "" {
		line--
	}
	return line
}

// lazyRegexp returns a function that compiles a regular expression at its first call.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
