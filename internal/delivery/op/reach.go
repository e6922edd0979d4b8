package op

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/engine/view"
)

// Reached is a file or symbol at a distance from a target.
type Reached struct {
	Path       operation.Path `json:"path" doc:"file"`
	Name       string         `json:"name,omitempty" doc:"qualified name, if it is a symbol and not a file"`
	Kind       string         `json:"kind,omitempty" doc:"kind of the symbol"`
	Line       uint32         `json:"line,omitempty" doc:"line of the symbol, or of a reference outside any symbol"`
	Depth      int            `json:"depth" doc:"smallest number of steps from the target"`
	Confidence string         `json:"confidence" doc:"of the weakest step on the way: exact, import-resolved, unique-name or ambiguous"`
	Relation   string         `json:"relation,omitempty" doc:"of files, the last step: imports, extends, implements, uses (same package, without import), tests, mentions (documentation, data, commands) or generated_from"`
	Test       bool           `json:"test" doc:"the file holds tests"`
}

func reachedRows(list []view.Dependent, files bool) []Reached {
	out := make([]Reached, len(list))
	for i, d := range list {
		out[i] = Reached{
			Path: operation.Path(d.Path), Name: d.Name, Line: d.Line, Depth: d.Depth, Confidence: d.Confidence.String(), Test: d.Test,
		}
		if d.Name != "" {
			out[i].Kind = d.Kind.String()
		}
		if files {
			out[i].Relation = d.Relation.String()
		}
	}
	return out
}

// findReached resolves an argument to a target and calls the given query
// for it. It also returns a description of the target for text.
func findReached(
	ctx context.Context, p *project.Project, arg string, rev *Revision, ask func(context.Context, *view.Snapshot, view.Target) error,
) (target string, err error) {
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		rev.Revision = s.Rev()
		t, err := p.Target(ctx, s, arg)
		if err != nil {
			return err
		}
		if target = t.File; target == "" {
			target = targetsText(symbolRows(t.Symbols))
		}
		return ask(ctx, s, t)
	})
	return target, err
}

// writeReached writes files and symbols by depth, the surest first.
func writeReached(t *operation.Text, list []Reached, limit *int, total int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Reached) int { return cmp.Or(a.Depth-b.Depth, compareConfidence(a.Confidence, b.Confidence)) })
	list = cutForText(list, limit)
	depth := 0
	for i := range list {
		r := &list[i]
		if r.Depth != depth {
			depth = r.Depth
			t.Line("%s", t.Bold("depth "+operation.Group(depth)))
		}
		t.Printf("  %s", r.Path)
		if r.Line > 0 {
			t.Printf(":%d", r.Line)
		}
		if r.Name != "" {
			t.Printf("  %s %s", r.Kind, r.Name)
		}
		if r.Relation != "" && r.Relation != "imports" {
			t.Printf("  %s", r.Relation)
		}
		if r.Test && r.Relation != "tests" {
			t.Printf("  test")
		}
		t.Line("%s", markUnsure(t, r.Confidence))
	}
	t.More("  ", total-len(list))
}

// markUnsure marks a file whose dependence is less certain than an import. Only
// such files are marked, because most are certain and a mark on every line would
// cost more tokens than it is worth.
func markUnsure(t *operation.Text, confidence string) operation.Styled {
	if parseConfidence(confidence) >= code.ImportResolved {
		return ""
	}
	return "  " + t.Dim("["+confidence+"]")
}

// countByConfidence returns the number of dependents with each confidence.
func countByConfidence(list []view.Dependent) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[list[i].Confidence.String()]++
	}
	return out
}

// atLeastAsSure returns the dependents reached with at least the given confidence.
func atLeastAsSure(list []view.Dependent, atLeast string) []view.Dependent {
	least := parseConfidence(atLeast)
	return slices.DeleteFunc(list, func(d view.Dependent) bool { return d.Confidence < least })
}
