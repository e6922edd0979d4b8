package readers

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// Overview is the state of a project, on one page.
type Overview struct {
	Version   string          `json:"milestone_version"`
	Milestone string          `json:"milestone_name"`
	Scope     string          `json:"scope"`
	ScopeWhy  string          `json:"scope_reason,omitempty"`
	Percent   int             `json:"percent"`
	Completed int             `json:"completed_phases"`
	Count     int             `json:"phase_count"`
	Plans     int             `json:"total_plans"`
	Done      int             `json:"completed_plans"`
	Phases    []OverviewPhase `json:"phases"`
	Waiting   []string        `json:"waiting"` // steps for a person
	Blockers  []string        `json:"blockers"`
	Next      NextStep        `json:"next"`
	Stale     []string        `json:"stale"`    // fields of STATE.md that differ from what is shown here
	Problems  []string        `json:"problems"` // files that could not be read
}

// OverviewPhase is a phase of the milestone.
type OverviewPhase struct {
	Number  string   `json:"number"`
	Name    string   `json:"name"`
	Plans   int      `json:"plans"`
	Done    int      `json:"completed_plans"`
	Status  string   `json:"status"`
	Open    []string `json:"open_plans"`
	Current bool     `json:"current"`
}

// NextStep is the command to run next, and the reason.
type NextStep struct {
	Command string `json:"command"`
	Phase   string `json:"phase,omitempty"`
	Reason  string `json:"reason"`
	Line    string `json:"operation" calls:"ken plan"` // of ken plan that begins it
}

// PageOperation returns the operation that runs if no operation follows `ken plan`.
func PageOperation() *planop.Operation {
	return queryOperation(planop.Spec[planop.NoInput, Overview]{
		Name: "show", Summary: "one page: the milestone, its phases, what waits for a person, what is next", Page: Overview.page,
	}, certain(NewOverview))
}

// NewOverview returns the overview of a project.
func NewOverview(q *query.Questions) Overview {
	inv := q.Inventory
	r, counts := q.Report(), inv.AnsweredCounts()
	o := Overview{
		Version: r.Version, Milestone: r.Name, Scope: string(inv.View.Scope), ScopeWhy: inv.View.Why,
		Percent: counts.Percent, Completed: counts.CompletedPhases, Count: counts.Phases,
		Plans: counts.Plans, Done: counts.CompletedPlans,
		Phases: []OverviewPhase{}, Waiting: []string{}, Blockers: []string{}, Problems: []string{}, Stale: []string{},
	}
	step := inv.NextStep()
	o.Next = NextStep{Command: step.Command, Reason: step.Reason, Line: step.Line()}
	for _, c := range inv.Stale() {
		o.Stale = append(o.Stale, c.Field)
	}
	for _, p := range inv.Phases {
		done, all := inv.PlanCounts(p)
		row := OverviewPhase{
			Number: p.ID.String(), Name: p.Name, Plans: all, Done: done, Status: inv.PhaseStatus(p), Open: append([]string{}, p.IncompletePlans()...),
			Current: p == step.Phase,
		}
		o.Phases = append(o.Phases, row)
		if inv.IsComplete(p) {
			continue
		}
		switch inv.Verification(p) {
		case "human_needed":
			o.Waiting = append(o.Waiting, "phase "+p.ID.String()+": its verification needs a person")
		case "gaps_found":
			o.Waiting = append(o.Waiting, "phase "+p.ID.String()+": its verification found gaps")
		}
	}
	if step.Phase != nil {
		o.Next.Phase = step.Phase.ID.String()
	}
	if s, err := q.Snapshot(); err == nil {
		o.Blockers = append(o.Blockers, s.Blockers...)
	}
	for _, err := range slices.Concat(q.Folder.Problems, inv.Problems) {
		o.Problems = append(o.Problems, err.Error())
	}
	return o
}

// cells is the number of cells of a progress bar.
const cells = 10

// page returns the overview as text for people. The next command is last, where the reader looks first.
func (o Overview) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  %s %d %%  ", o.Version, o.Milestone, inventory.ProgressBar(o.Percent, cells), o.Percent)
	fmt.Fprintf(&b, "%d of %d phases, %d of %d plans\n", o.Completed, o.Count, o.Done, o.Plans)
	if o.ScopeWhy != "" && o.Scope != "complete" {
		fmt.Fprintf(&b, "the phases of the milestone are %s: %s\n", o.Scope, o.ScopeWhy)
	}
	width := 0
	for _, p := range o.Phases {
		width = max(width, len(p.Number))
	}
	for _, p := range o.Phases {
		mark, percent := " ", 0
		if p.Current {
			mark = ">"
		}
		if p.Plans > 0 {
			percent = 100 * p.Done / p.Plans
		}
		if p.Status == "complete" {
			percent = 100
		}
		fmt.Fprintf(&b, "%s %*s %s %d/%d %s%s\n", mark, width, p.Number, inventory.ProgressBar(percent, cells), p.Done, p.Plans, p.Name, statusText(p))
	}
	writeSection(&b, "waits for a person", o.Waiting)
	writeSection(&b, "blocked by", o.Blockers)
	writeSection(&b, "could not be read", o.Problems)
	next := o.Next.Command
	if o.Next.Phase != "" {
		next += " " + o.Next.Phase
	}
	if len(o.Stale) > 0 {
		fmt.Fprintf(&b, "STATE.md is stale (%s): ken's next write sets it right, as \"ken plan state sync\" does\n", strings.Join(o.Stale, ", "))
	}
	fmt.Fprintf(&b, "next: %s (%s)\n  ken plan %s\n", next, o.Next.Reason, o.Next.Line)
	return b.String()
}

// statusText returns the status of a phase, or "" if its progress bar already shows it.
func statusText(p OverviewPhase) string {
	if p.Status == "complete" || p.Status == "pending" {
		return ""
	}
	s := "  " + strings.ReplaceAll(p.Status, "_", " ")
	if len(p.Open) > 0 && p.Done > 0 {
		s += ": " + strings.Join(p.Open[:min(3, len(p.Open))], ", ") + " to do"
	}
	return s
}

func writeSection(b *strings.Builder, title string, lines []string) {
	const most = 8
	for i, l := range lines {
		if i == most {
			fmt.Fprintf(b, "  and %d more\n", len(lines)-most)
			break
		}
		fmt.Fprintf(b, "%s: %s\n", title, l)
	}
}
