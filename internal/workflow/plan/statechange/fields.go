package statechange

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/state"
)

// Updated reports whether a field was found and set.
type Updated struct {
	Updated bool   `json:"updated"`
	Reason  string `json:"reason,omitempty"`
	DerivedKeys
}

// Patched has the names of the fields that were set, and of those that STATE.md does not have.
type Patched struct {
	Updated []string `json:"updated"`
	Failed  []string `json:"failed"`
	DerivedKeys
}

type stateUpdateInput struct {
	Field string `arg:"FIELD" help:"the field, such as Status"`
	Value string `arg:"VALUE…" help:"its new value"`
}

type statePatchInput struct {
	Pairs map[string]string `pairs:"yes" help:"a field and its new value: --Status Planning"`
}

func fieldOperations() []*planop.Operation {
	update := changeOperation(planop.Spec[stateUpdateInput, *Updated]{
		Name: "state update", Summary: "make a field of STATE.md another value",
		Plain: func(a *Updated) string { return trueOrFalse(a.Updated) },
	}, false, func(j *stateJob, in *stateUpdateInput) (*Updated, error) {
		j.AsGiven = true
		if !j.setNamed(in.Field, in.Value) {
			return &Updated{Reason: "Field \"" + shorten(in.Field) + "\" not found in STATE.md"}, nil
		}
		return &Updated{Updated: true}, nil
	})
	patch := changeOperation(planop.Spec[statePatchInput, *Patched]{
		Name: "state patch", Summary: "make several fields of STATE.md other values",
		Plain: func(a *Patched) string { return trueOrFalse(len(a.Updated) > 0) },
	}, false, func(j *stateJob, in *statePatchInput) (*Patched, error) {
		j.AsGiven = true
		out := &Patched{Updated: []string{}, Failed: []string{}}
		pairs := in.Pairs
		if len(pairs) == 0 {
			return nil, planop.Usagef("name a field and its value: --Status Planning")
		}
		for _, name := range slices.Sorted(maps.Keys(pairs)) {
			if j.setNamed(name, pairs[name]) {
				out.Updated = append(out.Updated, name)
			} else {
				out.Failed = append(out.Failed, name)
			}
		}
		return out, nil
	})
	return []*planop.Operation{update, patch}
}

// setNamed sets the field that a user names. The field may be in the part about the present, in another section, or only in the front
// matter.
func (j *stateJob) setNamed(name, value string) bool {
	if j.sheet.Set(name, value) {
		return true
	}
	if f, ok := j.sheet.State.Doc.Field(j.sheet.State.Doc.Body(), name); ok {
		j.sheet.Edit(j.sheet.State.Doc.SetField(f, value))
		return true
	}
	key := strings.ReplaceAll(strings.ToLower(name), " ", "_")
	if j.sheet.State.Doc.FrontMatter().Get(key) == nil {
		return false
	}
	j.sheet.SetFront(value, key)
	return true
}

// BegunPhase is a phase whose plans are ready or now carried out.
type BegunPhase struct {
	Updated []string `json:"updated"`
	Phase   string   `json:"phase"`
	Name    *string  `json:"phase_name,omitempty"`
	Plans   *int     `json:"plan_count"`
	DerivedKeys
}

// AdvancedPlan is the next plan to carry out.
type AdvancedPlan struct {
	Advanced bool   `json:"advanced"`
	Reason   string `json:"reason,omitempty"`
	Previous *int   `json:"previous_plan,omitempty"`
	Current  int    `json:"current_plan"`
	Total    int    `json:"total_plans"`
	Status   string `json:"status,omitempty"`
	DerivedKeys
}

type stateBeginPhaseInput struct {
	Phase string `flag:"phase" required:"yes" help:"the number of the phase"`
	Name  string `flag:"name" help:"its name; else the one that the roadmap has"`
	Plans *int   `flag:"plans" value:"N" help:"how many plans it has; else those that are there"`
}

