package wave

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/content"
)

// Action is a step for the orchestrator to do now.
type Action struct {
	Who  string `json:"who"` // planner, checker, executor, verifier, person, orchestrator
	What string `json:"what" calls:"text"`
	// Agent takes the step, if one can be started; a person does it by Commands.
	Agent    *content.Agent `json:"agent,omitempty"`
	Plan     string         `json:"plan,omitempty"`
	Question string         `json:"question,omitempty"`
	Options  []string       `json:"options,omitempty"`
	Commands []string       `json:"commands" calls:"ken plan"`        // ken operations to run, in this order
	Helps    []string       `json:"helps,omitempty" calls:"ken plan"` // ken operations that may help
	// Checks are commands for an agent to run, with how they ended last.
	Checks []WaveCheck `json:"checks,omitempty"`
	Report []string    `json:"report" calls:"ken plan"` // the event to report afterwards
	// Otherwise are events to report if it goes another way.
	Otherwise []string `json:"otherwise,omitempty" calls:"ken plan"`
}

// Steps are the steps of package content of which actions are made, by their names.
type Steps map[string]content.Step

// stepNames returns the names of all steps that NextActions uses.
func stepNames() []string {
	return []string{
		"planning", "planning gaps", "checking", "revising", "deciding", "approving", "work trees", "executing", "going on", "awaiting", "repair", "failed",
		"merging", "checks", "no checks", "checks failed", "checks inconclusive", "verifying", "human", "closing", "complete",
	}
}

// ReadSteps returns the steps that are built into the program. It fails as NewSteps does.
func ReadSteps() (Steps, error) {
	list, err := content.Stages()
	if err != nil {
		return nil, err
	}
	return NewSteps(list)
}

// NewSteps returns steps by their names. It fails if one is missing, is there twice or is used nowhere.
func NewSteps(list []content.Step) (Steps, error) {
	names := stepNames()
	steps := Steps{}
	for _, s := range list {
		if !slices.Contains(names, s.Name) {
			return nil, fmt.Errorf("stages.yml has a step %q, which is used nowhere", s.Name)
		}
		if _, ok := steps[s.Name]; ok {
			return nil, fmt.Errorf("stages.yml has the step %q twice", s.Name)
		}
		steps[s.Name] = s
	}
	for _, name := range names {
		if _, ok := steps[name]; !ok {
			return nil, fmt.Errorf("stages.yml has no step %q", name)
		}
	}
	return steps, nil
}

// NextActions returns the steps to do now. It returns none for a run that has ended.
func NextActions(r *Run, p *Policy, steps Steps) []Action {
	f := stageFiller{run: r, policy: p, steps: steps}
	switch r.Stage {
	case Planning:
		if n := len(r.Gaps); n > 0 {
			return f.actions("planning gaps", "gaps", r.Gaps[n-1])
		}
		return f.actions("planning")
	case Revising:
		return f.actions("revising", "issues", r.Issues[len(r.Issues)-1], "try", r.Tries, "tries", MaxRevisions)
	case Deciding:
		list := f.actions("deciding")
		list[0].Question = r.Why
		return list
	case Checking, Approving, Closing, Human:
		return f.actions(string(r.Stage))
	case Executing:
		return f.planActions()
	case WaveGate:
		return []Action{f.waveGate()}
	case Verifying:
		list := f.actions("verifying")
		list[0].Report[0] += ranFlags(p.unrecorded())
		return list
	case Complete:
		if !r.closed {
			return f.actions("complete")
		}
	}
	return []Action{}
}

// stageFiller makes actions of the steps of package content.
type stageFiller struct {
	run    *Run
	policy *Policy
	steps  Steps
	plan   string // that the action is about, or ""
}

// actions returns the one action of a step. pairs are the names and values of the words in braces in its text.
func (f *stageFiller) actions(step string, pairs ...any) []Action {
	return []Action{f.action(step, pairs...)}
}

func (f *stageFiller) action(step string, pairs ...any) Action {
	s := f.steps[step]
	braces := make([]string, len(pairs))
	for i, v := range pairs {
		if braces[i] = fmt.Sprint(v); i%2 == 0 {
			braces[i] = "{" + braces[i] + "}"
		}
	}
	a := Action{
		Who: s.Who, What: strings.NewReplacer(braces...).Replace(s.Do), Plan: f.plan, Question: s.Gate, Options: s.Options,
		Commands: f.calls(s.Run), Report: f.calls(s.Report), Otherwise: f.calls(s.Otherwise),
	}
	if s.Role != "" {
		args := []string{f.run.Phase}
		if f.plan != "" {
			args = append(args, f.plan)
		}
		model := ""
		if f.policy.Model != nil {
			model = f.policy.Model(s.Role)
		}
		a.Agent = content.NewAgent(s.Role, model, args...)
	}
	return a
}

// calls returns calls of ken as operations of planning, with phase and plan.
func (f *stageFiller) calls(list []string) []string {
	fill := strings.NewReplacer("ken plan ", "", "PHASE", f.run.Phase, "PLAN", f.plan)
	out := make([]string, len(list))
	for i, call := range list {
		out[i] = fill.Replace(call)
	}
	return out
}

// waveGate returns the action for the end of a wave: what its executors committed is merged, and the project's checks run once. ken runs
// none of them; the wave ends when their exit status is recorded as 0, or if there are none.
func (f *stageFiller) waveGate() Action {
	p, wave := f.policy, f.run.Wave
	if p.Unmerged {
		return f.action("merging", "wave", wave)
	}
	step := "checks"
	switch {
	case f.run.Gates["wave"].State == "failed":
		step = "checks failed"
	case f.run.Gates["wave"].State == "inconclusive":
		step = "checks inconclusive"
	case len(p.Checks) == 0:
		step = "no checks"
	}
	a := f.action(step, "wave", wave)
	a.Checks = p.Checks
	var open []string
	for _, w := range p.Checks {
		if !w.isPassed() {
			open = append(open, w.Command)
		}
	}
	if step != "no checks" {
		if len(open) == 0 {
			a.Report[0] += " --result passed"
		}
		a.Report[0] += ranFlags(open)
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
func (f *stageFiller) planActions() []Action {
	list, r, p := []Action{}, f.run, f.policy
	if waiting := r.plansInState(true, Waiting); len(waiting) > 0 {
		list = append(list, f.action("work trees", "plans", strings.Join(waiting, ", ")))
	}
	for _, id := range r.plansInState(true, Waiting, Running, Awaiting, Failed) {
		f.plan = id
		switch pl := r.Plans[id]; pl.State {
		case Waiting, Running:
			a := f.action("executing")
			if pl.Answer != "" {
				a = f.action("going on", "answer", pl.Answer)
			}
			if pl.State == Running {
				a.Helps = []string{"executor status " + id}
			}
			a.Report[0] += ranFlags(p.Commands[id])
			list = append(list, a)
		case Awaiting:
			a := f.action("awaiting", "question", pl.Question.Type)
			a.Question, a.Options = pl.Question.Text, pl.Question.Options
			list = append(list, a)
		case Failed:
			if p.Repair && pl.Repairs < p.RepairBudget {
				list = append(list, f.action("repair", "reason", pl.Reason, "try", pl.Repairs+1, "tries", p.RepairBudget))
			} else {
				list = append(list, f.action("failed", "reason", pl.Reason))
			}
		}
	}
	return list
}
