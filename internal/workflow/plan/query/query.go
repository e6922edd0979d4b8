// Package query answers questions about a planning folder from the inventory of its files. The field names of the answers are those of
// other programs that work with such folders. Nothing is written. Numbers are counted anew, because a number in a file may be wrong.
package query

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
)

// Questions answers about one planning folder.
type Questions struct {
	Folder    *folder.Folder
	Inventory *inventory.Inventory
}

// Call opens a planning folder and lists its files; planop.Call is one.
type Call interface {
	Folder() (*folder.Folder, error)
	Inventory() (*inventory.Inventory, error)
}

// New returns the questions about the folder of a call. It returns an error if the folder cannot be read.
func New(c Call) (*Questions, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	return &Questions{Folder: f, Inventory: inv}, nil
}

// PhaseError reports that there is no phase with a number, and which ones are similar.
type PhaseError struct {
	Phase string
	Near  []string
}

func (e *PhaseError) Error() string {
	s := fmt.Sprintf("there is no phase %.60q", e.Phase)
	if len(e.Near) > 0 {
		s += ": near it are " + strings.Join(e.Near, ", ")
	}
	return s
}

// Is reports whether target is fs.ErrNotExist.
func (e *PhaseError) Is(target error) bool { return target == fs.ErrNotExist }

// phase returns the phase that a user names.
func (q *Questions) phase(text string) (*inventory.Phase, string, error) {
	if p, archived := q.Inventory.FindText(text); p != nil {
		return p, archived, nil
	}
	return nil, "", &PhaseError{text, q.Inventory.NearPhases(text)}
}

// PhaseDirectory returns the folder of a phase, none if there is no such phase.
func (q *Questions) PhaseDirectory(phase string) Directories {
	out := Directories{Directories: []string{}}
	if p, archived, err := q.phase(phase); err == nil && p.Dir != "" && archived == "" {
		out.Directories = append(out.Directories, path.Base(p.Dir))
	}
	out.Count = len(out.Directories)
	return out
}

// Found is a phase and the files of its plans.
type Found struct {
	Found     bool     `json:"found"`
	Directory *string  `json:"directory"`
	Number    *string  `json:"phase_number"`
	Name      *string  `json:"phase_name"`
	Plans     []string `json:"plans"`
	Summaries []string `json:"summaries"`
	Archived  string   `json:"archived,omitempty"`
	// RoadmapOnly is set for a phase that has no folder yet.
	RoadmapOnly bool     `json:"roadmap_only,omitempty"`
	Near        []string `json:"near,omitempty"`
}

// FindPhase finds the folder of the phase that a user names. A phase that is only in the roadmap has no folder, so it is not found, and
// the answer gives the reason.
func (q *Questions) FindPhase(text string) Found {
	f := Found{Plans: []string{}, Summaries: []string{}}
	p, archived, err := q.phase(text)
	if missing, ok := errors.AsType[*PhaseError](err); ok {
		f.Near = missing.Near
		return f
	}
	if p.Dir == "" {
		f.RoadmapOnly = true
		return f
	}
	number := p.Token()
	return Found{
		Found: true, Directory: &p.Dir, Number: &number, Name: OrNil(p.Slug()), Plans: planFiles(p), Summaries: sortedCopy(p.Summaries), Archived: archived,
	}
}

// OrNil returns a pointer to s, or nil if s is empty.
func OrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func planFiles(p *inventory.Phase) []string {
	list := make([]string, 0, len(p.Plans))
	for _, plan := range p.Plans {
		list = append(list, plan.File)
	}
	slices.Sort(list)
	return list
}

func sortedCopy(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return out
}

// PlanIndex lists the plans of a phase by their waves, groups of plans that can be carried out at the same time.
type PlanIndex struct {
	Phase       string              `json:"phase"`
	Error       string              `json:"error,omitempty"`
	Plans       []IndexedPlan       `json:"plans"`
	Waves       map[string][]string `json:"waves"`
	Incomplete  []string            `json:"incomplete"`
	Checkpoints bool                `json:"has_checkpoints"`
	Near        []string            `json:"near,omitempty"`
	Warnings    []string            `json:"warnings,omitempty"`
}

// IndexedPlan is a plan of a phase.
type IndexedPlan struct {
	ID         string   `json:"id"`
	Wave       int      `json:"wave"`
	Autonomous bool     `json:"autonomous"`
	Objective  *string  `json:"objective"`
	Files      []string `json:"files_modified"`
	Tasks      int      `json:"task_count"`
	HasSummary bool     `json:"has_summary"`
}

