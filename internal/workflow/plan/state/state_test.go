package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ken/internal/workflow/plan/state"
)

const compact = `---
gsd_state_version: 1.0
milestone: v1.1
status: executing
own_key: stays
progress:
  total_phases: 5
---

# Project State

## Project Reference

See: .planning/PROJECT.md (updated 2026-01-01)

**Core value:** Fast
**Current focus:** Phase 2

## Current Position

Phase: 2 of 5 (API (v2))
Plan: 1 of 3 in current phase
Status: In progress
Last activity: 2026-01-02 — Did it

Progress: [██░░░░░░░░] 20%

## Accumulated Context

### Decisions

Decisions are logged in PROJECT.md.

- [Phase 1]: Use Go — it is fast
- Plain one

### Pending Todos

None yet.

### Blockers/Concerns

- Waiting for access
- None

## Archive

**Status:** paused
**Phase:** 9
Current Phase: 9

## Session Continuity

Last session: 2026-01-02 10:00
Stopped at: Plan 1
Resume file: None
`

const classic = "# State\n\n**Current Phase:** 03\n**Current Phase Name:** Index\n**Total Phases:** 7\n**Current Plan:** 2\n**Total Plans in Phase:** 4\n**Status:** Ready to execute\n**Progress:** 43%\n" +
	"**Last Activity:** 2026-02-01\n**Last Activity Description:** Planned\n\n## Decisions Made\n\n| Phase | Decision | Rationale |\n|---|---|---|\n| 1 | A | B |\n\n## Blockers\n\n- X\n\n## Session\n\n**Last Date:** d\n**Stopped At:** s\n**Resume File:** r\n"

func position(s *state.State) string {
	p := s.Position()
	return fmt.Sprintf("%s of %d (%s), %d of %d", p.Phase, p.Phases, p.PhaseName, p.Plan, p.Plans)
}

