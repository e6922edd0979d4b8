package wave

import (
	"context"
	"slices"
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
func (f *RunEffects) afterReport(ctx context.Context, l *phaseRun, before Stage) (*RunAnswer, error) {
	if l.call.DryRun || l.run.Stage == before || l.run.closed {
		return l.newAnswer(), nil
	}
	switch l.run.Stage {
	case Executing:
		if err := f.Begin(ctx, l.call, l.phase.ID.String()); err != nil {
			return nil, err
		}
	case Complete:
		if err := f.Complete(ctx, l.call, l.phase.ID.String(), l.run.Gates["verification"].State == "passed"); err != nil {
			return nil, err
		}
		l.run.closed = true
	}
	a := l.newAnswer()
	inv, err := l.call.Inventory()
	if err == nil && l.run.closed {
		a.After = inv.NextStep().Line()
	}
	return a, err
}
