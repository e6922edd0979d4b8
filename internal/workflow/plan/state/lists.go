package state

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

// Decision is a decision still in force, with its phase and reason if the file has them.
type Decision struct {
	Phase, Summary, Rationale string
	Line                      int
}

// findSection returns the lines below the first heading with one of the names.
func (s *State) findSection(names ...string) (document.Range, bool) {
	h, ok := s.Heading(names...)
	if !ok {
		return document.Range{}, false
	}
	return s.Doc.OwnLines(h), true
}

// Heading returns the first heading with one of the names.
func (s *State) Heading(names ...string) (document.Heading, bool) {
	for _, h := range s.Doc.Headings() {
		if hasTitle(s.Doc, h, names...) {
			return h, true
		}
	}
	return document.Heading{}, false
}

// Decisions returns the decisions in the section Decisions or Decisions Made, which has a list or a table.
func (s *State) Decisions() []Decision {
	r, ok := s.findSection("Decisions", "Decisions Made")
	if !ok {
		return nil
	}
	var list []Decision
	for _, t := range s.Doc.Tables(r) {
		for _, row := range t.Rows {
			if len(row.Cells) >= 3 {
				list = append(list, Decision{s.Doc.Cell(row, 0), s.Doc.Cell(row, 1), s.Doc.Cell(row, 2), row.Line})
			}
		}
	}
	for _, it := range s.Doc.Items(r) {
		d := parseDecision(it.Text.Text(s.Doc.Text()))
		d.Line = it.Line
		list = append(list, d)
	}
	return list
}

// parseDecision reads a decision such as "[Phase 1]: text — why".
func parseDecision(text string) Decision {
	var d Decision
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if phase, rest, ok := strings.Cut(inner, "]"); ok {
			d.Phase = strings.TrimPrefix(phase, "Phase ")
			text = strings.TrimLeft(rest, ": ")
		}
	}
	d.Summary, d.Rationale, _ = strings.Cut(text, " — ")
	return d
}

// Blockers returns the items of the section of blockers.
func (s *State) Blockers() []string { return s.sectionItems("Blockers/Concerns", "Blockers") }

// Todos returns the items of the section Pending Todos.
func (s *State) Todos() []string { return s.sectionItems("Pending Todos") }

func (s *State) sectionItems(names ...string) []string {
	r, ok := s.findSection(names...)
	if !ok {
		return nil
	}
	var list []string
	for _, it := range s.Doc.Items(r) {
		if text := it.Text.Text(s.Doc.Text()); !IsNone(text) {
			list = append(list, text)
		}
	}
	return list
}

// IsNone reports whether a text, such as "None yet.", means an empty list.
func IsNone(text string) bool {
	text = strings.ToLower(strings.Trim(text, "*_(). "))
	return text == "none" || text == "none yet"
}

// CheckWritable returns an error if the file must not be written: if it has a newer format, or a merge conflict, in which it is unknown to
// which side a field belongs.
func (s *State) CheckWritable() error {
	if s.IsNewerFormat() {
		return fmt.Errorf("STATE.md has version %s, newer than 1: it is not written", s.FrontValue("gsd_state_version"))
	}
	if line := s.Doc.ConflictLine(); line > 0 {
		return edit.Problem{Line: line, Why: "a merge conflict is not resolved: STATE.md is not written"}
	}
	return nil
}

// Set returns the edits that give a field about the position of the work another value. A field may have another name, Phase for Current
// Phase, which is followed by name and total; then only the number is replaced. It fails with a *MissingError if there is no such field,
// and if the file must not be written or the value has more than one line.
func (s *State) Set(name, value string) ([]edit.Edit, error) {
	if err := s.CheckWritable(); err != nil {
		return nil, err
	}
	if f, ok := s.Field(name); ok {
		return s.Doc.SetField(f, value)
	}
	compact, ok := map[string]string{"current phase": "Phase", "current plan": "Plan"}[strings.ToLower(name)]
	if !ok {
		return nil, &MissingError{name}
	}
	f, ok := s.Field(compact)
	if !ok {
		return nil, &MissingError{name}
	}
	old := s.Doc.Value(f)
	end := strings.IndexByte(old, ' ')
	if end < 0 || leadingNumber(old) == 0 {
		end = len(old) // "Not started", "—"
	}
	return s.Doc.SetField(f, value+old[end:])
}

// MissingError reports that STATE.md has no field with a name.
type MissingError struct{ Field string }

func (e *MissingError) Error() string { return "STATE.md has no field " + e.Field }
