package agentevent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/workflow/agent"
)

// Bounds of work during an agent's session.
const (
	// maxReconcile bounds the work at a stop. With start and end of the process it stays within half a second: the agent does not wait
	// for it, but it takes processor time from the agent's work.
	maxReconcile = 450 * time.Millisecond
	// editTime and askTime are how long an edit and a question may take. They are far more than
	// either needs, but for an index that has to be made anew, which is left to commands.
	editTime       = 4 * time.Second
	askTime        = 2 * time.Second
	maxChanges     = 500 // files that one event records as changed
	maxDefinitions = 3   // of a name that is searched
	maxUses        = 4
)

func sortSymbols(list []view.Symbol) {
	slices.SortFunc(list, func(a, b view.Symbol) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Line, b.Span.Line), cmp.Compare(a.Qualified, b.Qualified))
	})
}

// onSearch returns where a name that an agent is about to search for is defined and used, once in a session.
func (h *Handler) onSearch(ctx context.Context, e *agent.Event, name string) agent.Reply {
	var lines []string
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	err := h.Project.AskChecked(asking, func(ctx context.Context, s *view.Snapshot) (err error) {
		lines, err = describeName(ctx, s, name)
		return err
	})
	if err != nil {
		if _, missing := project.AsNotFound(err); !missing {
			h.logError(err)
		}
		return agent.Reply{}
	}
	if len(lines) == 0 || !h.showOnce(ctx, e, "name "+name) {
		return agent.Reply{}
	}
	return newReply(lines)
}

// describeName returns a line for each definition of a name with its place and uses. Of a name with many definitions it returns one line
// with their number and first places, because each use may belong to any of them.
func describeName(ctx context.Context, s *view.Snapshot, name string) ([]string, error) {
	defs, err := s.Definitions(ctx, name)
	if err != nil {
		return nil, err
	}
	sortSymbols(defs)
	if len(defs) > maxDefinitions {
		var places []string
		for i := range defs {
			places = append(places, formatPlace(defs[i].Path, defs[i].Span.Line))
		}
		return []string{fmt.Sprintf("- %s has %d definitions: %s", agenttext.Code(name), len(defs), listFirst(places, 2*maxDefinitions))}, nil
	}
	var lines []string
	for i := range defs {
		line, err := describeDefinition(ctx, s, defs[i:i+1])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func describeDefinition(ctx context.Context, s *view.Snapshot, def []view.Symbol) (string, error) {
	all, err := refs.References(ctx, s, def)
	if err != nil {
		return "", err
	}
	refs.BySurety(all.List)
	sure, possible := 0, 0
	var places []string
	for i := range all.List {
		r := &all.List[i]
		if r.Confidence == code.Ambiguous {
			possible++
			continue
		}
		sure++
		places = append(places, formatPlace(r.Path, r.Line))
	}
	d := &def[0]
	line := fmt.Sprintf("- %s %s is defined at %s; ", d.Kind, agenttext.Code(d.Qualified), formatPlace(d.Path, d.Span.Line))
	switch {
	case sure > 0:
		line += fmt.Sprintf("%s: %s", operation.Plural(sure, "use"), listFirst(places, maxUses))
	default:
		line += "no sure use"
	}
	if possible > 0 {
		line += fmt.Sprintf("; %d possible", possible)
	}
	return line + fmt.Sprintf(" (`ken refs %s` lists all)", agenttext.Text(d.Qualified)), nil
}

func formatPlace(path string, line uint32) string {
	return fmt.Sprintf("%s:%d", agenttext.Text(path), line)
}
