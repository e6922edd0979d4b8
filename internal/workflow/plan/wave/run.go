package wave

import (
	"maps"
	"slices"
)

// Stage is the stage of a run.
type Stage string

// The stages.
const (
	Planning  Stage = "planning"  // plans are to be written
	Checking  Stage = "checking"  // a checker reads them
	Revising  Stage = "revising"  // a planner fixes the issues that the checker found
	Deciding  Stage = "deciding"  // a person has to decide
	Approving Stage = "approving" // the gate before executors begin
	Executing Stage = "executing" // a wave of plans is carried out
	WaveGate  Stage = "wave_gate" // the project's checks after a wave
	Verifying Stage = "verifying"
	Human     Stage = "human" // a person does tests that only a person can do
	Closing   Stage = "closing"
	Complete  Stage = "complete"
	Stopped   Stage = "stopped"
)

// RunPlan is a plan of a run.
type RunPlan struct {
	Wave     int            `json:"wave"`
	Needs    []string       `json:"needs,omitempty"`
	State    State          `json:"state"`
	Repairs  int            `json:"repairs,omitempty"`
	Attempts map[string]int `json:"attempts,omitempty"` // to fix a problem, by task
	Question *Question      `json:"question,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Answer   string         `json:"answer,omitempty"` // to the last question; a fresh agent continues with it
}

// Question is a question to a person for whose answer an executor waits.
type Question struct {
	Type    string   `json:"type"` // of a checkpoint, or architectural
	Task    string   `json:"task,omitempty"`
	Text    string   `json:"text,omitempty"`
	Options []string `json:"options,omitempty"`
}

// Run is the state of the work on a phase.
type Run struct {
	Version int    `json:"version"`
	Phase   string `json:"phase"`
	Auto    bool   `json:"auto"` // no person is asked unless necessary
	Step    int    `json:"step"` // the number of events so far
	Stage   Stage  `json:"stage"`
	Why     string `json:"why,omitempty"` // the reason of deciding or stopped
	Tries   int    `json:"revisions"`
	Issues  []int  `json:"issues"` // the blockers of each check
	// Findings are those of the last check, as the checker wrote them.
	Findings string              `json:"findings,omitempty"`
	Gaps     []int               `json:"gaps"` // of each verification that found some
	Wave     int                 `json:"wave"`
	Plans    map[string]*RunPlan `json:"plans"`
	Gates    map[string]Gate     `json:"gates"`
	Later    []string            `json:"deferred"` // for deferred-items.md
	Last     string              `json:"last_event,omitempty"`

	closed bool // the phase is complete in the planning folder, too
}

// Gate is the state of a gate, a condition that must hold before the run continues.
type Gate struct {
	State string `json:"state"` // pending, passed, failed, inconclusive, refused, skipped
	Why   string `json:"why,omitempty"`
}

// Policy has the settings that determine the course of a run.
type Policy struct {
	Auto         bool // no person is asked unless necessary
	Check        bool // plans are checked
	Verify       bool
	Repair       bool
	RepairBudget int
	Skips        map[string]string        // gates that are off, with the setting that turns them off
	TestCommand  string                   // only shown to the agent, never run
	Checks       []WaveCheck              // the commands that end a wave, with how they ended
	TestsUnknown bool                     // nothing was there to look for tests in
	Model        func(role string) string // the model of an agent; nil where agents cannot be started with one
	Unmerged     bool                     // a wave that ended has executors, whose work is to be merged first
	// Commands are those with which plans verify their tasks, by plan: of all, or of those whose end the verification still lacks.
	Commands map[string][]string
}

// The limits of loops.
const (
	MaxRevisions = 3 // of plans, and rounds of gaps
	MaxAttempts  = 3 // of an executor to fix a problem
)

// NewRun returns the first state of a run. planned are the plans that exist already.
func NewRun(phase string, planned map[string]*RunPlan, p *Policy) *Run {
	r := &Run{
		Version: 1, Phase: phase, Stage: Planning, Issues: []int{}, Gaps: []int{}, Plans: map[string]*RunPlan{}, Gates: map[string]Gate{}, Later: []string{},
	}
	for _, g := range Gates() {
		state := Gate{State: "pending"}
		if why := p.Skips[g.Name]; why != "" {
			state = Gate{"skipped", why}
		}
		r.Gates[g.Name] = state
	}
	r.Auto = p.Auto
	if len(planned) > 0 {
		r.Plans = planned
		r.onPlanned(p)
	}
	return r
}

// clone returns a deep copy.
func (r *Run) clone() *Run {
	c := *r
	c.Issues, c.Gaps, c.Later = slices.Clone(r.Issues), slices.Clone(r.Gaps), slices.Clone(r.Later)
	c.Gates = maps.Clone(r.Gates)
	c.Plans = map[string]*RunPlan{}
	for id, p := range r.Plans {
		q := *p
		q.Needs, q.Attempts = slices.Clone(p.Needs), maps.Clone(p.Attempts)
		c.Plans[id] = &q
	}
	return &c
}

// plansInState returns the sorted ids of the plans that are in one of the states. With wave, only those of the present wave count.
func (r *Run) plansInState(wave bool, states ...State) []string {
	var list []string
	for id, p := range r.Plans {
		if slices.Contains(states, p.State) && (!wave || p.Wave == r.Wave) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}
