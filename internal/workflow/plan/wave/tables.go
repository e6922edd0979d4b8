package wave

import "ken/internal/workflow/plan/gate"

// GateKind is the purpose of a gate.
type GateKind string

// The kinds of gates.
const (
	Confirm    GateKind = "confirm"    // a person agrees
	Quality    GateKind = "quality"    // a check passes
	Safety     GateKind = "safety"     // a person agrees, and no setting can replace the person
	Transition GateKind = "transition" // a phase ends
)

// GateRow is a gate, with the stage in which it is passed.
type GateRow struct {
	Name    string   `json:"name"`
	Kind    GateKind `json:"kind"`
	Setting string   `json:"setting"` // the setting that turns it off
	Asks    string   `json:"asks"`
}

// Gates returns all gates.
func Gates() []GateRow {
	return []GateRow{
		{"plan_check", Quality, "workflow.plan_check", "has a checker found nothing in the plans that has to be mended?"},
		{"plans", Confirm, "gates.confirm_plan", "may the plans be carried out?"},
		{"architecture", Safety, "", "may an executor change what the plans assume?"},
		{"wave", Quality, "", "do the project's own checks pass after the wave?"},
		{"verification", Quality, "workflow.verifier", "does the phase reach its goal?"},
		{"transition", Transition, "gates.confirm_transition", "may the phase end?"},
	}
}

// Deviation is a rule for a situation that a plan did not foresee.
type Deviation struct {
	Rule   int    `json:"rule"`
	Kind   string `json:"kind"`
	Means  string `json:"means"`
	Action string `json:"action"` // fix, or ask
}

// Deviations returns the rules for deviations. If several fit, the highest counts.
func Deviations() []Deviation {
	return []Deviation{
		{1, "bug", "code that the task touches does not work", "fix"},
		{2, "missing", "something without which the task is wrong or unsafe, a mitigation of the threat model too", "fix"},
		{3, "blocking", "the task cannot go on", "fix"},
		{4, "architectural", "another structure, dependency, schema or interface than the plan assumes", "ask"},
	}
}

// CheckpointRow is a kind of checkpoint, a task that waits for a person.
type CheckpointRow struct {
	Type string `json:"type"`
	Asks string `json:"asks"`
	Auto string `json:"auto"` // the action in an automatic run: approve, first, or wait
}

// Checkpoints returns the kinds of checkpoints. A kind that needs a person's hands or credentials waits even in an automatic run.
func Checkpoints() []CheckpointRow {
	return []CheckpointRow{
		{"human-verify", "a person looks at what was built", "approve"},
		{"decision", "a person chooses among options", "first"},
		{"human-action", "a person does what no program can, such as logging in", "wait"},
		{"auth", "a service asks for credentials: a human action", "wait"},
	}
}

// Repairs returns the ways to repair a failed plan.
func Repairs() []string { return []string{"retry", "decompose", "prune"} }

// WaveCheck is a command that ends a wave, and how it ended last.
type WaveCheck struct {
	gate.Result
	Why string `json:"why"` // where it comes from
}

// isPassed reports whether the command passed on the present code.
func (w *WaveCheck) isPassed() bool { return w.State == "passed" && w.Current }

// status describes how the command ended, and what to do if it has not passed.
func (w *WaveCheck) status() string {
	switch {
	case w.State == "missing", w.isPassed():
		return w.String()
	case !w.Current:
		return w.String() + ", but the code has changed since: run it again"
	}
	return w.String() + ": have it mended, and run it again"
}
