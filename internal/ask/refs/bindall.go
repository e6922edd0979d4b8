package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// bindAll resolves references in a file, and lists those that lead to definitions of this repository.
func bindAll(ctx context.Context, s *view.Snapshot, home *view.Site, refs []code.Ref) (
	out []view.Reference, decided, named int, err error) {
	bound := false // the reference before
	for i := range refs {
		r := &refs[i]
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		n, err := s.NameDefinitions(s.DeclaredName(home, r))
		if err != nil {
			return nil, 0, 0, err
		}
		if r.Kind == code.RefUnparsed && bound && refs[i-1].Start == r.Start {
			continue // the reference itself is bound
		}
		b, by := view.BindExactly(n.Binder, home, r)
		bound = len(b.Defs) > 0
		if named++; b.Decided {
			decided++
		}
		in, err := s.EnclosingSymbol(home, r.Scope)
		if err != nil {
			return nil, 0, 0, err
		}
		for _, d := range b.Defs {
			out = append(out, view.Reference{Path: home.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence,
				By: by, In: in.Name, InKind: in.Kind, Target: &n.Syms[d], Scope: code.SymbolID{File: home.Node.ID, Ord: r.Scope}})
		}
		if by != "" && len(b.Defs) == 1 {
			through, err := s.ThroughInterface(ctx, out[len(out)-1])
			if err != nil {
				return nil, 0, 0, err
			}
			out = append(out, through...)
		}
	}
	slices.SortStableFunc(out, func(a, b view.Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out, decided, named, s.Lookup.Err
}
