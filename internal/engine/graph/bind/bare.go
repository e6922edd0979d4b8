package bind

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// bare finds the definitions of a name without a qualifier in the order of its language: in the file, the package, then wildcard imports.
func (b *Binder) bare(s *graph.Site, r *code.Ref) Binding {
	traits := s.Node.Traits()
	own := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool {
		return d.Container == "" || traits.BareMembers && d.Kind != code.KindConstructor // whose name means the type
	})
	given := builtin.IsPredeclared(s.Node.Lang, r.Name)
	if given {
		scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope)
		own = b.pick(own, func(d *graph.Def) bool { return encloses(d.Container, scope) })
	}
	own = b.pick(own, func(d *graph.Def) bool { return fitsUse(r, d) })
	var inBlocks []int
	if traits.GlobalScripts {
		inBlocks = own
		own = b.pick(own, func(d *graph.Def) bool {
			_, _, nested := b.types.Visible(d)
			return !nested
		})
	}
	if len(own) > 1 && infer.Extensible(s.Node.Lang) {
		own = b.nearestOwn(s, r, own)
	}
	if len(own) > 0 {
		return exactBinding(own)
	}
	if fits := b.inScope(s); len(fits) > 0 {
		return resolvedBinding(fits)
	}
	if got := b.wildcardNames(s, r); len(got.Defs) > 0 {
		return got
	}
	if b.steps.unseen != nil {
		if got := b.steps.unseen(b, s, r); len(got.Defs) > 0 {
			if given { // of a crate that has a macro of that name elsewhere
				got.Confidence = code.Ambiguous
			}
			return got
		}
	}
	switch {
	case given:
		return b.bindPredeclared(s, r)
	case traits.BuildScript != "" && strings.HasSuffix(s.Node.Path, traits.BuildScript):
		return b.anyByName(s, r)
	case traits.BareMembers: // an inherited member, or one of a lambda's receiver
		return b.byName(s, r, func(d *graph.Def) bool {
			isUnnamed := traits.Scope == lang.PackageScope && s.Node.Package == "" && d.File.Package == "" // compiled together, it may be
			return d.File.ID != s.Node.ID && (d.Container != "" || isUnnamed && graph.SameFamily(&s.Node, &d.File))
		})
	case traits.GlobalScripts:
		if got := b.byName(s, r, b.global); len(got.Defs) > 0 {
			if one := b.addTwins(got.Defs[:1]); len(one) > 1 && len(one) >= len(got.Defs) { // parts of one declaration
				return resolvedBinding(one)
			}
			return got
		}
	}
	switch {
	case len(inBlocks) > 0: // code that is not strict sees a function outside of its block
		return possibleBinding(inBlocks)
	case traits.GlobalScripts: // a global of the host
		return noBinding(NotVisible)
	}
	nested := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return fitsUse(r, d) })
	if traits.HasImplBlocks() { // a plain name is no member, but a macro can make one of it
		named := b.pick(nested, func(d *graph.Def) bool { return !isMember(d) })
		if len(named) == 0 && len(nested) > 0 {
			return possibleBinding(nested)
		}
		nested = named
	}
	if len(nested) > 0 {
		return exactBinding(nested)
	}
	if blindWildcard(s) {
		return b.anyByName(s, r)
	}
	return noBinding(NotVisible)
}

// nearestOwn keeps, of the definitions of a plain name in its file, the members of the innermost type around it that declares or
// inherits one, else those at the top level. A member of another type can only be meant where neither exists.
func (b *Binder) nearestOwn(s *graph.Site, r *code.Ref, own []int) []int {
	scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope)
	if r.Kind == code.RefInherit || r.Kind == code.RefImplement { // the head of a type does not see its members
		scope = outerScope(scope)
	}
	for ; scope != ""; scope = outerScope(scope) {
		if fits := b.pick(own, func(d *graph.Def) bool { return d.Container == scope }); len(fits) > 0 {
			return fits
		}
		t := b.types.Receiver(s, code.RecvExpr+scope)
		for i := range t.Types {
			if fits := b.pick(own, func(d *graph.Def) bool { return d.Container == t.Types[i].QualifiedName() }); len(fits) > 0 {
				return fits
			}
		}
	}
	if top := b.pick(own, func(d *graph.Def) bool { return d.Container == "" }); len(top) > 0 {
		return top
	}
	return own
}

// wildcardNames finds the definitions of a plain name through the imports of all names that the reference sees.
func (b *Binder) wildcardNames(s *graph.Site, r *code.Ref) Binding {
	return b.seenWildcards(s, r, func(imp *code.Import, link *graph.Link) Binding { return b.throughImport(s, r, imp, link) })
}

