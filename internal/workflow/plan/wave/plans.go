package wave

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// eventPlan returns the plan that an event is about. It fails if the event has none, or if the plan is not in the present wave or in one of
// the states.
func (r *Run) eventPlan(e *Event, states ...State) (*RunPlan, error) {
	p := r.Plans[e.Plan]
	switch {
	case e.Plan == "":
		return nil, fmt.Errorf("%s is about a plan; name it", e.Name)
	case p == nil:
		return nil, fmt.Errorf("the run has no plan %.60q", e.Plan)
	case p.Wave != r.Wave:
		return nil, fmt.Errorf("%s is in wave %d, and the run is at wave %d", e.Plan, p.Wave, r.Wave)
	case !slices.Contains(states, p.State):
		return nil, fmt.Errorf("%s is %s, so %s makes no sense", e.Plan, p.State, e.Name)
	}
	return p, nil
}

func (r *Run) onStarted(e *Event, _ *Policy) error {
	p, err := r.eventPlan(e, Waiting)
	if err == nil {
		p.State = Running
	}
	return err
}

func (r *Run) onExecuted(e *Event, p *Policy) error {
	pl, err := r.eventPlan(e, Waiting, Running)
	if err != nil {
		return err
	}
	pl.State, pl.Answer, pl.Reason = Done, "", ""
	r.afterPlan(p)
	return nil
}

// afterPlan begins the gate of the wave if all its plans have ended.
func (r *Run) afterPlan(p *Policy) {
	r.haltDependents()
	if len(r.plansInState(true, Waiting, Running, Awaiting, Failed)) > 0 {
		return
	}
	if len(r.plansInState(true, Done)) == 0 { // no plan was done that could be checked
		r.beginNextWave(p)
		return
	}
	r.Stage = WaveGate
}

// onFailed handles the failure of a plan. It only records it: the plan stays failed until a repair or its halt is reported.
func (r *Run) onFailed(e *Event, _ *Policy) error {
	pl, err := r.eventPlan(e, Waiting, Running)
	if err == nil {
		pl.State, pl.Reason = Failed, cmp.Or(e.Text, "it failed")
	}
	return err
}

// onRepaired handles the repair of a plan: it is carried out again, in parts, or without the parts that are impossible.
func (r *Run) onRepaired(e *Event, p *Policy) error {
	pl, err := r.eventPlan(e, Failed)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(Repairs(), e.Result):
		return fmt.Errorf("a plan is repaired by %s", strings.Join(Repairs(), ", "))
	case !p.Repair:
		return fmt.Errorf("workflow.node_repair is off: halt %s, or stop", e.Plan)
	case pl.Repairs >= p.RepairBudget:
		return fmt.Errorf("%s was repaired %d times, and that is all; halt it, or stop", e.Plan, pl.Repairs)
	}
	pl.Repairs++
	pl.State, pl.Reason = Running, ""
	return nil
}

func (r *Run) onHalted(e *Event, p *Policy) error {
	pl, err := r.eventPlan(e, Waiting, Running, Awaiting, Failed)
	if err != nil {
		return err
	}
	pl.State, pl.Reason, pl.Question = Halted, cmp.Or(e.Text, pl.Reason, "it was given up"), nil
	r.afterPlan(p)
	return nil
}

// onCheckpoint handles a task that waits for a person. In an automatic run a rule decides, and only steps that need a person's
// hands wait.
func (r *Run) onCheckpoint(e *Event, p *Policy) error {
	pl, err := r.eventPlan(e, Waiting, Running)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(Checkpoints(), func(c CheckpointRow) bool { return c.Type == strings.TrimPrefix(e.Type, "checkpoint:") })
	if at < 0 {
		return fmt.Errorf("%.60q is not a type of checkpoint", e.Type)
	}
	row := Checkpoints()[at]
	if row.Type == "decision" && len(e.Options) == 0 {
		return fmt.Errorf("a decision needs options")
	}
	pl.State, pl.Question = Awaiting, &Question{Type: row.Type, Task: e.Task, Text: e.Text, Options: e.Options}
	if !p.Auto || row.Auto == "wait" {
		return nil
	}
	pl.State, pl.Question, pl.Answer = Running, nil, "approved"
	if row.Auto == "first" {
		pl.Answer = e.Options[0]
	}
	return nil
}

// onDeviation handles a situation that a plan did not foresee. If several rules fit, the highest counts.
func (r *Run) onDeviation(e *Event, _ *Policy) error {
	pl, err := r.eventPlan(e, Waiting, Running)
	if err != nil {
		return err
	}
	rule := 0
	for _, kind := range e.Kinds {
		at := slices.IndexFunc(Deviations(), func(d Deviation) bool { return d.Kind == kind })
		if at < 0 {
			return fmt.Errorf("%.60q is not a kind of deviation", kind)
		}
		rule = max(rule, Deviations()[at].Rule)
	}
	if rule == 0 {
		return fmt.Errorf("a deviation has a kind")
	}
	what := cmp.Or(e.Text, strings.Join(e.Kinds, ", "))
	if e.Foreign {
		r.Later = append(r.Later, e.Plan+": "+what+" (not caused by the task)")
		return nil
	}
	if Deviations()[rule-1].Action == "ask" {
		pl.State, pl.Question = Awaiting, &Question{Type: "architectural", Task: e.Task, Text: what}
		r.Gates["architecture"] = Gate{"pending", e.Plan + ": " + what}
		return nil
	}
	if pl.Attempts == nil {
		pl.Attempts = map[string]int{}
	}
	if pl.Attempts[e.Task] >= MaxAttempts {
		r.Later = append(r.Later, fmt.Sprintf("%s: %s (left after %d attempts)", e.Plan, what, MaxAttempts))
		return nil
	}
	pl.Attempts[e.Task]++
	return nil
}

// onAnswer handles the answer of a person to a question. A new agent continues with it.
func (r *Run) onAnswer(e *Event, _ *Policy) error {
	pl, err := r.eventPlan(e, Awaiting)
	if err != nil {
		return err
	}
	q := pl.Question
	switch {
	case e.Text == "":
		return fmt.Errorf("an answer has a text")
	case len(q.Options) > 0 && !slices.Contains(q.Options, e.Text):
		return fmt.Errorf("%s can be answered by %s", e.Plan, strings.Join(q.Options, ", "))
	}
	if q.Type == "architectural" {
		r.Gates["architecture"] = Gate{"passed", e.Plan + ": " + e.Text}
	}
	pl.State, pl.Question, pl.Answer = Running, nil, e.Text
	return nil
}
