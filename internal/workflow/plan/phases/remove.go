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
	"ken/internal/workflow/plan/statechange"
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
	Mentions []Mention `json:"stale_mentions,omitempty"`
}

// Renamed is a file or folder with its old and new name.
type Renamed struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type phaseRemoveInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
	Force bool   `flag:"force" help:"even if plans of it were carried out"`
}

func remove() *planop.Operation {
	return changing(planop.Spec[phaseRemoveInput, *Removed]{
		Name: "phase remove", Summary: "remove a phase that was not carried out, and number those behind it anew",
	}, (*job).remove)
}

func (j *job) remove(in *phaseRemoveInput) (*Removed, error) {
	if err := j.needRoad(); err != nil {
		return nil, err
	}
	p, err := j.phase(in.Phase)
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
		if _, err := j.take(j.inPart(dir), "", nil, nil); err != nil {
			return nil, err
		}
		if out.Directory == nil {
			base := path.Base(dir)
			out.Directory = &base
		}
	}
	to := &renumbering{removed: p.ID, before: j.before(p)}
	for _, other := range j.inv.Phases {
		for _, dir := range append([]string{other.Dir}, other.Also...) {
			if base := path.Base(dir); other != p && to.name(base) != base {
				to.dirs = append(to.dirs, base)
			}
		}
	}
	if slices.Contains(j.inv.Phases, p) {
		if err := j.checkLaterPhasesKnown(to); err != nil {
			return nil, err
		}
		if err := j.rename(to, out); err != nil {
			return nil, err
		}
	}
	before := j.road.Doc.Text()
	j.road.remove(p.ID)
	if slices.Contains(j.inv.Phases, p) {
		out.Mentions = j.road.renumber(to, j.displayName("ROADMAP.md"))
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

// before returns the number of the phase before p, or the zero ID.
func (j *job) before(p *inventory.Phase) (id phaseid.ID) {
	for _, other := range j.inv.Phases {
		if other == p {
			break
		}
		id = other.ID
	}
	return id
}

// checkLaterPhasesKnown fails if some of the phases to renumber may be unknown, because the roadmap could not be read completely.
func (j *job) checkLaterPhasesKnown(to *renumbering) error {
	for _, p := range j.road.Phases {
		if _, moves := to.newID(p.ID); moves && !p.Shipped {
			return j.knownPhases()
		}
	}
	return nil
}

// checkRemovable fails if a phase must not be removed.
func (j *job) checkRemovable(p *inventory.Phase, in *phaseRemoveInput) error {
	var below []string
	for _, other := range j.inv.Phases {
		if under(other.ID, p.ID) {
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

// rename gives the folders of the phases after the removed one their new numbers, and the files in them whose names contain the number.
func (j *job) rename(to *renumbering, out *Removed) error {
	for _, p := range j.inv.Phases {
		if _, ok := to.newID(p.ID); !ok || p.Dir == "" {
			continue
		}
		for _, dir := range append([]string{p.Dir}, p.Also...) {
			base := path.Base(dir)
			next := to.name(base)
			if next == base {
				continue
			}
			files, err := j.take(j.inPart(dir), path.Join("phases", next), to.name, to.front)
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
func (j *job) renumberRequirements(to *renumbering) (bool, error) {
	text, ok, err := j.text("REQUIREMENTS.md")
	if err != nil || !ok {
		return false, err
	}
	q := artefact.ParseRequirements(text)
	if q.Doc.Conflict() > 0 {
		return false, conflict(q.Doc.Conflict(), "REQUIREMENTS.md")
	}
	var edits []edit.Edit
	for _, t := range q.Trace {
		for _, cell := range t.Row.Cells {
			if m := rowPhase().FindStringSubmatchIndex(cell.In(text)); m != nil {
				edits = append(edits, to.edit(cell.In(text)[m[2]:m[3]], cell.Start+m[2])...)
			}
		}
	}
	next, err := edit.Apply(text, edits)
	if err != nil {
		return false, err
	}
	return next != text, j.put("REQUIREMENTS.md", next)
}

var rowPhase = expression(`(?i)^Phase\s+(` + number + `)\b`)

func conflict(line int, file string) error {
	return edit.Problem{Line: line, Why: "a merge conflict is not resolved: " + file + " is not written"}
}

// renumberState changes the number of the current phase in STATE.md, and the number of phases if it was right before. A wrong number is
// left to the operation `state sync`, because adding a phase and removing it must restore the same bytes.
func (j *job) renumberState(to *renumbering, gone *inventory.Phase, out *Removed) error {
	b, err := j.sheet()
	if err != nil || b == nil {
		return err
	}
	mentions := j.renumberEntries(b, to)
	lines := b.State.Doc.Lines()
	left := *j.inv
	left.Phases = slices.DeleteFunc(slices.Clone(j.inv.Phases), func(p *inventory.Phase) bool { return p == gone })
	pos := b.State.Position()
	next, moved := to.newID(pos.Phase)
	inStep := pos.Phases > 0 && statechange.Total(j.inv, pos.Phases) == pos.Phases
	if moved || inStep {
		total := 0
		if inStep {
			total = statechange.Total(&left, pos.Phases-1)
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
	out.State, out.Derived, err = j.putSheet(b, &left)
	out.Mentions = append(out.Mentions, quote(mentions, b.State.Doc, b.State.Doc.Lines()-lines)...)
	return err
}

// renumberEntries changes the phase numbers in the entries of STATE.md. It returns the lines with numbers that it does not change.
func (j *job) renumberEntries(b *statechange.Sheet, to *renumbering) []Mention {
	d, pos := b.State.Doc, b.State.Position()
	var edits []edit.Edit
	if j.road.isAmbiguous(to) {
		edits = to.paths(d.Text()) // a path is never ambiguous, because it contains the name of the folder
	} else {
		edits = to.entries(d)
	}
	_, moved := to.newID(pos.Phase)
	position := func(line int) bool { // lines of a field that is set by itself
		f, ok := d.FieldAt(line)
		return ok && moved && slices.Contains(positionFields[:], strings.ToLower(f.Name))
	}
	left := to.mentions(j.displayName("STATE.md"), d, edits, position)
	if line := pos.PhaseField.Line; !pos.Phase.None() && phaseid.Same(pos.Phase, to.removed) {
		at, there := slices.BinarySearchFunc(left, line+1, func(m Mention, line int) int { return m.Line - line })
		if !there { // "Phase: 4 of 6" is not a sentence, but is still about the removed phase
			left = slices.Insert(left, at, Mention{File: j.displayName("STATE.md"), Line: line + 1})
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
