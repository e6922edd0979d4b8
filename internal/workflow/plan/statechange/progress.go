package statechange

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// ProgressAnswer is the progress that was computed and written.
type ProgressAnswer struct {
	Updated   bool   `json:"updated"`
	Reason    string `json:"reason,omitempty"`
	Percent   int    `json:"percent"`
	Completed int    `json:"completed"`
	Total     int    `json:"total"`
	Bar       string `json:"bar,omitempty"`
	DerivedKeys
}

// ValidAnswer reports whether STATE.md agrees with the files.
type ValidAnswer struct {
	Valid    bool     `json:"valid"`
	Warnings []string `json:"warnings"`
	Drift    Drift    `json:"drift"`
}

// Drift is the difference between STATE.md and the files.
type Drift struct {
	PlanCount    *CountDrift  `json:"plan_count,omitempty"`
	PhaseCount   *CountDrift  `json:"phase_count,omitempty"`
	Percent      *CountDrift  `json:"percent,omitempty"`
	Verification *StatusDrift `json:"verification_status,omitempty"`
}

// CountDrift is a counter in STATE.md that differs from the counted number.
type CountDrift struct {
	State int `json:"state"`
	Disk  int `json:"disk"`
}

// StatusDrift is a status in STATE.md that is older than a verification of the phase.
type StatusDrift struct {
	State        string `json:"state_status"`
	Verification string `json:"verification"`
}

// SyncedFields has the values in STATE.md that were computed again.
type SyncedFields struct {
	Synced  bool     `json:"synced"`
	Changes []string `json:"changes"`
	Dry     bool     `json:"dry_run"`
	DerivedKeys
}

type verifyInput struct {
	Verify bool `flag:"verify" help:"say what would be written, and write nothing"`
}

func progressOperations() []*planop.Operation {
	progress := changeOperation(planop.Spec[planop.NoInput, *ProgressAnswer]{
		Name: "state update-progress", Summary: "write the progress of STATE.md anew, computed from the files",
		Plain: func(a *ProgressAnswer) string { return a.Bar },
	}, true, func(j *stateJob, _ *planop.NoInput) (*ProgressAnswer, error) {
		c := j.inv.Counts()
		out := &ProgressAnswer{Percent: c.Percent, Completed: c.CompletedPlans, Total: c.Plans}
		bar := inventory.ProgressText(c.Percent)
		// Some files have the progress only in the front matter.
		if j.sheet.Set("Progress", bar) || j.sheet.State.Doc.FrontMatter().Get("progress", "percent") != nil {
			out.Updated, out.Bar = true, bar
		} else {
			out.Reason = "Progress field not found in STATE.md"
		}
		return out, nil
	})
	validate := planop.Spec[planop.NoInput, ValidAnswer]{
		Name: "state validate", Summary: "whether STATE.md says what is there", Plain: func(a ValidAnswer) string { return trueOrFalse(a.Valid) },
		Shared: true, Run: validateState,
	}.Operation()
	sync := planop.Spec[verifyInput, *SyncedFields]{
		Name: "state sync", Summary: "write all counters of STATE.md anew, computed from the files", Writes: true, Shared: true,
		Run: func(ctx context.Context, c *planop.Call, in *verifyInput) (*SyncedFields, error) {
			c.DryRun = c.DryRun || in.Verify
			return underLock(true, (*stateJob).syncState)(ctx, c, in)
		},
	}.Operation()
	return []*planop.Operation{progress, validate, sync}
}

// currentPhase returns the phase that is the current one in STATE.md, or nil.
func currentPhase(inv *inventory.Inventory) *inventory.Phase {
	if p, archived := inv.Find(inv.State.Position().Phase); p != nil && archived == "" {
		return p
	}
	return nil
}

func validateState(_ context.Context, c *planop.Call, _ *planop.NoInput) (ValidAnswer, error) {
	inv, err := c.Inventory()
	if err != nil {
		return ValidAnswer{}, err
	}
	if inv.State == nil {
		return ValidAnswer{}, planop.Faultf("state_not_found", "STATE.md not found")
	}
	v := ValidAnswer{Warnings: []string{}}
	pos, counts := inv.State.Position(), inv.Counts()
	p := currentPhase(inv)
	if p == nil && !pos.Phase.IsNone() && len(inv.Phases) > 0 {
		v.warn("Phase drift: STATE.md says phase %s, there is no such phase", pos.Phase)
	}
	if p != nil {
		v.checkPhase(inv, p)
	}
	if right := inventory.PhaseTotal(inv, pos.Phases); pos.Phases > 0 && counts.Phases > 0 && pos.Phases != right {
		v.Drift.PhaseCount = &CountDrift{pos.Phases, right}
		v.warn("Phase count mismatch: STATE.md says %d phases, there are %d", pos.Phases, right)
	}
	if percent, ok := inv.State.Percent(); ok && percent != counts.Percent && counts.Phases > 0 {
		v.Drift.Percent = &CountDrift{percent, counts.Percent}
		v.warn("Progress drift: STATE.md says %d%%, the files say %d%%", percent, counts.Percent)
	}
	for _, c := range inv.Stale() {
		if reported := []string{"Total Phases", "Total Plans in Phase", "Progress"}; !slices.Contains(reported, c.Field) {
			v.warn("%s drift: STATE.md says %s, the files say %s", c.Field, c.Written, c.Computed)
		}
	}
	v.Valid = len(v.Warnings) == 0
	return v, nil
}

func (v *ValidAnswer) warn(format string, args ...any) {
	v.Warnings = append(v.Warnings, fmt.Sprintf(format, args...))
}

// checkPhase compares the entries of STATE.md about its current phase with the files of the phase.
func (v *ValidAnswer) checkPhase(inv *inventory.Inventory, p *inventory.Phase) {
	plans := inv.State.Position().Plans
	if plans > 0 && plans != len(p.Plans) {
		v.Drift.PlanCount = &CountDrift{plans, len(p.Plans)}
		v.warn("Plan count mismatch: STATE.md says %d plans, disk has %d", plans, len(p.Plans))
	}
	status, word := inv.State.Status()
	if word != "executing" {
		return
	}
	switch verified := inv.Verification(p); {
	case verified == "passed":
		v.Drift.Verification = &StatusDrift{status, verified}
		v.warn("Status drift: STATE.md says %q but %s shows verification passed — phase may be complete", status, p.FirstOfKind("VERIFICATION"))
	case verified == "" && p.IsExecuted():
		v.warn("All %d plans have summaries but status is still %q — phase may be ready for verification", len(p.Plans), status)
	}
}

// syncState computes again the values in STATE.md that are copies.
func (j *stateJob) syncState(_ *verifyInput) (*SyncedFields, error) {
	out := &SyncedFields{Synced: !j.DryRun, Changes: []string{}, Dry: j.DryRun}
	for _, c := range j.sheet.Recount(j.inv) {
		out.Changes = append(out.Changes, c.Field+": "+c.Written+" -> "+c.Computed)
	}
	return out, nil
}
