package refs

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Implementer is a type that implements or inherits from a target, or a method
// that overrides or implements one.
type Implementer struct {
	view.Symbol
	Of         string // qualified name of the target, or of the implementer of it, that it implements itself
	Depth      int    // 1: of the target itself
	Confidence code.Confidence
}

// Implementers returns the declarations that implement, inherit from or override targets, to a depth (0: any), by depth, path and
// place. A method that overrides one through several types has depth 1, because it may be called for each of them. In Go, where a type
// does not name its interfaces, the names and numbers of parameters of all methods decide. cut is set if a bound on the work was met.
// It returns an error if the index cannot be read or ctx ends.
func Implementers(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (list []Implementer, cut bool, err error) {
	b := newHierarchySearch(ctx, s, whole, targets)
	level := targets
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		from := len(b.out)
		for i := range level {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			if err := b.below(&level[i]); err != nil {
				return nil, false, err
			}
		}
		level = nil
		for _, r := range b.out[from:] {
			list = append(list, Implementer{r.Symbol, r.Of, d, r.Confidence})
			if r.Kind.IsType() && r.Confidence > code.Ambiguous { // methods of all types were found at once
				level = append(level, r.Symbol)
			}
		}
	}
	slices.SortStableFunc(list, func(x, y Implementer) int {
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Span.Start, y.Span.Start))
	})
	return list, b.cut, s.Lookup.Err
}

// below finds the relatives one step below a target.
func (b *hierarchySearch) below(t *view.Symbol) error {
	n, _ := b.s.Lookup.Node(t.Path)
	switch {
	case t.Kind.IsType():
		refs, err := References(b.ctx, b.s, []view.Symbol{*t})
		if err != nil {
			return err
		}
		return b.subtypes(t, n, refs.List)
	case t.Kind.IsFunction() && t.Symbol.Container() != "":
		return b.methodsBelow(t, n)
	}
	return nil
}

// Overriding returns the members that a member overrides or implements and those that override or implement it, one step away. outside
// is set if it overrides none and its type has a base in another repository, whose member it may override; in languages with a mark
// for overriding, only if the member has it; in Go if its type implements an interface of the standard library that has the method. It
// returns an error if the index or the file cannot be read or ctx ends.
func Overriding(ctx context.Context, s *view.Snapshot, t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	n, _ := s.Lookup.Node(t.Path)
	if err := b.methodsAbove(t, n); err != nil {
		return nil, false, err
	}
	overrides := slices.ContainsFunc(b.out, func(r Relative) bool { return r.Confidence > code.Ambiguous })
	if err := b.methodsBelow(t, n); err != nil {
		return nil, false, err
	}
	for _, r := range b.out {
		if r.Confidence > code.Ambiguous {
			list = append(list, r.Symbol)
		}
	}
	if lang.Of(n.Lang).ImplicitInterfaces {
		possible, err := b.possibleTies(t)
		if err != nil {
			return nil, false, err
		}
		name, err := b.standard(t)
		if name == "" && err == nil {
			name, err = b.standardImplementer(t)
		}
		return append(list, possible...), name != "", cmp.Or(err, s.Lookup.Err)
	}
	if overrides {
		return list, false, s.Lookup.Err
	}
	above, err := OverriddenOutside(ctx, s, t)
	if err != nil || len(above) == 0 {
		return list, false, err
	}
	mark := lang.Of(n.Lang).Overriding
	if mark != lang.OverrideAnnotation && mark != lang.ImplBlock {
		return list, true, s.Lookup.Err
	}
	text, err := s.Text(ctx, t.Path)
	if mark == lang.ImplBlock {
		isMember := t.Kind != code.KindField // a trait has none
		return list, isMember && inTraitBlock(text, int(t.Span.Start)), cmp.Or(err, s.Lookup.Err)
	}
	to := min(int(t.NameStart), len(text))
	from := min(int(t.Span.Start), to, bytes.LastIndexAny(text[:to], ";{}")+1)
	return list, bytes.Contains(text[from:to], []byte("@Override")), cmp.Or(err, s.Lookup.Err)
}

// Above returns the members that a member overrides or implements. It returns an error if the index cannot be read or ctx ends.
func Above(ctx context.Context, s *view.Snapshot, t *view.Symbol) ([]view.Symbol, error) {
	n, _ := s.Lookup.Node(t.Path)
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	if err := b.methodsAbove(t, n); err != nil {
		return nil, err
	}
	var list []view.Symbol
	for i := range b.out {
		list = append(list, b.out[i].Symbol)
	}
	if len(list) > 0 || infer.Reads(n.Lang) {
		return list, s.Lookup.Err
	}
	line, err := newLineage(ctx, s, t.Path, t.Symbol.Container())
	if err != nil {
		return nil, err
	}
	rows, err := s.SymbolsNamed(t.Name)
	ids := line.members(s, rows)
	for i := range rows {
		if slices.Contains(ids, rows[i].ID()) && rows[i].ID().Pack() != t.ID {
			list = append(list, view.RowSymbol(&rows[i]))
		}
	}
	return list, cmp.Or(err, s.Lookup.Err)
}

// Below returns the members that surely override or implement a member, one step away. It returns an error if the index cannot be read or
// ctx ends.
func Below(ctx context.Context, s *view.Snapshot, t *view.Symbol) ([]view.Symbol, error) {
	n, _ := s.Lookup.Node(t.Path)
	b := newHierarchySearch(ctx, s, whole, []view.Symbol{*t})
	if err := b.methodsBelow(t, n); err != nil {
		return nil, err
	}
	var list []view.Symbol
	for i := range b.out {
		if b.out[i].Confidence > code.Ambiguous {
			list = append(list, b.out[i].Symbol)
		}
	}
	return list, s.Lookup.Err
}

// traitBlock matches the head of an impl block.
var traitBlock = regexp.MustCompile(`(?m)^[ \t]*(?:unsafe[ \t]+)?impl\b[^{;]*`)

// inTraitBlock reports whether a member at a byte of a text is in a block that implements
// a trait for a type: the last head of a block before it names both.
func inTraitBlock(text []byte, start int) bool {
	heads := traitBlock.FindAll(text[:min(start, len(text))], -1)
	return len(heads) > 0 && bytes.Contains(heads[len(heads)-1], []byte(" for "))
}