// PlanIndex lists the plans of the phase that a user names. For a plan that cannot be read it has a warning.
func (q *Questions) PlanIndex(text string) PlanIndex {
	index := PlanIndex{Phase: text, Plans: []IndexedPlan{}, Waves: map[string][]string{}, Incomplete: []string{}}
	if id, ok := phaseid.Parse(text); ok {
		index.Phase = id.PaddedNumber()
	}
	p, _, err := q.phase(text)
	if err == nil && p.Dir == "" {
		err = &PhaseError{text, nil}
	}
	if missing, ok := errors.AsType[*PhaseError](err); ok {
		index.Error, index.Near = "Phase not found", missing.Near
		return index
	}
	for _, plan := range p.Plans {
		content, err := q.Folder.ReadRoot(path.Join(strings.TrimPrefix(p.Dir, folder.Name+"/"), plan.File))
		if err != nil {
			index.Warnings = append(index.Warnings, err.Error())
		}
		read := artefact.ParsePlan(content)
		if !plan.HasSummary() {
			index.Incomplete = append(index.Incomplete, plan.ID)
		}
		index.Checkpoints = index.Checkpoints || !read.Autonomous
		index.Plans = append(index.Plans, IndexedPlan{
			plan.ID, read.Wave, read.Autonomous, OrNil(read.Objective), append([]string{}, read.Files...), len(read.Tasks), plan.HasSummary(),
		})
		wave := fmt.Sprint(read.Wave)
		index.Waves[wave] = append(index.Waves[wave], plan.ID)
	}
	return index
}

// Directories are the folders of phases, ordered by phase number. Folders without a number come last.
type Directories struct {
	Directories []string `json:"directories"`
	Count       int      `json:"count"`
}

// Directories lists the folders of phases and, with archived, those of archived milestones. It returns an error if the folder cannot be
// listed.
func (q *Questions) Directories(archived bool) (Directories, error) {
	entries, err := q.Folder.List("phases")
	if err != nil {
		return Directories{}, err
	}
	type dir struct {
		name string
		id   phaseid.ID
	}
	var list []dir
	add := func(name, shown string) {
		id, _, ok := phaseid.ParseFolder(name)
		if !ok {
			id = phaseid.ID{Custom: name}
		}
		list = append(list, dir{shown, id})
	}
	for _, e := range entries {
		if e.Dir {
			add(e.Name, e.Name)
		}
	}
	for _, a := range q.Inventory.Archives {
		for _, p := range a.Phases {
			if archived {
				add(path.Base(p.Dir), path.Base(p.Dir)+" ["+a.Version+"]")
			}
		}
	}
	slices.SortStableFunc(list, func(a, b dir) int { return phaseid.Compare(a.id, b.id) })
	d := Directories{Directories: []string{}, Count: len(list)}
	for _, e := range list {
		d.Directories = append(d.Directories, e.name)
	}
	return d, nil
}

// NextDecimal is the number that a phase gets if it is inserted after another one now.
type NextDecimal struct {
	Found    bool     `json:"found"`
	Base     string   `json:"base_phase"`
	Next     string   `json:"next"`
	Existing []string `json:"existing"`
}

// NextDecimal returns the number for a phase to insert after another one. It is larger than all decimals of that phase in the
// roadmap and in names of folders. It fails with a *PhaseError if text is not a number.
func (q *Questions) NextDecimal(text string) (NextDecimal, error) {
	base, ok := phaseid.Parse(text)
	if !ok || base.Digits == "" {
		return NextDecimal{}, &PhaseError{text, q.Inventory.NearPhases(text)}
	}
	base, _ = phaseid.Parse(base.PaddedNumber())
	var ids []phaseid.ID
	n := NextDecimal{Base: base.PaddedNumber(), Existing: []string{}}
	for _, p := range slices.Concat(q.Inventory.Phases, q.Inventory.Others, q.Inventory.Backlog) {
		ids = append(ids, p.ID)
		n.Found = n.Found || phaseid.Same(p.ID, base) && p.Dir != ""
		if len(p.ID.Decimals) == len(base.Decimals)+1 && strings.HasPrefix(p.ID.Key(), base.Key()+".") {
			n.Existing = append(n.Existing, base.PaddedNumber()+"."+strings.TrimPrefix(p.ID.Key(), base.Key()+"."))
		}
	}
	if r := q.Inventory.Roadmap; r != nil {
		for _, p := range r.Phases {
			ids = append(ids, p.ID)
		}
	}
	n.Next = phaseid.NextDecimal(base, ids).String()
	return n, nil
}
