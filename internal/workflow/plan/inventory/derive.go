package inventory

import (
	"path"
	"strings"

	"ken/internal/workflow/plan/document"
)

// Counts are the numbers of a milestone's phases and plans, and of the finished ones.
type Counts struct {
	Phases, CompletedPhases int
	Plans, CompletedPlans   int
	// Percent is the smaller share of finished phases and finished plans: three finished plans of phase 1 are not all of the work while
	// phase 2 has no plan.
	Percent int
}

// Counts counts the phases of the current milestone and their plans. The backlog, other folders and archives do not count.
func (inv *Inventory) Counts() Counts {
	c := Counts{Phases: len(inv.Phases)}
	for _, p := range inv.Phases {
		c.Plans += len(p.Plans)
		c.CompletedPlans += p.DonePlans()
		if p.IsExecuted() {
			c.CompletedPhases++
		}
	}
	c.Percent = min(Percent(c.CompletedPlans, c.Plans), Percent(c.CompletedPhases, c.Phases))
	return c
}

// Percent returns the percentage that part is of whole, rounded to the nearest. It returns 0 if whole is 0.
func Percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return min(100, (200*part+whole)/(2*whole))
}

// DonePlans returns the number of plans that have a summary, so are carried out.
func (p *Phase) DonePlans() int {
	n := 0
	for _, plan := range p.Plans {
		if plan.HasSummary() {
			n++
		}
	}
	return n
}

// IncompletePlans returns the ids of the plans that have no summary.
func (p *Phase) IncompletePlans() []string {
	list := []string{}
	for _, plan := range p.Plans {
		if !plan.HasSummary() {
			list = append(list, plan.ID)
		}
	}
	return list
}

// IsExecuted reports whether a phase has plans and all of them were carried out.
func (p *Phase) IsExecuted() bool { return len(p.Plans) > 0 && p.DonePlans() == len(p.Plans) }

// DiskStatus returns the status of a phase by its files: complete, partial, planned, researched, discussed, empty or no_directory. A
// phase that is ticked in the roadmap is complete, because it may be older than the format of the files.
func (p *Phase) DiskStatus() string {
	switch {
	case p.Ticked || p.IsExecuted():
		return "complete"
	case p.Dir == "":
		return "no_directory"
	case len(p.Summaries) > 0:
		return "partial"
	case len(p.Plans) > 0:
		return "planned"
	case p.Has("RESEARCH"):
		return "researched"
	case p.Has("CONTEXT"):
		return "discussed"
	}
	return "empty"
}

// WorkStatus returns the status of a phase for overviews: complete, in_progress, researched or pending.
func (p *Phase) WorkStatus() string {
	switch p.DiskStatus() {
	case "complete":
		return "complete"
	case "partial", "planned":
		return "in_progress"
	case "researched":
		return "researched"
	}
	return "pending"
}

// Verification returns the status in the phase's VERIFICATION.md: passed, gaps_found or human_needed. It returns "" if there is no such
// file. The status is cached, because many questions need it.
func (inv *Inventory) Verification(p *Phase) string {
	if status, ok := inv.verified[p]; ok {
		return status
	}
	if inv.verified == nil {
		inv.verified = map[*Phase]string{}
	}
	inv.verified[p] = inv.readVerification(p)
	return inv.verified[p]
}

func (inv *Inventory) readVerification(p *Phase) string {
	name := p.FirstOfKind("VERIFICATION")
	if name == "" || !strings.HasPrefix(p.Dir, inv.from.Base+"/") {
		return ""
	}
	text, err := inv.from.Read(path.Join(strings.TrimPrefix(p.Dir, inv.from.Base+"/"), name))
	if err != nil {
		inv.Problems = append(inv.Problems, err)
		return ""
	}
	d := document.Parse(text)
	if s := d.FrontMatter().Get("status").Text(); s != "" {
		return s
	}
	if f, ok := d.Field(d.Body(), "Status"); ok {
		return strings.ToLower(strings.Trim(d.Value(f), "*` "))
	}
	return ""
}

// ReportStatus returns the status of a phase for reports of progress: Complete, Needs Review, Executed, In Progress, Planned, or the
// word pending for a phase without a plan.
func (inv *Inventory) ReportStatus(p *Phase, pending string) string {
	done := p.DonePlans()
	switch {
	case len(p.Plans) == 0:
		return pending
	case done < len(p.Plans) && done > 0:
		return "In Progress"
	case done < len(p.Plans):
		return "Planned"
	}
	switch inv.Verification(p) {
	case "passed":
		return "Complete"
	case "human_needed":
		return "Needs Review"
	}
	return "Executed"
}

// Step is the command to run next.
type Step struct {
	Command string // discuss-phase, plan-phase, execute-phase, verify-work, …
	Phase   *Phase // nil if the step is not about a phase
	Reason  string
}

// NextStep returns the next step. It follows the files and not the status in STATE.md, apart from a pause, which only people and agents
// write there.
func (inv *Inventory) NextStep() Step {
	if inv.State == nil {
		return Step{Command: "new-project", Reason: "there is no STATE.md"}
	}
	if _, word := inv.State.Status(); word == "paused" {
		return Step{Command: "resume-work", Reason: "work was paused"}
	}
	for _, p := range inv.Phases {
		if s, open := inv.phaseStep(p); open {
			return s
		}
	}
	if inv.View.Scope == "unreadable" || inv.View.Scope == "truncated" {
		return Step{Command: "health", Reason: "the phases of the milestone are not known: " + inv.View.Why}
	}
	if len(inv.Phases) == 0 {
		return Step{Command: "new-milestone", Reason: "the roadmap has no phase"}
	}
	return Step{Command: "complete-milestone", Reason: "all phases are complete"}
}

func (inv *Inventory) phaseStep(p *Phase) (Step, bool) {
	switch {
	case p.Ticked:
		return Step{}, false
	case p.IsExecuted():
		if inv.Verification(p) == "passed" {
			return Step{}, false
		}
		return Step{"verify-work", p, "all plans were carried out and nothing verified them"}, true
	case len(p.Plans) > 0:
		return Step{"execute-phase", p, strings.Join(p.IncompletePlans(), ", ") + " to carry out"}, true
	case p.Has("CONTEXT") || p.Has("RESEARCH"):
		return Step{"plan-phase", p, "it was discussed and has no plan"}, true
	}
	return Step{"discuss-phase", p, "nothing is known of it"}, true
}
