package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/state"
)

// gapAnswer compares the requirements of a phase with its plans.
type gapAnswer struct {
	Enabled bool      `json:"enabled"`
	Rows    []gapRow  `json:"rows"`
	Table   string    `json:"table"`
	Summary string    `json:"summary"`
	Counts  gapCounts `json:"counts"`
	// Scope is phase if requirements are assigned to phases, else all.
	Scope    string   `json:"scope,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

type gapRow struct {
	Source string `json:"source"`
	Item   string `json:"item"`
	Status string `json:"status"` // Covered or Not covered
}

type gapCounts struct {
	Total     int `json:"total"`
	Covered   int `json:"covered"`
	Uncovered int `json:"uncovered"`
}

func analyseGaps(_ context.Context, from *source, in *gapAnalysisInput) (gapAnswer, error) {
	name := in.PhaseDir
	if name == "" {
		name = in.Phase
	}
	if name == "" {
		return gapAnswer{}, planop.Usagef("--phase-dir is missing: the folder or the number of a phase")
	}
	p, err := from.promptPhase(name)
	if err != nil {
		return gapAnswer{}, err
	}
	set, err := from.call.Settings()
	if err != nil {
		return gapAnswer{}, err
	}
	if !set.IsOn("workflow.post_planning_gaps") {
		return gapAnswer{Rows: []gapRow{}, Summary: "workflow.post_planning_gaps is false: nothing was compared"}, nil
	}
	required, err := from.requirements()
	if err != nil {
		return gapAnswer{}, err
	}
	a := gapAnswer{Enabled: true, Rows: []gapRow{}}
	read, warnings := from.readPlans(p)
	a.Warnings = warnings
	plans := make([]gapPlan, 0, len(read))
	for _, plan := range read {
		plans = append(plans, gapPlan{plan.Requirements, visibleText(plan)})
	}
	asked, scope := phaseRequirements(from.inv, p, required)
	a.Scope = scope
	for _, id := range asked {
		source := "ROADMAP.md"
		if isKnown(required, id) {
			source = "REQUIREMENTS.md"
		}
		a.addRow(source, id, plans)
	}
	_, text, err := from.phaseFile(p, "CONTEXT")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return gapAnswer{}, err
	}
	for _, d := range artefact.ParseDecisions(text) {
		if d.Tracked {
			a.addRow("CONTEXT.md", d.ID, plans)
		}
	}
	a.finishAnswer()
	return a, nil
}

// requirements returns the requirements in REQUIREMENTS.md. A workstream without that file uses that of the project.
func (s *source) requirements() (*artefact.Requirements, error) {
	text, err := s.folder.Read("REQUIREMENTS.md")
	if errors.Is(err, fs.ErrNotExist) {
		text, err = s.folder.ReadRoot("REQUIREMENTS.md")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return artefact.ParseRequirements(text), nil
}

func isKnown(r *artefact.Requirements, id string) bool {
	return slices.ContainsFunc(r.List, func(q artefact.Requirement) bool { return strings.EqualFold(q.ID, id) }) ||
		slices.ContainsFunc(r.Trace, func(q artefact.Trace) bool { return strings.EqualFold(q.ID, id) })
}

// phaseRequirements returns the requirements of a phase: those that the roadmap or the traceability table assigns to it. If no
// requirement is assigned to any phase, it returns all. Otherwise those of other phases are left out, because no plan of this phase
// covers them.
func phaseRequirements(inv *inventory.Inventory, p *inventory.Phase, r *artefact.Requirements) (ids []string, scope string) {
	given := false
	add := func(id string) {
		if !slices.ContainsFunc(ids, func(have string) bool { return strings.EqualFold(have, id) }) {
			ids = append(ids, id)
		}
	}
	if inv.Roadmap != nil {
		for _, one := range inv.Phases {
			if one.Detail == nil {
				continue
			}
			for _, id := range inv.Roadmap.Requirements(*one.Detail) {
				given = true
				if one == p {
					add(id)
				}
			}
		}
	}
	for _, t := range r.Trace {
		of, ok := phaseid.Parse(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t.Phase), "Phase")))
		given = given || ok
		if ok && phaseid.Same(of, p.ID) {
			add(t.ID)
		}
	}
	if given {
		return ids, "phase"
	}
	for _, q := range r.List {
		if q.HasBox {
			add(q.ID)
		}
	}
	for _, t := range r.Trace {
		if !state.IsNone(t.ID) {
			add(t.ID)
		}
	}
	return ids, "all"
}

// gapPlan is a plan to compare with requirements: the requirements that it lists, and its text.
type gapPlan struct {
	lists []string
	text  string
}

func (p *gapPlan) has(id string) bool {
	return mentionsID(p.text, id) || slices.ContainsFunc(p.lists, func(r string) bool { return strings.EqualFold(r, id) })
}

func (a *gapAnswer) addRow(source, id string, plans []gapPlan) {
	row := gapRow{source, id, "Not covered"}
	if slices.ContainsFunc(plans, func(p gapPlan) bool { return p.has(id) }) {
		row.Status = "Covered"
		a.Counts.Covered++
	}
	a.Rows = append(a.Rows, row)
}

// finishAnswer sorts the rows, with REQ-2 before REQ-10, and makes the text for people.
func (a *gapAnswer) finishAnswer() {
	order := func(source string) int {
		return slices.Index([]string{"REQUIREMENTS.md", "ROADMAP.md", "CONTEXT.md"}, source)
	}
	slices.SortStableFunc(a.Rows, func(x, y gapRow) int {
		return cmp.Or(order(x.Source)-order(y.Source), strings.Compare(padNumbers(x.Item), padNumbers(y.Item)))
	})
	a.Counts.Total = len(a.Rows)
	a.Counts.Uncovered = a.Counts.Total - a.Counts.Covered
	var b strings.Builder
	switch {
	case a.Counts.Total == 0:
		a.Summary = "there is no requirement and no decision to compare with"
	case a.Counts.Uncovered == 0:
		a.Summary = fmt.Sprintf("✓ %d of %d are in the plans", a.Counts.Total, a.Counts.Total)
	default:
		a.Summary = fmt.Sprintf("⚠ %d of %d are in no plan", a.Counts.Uncovered, a.Counts.Total)
	}
	b.WriteString("## Requirements and decisions in the plans\n\n")
	if a.Counts.Total > 0 {
		b.WriteString("| Source | Item | Status |\n|--------|------|--------|\n")
	}
	for _, r := range a.Rows {
		mark := "✓"
		if r.Status != "Covered" {
			mark = "✗"
		}
		fmt.Fprintf(&b, "| %s | %s | %s %s |\n", r.Source, r.Item, mark, r.Status)
	}
	a.Table = strings.TrimRight(b.String(), "\n") + "\n\n" + a.Summary + "\n"
}

// padNumbers returns a text with zeros before its numbers, so that a comparison of texts orders them as numbers.
func padNumbers(s string) string {
	const width = 8
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && '0' <= s[j] && s[j] <= '9' {
			j++
		}
		if j == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(strings.Repeat("0", max(0, width-(j-i))) + s[i:j])
		i = j
	}
	return b.String()
}

type gapAnalysisInput struct {
	Phase    string `arg:"[PHASE]" help:"the number or the folder of a phase"`
	PhaseDir string `flag:"phase-dir" required:"yes" help:"the folder of the phase"`
}
