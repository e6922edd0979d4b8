package inventory

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/operation"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/phaseid"
)

// lastTicked returns the phase before another one if the roadmap ticks it and the other has not begun, and nil otherwise. Before no phase
// comes the last one.
func (inv *Inventory) lastTicked(p *Phase) *Phase {
	at := len(inv.Phases)
	if p != nil {
		if len(p.Names) > 0 {
			return nil
		}
		at = slices.Index(inv.Phases, p)
	}
	if at < 1 || !inv.Phases[at-1].Ticked {
		return nil
	}
	return inv.Phases[at-1]
}

// reopened returns the ticked phase that still needs a step before the one after it can begin, with the step and the reason, or nil. The
// other program knows none.
func (inv *Inventory) reopened() (p *Phase, command, reason string) {
	if inv.Original {
		return nil, "", ""
	}
	before := inv.lastTicked(inv.unclosed())
	if before == nil {
		return nil, "", ""
	}
	step, ok := inv.results[before] // asked for by each view of the folder
	if !ok {
		if inv.results == nil {
			inv.results = map[*Phase]Step{}
		}
		step.Command, step.Reason = inv.openResult(before)
		inv.results[before] = step
	}
	if step.Command == "" {
		return nil, "", ""
	}
	return before, step.Command, step.Reason
}

// openResult returns the step that a ticked phase still needs, and the reason: its verification found gaps, an acceptance test failed,
// tests wait for a person, or it was ticked before it was verified. Plans that were not carried out do not count. It returns "" if nothing
// is open.
func (inv *Inventory) openResult(p *Phase) (command, reason string) {
	if len(p.IncompletePlans()) > 0 {
		return "", ""
	}
	pending, tried := false, false
	for _, name := range p.Names {
		if _, ok := StemOfKind(name, "UAT"); !ok {
			continue
		}
		tried = true
		text, err := inv.ReadFile(p, name)
		if err != nil {
			inv.Problems = append(inv.Problems, err)
			continue
		}
		u := artefact.ParseUAT(text)
		if !strings.EqualFold(u.Status, "resolved") && slices.ContainsFunc(u.Tests, hasFailed) {
			return "plan-phase", name + " has a test that failed"
		}
		pending = pending || !u.IsClosed()
	}
	switch {
	case inv.Verification(p) == "gaps_found":
		return "plan-phase", "its verification found gaps"
	case inv.Verification(p) == "human_needed" && pending:
		return "verify-work", "its verification needs a person"
	case !tried && inv.isTickedEarly(p):
		return "verify-work", "it is ticked and nothing verified it"
	}
	return "", ""
}

// isTickedEarly reports whether a phase without a verification was ticked with its last plan: STATE.md still stands at it, and calls it
// unfinished or other phases have a verification.
func (inv *Inventory) isTickedEarly(p *Phase) bool {
	isVerified := func(o *Phase) bool { return inv.Verification(o) != "" }
	if !inv.isPosition(p) || !p.IsExecuted() || !inv.NeedsVerification() || isVerified(p) {
		return false
	}
	_, word := inv.State.Status()
	return word == "executing" || word == "verifying" || slices.ContainsFunc(inv.Phases, isVerified)
}

func hasFailed(t artefact.Test) bool {
	word, _ := t.Outcome()
	return word == "issue"
}

// isPaused reports whether work on a phase was paused: its folder has .continue-here.md, which no other document of the phase is younger
// than, or HANDOFF.json names the phase and leaves tasks.
func (inv *Inventory) isPaused(p *Phase) bool {
	if slices.Contains(p.Names, continueHere) {
		paused := inv.documentDay(p, continueHere)
		return paused == "" || !slices.ContainsFunc(p.Names, func(name string) bool { return inv.documentDay(p, name) > paused })
	}
	text, err := inv.from.Read("HANDOFF.json")
	if err != nil {
		return false // there is none, or it is no hand-off
	}
	var left struct {
		Phase     string
		Status    string
		Remaining []json.RawMessage `json:"remaining_tasks"`
	}
	if json.Unmarshal([]byte(text), &left) != nil || len(left.Remaining) == 0 || left.Status != "paused" {
		return false
	}
	id, ok := phaseid.Parse(left.Phase)
	return ok && phaseid.Same(id, p.ID)
}

