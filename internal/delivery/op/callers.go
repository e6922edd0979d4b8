package op

import (
	"context"

	"ken/internal/ask/calls"
	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type callsInput struct {
	Name       string `arg:"NAME" help:"function, method or type; Type.method, pkg.Name and path:Name narrow"`
	Depth      int    `flag:"depth" value:"N" default:"1" help:"levels of the tree, at least 1"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only calls at least this sure"`
	Limit      *int   `flag:"limit" value:"N" help:"lines; 0: all (default 100 in text, all in JSON)"`
}

type callsAnswer struct {
	Revision
	Calls      []render.Call  `json:"calls" paths:"yes" doc:"the tree, each node before its children"`
	Total      int            `json:"total" doc:"number of nodes without the targets, also those --limit left out"`
	Incomplete bool           `json:"incomplete" doc:"the tree was too large to be followed whole"`
	Targets    []Symbol       `json:"symbols" doc:"definitions of the name"`
	Absence    *render.Unused `json:"absence,omitempty" doc:"how far finding nothing can be trusted; left out if something was found"`
}

// callDirection is one of the two directions of calls, to callers or to callees.
type callDirection struct {
	find    func(context.Context, *view.Snapshot, []view.Symbol, int) (calls.Tree, error)
	nothing string // the message if there are none, with the target
	// absence gathers how far finding nothing can be trusted.
	absence func(context.Context, *view.Snapshot, view.Target) (*render.Unused, error)
}

// uncalled gathers how far "nothing calls it" can be trusted.
func uncalled(ctx context.Context, s *view.Snapshot, t view.Target) (*render.Unused, error) {
	found, err := refs.References(ctx, s, t.Symbols)
	if err == nil {
		err = refs.AddConstructions(ctx, s, t.Symbols, &found)
	}
	if err != nil {
		return nil, err
	}
	a, err := unused.Symbols(ctx, s, t.Symbols, &found, answering(code.RefCall.String(), t.Symbols))
	return render.NewUnused(a), err
}

// usesNothing gathers how far "it uses nothing of the repository" can be trusted.
func usesNothing(ctx context.Context, s *view.Snapshot, t view.Target) (*render.Unused, error) {
	a, err := unused.Outgoing(ctx, s, t)
	return render.Outgoing(a), err
}

func callersTool() *Tool {
	way := callDirection{calls.Callers, "no calls of %s", uncalled}
	return spec[callsInput, callsAnswer]{
		Name:  "callers",
		Topic: operation.Ask, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 4},
		Summary: "what calls a function, method or type, as a tree",
		Long: "Each caller is listed once with the lines of its calls, the surest first. Calls of a member that the target overrides or\n" +
			"implements are listed too, with \"through\". Possible (ambiguous) callers are listed, and not followed.",
		Example: []string{"callers Store.Read", "callers Store.Read --depth 3", "callers save --confidence import-resolved"},
		Run:     way.run,
		Text:    textCalls,
	}.Tool()
}

func calleesTool() *Tool {
	way := callDirection{calls.Callees, "nothing that the repository defines is known to be called by %s", usesNothing}
	return spec[callsInput, callsAnswer]{
		Name:  "callees",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 5},
		Summary: "what a function, method or type calls, as a tree",
		Long: "Each symbol of the repository that is called is listed once with the lines of its calls, in their order. Where a member is\n" +
			"called that others override or implement, those follow it with \"through\". Possible (ambiguous) callees are listed, at\n" +
			"most five a call, and not followed.",
		Example: []string{"callees Store.Read", "callees main --depth 3"},
		Run:     way.run,
		Text:    textCalls,
	}.Tool()
}

func (w callDirection) run(ctx context.Context, env *Env, in *callsInput, emit func(*callsAnswer) error) error {
	if in.Depth < 1 {
		return code.Usagef("--depth is %d; a tree has at least one level", in.Depth)
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a callsAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = callsAnswer{Revision: Revision{s.Rev()}}
		targets, err := s.Definitions(ctx, p.SymbolName(in.Name))
		if err != nil {
			return err
		}
		a.Targets = symbolRows(targets)
		tree, err := w.find(ctx, s, targets, in.Depth)
		if err != nil {
			return err
		}
		a.Incomplete = tree.Cut
		a.Calls = render.CallRows(&tree, parseConfidence(in.Confidence))
		a.Total = len(a.Calls) - len(tree.Roots)
		a.Calls = firstN(a.Calls, in.Limit)
		if a.Total == 0 {
			a.Absence, err = w.absence(ctx, s, view.Target{Symbols: targets})
		}
		return err
	})
	if err == nil && a.Total == 0 {
		err = a.Absence.Nothing(w.nothing, operation.Escape(targetsText(a.Targets)))
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

func textCalls(t *operation.Text, in *callsInput, a *callsAnswer) error {
	if a.Total == 0 {
		render.WriteUnused(t, a.Absence)
		return nil
	}
	list := cutForText(a.Calls, in.Limit)
	for i := range list {
		list[i].Write(t)
	}
	t.More("", len(a.Targets)+a.Total-len(list))
	if a.Incomplete {
		t.Line("the tree was too large to be followed whole")
	}
	return nil
}
