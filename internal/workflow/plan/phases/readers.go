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

// ListedPlan is a plan in a list, and whether it is finished.
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

// Artifact is a file of a phase with its kind, or "".
type Artifact struct {
	File string `json:"file"`
	Type string `json:"type"`
}

// TaskStructure has the tasks of a plan.
type TaskStructure struct {
	Path  string `json:"path"`
	Tasks []Task `json:"tasks"`
	Count int    `json:"task_count"`
}

// Task is a task of a plan. Its fields report which parts the task has: files, an action, a verification.
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

// Extracted are the ids of requirements that the plans of a phase contain.
type Extracted struct {
	Phase        string              `json:"phase"`
	Requirements []string            `json:"requirements"`
	ByPlan       map[string][]string `json:"by_plan"`
	Count        int                 `json:"count"`
}

// Accepted reports whether all acceptance tests of a phase passed.
type Accepted struct {
	Phase    string         `json:"phase"`
	Passed   bool           `json:"passed"`
	Files    []AcceptedFile `json:"files"`
	Blockers []string       `json:"blockers"`
}

// AcceptedFile has the acceptance tests of one file, by their results.
type AcceptedFile struct {
	File   string         `json:"file"`
	Status string         `json:"status"`
	Total  int            `json:"total"`
	Passed int            `json:"passed"`
	Counts map[string]int `json:"results"`
}

// fileKind returns the kind of a document in the folder of a phase, or "".
func fileKind(name string) string {
	best := ""
	for _, k := range inventory.DocumentKinds() {
		if _, ok := inventory.StemOfKind(name, k); ok && len(k) > len(best) {
			best = k
		}
	}
	return best
}

// phaseOperation declares an operation on the phase that its input names.
func phaseOperation[In phaseNamer, A any](s planop.Spec[In, A], ask func(j *phaseJob, p *inventory.Phase, in *In) (A,
	error)) *planop.Operation {
	s.Run = func(_ context.Context, c *planop.Call, in *In) (none A, err error) {
		inv, err := c.Inventory()
		if err != nil {
			return none, err
		}
		p, err := findInInventory(inv, (*in).phase())
		if err != nil {
			return none, err
		}
		f, err := c.Folder()
		if err != nil {
			return none, err
		}
		j := &phaseJob{Call: c, inv: inv, read: func(name string) (string, bool, error) {
			text, err := f.ReadRoot(name)
			if errors.Is(err, fs.ErrNotExist) {
				return "", false, nil
			}
			return text, err == nil, err
		}}
		return ask(j, p, in)
	}
	return s.Operation()
}

// phaseNamer is the input of an operation that names a phase.
type phaseNamer interface{ phase() string }

func (in phaseInput) phase() string          { return in.Phase }
func (in phaseArtifactsInput) phase() string { return in.Phase }

type phaseArtifactsInput struct {
	Phase string `arg:"PHASE" help:"the number of the phase"`
	Type  string `flag:"type" help:"files of this kind alone: plan, summary, context, research, verification, uat, …"`
}

type fileInput struct {
	File string `arg:"FILE" help:"a PLAN.md, from the root of the project"`
}

func readOperations() []*planop.Operation {
	structure := planop.Spec[fileInput, TaskStructure]{
		Name: "plan task-structure", Summary: "the tasks of a plan and which parts each has", Run: taskStructure,
	}.Operation()
	return []*planop.Operation{
		phaseOperation(planop.Spec[phaseInput, ListedPlans]{
			Name: "phase list-plans", Summary: "the plans of a phase and whether they were carried out", Plain: ListedPlans.plain,
		}, listPlans),
		phaseOperation(planop.Spec[phaseArtifactsInput, Artifacts]{
			Name: "phase list-artifacts", Summary: "the files of a phase with their kinds",
		}, listArtifacts),
		structure,
		phaseOperation(planop.Spec[phaseInput, Extracted]{
			Name: "requirements extract-from-plans", Summary: "the requirements that the plans of a phase name",
		}, extractRequirements),
		phaseOperation(planop.Spec[phaseInput, Accepted]{
			Name: "phase uat-passed", Summary: "whether all acceptance tests of a phase passed",
		}, checkAcceptance),
	}
}

func (a ListedPlans) plain() string {
	var b strings.Builder
	for _, p := range a.Plans {
		b.WriteString(p.File + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func listPlans(_ *phaseJob, p *inventory.Phase, _ *phaseInput) (ListedPlans, error) {
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

func listArtifacts(j *phaseJob, p *inventory.Phase, in *phaseArtifactsInput) (Artifacts, error) {
	out := Artifacts{Phase: p.ID.String(), Artifacts: []Artifact{}}
	want := strings.ToUpper(in.Type)
	if want != "" {
		if !slices.Contains(inventory.DocumentKinds(), want) {
			return Artifacts{}, planop.Usagef("--type is %.40q; it can be %s", in.Type, strings.ToLower(strings.Join(inventory.DocumentKinds(), ", ")))
		}
		kind := strings.ToLower(want)
		out.Type = &kind
	}
	for _, name := range p.Names {
		if k := fileKind(name); want == "" || k == want {
			out.Artifacts = append(out.Artifacts, Artifact{path.Join(p.Dir, name), strings.ToLower(k)})
		}
	}
	out.Count = len(out.Artifacts)
	return out, nil
}

func taskStructure(_ context.Context, c *planop.Call, in *fileInput) (TaskStructure, error) {
	f, err := c.Folder()
	if err != nil {
		return TaskStructure{}, err
	}
	name, ok := strings.CutPrefix(path.Clean(in.File), folder.Name+"/")
	if !ok {
		return TaskStructure{}, planop.Faultf("path_outside", "%.200s is not in %s", in.File, folder.Name)
	}
	text, err := f.ReadRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return TaskStructure{}, planop.Faultf("file_not_found", "%.200s: there is no such file", in.File)
	}
	if err != nil {
		return TaskStructure{}, err
	}
	out := TaskStructure{Path: path.Join(folder.Name, name), Tasks: []Task{}}
	for _, t := range artefact.ParsePlan(text).Tasks {
		out.Tasks = append(out.Tasks, Task{
			t.Name, t.Type, t.TDD, t.Gate, t.IsCheckpoint(), append([]string{}, t.Files...), t.HasAction, t.HasVerify, t.HasDone, t.Line + 1,
		})
	}
	out.Count = len(out.Tasks)
	return out, nil
}

func extractRequirements(j *phaseJob, p *inventory.Phase, _ *phaseInput) (Extracted, error) {
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

func checkAcceptance(j *phaseJob, p *inventory.Phase, _ *phaseInput) (Accepted, error) {
	out := Accepted{Phase: p.ID.String(), Files: []AcceptedFile{}, Blockers: []string{}}
	for _, name := range p.Names {
		if k := fileKind(name); k != "UAT" && k != "HUMAN-UAT" {
			continue
		}
		text, _, err := j.readText(path.Join(j.planningPath(p.Dir), name))
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
