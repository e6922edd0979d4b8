// Package state reads STATE.md: where the work is, what was decided, what blocks, where the last
// session stopped. Two ways of writing it are in use and both are read and changed: fields of
// their own (Current Phase, Current Plan, Total Plans in Phase) and compact ones (Phase: 2 of 5
// (Name), Plan: 1 of 3).
//
// The counts that the file keeps are copies. Package inventory counts, and whoever shows a state
// shows that; this package reads the copies so that what drifted can be named.
package state

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/phaseid"
)

// State is what a STATE.md says. It does not change.
type State struct {
	Doc *document.Document
	// ranges are where fields are looked for, in this order; the first now of them are about now alone.
	ranges []document.Range
	now    int
}

// archiveWords begin headings of what is over: a field below them says nothing of now.
var archiveWords = [...]string{"archive", "history", "historical", "previous", "past ", "old ", "shipped", "completed milestone"}

// Parse reads a STATE.md. It never fails.
func Parse(text string) *State {
	s := &State{Doc: document.Parse(text)}
	s.ranges, s.now = s.scopes()
	return s
}

// scopes are the ranges in which a field of the position is looked for: the section of the
// position, what is before all sections, and then the others but for those of an archive.
func (s *State) scopes() (list []document.Range, now int) {
	d, body := s.Doc, s.Doc.Body()
	for _, h := range d.Headings() {
		if named(d, h, "Current Position", "Position", "Current Status", "Current State") {
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
		switch title := strings.ToLower(h.Text.In(d.Text())); {
		case h.Line < archived || h.Level == 1:
		case hasPrefix(title, archiveWords[:]):
			archived = h.End
		default:
			list = append(list, d.Own(h))
		}
	}
	return list, now
}

func hasPrefix(s string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func named(d *document.Document, h document.Heading, names ...string) bool {
	for _, n := range names {
		if strings.EqualFold(h.Text.In(d.Text()), n) {
			return true
		}
	}
	return false
}

// Field is a field of the position, in the first place that has it.
func (s *State) Field(name string) (document.Field, bool) {
	for _, r := range s.ranges {
		if f, ok := s.Doc.Field(r, name); ok {
			return f, true
		}
	}
	return document.Field{}, false
}

// Places are all fields of a name that say where the work is: the first in each section of the position and the first before
// all sections, because a file that followed both templates has it twice; else the one that Field finds.
func (s *State) Places(name string) []document.Field {
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

// Value is the text of a field, "" if there is none.
func (s *State) Value(names ...string) string {
	for _, name := range names {
		if f, ok := s.Field(name); ok && s.Doc.Value(f) != "" {
			return s.Doc.Value(f)
		}
	}
	return ""
}

// FieldIn is a field in the section of one of the names.
func (s *State) FieldIn(field string, sections ...string) (document.Field, bool) {
	for _, h := range s.Doc.Headings() {
		if !named(s.Doc, h, sections...) {
			continue
		}
		if f, ok := s.Doc.Field(h.Section(), field); ok {
			return f, true
		}
	}
	return document.Field{}, false
}

func (s *State) in(field string, sections ...string) string {
	if f, ok := s.FieldIn(field, sections...); ok {
		return s.Doc.Value(f)
	}
	return ""
}

// Front is a text of the front matter, "" if there is none.
func (s *State) Front(path ...string) string { return s.Doc.Front().Get(path...).Text() }

// Position is where the work is, as the file has it.
type Position struct {
	Phase      phaseid.ID
	PhaseName  string
	Phases     int // 0 if the file does not say
	Plan       int // 0 if none was begun
	Plans      int // 0 if the file does not say
	Compact    bool
	PhaseField document.Field
}

// Position reads both ways of writing it.
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
	if n := number(s.Value("Total Phases")); n > 0 {
		p.Phases = n
	}
	p.Plan, p.Plans = ratio(s.Value("Current Plan", "Plan"))
	if n := number(s.Value("Total Plans in Phase")); n > 0 {
		p.Plans = n
	}
	return p
}

// readPhase reads "2 of 5 (Name)", "17 — Name" and "04 (name) — EXECUTING".
func (p *Position) readPhase(value string) {
	word, rest, _ := strings.Cut(strings.TrimPrefix(value, "Phase "), " ")
	id, ok := phaseid.Parse(strings.TrimRight(word, ":,"))
	if !ok || id.Digits == "" && strings.Trim(word, "—–-") == "" {
		return
	}
	p.Phase = id
	rest = strings.TrimSpace(rest)
	if of, ok := strings.CutPrefix(rest, "of "); ok {
		p.Phases = number(of)
		_, rest, _ = strings.Cut(of, " ")
		rest = strings.TrimSpace(rest)
	}
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		p.PhaseName, _, _ = cutBracket(inner)
		return
	}
	p.PhaseName = strings.TrimSpace(strings.TrimLeft(rest, "—–-: "))
}

// cutBracket splits at the bracket that closes one that is open already.
func cutBracket(s string) (inner, after string, ok bool) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// number is the number that a text begins with, 0 if it begins with none.
func number(s string) int {
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

// ratio reads "1 of 3 in current phase" and "1/3".
func ratio(s string) (a, b int) {
	a = number(s)
	for _, mark := range [...]string{" of ", "/"} {
		if before, after, ok := strings.Cut(s, mark); ok && number(before) == a {
			return a, number(after)
		}
	}
	return a, 0
}

// Status is the status as the file has it, and the word for it.
func (s *State) Status() (text, word string) {
	text = s.Value("Status")
	word = Normalize(text)
	if s.Value("Paused At") != "" {
		word = "paused"
	}
	if word == "unknown" {
		if front := s.Front("status"); front != "" {
			word = front
		}
	}
	return text, word
}

// Normalize is one of paused, executing, planning, discussing, verifying, completed and unknown.
// The order counts: "planning complete" is planning.
func Normalize(text string) string {
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

// Percent is the percentage that the file shows; ok is false if it shows none.
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
			return number(value[start:i]), true
		}
	}
	return 0, false
}

// Activity is when something happened last and what.
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

// Session is where the last session stopped.
type Session struct{ Last, StoppedAt, ResumeFile string }

// Session reads the section of either name.
func (s *State) Session() Session {
	names := []string{"Session Continuity", "Session"}
	first := func(fields ...string) string {
		for _, f := range fields {
			if v := s.in(f, names...); v != "" {
				return v
			}
		}
		return ""
	}
	return Session{first("Last session", "Last Date"), first("Stopped at"), first("Resume file")}
}

// CoreValue and Focus are the two lines of the reference to the project.
func (s *State) CoreValue() string { return s.in("Core value", "Project Reference") }

// Focus is what is worked on, in words.
func (s *State) Focus() string { return s.in("Current focus", "Project Reference") }

// Newer reports whether the file is of a later version of the format than 1: it is read, and not to be written,
// because what its fields mean is not known.
func (s *State) Newer() bool { return number(s.Front("gsd_state_version")) > 1 }

// Problems are what is wrong with the text.
func (s *State) Problems() []edit.Problem {
	list := s.Doc.Problems()
	if s.Newer() {
		n := s.Doc.Front().Get("gsd_state_version")
		list = append(list, edit.Problem{Line: n.Line, Why: "version " + n.Value + " is newer than 1, the one that is known: the file is read and not written"})
	}
	return list
}
