package guard

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Request is a call of a tool, or a write, with the facts that its decision needs.
type Request struct {
	Tool    Tool
	Targets []Target // that a submit, an analysis or a write is about
	Claims  []Claim
	Have    Counts // how much of each kind is tied to the targets at all
	// Should are tests, companions and documents of an analysis that may have to change, too.
	Should []string
	// Mentions are the lines of documents that describe a target of an analysis. Gone are documents that are there no more.
	Mentions   []Mention
	Gone       []string
	Hypotheses []string
	Reasons    []Reason
	Verdicts   []Verified
	Statuses   []FileStatus
	// Prompts is how many prompts of the bound session were recorded.
	Prompts int
	// Forget has revert_to_exploration drop what was understood. What was looked at stays.
	Forget bool
	// Outside says that a write is outside of the project, which no task guards.
	Outside bool
	// Was are fingerprints of the files that will be modified, of submit_impact_analysis.
	Was map[string]string
	// Unruly are files that are changed without leave, of submit_for_review. Unchanged were to be modified and are as they were.
	Unruly, Unchanged []string
}

// Missing is evidence that is demanded and is not there.
type Missing struct {
	Kind   Kind
	Have   int
	Need   int
	What   string
	Next   string   // how it is got
	Places []string // what has to be looked at
}

// Errors of a decision.
const (
	PhaseBlocked    = "phase_blocked"    // the state does not allow it
	EvidenceMissing = "evidence_missing" // the state does, and something is not shown yet
)

// Interventions, after verifications failed.
const (
	StepBack = "step_back"
	AskUser  = "ask_user"
)

// Decision is what may be done, and what is next.
type Decision struct {
	Allowed bool
	Error   string // PhaseBlocked or EvidenceMissing, "" if it is allowed
	Message string
	State   State // after it
	Missing []Missing
	// Inconsistent is what cannot be true of what was submitted.
	Inconsistent []string
	// Unjudged is what ken cannot judge and takes as it is.
	Unjudged []string
	Warnings []string
	Rating   string // of an understanding: "high" or "low"
	// Hint is the cheapest way forward.
	Hint         string
	AllowedTools []Tool
	Intervention string
	Prompt       string // of an intervention, for the agent

	failed bool // a verification failed
}

// Decide says whether a tool may be called, or a file written, and what follows. It reads nothing and changes nothing:
// Task.Apply takes over what was decided.
func Decide(p Policy, t *Task, r *Request) Decision {
	g, ok := GateOf(r.Tool)
	if !ok {
		return t.refuse(PhaseBlocked, fmt.Sprintf("there is no tool %q", string(r.Tool)), "")
	}
	if r.Tool == Write && r.Outside {
		return t.pass()
	}
	if !g.open(t) {
		return t.blocked(p, &g)
	}
	if d, waits := t.waiting(r); waits {
		return d
	}
	step, ok := steps()[r.Tool]
	if !ok {
		return t.pass()
	}
	d := step(t, p, r)
	if !d.Allowed && d.Hint == "" && len(d.Missing) > 0 {
		d.Hint = d.Missing[0].Next
	}
	return d
}

// steps are the tools whose call is judged by more than the state.
func steps() map[Tool]func(*Task, Policy, *Request) Decision {
	return map[Tool]func(*Task, Policy, *Request) Decision{
		SubmitUnderstood: (*Task).understand, SubmitSemantic: (*Task).supplement, SubmitVerified: (*Task).verify,
		AnalyzeImpact: (*Task).analyse, SubmitImpact: (*Task).answer, CheckWriteTarget: (*Task).write, Write: (*Task).write,
		AddExplored: (*Task).explore, Revert: (*Task).revert, SubmitForReview: (*Task).review,
	}
}

// pass lets a call through.
func (t *Task) pass() Decision {
	return Decision{Allowed: true, State: t.State, AllowedTools: Allowed(t)}
}

// to lets a call through and the task go on to a state.
func (t *Task) to(s State) Decision {
	after := *t
	after.State = s
	return Decision{Allowed: true, State: s, AllowedTools: Allowed(&after)}
}

func (t *Task) refuse(kind, message, hint string) Decision {
	return Decision{Error: kind, Message: message, State: t.State, Hint: hint, AllowedTools: Allowed(t)}
}

