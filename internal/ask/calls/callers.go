package calls

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/engine/view"
)

// directCallers returns the symbols that call a symbol, or the file if a call is outside of symbols. The surest come first, then they are
// ordered by path and line.
func directCallers(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]*Node, error) {
	found, err := refs.References(ctx, s, []view.Symbol{*sym})
	if err == nil {
		err = refs.AddConstructions(ctx, s, []view.Symbol{*sym}, &found)
	}
	if err != nil {
		return nil, err
	}
	var g nodeSet
	for i := range found.List {
		r := &found.List[i]
		if !MayCall(r.Kind, sym) {
			continue
		}
		n, err := callerAt(s, &g, r)
		if err != nil {
			return nil, err
		}
		n.add(r)
	}
	slices.SortStableFunc(g.list, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Sites[0].Line, b.Sites[0].Line))
	})
	return g.list, nil
}

// callerAt returns the node for the symbol around a reference, or for its file if no symbol is around it.
func callerAt(s *view.Snapshot, g *nodeSet, r *view.Reference) (*Node, error) {
	key := nodeKey{path: r.Path, through: r.Through}
	if r.Scope.Ord >= 0 {
		key = nodeKey{symbol: r.Scope.Pack(), through: r.Through}
	}
	return g.node(key, func() (*Node, error) {
		file, _ := s.Lookup.NodeByID(r.Scope.File)
		n := &Node{Path: r.Path, Through: r.Through, Test: file.Test}
		if r.Scope.Ord < 0 {
			return n, nil
		}
		row, ok, err := s.Index.Symbol(r.Scope)
		if ok {
			n.Symbol = &view.Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: r.Path}
		}
		return n, err
	})
}
