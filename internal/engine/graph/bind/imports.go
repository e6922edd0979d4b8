package bind

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// bindImported binds a reference through the import that binds its name. A name that a file declares and another one runs means
// both declarations.
func (b *Binder) bindImported(s *graph.Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Links) {
		return Binding{}
	}
	return b.withRunning(s, r, b.bindName(s, r))
}

// withRunning adds to a binding the declaration of the file that runs, if an import leads to a declaration file.
func (b *Binder) withRunning(s *graph.Site, r *code.Ref, got Binding) Binding {
	if s.Node.Traits().DeclarationStem == "" || s.Links[r.Import].File == 0 {
		return got
	}
	id, declared, ok := b.k.FollowRunning(&s.Links[r.Import], graph.ExportedName(&s.Imports[r.Import], r))
	if !ok {
		return got
	}
	running := resolvedBinding(b.topLevelNamed(id, declared))
	if len(running.Defs) > 0 && got.Decided {
		for _, d := range got.Defs {
			if !slices.Contains(running.Defs, d) {
				running.Defs = append(running.Defs, d)
			}
		}
	}
	if len(running.Defs) > 0 {
		return running
	}
	return got
}

// bindName binds a name through an import.
func (b *Binder) bindName(s *graph.Site, r *code.Ref) Binding {
	link, imp := &s.Links[r.Import], &s.Imports[r.Import]
	if len(link.Dirs) > 0 && link.File == 0 {
		for _, n := range imp.Names { // a member of a type that several files declare
			if fits := b.inDirs(s, b.byType[n.Name], link); n.Name != r.Name && len(fits) > 0 {
				return resolvedBinding(fits)
			}
		}
		return b.inPackage(s, link, r)
	}
	if link.File == 0 && len(link.Subs) == 0 {
		switch own := b.ofAmbient(imp, r); {
		case len(own) > 0:
			return resolvedBinding(own)
		case link.External != "":
			return noBinding(OtherPackage)
		}
		return b.anyByName(s, r)
	}
	if id, ok := link.Sub(r.Name); ok {
		if s.Node.Traits().ModuleName == lang.FirstSegment {
			return noBinding(NotMember) // the module, not its declaration of the same name
		}
		return b.inFile(id, r.Name)
	}
	for _, sub := range link.Subs {
		bound := slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == sub.Name })
		if got := b.inFile(sub.File, r.Name); len(got.Defs) > 0 && bound {
			return got
		}
	}
	if link.File == 0 {
		return b.anyByName(s, r)
	}
	if s.Node.Traits().TypeWildcards { // a member of the imported type, beside which its file may declare another of the name
		for _, n := range imp.Names {
			if fits := b.inOne(b.byType[n.Name], link.File); n.Alias != r.Name && len(fits) > 0 {
				return resolvedBinding(fits)
			}
		}
	}
	name := graph.ExportedName(imp, r)
	if got := b.inFile(link.File, name); len(got.Defs) > 0 && name != "default" {
		return got
	}
	if defs, ok := b.followed(link.File, name); ok {
		got := resolvedBinding(defs)
		if len(got.Defs) == 0 && r.Name == "default" && b.steps.offered != nil { // a member of the exported object has that name
			if member, ok := b.steps.offered(b, s, r); ok {
				return member
			}
		}
		return got
	}
	if b.steps.offered != nil {
		if got, ok := b.steps.offered(b, s, r); ok {
			return got
		}
	}
	if got := b.byFile[link.File]; len(got) > 0 && b.defs[got[0]].Name == name && name != "default" {
		return resolvedBinding(got)
	}
	if b.steps.undeclared != nil {
		if got := resolvedBinding(b.steps.undeclared(b, s, link.File)); len(got.Defs) > 0 {
			return got
		}
	}
	return b.bindUnoffered(s, r)
}

// bindModule binds a module that is used as a value, through the import that binds its name: to the one declaration that
// it exports as a whole. An ES module is an object of its own, which is not its default export; but a file of TypeScript may
// import as ES modules do and have one export (export =).
func (b *Binder) bindModule(s *graph.Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Links) {
		return Binding{}
	}
	return b.withRunning(s, r, b.bindWhole(s, r))
}

func (b *Binder) bindWhole(s *graph.Site, r *code.Ref) Binding {
	link := &s.Links[r.Import]
	switch id, declared, ok := b.k.FollowName(link.File, "default"); {
	case link.File == 0 && link.External == "":
		return b.anyByName(s, r)
	case !ok:
		return noBinding(OtherPackage)
	case r.Kind == code.RefUse && b.isModuleObject(link.File):
		return possibleBinding(b.topLevelNamed(id, declared))
	default:
		return resolvedBinding(b.topLevelNamed(id, declared))
	}
}

// isModuleObject reports whether the imports of a file show that it is an ES module.
func (b *Binder) isModuleObject(file int64) bool {
	return slices.ContainsFunc(b.files.Outward(file).Imports, func(i code.Import) bool {
		return i.Kind == code.ImportStatic || i.Kind == code.ImportReexport || i.Kind == code.ImportTypeOnly
	})
}

// bindUnoffered binds a name imported from a file that neither declares it nor visibly passes it on. It may be inherited,
// made by a macro, or be a member of the value that the file exports.
func (b *Binder) bindUnoffered(s *graph.Site, r *code.Ref) Binding {
	if hasOpenMembers(s) || s.Node.Traits().BareMembers {
		return b.possibly(s, r)
	}
	return noBinding(OtherPackage)
}

// inFile returns a top-level declaration of one file.
func (b *Binder) inFile(file int64, name string) Binding {
	return resolvedBinding(b.topLevelNamed(file, name))
}

// findOffered binds a name to the declaration that a file offers: its own, or one that it passes on.
func (b *Binder) findOffered(file int64, name string) Binding {
	if got := b.inFile(file, name); len(got.Defs) > 0 {
		return got
	}
	defs, _ := b.followed(file, name)
	return resolvedBinding(defs)
}

// followed returns the declarations to which a name that a file offers leads; ok is false if it leads nowhere.
func (b *Binder) followed(file int64, name string) (defs []int, ok bool) {
	id, container, declared, ok := b.k.FollowDeclared(file, name)
	return b.pick(b.byFile[id], func(d *graph.Def) bool { return d.Container == container && d.Name == declared }), ok
}

// inPackage returns a top-level declaration in the directories an import names.
func (b *Binder) inPackage(s *graph.Site, link *graph.Link, r *code.Ref) Binding {
	for _, dir := range link.Dirs {
		own := "-"
		if of, ok := s.Node.TestedPackage(); ok && dir == code.Dir(s.Node.Path) {
			own = of.Package
		}
		fits := b.pick(b.byDir[dir], func(d *graph.Def) bool {
			return d.Container == "" && graph.SameFamily(&d.File, &s.Node) && (d.File.Importable() || d.File.Package == own)
		})
		if len(fits) > 0 {
			return resolvedBinding(fits)
		}
	}
	return noBinding(OtherPackage)
}

// throughWildcard returns a top-level declaration that a wildcard import brings in.
func (b *Binder) throughWildcard(s *graph.Site, link *graph.Link, name string) Binding {
	if link.File != 0 {
		defs, _ := b.followed(link.File, name)
		return resolvedBinding(defs)
	}
	return b.inPackage(s, link, &code.Ref{Name: name})
}
