// Package infer finds the types of expressions that references name as their
// receivers, so that engine/graph/bind can look members up in them: types.go
// follows expressions from file to file, names.go and members.go the names in
// them, lineage.go what a type inherits, expr.go reads the notation that extraction writes expressions in, syntax.go
// the types in signatures. Its neighbour below is engine/graph, which follows
// names; package engine answers its Lookup.
package infer

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Lookup answers what inference asks about single files, beside graph.Lookup;
// its errors are kept as there.
type Lookup interface {
	// Site is a file with its imports and links, nil if there is nothing to know of it.
	Site(file int64) *graph.Site
	// Declared are the declarations of a file that have a name, in source order.
	// container is as in graph.Lookup.
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

// Types finds the types of expressions across files: results of functions,
// fields, elements, base classes. It asks when a question is answered and stores
// nothing, so that a changed declaration invalidates nothing.
//
// It follows what is written and no data: a name has one type wherever it is
// used, parameters have none but what they are declared with, type parameters
// have none. What does not follow is unknown, never guessed.
type Types struct {
	k     *graph.Linker
	files graph.Lookup
	look  Lookup
	exprs map[exprKey]term
	decls map[code.SymbolID]term
	lines map[code.SymbolID]lineage
	depth int
}

type exprKey struct {
	file int64
	expr string
}

// New infers over the same state of the files as k.
func New(k *graph.Linker, look Lookup) *Types {
	return &Types{
		k: k, files: k.Files(), look: look,
		exprs: map[exprKey]term{}, decls: map[code.SymbolID]term{}, lines: map[code.SymbolID]lineage{},
	}
}

// Linker is the linker that Types follows names with.
func (y *Types) Linker() *graph.Linker { return y.k }

// Lookup is the source of answers about single files.
func (y *Types) Lookup() Lookup { return y.look }

// maxDepth bounds how deep one question leads to others: declarations may lead
// in circles.
const maxDepth = 48

// Of is the type of an expression written in a file, as in Ref.Recv with or
// without its mark.
func (y *Types) of(s *graph.Site, text string) term {
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
func (y *Types) eval(s *graph.Site, e *expr) term {
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
		t := y.callee(s, e.of)
		if f := syntaxOf(s.Node.Lang).anything; f != nil && t.what == termOutside && f(s, e.of) {
			return term{}
		}
		return y.call(t, e.index)
	case opArgs:
		return y.withArgs(s, e)
	case opTerm:
		return *e.term
	case opMade:
		return outside(s, e.name)
	case opIn:
		if e.term.site != nil {
			return y.eval(e.term.site, e.of)
		}
	case opElem:
		return y.elem(y.eval(s, e.of), e.index)
	case opKey:
		return y.key(y.eval(s, e.of))
	case opOwn:
		return y.own(s, e.name)
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
		t := term{what: termCallable, site: s, args: e.args}
		if e.of != nil {
			t.params = e.of.args
		}
		return t
	case opEither:
		return term{what: termEither, site: s, args: e.args}
	case opParam:
		return y.param(y.eval(s, e.of), e.index)
	}
	return term{}
}

// callee is the meaning of an expression that is called: of a field and a function of
// one name it is the function.
func (y *Types) callee(s *graph.Site, e *expr) term {
	var with *expr
	if e != nil && e.op == opArgs && e.of != nil && e.of.op == opMember {
		if t := y.eval(s, e.args[0]); t.what != termUnknown {
			with = &expr{op: opTerm, term: &t}
		}
		e = e.of
	}
	if e == nil || e.op != opMember {
		return y.eval(s, e)
	}
	t := y.eval(s, e.of)
	if f := syntaxOf(s.Node.Lang).composed; f != nil && (t.what == termList || t.what == termMap) {
		return f(&t, e.name, with)
	}
	got := y.memberFor(t, e.name, true)
	if got.what == termUnknown && t.what == termType && isOneOf(syntaxOf(t.decl.File.Lang).lent, e.name) {
		return term{what: termCallable, site: s, args: []*expr{{op: opTerm, term: &t}}}
	}
	return got
}

// withArgs is a type with type arguments.
func (y *Types) withArgs(s *graph.Site, e *expr) term {
	t := y.eval(s, e.of)
	if syn := syntaxOf(s.Node.Lang); syn.derefs && e.of != nil {
		switch name := e.of.name; {
		case t.decl.Kind == code.KindType && name == "Result": // a crate's own
			t = term{}
		case t.what != termType && isOneOf(syn.wrapped, name):
			return y.eval(s, e.args[0])
		}
	}
	switch t.what {
	case termType:
		t.site, t.args = s, e.args
	case termOutside, termUnknown:
		if t.what == termOutside && syntaxOf(s.Node.Lang).anything != nil {
			t.args = e.args
			return t
		}
		if f := syntaxOf(s.Node.Lang).generic; f != nil && e.of != nil {
			name := e.of.name
			if got := f(name, term{what: t.what, site: s, args: e.args}); got.what != t.what {
				got.decl.Name = name
				return got
			}
		}
	}
	return t
}

// call is the ith result of calling t.
func (y *Types) call(t term, i int) term {
	switch t.what {
	case termEither:
		return y.first(&t, func(part term) term { return y.call(part, i) })
	case termOutside:
		if generic(t) {
			return given(t)
		}
		if t.site != nil && syntaxOf(t.site.Node.Lang).objects {
			return term{what: termOutside, site: t.site}
		}
		return made(t)
	case termType: // a constructor or conversion, unless the type is of functions
		if u := y.under(t); u.what == termCallable {
			return y.call(u, i)
		}
		return t
	case termModule:
		if one, ok := y.exported(t); ok {
			return y.call(one, i)
		}
	case termCallable:
		if i < len(t.args) {
			return y.eval(t.site, t.args[i])
		}
	case termFunc:
		if t.of == nil {
			return y.result(t.decl, i)
		}
		home, list := y.look.Site(t.decl.File.ID), t.decl.results()
		if home != nil && i < len(list) {
			return y.eval(home, bindParams(list[i], syntaxOf(t.decl.File.Lang).params(&t.of.decl), t.of))
		}
	}
	return term{}
}

// result is the ith result of a declared function.
func (y *Types) result(d Decl, i int) term {
	results := y.once(d, func(home *graph.Site) term {
		list := d.results()
		if hint := y.look.Hint(d.File.ID, d.Ord, ""); list == nil && hint != "" {
			list = []*expr{parseExpr(hint)}
		}
		return term{what: termCallable, site: home, args: list}
	})
	if i < len(results.args) {
		return y.eval(results.site, results.args[i])
	}
	if len(results.args) == 0 {
		return y.object(d, term{}) // in scripts what a function returns may be a literal
	}
	return term{}
}

// elem is the element of t under an index or key; of a tuple the one at index.
func (y *Types) elem(t term, index int) term {
	if generic(t) {
		return term{}
	}
	switch t.what {
	case termEither:
		return y.first(&t, func(part term) term { return y.elem(part, index) })
	case termOutside:
		return lent(t)
	case termFunc, termCallable: // a function with type arguments stays one
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
		if m := syntaxOf(t.decl.File.Lang).element; m != "" {
			return y.call(y.member(t, m), 0)
		}
		if syntaxOf(t.decl.File.Lang).generic != nil {
			return term{}
		}
		return t // type arguments
	}
	return term{}
}

// key is the first value of a loop over t: the keys of a map, the elements of
// anything else.
func (y *Types) key(t term) term {
	if generic(t) {
		return term{}
	}
	switch t.what {
	case termEither:
		return y.first(&t, y.key)
	case termOutside:
		return lent(t)
	case termMap, termList, termTuple:
		if syn := syntaxOf(t.site.Node.Lang); t.what == termMap && (syn.objects || syn.derefs) {
			return term{what: termTuple, site: t.site, args: t.args}
		}
		if len(t.args) > 0 {
			return y.eval(t.site, t.args[0])
		}
	case termType:
		if u := y.under(t); u.what != termUnknown && u.what != termType {
			return y.key(u)
		}
		if syn := syntaxOf(t.decl.File.Lang); syn.iterator != "" {
			it := y.call(y.member(t, syn.iterator), 0)
			if it.what == termType {
				return y.call(y.member(it, syn.next), 0)
			}
			return y.key(it)
		}
	}
	return term{}
}

// under is the type behind a defined type, following names to one that is composed.
func (y *Types) under(t term) term {
	if t.decl.Kind != code.KindType {
		return term{}
	}
	u := y.once(t.decl, func(home *graph.Site) term { return y.eval(home, t.decl.underlying()) })
	if u.what == termType && y.depth < maxDepth && !sameDecl(u.decl, t.decl) {
		y.depth++
		defer func() { y.depth-- }()
		if deeper := y.under(u); deeper.what != termUnknown {
			return deeper
		}
	}
	return u
}
