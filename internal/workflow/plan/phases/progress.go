package phases

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// PlanProgress is the number of a phase's plans and of the finished ones, as written into the roadmap.
type PlanProgress struct {
	Updated   bool   `json:"updated"`
	Reason    string `json:"reason,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Plans     int    `json:"plan_count"`
	Summaries int    `json:"summary_count"`
	Status    string `json:"status,omitempty"`
	Complete  *bool  `json:"complete,omitempty"`
}

// Marked are the requirements that were ticked as complete.
type Marked struct {
	Updated  bool     `json:"updated"`
	Reason   string   `json:"reason,omitempty"`
	Marked   []string `json:"marked_complete"`
	Already  []string `json:"already_complete"`
	NotFound []string `json:"not_found"`
	Total    int      `json:"total"`
	IDs      []string `json:"ids,omitempty"` // the requested ones, if there is no list
}

// Cleared is the result of removing the folders of phases.
type Cleared struct {
	Cleared int `json:"cleared"`
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
}

type idInput struct {
	ID []string `arg:"ID…" help:"requirements, separated by blanks or commas"`
}

type confirmInput struct {
	Confirm bool `flag:"confirm" help:"do it; without it nothing is done"`
}

func progressOperations() []*planop.Operation {
	progress := changing(planop.Spec[phaseInput, PlanProgress]{
		Name: "roadmap update-plan-progress", Summary: "write into the roadmap how many plans of a phase were carried out", Plain: func(p PlanProgress) string {
			if !p.Updated {
				return "no plans"
			}
			return fmt.Sprintf("%d/%d %s", p.Summaries, p.Plans, p.Status)
		},
	}, (*job).planProgress)
	mark := changing(planop.Spec[idInput, Marked]{
		Name: "requirements mark-complete", Summary: "tick requirements, in the list and in the table of traceability", Plain: func(a Marked) string {
			return fmt.Sprintf("%d/%d requirements marked complete", len(a.Marked), a.Total)
		},
	}, (*job).mark)
	clear := changing(planop.Spec[confirmInput, Cleared]{
		Name: "phases clear", Summary: "remove the folders of all phases but the backlog",
		Plain: func(a Cleared) string { return directories(a.Cleared) + " cleared" },
	}, (*job).clear)
	return []*planop.Operation{progress, mark, clear}
}

func directories(n int) string {
	if n == 1 {
		return "1 phase directory"
	}
	return fmt.Sprintf("%d phase directories", n)
}

func (j *job) planProgress(in *phaseInput) (PlanProgress, error) {
	p, err := j.phase(in.Phase)
	if err != nil {
		return PlanProgress{}, err
	}
	out := PlanProgress{Plans: len(p.Plans), Summaries: p.DonePlans()}
	if out.Plans == 0 {
		out.Reason = "No plans found"
		return out, nil
	}
	if j.road == nil {
		out.Reason = "ROADMAP.md not found"
		return out, nil
	}
	complete := p.IsExecuted()
	out.Updated, out.Phase, out.Status, out.Complete = true, in.Phase, "Planned", &complete
	switch {
	case complete:
		out.Status = "Complete"
	case out.Summaries > 0:
		out.Status = "In Progress"
	}
	j.road.progress(p, out.Status, j.day())
	return out, nil
}

func (j *job) mark(in *idInput) (Marked, error) {
	ids := words(strings.Join(in.ID, " "))
	if len(ids) == 0 {
		return Marked{}, planop.Usagef("there is no requirement")
	}
	out := Marked{Marked: []string{}, Already: []string{}, NotFound: []string{}, Total: len(ids)}
	text, ok, err := j.text("REQUIREMENTS.md")
	if err != nil {
		return Marked{}, err
	}
	if !ok {
		out.Reason, out.NotFound, out.IDs = "REQUIREMENTS.md not found", ids, ids
		return out, nil
	}
	q := artefact.ParseRequirements(text)
	if line := q.Doc.Conflict(); line > 0 {
		return Marked{}, conflict(line, "REQUIREMENTS.md")
	}
	var edits []edit.Edit
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			out.Already = append(out.Already, id)
			continue
		}
		e, found, err := q.Complete(id)
		switch {
		case err != nil:
			return Marked{}, err
		case !found:
			out.NotFound = append(out.NotFound, id)
		case len(e) == 0:
			out.Already = append(out.Already, id)
		default:
			out.Marked = append(out.Marked, id)
			edits = append(edits, e...)
		}
	}
	out.Updated = len(edits) > 0
	next, err := edit.Apply(text, edits)
	if err != nil {
		return Marked{}, err
	}
	return out, j.put("REQUIREMENTS.md", next)
}

// words returns the ids in a list such as "A-1, A-2" or "[A-1 A-2]".
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], \t\r\n", r) })
}

func (j *job) clear(in *confirmInput) (Cleared, error) {
	list := slices.Concat(j.inv.Phases, j.inv.Others)
	var dirs []string
	for _, p := range list {
		if p.Dir != "" {
			dirs = append(append(dirs, p.Dir), p.Also...)
		}
	}
	for _, name := range j.inv.Unnumbered {
		f, err := j.Folder()
		if err != nil {
			return Cleared{}, err
		}
		dirs = append(dirs, f.Path(path.Join("phases", name)))
	}
	if len(dirs) > 0 && !in.Confirm {
		return Cleared{}, planop.Faultf("confirmation_needed", "phases clear would delete %s. Pass --confirm to proceed.", directories(len(dirs)))
	}
	for _, dir := range dirs {
		if _, err := j.take(j.inPart(dir), "", nil, nil); err != nil {
			return Cleared{}, err
		}
	}
	return Cleared{len(dirs)}, nil
}

// planFiles reads the plans in the folder of a phase.
func (j *job) planFiles(p *inventory.Phase) (list []*artefact.Plan, err error) {
	for _, plan := range p.Plans {
		text, ok, err := j.text(path.Join(j.inPart(p.Dir), plan.File))
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, artefact.ParsePlan(text))
		}
	}
	return list, nil
}
