package phases

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/inventory"
)

// OpenWork returns the work that must be done before a phase is complete, and warnings. Both the check of a phase and its completion
// call it, so that a check never accepts a phase whose completion fails. read reads a file by its path from the root of the
// project.
func OpenWork(
	ctx context.Context, inv *inventory.Inventory, p *inventory.Phase, read func(file string) (string, error), results *gate.Results,
) (open, warnings []string) {
	switch {
	case len(p.Plans) == 0:
		open = append(open, "it has no plan")
	case !p.IsExecuted():
		open = append(open, "without a summary are "+strings.Join(p.IncompletePlans(), ", "))
	case inv.IsUnverified(p):
		open = append(open, "nothing verified it")
	}
	for _, name := range p.Names {
		_, isUAT := inventory.StemOfKind(name, "UAT")
		_, isVerification := inventory.StemOfKind(name, "VERIFICATION")
		if !isUAT && !isVerification {
			continue
		}
		text, err := read(path.Join(p.Dir, name))
		if err != nil {
			warnings = append(warnings, name+": cannot be read")
			continue
		}
		if isUAT {
			warnings = append(warnings, uatWarnings(name, text)...)
			continue
		}
		v := artefact.ParseVerification(text)
		switch {
		case v.Doc.ConflictLine() > 0:
			open = append(open, name+": has an open merge conflict")
		case v.Status == "human_needed":
			warnings = append(warnings, name+": needs human verification")
		case v.Status == "gaps_found":
			open = append(open, name+": has unresolved gaps")
		case v.Status == "passed" && inv.NeedsVerification():
			for _, u := range gate.Unproved(ctx, inv, p, read, results) {
				open = append(open, name+": "+u)
			}
		case v.Status != "passed" && inv.NeedsVerification():
			open = append(open, fmt.Sprintf("%s: its status is %q, which is neither passed nor human_needed", name, v.Status))
		case v.Status != "passed":
			warnings = append(warnings, name+": does not say how it ended (passed, gaps_found or human_needed)")
		}
	}
	return open, warnings
}

func uatWarnings(name, text string) (list []string) {
	u := artefact.ParseUAT(text)
	has := func(result string) bool {
		return slices.ContainsFunc(u.Tests, func(t artefact.Test) bool { word, _ := t.Outcome(); return word == result })
	}
	for _, w := range [...]struct {
		is   bool
		text string
	}{
		{has("pending"), "has pending tests"}, {has("blocked"), "has blocked tests"}, {u.Status == "partial", "testing incomplete (partial)"},
		{u.Status == "diagnosed", "has diagnosed gaps"},
	} {
		if w.is {
			list = append(list, name+": "+w.text)
		}
	}
	return list
}

// UnfinishedPhases returns the reasons why the phases of a milestone are not complete.
func UnfinishedPhases(inv *inventory.Inventory) (open []string) {
	if len(inv.Phases) == 0 {
		open = append(open, "it has no phase")
	}
	for _, p := range inv.Phases {
		switch {
		case inv.IsComplete(p), inv.Original && p.IsExecuted():
		case p.IsExecuted():
			open = append(open, "phase "+p.ID.String()+" was not verified or not closed")
		case len(p.Plans) == 0:
			open = append(open, "phase "+p.ID.String()+" was not begun")
		default:
			open = append(open, "phase "+p.ID.String()+" has plans without a summary: "+strings.Join(p.IncompletePlans(), ", "))
		}
	}
	return open
}
