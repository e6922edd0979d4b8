package phases

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// ListedPlans are the plans of a phase.
type ListedPlans struct {
	Phase string       `json:"phase"`
	Plans []ListedPlan `json:"plans"`
	Count int          `json:"count"`
}

// ListedPlan is a plan and how far it is.
type ListedPlan struct {
	ID         string  `json:"id"`
	File       string  `json:"file"`
	Summary    *string `json:"summary"`
	HasSummary bool    `json:"has_summary"`
}

// Artifacts are files of a phase.
type Artifacts struct {
	Phase     string     `json:"phase"`
	Type      *string    `json:"type"`
	Artifacts []Artifact `json:"artifacts"`
	Count     int        `json:"count"`
}

// Artifact is a file of a phase with its kind, "" if it has none.
type Artifact struct {
	File string `json:"file"`
	Type string `json:"type"`
}

// TaskStructure are the tasks of a plan.
type TaskStructure struct {
	Path  string `json:"path"`
	Tasks []Task `json:"tasks"`
	Count int    `json:"task_count"`
}

// Task is a task of a plan with the parts that it has.
type Task struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	TDD        bool     `json:"tdd"`
	Gate       string   `json:"gate"`
	Checkpoint bool     `json:"checkpoint"`
	Files      []string `json:"files"`
	HasAction  bool     `json:"has_action"`
	HasVerify  bool     `json:"has_verify"`
	HasDone    bool     `json:"has_done"`
	Line       int      `json:"line"`
}

// Extracted are the requirements that the plans of a phase name.
type Extracted struct {
	Phase        string              `json:"phase"`
	Requirements []string            `json:"requirements"`
	ByPlan       map[string][]string `json:"by_plan"`
	Count        int                 `json:"count"`
}

// Accepted is whether all acceptance tests of a phase passed.
type Accepted struct {
	Phase    string         `json:"phase"`
	Passed   bool           `json:"passed"`
	Files    []AcceptedFile `json:"files"`
	Blockers []string       `json:"blockers"`
}

// AcceptedFile are the tests of a file by their results.
type AcceptedFile struct {
	File   string         `json:"file"`
	Status string         `json:"status"`
	Total  int            `json:"total"`
	Passed int            `json:"passed"`
	Counts map[string]int `json:"results"`
}

// kinds are the kinds of files of a phase.
var kinds = [...]string{
	"PLAN", "SUMMARY", "CONTEXT", "DISCUSSION-LOG", "SPEC", "RESEARCH", "DISCOVERY", "UI-SPEC", "AI-SPEC", "PATTERNS", "VALIDATION", "USER-SETUP", "VERIFICATION",
	"HUMAN-UAT", "UAT", "REVIEW-FIX", "REVIEWS", "REVIEW", "SECURITY", "UI-REVIEW", "EVAL-REVIEW", "LEARNINGS",
}

// kindOf is the kind of a file, "" if it has none.
func kindOf(name string) string {
	best := ""
	for _, k := range kinds {
		if _, ok := inventory.Kind(name, k); ok && len(k) > len(best) {
			best = k
		}
	}
	return best
}

// ofPhase declares an operation that says something about a phase.
func ofPhase[A any](name, summary string, flags []planop.Flag, ask func(j *job, p *inventory.Phase) (A, error)) *planop.Operation {
	return &planop.Operation{
		Name: name, Summary: summary, Args: []planop.Arg{{Name: "PHASE", Help: "the number of the phase"}}, Flags: flags,
		Run: func(_ context.Context, c *planop.Call) (any, error) {
			inv, err := c.Inventory()
			if err != nil {
				return nil, err
			}
			p, err := find(inv, c.Arg("PHASE"))
			if err != nil {
				return nil, err
			}
			f, err := c.Folder()
			if err != nil {
				return nil, err
			}
			j := &job{Call: c, inv: inv, read: func(name string) (string, bool, error) {
				text, err := f.ReadRoot(name)
				if errors.Is(err, fs.ErrNotExist) {
					return "", false, nil
				}
				return text, err == nil, err
			}}
			return ask(j, p)
		},
	}
}

