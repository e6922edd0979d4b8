package graph

import (
	"slices"

	"ken/internal/code"
)

// Details answers what inference of types asks of single files, beside World.
type Details interface {
	// Site is a file with its imports and links, nil if there is nothing to know of it.
	Site(file int64) *Site
	// Declared are the declarations of a file that bear a name, in source order.
	// container is as in World.
	Declared(file int64, container, name string) []Decl
	// Inherits are the references a type's declaration makes to what it is made
	// from: base classes, embedded types, implemented interfaces.
	Inherits(file int64, ord int32) []code.Ref
	// Hint is the code.TypeHint of a symbol, or of an attribute of a class, "" if
	// there is none.
	Hint(file int64, ord int32, name string) string
	// Qualified is the qualified name of a symbol, "" for -1.
	Qualified(file int64, ord int32) string
}

// Decl is a declaration whose type is asked for.
type Decl struct {
	Def
	Signature string
}

// Types tells what type an expression has, across files: results of functions,
// fields, elements, base classes. It asks when a question is answered and stores
// nothing, so that no declaration has to be told when another one changes.
//
// It follows what is written and no data: a name has one type wherever it is
// used, parameters have none but what they are declared with, type parameters
// have none. What it cannot tell is unknown, never guessed.
type Types struct {
	k     *Linker
	d     Details
	exprs map[exprKey]term
	decls map[declKey]term
	lines map[declKey]lineage
	depth int
}

type exprKey struct {
	file int64
	expr string
}

type declKey struct {
	file int64
	ord  int32
}

// NewTypes infers over the same state of the world as k.
func NewTypes(k *Linker, d Details) *Types {
	return &Types{k: k, d: d, exprs: map[exprKey]term{}, decls: map[declKey]term{}, lines: map[declKey]lineage{}}
}

// termKind says what an expression turned out to be.
type termKind uint8

const (
	termUnknown  termKind = iota
	termOutside           // of the standard library, another repository, or predeclared
	termType              // a type, or a value of it
	termAbove             // what a type inherits (super)
	termFunc              // a function or method
	termModule            // a module or package
	termList              // a sequence of args[0]
	termMap               // args[0] to args[1]
	termTuple             // args one by one
	termCallable          // a function type with results args
)

// term is what is known of an expression. Declared things have decl; composed
// ones have args, to be read in site.
type term struct {
	what   termKind
	decl   Decl
	site   *Site
	args   []*expr
	module moduleTerm
}

// moduleTerm is a module: a file, or the directories of a package; spec is its
// name as imports of site write it, "" if only the file is known.
type moduleTerm struct {
	file int64
	dirs []string
	spec string
}

// maxDepth bounds how deep one question leads to others: declarations may lead
// in circles.
const maxDepth = 48

// Of is the type of an expression written in a file, as in Ref.Recv with or
// without its mark.
func (y *Types) of(s *Site, text string) term {
	key := exprKey{s.Node.ID, text}
	t, ok := y.exprs[key]
	if !ok {
		y.exprs[key] = term{} // asked for again on the way, it is unknown
		t = y.eval(s, parseExpr(text))
		y.exprs[key] = t
	}
	return t
}

// eval follows an expression written in s.
func (y *Types) eval(s *Site, e *expr) term {
	if e == nil || y.depth >= maxDepth {
		return term{}
	}
	y.depth++
	defer func() { y.depth-- }()
	switch e.op {
	case opName:
		return y.name(s, e.name)
	case opMember:
		return y.member(y.eval(s, e.of), e.name)
	case opCall:
		return y.call(y.eval(s, e.of), e.index)
	case opElem:
		return y.elem(y.eval(s, e.of), e.index)
	case opKey:
		return y.key(y.eval(s, e.of))
	case opAbove:
		if t := y.eval(s, e.of); t.what == termType {
			t.what = termAbove
			return t
		}
	case opList:
		return term{what: termList, site: s, args: e.args}
	case opMap:
		return term{what: termMap, site: s, args: e.args}
	case opTuple:
		return term{what: termTuple, site: s, args: e.args}
	case opFunc:
		return term{what: termCallable, site: s, args: e.args}
	}
	return term{}
}

// name is what a plain name stands for at the top level of a file.
func (y *Types) name(s *Site, name string) term {
	if list := y.d.Declared(s.Node.ID, "", name); len(list) > 0 {
		return y.value(list)
	}
	for _, id := range y.k.w.ScopeDeclarers(s.Node, "", name) {
		if list := y.d.Declared(id, "", name); len(list) > 0 {
			return y.value(list)
		}
	}
	for i := range s.Imports {
		if t := y.bound(s, i, name); t.what != termUnknown {
			return t
		}
	}
	for i := range s.Imports {
		if i < len(s.Links) && wildcard(&s.Imports[i]) {
			if t := y.offered(s, &s.Links[i], name); t.what != termUnknown && t.what != termOutside {
				return t
			}
		}
	}
	if predeclared(s.Node.Lang, name) {
		return term{what: termOutside}
	}
	return term{}
}

