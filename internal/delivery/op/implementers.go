package op

import (
	"context"
	"fmt"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type implementersInput struct {
	Name  string `arg:"NAME" help:"type or method; Type.method, pkg.Name and path:Name narrow"`
	Depth int    `flag:"depth" value:"N" default:"0" help:"steps to go; 0: any number"`
	Limit *int   `flag:"limit" value:"N" help:"implementers listed; 0: all (default 100 in text, all in JSON)"`
}

// Implementer is a type or method that implements, inherits from or overrides a target.
type Implementer struct {
	Symbol
	Of         string `json:"of" doc:"qualified name of what it implements itself: the target or an implementer of it"`
	Depth      int    `json:"depth" doc:"1: of the target itself"`
	Confidence string `json:"confidence" doc:"exact, import-resolved, unique-name (in Go: by the names and numbers of parameters of all methods) or ambiguous (a possible one)"`
}

type implementersAnswer struct {
	Revision
	Implementers []Implementer  `json:"implementers" paths:"yes" doc:"by depth, path and line"`
	Total        int            `json:"total" doc:"number of implementers, also those --limit left out"`
	Incomplete   bool           `json:"incomplete" doc:"there were too many to look at all: there may be more"`
	Targets      []Symbol       `json:"symbols" doc:"definitions of the name"`
	Absence      *render.Unused `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
}

func implementersTool() *Tool {
	return spec[implementersInput, implementersAnswer]{
		Name:  "implementers",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 6},
		Summary: "types that implement or inherit from a type, methods that override a method",
		Long: "A type is listed with the types that name it as their base, interface or trait, and with those below them; a method with\n" +
			"the methods that may be called in its place. Go types do not name their interfaces: there the names and numbers of\n" +
			"parameters of all methods decide, after \"index --exact\" their types. What lies outside the repository is not known.",
		Example: []string{"implementers Store", "implementers Store.Read", "implementers BaseCommand --depth 1"},
		Run:     runImplementers,
		Text:    textImplementers,
	}.Tool()
}

func runImplementers(ctx context.Context, env *Env, in *implementersInput, emit func(*implementersAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a implementersAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = implementersAnswer{Revision: Revision{s.Rev()}}
		targets, err := s.Definitions(ctx, p.SymbolName(in.Name))
		if err != nil {
			return err
		}
		a.Targets = symbolRows(targets)
		list, cutOff, err := refs.Implementers(ctx, s, targets, in.Depth)
		if err != nil {
			return err
		}
		a.Total, a.Incomplete = len(list), cutOff
		for i := range firstN(list, in.Limit) {
			l := &list[i]
			a.Implementers = append(a.Implementers, Implementer{symbolRow(&l.Symbol), l.Of, l.Depth, l.Confidence.String()})
		}
		if a.Total > 0 {
			return nil
		}
		found, err := refs.References(ctx, s, targets)
		if err != nil {
			return err
		}
		absence, err := unused.Implementers(ctx, s, targets, &found)
		a.Absence = render.NewUnused(absence)
		return err
	})
	if err == nil && a.Total == 0 {
		err = noImplementers(&a, in.Name)
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

// noImplementers returns the error for a target that could have implementers and has none.
func noImplementers(a *implementersAnswer, name string) error {
	what := fmt.Sprintf("nothing in the repository implements, inherits from or overrides %s, which is defined at %s",
		operation.Quote(name), operation.Escape(targetsText(a.Targets)))
	if a.Incomplete {
		return &operation.UnprovenError{Message: "could not tell: " + what + ", but there was too much to look at all of it"}
	}
	return a.Absence.Nothing("%s", what)
}

func textImplementers(t *operation.Text, in *implementersInput, a *implementersAnswer) error {
	if a.Total == 0 {
		render.WriteUnused(t, a.Absence)
		return nil
	}
	t.Line("%s of %s", t.Bold(operation.Plural(a.Total, "implementer")), targetsText(a.Targets))
	list := cutForText(a.Implementers, in.Limit)
	for i := range list {
		l := &list[i]
		t.Printf("%s  %s  %s", pathLine(l.Path, l.Line), t.Dim(l.Kind), l.Qualified)
		if l.Depth > 1 {
			t.Printf("  of %s", l.Of)
		}
		t.Line("%s", markUnsure(t, l.Confidence))
	}
	t.More("", a.Total-len(list))
	if a.Incomplete {
		t.Line("there were too many to look at all: there may be more")
	}
	return nil
}