// lacks refuses a call for evidence that is missing.
func (t *Task) lacks(missing []Missing) Decision {
	var what []string
	for i := range missing {
		what = append(what, missing[i].What)
	}
	d := t.refuse(EvidenceMissing, strings.Join(what, "; "), "")
	d.Missing = missing
	return d
}

// blocked refuses a call that the state does not allow.
func (t *Task) blocked(p Policy, g *Gate) Decision {
	name := string(g.Tool)
	if g.Tool == Write {
		name = "a write"
	}
	switch {
	case !t.Ended.IsZero():
		return t.refuse(PhaseBlocked, "the task has ended", "start_session")
	case g.OnlyWriting && !t.Intent.Writes():
		return t.refuse(PhaseBlocked, fmt.Sprintf("the intent of this task is %s, which changes nothing: %s is not for it", t.Intent, name),
			"start_session with the intent MODIFY or IMPLEMENT, if files shall be changed; record_outcome ends this task")
	}
	return t.refuse(PhaseBlocked, fmt.Sprintf("%s is not for %s: %s", name, t.State, g.Why), t.way(p, g.Tool))
}

// way is the cheapest way from a state to where a tool may be called.
func (t *Task) way(p Policy, to Tool) string {
	switch t.State {
	case Exploration:
		if t.Intent.Writes() && t.Level == Full {
			return "look up what is going to change, then submit_understanding with it as targets"
		}
		return "submit_understanding, which needs no counts"
	case Semantic:
		return "semantic_search, then submit_semantic; or revert_to_exploration and look up what is missing"
	case Verification:
		return "verify " + list(t.open(), 3) + " and submit_verification"
	case Impact:
		if t.Analysis == nil {
			return "analyze_impact, then submit_impact_analysis"
		}
		return "read " + list(t.unverified(), 5) + ", then submit_impact_analysis"
	case Ready:
		if slices.Contains([]Tool{ReviewChanges, FinalizeChanges, MergeToMain}, to) {
			return "submit_for_review"
		}
		return "revert_to_exploration"
	}
	return "finalize_changes and merge_to_main, or revert_to_exploration to change more"
}

// waiting refuses to go on after verifications have failed again and again, until the user has said how.
func (t *Task) waiting(r *Request) (Decision, bool) {
	ends := slices.Contains([]Tool{SubmitUnderstood, SubmitSemantic, SubmitVerified, SubmitImpact, CheckWriteTarget, Write, Revert}, r.Tool)
	answered := r.Prompts > t.AskedAt || t.Session == "" && r.Tool == Revert // without hooks nobody sees the answer
	if !t.Asking || !ends || answered {
		return Decision{}, false
	}
	d := t.refuse(PhaseBlocked, "verification has failed again and again: the user decides how to go on", "ask the user, and wait for the answer")
	if t.Session == "" {
		d.Hint = "ask the user; with the answer, revert_to_exploration"
	}
	d.Intervention, d.Prompt = AskUser, askPrompt
	return d, true
}

const (
	stepBackPrompt = "Three verifications have failed. Step back before the next: what did each attempt assume, which of these assumptions was never looked at in the code, " +
		"and which other place could the behaviour come from? Look there first, or go back with revert_to_exploration."
	askPrompt = "Verification keeps failing. Say to the user what was tried, what the code showed instead, and what is unclear; then ask how to go on."
)

// Apply takes over what was decided on a request. at is when.
func (t *Task) Apply(p Policy, r *Request, d *Decision, at time.Time) {
	if r.Prompts > t.AskedAt && t.Asking && d.Intervention == "" {
		t.Asking, t.Failed = false, 0
	}
	if d.failed {
		t.Failed++
		if d.Intervention == AskUser {
			t.Asking, t.AskedAt = true, r.Prompts
		}
	}
	if keep, ok := keeps()[r.Tool]; ok {
		keep(t, p, r, d)
	}
	if d.State != t.State {
		t.History = append(t.History, Step{From: t.State, To: d.State, By: r.Tool, At: at})
		t.State = d.State
	}
}

// End ends a task.
func (t *Task) End(outcome string, at time.Time) {
	t.Outcome, t.Ended = outcome, at
}