// continueHere is the document with which work on a phase is paused.
const continueHere = ".continue-here.md"

// documentDay returns the day on which a document of a phase was written, as the document has it, or "".
func (inv *Inventory) documentDay(p *Phase, name string) string {
	text, err := inv.ReadFile(p, name)
	if !strings.HasSuffix(name, ".md") || err != nil {
		return ""
	}
	d := document.Parse(text)
	for _, key := range []string{"last_updated", "updated", "verified", "completed", "gathered", "researched"} {
		value := d.FrontMatter().Get(key).Text()
		if value == "" {
			f, _ := d.Field(d.Body(), key)
			value = strings.Trim(d.Value(f), "* ")
		}
		if day := value[:min(len(time.DateOnly), len(value))]; isDay(day) {
			return day
		}
	}
	return ""
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// unplannedStep returns the next step of a phase with summaries whose plans are not in the repository, and the reason. How many plans there
// were is known from the roadmap, or from STATE.md while that stands at the phase. It returns "" for other phases, and for verified ones.
func (inv *Inventory) unplannedStep(p *Phase) (command, reason string) {
	files := inv.withFiles(p)
	done := len(files.Summaries)
	if inv.Original || len(files.Plans) > 0 || done == 0 || inv.Verification(p) != "" {
		return "", ""
	}
	all := 0
	if inv.Roadmap != nil && p.Detail != nil {
		all = len(inv.Roadmap.Plans(*p.Detail))
	}
	if at := inv.State.Position(); all == 0 && phaseid.Same(at.Phase, p.ID) {
		all = at.Plans
	}
	if all > 0 && done >= all {
		return "verify-work", "all plans were carried out and nothing verified them"
	}
	verb := "has"
	if done > 1 {
		verb = "have"
	}
	plans := operation.Plural(done, "plan")
	if all > 0 {
		plans = strconv.Itoa(done) + " of " + operation.Plural(all, "plan")
	}
	return "execute-phase", plans + " " + verb + " a summary, and none is in the repository"
}

// unclosed returns the open phase that comes next: one of the roadmap, else one behind it that was begun, else nil.
func (inv *Inventory) unclosed() *Phase {
	if p := inv.listedUnclosed(); p != nil {
		return p
	}
	return inv.begunBehind()
}

// begunBehind returns an open phase that was begun behind the last one of the roadmap, which does not have it, and nil otherwise: the
// milestone goes on. It is the one of STATE.md, else the first. The other program knows none.
func (inv *Inventory) begunBehind() *Phase {
	if inv.Original || len(inv.Phases) == 0 || inv.IsArchived() {
		return nil
	}
	var first *Phase
	last := inv.Phases[len(inv.Phases)-1].ID
	for _, p := range inv.Others {
		if !p.isBegun() || phaseid.Compare(p.ID, last) <= 0 || inv.IsComplete(p) {
			continue
		}
		if inv.isPosition(p) {
			return p
		}
		if first == nil {
			first = p
		}
	}
	return first
}

// listedUnclosed returns the phase of STATE.md while that has work left, else the first open one of the roadmap that the work has not
// passed, else the first of those that it has passed, else nil.
func (inv *Inventory) listedUnclosed() *Phase {
	var first, passed *Phase
	last := inv.lastComplete()
	for i, p := range inv.Phases {
		switch {
		case inv.IsComplete(p):
		case inv.hasPassed(i), i < last && !inv.isPosition(p) && inv.IsUnverified(p):
			if passed == nil {
				passed = p
			}
		case inv.isPosition(p):
			return p
		case first == nil:
			first = p
		}
	}
	if first == nil {
		return passed
	}
	return first
}

// isPosition reports whether STATE.md stands at a phase.
func (inv *Inventory) isPosition(p *Phase) bool {
	return inv.State != nil && phaseid.Same(inv.State.Position().Phase, p.ID)
}

// hasPassed reports whether the work went on behind an open phase of the roadmap, given by its place there, because a later one that is
// open shows it. Before a phase is left that STATE.md stands at, its plans are carried out. The other program knows nothing of the kind.
func (inv *Inventory) hasPassed(at int) bool {
	p := inv.Phases[at]
	if inv.Original || inv.isPosition(p) && !inv.isCarriedOut(p) {
		return false
	}
	between := false // a phase in between was carried out
	for _, later := range inv.Phases[at+1:] {
		if !inv.IsComplete(later) && inv.wentOn(p, later, between) {
			return true
		}
		between = between || later.IsExecuted() || inv.IsComplete(later)
	}
	return false
}

// wentOn reports whether the files of a later open phase show that the work left an open one. Plans alone do not, because phases are also
// planned in advance, unless STATE.md names the later one, a phase in between was carried out, or phases are not verified here.
func (inv *Inventory) wentOn(p, later *Phase, between bool) bool {
	carriedOut, begun := len(later.Summaries) > 0, later.isBegun()
	switch {
	case inv.isCarriedOut(p) && inv.isCarriedOut(later):
		return false // each of them waits for the same
	case carriedOut, between && begun:
		return true
	case inv.isCarriedOut(p) && inv.Verification(p) == "gaps_found":
		return false
	case inv.isCarriedOut(p):
		return begun && (len(later.Plans) == 0 || inv.isNamed(later) || inv.verifiesNothing())
	}
	return begun && !p.isBegun()
}

// isCarriedOut reports whether all plans of a phase were carried out. Of plans that are not in the repository a verification shows it.
func (inv *Inventory) isCarriedOut(p *Phase) bool {
	return p.IsExecuted() || len(p.Plans) == 0 && inv.Verification(p) != ""
}

// verifiesNothing reports whether two phases and more were carried out, and none was ever verified.
func (inv *Inventory) verifiesNothing() bool {
	n := 0
	for _, p := range slices.Concat(inv.Phases, inv.Others) {
		if inv.Verification(p) != "" {
			return false
		}
		if p.IsExecuted() {
			n++
		}
	}
	return n > 1
}

// isBegun reports whether a phase was discussed, researched, designed, planned or carried out in part.
func (p *Phase) isBegun() bool {
	return p.Has("CONTEXT") || p.Has("RESEARCH") || p.isDesigned() || len(p.Plans)+len(p.Summaries) > 0
}

// isDesigned reports whether a phase has a contract for its user interface or its model, which is made when the phase was decided.
func (p *Phase) isDesigned() bool { return p.Has("UI-SPEC") || p.Has("AI-SPEC") }

// phaseNamed matches a phase that a text names, and the number of a plan.
var phaseNamed = lazyRegexp(`(?i)\bphase[\s:]+([0-9][0-9A-Za-z.]*)|\b([0-9]+(?:\.[0-9]+)*)-[0-9]+\b`)

// isNamed reports whether a phase is the one at which STATE.md says that the last session stopped.
func (inv *Inventory) isNamed(p *Phase) bool {
	if inv.State == nil {
		return false
	}
	stopped := inv.State.FrontValue("stopped_at")
	if stopped == "" {
		stopped = inv.State.Session().StoppedAt
	}
	m := phaseNamed().FindStringSubmatch(stopped)
	if m == nil {
		return false
	}
	id, ok := phaseid.Parse(strings.TrimRight(m[1]+m[2], "."))
	return ok && phaseid.Same(id, p.ID)
}

// lastComplete returns the place of the last phase that is complete, or -1. Work has passed the phases before it.
func (inv *Inventory) lastComplete() int {
	for i, p := range slices.Backward(inv.Phases) {
		if inv.IsComplete(p) {
			return i
		}
	}
	return -1
}

// isUndiscussed reports whether phases of the milestone are planned without a discussion: the settings skip it, or two and more have plans
// and none was ever discussed. The other program always begins with one.
func (inv *Inventory) isUndiscussed() bool {
	if inv.Original {
		return false
	}
	planned := 0
	for _, p := range inv.Phases {
		if p.Has("CONTEXT") {
			return inv.undiscussed
		}
		if len(p.Plans) > 0 {
			planned++
		}
	}
	return inv.undiscussed || planned > 1
}
