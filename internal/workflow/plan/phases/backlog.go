package phases

import (
	"context"
	"slices"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
)

// BacklogEntry is a phase of the backlog, which no milestone has.
type BacklogEntry struct {
	Number    string   `json:"phase_number"`
	Name      string   `json:"name"`
	Directory string   `json:"directory"`
	Documents []string `json:"documents"` // the files of its folder
}

// BacklogList are the entries of the backlog.
type BacklogList struct {
	Entries []BacklogEntry `json:"entries"`
	Count   int            `json:"count"`
}

// Promoted is an entry of the backlog that became a phase of the milestone.
type Promoted struct {
	Added
	From  string    `json:"from"` // the number that it had
	Files []Renamed `json:"renamed_files"`
}

type backlogAddInput struct {
	Description string `arg:"DESCRIPTION…" help:"what it is about"`
}

type backlogPromoteInput struct {
	Number string `arg:"NUMBER" help:"the number of the entry: 999.1"`
}

func backlogOperations() []*planop.Operation {
	return []*planop.Operation{
		changeOperation(planop.Spec[backlogAddInput, Added]{
			Name: "backlog add", Summary: "keep an idea for a later milestone, with the next number behind 999", Plain: func(a Added) string { return a.Padded },
		}, (*phaseJob).addToBacklog),
		planop.Spec[planop.NoInput, BacklogList]{Name: "backlog list", Summary: "the entries of the backlog", Run: listBacklog}.Operation(),
		changeOperation(planop.Spec[backlogPromoteInput, Promoted]{
			Name: "backlog promote", Summary: "make a phase of the milestone of an entry of the backlog, with its documents",
			Plain: func(a Promoted) string { return a.Padded },
		}, (*phaseJob).promote),
	}
}

// backlogBase is the number before those of the backlog.
const backlogBase = "999"

func (j *phaseJob) addToBacklog(in *backlogAddInput) (Added, error) {
	if err := j.checkRoadmap(); err != nil {
		return Added{}, err
	}
	name, slug, err := j.nameAndSlug(in.Description)
	if err != nil {
		return Added{}, err
	}
	set, err := j.Settings()
	if err != nil {
		return Added{}, err
	}
	var taken []phaseid.ID
	for _, p := range j.road.Phases {
		taken = append(taken, p.ID)
	}
	for _, p := range j.inv.Backlog {
		taken = append(taken, p.ID)
	}
	id := phaseid.NextDecimal(parseID(backlogBase), taken)
	a := Added{Number: id.String(), Padded: id.PaddedNumber(), Name: name, Slug: slug, Naming: set.Text("phase_naming")}
	if a.Directory, err = j.makeFolder(set.Text("project_code"), a.Padded, slug); err != nil {
		return Added{}, err
	}
	return a, j.road.addToBacklog(id, name)
}

// addToBacklog writes an entry behind the last one of the backlog, which is begun at the end if there is none.
func (r *roadmapText) addToBacklog(id phaseid.ID, name string) error {
	heading := " Phase " + id.Number() + ": " + name + " (BACKLOG)"
	if last, ok := r.lastBacklog(); ok {
		line := r.lastTextLine(document.Range{From: last.Line, To: r.sectionEnd(last)})
		r.insertAfter(line, "", strings.Repeat("#", last.Heading.Level)+heading, "", noPlans)
		return r.err
	}
	end := r.lastTextLine(document.Range{From: 0, To: r.Doc.LineCount()})
	r.insertAfter(end, "", "## Backlog", "", "###"+heading, "", noPlans)
	return r.err
}

// lastBacklog returns the section of the last entry of the backlog.
func (r *roadmapText) lastBacklog() (last roadmap.Phase, ok bool) {
	for _, p := range r.Phases {
		if p.ID.IsBacklog() && !p.Shipped {
			last, ok = p, true
		}
	}
	return last, ok
}

func listBacklog(_ context.Context, c *planop.Call, _ *planop.NoInput) (BacklogList, error) {
	inv, err := c.Inventory()
	if err != nil {
		return BacklogList{}, err
	}
	out := BacklogList{Entries: []BacklogEntry{}, Count: len(inv.Backlog)}
	for _, p := range inv.Backlog {
		e := BacklogEntry{Number: p.ID.String(), Name: p.Name, Directory: p.Dir, Documents: []string{}}
		for _, name := range p.Names {
			if name != ".gitkeep" {
				e.Documents = append(e.Documents, name)
			}
		}
		out.Entries = append(out.Entries, e)
	}
	return out, nil
}

func (j *phaseJob) promote(in *backlogPromoteInput) (Promoted, error) {
	if err := j.checkRoadmap(); err != nil {
		return Promoted{}, err
	}
	i := slices.IndexFunc(j.inv.Backlog, func(p *inventory.Phase) bool { return phaseid.Same(p.ID, parseID(in.Number)) })
	if i < 0 {
		fault := &planop.Fault{Reason: "phase_not_found", Message: "the backlog has no entry " + in.Number}
		for _, p := range j.inv.Backlog {
			fault.Near = append(fault.Near, p.ID.String())
		}
		return Promoted{}, fault
	}
	entry := j.inv.Backlog[i]
	about := j.road.removeBacklog(entry.ID)
	added, err := j.addPhase(entry.Name, "", entry)
	if err != nil {
		return Promoted{}, err
	}
	if p, ok := j.road.phaseSection(parseID(added.Padded)); ok && len(about) > 0 {
		line := j.road.lastTextLine(document.Range{From: p.Line, To: j.road.sectionEnd(p)})
		j.road.insertAfter(line, append([]string{""}, about...)...)
	}
	return Promoted{Added: added, From: entry.ID.String(), Files: append([]Renamed{}, j.renamed...)}, j.road.err
}

// removeBacklog removes the section of an entry of the backlog. It returns the lines that the section has about the entry.
func (r *roadmapText) removeBacklog(id phaseid.ID) (about []string) {
	var edits []edit.Edit
	for _, p := range r.Phases {
		if !phaseid.Same(p.ID, id) || p.Shipped {
			continue
		}
		from := p.Line
		for from > 0 && strings.TrimSpace(r.Doc.Line(from-1)) == "" {
			from--
		}
		last := r.lastTextLine(document.Range{From: p.Line, To: r.sectionEnd(p)})
		edits = append(edits, r.removalEdit(document.Range{From: from, To: last + 1}))
		for line := p.Line + 1; line <= last; line++ {
			if text := r.Doc.Line(line); (len(about) > 0 || strings.TrimSpace(text) != "") && text != noPlans {
				about = append(about, text)
			}
		}
	}
	r.applyEdits(edits, nil)
	return about
}
