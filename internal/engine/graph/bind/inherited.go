package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// place is a type as a file declares it.
type place struct {
	site *graph.Site
	path string // qualified name
}

// maxPlaces bounds the bases that are looked at for one member, maxLoaded the files in which one base is looked for.
const (
	maxPlaces = 100
	maxLoaded = 32
)

// inherited returns the members that the type of a receiver inherits from the nearest base that has one, as far as the files show which
// types the bases are. It serves the languages whose signatures are not read, so that infer does not know their types.
func (b *Binder) inherited(s *graph.Site, typ string, r *code.Ref) []int {
	queue := b.places(s, typ, r.Scope)
	seen := map[place]bool{}
	for i := 0; i < len(queue) && i < maxPlaces; i++ {
		p := queue[i]
		if seen[p] || p.site == nil {
			continue
		}
		seen[p] = true
		for _, d := range b.types.Lookup().Declarations(p.site.Node.ID, outerScope(p.path), code.LastSegment(p.path)) {
			if !d.Kind.IsType() && d.Kind != code.KindModule && d.Kind != code.KindTrait {
				continue
			}
			bases := b.types.Lookup().Inherits(d.File.ID, d.Ord)
			for j := range bases {
				for _, q := range b.basePlaces(p.site, &bases[j]) {
					if fits := b.ofPlace(q); len(fits) > 0 {
						return fits
					}
					queue = append(queue, q)
				}
			}
		}
	}
	return nil
}

// ofPlace returns the members of a type, which other files of its namespace may declare parts of.
func (b *Binder) ofPlace(p place) []int {
	return b.pick(b.byType[code.LastSegment(p.path)], func(d *graph.Def) bool {
		if d.Container != p.path || d.File.Lang != p.site.Node.Lang {
			return false
		}
		return d.File.ID == p.site.Node.ID || d.File.Traits().NameSymbols || graph.SameScope(&p.site.Node, &d.File)
	})
}

// places returns the types that a name means in a file, inside of the symbol scope.
func (b *Binder) places(s *graph.Site, name string, scope int32) (out []place) {
	look := b.types.Lookup()
	declares := func(file int64, path string) bool {
		return len(look.Declarations(file, outerScope(path), code.LastSegment(path))) > 0
	}
	for around := look.QualifiedName(s.Node.ID, scope); ; around = outerScope(around) {
		if path := strings.TrimPrefix(around+"."+name, "."); declares(s.Node.ID, path) {
			return []place{{s, path}}
		}
		if around == "" {
			break
		}
	}
	i := strings.LastIndexAny(name, `.\`)
	spaces := b.typeSpaces(s)
	if i >= 0 {
		spaces, name = []string{name[:i]}, name[i+1:]
	}
	for _, pkg := range spaces {
		for _, id := range b.k.Declarers(s.Node, pkg, "", name) {
			out = append(out, place{look.Site(id), name})
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// basePlaces returns the types that a reference to a base means.
func (b *Binder) basePlaces(s *graph.Site, r *code.Ref) (out []place) {
	look := b.types.Lookup()
	if !r.Via.NamesImport() {
		name := r.Name
		if r.Via == code.ViaTyped && !code.IsExpr(r.Recv) {
			name = r.Recv + "." + name
		}
		return b.places(s, name, r.Scope)
	}
	if r.Import < 0 || int(r.Import) >= min(len(s.Imports), len(s.Links)) {
		return nil
	}
	imp, link := &s.Imports[r.Import], &s.Links[r.Import]
	if link.IsPackage {
		in := graph.Container(imp, link)
		for _, id := range b.k.Declarers(s.Node, link.Package, in, r.Name) {
			out = append(out, place{look.Site(id), strings.TrimPrefix(in+"."+r.Name, ".")})
		}
		return out
	}
	nest, name := "", r.Name
	if s.Node.Traits().NameSymbols { // a constant of Ruby, which begins in one of the namespaces around
		nest, name = rubySpec(imp.Spec)
	}
	in := []*graph.Site{s}
	if link.File != 0 {
		in = append(in, look.Site(link.File))
	} else if nest+name != r.Name { // in a file that this one loads
		for i := range s.Links {
			if s.Links[i].File != 0 && len(in) < maxLoaded {
				in = append(in, look.Site(s.Links[i].File))
			}
		}
	}
	for _, in := range in {
		for around := nest; in != nil; around = outerScope(around) {
			path := strings.TrimPrefix(around+"."+name, ".")
			if len(look.Declarations(in.Node.ID, outerScope(path), code.LastSegment(path))) > 0 {
				return []place{{in, path}}
			}
			if around == "" {
				break
			}
		}
	}
	for _, d := range look.Tagged(s.Node.Lang, name) {
		out = append(out, place{look.Site(d.File.ID), name})
	}
	for around := nest; s.Node.Traits().NameSymbols; around = outerScope(around) { // in a file that nothing here names
		out = append(out, place{s, strings.TrimPrefix(around+"."+name, ".")})
		if around == "" {
			break
		}
	}
	return slices.DeleteFunc(out, func(p place) bool { return p.site == nil })
}
