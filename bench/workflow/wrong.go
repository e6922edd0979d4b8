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

// refusals returns tries without files, which have to be refused.
func refusals(list ...string) (tries []try) {
	for _, c := range list {
		tries = append(tries, try{call: c})
	}
	return tries
}

const (
	nextPlan    = "guide plan-phase"
	nextDo      = "guide execute-phase"
	runReport   = "run report 01 "
	planningDir = ".planning/"
	greetDir    = planningDir + "phases/01-greet/"
	firstTree   = ".ken/worktrees/01-01/"
)

// deviations are in the order of the phase. Each is tried at the first call that it is before, once.
func deviations() []deviation {
	verified, gate := runReport+"verified --result passed", runReport+"gate --result passed"
	return []deviation{
		{
			"start", "ken plan start", refusals("run start 1", "phase draft 1 --plans 3", "phase complete 1", "executor create 01"),
			refusals("start --name greet", "start --name greet --goal x", "start --answers '{'", "start --from none.md"), "", "guide new-project",
		},
		{
			"requirements", "agent roadmapper", append(refusals(runReport+"planned", verified, "executor create 01", "phase complete 1"), try{call: "guide", back: "requirements: Have"}),
			[]try{
				{call: "validate consistency", file: planningDir + "ROADMAP.md", text: "<<<<<<< a\n", back: "open merge conflict"},
				{call: "start --name again --goal x 'One: a'"},
				{call: "requirements mark-complete GREET-01", back: "not_found"},
			}, "", "guide new-project",
		},
		{
			"roadmap", "ken plan validate consistency", append(refusals(runReport+"planned", verified, "executor create 01", "phase complete 1"), try{call: "guide", back: "agree"}),
			[]try{
				{call: "validate consistency", file: planningDir + "REQUIREMENTS.md", old: "- [ ] **LANG-01**", text: "- [ ] **MORE-01**: x\n- [ ] **LANG-01**", back: "MORE-01 is in no phase"},
				{call: "validate consistency", file: planningDir + "ROADMAP.md", old: "GREET-01, GREET-02", text: "GREET-01, LANG-01", back: "LANG-01 is in phases 1 and 2"},
				{call: "validate consistency", file: planningDir + "ROADMAP.md", old: "GREET-01, GREET-02", text: "GREET-01, GREET-02, GREET-09", back: "GREET-09"},
				{call: "validate consistency", file: planningDir + "ROADMAP.md", text: "# Roadmap\n", back: "no phase"},
			}, "", "guide new-project",
		},
		{"plan", "ken plan run start 1", refusals(runReport+"planned", gate, "executor create 01", "phase complete 1"), refusals("run start 9", "run start one", runReport+"plnned"), "", "guide "},
		{
			"plan", "agent planner", refusals(runReport+"planned", runReport+"checked --blockers 0 --warnings 0"),
			[]try{
				{call: runReport + "plnned"},
				{call: runReport + "planned", file: greetDir + "01-01-PLAN.md", text: "<objective>[What is it?]</objective>\n"},
			}, "report 01 planned", "guide ",
		},
		{"plan", "ken plan run report 01 planned", refusals(runReport+"checked --blockers 0 --warnings 0", gate, runReport+"executed --plan 01-01", "phase complete 1"), nil, "report 01 planned", "guide "},
		{
			"check", "ken plan run report 01 checked", refusals(gate, runReport+"executed --plan 01-01", verified),
			refusals(runReport+"checked --blockers none", runReport+"checked --blockers 2", runReport+"checked --blockers -1", runReport+"checked --blockers 2 --issues 'severity: blocker'"),
			"report 01 checked", "guide ",
		},
		{
			"check", "ken plan run report 01 gate", refusals(runReport+"executed --plan 01-01", verified, "phase complete 1"),
			refusals(runReport+"gate --result maybe", runReport+"gate"), "report 01 gate", "guide ",
		},
		{
			"execute", "ken plan executor create", refusals(runReport+"executed --plan 01-01", gate, verified), refusals(runReport+"executed --plan 01-09", "executor create 09"),
			"executor create 01", nextDo,
		},
		{
			"execute", "agent executor", append(refusals(gate, "phase complete 1"), try{call: "worktree cleanup-wave --phase 01", back: "01-01 not merged"}),
			[]try{
				{call: runReport + "executed --plan 01-01"},
				{call: runReport + "executed --plan 01-01 --ran '0 true'"},
				{call: runReport + "executed --plan 01-01", file: firstTree + greetDir + "01-01-SUMMARY.md", text: "# Done\n\n## Self-Check: PASSED\n"},
			}, "report 01 executed --plan 01-01", nextDo,
		},
		{
			"execute", "ken plan run report 01 executed --plan 01-01", refusals(runReport+"executed --plan 01-03", gate),
			refusals(runReport+"executed --plan 01-02", runReport+"executed --plan 01-01 --ran 'ok make'", runReport+"checkpoint --plan 01-01 --type none --text x"),
			"report 01 executed --plan 01-01", nextDo,
		},
		{
			"repair", "ken plan run report 01 failed --plan 01-02", refusals(runReport+"executed --plan 01-02", gate), refusals(runReport + "repaired --plan 01-02 --result retry"),
			"report 01 executed --plan 01-02", nextDo,
		},
		{
			"repair", "ken plan run report 01 repaired", refusals(gate, runReport+"halted --plan 01-02"), refusals(runReport + "repaired --plan 01-02 --result maybe"),
			"report 01 repaired --plan 01-02", nextDo,
		},
		{"execute", "ken plan worktree cleanup-wave", refusals(gate, verified), refusals(runReport + "gate --ran '0 make test'"), "worktree cleanup-wave", nextDo},
		{
			"execute", "ken plan run report 01 gate --ran", refusals(gate, verified, runReport+"executed --plan 01-03", "phase complete 1"),
			refusals(runReport + "gate --result passed --ran '1 make test'"), "report 01 gate", nextDo,
		},
		{
			"verify", "agent verifier", refusals(gate, "phase complete 1"),
			[]try{
				{call: verified},
				{call: runReport + "verified --result excellent"},
				{call: verified, file: greetDir + "01-VERIFICATION.md", text: "---\nstatus: passed\n---\n\nAll is well.\n"},
				{call: verified, file: greetDir + "01-VERIFICATION.md", text: "---\nstatus: gaps_found\n---\n"},
			}, "report 01 verified", "guide ",
		},
		{"verify", "ken plan run report 01 verified", refusals(gate), refusals(runReport + "tried --result passed"), "report 01 verified", "guide "},
		{
			"complete", "ken plan run report 01 gate --result passed", refusals(runReport+"executed --plan 01-01", "executor create 02"), refusals(runReport+"gate --result maybe", runReport+"gate"),
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
