package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// deviation is what a model could do wrongly before a step of the leader: reports without the work, with wrong values, or of a later step.
// ken has to refuse each with a reason, to go on naming the step to a session that begins there, and to tick nothing.
type deviation struct {
	before string   // the beginning of a call of the leader, or "agent ROLE"
	tries  []string // behind `ken plan `
	names  string   // by `ken plan run next`, after all tries; "" where no run has begun
	guide  string   // by `ken plan guide`, which a new session begins with
}

const (
	nextPlan = "guide plan-phase"
	nextDo   = "guide execute-phase"
)

// deviations are in the order of the phase. Each is tried at the first call that it is before, once.
func deviations() []deviation {
	return []deviation{
		{"ken plan run start 1", []string{"run report 01 planned", "run report 01 gate --result passed", "run start 9", "executor create 01", "phase complete 1"}, "", "guide "},
		{"agent planner", []string{"run report 01 planned", "run report 01 checked --blockers 0 --warnings 0", "run report 01 plnned"}, "report 01 planned", "guide "},
		{
			"ken plan run report 01 planned", []string{
				"run report 01 checked --blockers 0 --warnings 0", "run report 01 gate --result passed", "run report 01 executed --plan 01-01", "phase complete 1",
			}, "report 01 planned", "guide ",
		},
		{
			"ken plan run report 01 checked", []string{
				"run report 01 gate --result passed", "run report 01 checked --blockers none", "run report 01 executed --plan 01-01", "run report 01 verified --result passed",
			}, "report 01 checked", "guide ",
		},
		{
			"ken plan run report 01 gate", []string{
				"run report 01 gate --result maybe", "run report 01 gate", "run report 01 executed --plan 01-01", "run report 01 verified --result passed", "phase complete 1",
			}, "report 01 gate", "guide ",
		},
		{
			"ken plan executor create", []string{
				"run report 01 executed --plan 01-01", "run report 01 executed --plan 01-09", "run report 01 gate --result passed", "run report 01 verified --result passed",
			}, "executor create 01", nextDo,
		},
		{
			"agent executor", []string{
				"run report 01 executed --plan 01-01", "run report 01 executed --plan 01-01 --ran '0 true'", "run report 01 gate --result passed", "phase complete 1",
			}, "report 01 executed --plan 01-01", nextDo,
		},
		{
			"ken plan run report 01 executed --plan 01-01", []string{"run report 01 executed --plan 01-02", "run report 01 executed --plan 01-03", "run report 01 gate --result passed"},
			"report 01 executed --plan 01-01", nextDo,
		},
		{
			"ken plan run report 01 failed --plan 01-02", []string{"run report 01 executed --plan 01-02", "run report 01 gate --result passed", "run report 01 repaired --plan 01-02 --result retry"},
			"report 01 executed --plan 01-02", nextDo,
		},
		{
			"ken plan run report 01 repaired", []string{"run report 01 repaired --plan 01-02 --result maybe", "run report 01 halted --plan 01-02", "run report 01 gate --result passed"},
			"report 01 repaired --plan 01-02", nextDo,
		},
		{
			"ken plan worktree cleanup-wave", []string{"run report 01 gate --result passed", "run report 01 gate --ran '0 make test'", "run report 01 verified --result passed"},
			"worktree cleanup-wave", nextDo,
		},
		{
			"ken plan run report 01 gate --ran", []string{"run report 01 gate --result passed", "run report 01 verified --result passed", "run report 01 executed --plan 01-03", "phase complete 1"},
			"report 01 gate", nextDo,
		},
		{
			"agent verifier", []string{
				"run report 01 verified --result passed", "run report 01 verified --result excellent", "run report 01 gate --result passed", "phase complete 1",
			}, "report 01 verified", "guide ",
		},
		{"ken plan run report 01 verified", []string{"run report 01 gate --result passed", "run report 01 tried --result passed"}, "report 01 verified", "guide "},
		{"ken plan run report 01 gate --result passed", []string{"run report 01 gate --result maybe", "run report 01 executed --plan 01-01"}, "report 01 gate", "guide "},
	}
}

// wrongs tries deviations in a run that goes on rightly behind each.
type wrongs struct {
	left          []deviation
	tries, passed int
	steps, lost   int
}

// deviate tries what is next, if it is before the step.
func (t *trial) deviate(what string) {
	w := t.wrong
	if w == nil || len(w.left) == 0 || !strings.HasPrefix(what, w.left[0].before) {
		return
	}
	d := w.left[0]
	w.left = w.left[1:]
	for _, call := range d.tries {
		w.tries++
		r := t.runShell("ken plan " + call)
		switch {
		case !r.failed:
			w.passed++
			t.complain("before %q: ken plan %s is taken: %.200s", d.before, call, r.text)
		case strings.TrimSpace(r.text) == "":
			w.passed++
			t.complain("before %q: ken plan %s is refused without a reason", d.before, call)
		}
		t.expectNoClaim(d.before + ": " + call)
	}
	w.steps++
	for call, want := range map[string]string{"ken plan guide": d.guide, "ken plan run next 01": d.names} {
		if r := t.runShell(call); want != "" && (r.failed || !strings.Contains(r.text, want)) {
			w.lost++
			t.complain("before %q: %s does not lead on to %q: %.300s", d.before, call, want, r.text)
		}
	}
}

// complain keeps what a deviation showed, without an end of the run.
func (t *trial) complain(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.complaints = append(t.complaints, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// expectNoClaim expects that nothing is ticked or called complete.
func (t *trial) expectNoClaim(after string) {
	for name, claims := range map[string][]string{
		"ROADMAP.md": {"[x] **Phase 1", "3 | Complete |"}, "REQUIREMENTS.md": {"[x] **GREET"}, "STATE.md": {"completed_phases: 1"},
	} {
		text, err := os.ReadFile(filepath.Join(t.root, ".planning", name))
		for _, claim := range claims {
			if err == nil && strings.Contains(string(text), claim) {
				t.wrong.passed++
				t.complain("after %q %s has %q", after, name, claim)
			}
		}
	}
}
