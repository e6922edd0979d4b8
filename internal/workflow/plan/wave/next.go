package wave

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/operation"
)

// Action is a step for the orchestrator to do now.
type Action struct {
	Who      string   `json:"who"` // planner, checker, executor, verifier, person, orchestrator
	What     string   `json:"what"`
	Plan     string   `json:"plan,omitempty"`
	Question string   `json:"question,omitempty"`
	Options  []string `json:"options,omitempty"`
	Commands []string `json:"commands"`        // ken operations to run, in this order
	Helps    []string `json:"helps,omitempty"` // ken operations that may help
	// Checks are commands for an agent to run, with how they ended last.
	Checks []WaveCheck `json:"checks,omitempty"`
	Report []string    `json:"report"` // the event to report afterwards
	// Otherwise are events to report if it goes another way.
	Otherwise []string `json:"otherwise,omitempty"`
}

// NextActions returns the steps to do now. It returns none for a run that has ended.
func NextActions(r *Run, p *Policy) []Action {
	report := "run report " + r.Phase + " "
	switch r.Stage {
	case Planning:
		what := "write the plans of the phase"
		if len(r.Gaps) > 0 {
			what = fmt.Sprintf("write plans that close the gaps of the verification (%d)", r.Gaps[len(r.Gaps)-1])
		}
		help := []string{"payload " + r.Phase + " --role planner", "brief " + r.Phase}
		draft := []string{"phase draft " + r.Phase + " --plans N"}
		return []Action{{Who: "planner", What: what, Commands: draft, Helps: help, Report: []string{report + "planned"}}}
	case Checking:
		return []Action{{
			Who: "checker", What: "look for what has to be mended in the plans", Commands: []string{"check " + r.Phase},
			Helps:  []string{"payload " + r.Phase + " --role checker", "waves " + r.Phase, "writes " + r.Phase},
			Report: []string{report + "checked --blockers N --warnings N"},
		}}
	case Revising:
		return []Action{{
			Who: "planner", What: fmt.Sprintf("mend what the checker found (%d), which a fresh agent gets as it was written; revision %d of %d",
				r.Issues[len(r.Issues)-1], r.Tries, MaxRevisions),
			Commands: []string{}, Helps: []string{"payload " + r.Phase + " --role planner"}, Report: []string{report + "planned"},
		}}
	case Deciding:
		return []Action{{
			Who: "person", What: "decide how it goes on", Question: r.Why, Options: []string{"proceed", "adjust", "stop"}, Commands: []string{},
			Report: []string{report + "decided --result proceed|adjust|stop"},
		}}
	case Approving, Closing:
		g := gateRow(stageGate(r.Stage))
		return []Action{{
			Who: "person", What: "answer the gate " + g.Name, Question: g.Asks, Options: []string{"passed", "refused"}, Commands: []string{},
			Report: []string{report + "gate --result passed|refused"},
		}}
	case Executing:
		return r.planActions(p, report)
	case WaveGate:
		return []Action{waveGate(r, p, report)}
	case Verifying:
		return []Action{{
			Who: "verifier", What: "hold what is there against the goal of the phase, and answer each truth in VERIFICATION.md",
			Commands: []string{"template fill verification --phase " + r.Phase, "verify phase " + r.Phase},
			Helps:    []string{"payload " + r.Phase + " --role verifier", "trace " + r.Phase},
			Report:   []string{report + "verified --result passed|gaps_found|human_needed [--gaps N]" + ranFlags(p.unrecorded())},
		}}
	case Human:
		return []Action{{
			Who: "person", What: "try what the verification asks for", Commands: []string{}, Report: []string{report + "tried --result passed|failed"},
		}}
	case Complete:
		if r.closed {
			return []Action{}
		}
		return []Action{{Who: "orchestrator", What: "close the phase", Commands: []string{"phase complete " + r.Phase}, Report: []string{}}}
	}
	return []Action{}
}

func gateRow(name string) GateRow {
	list := Gates()
	return list[slices.IndexFunc(list, func(g GateRow) bool { return g.Name == name })]
}

