package refs

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// drop counts a reference that means none of the wanted definitions. It
// counts it by the weakest of the reasons against them.
func (c *refCollector) drop(t *view.Site, b *boundRef) error {
	why := c.binder.ExceptAll(&b.Binding, &t.Site, &b.Ref, c.order)
	c.out.DroppedBy[why]++
	if !c.keepDropped {
		return nil
	}
	r := &b.Ref
	in, err := c.s.EnclosingSymbol(t, r.Scope)
	ref := view.Reference{Path: t.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence,
		In: in.Name, InKind: in.Kind, Scope: code.SymbolID{File: t.Node.ID, Ord: r.Scope}, Dropped: why}
	if len(b.Defs) == 1 {
		row := &c.rows[b.Defs[0]]
		ref.Target = &view.Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path}
	}
	c.out.Dropped = append(c.out.Dropped, ref)
	return err
}

// BySurety sorts references, the surest first. Of equally sure ones, those
// that reach their target through a member that it overrides come last.
func BySurety(list []view.Reference) {
	slices.SortStableFunc(list, func(a, b view.Reference) int { return rank(&b) - rank(&a) })
}

func rank(r *view.Reference) int {
	n := 2 * int(r.Confidence)
	if r.Through != "" {
		n--
	}
	return n
}
