// Package state reads STATE.md: the position of the work (its current phase and plan), decisions, blockers, and the place where the
// last session stopped. Two forms are in use and both are read and changed: separate fields (Current Phase, Current Plan, Total Plans
// in Phase) and compact ones (Phase: 2 of 5 (Name), Plan: 1 of 3).
//
// The counts in the file are copies. Package inventory counts, and every display of a state uses its counts; this package reads the
// copies so that a difference can be reported.
package state

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
)

// State is the content of a STATE.md. It does not change.
type State struct {
	Doc *document.Document
	// ranges are the parts of the text that are searched for fields, in this order. Only the first now of them are all about the present.
	ranges []document.Range
	now    int
}

// archiveWords begin the headings of sections about past work, whose fields are not about the present.
var archiveWords = [...]string{"archive", "history", "historical", "previous", "past ", "old ", "shipped", "completed milestone"}

// Parse reads a STATE.md. It never fails.
func Parse(text string) *State {
	s := &State{Doc: document.Parse(text)}
	s.ranges, s.now = s.fieldRanges()
	return s
}

// fieldRanges returns the ranges to search for a field about the position of the work: the section about it, the lines before all sections,
// and then the other sections except those of an archive. now is the number of the first two kinds.
func (s *State) fieldRanges() (list []document.Range, now int) {
	d, body := s.Doc, s.Doc.Body()
	for _, h := range d.Headings() {
		if hasTitle(d, h, "Current Position", "Position", "Current Status", "Current State") {
			list = append(list, h.Section())
		}
	}
	first := body
	for _, h := range d.Headings() {
		if h.Level > 1 {
			first.To = h.Line
			break
		}
	}
	list = append(list, first)
	now = len(list)
	archived := 0
	for _, h := range d.Headings() {
		switch title := strings.ToLower(h.Text.Text(d.Text())); {
		case h.Line < archived || h.Level == 1:
		case slices.ContainsFunc(archiveWords[:], func(w string) bool { return strings.HasPrefix(title, w) }):
			archived = h.End
		default:
			list = append(list, d.OwnLines(h))
		}
	}
	return list, now
}

func hasTitle(d *document.Document, h document.Heading, names ...string) bool {
	for _, n := range names {
		if strings.EqualFold(h.Text.Text(d.Text()), n) {
			return true
		}
	}
	return false
}

// Field returns the first field with a name that is about the position of the work.
func (s *State) Field(name string) (document.Field, bool) {
	for _, r := range s.ranges {
		if f, ok := s.Doc.Field(r, name); ok {
			return f, true
		}
	}
	return document.Field{}, false
}

// FieldPlaces returns all fields with a name that are about the position of the work, because a file that follows both templates has
// them twice: the first in each section about it, and the first before all sections. If there is none, it returns the one that
// Field finds.
func (s *State) FieldPlaces(name string) []document.Field {
	var list []document.Field
	for _, r := range s.ranges[:s.now] {
		f, ok := s.Doc.Field(r, name)
		if ok && !slices.ContainsFunc(list, func(o document.Field) bool { return o.Line == f.Line }) {
			list = append(list, f)
		}
	}
	if f, ok := s.Field(name); ok && len(list) == 0 {
		list = append(list, f)
	}
	return list
}

// Value returns the text of the first of the named fields that is not empty, or "".
func (s *State) Value(names ...string) string {
	for _, name := range names {
		if f, ok := s.Field(name); ok && s.Doc.Value(f) != "" {
			return s.Doc.Value(f)
		}
	}
	return ""
}

// FieldIn returns a field in the section that has one of the names.
func (s *State) FieldIn(field string, sections ...string) (document.Field, bool) {
	for _, h := range s.Doc.Headings() {
		if !hasTitle(s.Doc, h, sections...) {
			continue
		}
		if f, ok := s.Doc.Field(h.Section(), field); ok {
			return f, true
		}
	}
	return document.Field{}, false
}

func (s *State) valueIn(field string, sections ...string) string {
	if f, ok := s.FieldIn(field, sections...); ok {
		return s.Doc.Value(f)
	}
	return ""
}

// FrontValue returns the text at a path of keys in the front matter, or "".
func (s *State) FrontValue(path ...string) string { return s.Doc.FrontMatter().Get(path...).Text() }

// Position is the position of the work, as it is written in the file.
type Position struct {
	Phase      phaseid.ID
	PhaseName  string
	Phases     int // 0 if the file has no number
	Plan       int // 0 if none was begun
	Plans      int // 0 if the file has no number
	Compact    bool
	PhaseField document.Field
}

// Position reads the position of the work, in either form.
func (s *State) Position() Position {
	var p Position
	if f, ok := s.Field("Current Phase"); ok {
		p.PhaseField = f
		p.readPhase(s.Doc.Value(f))
		if name := s.Value("Current Phase Name"); name != "" {
			p.PhaseName = name
		}
	} else if f, ok := s.Field("Phase"); ok {
		p.PhaseField, p.Compact = f, true
		p.readPhase(s.Doc.Value(f))
	}
	if n := leadingNumber(s.Value("Total Phases")); n > 0 {
		p.Phases = n
	}
	p.Plan, p.Plans = parseRatio(s.Value("Current Plan", "Plan"))
	if n := leadingNumber(s.Value("Total Plans in Phase")); n > 0 {
		p.Plans = n
	}
	return p
}

