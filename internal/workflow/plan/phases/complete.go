package phases

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/statechange"
)

// Completed is a completed phase, and the next one.
type Completed struct {
	Phase        string   `json:"completed_phase"`
	Name         *string  `json:"phase_name"`
	Plans        string   `json:"plans_executed"`
	Next         *string  `json:"next_phase"`
	NextName     *string  `json:"next_phase_name"`
	Last         bool     `json:"is_last_phase"`
	Date         string   `json:"date"`
	Roadmap      bool     `json:"roadmap_updated"`
	State        bool     `json:"state_updated"`
	Requirements bool     `json:"requirements_updated"`
	Pruned       bool     `json:"auto_pruned"`
	Warnings     []string `json:"warnings"`
	HasWarnings  bool     `json:"has_warnings"`
	Derived      []string `json:"derived_fields,omitempty"`
}

type phaseCompleteInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
	Force bool   `flag:"force" help:"even if something is left to do, which is a warning then"`
}

func completeOperation() *planop.Operation {
	return changeOperation(planop.Spec[phaseCompleteInput, *Completed]{
		Name: "phase complete", Summary: "a phase whose plans were all carried out is done; the next one is worked on",
	}, (*phaseJob).completePhase)
}

// Complete makes a phase complete in the planning folder. With anyway it does so even if something is left to do, because a person decided
// that. It fails as "phase complete" does.
func Complete(ctx context.Context, c *planop.Call, phase string, anyway bool) error {
	_, err := runChange(ctx, c, &phaseCompleteInput{Phase: phase, Force: anyway}, (*phaseJob).completePhase)
	return err
}

func (j *phaseJob) completePhase(in *phaseCompleteInput) (*Completed, error) {
	p, err := j.findFolder(in.Phase)
	if err != nil {
		return nil, err
	}
	out := &Completed{Phase: in.Phase, Plans: fmt.Sprintf("%d/%d", p.DonePlans(), len(p.Plans)), Date: j.day(), Warnings: []string{}}
	if slug := p.Slug(); slug != "" {
		out.Name = &slug
	}
	results, err := gate.ReadResults(j.ctx, j.Call)
	if err != nil {
		return nil, err
	}
	open, warnings := OpenWork(j.ctx, j.inv, p, func(file string) (string, error) {
		text, ok, err := j.readText(j.planningPath(file))
		if err == nil && !ok {
			err = fs.ErrNotExist
		}
		return text, err
	}, results)
	if len(open) > 0 && !in.Force {
		message := fmt.Sprintf("phase %s is not complete: %s; use --force to complete it anyway", p.ID, strings.Join(open, "; "))
		return nil, &planop.Fault{Reason: "phase_incomplete", Message: message}
	}
	out.Warnings = append(append(out.Warnings, open...), warnings...)
	out.HasWarnings = len(out.Warnings) > 0
	next := j.followingPhase(p)
	if out.Last = next == nil; !out.Last {
		number, name := nextNames(next)
		out.Next, out.NextName = &number, &name
	}
	if j.road != nil {
		before := j.road.Doc.Text()
		j.road.setProgress(p, "Complete", j.day())
		out.Roadmap = before != j.road.Doc.Text()
		if out.Requirements, err = j.completeRequirements(p); err != nil {
			return nil, err
		}
	}
	return out, j.completeState(p, next, out)
}

// followingPhase returns the phase to work on after p: the first later one that is not done, else the first earlier one. It returns nil if
// all others are done.
func (j *phaseJob) followingPhase(p *inventory.Phase) *inventory.Phase {
	var before *inventory.Phase
	for _, other := range j.inv.Phases {
		if other == p || other.Ticked {
			continue
		}
		if phaseid.Compare(other.ID, p.ID) > 0 {
			return other
		}
		if before == nil && !other.IsExecuted() {
			before = other
		}
	}
	return before
}

// nextNames returns the number and name of the next phase, from its folder if it has one.
func nextNames(p *inventory.Phase) (number, name string) {
	if p.Dir != "" {
		return p.Token(), p.Slug()
	}
	return p.ID.String(), strings.Join(strings.Fields(strings.ToLower(p.Name)), "-")
}

// setProgress writes the progress of a phase into the roadmap: into its row of the table, its section and the checklist.
func (r *roadmapText) setProgress(p *inventory.Phase, status, day string) {
	done, all := p.DonePlans(), len(p.Plans)
	share := fmt.Sprintf("%d/%d", done, all)
	complete := status == "Complete"
	var edits []edit.Edit
	for _, row := range r.progressRows(equals(p.ID)) {
		edits = append(edits, r.setCell(&row, share, planColumns...)...)
		edits = append(edits, r.setCell(&row, status, "Status")...)
		if complete && strings.Trim(row.Finished, "-— ") == "" {
			edits = append(edits, r.setCell(&row, day, "Completed")...)
		}
	}
	if section, ok := r.phaseSection(p.ID); ok {
		if f, ok := r.Doc.Field(section.Lines, "Plans"); ok && f.Bold {
			words := " plans executed"
			if complete {
				words = " plans complete"
			}
			e, err := r.Doc.SetField(f, share+words)
			r.applyEdits(nil, err)
			edits = append(edits, e...)
		}
		for _, item := range r.Roadmap.Plans(section) {
			done := func(plan inventory.Plan) bool { return plan.HasSummary() && samePlan(plan.ID, item.ID) }
			if item.Item.HasBox() && slices.ContainsFunc(p.Plans, done) {
				edits = append(edits, r.Doc.SetBox(item.Item, true)...)
			}
		}
	}
	if complete {
		for _, c := range r.checklistEntries(equals(p.ID)) {
			if c.Done || !c.Item.HasBox() {
				continue
			}
			edits = append(edits, r.Doc.SetBox(c.Item, true)...)
			if c.Completed == "" {
				at := c.Item.Text.End
				edits = append(edits, edit.Edit{Span: edit.Span{Start: at, End: at}, New: " (completed " + day + ")"})
			}
		}
	}
	r.applyEdits(edits, nil)
}

