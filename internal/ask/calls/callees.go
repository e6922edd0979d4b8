package calls

import (
	"context"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxCandidates bounds how many definitions are listed that one call may mean.
const maxCandidates = 5

// calleesOf are the symbols that a symbol calls, in the order of their first
// calls, each followed by those that override or implement it.
func calleesOf(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]*Node, error) {
	found, err := refs.From(ctx, s, sym)
	if err != nil {
		return nil, err
	}
	var g gathered
	candidates := map[uint32]int{} // of the call at a byte
	for i := range found {
		r := &found[i]
		if !calling(r.Kind, r.Target) || r.Target.ID == sym.ID && r.Confidence <= code.Ambiguous {
			continue
		}
		if candidates[r.Start]++; candidates[r.Start] > maxCandidates {
			continue
		}
		file, _ := s.Lookup.Node(r.Target.Path)
		n, err := g.node(nodeKey{symbol: r.Target.ID, through: r.Through}, func() (*Node, error) {
			return &Node{Symbol: r.Target, Path: r.Target.Path, Through: r.Through, Test: file.Test}, nil
		})
		if err != nil {
			return nil, err
		}
		n.add(r)
	}
	return withOverriding(ctx, s, g.list)
}

// withOverriding adds, behind each member that is called, those that may be called
// in its place.
func withOverriding(ctx context.Context, s *view.Snapshot, list []*Node) ([]*Node, error) {
	out := make([]*Node, 0, len(list))
	listed := map[int64]bool{}
	for _, n := range list {
		listed[n.Symbol.ID] = true
	}
	for _, n := range list {
		out = append(out, n)
		if n.Through != "" || n.Confidence <= code.Ambiguous || !n.Symbol.Kind.IsFunction() {
			continue
		}
		below, _, err := refs.Implementers(ctx, s, []view.Symbol{*n.Symbol}, 1)
		if err != nil {
			return nil, err
		}
		for i := range below {
			b := &below[i]
			if listed[b.ID] {
				continue
			}
			listed[b.ID] = true
			file, _ := s.Lookup.Node(b.Path)
			out = append(out, &Node{Symbol: &b.Symbol, Path: b.Path, Sites: n.Sites, Confidence: b.Confidence, Through: n.Symbol.Qualified, Test: file.Test})
		}
	}
	return out, nil
}
