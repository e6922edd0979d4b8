package bind

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// inferred finds the member r names by the type of its receiver, in the type
// and what it inherits. ok is false if the type, or part of what it inherits,
// is not known.
func (b *Binder) inferred(s *graph.Site, r *code.Ref) (Binding, bool) {
	t := b.types.Receiver(s, r.Recv)
	switch t.Kind {
	case infer.Unknown:
		return Binding{}, false
	case infer.Module:
		return b.moduleMember(&t, r)
	case infer.Type:
		return b.inherited(s, &t)
	}
	return Binding{Decided: true}, true
}

// inherited finds a member in a type and what it inherits from.
func (b *Binder) inherited(s *graph.Site, t *infer.Receiver) (Binding, bool) {
	for i := range t.Types {
		a := &t.Types[i]
		container := a.Qualified()
		fits := b.pick(b.byType[code.LastSegment(container)], func(d *graph.Def) bool {
			return d.Container == container && (d.File.ID == a.File.ID || d.File.Traits().DetachedMethods && graph.SameScope(&a.File, &d.File))
		})
		if len(fits) == 0 {
			continue
		}
		conf := code.ImportResolved
		if b.defs[fits[0]].File.ID == s.Node.ID {
			conf = code.Exact
		}
		return Binding{Defs: fits, Confidence: conf, Decided: true}, true
	}
	return Binding{Decided: true}, t.OutsideBase || t.Complete
}

// moduleMember finds a name of a module or package.
func (b *Binder) moduleMember(t *infer.Receiver, r *code.Ref) (Binding, bool) {
	if len(t.Dirs) > 0 {
		return b.inPackage(t.Site, &graph.Link{Dirs: t.Dirs}, r), true
	}
	if t.File != 0 {
		if got := b.offered(t.File, r.Name); len(got.Defs) > 0 {
			return got, true
		}
	}
	return Binding{}, false
}