// samePlan reports whether two ids mean the same plan: 02-01 of a file name equals 2-1 of the roadmap.
func samePlan(a, b string) bool {
	norm := func(s string) string {
		parts := strings.Split(strings.ToLower(s), "-")
		for i := range parts[:min(2, len(parts))] {
			parts[i] = strings.TrimLeft(parts[i], "0")
		}
		return strings.Join(parts[:min(2, len(parts))], "-")
	}
	return b != "" && norm(a) == norm(b)
}

// completeRequirements ticks in REQUIREMENTS.md the requirements that the roadmap assigns to the phase. It reports whether that
// changes the file.
func (j *phaseJob) completeRequirements(p *inventory.Phase) (bool, error) {
	section, ok := j.road.phaseSection(p.ID)
	if !ok {
		return false, nil
	}
	ids := j.road.Requirements(section)
	text, ok, err := j.readText("REQUIREMENTS.md")
	if err != nil || !ok || len(ids) == 0 {
		return false, err
	}
	q := artefact.ParseRequirements(text)
	if line := q.Doc.ConflictLine(); line > 0 {
		return false, conflictError(line, "REQUIREMENTS.md")
	}
	var edits []edit.Edit
	for _, id := range ids {
		e, _, err := q.CompleteRequirement(id)
		if err != nil {
			return false, err
		}
		edits = append(edits, e...)
	}
	next, err := edit.Apply(text, edits)
	if err != nil {
		return false, err
	}
	return next != text, j.putText("REQUIREMENTS.md", next)
}

// completeState makes the next phase the current one in STATE.md, if the completed phase or an earlier one is the current one now.
func (j *phaseJob) completeState(p, next *inventory.Phase, out *Completed) error {
	b, err := j.stateSheet()
	if err != nil || b == nil {
		return err
	}
	at := b.State.Position().Phase
	if at.IsNone() || phaseid.Compare(at, p.ID) <= 0 {
		words := "Phase " + out.Phase + " complete"
		number, name, status := p.ID.Number(), p.Name, "Milestone complete"
		if next != nil {
			number, name, status = next.ID.Number(), next.Name, "Ready to plan"
			words += ", transitioned to Phase " + *out.Next
		}
		b.SetPhase(number, name, inventory.PhaseTotal(j.inv, b.State.Position().Phases))
		if focus := "Phase " + number + " — " + name; next != nil {
			b.MoveFocus(p, focus)
		} else if !j.Original {
			b.MoveFocus(p, status)
		}
		if !j.Original {
			b.SetSession(j.Now(), "phase "+p.ID.Number()+" is complete", "")
		}
		b.SetPlan(0, 0)
		b.SetStatus(status)
		b.Activity(j.day(), words)
	}
	counts := j.inv.Counts()
	if len(b.State.FieldPlaces("Completed Phases")) > 0 {
		b.Set("Completed Phases", strconv.Itoa(counts.CompletedPhases))
	}
	if percent, ok := b.State.Percent(); ok && percent != counts.Percent {
		b.SetProgress(counts.Percent)
	}
	writeMetrics(b, p)
	set, err := j.Settings()
	if err != nil {
		return err
	}
	if set.IsOn("workflow.auto_prune_state") {
		if err := j.pruneState(b, out); err != nil || out.Pruned {
			return err
		}
	}
	derived := out.Derived // by pruning, which then found nothing old
	out.State, out.Derived, err = j.putState(b, j.inv)
	out.Derived = append(derived, out.Derived...)
	return err
}

// writeMetrics writes the row of a phase in the metrics table of STATE.md.
func writeMetrics(b *inventory.StateText, p *inventory.Phase) {
	h, ok := b.State.Heading("Performance Metrics")
	if !ok {
		return
	}
	d := b.State.Doc
	for _, t := range d.Tables(h.Section()) {
		if len(t.Head.Cells) != 4 || d.Column(t, "Phase") != 0 || d.Column(t, "Plans") != 1 {
			continue
		}
		for _, row := range t.Rows {
			if phaseid.Same(parseID(d.Cell(row, 0)), p.ID) {
				b.Edit(d.SetCell(row, 1, strconv.Itoa(p.DonePlans())))
				return
			}
		}
		b.AddRow(t, fmt.Sprintf("| %s | %d | - | - |", p.ID.Number(), p.DonePlans()))
		return
	}
}

// pruneState moves entries about old phases from STATE.md to its archive, if the settings ask for that.
func (j *phaseJob) pruneState(b *inventory.StateText, out *Completed) error {
	if out.Derived = b.Refresh(j.inv, j.Now()); j.Original {
		out.Derived = nil // gsd-tools names none
	}
	text, err := b.Text()
	if err != nil {
		return err
	}
	name, err := j.PathBelowPlanning("STATE.md")
	if err != nil {
		return err
	}
	pruned, files, err := statechange.Prune(j.Call, func(file string) (string, bool, error) {
		if file == name {
			return text, true, nil
		}
		return j.read(file)
	}, 3)
	if err != nil || len(files) == 0 {
		return err
	}
	out.State, out.Pruned, out.Derived = true, true, append(out.Derived, pruned.Fields...)
	j.files = append(j.files, files...)
	return nil
}
