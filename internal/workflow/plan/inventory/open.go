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

// openResult returns the step that a ticked phase still needs, and the reason: its verification found gaps, an acceptance test failed, tests
// wait for a person, or it was ticked before it was verified. Plans that were not carried out do not count. It returns "" if nothing is open.
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
