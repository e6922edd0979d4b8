package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// deviation is what a model could do wrongly before a step of the leader: skip it and go on with a later one, answer badly, or stop, so
// that a new session begins there. ken has to refuse the first two with a reason or to lead back, and to name the step to the session.
type deviation struct {
	step   string // of the phase
	before string // the beginning of a call of the leader, or "agent ROLE"
	skip   []try
	badly  []try
	names  string // by `ken plan run next`, after all tries; "" where no run has begun
	guide  string // by `ken plan guide`, which a new session begins with
}

// try is one of the tries of a deviation.
type try struct {
	call string // behind `ken plan `
	// file is written with text before the call, and put back behind it. old, if it is not "", is replaced by text instead.
	file, old, text string
	// back is what the answer has to name, if it need not be a refusal.
	back string
}

// calls returns tries without files, which have to be refused.
func calls(list ...string) (tries []try) {
	for _, c := range list {
		tries = append(tries, try{call: c})
	}
	return tries
}

const (
	nextPlan = "guide plan-phase"
	nextDo   = "guide execute-phase"
	report   = "run report 01 "
	planning = ".planning/"
	tree     = ".ken/worktrees/01-01/"
)

// deviations are in the order of the phase. Each is tried at the first call that it is before, once.
func deviations() []deviation {
	verified, gate := report+"verified --result passed", report+"gate --result passed"
	return []deviation{
		{
			"start", "ken plan start", calls("run start 1", "phase draft 1 --plans 3", "phase complete 1", "executor create 01"),
			calls("start --name greet", "start --name greet --goal x", "start --answers '{'", "start --from none.md"), "", "guide new-project",
		},
		{
			"requirements", "agent roadmapper", append(calls(report+"planned", verified, "executor create 01", "phase complete 1"), try{call: "guide", back: "requirements: Have"}),
			[]try{
				{call: "validate consistency", file: planning + "ROADMAP.md", text: "<<<<<<< a\n", back: "open merge conflict"},
				{call: "start --name again --goal x 'One: a'"},
				{call: "requirements mark-complete GREET-01", back: "not_found"},
			}, "", "guide new-project",
		},
		{
			"roadmap", "ken plan validate consistency", append(calls(report+"planned", verified, "executor create 01", "phase complete 1"), try{call: "guide", back: "agree"}),
			[]try{
				{call: "validate consistency", file: planning + "REQUIREMENTS.md", old: "- [ ] **LANG-01**", text: "- [ ] **MORE-01**: x\n- [ ] **LANG-01**", back: "MORE-01 is in no phase"},
				{call: "validate consistency", file: planning + "ROADMAP.md", old: "GREET-01, GREET-02", text: "GREET-01, LANG-01", back: "LANG-01 is in phases 1 and 2"},
				{call: "validate consistency", file: planning + "ROADMAP.md", old: "GREET-01, GREET-02", text: "GREET-01, GREET-02, GREET-09", back: "GREET-09"},
				{call: "validate consistency", file: planning + "ROADMAP.md", text: "# Roadmap\n", back: "no phase"},
			}, "", "guide new-project",
		},
		{"plan", "ken plan run start 1", calls(report+"planned", gate, "executor create 01", "phase complete 1"), calls("run start 9", "run start one", report+"plnned"), "", "guide "},
		{
			"plan", "agent planner", calls(report+"planned", report+"checked --blockers 0 --warnings 0"),
			[]try{
				{call: report + "plnned"},
				{call: report + "planned", file: phaseDir + "01-01-PLAN.md", text: "<objective>[What is it?]</objective>\n"},
			}, "report 01 planned", "guide ",
		},
		{"plan", "ken plan run report 01 planned", calls(report+"checked --blockers 0 --warnings 0", gate, report+"executed --plan 01-01", "phase complete 1"), nil, "report 01 planned", "guide "},
		{
			"check", "ken plan run report 01 checked", calls(gate, report+"executed --plan 01-01", verified),
			calls(report+"checked --blockers none", report+"checked --blockers 2", report+"checked --blockers -1", report+"checked --blockers 2 --issues 'severity: blocker'"),
			"report 01 checked", "guide ",
		},
		{
			"check", "ken plan run report 01 gate", calls(report+"executed --plan 01-01", verified, "phase complete 1"),
			calls(report+"gate --result maybe", report+"gate"), "report 01 gate", "guide ",
		},
		{
			"execute", "ken plan executor create", calls(report+"executed --plan 01-01", gate, verified), calls(report+"executed --plan 01-09", "executor create 09"),
			"executor create 01", nextDo,
		},
		{
			"execute", "agent executor", append(calls(gate, "phase complete 1"), try{call: "worktree cleanup-wave --phase 01", back: "01-01 not merged"}),
			[]try{
				{call: report + "executed --plan 01-01"},
				{call: report + "executed --plan 01-01 --ran '0 true'"},
				{call: report + "executed --plan 01-01", file: tree + phaseDir + "01-01-SUMMARY.md", text: "# Done\n\n## Self-Check: PASSED\n"},
			}, "report 01 executed --plan 01-01", nextDo,
		},
		{
			"execute", "ken plan run report 01 executed --plan 01-01", calls(report+"executed --plan 01-03", gate),
			calls(report+"executed --plan 01-02", report+"executed --plan 01-01 --ran 'ok make'", report+"checkpoint --plan 01-01 --type none --text x"),
			"report 01 executed --plan 01-01", nextDo,
		},
		{
			"repair", "ken plan run report 01 failed --plan 01-02", calls(report+"executed --plan 01-02", gate), calls(report + "repaired --plan 01-02 --result retry"),
			"report 01 executed --plan 01-02", nextDo,
		},
		{
			"repair", "ken plan run report 01 repaired", calls(gate, report+"halted --plan 01-02"), calls(report + "repaired --plan 01-02 --result maybe"),
			"report 01 repaired --plan 01-02", nextDo,
		},
		{"execute", "ken plan worktree cleanup-wave", calls(gate, verified), calls(report + "gate --ran '0 make test'"), "worktree cleanup-wave", nextDo},
		{
			"execute", "ken plan run report 01 gate --ran", calls(gate, verified, report+"executed --plan 01-03", "phase complete 1"),
			calls(report + "gate --result passed --ran '1 make test'"), "report 01 gate", nextDo,
		},
		{
			"verify", "agent verifier", calls(gate, "phase complete 1"),
			[]try{
				{call: verified},
				{call: report + "verified --result excellent"},
				{call: verified, file: phaseDir + "01-VERIFICATION.md", text: "---\nstatus: passed\n---\n\nAll is well.\n"},
				{call: verified, file: phaseDir + "01-VERIFICATION.md", text: "---\nstatus: gaps_found\n---\n"},
			}, "report 01 verified", "guide ",
		},
		{"verify", "ken plan run report 01 verified", calls(gate), calls(report + "tried --result passed"), "report 01 verified", "guide "},
		{
			"complete", "ken plan run report 01 gate --result passed", calls(report+"executed --plan 01-01", "executor create 02"), calls(report+"gate --result maybe", report+"gate"),
			"report 01 gate", "guide ",
		},
	}
}