func phaseOperations() []*planop.Operation {
	begin := changeOperation(planop.Spec[stateBeginPhaseInput, *BegunPhase]{
		Name: "state begin-phase", Summary: "the plans of a phase are carried out from now on", Plain: plainBegun,
	}, false, (*stateJob).beginExecution)
	planned := changeOperation(planop.Spec[stateBeginPhaseInput, *BegunPhase]{
		Name: "state planned-phase", Summary: "the plans of a phase are ready", Plain: plainBegun,
	}, false, (*stateJob).markPlanned)
	advance := changeOperation(planop.Spec[planop.NoInput, *AdvancedPlan]{
		Name: "state advance-plan", Summary: "the next plan of the phase is the current one",
		Plain: func(a *AdvancedPlan) string { return trueOrFalse(a.Advanced) },
	}, false, (*stateJob).advancePlan)
	return []*planop.Operation{begin, planned, advance}
}

func plainBegun(a *BegunPhase) string { return trueOrFalse(len(a.Updated) > 0) }

// beginPhase does the part that the operations on beginning a phase have in common. It returns the answer, and the phase's name and
// number of plans.
func (j *stateJob) beginPhase(in *stateBeginPhaseInput) (b *BegunPhase, name string, plans int, err error) {
	b = &BegunPhase{Updated: []string{}, Phase: in.Phase}
	if b.Phase == "" {
		return nil, "", 0, planop.Usagef("--phase is missing")
	}
	p, err := j.findPhase(b.Phase)
	if err != nil {
		return nil, "", 0, err
	}
	if j.AsGiven = j.Original; !j.Original && p.Dir != "" && j.inv.IsComplete(p) {
		return nil, "", 0, planop.Faultf("phase_complete", "phase %s is complete; a box of ROADMAP.md that is not ticked opens it again", p.ID)
	}
	plans = len(p.Plans)
	if in.Plans != nil {
		plans = *in.Plans
	}
	if plans < 0 {
		return nil, "", 0, planop.Usagef("--plans is %d; it must be 0 or more", plans)
	}
	if plans > 0 || in.Plans != nil {
		b.Plans = &plans
	}
	if name = oneLine(in.Name); name == "" {
		name = p.Name
	}
	return b, name, plans, nil
}

// Begin writes into STATE.md that the plans of a phase are carried out from now on. It does nothing without STATE.md. It fails as
// "state begin-phase" does.
func Begin(ctx context.Context, c *planop.Call, phase string) error {
	if inv, err := c.Inventory(); err != nil || inv.State == nil {
		return err
	}
	_, err := underLock(false, (*stateJob).beginExecution)(ctx, c, &stateBeginPhaseInput{Phase: phase})
	return err
}

func (j *stateJob) beginExecution(in *stateBeginPhaseInput) (*BegunPhase, error) {
	b, name, plans, err := j.beginPhase(in)
	if err != nil {
		return nil, err
	}
	if name != "" {
		b.Name = &name
	}
	words := "Phase " + b.Phase + " execution started"
	if j.sheet.SetStatus("Executing Phase " + b.Phase) {
		b.Updated = append(b.Updated, "Status")
	}
	b.Updated = append(b.Updated, j.sheet.Activity(j.today(), words)...)
	compact := len(j.sheet.SetPhase(b.Phase, name, inventory.PhaseTotal(j.inv, j.sheet.State.Position().Phases))) > 0
	compact = len(j.sheet.SetPlan(j.firstPlan(in.Phase), plans)) > 0 || compact
	b.Updated = append(b.Updated, j.existingFields("Current Phase", "Current Phase Name", "Current Plan", "Total Plans in Phase")...)
	focus := "Phase " + b.Phase
	if name != "" {
		focus += " — " + name
	}
	if j.sheet.SetFocus(focus) {
		b.Updated = append(b.Updated, "Current focus")
	}
	if _, ok := j.sheet.State.Heading("Current Position"); ok && compact {
		b.Updated = append(b.Updated, "Current Position")
	}
	return b, nil
}