func readers() []*planop.Operation {
	kind := planop.Flag{Name: "type", Help: "files of this kind alone: plan, summary, context, research, verification, uat, …"}
	list := ofPhase("phase list-plans", "the plans of a phase and whether they were carried out", nil, listPlans)
	list.Plain = func(a any) string {
		var b strings.Builder
		for _, p := range a.(ListedPlans).Plans {
			b.WriteString(p.File + "\n")
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	structure := &planop.Operation{
		Name: "plan task-structure", Summary: "the tasks of a plan and which parts each has", Run: taskStructure,
		Args: []planop.Arg{{Name: "FILE", Help: "a PLAN.md, from the root of the project"}},
	}
	return []*planop.Operation{
		list, ofPhase("phase list-artifacts", "the files of a phase with their kinds", []planop.Flag{kind}, artifacts), structure,
		ofPhase("requirements extract-from-plans", "the requirements that the plans of a phase name", nil, extract),
		ofPhase("phase uat-passed", "whether all acceptance tests of a phase passed", nil, accepted),
	}
}

func listPlans(_ *job, p *inventory.Phase) (ListedPlans, error) {
	out := ListedPlans{Phase: p.ID.String(), Plans: []ListedPlan{}, Count: len(p.Plans)}
	for _, plan := range p.Plans {
		l := ListedPlan{ID: plan.ID, File: path.Join(p.Dir, plan.File), HasSummary: plan.HasSummary()}
		if plan.HasSummary() {
			summary := path.Join(p.Dir, plan.Summary)
			l.Summary = &summary
		}
		out.Plans = append(out.Plans, l)
	}
	return out, nil
}

func artifacts(j *job, p *inventory.Phase) (Artifacts, error) {
	out := Artifacts{Phase: p.ID.String(), Artifacts: []Artifact{}}
	want := strings.ToUpper(j.Flag("type"))
	if want != "" {
		if !slices.Contains(kinds[:], want) {
			return Artifacts{}, j.Operation.Usagef("--type is %.40q; it can be %s", j.Flag("type"), strings.ToLower(strings.Join(kinds[:], ", ")))
		}
		kind := strings.ToLower(want)
		out.Type = &kind
	}
	for _, name := range p.Names {
		if k := kindOf(name); want == "" || k == want {
			out.Artifacts = append(out.Artifacts, Artifact{path.Join(p.Dir, name), strings.ToLower(k)})
		}
	}
	out.Count = len(out.Artifacts)
	return out, nil
}

func taskStructure(_ context.Context, c *planop.Call) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	name, ok := strings.CutPrefix(path.Clean(c.Arg("FILE")), folder.Name+"/")
	if !ok {
		return nil, planop.Faultf("path_outside", "%.200s is not in %s", c.Arg("FILE"), folder.Name)
	}
	text, err := f.ReadRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, planop.Faultf("file_not_found", "%.200s: there is no such file", c.Arg("FILE"))
	}
	if err != nil {
		return nil, err
	}
	out := TaskStructure{Path: path.Join(folder.Name, name), Tasks: []Task{}}
	for _, t := range artefact.ParsePlan(text).Tasks {
		out.Tasks = append(out.Tasks, Task{
			t.Name, t.Type, t.TDD, t.Gate, t.Checkpoint(), append([]string{}, t.Files...), t.HasAction, t.HasVerify, t.HasDone, t.Line + 1,
		})
	}
	out.Count = len(out.Tasks)
	return out, nil
}

func extract(j *job, p *inventory.Phase) (Extracted, error) {
	out := Extracted{Phase: p.ID.String(), Requirements: []string{}, ByPlan: map[string][]string{}}
	list, err := j.planFiles(p)
	if err != nil {
		return Extracted{}, err
	}
	for i, plan := range list {
		out.ByPlan[p.Plans[i].ID] = append([]string{}, plan.Requirements...)
		for _, id := range plan.Requirements {
			if !slices.Contains(out.Requirements, id) {
				out.Requirements = append(out.Requirements, id)
			}
		}
	}
	out.Count = len(out.Requirements)
	return out, nil
}

func accepted(j *job, p *inventory.Phase) (Accepted, error) {
	out := Accepted{Phase: p.ID.String(), Files: []AcceptedFile{}, Blockers: []string{}}
	for _, name := range p.Names {
		if k := kindOf(name); k != "UAT" && k != "HUMAN-UAT" {
			continue
		}
		text, _, err := j.text(path.Join(j.inPart(p.Dir), name))
		if err != nil {
			return Accepted{}, err
		}
		u := artefact.ParseUAT(text)
		file := AcceptedFile{File: path.Join(p.Dir, name), Status: u.Status, Total: len(u.Tests), Counts: map[string]int{}}
		for _, t := range u.Tests {
			result, _ := t.Outcome()
			file.Counts[result]++
			if result == "pass" {
				file.Passed++
			} else if result != "skipped" {
				out.Blockers = append(out.Blockers, name+": "+t.Name+" is "+result)
			}
		}
		if file.Total == 0 {
			out.Blockers = append(out.Blockers, name+": has no test")
		}
		out.Files = append(out.Files, file)
	}
	if len(out.Files) == 0 {
		out.Blockers = append(out.Blockers, "there are no acceptance tests")
	}
	out.Passed = len(out.Blockers) == 0
	return out, nil
}
