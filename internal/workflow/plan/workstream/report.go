package workstream

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// streamView is a workstream as the operations show it.
type streamView struct {
	name   string
	base   string // from the root of the project
	has    map[string]bool
	state  *stateFields
	phases []phaseDir
	inv    *inventory.Inventory
}

// stateFields are the fields of STATE.md that a list of workstreams shows.
type stateFields struct {
	Status string  `json:"status"`
	Phase  *string `json:"current_phase"`
	Last   *string `json:"last_activity"`
}

type phaseDir struct {
	Directory string `json:"directory"`
	Status    string `json:"status"`
	Plans     int    `json:"plan_count"`
	Summaries int    `json:"summary_count"`
}

func readView(project, name string) (*streamView, error) {
	f, err := folder.Open(project, folder.Options{Workstream: name})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v := &streamView{name: name, base: f.Base, has: map[string]bool{}}
	for _, file := range movedFiles {
		v.has[file] = f.Exists(file)
	}
	if v.inv, err = inventory.Read(f); err != nil {
		return nil, err
	}
	if s := v.inv.State; s != nil {
		v.state = &stateFields{Status: "unknown", Phase: nonEmpty(s.Value("Current Phase")), Last: nonEmpty(s.Value("Last Activity"))}
		if text := s.Value("Status"); text != "" {
			v.state.Status = text
		}
		if p := s.Position(); v.state.Phase == nil && !p.Phase.IsNone() {
			v.state.Phase = nonEmpty(p.Phase.String())
		}
	}
	for _, p := range slices.Concat(v.inv.Phases, v.inv.Backlog, v.inv.Others) {
		if p.Dir == "" {
			continue
		}
		d := phaseDir{path.Base(p.Dir), "pending", len(p.Plans), len(p.Summaries)}
		if p.IsExecuted() {
			d.Status = "complete"
		} else if d.Plans > 0 {
			d.Status = "in_progress"
		}
		v.phases = append(v.phases, d)
	}
	for _, name := range v.inv.Unnumbered {
		v.phases = append(v.phases, phaseDir{Directory: path.Base(name), Status: "pending"})
	}
	slices.SortFunc(v.phases, func(a, b phaseDir) int { return strings.Compare(a.Directory, b.Directory) })
	return v, nil
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (v *streamView) completePhases() (n int) {
	for _, p := range v.phases {
		if p.Status == "complete" {
			n++
		}
	}
	return n
}

func (v *streamView) status() (status string, phase *string) {
	if v.state == nil {
		return "unknown", nil
	}
	return v.state.Status, v.state.Phase
}

// readAll reads all workstreams. It returns false if the planning folder has none.
func readAll(c *planop.Call) (list []*streamView, project string, ok bool, err error) {
	f, err := openWholeFolder(c)
	if err != nil {
		return nil, "", false, err
	}
	defer f.Close()
	if !f.ExistsRoot(root) {
		return nil, f.Project, false, nil
	}
	names, err := f.Workstreams()
	if err != nil {
		return nil, "", false, err
	}
	for _, name := range names {
		v, err := readView(f.Project, name)
		if err != nil {
			return nil, "", false, err
		}
		list = append(list, v)
	}
	return list, f.Project, true, nil
}

const flatMessage = "there are no workstreams; the planning folder is not divided"

// noStreamsAnswer is the answer about a planning folder without workstreams.
type noStreamsAnswer struct {
	Mode    string   `json:"mode"`
	List    []string `json:"workstreams"`
	Message string   `json:"message"`
}

type listed struct {
	Mode  string `json:"mode"`
	List  []row  `json:"workstreams"`
	Count int    `json:"count"`
}

type row struct {
	Name      string  `json:"name"`
	Path      string  `json:"path"`
	Roadmap   bool    `json:"has_roadmap"`
	State     bool    `json:"has_state"`
	Status    string  `json:"status"`
	Phase     *string `json:"current_phase"`
	Phases    int     `json:"phase_count"`
	Completed int     `json:"completed_phases"`
}

func listStreams(_ context.Context, c *planop.Call, _ *planop.NoInput) (any, error) {
	views, _, ok, err := readAll(c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return noStreamsAnswer{"flat", []string{}, flatMessage}, nil
	}
	a := listed{"workstream", []row{}, len(views)}
	for _, v := range views {
		status, phase := v.status()
		a.List = append(a.List, row{v.name, v.base, v.has["ROADMAP.md"], v.has["STATE.md"], status, phase, len(v.phases), v.completePhases()})
	}
	return a, nil
}

type found struct {
	Found      bool   `json:"found"`
	Workstream string `json:"workstream"`
	Path       string `json:"path"`
	Files      struct {
		Roadmap      bool `json:"roadmap"`
		State        bool `json:"state"`
		Requirements bool `json:"requirements"`
	} `json:"files"`
	Phases    []phaseDir `json:"phases"`
	Count     int        `json:"phase_count"`
	Completed int        `json:"completed_phases"`
	*stateFields
}

func showStatus(_ context.Context, c *planop.Call, in *nameInput) (any, error) {
	f, err := openWholeFolder(c)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := in.Name
	if !folder.ValidName(name) || !f.ExistsRoot(path.Join(root, name)) {
		return FailedAnswer{Found: new(false), Workstream: name}, nil
	}
	v, err := readView(f.Project, name)
	if err != nil {
		return nil, err
	}
	a := found{
		Found: true, Workstream: name, Path: v.base, Phases: append([]phaseDir{}, v.phases...), Count: len(v.phases), Completed: v.completePhases(),
		stateFields: v.state,
	}
	a.Files.Roadmap, a.Files.State, a.Files.Requirements = v.has["ROADMAP.md"], v.has["STATE.md"], v.has["REQUIREMENTS.md"]
	return a, nil
}

type progressed struct {
	Mode   string        `json:"mode"`
	Active *string       `json:"active"`
	List   []progressRow `json:"workstreams"`
	Count  int           `json:"count"`
}

type progressRow struct {
	Name    string  `json:"name"`
	Active  bool    `json:"active"`
	Status  string  `json:"status"`
	Phase   *string `json:"current_phase"`
	Phases  string  `json:"phases"`
	Plans   string  `json:"plans"`
	Percent int     `json:"progress_percent"`
}

func showProgress(_ context.Context, c *planop.Call, _ *planop.NoInput) (any, error) {
	views, project, ok, err := readAll(c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return noStreamsAnswer{"flat", []string{}, flatMessage}, nil
	}
	a := progressed{Mode: "workstream", List: []progressRow{}, Count: len(views)}
	if a.Active, err = activeStream(c, project); err != nil {
		return nil, err
	}
	for _, v := range views {
		status, phase := v.status()
		phases, plans, done := len(v.phases), 0, 0
		if v.inv.Roadmap != nil && len(v.inv.Roadmap.Phases) > 0 {
			phases = len(v.inv.Roadmap.Phases)
		}
		for _, p := range v.phases {
			plans += p.Plans
			done += min(p.Plans, p.Summaries)
		}
		r := progressRow{
			Name: v.name, Active: a.Active != nil && *a.Active == v.name, Status: status, Phase: phase,
			Phases: fmt.Sprintf("%d/%d", v.completePhases(), phases), Plans: fmt.Sprintf("%d/%d", done, plans),
		}
		if phases > 0 {
			r.Percent = int(math.Round(100 * float64(v.completePhases()) / float64(phases)))
		}
		a.List = append(a.List, r)
	}
	return a, nil
}
