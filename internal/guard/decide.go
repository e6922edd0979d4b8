package guard

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Request is a call of a tool, or a write of files, with the facts that Decide needs to judge it.
type Request struct {
	Tool    Tool
	Targets []Target // of a submission, an analysis or a write
	Claims  []Claim
	Have    Counts // the numbers of symbols, files and so on that the index ties to the targets at all
	// Should are tests, companions and documents of an analysis that may have to change, too.
	Should []string
	// Mentions are the lines of documents that describe a target of an analysis. Gone are documents that no longer exist.
	Mentions   []Mention
	Gone       []string
	Hypotheses []string
	Reasons    []Reason
	Verdicts   []Verified
	Statuses   []FileStatus
	// Prompts is the number of user prompts that were recorded in the session to which the task is bound.
	Prompts int
	// Forget makes revert_to_exploration drop the agent's understanding. The record of the lines that it has read stays.
	Forget bool
	// Was holds the fingerprint of each file that will be modified, by its path. Only submit_impact_analysis sets it.
	Was map[string]string
	// Hidden are files and folders that the index had when the task began and leaves out now, so that uses of a target may be missing.
	Hidden []string
	// Unpermitted lists files that were changed without permission, Unasked files that changed, may be written, and of which nobody asked.
	// Unchanged lists files that were announced as modified and are unchanged. Only submit_for_review sets them.
	Unpermitted, Unasked, Unchanged []string
}

// Missing is evidence that is required and was not given.
type Missing struct {
	Kind   Kind
	Have   int
	Need   int
	What   string
	Next   string   // the way to get it
	Places []string // places to look at
}

// Errors of a decision.
const (
	PhaseBlocked    = "phase_blocked"    // the state does not allow it
	EvidenceMissing = "evidence_missing" // the state allows it, but evidence is missing
	NotCovered      = "not_covered"      // no task gives leave for it
)

// Interventions: what the agent is asked to do after several failed verifications.
const (
	StepBack = "step_back"
	AskUser  = "ask_user"
)

// Decision is the answer to a request: whether it is allowed, and the next step.
type Decision struct {
	Allowed bool
	Error   string // PhaseBlocked, EvidenceMissing or NotCovered, "" if it is allowed
	Message string
	State   State // after the decision
	Missing []Missing
	// Inconsistent lists contradictions between the submission and the index.
	Inconsistent []string
	// Unjudged lists parts of the submission that ken cannot judge and accepts as they are.
	Unjudged []string
	Warnings []string
	Rating   string // of an understanding: "high" or "low"
	// Hint is the cheapest way forward.
	Hint         string
	AllowedTools []Tool
	Intervention string
	Prompt       string // text of the intervention, for the agent

	failed bool // a verification failed
}

// Decide decides whether a tool may be called, or a file written, and in which state the task is then. It reads and changes nothing;
// Task.Apply applies a decision.
func Decide(p Policy, t *Task, r *Request) Decision {
	g, ok := LookupGate(r.Tool)
	if !ok {
		return t.refuse(PhaseBlocked, fmt.Sprintf("there is no tool %q", string(r.Tool)), "")
	}
	if !g.allowsNow(t) {
		return t.refusePhase(p, &g)
	}
	if d, waits := t.awaitUser(r); waits {
		return d
	}
	if len(r.Hidden) > 0 && r.Tool != Revert && toolSteps()[r.Tool].judge != nil {
		return t.refuse(EvidenceMissing,
			"the index leaves out what it had when the task began: "+joinFirst(r.Hidden, 5)+"; whether something uses a target is not known",
			"put back what hides them: .kenignore, .ken/config.yml, or a rule by which git ignores files; if that is meant, record_outcome and begin again")
	}
	judge := toolSteps()[r.Tool].judge
	if judge == nil {
		return t.allow()
	}
	d := judge(t, p, r)
	if !d.Allowed && d.Hint == "" && len(d.Missing) > 0 {
		d.Hint = d.Missing[0].Next
	}
	return d
}

// toolStep handles the calls of one tool. Its judge decides by more than the state, and its keep stores the decided request in the task.
// keep is nil if nothing is stored.
type toolStep struct {
	judge func(*Task, Policy, *Request) Decision
	keep  func(*Task, Policy, *Request, *Decision)
}

// toolSteps returns the handlers of the tools whose calls are judged by more than the state.
func toolSteps() map[Tool]toolStep {
	return map[Tool]toolStep{
		SubmitUnderstood: {(*Task).judgeUnderstanding, keepUnderstanding},
		SubmitSemantic:   {(*Task).judgeSemantic, keepHypotheses},
		SubmitVerified:   {(*Task).judgeVerification, keepVerdicts},
		AnalyzeImpact:    {(*Task).judgeAnalysis, keepAnalysis},
		SubmitImpact:     {(*Task).judgeAnswers, keepStatuses},
		CheckWriteTarget: {(*Task).judgeWrite, keepTargets},
		Write:            {(*Task).judgeWrite, keepTargets},
		AddExplored:      {(*Task).judgeExplored, keepExplored},
		Revert:           {(*Task).revertToStart, keepReverted},
		SubmitForReview:  {(*Task).judgeReview, nil},
	}
}

// allow allows a call that leaves the state as it is.
func (t *Task) allow() Decision {
	return Decision{Allowed: true, State: t.State, AllowedTools: AllowedTools(t)}
}

