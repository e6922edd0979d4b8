package render

import (
	"fmt"
	"strings"

	"ken/internal/ask/calls"
	"ken/internal/code"
	"ken/internal/operation"
)

// Call is a node of a tree of calls, the tree as a list: a node's children follow
// it, one level deeper.
type Call struct {
	Level      int            `json:"level" doc:"0: the target, 1: what calls it or what it calls, and so on; a node belongs to the last one before it of the level above"`
	Path       operation.Path `json:"path" doc:"file that declares it; of calls outside any symbol the file they are in"`
	Line       uint32         `json:"line,omitempty" doc:"line of the declaration; left out for a file"`
	Name       string         `json:"name,omitempty" doc:"qualified name; left out for a file"`
	Kind       string         `json:"kind,omitempty" doc:"kind of the symbol"`
	Calls      []uint32       `json:"calls,omitempty" doc:"lines of the calls, in the caller's file"`
	Passed     bool           `json:"passed,omitempty" doc:"the function is not called there but passed on, assigned or used as a decorator"`
	Confidence string         `json:"confidence" doc:"of the surest of the calls: exact, import-resolved, unique-name or ambiguous"`
	Through    string         `json:"through,omitempty" doc:"the member that is called, where another one overrides or implements it and may run instead"`
	Repeated   bool           `json:"repeated,omitempty" doc:"what follows is listed where the symbol is met first"`
	Open       bool           `json:"open,omitempty" doc:"what follows was not looked at: the bound of depth is reached, or the call is only a possible one"`
	Test       bool           `json:"test" doc:"the file holds tests"`
	unsure     bool           // less sure than through an import
}

// CallRows returns the rows of a tree, without nodes of a confidence below least and without everything below those.
func CallRows(tree *calls.Tree, least code.Confidence) []Call {
	var out []Call
	for _, n := range tree.Roots {
		out = appendCalls(out, n, 0, least)
	}
	return out
}

func appendCalls(out []Call, n *calls.Node, level int, least code.Confidence) []Call {
	if n.Confidence < least {
		return out
	}
	c := Call{
		Level: level, Path: operation.Path(n.Path), Confidence: n.Confidence.String(), Through: n.Through,
		Repeated: n.Elsewhere, Open: n.Open, Test: n.Test, Passed: len(n.Sites) > 0,
		unsure: n.Confidence < code.ImportResolved,
	}
	if n.Symbol != nil {
		c.Line, c.Name, c.Kind = n.Symbol.Span.Line, n.Symbol.Qualified, n.Symbol.Kind.String()
	}
	for _, s := range n.Sites {
		c.Calls = append(c.Calls, s.Line)
		c.Passed = c.Passed && s.Kind != code.RefCall
	}
	out = append(out, c)
	for _, below := range n.Next {
		out = appendCalls(out, below, level+1, least)
	}
	return out
}

// maxCallLines is how many lines of calls text lists of one node.
const maxCallLines = 5

// Write writes a node on one line, two blanks deeper than its caller or callee.
func (c *Call) Write(t *operation.Text) {
	t.Printf("%s", strings.Repeat("  ", c.Level))
	place := fmt.Sprintf("%s:%d", c.Path, c.Line)
	switch {
	case c.Level == 0:
		t.Line("%s  %s %s", t.Bold(place), c.Kind, c.Name)
		return
	case c.Name == "":
		t.Printf("%s", string(c.Path))
	default:
		t.Printf("%s  %s %s", place, c.Kind, c.Name)
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
	if c.unsure {
		t.Printf("  %s", t.Dim("["+c.Confidence+"]"))
	}
	t.Line("")
}
