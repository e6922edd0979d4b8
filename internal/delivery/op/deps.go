package op

import (
	"context"

	"ken/internal/ask/refs"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type depsInput struct {
	Target     string `arg:"TARGET" help:"file, or symbol as in def"`
	Depth      int    `flag:"depth" value:"N" default:"1" help:"steps to go; 0: any number"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only what is reached this surely or more"`
	Limit      *int   `flag:"limit" value:"N" help:"dependencies listed; 0: all (default 100 in text, all in JSON)"`
}

type depsAnswer struct {
	Revision
	Dependencies  []Reached      `json:"dependencies" paths:"yes" doc:"by depth, path and line; each once, at its smallest depth"`
	Packages      []Package      `json:"packages" doc:"packages outside the repository that a file imports, by name; files is 1"`
	ResolvedShare float64        `json:"resolved_share" doc:"share (0 to 1) of the imports (of a file) or references (of a symbol) that could be resolved"`
	Total         int            `json:"total" doc:"number of dependencies, also those --limit left out"`
	Confidences   map[string]int `json:"confidences" doc:"number of dependencies by confidence"`
	Absence       *render.Unused `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
	target        string
	settled       bool // there are no further ones
}

func depsTool() *Tool {
	return spec[depsInput, depsAnswer]{
		Name:  "deps",
		Topic: operation.Ask, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 8},
		Summary: "what a file or symbol depends on",
		Example: []string{"deps src/app.ts", "deps Server.Start --depth 2"},
		Run:     runDeps,
		Text:    textDeps,
	}.Tool()
}

func runDeps(ctx context.Context, env *Env, in *depsInput, emit func(*depsAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a depsAnswer
	a.target, err = findReached(ctx, p, in.Target, &a.Revision, func(ctx context.Context, s *view.Snapshot, t view.Target) error {
		d, err := refs.Dependencies(ctx, s, t, in.Depth)
		d.List = atLeastAsSure(d.List, in.Confidence)
		a.Total, a.ResolvedShare = len(d.List), d.ResolvedShare
		a.Dependencies = reachedRows(firstN(d.List, in.Limit), t.File != "")
		a.Confidences = countByConfidence(d.List)
		a.Packages = packageRows(d.External)
		if err != nil {
			return err
		}
		a.Absence, err = usesNothing(ctx, s, t)
		a.settled = a.Absence.IsNone()
		if a.Total+len(a.Packages) > 0 {
			a.Absence = nil
		}
		return err
	})
	if err != nil {
		a = depsAnswer{Revision: a.Revision}
	}
	if err == nil && a.Total+len(a.Packages) == 0 {
		err = a.Absence.Nothing("no dependencies: %s", operation.Escape(a.target))
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

func textDeps(t *operation.Text, in *depsInput, a *depsAnswer) error {
	if a.Total+len(a.Packages) == 0 {
		render.WriteUnused(t, a.Absence)
		return nil
	}
	if a.Total > 0 {
		t.Line("%s of %s: %s; %s of what was looked at resolved", t.Bold(operation.Plural(a.Total, "dependency")), a.target, byTier(a.Confidences), render.Resolved(a.ResolvedShare, a.settled))
		writeReached(t, a.Dependencies, in.Limit, a.Total)
	}
	writePackageNames(t, "", a.Packages)
	return nil
}

// writePackageNames writes packages outside the repository in two lines at most.
func writePackageNames(t *operation.Text, indent string, list []Package) {
	var std, other []string
	for _, p := range list {
		if p.Standard {
			std = append(std, p.Name)
		} else {
			other = append(other, p.Name)
		}
	}
	if len(other) > 0 {
		t.Line("%s%s %s", indent, t.Bold("packages:"), other)
	}
	if len(std) > 0 {
		t.Line("%s%s %s", indent, t.Bold("standard library:"), std)
	}
}
