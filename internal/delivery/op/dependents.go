package op

import (
	"context"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type dependentsInput struct {
	Target     string `arg:"TARGET" help:"file, or symbol as in def"`
	Depth      int    `flag:"depth" value:"N" default:"0" help:"steps to go; 0: any number"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only what is reached this surely or more"`
	Limit      *int   `flag:"limit" value:"N" help:"dependents listed; 0: all (default 100 in text, all in JSON)"`
}

type dependentsAnswer struct {
	Revision
	Dependents    []Reached      `json:"dependents" paths:"yes" doc:"by depth, path and line; each once, at its smallest depth"`
	ResolvedShare float64        `json:"resolved_share" doc:"share (0 to 1) of the imports (of a file) or references (of a symbol) that could be resolved"`
	Total         int            `json:"total" doc:"number of dependents, also those --limit left out"`
	Confidences   map[string]int `json:"confidences" doc:"number of dependents by confidence"`
	Absence       *render.Unused `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
	target        string
	settled       bool // it is proven that there are no further ones
}

func dependentsTool() *Tool {
	return spec[dependentsInput, dependentsAnswer]{
		Name:  "dependents",
		Topic: operation.Ask, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 9},
		Summary: "what depends on a file or symbol: its blast radius",
		Long: "Each dependent is listed once, at its smallest depth. Ambiguous references are listed\n" +
			"but not walked on: through a name that many declarations have, everything can be reached.",
		Example: []string{"dependents src/db.ts", "dependents Store.Read --depth 2"},
		Run:     runDependents,
		Text:    textDependents,
	}.Tool()
}

func runDependents(ctx context.Context, env *Env, in *dependentsInput, emit func(*dependentsAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a dependentsAnswer
	a.target, err = findReached(ctx, p, in.Target, &a.Revision, func(ctx context.Context, s *view.Snapshot, t view.Target) error {
		d, err := refs.Dependents(ctx, s, t, in.Depth)
		d.List = atLeastAsSure(d.List, in.Confidence)
		a.Total, a.ResolvedShare = len(d.List), d.ResolvedShare
		a.Dependents = reachedRows(firstN(d.List, in.Limit), t.File != "")
		a.Confidences = countByConfidence(d.List)
		switch {
		case err != nil:
		case a.Total == 0:
			a.Absence, err = unusedEvidence(ctx, s, t)
		default:
			a.settled, err = isSettled(ctx, s, t)
		}
		return err
	})
	if err != nil {
		a = dependentsAnswer{Revision: a.Revision}
	}
	if err == nil && a.Total == 0 {
		err = a.Absence.Nothing("nothing depends on %s", operation.Escape(a.target))
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

func textDependents(t *operation.Text, in *dependentsInput, a *dependentsAnswer) error {
	if a.Total == 0 {
		render.WriteUnused(t, a.Absence)
		return nil
	}
	t.Line("%s of %s: %s; %s of what was looked at resolved", t.Bold(operation.Plural(a.Total, "dependent")), a.target, byTier(a.Confidences), render.Resolved(a.ResolvedShare, a.settled))
	writeReached(t, a.Dependents, in.Limit, a.Total)
	return nil
}

// isSettled reports whether it is proven that nothing but what was found depends on a target.
func isSettled(ctx context.Context, s *view.Snapshot, t view.Target) (bool, error) {
	if t.File != "" {
		doubt, err := unused.FirstFileDoubt(ctx, s, t.File)
		return doubt == nil, err
	}
	found, err := refs.References(ctx, s, t.Symbols)
	if err != nil {
		return false, err
	}
	doubt, err := unused.FirstDoubt(ctx, s, t.Symbols, &found)
	return doubt == nil, err
}

// unusedEvidence gathers how far "nothing depends on it" can be trusted.
func unusedEvidence(ctx context.Context, s *view.Snapshot, t view.Target) (*render.Unused, error) {
	if t.File != "" {
		a, err := unused.File(ctx, s, t.File)
		return render.NewUnused(a), err
	}
	refs_, err := refs.References(ctx, s, t.Symbols)
	if err != nil {
		return nil, err
	}
	a, err := unused.Symbols(ctx, s, t.Symbols, &refs_, nil)
	return render.NewUnused(a), err
}
