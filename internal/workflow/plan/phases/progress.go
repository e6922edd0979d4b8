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

// MarkedRequirements are the requirements that were ticked as complete.
type MarkedRequirements struct {
	Updated  bool     `json:"updated"`
	Reason   string   `json:"reason,omitempty"`
	Marked   []string `json:"marked_complete"`
	Already  []string `json:"already_complete"`
	NotFound []string `json:"not_found"`
	Total    int      `json:"total"`
	IDs      []string `json:"ids,omitempty"` // the requested ones, if there is no list
}

// ClearedFolders is the result of removing the folders of phases.
type ClearedFolders struct {
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
	progress := changeOperation(planop.Spec[phaseInput, PlanProgress]{
		Name: "roadmap update-plan-progress", Summary: "write into the roadmap how many plans of a phase were carried out", Plain: func(p PlanProgress) string {
			if !p.Updated {
				return "no plans"
			}
			return fmt.Sprintf("%d/%d %s", p.Summaries, p.Plans, p.Status)
		},
	}, (*phaseJob).planProgress)
	mark := changeOperation(planop.Spec[idInput, MarkedRequirements]{
		Name: "requirements mark-complete", Summary: "tick requirements, in the list and in the table of traceability", Plain: func(a MarkedRequirements) string {
			return fmt.Sprintf("%d/%d requirements marked complete", len(a.Marked), a.Total)
		},
	}, (*phaseJob).markRequirements)
	clear := changeOperation(planop.Spec[confirmInput, ClearedFolders]{
		Name: "phases clear", Summary: "remove the folders of all phases but the backlog",
		Plain: func(a ClearedFolders) string { return directories(a.Cleared) + " cleared" },
	}, (*phaseJob).clearFolders)
	return []*planop.Operation{progress, mark, clear}
}

func directories(n int) string {
	if n == 1 {
		return "1 phase directory"
	}
	return fmt.Sprintf("%d phase directories", n)
}

func (j *phaseJob) planProgress(in *phaseInput) (PlanProgress, error) {
	p, err := j.findFolder(in.Phase)
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
	complete := p.Ticked || j.inv.IsVerified(p)
	out.Updated, out.Phase, out.Status, out.Complete = true, in.Phase, "Planned", &complete
	switch {
	case complete:
		out.Status = "Complete"
	case p.IsExecuted():
		out.Status = "Executed"
	case out.Summaries > 0:
		out.Status = "In Progress"
	}
	j.road.setProgress(p, out.Status, j.day())
	return out, nil
}

func (j *phaseJob) markRequirements(in *idInput) (MarkedRequirements, error) {
	ids := splitIDs(strings.Join(in.ID, " "))
	if len(ids) == 0 {
		return MarkedRequirements{}, planop.Usagef("there is no requirement")
	}
	out := MarkedRequirements{Marked: []string{}, Already: []string{}, NotFound: []string{}, Total: len(ids)}
	text, ok, err := j.readText("REQUIREMENTS.md")
	if err != nil {
		return MarkedRequirements{}, err
	}
	if !ok {
		out.Reason, out.NotFound, out.IDs = "REQUIREMENTS.md not found", ids, ids
		return out, nil
	}
	q := artefact.ParseRequirements(text)
	if line := q.Doc.ConflictLine(); line > 0 {
		return MarkedRequirements{}, conflictError(line, "REQUIREMENTS.md")
	}
	var edits []edit.Edit
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			out.Already = append(out.Already, id)
			continue
		}
		e, found, err := q.CompleteRequirement(id)
		switch {
		case err != nil:
			return MarkedRequirements{}, err
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
		return MarkedRequirements{}, err
	}
	return out, j.putText("REQUIREMENTS.md", next)
}

// splitIDs returns the ids in a list such as "A-1, A-2" or "[A-1 A-2]".
func splitIDs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], \t\r\n", r) })
}

func (j *phaseJob) clearFolders(in *confirmInput) (ClearedFolders, error) {
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
			return ClearedFolders{}, err
		}
		dirs = append(dirs, f.Path(path.Join("phases", name)))
	}
	if len(dirs) > 0 && !in.Confirm {
		return ClearedFolders{}, planop.Faultf("confirmation_needed", "phases clear would delete %s. Pass --confirm to proceed.", directories(len(dirs)))
	}
	for _, dir := range dirs {
		if _, err := j.moveOrRemove(j.planningPath(dir), "", nil, nil); err != nil {
			return ClearedFolders{}, err
		}
	}
	return ClearedFolders{len(dirs)}, nil
}

// planFiles reads the plans in the folder of a phase.
func (j *phaseJob) planFiles(p *inventory.Phase) (list []*artefact.Plan, err error) {
	for _, plan := range p.Plans {
		text, ok, err := j.readText(path.Join(j.planningPath(p.Dir), plan.File))
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, artefact.ParsePlan(text))
		}
	}
	return list, nil
}
