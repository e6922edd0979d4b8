package op

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/ask/calls"
	"ken/internal/code"
	"ken/internal/delivery/evidence"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
	"ken/internal/engine/view"
)

type callsInput struct {
	Name       string `arg:"NAME" help:"function, method or type; Type.method, pkg.Name and path:Name narrow"`
	Depth      int    `flag:"depth" value:"N" default:"1" help:"levels of the tree, at least 1"`
	Confidence string `flag:"confidence" value:"TIER" enum:"exact,import-resolved,unique-name,ambiguous" help:"only calls at least this sure"`
	Limit      *int   `flag:"limit" value:"N" help:"lines; 0: all (default 100 in text, all in JSON)"`
}

// Call is a node of a tree of calls, the tree as a list: a node's children follow
// it, one level deeper.
type Call struct {
	Level      int       `json:"level" doc:"0: the target, 1: what calls it or what it calls, and so on; a node belongs to the last one before it of the level above"`
	Path       tool.Path `json:"path" doc:"file that declares it; of calls outside any symbol the file they are in"`
	Line       uint32    `json:"line,omitempty" doc:"line of the declaration; left out for a file"`
	Name       string    `json:"name,omitempty" doc:"qualified name; left out for a file"`
	Kind       string    `json:"kind,omitempty" doc:"kind of the symbol"`
	Calls      []uint32  `json:"calls,omitempty" doc:"lines of the calls, in the caller's file"`
	Passed     bool      `json:"passed,omitempty" doc:"the function is not called there but passed on, assigned or used as a decorator"`
	Confidence string    `json:"confidence" doc:"of the surest of the calls: exact, import-resolved, unique-name or ambiguous"`
	Through    string    `json:"through,omitempty" doc:"the member that is called, where another one overrides or implements it and may run instead"`
	Repeated   bool      `json:"repeated,omitempty" doc:"what follows is listed where the symbol is met first"`
	Open       bool      `json:"open,omitempty" doc:"what follows was not looked at: the bound of depth is reached, or the call is only a possible one"`
	Test       bool      `json:"test" doc:"the file holds tests"`
}

type callsAnswer struct {
	Revision
	Calls      []Call           `json:"calls" paths:"yes" doc:"the tree, each node before its children"`
	Total      int              `json:"total" doc:"number of nodes without the targets, also those --limit left out"`
	Incomplete bool             `json:"incomplete" doc:"the tree was too large to be followed whole"`
	Targets    []Symbol         `json:"symbols" doc:"definitions of the name"`
	Absence    *evidence.Unused `json:"absence,omitempty" doc:"of callers: how far finding nothing can be trusted; left out if something was found"`
}

// callsWay is one of the two directions.
type callsWay struct {
	find    func(context.Context, *view.Snapshot, []view.Symbol, int) (calls.Tree, error)
	nothing string // what is said if there are none, with the target
	// absence gathers how far finding nothing can be trusted; nil if what was looked
	// at is all there is.
	absence func(context.Context, *view.Snapshot, view.Target) (*evidence.Unused, error)
}

func callersTool() *Tool {
	way := callsWay{calls.Callers, "no calls of %s", unusedEvidenceOf}
	return spec[callsInput, callsAnswer]{
		Name:    "callers",
		Summary: "what calls a function, method or type, as a tree",
		Long: "Each caller is listed once with the lines of its calls, the surest first. Calls of a member that the target overrides or\n" +
			"implements are listed too, with \"through\". Possible (ambiguous) callers are listed, and not followed.",
		Example: []string{"callers Store.Read", "callers Store.Read --depth 3", "callers save --confidence import-resolved"},
		Run:     way.run,
		Text:    textCalls,
	}.Tool()
}

func calleesTool() *Tool {
	way := callsWay{calls.Callees, "nothing that the repository defines is known to be called by %s", nil}
	return spec[callsInput, callsAnswer]{
		Name:    "callees",
		Summary: "what a function, method or type calls, as a tree",
		Long: "Each symbol of the repository that is called is listed once with the lines of its calls, in their order. Where a member is\n" +
			"called that others override or implement, those follow it with \"through\". Possible (ambiguous) callees are listed, at\n" +
			"most five a call, and not followed.",
		Example: []string{"callees Store.Read", "callees main --depth 3"},
		Run:     way.run,
		Text:    textCalls,
	}.Tool()
}

