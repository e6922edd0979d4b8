package wave

import (
	"fmt"
	"slices"
	"strings"
)

// Action is a step for the orchestrator to do now.
type Action struct {
	Who      string   `json:"who"` // planner, checker, executor, verifier, person, orchestrator
	What     string   `json:"what"`
	Plan     string   `json:"plan,omitempty"`
	Question string   `json:"question,omitempty"`
	Options  []string `json:"options,omitempty"`
	Commands []string `json:"commands"` // ken operations that help; commands for an agent to run are in Run
	Run      string   `json:"run,omitempty"`
	Report   []string `json:"report"` // the event to report afterwards
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
		help := []string{"phase draft " + r.Phase + " --plans N", "payload " + r.Phase + " --role planner", "brief " + r.Phase}
		return []Action{{Who: "planner", What: what, Commands: help, Report: []string{report + "planned"}}}
	case Checking:
		return []Action{{
			Who: "checker", What: "look for what has to be mended in the plans", Commands: r.checkCommands(),
			Report: []string{report + "checked --blockers N --warnings N"},
		}}
	case Revising:
		return []Action{{
			Who: "planner", What: fmt.Sprintf("mend what the checker found (%d), which a fresh agent gets as it was written; revision %d of %d",
				r.Issues[len(r.Issues)-1], r.Tries, MaxRevisions),
			Commands: []string{"payload " + r.Phase + " --role planner"}, Report: []string{report + "planned"},
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
			Who: "verifier", What: "hold what is there against the goal of the phase", Commands: []string{"payload " + r.Phase + " --role verifier", "verify phase " + r.Phase, "trace " + r.Phase, "template fill verification --phase " + r.Phase},
			Report: []string{report + "verified --result passed|gaps_found|human_needed [--gaps N]"},
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

// checkCommands returns the commands that help to check the plans: they compare each plan with the code, and all plans with each other.
func (r *Run) checkCommands() []string {
	list := []string{"payload " + r.Phase + " --role checker", "waves " + r.Phase, "writes " + r.Phase}
	for _, id := range r.plansInState(false, Waiting) {
		list = append(list, "check "+id)
	}
	return list
}

func gateRow(name string) GateRow {
	list := Gates()
	return list[slices.IndexFunc(list, func(g GateRow) bool { return g.Name == name })]
}

// waveGate returns the action for the end of a wave: the project's checks run once, and the files of the state are only updated if they
// pass.
func waveGate(r *Run, p *Policy, report string) Action {
	a := Action{
		Who: "orchestrator", What: fmt.Sprintf("run the project's checks after wave %d", r.Wave), Run: p.TestCommand,
		Commands: []string{"executor merge --phase " + r.Phase, "executor cleanup --phase " + r.Phase, "roadmap update-plan-progress " + r.Phase},
		Report:   []string{report + "gate --result passed|failed|inconclusive"},
	}
	switch r.Gates["wave"].State {
	case "failed":
		a.What = fmt.Sprintf("the checks failed after wave %d: have it mended, and run them again", r.Wave)
	case "inconclusive":
		a.What = fmt.Sprintf("the checks after wave %d showed nothing: run them again, with more time", r.Wave)
	}
	return a
}

// planActions returns the actions for the plans of a wave.
func (r *Run) planActions(p *Policy, report string) []Action {
	list := []Action{}
	for _, id := range r.plansInState(true, Waiting, Running, Awaiting, Failed) {
		pl := r.Plans[id]
		a := Action{Who: "executor", Plan: id, Commands: []string{}, Report: []string{}}
		on := " --plan " + id
		switch pl.State {
		case Waiting:
			a.What = "carry the plan out"
			a.Commands = []string{"executor create " + r.Phase + " " + id, "payload " + r.Phase + " " + id}
			a.Report = []string{report + "started" + on}
		case Running:
			a.What = "goes on; report how it ends"
			if pl.Answer != "" {
				a.What = "a fresh agent goes on behind the last task that is done, with the answer: " + pl.Answer
			}
			a.Commands = []string{"executor status " + id}
			for _, e := range []string{"executed", "failed", "checkpoint --type T", "deviated --kind K"} {
				name, flags, _ := strings.Cut(e, " ")
				a.Report = append(a.Report, strings.TrimSpace(report+name+on+" "+flags))
			}
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
