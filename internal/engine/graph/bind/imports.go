package bind

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// imported follows the import a reference is bound by.
func (b *Binder) imported(s *graph.Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Links) {
		return Binding{}
	}
	link, imp := &s.Links[r.Import], &s.Imports[r.Import]
	if len(link.Dirs) > 0 && link.File == 0 {
		return b.inPackage(s, link, r)
	}
	if link.File == 0 && len(link.Subs) == 0 {
		if b.steps.otherImport != nil {
			if got, ok := b.steps.otherImport(b, s, r); ok {
				return got
			}
		}
		if link.External != "" {
			return elsewhere(OtherPackage)
		}
		return b.anyByName(s, r)
	}
	if id, ok := link.Sub(r.Name); ok {
		if s.Node.Traits().ModuleName == lang.FirstSegment {
			return elsewhere(NotMember) // the module, not what it declares under its own name
		}
		return b.inFile(id, r.Name)
	}
	for _, sub := range link.Subs {
		if got := b.inFile(sub.File, r.Name); len(got.Defs) > 0 && aliasOf(imp, sub.Name) {
			return got
		}
	}
	if link.File == 0 {
		return b.anyByName(s, r)
	}
	name := graph.ExportedName(imp, r.Name)
	if got := b.inFile(link.File, name); len(got.Defs) > 0 && name != "default" {
		return got
	}
	if id, declared, ok := b.k.FollowName(link.File, name); ok {
		return resolved(b.named(id, declared))
	}
	if b.steps.offered != nil {
		if got, ok := b.steps.offered(b, s, r); ok {
			return got
		}
	}
	if got := b.byFile[link.File]; len(got) > 0 && name != "default" {
		return resolved(got)
	}
	if b.steps.undeclared != nil {
		if got := resolved(b.steps.undeclared(b, s, link.File)); len(got.Defs) > 0 {
			return got
		}
	}
	return b.unoffered(s, r)
}

// unoffered is a name taken from a file that neither declares it nor passes it
// on, as far as is seen: it may be inherited, made by a macro, or be a member of
// the value that the file exports.
func (b *Binder) unoffered(s *graph.Site, r *code.Ref) Binding {
	switch traits := s.Node.Traits(); {
	case open(s):
		return b.possibly(s, r)
	case traits.BareMembers:
		return b.possibly(s, r)
	}
	return elsewhere(OtherPackage)
}

// aliasOf reports whether a submodule is among the names an import binds.
func aliasOf(imp *code.Import, sub string) bool {
	return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == sub })
}

// inFile returns a top-level declaration of one file.
func (b *Binder) inFile(file int64, name string) Binding {
	return resolved(b.named(file, name))
}

// offered is what a file offers under a name, its own or passed on.
func (b *Binder) offered(file int64, name string) Binding {
	if got := b.inFile(file, name); len(got.Defs) > 0 {
		return got
	}
	id, declared, ok := b.k.FollowName(file, name)
	if !ok {
		return Binding{}
	}
	return b.inFile(id, declared)
}

// inPackage returns a top-level declaration in the directories an import names.
func (b *Binder) inPackage(s *graph.Site, link *graph.Link, r *code.Ref) Binding {
	for _, dir := range link.Dirs {
		own := "-"
		if of, ok := s.Node.Tested(); ok && dir == code.Dir(s.Node.Path) {
			own = of.Package
		}
		fits := b.pick(b.byDir[dir], func(d *graph.Def) bool {
			return d.Container == "" && graph.SameFamily(&d.File, &s.Node) && (d.File.Importable() || d.File.Package == own)
		})
		if len(fits) > 0 {
			return resolved(fits)
		}
	}
	return elsewhere(OtherPackage)
}

// throughWildcard returns a top-level declaration that a wildcard import brings in.
func (b *Binder) throughWildcard(s *graph.Site, link *graph.Link, name string) Binding {
	if link.File != 0 {
		if id, declared, ok := b.k.FollowName(link.File, name); ok {
			return resolved(b.named(id, declared))
		}
		return Binding{}
	}
	return b.inPackage(s, link, &code.Ref{Name: name})
}