// seenWildcards returns the first definitions that find returns for the imports of all names that a reference sees.
func (b *Binder) seenWildcards(s *graph.Site, r *code.Ref, find func(*code.Import, *graph.Link) Binding) Binding {
	if b.steps.wildcard != nil { // first the imports in the function of the reference
		within := func(i *code.Import) bool {
			return i.Within != "" && encloses(i.Within, b.types.Lookup().QualifiedName(s.Node.ID, r.Scope))
		}
		if got := wildcards(s, within, find); len(got.Defs) > 0 {
			return got
		}
	}
	return wildcards(s, func(i *code.Import) bool { return b.steps.wildcard == nil || i.Within == "" }, find)
}

// wildcards returns the first definitions that find returns for those imports of all names (import *) for which ok is true.
func wildcards(s *graph.Site, ok func(*code.Import) bool, find func(*code.Import, *graph.Link) Binding) Binding {
	for i := range s.Imports {
		if !graph.IsWildcard(&s.Imports[i]) || i >= len(s.Links) || !ok(&s.Imports[i]) {
			continue
		}
		if got := find(&s.Imports[i], &s.Links[i]); len(got.Defs) > 0 {
			return got
		}
	}
	return Binding{}
}

// throughImport finds the definitions of a plain name through an import of all names.
func (b *Binder) throughImport(s *graph.Site, r *code.Ref, imp *code.Import, link *graph.Link) Binding {
	if got := b.throughWildcard(s, link, r.Name); len(got.Defs) > 0 {
		return got
	}
	if got := b.membersOfType(s, imp, link); len(got.Defs) > 0 || b.steps.wildcard == nil {
		return got
	}
	return b.steps.wildcard(b, s, imp, link)
}

// blindWildcard reports whether a file imports all names of a module that is unknown, so that any name may come from there.
func blindWildcard(s *graph.Site) bool {
	for i := range s.Imports {
		if graph.IsWildcard(&s.Imports[i]) && (i >= len(s.Links) || !s.Links[i].IsResolved()) {
			return true
		}
	}
	return false
}

// global reports whether a definition of a script is visible everywhere: one declared global, or at the top level of a
// script or declaration file, which neither imports nor exports anything.
func (b *Binder) global(d *graph.Def) bool {
	if d.Container != "" {
		return d.Container == globalScope
	}
	out := b.files.Outward(d.File.ID)
	return len(out.Imports) == 0 && len(out.Exports) == 0
}

// membersOfType returns the members of the type a wildcard import names (import a.B.*).
func (b *Binder) membersOfType(s *graph.Site, imp *code.Import, link *graph.Link) Binding {
	if link.File == 0 || !s.Node.Traits().TypeWildcards {
		return Binding{}
	}
	of := b.inOne(b.byType[code.LastSegment(imp.Spec)], link.File)
	return resolvedBinding(of)
}

// inScope returns the top-level definitions in the files that share a scope with a file, so that it sees them without an import.
func (b *Binder) inScope(s *graph.Site) []int {
	var near []int
	switch scope := s.Node.Traits().Scope; {
	case scope.InDirectory():
		near = b.byDir[code.Dir(s.Node.Path)]
	case scope == lang.PackageScope:
		near = b.all()
	}
	return b.pick(near, func(d *graph.Def) bool { return d.Container == "" && graph.SameScope(&s.Node, &d.File) })
}

// lexical returns the definitions of a name that is declared inside functions and types of this file: those nearest
// around the reference.
func (b *Binder) lexical(s *graph.Site, r *code.Ref) []int {
	own := b.byFile[s.Node.ID]
	if s.Node.Traits().ObjectMethods {
		if named := b.pick(own, func(d *graph.Def) bool { return !isMember(d) }); len(named) > 0 {
			own = named
		}
	}
	if len(own) < 2 {
		return own
	}
	if near := b.inBlock(r, own); len(near) > 0 {
		return near
	}
	scope := b.types.Lookup().QualifiedName(s.Node.ID, r.Scope)
	best := -1
	for _, i := range own {
		if c := b.defs[i].Container; len(c) > best && encloses(c, scope) {
			best = len(c)
		}
	}
	if best < 0 {
		return own
	}
	return b.pick(own, func(d *graph.Def) bool { return len(d.Container) == best && encloses(d.Container, scope) })
}

// inBlock keeps those definitions, among the ones visible in a block only, that belong to the innermost block around a reference.
func (b *Binder) inBlock(r *code.Ref, own []int) (near []int) {
	smallest := ^uint32(0)
	for _, i := range own {
		start, end, ok := b.types.Visible(&b.defs[i])
		if !ok || r.Start < start || end <= r.Start || end-start > smallest {
			continue
		}
		if end-start < smallest {
			smallest, near = end-start, nil
		}
		near = append(near, i)
	}
	return near
}

// encloses reports whether a scope is a container or lies inside of it.
func encloses(container, scope string) bool {
	rest, ok := strings.CutPrefix(scope, container)
	return ok && (container == "" || rest == "" || rest[0] == '.')
}
