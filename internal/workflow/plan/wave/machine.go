package wave

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Event is an event in a run that an agent reports.
type Event struct {
	Name     string
	Plan     string
	Task     string
	Type     string   // for a checkpoint
	Kinds    []string // for a deviation
	Foreign  bool     // the deviation is not caused by the task
	Options  []string
	Text     string
	Result   string // for a gate, a verification, a repair, a decision
	Blockers int
	Warnings int
	Findings string // of a check, as the checker wrote them
	Gaps     int
	Plans    map[string]*RunPlan // with planned: the plans to run
}

// transition is the effect of an event in some stages of a run. An event without a transition for the present stage is refused.
type transition struct {
	event  string
	stages []Stage
	do     func(r *Run, e *Event, p *Policy) error
}

// transitions returns the transitions of all events.
func transitions() []transition {
	working := []Stage{Executing}
	return []transition{
		{"planned", []Stage{Planning, Revising}, func(r *Run, e *Event, p *Policy) error { r.setPlans(e); r.onPlanned(p); return nil }},
		{"checked", []Stage{Checking}, (*Run).onChecked},
		{"decided", []Stage{Deciding}, (*Run).onDecision},
		{"gate", []Stage{Approving, WaveGate, Closing}, (*Run).onGate},
		{"started", working, (*Run).onStarted},
		{"executed", working, (*Run).onExecuted},
		{"failed", working, (*Run).onFailed},
		{"repaired", working, (*Run).onRepaired},
		{"halted", working, (*Run).onHalted},
		{"checkpoint", working, (*Run).onCheckpoint},
		{"deviated", working, (*Run).onDeviation},
		{"answered", working, (*Run).onAnswer},
		{"verified", []Stage{Verifying}, (*Run).onVerified},
		{"tried", []Stage{Human}, (*Run).onHumanTest},
		{"stop", []Stage{Planning, Checking, Revising, Deciding, Approving, Executing, WaveGate, Verifying, Human, Closing}, func(r *Run, e *Event, _ *Policy) error {
			r.Stage, r.Why = Stopped, cmp.Or(e.Text, "somebody stopped it")
			return nil
		}},
	}
}

// Events returns the names of all events.
func Events() []string {
	var list []string
	for _, t := range transitions() {
		list = append(list, t.event)
	}
	return list
}

// EventError reports that an event cannot happen at the present stage of a run.
type EventError struct {
	Event string
	Stage Stage
	May   []string // the possible events
}

func (e *EventError) Error() string {
	return fmt.Sprintf("%s cannot be reported while the run is %s; what can: %s", e.Event, e.Stage, strings.Join(e.May, ", "))
}

// ApplyEvent returns the state after an event; the given state is not changed. It fails with an *EventError if the event is not possible at
// this stage, and with another error if its values are invalid.
func ApplyEvent(r *Run, e Event, p *Policy) (*Run, error) {
	refusal := &EventError{Event: e.Name, Stage: r.Stage}
	for _, t := range transitions() {
		if !slices.Contains(t.stages, r.Stage) {
			continue
		}
		if t.event != e.Name {
			refusal.May = append(refusal.May, t.event)
			continue
		}
		next := r.clone()
		if err := t.do(next, &e, p); err != nil {
			return nil, err
		}
		next.Step++
		next.Last = e.Name
		if e.Plan != "" {
			next.Last += " " + e.Plan
		}
		return next, nil
	}
	return nil, refusal
}

// setPlans replaces the plans of the run by those of an event. Plans that are done or halted keep their state.
func (r *Run) setPlans(e *Event) {
	for id, p := range e.Plans {
		if old := r.Plans[id]; old != nil && (old.State == Done || old.State == Halted) {
			continue
		}
		r.Plans[id] = p
	}
	for id := range r.Plans {
		if e.Plans[id] == nil {
			delete(r.Plans, id) // it was replaced
		}
	}
}