// waveGate returns the action for the end of a wave: what its executors committed is merged, and the project's checks run once. ken runs
// none of them; the wave ends when their exit status is recorded as 0, or if there are none.
func waveGate(r *Run, p *Policy, report string) Action {
	a := Action{
		Who: "orchestrator", What: fmt.Sprintf("run the project's checks after wave %d", r.Wave), Checks: p.Checks, Commands: []string{},
		Report: []string{report + "gate --result passed"},
	}
	if p.Unmerged {
		a.What = fmt.Sprintf("merge what the executors of wave %d committed; the project's checks come behind it", r.Wave)
		a.Commands, a.Report = []string{"worktree cleanup-wave --phase " + r.Phase, "run next " + r.Phase}, []string{}
		return a
	}
	var open []string
	for _, w := range p.Checks {
		if !w.isPassed() {
			open = append(open, w.Command)
		}
	}
	switch {
	case len(p.Checks) == 0:
		a.What = fmt.Sprintf("wave %d is merged, and the project has no checks that ken knows", r.Wave)
	case len(open) > 0:
		a.Report = []string{report + "gate" + ranFlags(open)}
	}
	switch r.Gates["wave"].State {
	case "failed":
		a.What = fmt.Sprintf("the checks failed after wave %d: have it mended, and run them again", r.Wave)
	case "inconclusive":
		a.What = fmt.Sprintf("the checks after wave %d showed nothing: run them again, with more time", r.Wave)
	}
	if p.TestsUnknown {
		a.What += "; its tests were not looked for, because there is no index: run those that you know"
	}
	return a
}

// ranFlags returns the flags that report how commands ended, with the word EXIT for their exit status.
func ranFlags(commands []string) string {
	flags := ""
	for _, command := range commands {
		flags += " --ran " + operation.ShellWord("EXIT "+command)
	}
	return flags
}

// unrecorded returns the commands of all plans that a verification still lacks.
func (p *Policy) unrecorded() (list []string) {
	for _, id := range slices.Sorted(maps.Keys(p.Commands)) {
		list = append(list, p.Commands[id]...)
	}
	return list
}

// planActions returns the actions for the plans of a wave.
func (r *Run) planActions(p *Policy, report string) []Action {
	list := []Action{}
	if waiting := r.plansInState(true, Waiting); len(waiting) > 0 {
		list = append(list, Action{
			Who: "orchestrator", What: "make a work tree for each plan: " + strings.Join(waiting, ", "),
			Commands: []string{"executor create " + r.Phase}, Report: []string{},
		})
	}
	for _, id := range r.plansInState(true, Waiting, Running, Awaiting, Failed) {
		pl := r.Plans[id]
		a := Action{Who: "executor", Plan: id, Commands: []string{}, Report: []string{}}
		on := " --plan " + id
		switch pl.State {
		case Waiting, Running:
			a.What = "carry the plan out in its work tree: commit each task, and write the summary"
			a.Commands = []string{"payload " + r.Phase + " " + id}
			if pl.Answer != "" {
				a.What = "a fresh agent goes on behind the last task that is done, with the answer: " + pl.Answer
			}
			if pl.State == Running {
				a.Helps = []string{"executor status " + id}
			}
			a.Report = []string{report + "executed" + on + ranFlags(p.Commands[id])}
			a.Otherwise = []string{report + "failed" + on, report + "checkpoint" + on + " --type T", report + "deviated" + on + " --kind K"}
		case Awaiting:
			a.Who, a.What, a.Question, a.Options = "person", "answer "+pl.Question.Type, pl.Question.Text, pl.Question.Options
			a.Report = []string{report + "answered" + on + " --text ANSWER"}
		case Failed:
			a.Who, a.What = "orchestrator", "the plan failed: "+pl.Reason+"; what is left is to halt it, by a summary that says so (status: halted)"
			a.Report = []string{report + "halted" + on}
			if p.Repair && pl.Repairs < p.RepairBudget {
				a.What = fmt.Sprintf("the plan failed: %s; repair it, attempt %d of %d", pl.Reason, pl.Repairs+1, p.RepairBudget)
				a.Report = append([]string{report + "repaired" + on + " --result " + strings.Join(Repairs(), "|")}, a.Report...)
			}
		}
		list = append(list, a)
	}
	return list
}