// moveTo allows a call after which the task is in state s.
func (t *Task) moveTo(s State) Decision {
	after := *t
	after.State = s
	return Decision{Allowed: true, State: s, AllowedTools: AllowedTools(&after)}
}

func (t *Task) refuse(kind, message, hint string) Decision {
	return Decision{Error: kind, Message: message, State: t.State, Hint: hint, AllowedTools: AllowedTools(t)}
}

// refuseForMissing refuses a call for missing evidence.
func (t *Task) refuseForMissing(missing []Missing) Decision {
	var what []string
	for i := range missing {
		what = append(what, missing[i].What)
	}
	d := t.refuse(EvidenceMissing, strings.Join(what, "; "), "")
	d.Missing = missing
	return d
}

// refuseUncovered refuses the write of a target that no task gives leave for. It reports whether there is one.
func (t *Task) refuseUncovered(targets []Target) (Decision, bool) {
	for i := range targets {
		if g := &targets[i]; g.Uncovered != "" {
			return t.refuse(NotCovered, fmt.Sprintf("no task gives leave to write %s: %s", g.Name, g.Uncovered),
				"leave it as it is; if it has to change, ask the user to change it"), true
		}
	}
	return Decision{}, false
}

// refusePhase refuses a call that the state does not allow.
func (t *Task) refusePhase(p Policy, g *Gate) Decision {
	name := string(g.Tool)
	if g.Tool == Write {
		name = "a write"
	}
	switch {
	case !t.Ended.IsZero():
		return t.refuse(PhaseBlocked, "the task has ended", "start_session")
	case g.OnlyWriting && !t.Intent.Writes():
		return t.refuse(PhaseBlocked, fmt.Sprintf("the intent of this task is %s, which changes nothing, so %s is not allowed", t.Intent, name),
			"start_session with the intent MODIFY or IMPLEMENT, if files are to be changed; record_outcome ends this task")
	}
	return t.refuse(PhaseBlocked, fmt.Sprintf("%s is not allowed in %s: %s", name, t.State, g.Why), t.cheapestWay(p, g.Tool))
}

// cheapestWay describes the cheapest way from the current state of the task to one in which tool to may be called.
func (t *Task) cheapestWay(p Policy, to Tool) string {
	switch t.State {
	case Exploration:
		if t.Intent.Writes() && t.Level == Full {
			return "look up what is going to change, then submit_understanding with it as targets"
		}
		return "submit_understanding, which needs no counts"
	case Semantic:
		return "semantic_search, then submit_semantic; or revert_to_exploration and look up what is missing"
	case Verification:
		return "verify " + joinFirst(t.openHypotheses(), 3) + " and submit_verification"
	case Impact:
		if t.Analysis == nil {
			return "analyze_impact, then submit_impact_analysis"
		}
		if unread := t.unverifiedPlaces(nil); len(unread) > 0 {
			return readCall(unread) + ", then submit_impact_analysis"
		}
		return "submit_impact_analysis with a status for each file"
	case Ready:
		if slices.Contains([]Tool{ReviewChanges, FinalizeChanges, MergeToMain}, to) {
			return "submit_for_review"
		}
		return "revert_to_exploration"
	}
	if !t.Overlay {
		return "commit what is wanted and record_outcome, or revert_to_exploration to change more"
	}
	return "finalize_changes and merge_to_main, or revert_to_exploration to change more"
}

// awaitUser refuses the calls that would take the task on after too many failed verifications, until the user has decided how to go
// on. Reading and the other tools stay allowed. It reports whether it refused.
func (t *Task) awaitUser(r *Request) (Decision, bool) {
	ends := slices.Contains([]Tool{SubmitUnderstood, SubmitSemantic, SubmitVerified, SubmitImpact, CheckWriteTarget, Write, Revert}, r.Tool)
	answered := r.Prompts > t.AskedAt || t.Session == "" && r.Tool == Revert // without hooks the answer is not recorded
	if !t.Asking || !ends || answered {
		return Decision{}, false
	}
	d := t.refuse(PhaseBlocked, "verification has failed repeatedly: the user has to decide how to go on", "ask the user, and wait for the answer")
	if t.Session == "" {
		d.Hint = "ask the user; with the answer, revert_to_exploration"
	}
	d.Intervention, d.Prompt = AskUser, askPrompt
	return d, true
}

const (
	stepBackPrompt = "Three verifications have failed. Step back before the next: what did each attempt assume, which of these assumptions was never looked at in the code, " +
		"and which other place could the behaviour come from? Look there first, or go back with revert_to_exploration."
	askPrompt = "Verification keeps failing. Tell the user what was tried, what the code showed instead, and what is unclear; then ask how to go on."
)

// Apply applies the decision on a request to the task. at is the time of the decision.
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
	// A call that the state does not allow, and one for what no task covers, leave nothing behind: what they name was not judged.
	if keep := toolSteps()[r.Tool].keep; keep != nil && d.Error != PhaseBlocked && d.Error != NotCovered {
		keep(t, p, r, d)
	}
	if d.State != t.State {
		t.History = append(t.History, Step{From: t.State, To: d.State, By: r.Tool, At: at})
		t.State = d.State
	}
}

// End ends the task with an outcome.
func (t *Task) End(outcome string, at time.Time) {
	t.Outcome, t.Ended = outcome, at
}