// firstPlan returns the place of the plan with which the work on a phase begins or goes on.
func (j *stateJob) firstPlan(phase string) int {
	p, err := j.findPhase(phase)
	if err != nil || j.Original {
		return 1
	}
	plan, _ := p.CurrentPlan()
	return max(1, plan)
}

// existingFields returns those of the named fields that STATE.md has.
func (j *stateJob) existingFields(names ...string) (list []string) {
	for _, n := range names {
		if len(j.sheet.State.FieldPlaces(n)) > 0 {
			list = append(list, n)
		}
	}
	return list
}

func (j *stateJob) markPlanned(in *stateBeginPhaseInput) (*BegunPhase, error) {
	b, _, plans, err := j.beginPhase(in)
	if err != nil {
		return nil, err
	}
	if j.sheet.SetStatus("Ready to execute") {
		b.Updated = append(b.Updated, "Status")
	}
	if plans > 0 && j.sheet.Set("Total Plans in Phase", strconv.Itoa(plans)) {
		b.Updated = append(b.Updated, "Total Plans in Phase")
	}
	count := "?"
	if plans > 0 {
		count = strconv.Itoa(plans)
	}
	words := "Phase " + b.Phase + " planning complete — " + count + " plans ready"
	b.Updated = append(b.Updated, j.sheet.Activity(j.today(), words)...)
	return b, nil
}

func (j *stateJob) advancePlan(_ *planop.NoInput) (*AdvancedPlan, error) {
	pos := j.sheet.State.Position()
	total := pos.Plans
	if p, archived := j.inv.Find(pos.Phase); p != nil && archived == "" && len(p.Plans) > 0 {
		total = len(p.Plans) // the counted number, which a field may differ from
	}
	if j.sheet.State.Value("Current Plan", "Plan") == "" || total == 0 {
		return nil, planop.Faultf("plan_not_found", "Cannot parse Current Plan or Total Plans in Phase from STATE.md")
	}
	if p := currentPhase(j.inv); p != nil && len(p.Plans) > 0 && !j.Original {
		return j.advanceToFiles(p, pos)
	}
	j.AsGiven = j.Original
	if pos.Plan >= total {
		return j.endPlans(pos.Plan, total), nil
	}
	return j.setNextPlan(pos.Plan, pos.Plan+1, total), nil
}

// advanceToFiles makes the first plan without a summary the current one.
func (j *stateJob) advanceToFiles(p *inventory.Phase, pos state.Position) (*AdvancedPlan, error) {
	plan, total := p.CurrentPlan()
	switch {
	case p.IsExecuted():
		return j.endPlans(total, total), nil
	case plan <= pos.Plan:
		if plan < pos.Plan {
			j.sheet.SetPlan(plan, total)
		}
		return &AdvancedPlan{Reason: "no_summary", Current: plan, Total: total, Status: p.IncompletePlans()[0] + " has no summary"}, nil
	}
	return j.setNextPlan(pos.Plan, plan, total), nil
}

// endPlans writes that all plans of the phase were carried out.
func (j *stateJob) endPlans(plan, total int) *AdvancedPlan {
	if !j.Original {
		j.sheet.SetPlan(plan, total)
	}
	j.sheet.SetStatus("Phase complete — ready for verification")
	j.sheet.Activity(j.today(), "All "+strconv.Itoa(total)+" plans of the phase were carried out")
	return &AdvancedPlan{Reason: "last_plan", Current: plan, Total: total, Status: "ready_for_verification"}
}

func (j *stateJob) setNextPlan(before, next, total int) *AdvancedPlan {
	j.sheet.SetPlan(next, total)
	j.sheet.SetStatus("Ready to execute")
	j.sheet.Activity(j.today(), "Plan "+strconv.Itoa(next)+" of "+strconv.Itoa(total)+" is next")
	return &AdvancedPlan{Advanced: true, Previous: &before, Current: next, Total: total}
}