func (r *Run) onPlanned(p *Policy) {
	r.Why = ""
	if p.Check {
		r.Stage = Checking
		return
	}
	r.beginApproval(p)
}

// onChecked handles the result of checking the plans. The plans are revised again unless no blocker is left, the limit of revisions is
// reached, or the last revision did not help. Warnings alone stop nothing, as in "ken plan check".
func (r *Run) onChecked(e *Event, p *Policy) error {
	count := e.Blockers
	last := -1
	if n := len(r.Issues); n > 0 {
		last = r.Issues[n-1]
	}
	r.Issues, r.Findings = append(r.Issues, count), e.Findings
	switch {
	case count == 0:
		r.Gates["plan_check"] = Gate{State: "passed"}
		if e.Warnings > 0 {
			r.Gates["plan_check"] = Gate{"passed", fmt.Sprintf("warnings left: %d", e.Warnings)}
		}
		r.beginApproval(p)
	case r.Tries >= MaxRevisions:
		r.waitForDecision("plan_check", fmt.Sprintf("blockers left after %d revisions: %d", r.Tries, count))
	case last >= 0 && count >= last:
		r.waitForDecision("plan_check", fmt.Sprintf("a revision did not help: blockers before %d, after %d", last, count))
	default:
		r.Stage = Revising
		r.Tries++
	}
	return nil
}

// waitForDecision makes the run wait for a person's decision about a gate.
func (r *Run) waitForDecision(gate, why string) {
	r.Gates[gate] = Gate{"failed", why}
	r.Stage, r.Why = Deciding, why
}

// onDecision handles a person's decision: "proceed" continues as if the gate had passed, "adjust" plans again, "stop" ends the run.
func (r *Run) onDecision(e *Event, p *Policy) error {
	why := r.Why
	r.Why = ""
	switch e.Result {
	case "proceed":
		r.proceedAfterDecision(why, p)
	case "adjust":
		r.Stage, r.Tries, r.Issues, r.Gaps = Planning, 0, []int{}, []int{}
		for name, g := range r.Gates {
			if g.State == "failed" {
				r.Gates[name] = Gate{"pending", g.Why}
			}
		}
	case "stop":
		r.Stage, r.Why = Stopped, "a person stopped it: "+why
	default:
		return errors.New("a decision is proceed, adjust or stop")
	}
	return nil
}

// proceedAfterDecision continues with the stage after the decision.
func (r *Run) proceedAfterDecision(why string, p *Policy) {
	by := Gate{"passed", "a person decided: " + why}
	switch {
	case r.Gates["verification"].State == "failed":
		r.Gates["verification"] = by
		r.closePhase(p)
	case r.Gates["plan_check"].State == "failed":
		r.Gates["plan_check"] = by
		r.beginApproval(p)
	default:
		r.beginVerification(p, true)
	}
}

// beginApproval begins the gate that comes before executors.
func (r *Run) beginApproval(p *Policy) {
	r.Stage = Approving
	if r.passesWithoutPerson("plans", p) {
		r.beginNextWave(p)
	}
}

// passesWithoutPerson reports whether a gate passes without the person that it asks for.
func (r *Run) passesWithoutPerson(name string, p *Policy) bool {
	g := r.Gates[name]
	if p.Auto && g.State != "skipped" {
		r.Gates[name] = Gate{"passed", "nobody is asked in this mode"}
	}
	return p.Auto || g.State == "skipped"
}

// beginNextWave begins the lowest wave that has plans to carry out.
func (r *Run) beginNextWave(p *Policy) {
	r.haltDependents()
	wave := 0
	for _, pl := range r.Plans {
		open := pl.State != Done && pl.State != Halted
		if open && (wave == 0 || pl.Wave < wave) {
			wave = pl.Wave
		}
	}
	if wave == 0 {
		r.beginVerification(p, false)
		return
	}
	r.Stage, r.Wave = Executing, wave
	r.Gates["wave"] = Gate{State: "pending"}
}