// TestBothDialects: both ways of writing the position are read.
func TestBothDialects(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{compact, "2 of 5 (API (v2)), 1 of 3"},
		{classic, "03 of 7 (Index), 2 of 4"},
		{"Phase: 17 — The Split\nPlan: Not started\n", "17 of 0 (The Split), 0 of 0"},
		{"Phase: 04 (queries) — EXECUTING\nPlan: 2/5\n", "04 of 0 (queries), 2 of 5"},
		{"Phase: — (between milestones)\nPlan: —\n", " of 0 (), 0 of 0"},
		{"Phase: 2.1 of 5\n", "2.1 of 5 (), 0 of 0"},
	} {
		if got := position(state.Parse(c.text)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestArchiveDoesNotHijackFields: a field in a section of what is over is not the state of now,
// not even in bold.
func TestArchiveDoesNotHijackFields(t *testing.T) {
	text, word := state.Parse(compact).Status()
	if text != "In progress" || word != "executing" {
		t.Errorf("%q %q", text, word)
	}
	before := state.Parse("# S\n\n## Archive of v1.0\n\n**Status:** paused\n\n### More\n\nStatus: done\n\n## Now\n\nStatus: Planning\n")
	if text, _ := before.Status(); text != "Planning" {
		t.Errorf("%q", text)
	}
	only := state.Parse("---\nstatus: verifying\n---\n# S\n\n## History\n\nStatus: done\n")
	if text, word := only.Status(); text != "" || word != "verifying" {
		t.Errorf("%q %q", text, word)
	}
}

func TestNormalize(t *testing.T) {
	for text, want := range map[string]string{
		"Paused at 3": "paused", "Stopped": "paused", "Executing Phase 2": "executing", "In progress": "executing", "Ready to plan": "planning", "Planning complete": "planning", "Discussing": "discussing",
		"Ready for verification": "verifying", "Phase complete": "completed", "Done": "completed", "Ready to execute": "executing", "": "unknown", "Shipped": "unknown",
		"Phase complete — ready for verification": "verifying",
	} {
		if got := state.NormalizeStatus(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, word := state.Parse("Status: Executing\nPaused At: now\n").Status(); word != "paused" {
		t.Error(word)
	}
}

func TestLists(t *testing.T) {
	s := state.Parse(compact)
	if got := fmt.Sprint(s.Decisions()); got != "[{1 Use Go it is fast 33} { Plain one  34}]" {
		t.Errorf("decisions %s", got)
	}
	if got := fmt.Sprint(s.Blockers(), s.Todos()); got != "[Waiting for access] []" {
		t.Errorf("blockers and todos %s", got)
	}
	if p, ok := s.Percent(); p != 20 || !ok {
		t.Errorf("percent %d %v", p, ok)
	}
	if date, what := s.Activity(); date != "2026-01-02" || what != "Did it" {
		t.Errorf("activity %q %q", date, what)
	}
	if s.CoreValue() != "Fast" || s.Focus() != "Phase 2" {
		t.Errorf("%q %q", s.CoreValue(), s.Focus())
	}
}

// TestSnapshotSectionsOfBothTemplates: decisions, blockers and the session are found under the
// names that either template gives their sections.
func TestSnapshotSectionsOfBothTemplates(t *testing.T) {
	for _, c := range []struct{ text, session, decisions, blockers string }{
		{compact, "{2026-01-02 10:00 Plan 1 None}", "[{1 Use Go it is fast 33} { Plain one  34}]", "[Waiting for access]"},
		{classic, "{d s r}", "[{1 A B 16}]", "[X]"},
	} {
		s := state.Parse(c.text)
		if got := fmt.Sprint(s.Session()); got != c.session {
			t.Errorf("session %s, want %s", got, c.session)
		}
		if got := fmt.Sprint(s.Decisions()); got != c.decisions {
			t.Errorf("decisions %s, want %s", got, c.decisions)
		}
		if got := fmt.Sprint(s.Blockers()); got != c.blockers {
			t.Errorf("blockers %s, want %s", got, c.blockers)
		}
	}
}

// TestUnknownFrontMatterKeysStay: a field is set, everything else keeps its bytes, keys that ken does not
// know included; and what is so already is no change.
func TestUnknownFrontMatterKeysStay(t *testing.T) {
	for _, c := range []struct{ text, field, value, old, after string }{
		{compact, "Status", "Paused", "Status: In progress", "Status: Paused"},
		{compact, "Current Phase", "3", "Phase: 2 of 5", "Phase: 3 of 5"},
		{compact, "Current Plan", "2", "Plan: 1 of 3", "Plan: 2 of 3"},
		{compact, "Current Plan", "1", "", ""},
		{classic, "Current Plan", "3", "**Current Plan:** 2", "**Current Plan:** 3"},
		{"Plan: Not started\n", "Current Plan", "1", "Not started", "1"},
	} {
		s := state.Parse(c.text)
		edits, err := s.Set(c.field, c.value)
		if err != nil {
			t.Errorf("%s: %v", c.field, err)
			continue
		}
		next, err := s.Doc.Apply(edits)
		if want := strings.Replace(c.text, c.old, c.after, 1); err != nil || next.Text() != want {
			t.Errorf("%s: %v\n%s", c.field, err, next.Text())
		}
		if (len(edits) == 0) != (c.old == c.after) {
			t.Errorf("%s = %s: %v", c.field, c.value, edits)
		}
	}
	_, err := state.Parse(compact).Set("No Such", "x")
	if missing, ok := errors.AsType[*state.MissingError](err); !ok || missing.Field != "No Such" {
		t.Errorf("%v", err)
	}
}

// TestNotWritten: a file of a later version, and one with a merge conflict, is read and not written.
func TestNotWritten(t *testing.T) {
	for _, text := range []string{"---\ngsd_state_version: 2.0\n---\nStatus: Planning\n", "<<<<<<< HEAD\nStatus: Planning\n=======\nStatus: Done\n>>>>>>> x\n"} {
		s := state.Parse(text)
		if edits, err := s.Set("Status", "Done"); err == nil {
			t.Errorf("%q: %v", text, edits)
		}
		if _, word := s.Status(); word != "planning" || len(s.Problems()) != 1 {
			t.Errorf("%q: %s %v", text, word, s.Problems())
		}
	}
	for version, newer := range map[string]bool{"1.0": false, "\"1.0\"": false, "1.7": false, "2": true, "10.0": true, "x": false} {
		if s := state.Parse("---\ngsd_state_version: " + version + "\n---\n"); s.IsNewerFormat() != newer {
			t.Errorf("%s: %v", version, s.IsNewerFormat())
		}
	}
}

// TestStackedFrontMatter: of several blocks the first is read, and the body begins after the last.
func TestStackedFrontMatter(t *testing.T) {
	s := state.Parse("---\nstatus: planning\n---\n\n---\nstatus: paused\nother: x\n---\n\n# State\n\nPhase: 1 of 2\n")
	if _, word := s.Status(); word != "planning" || position(s) != "1 of 2 (), 0 of 0" {
		t.Errorf("%s %s", word, position(s))
	}
	if p := s.Problems(); len(p) != 1 || p[0].Line != 5 {
		t.Errorf("%v", p)
	}
}
