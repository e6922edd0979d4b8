package graph

import (
	"ken/internal/code"
)

// infers reports whether signatures of a language are read (syntax.go).
func infers(l code.Lang) bool { return l == "go" || l == "python" }

// inferred finds the member r names by the type of its receiver, in the type
// and what it inherits. ok is false if the type, or part of what it inherits,
// is not known.
func (b *Binder) inferred(s *Site, r *code.Ref) (Binding, bool) {
	if !infers(s.Node.Lang) {
		return Binding{}, false
	}
	t := b.y.of(s, r.Recv)
	switch t.what {
	case termUnknown:
		return Binding{}, false
	case termModule:
		return b.moduleMember(s, t, r)
	case termType, termAbove:
		return b.inherited(s, t)
	}
	return Binding{Decided: true}, true // of the standard library or built in
}

// inherited finds a member in a type and what it inherits from.
func (b *Binder) inherited(s *Site, t term) (Binding, bool) {
	line := b.y.lineage(t)
	for i := range line.types {
		a := &line.types[i]
		container := a.qualified()
		fits := b.pick(b.byType[lastSegment(container)], func(d *Def) bool {
			return d.Container == container && (d.File.ID == a.File.ID || d.File.Lang == "go" && sameScope(a.File, d.File))
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
	return Binding{Decided: true}, line.outside || !line.unknown
}

// moduleMember finds a name of a module or package.
func (b *Binder) moduleMember(s *Site, t term, r *code.Ref) (Binding, bool) {
	if len(t.module.dirs) > 0 {
		got := b.inPackage(t.site, &Link{Dirs: t.module.dirs}, r)
		return got, true
	}
	if t.module.file != 0 {
		if got := b.offered(t.module.file, r.Name); len(got.Defs) > 0 {
			return got, true
		}
	}
	return Binding{}, false
}
