package guard

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/guard/frame"
	"ken/internal/knowledge/task"
)

// Reason tells why an agent searched for similar text.
type Reason string

// The reasons that the tool submit_semantic accepts.
const (
	NoDefinition    Reason = "no_definition_found"
	NoReference     Reason = "no_reference_found"
	NoSimilar       Reason = "no_similar_implementation"
	NoArchitecture  Reason = "architecture_unknown"
	ContextInPieces Reason = "context_fragmented"
)

// reasonsFor returns the reasons for a search that fit missing evidence of a kind. It returns none for a tool that was not used: that
// tool has to be used instead.
func reasonsFor(k Kind) []Reason {
	switch k {
	case Symbols:
		return []Reason{NoDefinition, NoArchitecture}
	case EntryPoints:
		return []Reason{NoDefinition, NoReference}
	case Patterns:
		return []Reason{NoSimilar, NoArchitecture}
	case Files, Slots, Ambiguity:
		return []Reason{ContextInPieces, NoArchitecture}
	}
	return nil
}

// Verified is an agent's verdict on a hypothesis, with the place of the evidence.
type Verified struct {
	Hypothesis string
	Status     Verdict
	Tool       string // the tool that showed the evidence: one of ken's, or Read, Grep or Edit of the host
	Evidence   Claim
}

// withTargets returns a copy of the task in which targets are added or replaced. It drops an ambiguous target once another target is
// one of the declarations that it may refer to and the agent has read that declaration.
func (t *Task) withTargets(targets []Target) *Task {
	after := *t
	after.Targets = slices.Clone(t.Targets)
	for _, g := range targets {
		i := slices.IndexFunc(after.Targets, func(o Target) bool { return o.Key() == g.Key() })
		switch {
		case i >= 0:
			after.Targets[i] = g
		default:
			after.Targets = append(after.Targets, g)
		}
	}
	left := slices.DeleteFunc(slices.Clone(after.Targets), func(g Target) bool { return len(g.Candidates) > 0 && after.isResolved(&g) })
	after.Targets = left
	return &after
}

// openHypotheses returns the hypotheses that are not verified. Those of slots, the parts of the user's request, come first.
func (t *Task) openHypotheses() (out []string) {
	for _, s := range t.Frame.WithSource(frame.Hypothesis) {
		out = append(out, slotHypothesis(t.Frame.Find(s)))
	}
	for _, h := range t.Hypotheses {
		if h.Status == "" && !slices.Contains(out, h.Text) {
			out = append(out, h.Text)
		}
	}
	return out
}

// slotHypothesis returns the text of the hypothesis that an unproven slot, a part of the user's request, has its assumed value.
func slotHypothesis(f frame.Filled) string { return fmt.Sprintf("%s: %s", f.Slot, f.Value) }

// judgeUnderstanding judges submit_understanding, by which an agent claims to know the code of the task.
func (t *Task) judgeUnderstanding(p Policy, r *Request) Decision {
	after := t.withTargets(r.Targets)
	if t.Intent.Writes() && len(after.Targets) == 0 {
		return t.refuseForMissing([]Missing{{Kind: Targets, Need: 1, What: "no target of the change was named", Next: "submit_understanding with targets: the files, or PATH:NAME, that you are going to change or create"}})
	}
	after.addHypotheses(r.Hypotheses)
	wrong := after.contradictions(r.Claims)
	d := after.rateUnderstanding(p, r, wrong)
	d.Inconsistent = wrong
	if slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.Kind == Patterns && c.Text != "" }) {
		d.Unjudged = append(d.Unjudged, "whether the patterns are described well; ken only checks that the code exists and was seen")
	}
	d.Rating = "high"
	if len(d.Missing) > 0 || len(wrong) > 0 {
		d.Rating = "low"
	}
	return d
}

func (t *Task) rateUnderstanding(p Policy, r *Request, wrong []string) Decision {
	var missing []Missing
	isolated := t.isIsolated()
	switch {
	case t.Level == Auto:
		for i := range r.Targets {
			for _, m := range t.missingFor(p, &r.Targets[i]) {
				if m.Kind != Dependents { // the analysis is the next state
					missing = append(missing, m)
				}
			}
		}
	case isolated:
		missing = t.unseenTargets()
	default:
		missing = t.missingEvidence(r.Claims, r.Have)
		missing = append(missing, t.ambiguousTargets()...)
	}
	unclear := len(missing) > 0 || len(wrong) > 0
	switch {
	case unclear && (t.Level == Auto || isolated || !t.Intent.Writes()):
		d := t.refuseForMissing(missing)
		if d.Message == "" {
			d.Message = strings.Join(wrong, "; ")
			d.Hint = "submit_understanding without the wrong claims, or look them up first"
		}
		return d
	case unclear:
		d := t.moveTo(Semantic)
		d.Missing, d.Hint = missing, "semantic_search for the missing evidence, then submit_semantic; if you only did not look it up, revert_to_exploration is cheaper"
		return d
	}
	return t.advanceState(p)
}

