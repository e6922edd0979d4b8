package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// lineage is a type followed by its bases, in the order in which members are looked up.
type lineage struct {
	types   []Decl
	outside bool // a base is from outside the repository
	unknown bool // a base is not known
}

// maxLineage bounds the bases of one type.
const maxLineage = 200

// lineage lists the types in which a member of t may be declared.
func (y *Types) lineage(t term) lineage {
	key := t.decl.id()
	line, ok := y.lines[key]
	if !ok {
		if y.depth >= maxDepth {
			return lineage{types: []Decl{t.decl}, unknown: true}
		}
		y.depth++
		defer func() { y.depth-- }()
		y.lines[key] = lineage{types: []Decl{t.decl}, unknown: true}
		switch syntaxFor(t.decl.File.Lang).order {
		case orderC3:
			line = y.linearize(t.decl)
		default:
			line = y.byLevel(t.decl)
		}
		y.lines[key] = line
	}
	if t.what == termAbove && len(line.types) > 0 {
		line.types = line.types[1:]
	}
	return line
}

// parents returns the direct bases of a type.
func (y *Types) parents(d Decl) (out []Decl, line lineage) {
	home := y.look.Site(d.File.ID)
	if home == nil {
		return nil, lineage{unknown: true}
	}
	var add func(t term)
	add = func(t term) {
		switch t.what {
		case termEither: // a value may be of all of them, or is
			for i := range min(len(t.args), maxEither) {
				add(y.eval(t.site, t.args[i]))
			}
		case termType:
			out = append(out, t.decl)
		case termUnknown:
			line.unknown = true
		default:
			line.outside = true
		}
	}
	refs := y.look.Inherits(d.File.ID, d.Ord)
	for i := range refs {
		if refs[i].Kind == code.RefInherit || !d.File.Traits().ImplicitInterfaces {
			add(y.referenceTerm(home, &refs[i]))
		}
	}
	if d.Kind == code.KindType { // a name for another type has its members
		if t := y.eval(home, d.underlying()); t.what == termType || t.what == termEither || t.what == termUnknown {
			add(t)
		}
	}
	return out, line
}

// referenceTerm returns the type that a reference to a base class means.
func (y *Types) referenceTerm(s *graph.Site, r *code.Ref) term {
	switch r.Via {
	case code.ViaImport, code.ViaModule:
		if r.Import < 0 || int(r.Import) >= len(s.Links) {
			return term{}
		}
		return y.importedName(s, &s.Links[r.Import], graph.ExportedName(&s.Imports[r.Import], r))
	case code.ViaBare:
		return y.name(s, r.Name)
	case code.ViaTyped:
		if outer, ok := strings.CutSuffix(r.Recv, "::"); ok { // a class or a namespace, which qualified names omit
			outer = outer[strings.LastIndexByte(outer, ':')+1:]
			if t := y.member(y.name(s, outer), r.Name); t.what != termUnknown {
				return t
			}
			return y.name(s, r.Name)
		}
		return y.member(y.of(s, r.Recv), r.Name)
	case code.ViaLocal:
		return y.nestedType(s, r)
	}
	return term{}
}

// nestedType returns the type of the name that is declared inside the types around a reference.
func (y *Types) nestedType(s *graph.Site, r *code.Ref) term {
	container := y.look.QualifiedName(s.Node.ID, r.Scope)
	for container != "" {
		for _, d := range y.look.Declarations(s.Node.ID, container, r.Name) {
			if d.Kind.IsType() {
				return term{what: termType, decl: d}
			}
		}
		container = container[:max(strings.LastIndexByte(container, '.'), 0)]
	}
	return term{}
}

// byLevel lists the bases level by level: Go's order of promoted members, and about Java's order of inherited ones.
func (y *Types) byLevel(d Decl) lineage {
	line := lineage{types: []Decl{d}}
	seen := map[code.SymbolID]bool{d.id(): true}
	for i := 0; i < len(line.types) && i < maxLineage; i++ {
		up, found := y.parents(line.types[i])
		line.unknown, line.outside = line.unknown || found.unknown, line.outside || found.outside
		for _, p := range up {
			if k := p.id(); !seen[k] {
				seen[k] = true
				line.types = append(line.types, p)
			}
		}
	}
	return line
}

// linearize lists the bases in Python's order of resolution (C3, "A Monotonic Superclass Linearization for Dylan",
// 1996); where there is none, depth first.
func (y *Types) linearize(d Decl) lineage {
	up, line := y.parents(d)
	line.types = []Decl{d}
	var rest [][]Decl
	for _, p := range up {
		l := y.lineage(term{what: termType, decl: p})
		line.unknown, line.outside = line.unknown || l.unknown, line.outside || l.outside
		rest = append(rest, slices.Clone(l.types))
	}
	rest = append(rest, up)
	for len(line.types) < maxLineage {
		next, ok := mergeHead(rest)
		if !ok {
			break
		}
		line.types = append(line.types, next)
		for i := range rest {
			rest[i] = slices.DeleteFunc(slices.Clone(rest[i]), func(x Decl) bool { return sameDecl(x, next) })
		}
	}
	return line
}

