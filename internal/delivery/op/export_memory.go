package op

import (
	"context"
	"strings"
	"time"

	"ken/internal/delivery/export"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/plan/position"
)

// rememberedFormats are the export formats made from memory, without an index; those that were not requested are nil.
type rememberedFormats struct {
	Session *export.Session
	Graph   *export.GraphState
	Ranked  *export.RankedContext
}

// setFormat makes the format with a name; ok is false if it is none of these.
func (r *rememberedFormats) setFormat(ctx context.Context, p *project.Project, name string) (ok bool, err error) {
	switch name {
	case "session":
		r.Session, err = exportedSession(ctx, p)
	case "graph-state", "ranked-context":
		var g *memory.Graph
		if g, err = exportedGraph(ctx, p); err != nil {
			return true, err
		}
		if name == "graph-state" {
			r.Graph = export.NewGraphState(g)
		} else {
			r.Ranked = export.NewRankedContext(g)
		}
	default:
		return false, nil
	}
	return true, err
}

// exportedGraph returns the memory of a project as a graph, an empty one if nothing is remembered.
func exportedGraph(ctx context.Context, p *project.Project) (*memory.Graph, error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return &memory.Graph{}, err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	return m.Graph.Graph(ctx)
}

// exportedSessions and exportedDecisions are the numbers of sessions and decisions that are exported.
const (
	exportedSessions  = 50
	exportedDecisions = 50
)

// exportedSession returns the memory of the project's sessions, which may be empty.
func exportedSession(ctx context.Context, p *project.Project) (*export.Session, error) {
	decisions, _, err := memories.Decisions(ctx, p, exportedDecisions)
	if err != nil {
		return nil, err
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return export.NewSession(nil, decisions, nil), err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	list, err := m.Sessions(ctx, exportedSessions)
	if err != nil {
		return nil, err
	}
	open, err := m.Notes(ctx, []session.Kind{session.Planned}, true, 0)
	out := export.NewSession(list, decisions, open)
	if at, ok := position.ProjectPosition(p.Root, "", p.State); ok && out.InProgress.Phase != "" && len(injection.Scan(at.Goal)) == 0 {
		number, _, _ := strings.Cut(strings.TrimPrefix(out.InProgress.Phase, "Phase "), ":")
		if strings.TrimLeft(number, "0") == strings.TrimLeft(at.Phase, "0") {
			out.InProgress.Goal = at.Goal
		}
	}
	return out, err
}

// exportQueue returns the list of the pages of a project that should be written.
func exportQueue(ctx context.Context, p *project.Project, s *view.Snapshot) (*export.Queue, error) {
	pages, err := (entity.Folder{Root: p.Root}).List()
	if err != nil {
		return nil, err
	}
	created, err := p.CreatedFiles(ctx)
	if err != nil {
		return nil, err
	}
	wanted, err := entity.NextWanted(ctx, s, pages, created)
	if err != nil {
		return nil, err
	}
	var work entity.Work
	m, err := p.Memory(false)
	if err == nil && m != nil {
		work, err = m.Pages.Work(ctx, time.Now())
	}
	return export.NewQueue(wanted, &work), err
}
