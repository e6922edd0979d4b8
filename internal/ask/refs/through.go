package refs

import (
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/view"
)

// A method that overrides another, or implements one of an interface, is called
// through it wherever the receiver's type is the one above. Such calls are bound
// to the member above; they are listed for the one below as calls through it.

// reached is a wanted method that runs if a member which it overrides or implements is called.
type reached struct {
	to   *view.Symbol
	conf code.Confidence
}

// throughs holds, for each member that is overridden or implemented, the wanted methods that its calls may run.
type throughs struct {
	// declared follows from declarations, by the index of a definition of the name.
	declared map[int][]reached
	// checked is known from a type checker, for methods of interfaces.
	checked view.Dispatch
}

// findThroughs finds the members that the wanted definitions of a name override or
// implement.
func (c *refCollector) findThroughs(ctx context.Context) (out throughs, err error) {
	out.declared = map[int][]reached{}
	if out.checked, err = c.s.DispatchTo(ctx, c.name, c.byName[c.name]); err != nil {
		return out, err
	}
	for _, t := range c.byName[c.name] {
		above, err := c.above(ctx, t)
		if err != nil {
			return out, err
		}
		for _, m := range above {
			if i, ok := c.binder.Definition(m.id); ok && m.id.Pack() != t.ID && !slices.Contains(out.declared[i], reached{t, m.conf}) {
				out.declared[i] = append(out.declared[i], reached{t, m.conf})
			}
		}
	}
	return out, nil
}

// aboveMember is a member that another overrides or implements, with the confidence in that.
type aboveMember struct {
	id   code.SymbolID
	conf code.Confidence
}

// above returns the members that a method or field overrides or implements.
func (c *refCollector) above(ctx context.Context, t *view.Symbol) (out []aboveMember, err error) {
	n, ok := c.s.Lookup.Node(t.Path)
	if !ok || t.Symbol.Container() == "" || t.Kind.IsType() || !inherits(t.Signature, n) {
		return nil, nil
	}
	h := newHierarchySearch(ctx, c.s, besideOthers, []view.Symbol{*t})
	if err := h.methodsAbove(t, n); err != nil {
		return nil, err
	}
	for i := range h.out {
		out = append(out, aboveMember{code.UnpackSymbolID(h.out[i].ID), min(h.out[i].Confidence, code.UniqueName)})
	}
	if len(out) > 0 || infer.Reads(n.Lang) {
		return out, nil
	}
	line, err := c.s.Lineage(ctx, t.Path, t.Symbol.Container())
	for _, row := range membersAbove(c.s, &line, c.rows) {
		out = append(out, aboveMember{row.ID(), code.UniqueName})
	}
	return out, err
}

// forAbove reports whether a reference means the member above and not the one that
// overrides it: super, and calls inside the overriding member, unless the member above
// is of an interface and has no body.
func (c *refCollector) forAbove(t *view.Site, r *code.Ref, above int, to *view.Symbol) (bool, error) {
	if code.IsExpr(r.Recv) && strings.HasSuffix(r.Recv, "<") {
		return true, nil
	}
	if to.ID != (code.SymbolID{File: t.Node.ID, Ord: r.Scope}).Pack() {
		return false, nil
	}
	m := &c.rows[above]
	owner, ok, err := c.s.Index.Symbol(code.SymbolID{File: m.FileID, Ord: m.Parent})
	return !ok || owner.Kind != code.KindInterface, err
}

// addThrough adds a reference to a member to those wanted that override it or
// implement it: by the interfaces that a type checker knows where it bound the
// reference, else by declarations.
func (c *refCollector) addThrough(t *view.Site, b *boundRef) error {
	if len(c.through.declared) == 0 && len(c.through.checked.Via) == 0 {
		return nil
	}
	r := &b.Ref
	target, _ := t.ExactTarget(r)
	if list := c.through.checked.Via[target]; b.by != "" && len(list) > 0 {
		through, _, err := c.s.Index.QualifiedName(code.UnpackSymbolID(target))
		for i := 0; i < len(list) && err == nil; i++ {
			var ref *view.Reference
			ref, err = c.add(t, r, list[i], c.through.checked.Confidence(target), view.ByInterface)
			ref.Through = through
		}
		return err
	}
	for _, d := range b.Defs {
		for _, m := range c.through.declared[d] {
			above, err := c.forAbove(t, r, d, m.to)
			if err != nil {
				return err
			}
			if above {
				continue
			}
			ref, err := c.add(t, r, m.to, min(b.Confidence, m.conf), "")
			if err != nil {
				return err
			}
			if ref.Confidence > code.Ambiguous {
				ref.Through = c.rows[d].Qualified
			}
		}
	}
	return nil
}