// readPhase reads the value of a field about the phase, such as "2 of 5 (Name)", "17 — Name" or "04 (name) — EXECUTING".
func (p *Position) readPhase(value string) {
	word, rest, _ := strings.Cut(strings.TrimPrefix(value, "Phase "), " ")
	id, ok := phaseid.Parse(strings.TrimRight(word, ":,"))
	if !ok || id.Digits == "" && strings.Trim(word, "—–-") == "" {
		return
	}
	p.Phase = id
	rest = strings.TrimSpace(rest)
	if of, ok := strings.CutPrefix(rest, "of "); ok {
		p.Phases = leadingNumber(of)
		_, rest, _ = strings.Cut(of, " ")
		rest = strings.TrimSpace(rest)
	}
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		p.PhaseName = untilBracket(inner)
		return
	}
	p.PhaseName = strings.TrimSpace(strings.TrimLeft(rest, "—–-: "))
}

// untilBracket returns the text before the closing bracket whose opening one is before s. It returns s if there is none.
func untilBracket(s string) string {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// leadingNumber returns the number at the beginning of s, or 0.
func leadingNumber(s string) int {
	n := 0
	for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	v, err := strconv.Atoi(s[:n])
	if err != nil {
		return 0
	}
	return v
}

// parseRatio reads two numbers such as those of "1 of 3 in current phase" and "1/3".
func parseRatio(s string) (a, b int) {
	a = leadingNumber(s)
	for _, mark := range [...]string{" of ", "/"} {
		if before, after, ok := strings.Cut(s, mark); ok && leadingNumber(before) == a {
			return a, leadingNumber(after)
		}
	}
	return a, 0
}

// Status returns the status as it is written, and as one of the words of NormalizeStatus. A status that has none of them is its own word,
// and without a status that of the front matter is taken.
func (s *State) Status() (text, word string) {
	text = s.Value("Status")
	word = NormalizeStatus(text)
	if s.Value("Paused At") != "" {
		word = "paused"
	}
	if word == "unknown" {
		word = cmp.Or(text, s.FrontValue("status"), word)
	}
	return text, word
}

// NormalizeStatus returns a status as one of the words paused, executing, planning, discussing, verifying, completed or unknown. They are
// compared in this order, so that "planning complete" is planning.
func NormalizeStatus(text string) string {
	text = strings.ToLower(text)
	for _, w := range [...]struct{ part, word string }{
		{"paused", "paused"}, {"stopped", "paused"}, {"executing", "executing"}, {"in progress", "executing"}, {"planning", "planning"}, {"ready to plan", "planning"},
		{"discussing", "discussing"}, {"verif", "verifying"}, {"complete", "completed"}, {"done", "completed"}, {"ready to execute", "executing"},
	} {
		if strings.Contains(text, w.part) {
			return w.word
		}
	}
	return "unknown"
}

// Percent returns the percentage in the file, and false if it has none.
func (s *State) Percent() (percent int, ok bool) {
	value := s.Value("Progress")
	for i := 1; i < len(value); i++ {
		if value[i] != '%' {
			continue
		}
		start := i
		for start > 0 && '0' <= value[start-1] && value[start-1] <= '9' {
			start--
		}
		if start < i {
			return leadingNumber(value[start:i]), true
		}
	}
	return 0, false
}

// Activity returns the date and text of the last activity.
func (s *State) Activity() (date, text string) {
	value := s.Value("Last Activity")
	text = s.Value("Last Activity Description")
	for _, mark := range [...]string{" — ", " – ", " -- ", " - "} {
		if before, after, ok := strings.Cut(value, mark); ok && text == "" {
			return strings.TrimSpace(before), strings.TrimSpace(after)
		}
	}
	return value, text
}

// Session is the place where the last session stopped.
type Session struct{ Last, StoppedAt, ResumeFile string }

// Session reads the section about the last session, which has one of two names.
func (s *State) Session() Session {
	names := []string{"Session Continuity", "Session"}
	first := func(fields ...string) string {
		for _, f := range fields {
			if v := s.valueIn(f, names...); v != "" {
				return v
			}
		}
		return ""
	}
	return Session{first("Last session", "Last Date"), first("Stopped at"), first("Resume file")}
}

// CoreValue returns the core value of the project, from the section that refers to PROJECT.md.
func (s *State) CoreValue() string { return s.valueIn("Core value", "Project Reference") }

// Focus returns the description of the current work.
func (s *State) Focus() string { return s.valueIn("Current focus", "Project Reference") }

// IsNewerFormat reports whether the file has a later format version than 1. Such a file is read but not written, because the meaning of its
// fields is unknown.
func (s *State) IsNewerFormat() bool { return leadingNumber(s.FrontValue("gsd_state_version")) > 1 }

// Problems returns the defects of the text.
func (s *State) Problems() []edit.Problem {
	list := s.Doc.Problems()
	if s.IsNewerFormat() {
		n := s.Doc.FrontMatter().Get("gsd_state_version")
		list = append(list, edit.Problem{Line: n.Line, Why: "version " + n.Value + " is newer than 1, the latest known: the file is read and not written"})
	}
	return list
}