// mergeHead returns the first head of the lists that occurs in no list after its head; if there is none, the first head.
func mergeHead(lists [][]Decl) (Decl, bool) {
	var first *Decl
	for i := range lists {
		if len(lists[i]) == 0 {
			continue
		}
		head := lists[i][0]
		if first == nil {
			first = &head
		}
		if !slices.ContainsFunc(lists, func(l []Decl) bool {
			return len(l) > 1 && slices.ContainsFunc(l[1:], func(x Decl) bool { return sameDecl(x, head) })
		}) {
			return head, true
		}
	}
	if first == nil {
		return Decl{}, false
	}
	return *first, true
}

// InheritedMembers returns the declarations of a member in the nearest base of a type that has one. container is the type's
// qualified name as a file knows it.
func (y *Types) InheritedMembers(s *graph.Site, container, name string) []Decl {
	first, rest, _ := strings.Cut(container, ".")
	t := y.name(s, first)
	if i := strings.LastIndexByte(container, '.'); i >= 0 && t.what == termFunc { // a type that a function declares
		list := y.look.Declarations(s.Node.ID, container[:i], container[i+1:])
		if i := slices.IndexFunc(list, func(d Decl) bool { return d.Kind.IsType() }); i >= 0 {
			t, rest = term{what: termType, decl: list[i]}, ""
		}
	}
	for rest != "" && t.what == termType {
		var next string
		next, rest, _ = strings.Cut(rest, ".")
		list := y.look.Declarations(t.decl.File.ID, t.decl.QualifiedName(), next)
		if len(list) == 0 || !list[len(list)-1].Kind.IsType() {
			return nil
		}
		t.decl = list[len(list)-1]
	}
	if t.what != termType {
		return nil
	}
	t.what = termAbove
	line := y.lineage(t)
	for i := range line.types {
		if list := y.ownMembers(line.types[i], name); len(list) > 0 {
			return list
		}
	}
	return nil
}

// OtherNames returns the qualified names of the types that a type is another name of.
func (y *Types) OtherNames(d Decl) (names []string) {
	line := y.lineage(term{what: termType, decl: d})
	for i := range line.types {
		if t := &line.types[i]; !sameDecl(*t, d) {
			names = append(names, t.QualifiedName())
		}
	}
	return names
}

func sameDecl(a, b Decl) bool { return a.id() == b.id() }

// baseHint is the name of the hint that records the base of a class without a name.
const baseHint = "<"

// aboveUnnamed returns the members of a name in the base of a class without a name. outside is set if the base is not of the repository.
func (y *Types) aboveUnnamed(file int64, base, name string) (above []Decl, outside bool) {
	home := y.look.Site(file)
	if home == nil {
		return nil, false
	}
	t := y.of(home, base)
	if t.what != termType {
		return nil, t.what == termOutside || t.what == termList || t.what == termMap
	}
	line := y.lineage(t)
	for i := range line.types {
		above = append(above, y.ownMembers(line.types[i], name)...)
	}
	return above, line.outside
}

// Overridden returns the members of a name in the bases of a type; outside is set if some of the bases are not of the
// repository.
//
// The class of the method ord may have no name: then extraction records its base in a hint.
func (y *Types) Overridden(n graph.Node, ord int32, container, name string) (above []Decl, outside bool) {
	if base := y.look.Hint(n.ID, ord, baseHint); base != "" {
		return y.aboveUnnamed(n.ID, base, name)
	}
	scope, own := "", container
	if i := strings.LastIndexByte(container, '.'); i >= 0 {
		scope, own = container[:i], container[i+1:]
	}
	list := y.look.Declarations(n.ID, scope, own)
	if len(list) == 0 && n.Traits().DetachedMethods {
		for _, id := range y.files.ScopeDeclarers(n, scope, own) {
			list = append(list, y.look.Declarations(id, scope, own)...)
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	line := y.lineage(term{what: termAbove, decl: list[len(list)-1]})
	for i := range line.types {
		above = append(above, y.ownMembers(line.types[i], name)...)
	}
	return above, line.outside
}

// declared returns the meaning of a name that files of one scope declare, and whether one of them does. Where several may, each for other
// constraints of the build, it means all of them.
func (y *Types) declared(s *graph.Site, files []int64, name string) (term, bool) {
	var parts []term
	for _, id := range files {
		list := y.look.Declarations(id, "", name)
		if len(list) == 0 {
			continue
		}
		if parts = append(parts, y.value(list)); !syntaxFor(s.Node.Lang).builds || len(parts) == maxEither {
			break
		}
	}
	if len(parts) == 0 {
		return term{}, false
	}
	return eachBuild(s, parts), true
}

// within returns the expression of a type that the declaration d names with the path of a nested type, if the name is that of a type
// nested in one around d.
func (y *Types) within(d *Decl, e *expr) *expr {
	if d.Container == "" || e == nil {
		return e
	}
	if e.op == opName {
		for in := d.Container; in != ""; in = in[:max(strings.LastIndexByte(in, '.'), 0)] {
			list := y.look.Declarations(d.File.ID, in, e.name)
			if slices.ContainsFunc(list, func(t Decl) bool { return t.Kind.IsType() }) {
				return pathExpr(in + "." + e.name)
			}
		}
		return e
	}
	if e.of == nil && len(e.args) == 0 {
		return e
	}
	c := *e
	c.of, c.args = y.within(d, e.of), slices.Clone(e.args)
	for i := range c.args {
		c.args[i] = y.within(d, c.args[i])
	}
	return &c
}
