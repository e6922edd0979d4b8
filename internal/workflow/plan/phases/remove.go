package phases

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// Removed is a removed phase, with the files that were renamed because later phases got other numbers.
type Removed struct {
	Removed      string    `json:"removed"`
	Directory    *string   `json:"directory_deleted"`
	Directories  []Renamed `json:"renamed_directories"`
	Files        []Renamed `json:"renamed_files"`
	Roadmap      bool      `json:"roadmap_updated"`
	State        bool      `json:"state_updated"`
	Requirements bool      `json:"requirements_updated"`
	Derived      []string  `json:"derived_fields,omitempty"`
	// Mentions are lines of ROADMAP.md and STATE.md that still contain former numbers of phases.
	Mentions []NumberMention `json:"stale_mentions,omitempty"`
}

type phaseRemoveInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
	Force bool   `flag:"force" help:"even if plans of it were carried out"`
}

func removeOperation() *planop.Operation {
	return changeOperation(planop.Spec[phaseRemoveInput, *Removed]{
		Name: "phase remove", Summary: "remove a phase that was not carried out, and number those behind it anew",
	}, (*phaseJob).removePhase)
}

func (j *phaseJob) removePhase(in *phaseRemoveInput) (*Removed, error) {
	if err := j.checkRoadmap(); err != nil {
		return nil, err
	}
	p, err := j.findPhase(in.Phase)
	if err != nil {
		return nil, err
	}
	if err := j.checkRemovable(p, in); err != nil {
		return nil, err
	}
	out := &Removed{Removed: in.Phase, Directories: []Renamed{}, Files: []Renamed{}}
	for _, dir := range append([]string{p.Dir}, p.Also...) {
		if dir == "" {
			continue
		}
		if _, err := j.moveOrRemove(j.planningPath(dir), "", nil, nil); err != nil {
			return nil, err
		}
		if out.Directory == nil {
			base := path.Base(dir)
			out.Directory = &base
		}
	}
	to := &renumbering{removed: p.ID, before: j.phaseBefore(p)}
	for _, other := range j.inv.Phases {
		for _, dir := range append([]string{other.Dir}, other.Also...) {
			if base := path.Base(dir); other != p && to.newName(base) != base {
				to.dirs = append(to.dirs, base)
			}
		}
	}
	if slices.Contains(j.inv.Phases, p) {
		if err := j.checkLaterPhasesKnown(to); err != nil {
			return nil, err
		}
		if err := j.renameFolders(to, out); err != nil {
			return nil, err
		}
	}
	before := j.road.Doc.Text()
	j.road.removePhase(p.ID)
	if slices.Contains(j.inv.Phases, p) {
		out.Mentions = j.road.renumberPhases(to, j.displayName("ROADMAP.md"))
		if out.Requirements, err = j.renumberRequirements(to); err != nil {
			return nil, err
		}
		if err := j.renumberState(to, p, out); err != nil {
			return nil, err
		}
	}
	out.Roadmap = before != j.road.Doc.Text()
	return out, nil
}

// phaseBefore returns the number of the phase before p, or the zero ID.
func (j *phaseJob) phaseBefore(p *inventory.Phase) (id phaseid.ID) {
	for _, other := range j.inv.Phases {
		if other == p {
			break
		}
		id = other.ID
	}
	return id
}

// checkLaterPhasesKnown fails if some of the phases to renumber may be unknown, because the roadmap could not be read completely.
func (j *phaseJob) checkLaterPhasesKnown(to *renumbering) error {
	for _, p := range j.road.Phases {
		if _, moves := to.newID(p.ID); moves && !p.Shipped {
			return j.checkPhasesKnown()
		}
	}
	return nil
}

// checkRemovable fails if a phase must not be removed.
func (j *phaseJob) checkRemovable(p *inventory.Phase, in *phaseRemoveInput) error {
	var below []string
	for _, other := range j.inv.Phases {
		if isInsertedAfter(other.ID, p.ID) {
			below = append(below, other.ID.String())
		}
	}
	if len(below) > 0 {
		return &planop.Fault{
			Reason: "phase_has_inserted", Message: "phase " + p.ID.String() + " has inserted phases, which would then follow another one; remove them first", Near: below,
		}
	}
	if n := len(p.Summaries); n > 0 && !in.Force {
		return planop.Faultf("phase_executed", "Phase %s has %d executed plan(s). Use --force to remove anyway.", p.ID, n)
	}
	return nil
}

// renameFolders gives the folders of the phases after the removed one their new numbers, and the files in them whose names contain the
// number.
func (j *phaseJob) renameFolders(to *renumbering, out *Removed) error {
	for _, p := range j.inv.Phases {
		if _, ok := to.newID(p.ID); !ok || p.Dir == "" {
			continue
		}
		for _, dir := range append([]string{p.Dir}, p.Also...) {
			base := path.Base(dir)
			next := to.newName(base)
			if next == base {
				continue
			}
			files, err := j.moveOrRemove(j.planningPath(dir), path.Join("phases", next), to.newName, to.editFront)
			if err != nil {
				return err
			}
			out.Directories = append(out.Directories, Renamed{base, next})
			out.Files = append(out.Files, files...)
		}
	}
	return nil
}

