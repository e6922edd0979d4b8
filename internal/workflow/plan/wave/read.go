package wave

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// Phase is a phase with its plans, as they are written and as they are divided into waves.
type Phase struct {
	*inventory.Phase
	Written  map[string]*artefact.Plan // by ID
	Outside  map[string][]string       // paths of a plan that lead out of the project, by ID
	Deletes  map[string][]string       // files that a plan deletes, by ID
	Layout   *Layout
	Archived string // the milestone in which it was shipped
	// Indexed reports whether an index of the code was used. whys are its reasons why two plans both write a file.
	Indexed bool
	whys    map[commonFile]string
}

// commonFile is a file that two plans both write.
type commonFile struct{ a, b, file string }

// MeetingReason returns the reason why two separated plans both write a file, or "" if both list it.
func (ph *Phase) MeetingReason(a, b, file string) string { return ph.whys[commonFile{a, b, file}] }

// Read reads the plans of a phase and divides them into waves. meet returns the files that two plans both write; if it is nil, the files
// that they list are compared. It fails with a *planop.Fault if there is no such phase, and as Arrange does.
func Read(q *query.Questions, text string, limits Limits, meet func(a, b *Plan) []string) (*Phase, error) {
	p, archived := q.Inventory.FindText(text)
	if p == nil {
		message := fmt.Sprintf("there is no phase %.60q with a folder", text)
		return nil, &planop.Fault{Reason: "phase_not_found", Message: message, Near: q.Inventory.NearPhases(text)}
	}
	phase := &Phase{
		Phase: p, Archived: archived, Written: map[string]*artefact.Plan{}, Outside: map[string][]string{}, Deletes: map[string][]string{},
	}
	var plans []Plan
	var unread []string
	for _, listed := range p.Plans {
		content, err := q.Inventory.ReadFile(p, listed.File)
		if err != nil {
			unread = append(unread, err.Error())
		}
		plans = append(plans, phase.newPlan(q, listed, content))
	}
	layout, err := Arrange(plans, Options{Elsewhere: otherPhaseLookup(q, p), Limits: limits, Meet: meet})
	if err != nil {
		return nil, err
	}
	for _, plan := range layout.Plans {
		for _, out := range phase.Outside[plan.ID] {
			layout.Warnings = append(layout.Warnings, fmt.Sprintf("%s names %q, which is outside the project", plan.ID, out))
		}
	}
	layout.Warnings = append(layout.Warnings, unread...)
	phase.Layout = layout
	return phase, nil
}

// newPlan returns the plan in the form that Arrange takes. Its files are those of its front matter and of its tasks, because the front
// matter often omits some.
func (ph *Phase) newPlan(q *query.Questions, listed inventory.Plan, content string) Plan {
	read := artefact.ParsePlan(content)
	ph.Written[listed.ID] = read
	p := Plan{ID: listed.ID, DependsOn: read.DependsOn, Done: listed.HasSummary(), Retired: strings.EqualFold(read.Status, "superseded")}
	front := read.Doc.FrontMatter()
	if front.Get("wave") != nil {
		p.Written = read.Wave
	}
	named := slices.Clone(read.Files)
	for _, t := range read.Tasks {
		named = append(named, t.Files...)
	}
	deleted := front.Texts(front.Get("files_deleted"))
	add := func(to []string, text string) []string {
		clean, inside := CleanPath(text)
		switch {
		case clean == "":
		case !inside:
			if !slices.Contains(ph.Outside[listed.ID], clean) {
				ph.Outside[listed.ID] = append(ph.Outside[listed.ID], clean)
			}
		case !slices.Contains(to, clean):
			to = append(to, clean)
		}
		return to
	}
	for _, f := range append(named, deleted...) {
		p.Files = add(p.Files, f)
	}
	for _, f := range deleted {
		ph.Deletes[listed.ID] = add(ph.Deletes[listed.ID], f)
	}
	if problems := read.Doc.Problems(); len(problems) > 0 {
		p.Unreadable = listed.File + " cannot be read: " + problems[0].Error()
	}
	p.Draft = !p.Done && !p.Retired && (read.IsDraft() || p.Unreadable != "")
	if p.Done {
		text, err := q.Inventory.ReadFile(ph.Phase, listed.Summary)
		if err == nil {
			p.Halted = strings.EqualFold(artefact.ParseSummary(text).Status, "halted")
		}
		p.Done = !p.Halted
	}
	return p
}

// otherPhaseLookup returns a function that looks for plans of other phases: for one plan by its ID, or for a whole phase by its number.
func otherPhaseLookup(q *query.Questions, own *inventory.Phase) func(id string) (there, done bool) {
	return func(id string) (there, done bool) {
		for _, p := range slices.Concat(q.Inventory.Phases, q.Inventory.Others, q.Inventory.Backlog) {
			for _, plan := range p.Plans {
				if plan.ID == id || planNumbers(plan.ID) != "" && planNumbers(plan.ID) == planNumbers(id) {
					return true, plan.HasSummary()
				}
			}
		}
		text := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(id), "phase-"), "phase ")
		if pid, ok := phaseid.Parse(text); ok && pid.Custom == "" {
			if p, archived := q.Inventory.Find(pid); p != nil && p != own {
				return true, archived != "" || p.IsExecuted() || q.Inventory.IsComplete(p)
			}
		}
		return archivedPlan(q, id)
	}
}

// archivedPlan finds a plan of a shipped milestone, which counts as done.
func archivedPlan(q *query.Questions, id string) (there, done bool) {
	for _, a := range q.Inventory.Archives {
		for _, p := range a.Phases {
			for _, plan := range p.Plans {
				if plan.ID == id {
					return true, true
				}
			}
		}
	}
	return false, false
}