// advanceState moves the task to the next state that has work to do.
func (t *Task) advanceState(p Policy) Decision {
	needsAnalysis := func(g Target) bool {
		if t.Level == Full {
			return len(g.Candidates) == 0 && !g.hasNoDependents() && !t.isAnalysed(&g)
		}
		return g.Dependents > p.MaxDependents && !t.isAnalysed(&g)
	}
	switch {
	case len(t.openHypotheses()) > 0:
		d := t.moveTo(Verification)
		d.Hint = "verify " + joinFirst(t.openHypotheses(), 3) + ", then submit_verification"
		return d
	case !t.Intent.Writes() || t.isIsolated():
		return t.moveToReady()
	case slices.ContainsFunc(t.Targets, needsAnalysis):
		d := t.moveTo(Impact)
		d.Hint = "analyze_impact, read what must be verified, then submit_impact_analysis"
		return d
	}
	return t.moveToReady()
}

func (t *Task) moveToReady() Decision {
	d := t.moveTo(Ready)
	d.Hint = "the targets may be written"
	if !t.Intent.Writes() {
		d.Hint = "answer; record_outcome ends the task"
	}
	return d
}

// isIsolated reports whether no indexed reference or import enters or leaves any target.
func (t *Task) isIsolated() bool {
	return len(t.Targets) > 0 && !slices.ContainsFunc(t.Targets, func(g Target) bool { return g.New && !g.Isolated || !g.hasNoDependents() })
}

// unseenTargets returns the targets that the agent has not looked at. Level Full requires nothing else of an isolated target.
func (t *Task) unseenTargets() (out []Missing) {
	for i := range t.Targets {
		g := &t.Targets[i]
		if !g.New && !g.Unindexed && !t.hasSeenPart(g.Path, task.Outlined) {
			out = append(out, Missing{Kind: Files, Need: 1, What: g.Path + " was not looked at", Next: "read " + g.Path, Places: []string{g.Path}})
		}
	}
	return out
}

func (t *Task) ambiguousTargets() (out []Missing) {
	for i := range t.Targets {
		if m, ok := t.ambiguousTarget(&t.Targets[i]); ok {
			out = append(out, m)
		}
	}
	return out
}

// isResolved reports whether the agent has read, and named exactly, one of the declarations that the name of a target may refer to.
func (t *Task) isResolved(g *Target) bool {
	for i := range t.Targets {
		o := &t.Targets[i]
		if len(o.Candidates) > 0 || !slices.ContainsFunc(g.Candidates, func(c Place) bool { return c.Path == o.Path && c.Symbol == o.Symbol }) {
			continue
		}
		if _, doubt := t.ambiguousTarget(o); !doubt {
			return true
		}
	}
	return false
}

// judgeSemantic judges submit_semantic, by which an agent gives its reasons for a search for similar text where evidence is missing,
// and the hypotheses that came of it.
func (t *Task) judgeSemantic(_ Policy, r *Request) Decision {
	if len(r.Reasons) == 0 || len(r.Hypotheses) == 0 {
		return t.refuseForMissing([]Missing{{Kind: Reasons, Need: 1, What: "a semantic_reason and at least one hypothesis are required", Next: "submit_semantic with both"}})
	}
	var fit []Reason
	for _, k := range t.Missing {
		fit = append(fit, reasonsFor(k)...)
	}
	if len(t.Missing) == 0 { // the understanding was complete, but contradicted the index
		fit = []Reason{NoArchitecture, ContextInPieces}
	}
	for _, reason := range r.Reasons {
		if !slices.Contains(fit, reason) {
			var names []string
			for _, f := range fit {
				names = append(names, string(f))
			}
			next := "submit_semantic with one of " + strings.Join(names, ", ")
			if len(names) == 0 {
				next = "revert_to_exploration, and use the tools that were not used"
			}
			return t.refuseForMissing([]Missing{{Kind: Reasons, Need: 1, What: fmt.Sprintf("%q does not fit what is missing", string(reason)), Next: next}})
		}
	}
	entered := len(t.History) - 1 // the step that entered SEMANTIC
	for entered >= 0 && t.History[entered].To != Semantic {
		entered--
	}
	searched := entered >= 0 && slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool {
		return l.Tool == string(SemanticSearch) && !l.At.Before(t.History[entered].At)
	})
	if !searched {
		return t.refuseForMissing([]Missing{{Kind: Tools, Need: 1, What: "semantic_search was not called in this state", Next: "semantic_search"}})
	}
	d := t.moveTo(Verification)
	d.Hint = "verify each hypothesis in the code, then submit_verification"
	return d
}

// judgeVerification judges submit_verification, by which an agent confirms or rejects its hypotheses.
func (t *Task) judgeVerification(p Policy, r *Request) Decision {
	after, missing, rejected := t.judgeHypotheses(r)
	if len(rejected) > 0 && len(missing) == 0 {
		d := t.moveTo(Exploration)
		d.Message = "the plan rests on a wrong hypothesis: " + joinFirst(rejected, 3)
		d.Hint = "look up what is true instead, then submit_understanding"
		return t.countFailure(p, d)
	}
	wrong := []string{}
	if t.Level == Full && !t.isIsolated() {
		wrong = after.contradictions(r.Claims)
		missing = append(missing, after.missingEvidence(r.Claims, r.Have)...)
		missing = append(missing, after.ambiguousTargets()...)
	}
	if len(missing) > 0 || len(wrong) > 0 {
		d := t.refuseForMissing(missing)
		d.Inconsistent = wrong
		if d.Message == "" {
			d.Message, d.Hint = strings.Join(wrong, "; "), "submit_verification with the corrected understanding"
		}
		return t.countFailure(p, d)
	}
	return after.advanceState(p)
}

