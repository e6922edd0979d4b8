package formats

import (
	"context"
	"time"

	"ken/internal/delivery/notes"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// Remembered are the formats of what is remembered, for which no index is asked; those that are not asked for are nil.
type Remembered struct {
	Session *Session
	Graph   *GraphState
	Ranked  *RankedContext
}

// Fill makes the format of a name; false if the name is another's.
func (r *Remembered) Fill(ctx context.Context, p *project.Project, name string) (ok bool, err error) {
	switch name {
	case "session":
		r.Session, err = sessionOf(ctx, p)
	case "graph-state", "ranked-context":
		var g *memory.Graph
		if g, err = graphOf(ctx, p); err != nil {
			return true, err
		}
		if name == "graph-state" {
			r.Graph = NewGraphState(g)
		} else {
			r.Ranked = NewRankedContext(g)
		}
	default:
		return false, nil
	}
	return true, err
}

// graphOf is the memory of a project, an empty one if nothing is remembered.
func graphOf(ctx context.Context, p *project.Project) (*memory.Graph, error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return &memory.Graph{}, err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	return m.Graph.Graph(ctx)
}

// exportedSessions and exportedDecisions are how many are exported.
const (
	exportedSessions  = 50
	exportedDecisions = 50
)

// sessionOf is what is remembered of the project's sessions; nothing may be.
func sessionOf(ctx context.Context, p *project.Project) (*Session, error) {
	decisions, _, err := notes.Decisions(ctx, p, exportedDecisions)
	if err != nil {
		return nil, err
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return NewSession(nil, decisions, nil), err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	list, err := m.Sessions(ctx, exportedSessions)
	if err != nil {
		return nil, err
	}
	open, err := m.Notes(ctx, []session.Kind{session.Planned}, true, 0)
	return NewSession(list, decisions, open), err
}

// QueueOf is which pages of a project are to be written.
func QueueOf(ctx context.Context, p *project.Project, s *view.Snapshot) (*Queue, error) {
	pages, err := (entity.Folder{Root: p.Root}).List()
	if err != nil {
		return nil, err
	}
	wanted, err := entity.Next(ctx, s, pages, 0)
	if err != nil {
		return nil, err
	}
	var work entity.Work
	m, err := p.Memory(false)
	if err == nil && m != nil {
		work, err = m.Pages.Work(ctx, time.Now())
	}
	return NewQueue(wanted, &work), err
}
