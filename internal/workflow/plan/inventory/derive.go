package inventory

import (
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/phaseid"
)

// Counts are the numbers of a milestone's phases and plans, and of the finished ones.
type Counts struct {
	Phases, CompletedPhases int
	Plans, CompletedPlans   int
	// Percent is the share of plans that were carried out. A phase without a plan counts as one plan, done if the phase is complete: three
	// finished plans of phase 1 are not all of the work while phase 2 has no plan.
	Percent int
}

// Counts counts the phases of the current milestone and their plans. The backlog, other folders and archives do not count, apart from the
// folders of this milestone if it was archived.
func (inv *Inventory) Counts() Counts {
	c := Counts{Phases: len(inv.Phases)}
	share, of := 0, 0
	for _, p := range inv.Phases {
		done, all := inv.PlanCounts(p)
		c.Plans += all
		c.CompletedPlans += done
		share, of = share+done, of+max(1, all)
		if inv.IsComplete(p) {
			c.CompletedPhases++
			share += max(0, 1-all)
		}
	}
	c.Percent = Percent(share, of)
	return c
}

// AnsweredCounts returns the counts for an answer: those of Counts or, for a caller that expects the answers of gsd-tools, its counts.
// There a phase is complete if all its plans were carried out, and phases without a plan have no share in the percentage.
func (inv *Inventory) AnsweredCounts() Counts {
	c := inv.Counts()
	if !inv.Original {
		return c
	}
	c.CompletedPhases = 0
	for _, p := range inv.Phases {
		if p.IsExecuted() {
			c.CompletedPhases++
		}
	}
	c.Percent = Percent(c.CompletedPlans, c.Plans)
	return c
}

// PlanCounts returns how many plans of a phase were carried out, and how many it has. Those of an archived phase are in the archive of its
// milestone.
func (inv *Inventory) PlanCounts(p *Phase) (done, all int) {
	files := inv.withFiles(p)
	return files.DonePlans(), len(files.Plans)
}

// withFiles returns the phase that has the files of p: p itself or, if it has no folder, the one in the archive of its milestone.
func (inv *Inventory) withFiles(p *Phase) *Phase {
	if p.Dir != "" || len(inv.Archives) == 0 {
		return p
	}
	version := inv.Version()
	for _, a := range inv.Archives {
		at := slices.IndexFunc(a.Phases, func(old *Phase) bool { return phaseid.Same(old.ID, p.ID) })
		if a.Version == version && at >= 0 {
			return a.Phases[at]
		}
	}
	return p
}

// Version returns the version of the current milestone, or the one that a project without versions has.
func (inv *Inventory) Version() string {
	if inv.View.Version != "" {
		return inv.View.Version
	}
	return "v1.0"
}

// IsUntouched reports whether the roadmap has phases of which none has begun, in the first milestone of a project.
func (inv *Inventory) IsUntouched() bool {
	begun := func(p *Phase) bool { return p.Dir != "" || p.Ticked }
	isFirst := inv.Roadmap != nil && len(inv.Phases) > 0 && len(inv.Archives) == 0
	return isFirst && !slices.ContainsFunc(slices.Concat(inv.Phases, inv.Others), begun)
}

// HasRequirements reports whether there is a REQUIREMENTS.md.
func (inv *Inventory) HasRequirements() bool {
	_, err := inv.from.Read("REQUIREMENTS.md")
	return err == nil
}

// IsArchived reports whether the roadmap of the current milestone is in the archive, so that the next milestone may replace it.
func (inv *Inventory) IsArchived() bool {
	return inv.listedUnclosed() == nil && inv.from.ExistsRoot("milestones/"+inv.Version()+"-ROADMAP.md")
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
	if !inv.Original && hasPlaceholder(d) {
		return "pending" // a word in the front matter of the template is no verification
	}
	if s := d.FrontMatter().Get("status").Text(); s != "" {
		return s
	}
	if f, ok := d.Field(d.Body(), "Status"); ok {
		return strings.ToLower(strings.Trim(d.Value(f), "*` "))
	}
	return ""
}