// wrongs tries deviations in a run that goes on rightly behind each.
type wrongs struct {
	left []deviation
	rows []wrongRow
	all  bool // print each try
}

// wrongRow is how the tries before one step ended: skipped, answered badly, begun by a new session.
type wrongRow struct {
	step              string
	tries, passed     [3]int
	claims, deviation int
}

// row returns the row of a step.
func (w *wrongs) row(step string) *wrongRow {
	i := slices.IndexFunc(w.rows, func(r wrongRow) bool { return r.step == step })
	if i < 0 {
		w.rows = append(w.rows, wrongRow{step: step})
		i = len(w.rows) - 1
	}
	return &w.rows[i]
}

// deviate tries what is next, if it is before the step.
func (t *trial) deviate(what string) {
	w := t.wrong
	if w == nil || len(w.left) == 0 || !strings.HasPrefix(what, w.left[0].before) {
		return
	}
	d := w.left[0]
	w.left = w.left[1:]
	row := w.row(d.step)
	row.deviation++
	for kind, list := range [][]try{d.skip, d.badly} {
		for _, y := range list {
			row.tries[kind]++
			if t.isRight(&d, y, []string{"skipped", "badly"}[kind]) {
				row.passed[kind]++
			}
			if !t.claimsNothing(d.before + ": " + y.call) {
				row.claims++
			}
		}
	}
	session := []try{{call: "guide", back: d.guide}, {call: "run next 01", back: d.names}}
	for _, y := range session {
		if y.back == "" {
			continue
		}
		row.tries[2]++
		if t.isRight(&d, y, "stopped") {
			row.passed[2]++
		}
	}
}

// isRight makes a try, and reports whether it was refused with a reason, or led back.
func (t *trial) isRight(d *deviation, y try, kind string) bool {
	defer t.put(y)()
	r := t.runShell("ken plan " + y.call)
	text := strings.Join(strings.Fields(r.text), " ")
	ok := r.failed && text != ""
	if y.back != "" {
		ok = strings.Contains(text, y.back)
	}
	if t.wrong.all {
		fmt.Printf("    %-12s %-8s ken plan %s: %.140s\n", d.step, kind, y.call, text)
	}
	if !ok {
		t.complain("%s, before %q: ken plan %s %s: %.300s", d.step, d.before, y.call, y.back, text)
	}
	return ok
}

// put writes the file of a try, and returns what puts it back.
func (t *trial) put(y try) (back func()) {
	if y.file == "" {
		return func() {}
	}
	at := filepath.Join(t.root, filepath.FromSlash(y.file))
	was, err := os.ReadFile(at)
	missing := err != nil
	text := y.text
	if y.old != "" {
		if text = strings.Replace(string(was), y.old, y.text, 1); text == string(was) {
			t.complain("%s has no %q", y.file, y.old)
		}
	}
	parent := filepath.Dir(at)
	_, err = os.Stat(parent)
	made := err != nil
	if err := errors.Join(os.MkdirAll(parent, 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.complain("%v", err)
	}
	return func() {
		switch {
		case made:
			os.RemoveAll(parent)
		case missing:
			os.Remove(at)
		default:
			os.WriteFile(at, was, 0o644)
		}
	}
}

// complain keeps what a deviation showed, without an end of the run.
func (t *trial) complain(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.complaints = append(t.complaints, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// claimsNothing reports whether nothing is ticked or called complete.
func (t *trial) claimsNothing(after string) bool {
	ok := true
	for name, claims := range map[string][]string{
		"ROADMAP.md": {"[x] **Phase 1", "3 | Complete |"}, "REQUIREMENTS.md": {"[x] **GREET"}, "STATE.md": {"completed_phases: 1"},
	} {
		text, err := os.ReadFile(filepath.Join(t.root, ".planning", name))
		for _, claim := range claims {
			if err == nil && strings.Contains(string(text), claim) {
				ok = false
				t.complain("after %q %s has %q", after, name, claim)
			}
		}
	}
	return ok
}
