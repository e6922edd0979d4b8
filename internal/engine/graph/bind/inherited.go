package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
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
	declares := func(file int64, path string) bool { // a property and a method may have the name of a type
		return slices.ContainsFunc(look.Declarations(file, outerScope(path), code.LastSegment(path)), func(d infer.Decl) bool {
			return !d.Kind.IsFunction() && d.Kind != code.KindField
		})
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

// maxChain bounds the members of a chain that are followed.
const maxChain = 8

// typeText is a type as the declaration of a member writes it.
type typeText struct {
	site  *graph.Site
	text  string
	scope int32 // the symbol around the text, -1
}

// ofChain finds a member of a value that is reached from a value of a known type: (A).b.c(). Other files declare the types of b and c.
// ok is false if a type on the way is not known.
func (b *Binder) ofChain(s *graph.Site, r *code.Ref, chain string) (got Binding, ok bool) {
	head, steps, ok := strings.Cut(strings.TrimPrefix(chain, "("), ")")
	if !ok || b.steps.written == nil || strings.Count(steps, ".") > maxChain {
		return Binding{}, false
	}
	of := typeText{s, head, r.Scope}
	at := of
	for step := range strings.SplitSeq(strings.TrimPrefix(steps, "."), ".") {
		if of, ok = b.memberType(of, parseStep(step), at); !ok {
			return Binding{}, false
		}
	}
	typed := *r
	typed.Via, typed.Scope, typed.Recv = code.ViaTyped, of.scope, b.typeName(of)
	if typed.Recv == "" {
		return Binding{}, false
	}
	got = b.namespaceMember(of.site, &typed)
	if of.site.Node.ID != s.Node.ID {
		got.Confidence = min(got.Confidence, code.ImportResolved)
	}
	return got, true
}

// awaited is the step of a chain to the value that a task gives.
const awaited = "await"

// memberType returns the type that the declaration of a member of a type writes; at is the place of the chain itself. ok is false if the
// member is not declared in the repository, or if several declarations of it differ.
func (b *Binder) memberType(of typeText, step chainStep, at typeText) (typ typeText, ok bool) {
	switch {
	case step.name == awaited && b.steps.awaited != nil:
		of.text, ok = b.steps.awaited(of.text)
		return of, ok
	case b.steps.element != nil:
		if text, ok := b.steps.element(of.text, step.name); ok {
			of.text = text
			return of, true
		}
	}
	queue := b.places(of.site, b.typeName(of), of.scope)
	seen := map[place]bool{}
	for i := 0; i < len(queue) && i < maxPlaces; i++ {
		if p := queue[i]; p.site != nil && !seen[p] {
			seen[p] = true
			if i > 0 && typ.site != nil && !b.isPartOf(queue[0], p) {
				break // the nearest type that has the member was found
			}
			list := slices.DeleteFunc(slices.Clone(b.types.Lookup().Declarations(p.site.Node.ID, p.path, step.name)), func(d infer.Decl) bool {
				return d.Kind.IsType() || d.Kind.IsFunction() != step.called
			})
			for j := range list {
				next, ok := b.stepType(of, p, &list[j], &step, at)
				if ok && next.site == nil { // another overload
					continue
				}
				if !ok || typ.site != nil && typ.text != next.text {
					return typeText{}, false
				}
				typ = next
			}
			if len(list) == 0 {
				queue = append(queue, b.bases(p)...)
			}
		}
	}
	return typ, typ.site != nil
}

// isPartOf reports whether two places are of one type, which several files declare.
func (b *Binder) isPartOf(p, q place) bool {
	return p.path == q.path && p.site.Node.Package == q.site.Node.Package
}

// bases returns the types that the declarations of a type name as its bases.
func (b *Binder) bases(p place) (out []place) {
	for _, d := range b.types.Lookup().Declarations(p.site.Node.ID, outerScope(p.path), code.LastSegment(p.path)) {
		if !d.Kind.IsType() && d.Kind != code.KindTrait {
			continue
		}
		bases := b.types.Lookup().Inherits(d.File.ID, d.Ord)
		for i := range bases {
			out = append(out, b.basePlaces(p.site, &bases[i])...)
		}
	}
	return out
}

// written returns the type that a declaration of a member of the type at p writes as text; of is the type through which it was reached, and
// params are the type parameters of the declaration.
func (b *Binder) written(of typeText, p place, d *infer.Decl, text string, params []string) (typ typeText, ok bool) {
	switch text {
	case "":
		return typeText{}, false
	case "static", "$this":
		return of, true
	case "self":
		return typeText{p.site, code.LastSegment(p.path), d.Ord}, true
	}
	for around := p.path; around != ""; around = outerScope(around) {
		for _, t := range b.types.Lookup().Declarations(p.site.Node.ID, outerScope(around), code.LastSegment(around)) {
			_, list, _ := strings.Cut(t.Signature, t.Name+"<")
			params = append(params, typeParameterNames(list)...)
		}
	}
	for _, word := range strings.FieldsFunc(text, isTypeMark) {
		if slices.Contains(params, word) {
			return typeText{}, false
		}
	}
	return typeText{p.site, text, d.Ord}, true
}

// typeName returns a written type as Ref.Recv, "" if it is not a single type that a file names.
func (b *Binder) typeName(t typeText) string {
	name := strings.Trim(t.text, "? ")
	name, _, _ = strings.Cut(name, "<")
	if name == "" || strings.ContainsAny(t.text, "|&[(*") {
		return ""
	}
	i := strings.IndexAny(name, `.\`)
	head := name[:max(i, 0)]
	if i < 0 {
		head = name
	}
	for j := range t.site.Imports {
		for _, n := range t.site.Imports[j].Names {
			if n.Alias == head && n.Name != "*" && head != "" {
				return t.site.Imports[j].Spec + name[len(head):]
			}
		}
	}
	return strings.TrimPrefix(name, `\`)
}
