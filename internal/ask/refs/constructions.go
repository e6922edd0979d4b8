package refs

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// AddConstructions adds to found, the answer of References for targets, the places that make an object of the class of a constructor among
// them: there the class is named and the constructor is not. Where a class has several constructors and not all are asked for, each place
// is only possible. Classes derived from it, which run its constructor, too, are left out unless their head has the arguments, as in
// class A : B(1). AddConstructions returns errors as References does.
func AddConstructions(ctx context.Context, s *view.Snapshot, targets []view.Symbol, found *view.References) error {
	done := map[code.SymbolID]bool{}
	for i := range targets {
		t := &targets[i]
		if t.Kind != code.KindConstructor || t.Parent < 0 {
			continue
		}
		owner := code.SymbolID{File: code.UnpackSymbolID(t.ID).File, Ord: t.Parent}
		if done[owner] {
			continue
		}
		done[owner] = true
		if err := addConstructions(ctx, s, owner, t, targets, found); err != nil {
			return err
		}
	}
	slices.SortStableFunc(found.List, byPlace)
	return nil
}

func addConstructions(
	ctx context.Context, s *view.Snapshot, owner code.SymbolID, constructor *view.Symbol, targets []view.Symbol, found *view.References,
) error {
	row, ok, err := s.Index.Symbol(owner)
	if err != nil || !ok {
		return err
	}
	class := view.Symbol{Symbol: row.Symbol, ID: owner.Pack(), Path: constructor.Path}
	uses, err := References(ctx, s, []view.Symbol{class})
	if err != nil {
		return err
	}
	rows, err := s.Declarations(owner.File)
	if err != nil {
		return err
	}
	count, asked := 0, 0
	for i := range rows {
		if rows[i].Parent == owner.Ord && rows[i].Kind == code.KindConstructor {
			count++
			if slices.ContainsFunc(targets, func(t view.Symbol) bool { return t.ID == rows[i].ID().Pack() }) {
				asked++
			}
		}
	}
	sameName := class.Name == constructor.Name
	if sameName && hasPrimary(&class) {
		count++
	}
	listed := map[place]bool{}
	for i := range found.List {
		listed[placeAt(&found.List[i])] = true
	}
	added := map[place]bool{}
	for i := range uses.List {
		r := uses.List[i]
		isMade := r.Kind == code.RefCall
		if r.Kind == code.RefInherit {
			if isMade, err = hasArguments(ctx, s, &r); err != nil {
				return err
			}
		}
		if !isMade || listed[placeAt(&r)] {
			continue
		}
		added[placeAt(&r)] = true
		if r.Target = constructor; count > 1 {
			r.Confidence, r.Settled = code.Ambiguous, asked == count
		}
		found.List = append(found.List, r)
	}
	if sameName { // its uses are those of the same name, and were dropped because they mean the class
		return takeFromDropped(ctx, s, targets, found, added)
	}
	found.ResolvedShare = joinShares(found.ResolvedShare, found.Named, uses.ResolvedShare, uses.Named)
	found.ExactShare = joinShares(found.ExactShare, found.Named, uses.ExactShare, uses.Named)
	found.Named += uses.Named
	return nil
}

// hasArguments reports whether the name of a base class is followed by arguments of its constructor.
func hasArguments(ctx context.Context, s *view.Snapshot, r *view.Reference) (bool, error) {
	text, err := s.Text(ctx, r.Path)
	if err != nil || int(r.End) > len(text) {
		return false, err
	}
	rest := bytes.TrimLeft(text[r.End:min(int(r.End)+maxTypeArguments, len(text))], " \t")
	for depth := 0; len(rest) > 0 && (depth > 0 || rest[0] == '<'); rest = rest[1:] {
		switch rest[0] {
		case '<':
			depth++
		case '>':
			depth--
		}
	}
	return bytes.HasPrefix(rest, []byte("(")), nil
}

// maxTypeArguments is the number of bytes after the name of a base class in which its arguments are looked for.
const maxTypeArguments = 256

// hasPrimary reports whether a class has a constructor in its head, class Tree(val n: Int), which is no declaration of its own.
func hasPrimary(class *view.Symbol) bool {
	_, rest, ok := strings.Cut(class.Signature, class.Name)
	if i := strings.IndexAny(rest, "<(:{"); ok && i >= 0 && rest[i] == '<' {
		if end := strings.LastIndexByte(rest, '>'); end >= 0 {
			rest = rest[end+1:]
		}
	}
	return ok && strings.HasPrefix(strings.TrimSpace(rest), "(")
}

// place identifies a use.
type place struct {
	path  string
	start uint32
}

func placeAt(r *view.Reference) place { return place{r.Path, r.Start} }

// takeFromDropped removes the uses at some places from those that mean something else.
func takeFromDropped(ctx context.Context, s *view.Snapshot, targets []view.Symbol, found *view.References, at map[place]bool) error {
	if len(at) == 0 {
		return nil
	}
	all, err := ReferencesAndDropped(ctx, s, targets)
	for i := range all.Dropped {
		r := &all.Dropped[i]
		if !at[placeAt(r)] {
			continue
		}
		if found.DroppedBy[r.Dropped]--; found.DroppedBy[r.Dropped] <= 0 {
			delete(found.DroppedBy, r.Dropped)
		}
	}
	found.Dropped = slices.DeleteFunc(found.Dropped, func(r view.Reference) bool { return at[placeAt(&r)] })
	return err
}

// joinShares returns the share of the whole from the shares of two parts with m and n members.
func joinShares(a float64, m int, b float64, n int) float64 {
	if m+n == 0 {
		return 1
	}
	return (a*float64(m) + b*float64(n)) / float64(m+n)
}
