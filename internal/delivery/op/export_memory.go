package op

import (
	"context"

	"ken/internal/delivery/formats"
	"ken/internal/delivery/notes"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// remembered are the formats of what is remembered, for which no index is asked.
func remembered() map[string]func(ctx context.Context, p *project.Project, a *exportAnswer) error {
	return map[string]func(ctx context.Context, p *project.Project, a *exportAnswer) error{
		"session": func(ctx context.Context, p *project.Project, a *exportAnswer) (err error) {
			a.Session, err = exportSession(ctx, p)
			return err
		},
		"graph-state": func(ctx context.Context, p *project.Project, a *exportAnswer) error {
			g, err := graphOf(ctx, p)
			a.Graph = formats.NewGraphState(g)
			return err
		},
		"ranked-context": func(ctx context.Context, p *project.Project, a *exportAnswer) error {
			g, err := graphOf(ctx, p)
			a.Ranked = formats.NewRankedContext(g)
			return err
		},
	}
}

// graphOf is the memory of a project, an empty one if nothing is remembered.
func graphOf(ctx context.Context, p *project.Project) (*memory.Graph, error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return &memory.Graph{}, err
	}
	if err := m.Drain(ctx); err != nil {
		return &memory.Graph{}, err
	}
	return m.Graph.Graph(ctx)
}

// exportedSessions and exportedDecisions are how many are exported.
const (
	exportedSessions  = 50
	exportedDecisions = 50
)

// exportSession is what is remembered of the project; nothing may be.
func exportSession(ctx context.Context, p *project.Project) (*formats.Session, error) {
	decisions, _, err := notes.Decisions(ctx, p, exportedDecisions)
	if err != nil {
		return nil, err
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return formats.NewSession(nil, decisions, nil), err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	list, err := m.Sessions(ctx, exportedSessions)
	if err != nil {
		return nil, err
	}
	open, err := m.Notes(ctx, []session.Kind{session.Planned}, true, 0)
	return formats.NewSession(list, decisions, open), err
}