// judgeHypotheses applies the verdicts of a request to a copy of the task. It returns the copy, the evidence that verdicts lack, and the
// rejected hypotheses.
func (t *Task) judgeHypotheses(r *Request) (after *Task, missing []Missing, rejected []string) {
	copied := *t
	after = &copied
	after.Hypotheses = slices.Clone(t.Hypotheses)
	for _, text := range t.openHypotheses() {
		i := slices.IndexFunc(r.Verdicts, func(v Verified) bool {
			return strings.Join(strings.Fields(v.Hypothesis), " ") == strings.Join(strings.Fields(text), " ")
		})
		switch {
		case i < 0:
			missing = append(missing, Missing{Kind: Hypotheses, Need: 1, What: fmt.Sprintf("there is no verdict on %q", text), Next: "verify it and submit_verification"})
			continue
		case r.Verdicts[i].Status != Confirmed && r.Verdicts[i].Status != Rejected:
			missing = append(missing, Missing{Kind: Hypotheses, Need: 1, What: fmt.Sprintf("%q is neither confirmed nor rejected", text), Next: "submit_verification with a status for each"})
			continue
		}
		v := &r.Verdicts[i]
		if why := t.invalidEvidenceReason(v); why != "" {
			missing = append(missing, Missing{Kind: Hypotheses, Need: 1, What: fmt.Sprintf("%q: %s", text, why), Next: "look at the code that shows it, and name tool and place"})
			continue
		}
		if v.Status == Rejected {
			rejected = append(rejected, text)
		}
		after.recordVerdict(text, v)
	}
	return after, missing, rejected
}

// recordVerdict stores the verdict on the hypothesis with this text.
func (t *Task) recordVerdict(text string, v *Verified) {
	place := v.Evidence.Path
	if v.Evidence.Symbol != "" {
		place += ":" + v.Evidence.Symbol
	}
	for i := range t.Hypotheses {
		if t.Hypotheses[i].Text == text {
			t.Hypotheses[i].Status, t.Hypotheses[i].Evidence = v.Status, place
		}
	}
	for _, s := range t.Frame.WithSource(frame.Hypothesis) {
		if v.Status == Confirmed && slotHypothesis(t.Frame.Find(s)) == text {
			t.Frame = t.Frame.WithFact(s, place)
		}
	}
}

// invalidEvidenceReason returns the reason why the evidence of a verdict is not valid, or "" if it is.
func (t *Task) invalidEvidenceReason(v *Verified) string {
	c := &v.Evidence
	switch {
	case c.Several:
		return fmt.Sprintf("%q means several declarations", c.Name)
	case !c.Exists():
		return fmt.Sprintf("there is no %q", c.Name)
	case !c.Tied && len(t.Targets) > 0:
		return fmt.Sprintf("nothing ties %q to a target", c.Name)
	}
	byTool := slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool {
		outlined := l.Symbol == "" && l.Depth >= task.Outlined
		showsSymbol := c.Symbol == "" || l.Symbol == c.Symbol || outlined
		return l.Path == c.Path && strings.EqualFold(l.Tool, v.Tool) && showsSymbol
	})
	if !byTool {
		return fmt.Sprintf("%q was not shown by %s in this task", c.Name, v.Tool)
	}
	return ""
}

// countFailure counts a failed verification. After some of them it tells the agent to step back, and after more to ask the user.
func (t *Task) countFailure(p Policy, d Decision) Decision {
	d.failed = true
	switch n := t.Failed + 1; {
	case n == p.MaxFailed:
		d.Intervention, d.Prompt = StepBack, stepBackPrompt
	case n > p.MaxFailed:
		d.Intervention, d.Prompt = AskUser, askPrompt
	}
	return d
}

// addHypotheses adds new hypotheses to the task. A text that begins with the name of a slot, a part of the user's request, becomes the
// assumed value of that slot, unless the slot is a fact.
func (t *Task) addHypotheses(texts []string) {
	t.Hypotheses = slices.Clone(t.Hypotheses)
	for _, text := range texts {
		text = strings.Join(strings.Fields(text), " ")
		if text == "" || slices.ContainsFunc(t.Hypotheses, func(h Hypothesis) bool { return h.Text == text && h.Status != Rejected }) {
			continue
		}
		t.Hypotheses = append(t.Hypotheses, Hypothesis{Text: text})
		slot, value, ok := strings.Cut(text, ": ")
		if !ok || t.Frame.Find(frame.Slot(slot)).Source == frame.Fact {
			continue
		}
		if t.Frame == nil {
			t.Frame = frame.Empty()
		}
		t.Frame = t.Frame.WithAssumption(frame.Slot(slot), value)
	}
}
