package state_test

import (
	"testing"

	"ken/internal/workflow/plan/state"
)

// FuzzState: whatever a STATE.md says, it can be read, and a field that was set has its value and nothing else is lost.
func FuzzState(f *testing.F) {
	f.Add("---\nstatus: executing\nprogress:\n  percent: 5\n---\n# State\n\n## Current Position\n\nPhase: 2 of 5 (Name)\nPlan: 1 of 3\nStatus: Ready\n")
	f.Add("**Current Phase:** 3\r\n**Current Plan:** 1\r\n**Status:** Paused\r\n## Decisions\r\n- [Phase 1]: x — y\r\n")
	f.Add("## Archive\nStatus: old\n```\nStatus: no\n```\n<<<<<<< HEAD\nStatus: a\n=======\nStatus: b\n>>>>>>> x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := state.Parse(text)
		s.Activity()
		s.Blockers()
		s.Decisions()
		s.Percent()
		s.Position()
		s.Session()
		s.Status()
		s.Todos()
		s.IsNewerFormat()
		s.Problems()
		for _, name := range []string{"Status", "Current Phase", "Current Plan"} {
			before, ok := s.Field(name)
			edits, err := s.Set(name, "7")
			if err != nil || !ok {
				continue
			}
			d, err := s.Doc.Apply(edits)
			if err != nil {
				t.Fatalf("%q: %s %v: %v", text, name, before, err)
			}
			again, err := state.Parse(d.Text()).Set(name, "7")
			if err == nil && len(again) != 0 {
				t.Errorf("%q: %s set twice is another edit: %q", text, name, d.Text())
			}
		}
	})
}