// bound is what the ith import of a file binds to a name.
func (y *Types) bound(s *Site, i int, name string) term {
	if i >= len(s.Links) {
		return term{}
	}
	imp, link := &s.Imports[i], &s.Links[i]
	for _, n := range imp.Names {
		if n.Alias == name && n.Name != "*" {
			return y.imported(s, link, n.Name)
		}
	}
	if whole, spec := y.whole(s, imp, link, name); whole {
		if link.External != "" {
			return term{what: termOutside}
		}
		m := moduleTerm{file: link.File, dirs: link.Dirs, spec: spec}
		if spec != "" && spec != imp.Spec {
			m.file = y.k.resolve(s.Node, &code.Import{Spec: spec}, nil).File
		}
		return term{what: termModule, site: s, module: m}
	}
	return term{}
}

// whole reports whether an import binds a name to a module, and that module's
// name: Python's `import a.b` binds a.
func (y *Types) whole(s *Site, imp *code.Import, link *Link, name string) (ok bool, spec string) {
	if len(imp.Names) > 0 {
		return imp.Alias == name, ""
	}
	if s.Node.Lang == "python" {
		if imp.Alias != "" {
			return imp.Alias == name, imp.Spec
		}
		return firstSegment(imp.Spec) == name, name
	}
	if s.Node.Lang == "go" && imp.Alias == "" && len(link.Dirs) > 0 {
		return y.k.packageName(s.Node, link) == name, ""
	}
	return imp.Alias != "_" && imp.Alias != "." && localName(imp) == name, ""
}

// packageName is the name of the package an import leads to, by its files.
func (k *Linker) packageName(n Node, link *Link) string {
	id, ok := k.w.DirFirst(n.Lang, link.Dirs[0])
	if !ok {
		return ""
	}
	first, _ := k.w.NodeByID(id)
	return first.Package
}

// imported is a name taken from where an import leads.
func (y *Types) imported(s *Site, link *Link, name string) term {
	if id, ok := link.sub(name); ok {
		return term{what: termModule, site: s, module: moduleTerm{file: id}}
	}
	return y.offered(s, link, name)
}

// offered is what a module offers under a name, its own or passed on.
func (y *Types) offered(s *Site, link *Link, name string) term {
	switch {
	case link.External != "":
		return term{what: termOutside}
	case link.File != 0:
		return y.inModule(s, moduleTerm{file: link.File}, name)
	case len(link.Dirs) > 0:
		return y.inModule(s, moduleTerm{dirs: link.Dirs}, name)
	}
	return term{}
}

// inModule is a member of a module.
func (y *Types) inModule(s *Site, m moduleTerm, name string) term {
	for _, dir := range m.dirs {
		ids := y.k.w.DirDeclarers(s.Node.Lang, dir, name)
		if of, ok := s.Node.tested(); ok && dir == code.Dir(s.Node.Path) {
			ids = y.k.w.ScopeDeclarers(of, "", name)
		}
		for _, id := range ids {
			if list := y.d.Declared(id, "", name); len(list) > 0 {
				return y.value(list)
			}
		}
	}
	if m.file != 0 {
		if t, ok := y.inFile(m.file, name); ok {
			return t
		}
	}
	if m.spec != "" {
		spec := m.spec + "." + name
		if link := y.k.resolve(s.Node, &code.Import{Spec: spec}, nil); link.File != 0 {
			return term{what: termModule, site: s, module: moduleTerm{file: link.File, spec: spec}}
		}
	}
	return term{}
}

// inFile is what a file offers under a name.
func (y *Types) inFile(file int64, name string) (term, bool) {
	if id, declared, ok := y.k.FollowName(file, name); ok {
		if list := y.d.Declared(id, "", declared); len(list) > 0 {
			return y.value(list), true
		}
	}
	if id, ok := y.k.Module(file, name); ok {
		if home := y.d.Site(id); home != nil {
			return term{what: termModule, site: home, module: moduleTerm{file: id}}, true
		}
	}
	home := y.d.Site(file)
	if home == nil {
		return term{}, false
	}
	for i := range home.Imports { // a name that comes from outside
		if i < len(home.Links) && home.Links[i].External != "" &&
			slices.ContainsFunc(home.Imports[i].Names, func(n code.ImportName) bool { return n.Alias == name }) {
			return term{what: termOutside}, true
		}
	}
	return term{}, false
}

