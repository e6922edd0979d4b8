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

// view is a workstream as the operations show it.
type view struct {
	name   string
	base   string // from the root of the project
	has    map[string]bool
	state  *fields
	phases []phaseDir
	inv    *inventory.Inventory
}

// fields are the fields of STATE.md that a list of workstreams shows.
type fields struct {
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

func look(project, name string) (*view, error) {
	f, err := folder.Open(project, folder.Options{Workstream: name})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v := &view{name: name, base: f.Base, has: map[string]bool{}}
	for _, file := range moved {
		v.has[file] = f.Exists(file)
	}
	if v.inv, err = inventory.Read(f); err != nil {
		return nil, err
	}
	if s := v.inv.State; s != nil {
		v.state = &fields{Status: "unknown", Phase: some(s.Value("Current Phase")), Last: some(s.Value("Last Activity"))}
		if text := s.Value("Status"); text != "" {
			v.state.Status = text
		}
		if p := s.Position(); v.state.Phase == nil && !p.Phase.None() {
			v.state.Phase = some(p.Phase.String())
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

func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (v *view) complete() (n int) {
	for _, p := range v.phases {
		if p.Status == "complete" {
			n++
		}
	}
	return n
}

func (v *view) status() (status string, phase *string) {
	if v.state == nil {
		return "unknown", nil
	}
	return v.state.Status, v.state.Phase
}

// each reads all workstreams. It returns false if the planning folder has none.
func each(c *planop.Call) (list []*view, project string, ok bool, err error) {
	f, err := whole(c)
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
		v, err := look(f.Project, name)
		if err != nil {
			return nil, "", false, err
		}
		list = append(list, v)
	}
	return list, f.Project, true, nil
}

const flatMessage = "there are no workstreams; the planning folder is not divided"

// flat is the answer about a planning folder without workstreams.
type flat struct {
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

func list(_ context.Context, c *planop.Call, _ *planop.NoInput) (any, error) {
	views, _, ok, err := each(c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return flat{"flat", []string{}, flatMessage}, nil
	}
	a := listed{"workstream", []row{}, len(views)}
	for _, v := range views {
		status, phase := v.status()
		a.List = append(a.List, row{v.name, v.base, v.has["ROADMAP.md"], v.has["STATE.md"], status, phase, len(v.phases), v.complete()})
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
	*fields
}

func status(_ context.Context, c *planop.Call, in *nameInput) (any, error) {
	f, err := whole(c)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := in.Name
	if !folder.ValidName(name) || !f.ExistsRoot(path.Join(root, name)) {
		return Failed{Found: new(false), Workstream: name}, nil
	}
	v, err := look(f.Project, name)
	if err != nil {
		return nil, err
	}
	a := found{
		Found: true, Workstream: name, Path: v.base, Phases: append([]phaseDir{}, v.phases...), Count: len(v.phases), Completed: v.complete(),
		fields: v.state,
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

func progress(_ context.Context, c *planop.Call, _ *planop.NoInput) (any, error) {
	views, project, ok, err := each(c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return flat{"flat", []string{}, flatMessage}, nil
	}
	a := progressed{Mode: "workstream", List: []progressRow{}, Count: len(views)}
	if a.Active, err = activeIn(c, project); err != nil {
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
			Phases: fmt.Sprintf("%d/%d", v.complete(), phases), Plans: fmt.Sprintf("%d/%d", done, plans),
		}
		if phases > 0 {
			r.Percent = int(math.Round(100 * float64(v.complete()) / float64(phases)))
		}
		a.List = append(a.List, r)
	}
	return a, nil
}
