package checks

import (
	"context"
	"path"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
)

// phaseDone reports whether a phase is complete. The operation `phase complete` decides it in the same way.
type phaseDone struct {
	Complete     bool     `json:"complete"`
	Plans        int      `json:"plans_total"`
	Summarized   int      `json:"plans_with_summaries"`
	Missing      []string `json:"missing_summaries"`
	Verification *string  `json:"verification_status"` // null without a file, missing in one without a status
	UAT          *string  `json:"uat_status"`          // null without a file; pass, fail or pending
	Debt         openWork `json:"debt"`
	Blockers     []string `json:"blockers"`
	Warnings     []string `json:"warnings"`
}

// openWork is the work of a phase that is still open.
type openWork struct {
	UATGaps  int  `json:"uat_gaps"`
	Failures int  `json:"verification_failures"`
	Human    bool `json:"human_needed"`
}

// milestoneDone reports whether the milestone is complete. The operation `milestone complete` decides it in the same way.
type milestoneDone struct {
	Complete   bool          `json:"complete"`
	Count      int           `json:"phase_count"`
	Done       int           `json:"phases_complete"`
	Incomplete []string      `json:"phases_incomplete"`
	Blockers   []string      `json:"blockers"`
	Scope      roadmap.Scope `json:"scope"`
}

func isComplete(answer any) bool {
	if m, ok := answer.(milestoneDone); ok {
		return m.Complete
	}
	return answer.(phaseDone).Complete
}

func checkCompletion(ctx context.Context, s *source, in *checkCompletionInput) (any, error) {
	inv, id := s.inv, in.ID
	if in.Scope == "milestone" {
		if current := inv.View.Version; id != "" && !strings.EqualFold(id, current) {
			f := &planop.Fault{Reason: "milestone_not_found", Message: "the current milestone is not " + id}
			if current != "" {
				f.Near = []string{current}
			}
			return nil, f
		}
		return milestoneCompletion(inv), nil
	}
	if id == "" {
		return nil, planop.Usagef("ID is missing: the number of a phase")
	}
	p, err := s.findPhase(id)
	if err != nil {
		return nil, err
	}
	results, err := gate.ReadResults(ctx, s.call)
	if err != nil {
		return nil, err
	}
	return s.phaseCompletion(ctx, p, results), nil
}

func (s *source) phaseCompletion(ctx context.Context, p *inventory.Phase, results *gate.Results) phaseDone {
	a := phaseDone{Plans: len(p.Plans), Summarized: p.DonePlans(), Missing: p.IncompletePlans(), Blockers: []string{}, Warnings: []string{}}
	open, warnings := phases.OpenWork(ctx, s.inv, p, s.read, results)
	a.Blockers, a.Warnings = append(a.Blockers, open...), append(a.Warnings, warnings...)
	a.Complete = len(open) == 0
	for _, name := range p.Names {
		text, err := s.read(path.Join(p.Dir, name))
		if err != nil {
			continue // a file whose kind counts is among the warnings
		}
		if _, ok := inventory.StemOfKind(name, "UAT"); ok {
			a.addUAT(artefact.ParseUAT(text))
		}
		if _, ok := inventory.StemOfKind(name, "VERIFICATION"); ok {
			a.addVerification(artefact.ParseVerification(text))
		}
	}
	return a
}

func (a *phaseDone) addVerification(v *artefact.Verification) {
	status := v.Status
	if status == "" || v.Doc.ConflictLine() > 0 {
		status = "missing"
	}
	if a.Verification == nil {
		a.Verification = &status
	}
	a.Debt.Human = a.Debt.Human || status == "human_needed"
	a.Debt.Failures += max(len(v.Gaps), countFailures(v.Doc))
}

// addUAT adds the results of a file of acceptance tests, which a person carries out. A pending test is not passed, and of several files
// the worst counts.
func (a *phaseDone) addUAT(u *artefact.UAT) {
	gaps, waits := countFailures(u.Doc), u.Doc.ConflictLine() > 0 || len(u.Tests) == 0 && u.Status != "complete"
	for _, t := range u.Tests {
		switch word, _ := t.Outcome(); word {
		case "issue", "fail", "failed":
			gaps++
		case "pass", "passed", "skipped":
		default:
			waits = true
		}
	}
	if u.Status == "resolved" {
		gaps = 0
	}
	a.Debt.UATGaps += gaps
	was := ""
	if a.UAT != nil {
		was = *a.UAT
	}
	status := "pass"
	switch {
	case gaps > 0 || was == "fail":
		status = "fail"
	case waits || was == "pending":
		status = "pending"
	}
	a.UAT = &status
}

// countFailures returns the number of table rows with a cell FAIL or FAILED.
func countFailures(d *document.Document) (n int) {
	for _, t := range d.Tables(d.Body()) {
		for _, row := range t.Rows {
			for i := range row.Cells {
				word := strings.TrimFunc(d.Cell(row, i), func(r rune) bool { return !unicode.IsLetter(r) })
				if strings.EqualFold(word, "FAIL") || strings.EqualFold(word, "FAILED") {
					n++
					break
				}
			}
		}
	}
	return n
}

func milestoneCompletion(inv *inventory.Inventory) milestoneDone {
	a := milestoneDone{Count: len(inv.Phases), Incomplete: []string{}, Blockers: []string{}, Scope: inv.View.Scope}
	for _, p := range inv.Phases {
		if inv.PhaseStatus(p) == "complete" {
			a.Done++
		} else {
			a.Incomplete = append(a.Incomplete, p.ID.PaddedNumber())
		}
	}
	if a.Scope == roadmap.Truncated || a.Scope == roadmap.Unreadable {
		a.Blockers = append(a.Blockers, "the phases of the milestone are not all known: "+inv.View.Why)
	}
	a.Blockers = append(a.Blockers, phases.UnfinishedPhases(inv)...)
	a.Complete = len(a.Blockers) == 0
	return a
}

type checkCompletionInput struct {
	Scope string `arg:"SCOPE" enum:"phase,milestone" help:"what is asked about"`
	ID    string `arg:"[ID]" help:"the number of the phase, or the version of the milestone"`
}