// value is what a declared name stands for: types and functions for themselves,
// variables and fields for their type. Of several declarations of one name the
// last is meant, as in the languages that allow them.
func (y *Types) value(list []Decl) term {
	d := list[len(list)-1]
	switch {
	case d.Kind.IsType(), d.Kind == code.KindTrait:
		return term{what: termType, decl: d}
	case d.Kind.IsFunction():
		return term{what: termFunc, decl: d}
	}
	return y.once(d, func(home *Site) term {
		if hint := y.d.Hint(d.File.ID, d.Ord, ""); hint != "" {
			return y.eval(home, parseExpr(hint))
		}
		return y.eval(home, declaredType(d.File.Lang, &d))
	})
}

// once computes what a declaration tells, in its own file.
func (y *Types) once(d Decl, f func(home *Site) term) term {
	key := declKey{d.File.ID, d.Ord}
	t, ok := y.decls[key]
	if !ok {
		y.decls[key] = term{}
		if home := y.d.Site(d.File.ID); home != nil {
			t = f(home)
		}
		y.decls[key] = t
	}
	return t
}

// member is the type of a member of t.
func (y *Types) member(t term, name string) term {
	switch t.what {
	case termOutside:
		return t
	case termModule:
		return y.inModule(t.site, t.module, name)
	case termType, termAbove:
		line := y.lineage(t)
		for _, a := range line.types {
			if hint := y.d.Hint(a.File.ID, a.Ord, name); hint != "" {
				if home := y.d.Site(a.File.ID); home != nil {
					return y.eval(home, parseExpr(hint))
				}
			}
			if list := y.membersOf(a, name); len(list) > 0 {
				return y.value(list)
			}
		}
		if line.outside && !line.unknown {
			return term{what: termOutside}
		}
	}
	return term{}
}

// membersOf are the declarations of a member in a type itself.
func (y *Types) membersOf(d Decl, name string) []Decl {
	container := d.qualified()
	if list := y.d.Declared(d.File.ID, container, name); len(list) > 0 {
		return list
	}
	if d.File.Lang == "go" { // methods stand anywhere in the package
		for _, id := range y.k.w.ScopeDeclarers(d.File, container, name) {
			if list := y.d.Declared(id, container, name); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

func (d *Decl) qualified() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// call is the ith result of calling t.
func (y *Types) call(t term, i int) term {
	switch t.what {
	case termOutside:
		return t
	case termType: // a constructor or conversion, unless the type is of functions
		if u := y.under(t); u.what == termCallable {
			return y.call(u, i)
		}
		return t
	case termCallable:
		if i < len(t.args) {
			return y.eval(t.site, t.args[i])
		}
	case termFunc:
		return y.result(t.decl, i)
	}
	return term{}
}

// result is what a declared function gives.
func (y *Types) result(d Decl, i int) term {
	results := y.once(d, func(home *Site) term {
		list := resultTypes(d.File.Lang, &d)
		if hint := y.d.Hint(d.File.ID, d.Ord, ""); list == nil && hint != "" {
			list = []*expr{parseExpr(hint)}
		}
		return term{what: termCallable, site: home, args: list}
	})
	if i < len(results.args) {
		return y.eval(results.site, results.args[i])
	}
	return term{}
}

// elem is the element of t under an index or key; index tells which of a tuple.
func (y *Types) elem(t term, index int) term {
	switch t.what {
	case termOutside, termFunc, termCallable: // a function with type arguments stays one
		return t
	case termList:
		return y.eval(t.site, t.args[0])
	case termMap:
		return y.eval(t.site, t.args[1])
	case termTuple:
		if index < len(t.args) {
			return y.eval(t.site, t.args[index])
		}
	case termType:
		if u := y.under(t); u.what != termUnknown && u.what != termType {
			return y.elem(u, index)
		}
		if t.decl.File.Lang == "python" {
			return y.call(y.member(t, "__getitem__"), 0)
		}
		return t // type arguments
	}
	return term{}
}

// key is what a loop over t gives first: the keys of a map, the elements of
// what has none.
func (y *Types) key(t term) term {
	switch t.what {
	case termOutside:
		return t
	case termMap, termList, termTuple:
		if len(t.args) > 0 {
			return y.eval(t.site, t.args[0])
		}
	case termType:
		if u := y.under(t); u.what != termUnknown && u.what != termType {
			return y.key(u)
		}
		if t.decl.File.Lang == "python" {
			it := y.call(y.member(t, "__iter__"), 0)
			if it.what == termType {
				return y.call(y.member(it, "__next__"), 0)
			}
			return y.key(it)
		}
	}
	return term{}
}

// under is what a type is declared as, following names to what is composed.
func (y *Types) under(t term) term {
	if t.decl.Kind != code.KindType {
		return term{}
	}
	u := y.once(t.decl, func(home *Site) term { return y.eval(home, underlying(t.decl.File.Lang, &t.decl)) })
	if u.what == termType && y.depth < maxDepth && !sameDecl(u.decl, t.decl) {
		y.depth++
		defer func() { y.depth-- }()
		if deeper := y.under(u); deeper.what != termUnknown {
			return deeper
		}
	}
	return u
}