// hasPlaceholder reports whether a line of a text is a placeholder of its template.
func hasPlaceholder(d *document.Document) bool {
	for line := d.Body().From; line < d.Body().To; line++ {
		if d.Kind(line) == document.Text && artefact.IsPlaceholder(d.Line(line)) {
			return true
		}
	}
	return false
}

// ReportStatus returns the status of a phase for reports of progress: Complete, Verified, Needs Review, Executed, In Progress, Planned, or
// the word pending for a phase without a plan.
func (inv *Inventory) ReportStatus(p *Phase, pending string) string {
	done := p.DonePlans()
	switch {
	case !inv.Original && inv.IsComplete(p):
		return "Complete"
	case len(p.Plans) == 0:
		return pending
	case done < len(p.Plans) && done > 0:
		return "In Progress"
	case done < len(p.Plans):
		return "Planned"
	}
	switch inv.Verification(p) {
	case "passed":
		if !inv.Original {
			return "Verified" // and not closed
		}
		return "Complete"
	case "human_needed":
		return "Needs Review"
	}
	return "Executed"
}

// IsComplete reports whether a phase is complete: it is ticked in the roadmap or, if the roadmap has no box for it, verified.
func (inv *Inventory) IsComplete(p *Phase) bool {
	return p.Ticked || !p.Listed && inv.IsVerified(p)
}

// IsVerified reports whether all plans of a phase were carried out and its verification passed. The verification is not needed if
// config.json switches it off.
func (inv *Inventory) IsVerified(p *Phase) bool {
	return p.IsExecuted() && (inv.unverified || inv.Verification(p) == "passed")
}

// IsUnverified reports whether a phase that was carried out lacks the verification that it needs to be complete. A caller of gsd-tools
// completes it without.
func (inv *Inventory) IsUnverified(p *Phase) bool {
	if inv.Original || inv.unverified || inv.IsComplete(p) {
		return false
	}
	return p.IsExecuted() && inv.Verification(p) == ""
}

// NeedsVerification reports whether phases need a verification to be complete: config.json does not switch it off, and the answer is not
// for a caller of gsd-tools.
func (inv *Inventory) NeedsVerification() bool { return !inv.Original && !inv.unverified }

// PhaseStatus returns the status of a phase: complete, executed, in_progress, researched or pending. A phase that is executed was not
// verified, or not closed.
func (inv *Inventory) PhaseStatus(p *Phase) string {
	switch {
	case inv.Original:
		return p.WorkStatus()
	case inv.IsComplete(p):
		return "complete"
	case p.IsExecuted():
		return "executed"
	}
	return p.WorkStatus()
}

// Current returns the phase that is worked on: the one that the next one waits for, else the one of STATE.md while that is open, else the
// first open one. It returns nil if all are complete.
func (inv *Inventory) Current() *Phase {
	if open, _, _ := inv.reopened(); open != nil {
		return open
	}
	return inv.unclosed()
}

// CurrentPlan returns the place of the plan that is carried out next among the plans of a phase, counted from 1, and the number of plans.
// The place is the last one if all were carried out, and 0 if there is none.
func (p *Phase) CurrentPlan() (plan, plans int) {
	plans = len(p.Plans)
	return min(p.DonePlans()+1, plans), plans
}

// Step is the command to run next.
type Step struct {
	Command string // discuss-phase, plan-phase, execute-phase, verify-work, …
	Phase   *Phase // nil if the step is not about a phase
	Reason  string

	version string // of the milestone, if the step is about that
	guided  bool   // the guide leads, because a run would begin with the planning
}

// String returns the command with its phase and its reason.
func (s Step) String() string {
	command := s.Command
	if s.Phase != nil {
		command += " " + s.Phase.ID.String()
	}
	return command + " (" + s.Reason + ")"
}

// Line returns the operation of ken that begins the step.
func (s Step) Line() string {
	switch {
	case s.Phase != nil && (s.Phase.Ticked || s.guided):
		return "guide " + s.Command + " " + s.Phase.ID.String() // a run takes the phase for complete, or for one that is not planned
	case s.Phase != nil:
		return "run next " + s.Phase.ID.String()
	case s.Command == "complete-milestone":
		return "milestone complete " + s.version + " --archive-phases"
	case s.Command == "resume-work":
		return "init resume"
	case s.Command == "health":
		return "validate health"
	}
	return "start"
}