// haltDependents halts the plans that depend on halted ones.
func (r *Run) haltDependents() {
	for changed := true; changed; {
		changed = false
		for _, id := range r.plansInState(false, Waiting, Running, Awaiting, Failed) {
			p := r.Plans[id]
			for _, need := range p.Needs {
				if on := r.Plans[need]; on != nil && on.State == Halted {
					p.State, p.Reason, p.Question, changed = Halted, "it needs "+need+", halted", nil, true
					break
				}
			}
		}
	}
}

// beginVerification begins the verification of the phase. If plans are halted, a person first decides whether that makes sense, unless
// anyway is set.
func (r *Run) beginVerification(p *Policy, anyway bool) {
	if halted := r.plansInState(false, Halted); len(halted) > 0 && !anyway {
		r.Stage, r.Why = Deciding, "halted: "+strings.Join(halted, ", ")
		return
	}
	if p.Verify {
		r.Stage = Verifying
		return
	}
	r.closePhase(p)
}

func (r *Run) closePhase(p *Policy) {
	r.Stage = Closing
	if r.passesWithoutPerson("transition", p) {
		r.Stage = Complete
	}
}

// stageGate returns the name of the gate in a stage.
func stageGate(s Stage) string {
	return map[Stage]string{Approving: "plans", WaveGate: "wave", Closing: "transition"}[s]
}

// onGate handles the result of a gate. Any other result than a pass is a failure, because a timeout proves nothing.
func (r *Run) onGate(e *Event, p *Policy) error {
	name := stageGate(r.Stage)
	results := map[string][]string{"plans": {"passed", "refused"}, "wave": {"passed", "failed", "inconclusive"}, "transition": {"passed", "refused"}}[name]
	if !slices.Contains(results, e.Result) {
		return fmt.Errorf("the gate %s is %s", name, strings.Join(results, " or "))
	}
	r.Gates[name] = Gate{e.Result, e.Text}
	if e.Result == "refused" && name == "plans" {
		r.Stage, r.Tries, r.Issues = Planning, 0, []int{}
		return nil
	}
	if e.Result != "passed" {
		return nil
	}
	switch name {
	case "transition":
		r.Stage = Complete
	default:
		r.beginNextWave(p)
	}
	return nil
}

// onVerified handles the verdict of the verifier.
func (r *Run) onVerified(e *Event, p *Policy) error {
	switch e.Result {
	case "passed":
		r.Gates["verification"] = Gate{State: "passed"}
		r.closePhase(p)
	case "human_needed":
		r.Stage = Human
	case "gaps_found":
		r.planGaps(e)
	default:
		return errors.New("a verification is passed, gaps_found or human_needed")
	}
	return nil
}

// planGaps begins the planning of the gaps that a verification found, unless the last round did not help.
func (r *Run) planGaps(e *Event) {
	count := max(1, e.Gaps)
	last := 0
	if n := len(r.Gaps); n > 0 {
		last = r.Gaps[n-1]
	}
	r.Gaps = append(r.Gaps, count)
	switch {
	case len(r.Gaps) > MaxRevisions:
		r.waitForDecision("verification", fmt.Sprintf("gaps left after %d rounds: %d", MaxRevisions, count))
	case last > 0 && count >= last:
		r.waitForDecision("verification", fmt.Sprintf("closing gaps did not help: gaps before %d, after %d", last, count))
	default:
		r.Gates["verification"] = Gate{"pending", fmt.Sprintf("gaps: %d", count)}
		r.Stage, r.Tries, r.Issues = Planning, 0, []int{}
	}
}

// onHumanTest handles the result of a test that a person made.
func (r *Run) onHumanTest(e *Event, p *Policy) error {
	switch e.Result {
	case "passed":
		r.Gates["verification"] = Gate{"passed", "a person tried it"}
		r.closePhase(p)
	case "failed":
		r.planGaps(e)
	default:
		return errors.New("a person's test has passed or failed")
	}
	return nil
}
