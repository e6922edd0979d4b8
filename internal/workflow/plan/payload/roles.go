package payload

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/wave"
)

// Role is the task of an agent, such as executor or verifier.
type Role string

// The roles.
const (
	Executor Role = "executor"
	Verifier Role = "verifier"
	Planner  Role = "planner"
	Checker  Role = "checker"
)

// row is a kind of text, with its use by each role.
type row struct {
	name  string
	place int
	roles map[Role]at
}

// at describes the use of a kind of text by one role. The rank is 0 if the role needs the text; else texts with larger ranks are dropped
// first. The text is whole from a size of the window on, and has a shorter form in smaller windows.
type at struct {
	rank, from int
	below      below
}

type below uint8

const (
	nothing   below = iota
	beginning       // the front matter and the beginning
)

// rows lists all kinds of texts in their order in a payload: those that change least first, those for a single agent last.
func rows() []row {
	return []row{
		{"project", 1, map[Role]at{Executor: {rank: 3}, Planner: {rank: 2}, Checker: {rank: 6}, Verifier: {8, Rich, nothing}}},
		{"requirements", 2, map[Role]at{Planner: {rank: 1}, Checker: {rank: 2}, Verifier: {4, Rich, nothing}}},
		{"phase", 3, map[Role]at{Planner: {}, Checker: {}, Verifier: {}, Executor: {7, Rich, nothing}}},
		{"context", 4, map[Role]at{Planner: {rank: 1}, Checker: {rank: 1}, Executor: {4, Rich, beginning}, Verifier: {3, Rich, beginning}}},
		{"research", 5, map[Role]at{Planner: {rank: 3}, Checker: {rank: 5}, Executor: {6, Rich, beginning}}},
		{"summary", 6, map[Role]at{Verifier: {rank: 2}, Executor: {5, Rich, nothing}}},
		{"state", 7, map[Role]at{Executor: {rank: 2}, Planner: {rank: 4}}},
		{"plan", 8, map[Role]at{Executor: {}, Checker: {}, Verifier: {rank: 1}}},
	}
}

// gathering collects the sources for the payload of a role in a phase.
type gathering struct {
	call   *planop.Call
	phase  *wave.Phase
	plan   string // the plan of an executor
	role   Role
	window int
	list   []Source
	absent []Source // texts that the role only gets in larger windows
}

// gather reads the texts that the role gets in a window of this size.
func (g *gathering) gather() error {
	for _, r := range rows() {
		is, ok := r.roles[g.role]
		if !ok {
			continue
		}
		list, err := g.read(r.name)
		if err != nil {
			return err
		}
		for _, s := range list {
			s.Name, s.Place, s.Rank, s.Need = r.name, r.place, is.rank, is.rank == 0
			s.Brief = g.window < is.from
			if s.Brief && is.below == nothing {
				g.absent = append(g.absent, s)
				continue
			}
			g.list = append(g.list, s)
		}
	}
	return nil
}

// read returns the texts of a kind. It returns none if there is no such file.
func (g *gathering) read(name string) ([]Source, error) {
	switch name {
	case "project":
		return g.file(path.Join(folder.Name, "PROJECT.md"))
	case "requirements", "state":
		f, err := g.call.Folder()
		if err != nil {
			return nil, err
		}
		return g.file(f.Path(strings.ToUpper(name) + ".md"))
	case "phase":
		return g.section()
	case "context", "research":
		if file := g.phase.File(strings.ToUpper(name)); file != "" {
			return g.file(path.Join(g.phase.Dir, file))
		}
		return nil, nil
	}
	return g.planTexts(name)
}

// planTexts returns the plans or the summaries of the phase. An executor only gets its own plan, and the summaries of earlier waves.
func (g *gathering) planTexts(name string) ([]Source, error) {
	own := g.phase.Layout.Plan(g.plan)
	var list []Source
	for _, p := range g.phase.Plans {
		file := p.File
		if name == "summary" {
			file = p.Summary
		}
		if file == "" || own != nil && !g.isInput(name, own, p) {
			continue
		}
		more, err := g.file(path.Join(g.phase.Dir, file))
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

func (g *gathering) isInput(name string, own *wave.Placed, p inventory.Plan) bool {
	if name == "plan" {
		return p.ID == own.ID
	}
	other := g.phase.Layout.Plan(p.ID)
	return other != nil && (other.Wave < own.Wave || slices.Contains(own.Needs, p.ID))
}

// section returns the section of the roadmap about the phase.
func (g *gathering) section() ([]Source, error) {
	q, err := query.New(g.call)
	if err != nil {
		return nil, err
	}
	found, err := q.RoadmapPhase(g.phase.Token())
	if err != nil || !found.Found {
		return nil, nil // a phase that has only a folder
	}
	return []Source{{File: q.Folder.Path("ROADMAP.md"), Text: found.Section}}, nil
}

// file reads a file. at is its path from the root of the project. It returns none if there is no such file.
func (g *gathering) file(at string) ([]Source, error) {
	f, err := g.call.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.ReadRoot(strings.TrimPrefix(at, folder.Name+"/"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []Source{{File: at, Text: text}}, nil
}