// NextStep returns the next step. It follows the files and not the status in STATE.md, apart from a pause, which only people and agents
// write there. A phase that has not begun waits for what is open in the one before it, even if the roadmap ticks that.
func (inv *Inventory) NextStep() Step {
	if inv.State == nil {
		return Step{Command: "new-project", Reason: "there is no STATE.md"}
	}
	if _, word := inv.State.Status(); word == "paused" {
		return Step{Command: "resume-work", Reason: "work was paused"}
	}
	p := inv.Current()
	if p != nil && !inv.Original && inv.isPaused(p) {
		return Step{Command: "resume-work", Reason: "work on phase " + p.ID.String() + " was paused"}
	}
	if open, command, reason := inv.reopened(); open != nil {
		return Step{Command: command, Phase: open, Reason: reason}
	}
	if p != nil {
		return inv.goOn(p)
	}
	if inv.View.Scope == "unreadable" || inv.View.Scope == "truncated" {
		return Step{Command: "health", Reason: "the phases of the milestone are not known: " + inv.View.Why}
	}
	if len(inv.Phases) == 0 {
		return Step{Command: "new-milestone", Reason: "the roadmap has no phase"}
	}
	version := inv.Version()
	if inv.IsArchived() {
		return Step{Command: "new-milestone", Reason: version + " is complete and archived"}
	}
	return Step{Command: "complete-milestone", Reason: "all phases are complete", version: version}
}

// goOn returns the next step if a phase is open.
func (inv *Inventory) goOn(p *Phase) Step {
	if command, reason := inv.unplannedStep(p); command != "" {
		return Step{Command: command, Phase: p, Reason: reason, guided: true}
	}
	command, reason := inv.phaseStep(p)
	return Step{Command: command, Phase: p, Reason: reason}
}

// phaseStep returns the next step of an open phase, and the reason.
func (inv *Inventory) phaseStep(p *Phase) (command, reason string) {
	switch {
	case inv.IsVerified(p), !inv.Original && len(p.Plans) == 0 && len(p.Summaries) > 0 && inv.Verification(p) == "passed":
		return "complete-phase", "it is verified and not closed"
	case p.IsExecuted() && inv.Verification(p) == "gaps_found":
		return "plan-phase", "its verification found gaps"
	case p.IsExecuted() && inv.Verification(p) == "human_needed":
		return "verify-work", "its verification needs a person"
	case !inv.Original && len(p.Plans) == 0 && inv.Verification(p) == "gaps_found":
		return "plan-phase", "its verification found gaps"
	case !inv.Original && len(p.Plans) == 0 && inv.Verification(p) == "human_needed":
		return "verify-work", "its verification needs a person"
	case p.IsExecuted():
		return "verify-work", "all plans were carried out and nothing verified them"
	case inv.HasWork(p):
		return "execute-phase", strings.Join(p.IncompletePlans(), ", ") + " to carry out"
	case len(p.Plans) > 0:
		return "plan-phase", strings.Join(inv.Drafts(p), ", ") + " to fill"
	case p.Has("CONTEXT") || p.Has("RESEARCH"):
		return "plan-phase", "it was discussed and has no plan"
	case !inv.Original && p.isDesigned():
		return "plan-phase", "it was designed and has no plan"
	case inv.isUndiscussed():
		return "plan-phase", "phases are not discussed here"
	}
	return "discuss-phase", "nothing is known of it"
}

// Drafts returns the ids of the plans of a phase that are drafts: they have no summary, and placeholders of the template to be filled.
func (inv *Inventory) Drafts(p *Phase) (list []string) {
	for _, plan := range p.Plans {
		text, err := inv.ReadFile(p, plan.File)
		if err == nil && !plan.HasSummary() && artefact.ParsePlan(text).IsDraft() {
			list = append(list, plan.ID)
		}
	}
	return list
}

// HasWork reports whether a phase has a plan to carry out, which is no draft.
func (inv *Inventory) HasWork(p *Phase) bool { return len(p.IncompletePlans()) > len(inv.Drafts(p)) }
