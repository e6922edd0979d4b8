package wave

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/planop"
)

// numberWaves gives every plan the number of its wave: 1, or one more than the highest wave of the plans that it depends on.
func (l *layout) numberWaves() error {
	w := &planWalk{layout: l, entered: map[string]bool{}}
	for _, p := range l.plans {
		if !p.Retired && !p.Draft {
			w.visit(p)
		}
	}
	if len(w.cycles) > 0 {
		return &CycleError{w.cycles}
	}
	for _, p := range l.plans {
		if p.Wave > 0 && p.Written > 0 && p.Written != p.Wave {
			l.warn("%s is written for wave %d; by its dependencies it is in wave %d, which counts", p.ID, p.Written, p.Wave)
		}
	}
	return nil
}

// planWalk visits each plan after the plans that it depends on.
type planWalk struct {
	*layout
	entered map[string]bool
	path    []string
	cycles  [][]string
}

func (w *planWalk) visit(p *Placed) {
	if at := slices.Index(w.path, p.ID); at >= 0 {
		w.cycles = append(w.cycles, append(slices.Clone(w.path[at:]), p.ID))
		return
	}
	if w.entered[p.ID] {
		return
	}
	w.entered[p.ID] = true
	w.path = append(w.path, p.ID)
	highest := 0
	for _, id := range p.Needs {
		on := w.by[id]
		w.visit(on)
		highest = max(highest, on.Wave)
	}
	w.path = w.path[:len(w.path)-1]
	p.Wave = highest + 1
}

// setStates sets the state of each plan. The plans must be in the order of their waves.
func (l *layout) setStates() {
	for _, p := range l.plans {
		switch {
		case p.Retired:
			p.State = Retired
		case p.Draft:
			p.State, p.Reason = Draft, cmp.Or(p.Unreadable, "it has placeholders of its template still to be filled")
		case p.Halted:
			p.State, p.Reason = Halted, "its summary is marked as halted"
		case p.Done:
			p.State = Done
		default:
			l.setOpenState(p)
		}
	}
}

// setOpenState sets the state of a plan that is not done: halted if a plan that it depends on is halted, else waiting or ready.
func (l *layout) setOpenState(p *Placed) {
	p.State = Ready
	var halted, waits []string
	for _, id := range p.Needs {
		switch l.by[id].State {
		case Halted:
			halted = append(halted, id)
		case Ready, Waiting:
			waits = append(waits, id)
		}
	}
	waits = append(waits, p.External...)
	switch {
	case len(halted) > 0:
		p.State, p.Reason = Halted, "it needs "+strings.Join(halted, ", ")+", halted"
	case len(waits) > 0:
		p.State, p.Reason = Waiting, "it needs "+strings.Join(waits, ", ")
	}
}

// collectWaves collects the plans of each wave, and separates those that write the same files.
func (l *layout) collectWaves() {
	highest := 0
	for _, p := range l.plans {
		highest = max(highest, p.Wave)
	}
	for n := 1; n <= highest; n++ {
		w, settled := Wave{Number: n, Complete: true}, true
		var members []*Placed
		for _, p := range l.plans {
			if p.Wave == n {
				members = append(members, p)
				w.Plans = append(w.Plans, p.ID)
				w.Complete = w.Complete && p.State == Done
				settled = settled && (p.State == Done || p.State == Halted)
			}
		}
		l.divideIntoBatches(&w, members)
		l.out.Waves = append(l.out.Waves, w)
		if !settled && l.out.Next == 0 { // a halted plan blocks only its dependents
			l.out.Next = n
			l.out.Ready = l.readyPlans(&w)
		}
	}
}

// divideIntoBatches divides a wave into batches, so that no two plans of a batch write the same files. Each plan gets into the first
// possible batch. The plan with the lower wave in its file comes first, because its author may have had a reason. The plans of a wave with
// too few of them get a batch each.
func (l *layout) divideIntoBatches(w *Wave, members []*Placed) {
	slices.SortStableFunc(members, func(a, b *Placed) int { return a.Written - b.Written })
	together := l.opt.Together
	if len(members) > 1 && len(members) < l.opt.Least && together != 1 {
		together, w.Sequence = 1, fmt.Sprintf("%d plans are fewer than %d (parallelization.min_plans_for_parallel)", len(members), l.opt.Least)
	}
	for i, b := range members {
		at := 0
		for _, a := range members[:i] {
			files := l.opt.Meet(&a.Plan, &b.Plan)
			if len(files) == 0 {
				continue
			}
			in := slices.IndexFunc(w.Batches, func(batch []string) bool { return slices.Contains(batch, a.ID) })
			at = max(at, in+1)
			if a.State != Done || b.State != Done {
				w.Meetings = append(w.Meetings, Meeting{a.ID, b.ID, files})
			}
		}
		for at < len(w.Batches) && together > 0 && len(w.Batches[at]) >= together {
			at++
		}
		if at == len(w.Batches) {
			w.Batches = append(w.Batches, nil)
		}
		w.Batches[at] = append(w.Batches[at], b.ID)
	}
}

// readyPlans returns the plans of the first batch in which some can be carried out now.
func (l *layout) readyPlans(w *Wave) []string {
	for _, batch := range w.Batches {
		var list []string
		for _, id := range batch {
			if l.by[id].State == Ready {
				list = append(list, id)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// CheckMayBegin fails with a *planop.Fault if a lower wave has plans that are neither done nor halted.
func (l *Layout) CheckMayBegin(wave int) error {
	lower := 0
	var open []string
	for _, p := range l.Plans {
		if p.Wave > 0 && p.Wave < wave && p.State != Done && p.State != Halted {
			open = append(open, p.ID)
			lower = cmp.Or(lower, p.Wave)
		}
	}
	if lower == 0 {
		return nil
	}
	because := strings.Join(open, ", ")
	return planop.Faultf("wave_blocked", "wave %d cannot begin: wave %d is not complete, because of %s", wave, lower, because)
}

// Plan returns the plan with an ID, or nil.
func (l *Layout) Plan(id string) *Placed {
	for i := range l.Plans {
		if l.Plans[i].ID == id {
			return &l.Plans[i]
		}
	}
	return nil
}