func (w callsWay) run(ctx context.Context, env *Env, in *callsInput, emit func(*callsAnswer) error) error {
	if in.Depth < 1 {
		return code.Usagef("--depth is %d; a tree has at least one level", in.Depth)
	}
	p, err := project.Open(env, tool.Existing)
	if err != nil {
		return err
	}
	var a callsAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = callsAnswer{Revision: Revision{s.Rev()}}
		targets, err := s.Definitions(ctx, p.Name(in.Name))
		if err != nil {
			return err
		}
		a.Targets = symbolRows(targets)
		tree, err := w.find(ctx, s, targets, in.Depth)
		if err != nil {
			return err
		}
		a.Incomplete = tree.Cut
		least := parseConfidence(in.Confidence)
		for _, n := range tree.Roots {
			a.add(n, 0, least)
		}
		a.Total = len(a.Calls) - len(tree.Roots)
		a.Calls = cut(a.Calls, in.Limit)
		if a.Total == 0 && w.absence != nil {
			a.Absence, err = w.absence(ctx, s, view.Target{Symbols: targets})
		}
		return err
	})
	if err == nil && a.Total == 0 {
		err = w.none(&a)
	}
	return tool.Finish(&a, project.NotFound(err), emit)
}

func (w callsWay) none(a *callsAnswer) error {
	target := tool.Escape(targetsText(a.Targets))
	if a.Absence != nil {
		return a.Absence.Nothing(w.nothing, target)
	}
	return tool.Nothingf(w.nothing, target)
}

// add lists a node and those below it that are sure enough.
func (a *callsAnswer) add(n *calls.Node, level int, least code.Confidence) {
	if n.Confidence < least {
		return
	}
	c := Call{
		Level: level, Path: tool.Path(n.Path), Confidence: n.Confidence.String(), Through: n.Through,
		Repeated: n.Elsewhere, Open: n.Open, Test: n.Test, Passed: len(n.Sites) > 0,
	}
	if n.Symbol != nil {
		c.Line, c.Name, c.Kind = n.Symbol.Span.Line, n.Symbol.Qualified, n.Symbol.Kind.String()
	}
	for _, s := range n.Sites {
		c.Calls = append(c.Calls, s.Line)
		c.Passed = c.Passed && s.Kind != code.RefCall
	}
	a.Calls = append(a.Calls, c)
	for _, below := range n.Next {
		a.add(below, level+1, least)
	}
}

func textCalls(t *tool.Text, in *callsInput, a *callsAnswer) error {
	if a.Total == 0 {
		evidence.Write(t, a.Absence)
		return nil
	}
	list := shown(a.Calls, in.Limit)
	for i := range list {
		writeCall(t, &list[i])
	}
	t.More("", len(a.Targets)+a.Total-len(list))
	if a.Incomplete {
		t.Line("the tree was too large to be followed whole")
	}
	return nil
}

// maxCallLines is how many lines of calls text lists of one node.
const maxCallLines = 5

func writeCall(t *tool.Text, c *Call) {
	t.Printf("%s", strings.Repeat("  ", c.Level))
	switch {
	case c.Level == 0:
		t.Line("%s  %s %s", t.Bold(pathLine(c.Path, c.Line)), c.Kind, c.Name)
		return
	case c.Name == "":
		t.Printf("%s", string(c.Path))
	default:
		t.Printf("%s  %s %s", pathLine(c.Path, c.Line), c.Kind, c.Name)
	}
	word := "calls"
	if c.Passed {
		word = "passed"
	}
	lines := make([]string, 0, maxCallLines)
	for i, l := range c.Calls {
		if i == maxCallLines {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, fmt.Sprint(l))
	}
	t.Printf("  %s", t.Dim(word+" "+strings.Join(lines, ", ")))
	if c.Through != "" {
		t.Printf("  through %s", c.Through)
	}
	if c.Repeated {
		t.Printf("  %s", t.Dim("(see above)"))
	}
	t.Line("%s", markUnsure(t, c.Confidence))
}