// renumberRequirements changes the phase numbers in the traceability table of REQUIREMENTS.md.
func (j *phaseJob) renumberRequirements(to *renumbering) (bool, error) {
	text, ok, err := j.readText("REQUIREMENTS.md")
	if err != nil || !ok {
		return false, err
	}
	q := artefact.ParseRequirements(text)
	if q.Doc.ConflictLine() > 0 {
		return false, conflictError(q.Doc.ConflictLine(), "REQUIREMENTS.md")
	}
	var edits []edit.Edit
	for _, t := range q.Trace {
		for _, cell := range t.Row.Cells {
			if m := rowPhase().FindStringSubmatchIndex(cell.Text(text)); m != nil {
				edits = append(edits, to.editNumber(cell.Text(text)[m[2]:m[3]], cell.Start+m[2])...)
			}
		}
	}
	next, err := edit.Apply(text, edits)
	if err != nil {
		return false, err
	}
	return next != text, j.putText("REQUIREMENTS.md", next)
}

var rowPhase = lazyRegexp(`(?i)^Phase\s+(` + number + `)\b`)

func conflictError(line int, file string) error {
	return edit.Problem{Line: line, Why: "a merge conflict is not resolved: " + file + " is not written"}
}

// renumberState changes the number of the current phase in STATE.md, and the number of phases if it was right before. A wrong number is
// left to the operation `state sync`, because adding a phase and removing it must restore the same bytes.
func (j *phaseJob) renumberState(to *renumbering, gone *inventory.Phase, out *Removed) error {
	b, err := j.stateSheet()
	if err != nil || b == nil {
		return err
	}
	mentions := j.renumberEntries(b, to)
	lines := b.State.Doc.LineCount()
	left := *j.inv
	left.Phases = slices.DeleteFunc(slices.Clone(j.inv.Phases), func(p *inventory.Phase) bool { return p == gone })
	pos := b.State.Position()
	next, moved := to.newID(pos.Phase)
	inStep := pos.Phases > 0 && inventory.PhaseTotal(j.inv, pos.Phases) == pos.Phases
	if moved || inStep {
		total := 0
		if inStep {
			total = inventory.PhaseTotal(&left, pos.Phases-1)
			b.Set("Total Phases", strconv.Itoa(total))
		}
		b.RenumberPhase(func(old string) string {
			if id, ok := to.newID(parseID(old)); ok {
				return id.Number()
			}
			return old
		}, total)
	}
	if moved {
		focus := b.State.Focus()
		if m := phaseWord().FindStringSubmatchIndex(focus); m != nil && phaseid.Same(parseID(focus[m[2]:m[3]]), pos.Phase) {
			b.SetFocus(focus[:m[2]] + next.Number() + focus[m[3]:])
		}
		status := b.State.Value("Status")
		if m := phaseWord().FindStringSubmatchIndex(status); m != nil && phaseid.Same(parseID(status[m[2]:m[3]]), pos.Phase) {
			b.Set("Status", status[:m[2]]+next.Number()+status[m[3]:])
		}
	}
	out.State, out.Derived, err = j.putState(b, &left)
	out.Mentions = append(out.Mentions, quoteMentions(mentions, b.State.Doc, b.State.Doc.LineCount()-lines)...)
	return err
}

// renumberEntries changes the phase numbers in the entries of STATE.md. It returns the lines with numbers that it does not change.
func (j *phaseJob) renumberEntries(b *inventory.StateText, to *renumbering) []NumberMention {
	d, pos := b.State.Doc, b.State.Position()
	var edits []edit.Edit
	if j.road.isAmbiguous(to) {
		edits = to.editPaths(d.Text()) // a path is never ambiguous, because it contains the name of the folder
	} else {
		edits = to.editEntries(d)
	}
	_, moved := to.newID(pos.Phase)
	position := func(line int) bool { // lines of a field that is set by itself
		f, ok := d.FieldAt(line)
		return ok && moved && slices.Contains(positionFields[:], strings.ToLower(f.Name))
	}
	left := to.findMentions(j.displayName("STATE.md"), d, edits, position)
	if line := pos.PhaseField.Line; !pos.Phase.IsNone() && phaseid.Same(pos.Phase, to.removed) {
		at, there := slices.BinarySearchFunc(left, line+1, func(m NumberMention, line int) int { return m.Line - line })
		if !there { // "Phase: 4 of 6" is not a sentence, but is still about the removed phase
			left = slices.Insert(left, at, NumberMention{File: j.displayName("STATE.md"), Line: line + 1})
		}
	}
	b.Edit(edits, nil)
	return left
}

// positionFields are the fields of STATE.md about the current phase.
var positionFields = [...]string{"phase", "current phase", "current focus", "status"}

func parseID(text string) phaseid.ID {
	id, _ := phaseid.Parse(text)
	return id
}
