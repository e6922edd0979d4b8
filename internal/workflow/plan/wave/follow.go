package wave

import (
	"context"
	"errors"
	"slices"

	"ken/internal/workflow/plan/planop"
)

// phaseFacts are the facts about a phase that its files have.
type phaseFacts struct {
	complete, verified bool
	drafts             bool // there are plans still to be filled
	plans              map[string]*RunPlan
}

// followFiles brings a run into agreement with the files of its phase, which a person, a checkout or another program may have changed since
// the last report: plans that were carried out, new and removed ones, a phase that was closed or is open again.
func (r *Run) followFiles(f *phaseFacts, p *Policy) {
	if r.Stage == Stopped {
		return
	}
	late := slices.Contains([]Stage{Verifying, Human, Closing, Complete}, r.Stage)
	for id, plan := range f.plans {
		if r.Plans[id] == nil || late || plan.State == Done || plan.State == Halted {
			r.Plans[id] = plan
		}
	}
	for id := range r.Plans {
		if f.plans[id] == nil {
			delete(r.Plans, id)
		}
	}
	open := false
	for _, plan := range f.plans {
		open = open || plan.State == Waiting
	}
	switch {
	case f.complete:
		r.Stage, r.Why, r.closed = Complete, "", true
	case len(f.plans) == 0:
		r.Stage, r.Why = Planning, ""
	case f.drafts && (late || !open && !slices.Contains([]Stage{Executing, WaveGate, Deciding}, r.Stage)): // what is left is to be written
		r.Stage = Planning
	case open && late:
		r.beginNextWave(p)
	case open:
	case r.Stage == Executing:
		r.afterPlan(p)
	case r.Stage == Planning && len(r.Gaps) > 0, r.Stage == WaveGate, r.Stage == Deciding:
	case !late:
		r.beginVerification(p, false)
		r.skipVerified(f, p)
	default:
		r.skipVerified(f, p)
	}
}

// followExecutors makes those plans of a wave running that have an executor.
func (l *phaseRun) followExecutors() error {
	if l.run.Stage != Executing {
		return nil
	}
	list, err := l.executors()
	for _, e := range list {
		if p := l.run.Plans[e.Plan]; p != nil && p.State == Waiting {
			p.State = Running
		}
	}
	return err
}

// executors returns the executors of the phase. In the work tree of one it returns none, because they are not known there.
func (l *phaseRun) executors() ([]BegunPlan, error) {
	list, err := l.effects.Begun(l.call, l.token())
	if fault, ok := errors.AsType[*planop.Fault](err); ok && fault.Reason == "inside_executor" {
		return nil, nil
	}
	return list, err
}

// planTree returns the folder in which a plan is carried out, "" if that is the main tree. It fails as executors does.
func (l *phaseRun) planTree(plan string) (string, error) {
	list, err := l.executors()
	for _, e := range list {
		if e.Plan == plan && e.OwnTree {
			return e.Directory, nil
		}
	}
	return "", err
}

// skipVerified leaves the verification out that the files have, or repeats one that they have no longer.
func (r *Run) skipVerified(f *phaseFacts, p *Policy) {
	switch {
	case r.Stage == Verifying && f.verified && r.Gates["verification"].State == "passed":
		r.closePhase(p)
	case (r.Stage == Closing || r.Stage == Complete) && !f.verified && r.Gates["verification"] == Gate{State: "passed"}:
		r.beginVerification(p, true)
	}
}

// afterReport begins or ends the phase in the planning folder, if the report began or ended its execution.
func (l *phaseRun) afterReport(ctx context.Context, before Stage) (*RunAnswer, error) {
	if l.call.DryRun || l.run.Stage == before || l.run.closed {
		return l.newAnswer(ctx)
	}
	switch l.run.Stage {
	case Executing:
		if err := l.effects.Begin(ctx, l.call, l.phase.ID.String()); err != nil {
			return nil, err
		}
	case Complete:
		if err := l.effects.Complete(ctx, l.call, l.phase.ID.String(), l.run.Gates["verification"].State == "passed"); err != nil {
			return nil, err
		}
		l.run.closed = true
	}
	a, err := l.newAnswer(ctx)
	if err != nil {
		return nil, err
	}
	inv, err := l.call.Inventory()
	if err == nil && l.run.closed {
		a.After = inv.NextStep().Line()
	}
	return a, err
}
