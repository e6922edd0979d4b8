package payload

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/stores"
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

// textKind is a kind of text, with its use by each role.
type textKind struct {
	name  string
	place int
	roles map[Role]roleUse
}

// roleUse describes the use of a kind of text by one role. The rank is 0 if the role needs the text; else texts with larger ranks are
// dropped first. The text is whole if the context window has at least a certain size, and has a shorter form in smaller windows.
type roleUse struct {
	rank, from int
	below      shortBelow
}

type shortBelow uint8

const (
	nothing   shortBelow = iota
	beginning            // the front matter and the beginning
)

// textKinds lists all kinds of texts in their order in a payload: those that change least first, those for a single agent last.
func textKinds() []textKind {
	return []textKind{
		{"project", 1, map[Role]roleUse{Executor: {rank: 3}, Planner: {rank: 2}, Checker: {rank: 6}, Verifier: {8, Rich, nothing}}},
		{"requirements", 2, map[Role]roleUse{Planner: {rank: 1}, Checker: {rank: 2}, Verifier: {4, Rich, nothing}}},
		{"phase", 3, map[Role]roleUse{Planner: {}, Checker: {}, Verifier: {}, Executor: {7, Rich, nothing}}},
		{"context", 4, map[Role]roleUse{Planner: {rank: 1}, Checker: {rank: 1}, Executor: {4, Rich, beginning}, Verifier: {3, Rich, beginning}}},
		{"research", 5, map[Role]roleUse{Planner: {rank: 3}, Checker: {rank: 5}, Executor: {6, Rich, beginning}}},
		{"summary", 6, map[Role]roleUse{Verifier: {rank: 2}, Executor: {5, Rich, nothing}}},
		{"state", 7, map[Role]roleUse{Executor: {rank: 2}, Planner: {rank: 4}}},
		{"brief", 8, map[Role]roleUse{Planner: {rank: 1}}},
		{"plan", 9, map[Role]roleUse{Executor: {}, Checker: {}, Verifier: {rank: 1}}},
		{"learnings", 11, map[Role]roleUse{Planner: {rank: 5}}},
		{"issues", 10, map[Role]roleUse{Planner: {}, Checker: {rank: 1}}}, // of the last check
	}
}

// sourceGatherer collects the sources for the payload of a role in a phase.
type sourceGatherer struct {
	call   *planop.Call
	phase  *wave.Phase
	plan   string // the plan of an executor
	role   Role
	brief  string // of the code that the phase concerns
	window int
	list   []Source
	absent []Source // texts that the role only gets in larger windows
}

// gatherSources reads the texts that the role gets in a window of this size.
func (g *sourceGatherer) gatherSources() error {
	for _, r := range textKinds() {
		is, ok := r.roles[g.role]
		if !ok {
			continue
		}
		list, err := g.readKind(r.name)
		if err != nil {
			return err
		}
		for _, s := range list {
			s.Name, s.Place, s.Rank, s.Need = r.name, r.place, is.rank, is.rank == 0
			s.Brief = g.window < is.from
			if g.call.Orders != nil {
				s.Orders = g.call.Orders(s.Text)
			}
			if s.Brief && is.below == nothing {
				g.absent = append(g.absent, s)
				continue
			}
			g.list = append(g.list, s)
		}
	}
	return nil
}

// readKind returns the texts of a kind. It returns none if there is no such file.
func (g *sourceGatherer) readKind(name string) ([]Source, error) {
	switch name {
	case "project":
		return g.readFile(path.Join(folder.Name, "PROJECT.md"))
	case "requirements", "state":
		f, err := g.call.Folder()
		if err != nil {
			return nil, err
		}
		return g.readFile(f.Path(strings.ToUpper(name) + ".md"))
	case "phase":
		return g.roadmapSection()
	case "issues":
		text, err := wave.Findings(g.call, g.phase)
		if err != nil || text == "" {
			return nil, err
		}
		return []Source{{Text: text}}, nil
	case "learnings":
		return g.learnings()
	case "brief":
		if g.brief == "" {
			return nil, nil
		}
		return []Source{{Text: g.brief}}, nil
	case "context", "research":
		if file := g.phase.FirstOfKind(strings.ToUpper(name)); file != "" {
			return g.readFile(path.Join(g.phase.Dir, file))
		}
		return nil, nil
	}
	return g.planTexts(name)
}

// maxLearnings is the number of learnings that a planner gets, if the settings have none.
const maxLearnings = 5

// learnings returns what the project learned about the words of the phase, as many entries as learnings.max_inject allows.
func (g *sourceGatherer) learnings() ([]Source, error) {
	set, err := g.call.Settings()
	if err != nil {
		return nil, err
	}
	phase, err := g.roadmapSection()
	if err != nil {
		return nil, err
	}
	about := g.phase.Name
	for _, s := range phase {
		about += " " + s.Text
	}
	n := maxLearnings
	if v, _ := set.Get("learnings.max_inject"); v != nil {
		n = max(0, set.Number("learnings.max_inject"))
	}
	list, err := stores.RelevantLearnings(g.call, about, n)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var b strings.Builder
	for _, l := range list {
		b.WriteString("- " + l.Context + " (" + l.Project + "): " + argument.SingleLine(l.Text) + "\n")
	}
	return []Source{{Text: b.String()}}, nil
}

// planTexts returns the plans or the summaries of the phase. An executor only gets its own plan, and the summaries of earlier waves.
func (g *sourceGatherer) planTexts(name string) ([]Source, error) {
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
		more, err := g.readFile(path.Join(g.phase.Dir, file))
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

func (g *sourceGatherer) isInput(name string, own *wave.Placed, p inventory.Plan) bool {
	if name == "plan" {
		return p.ID == own.ID
	}
	other := g.phase.Layout.Plan(p.ID)
	return other != nil && (other.Wave < own.Wave || slices.Contains(own.Needs, p.ID))
}

// roadmapSection returns the section of the roadmap about the phase.
func (g *sourceGatherer) roadmapSection() ([]Source, error) {
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

// readFile reads a file. at is its path from the root of the project. It returns none if there is no such file.
func (g *sourceGatherer) readFile(at string) ([]Source, error) {
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
