package infer

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/signature"
	"ken/internal/engine/graph/infer/std"
)

// Rust: values behind references, smart pointers, Option and Result. Traits and Deref lend a type members that it does
// not declare, so that nothing here proves that a member is another's.

// rustGeneric returns a type of std, or one of the same name, with its type arguments.
func rustGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && inList(std.RustHolders, name):
		t.what = termList
	case len(t.args) > 1 && inList(std.RustMaps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// rustComposed returns the method of a holder that a name means.
func rustComposed(t *term, name string, _ *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	holder := func(name string, e *expr) *expr {
		c := term{what: termList, site: t.site, args: []*expr{e}}
		c.decl.Name = name
		return &expr{op: opTerm, term: &c}
	}
	value := t.args[len(t.args)-1]
	if t.what == termMap {
		switch {
		case name == "entry" || name == "clone":
			return gives(&expr{op: opTerm, term: t})
		case inList(" get get_mut remove insert ", name):
			return gives(holder("Option", value))
		case strings.Contains(name, "values"):
			return gives(holder("Iterator", value))
		case strings.Contains(name, "keys"):
			return gives(holder("Iterator", t.args[0]))
		case strings.HasPrefix(name, "or_"):
			return gives(value)
		case inList(" iter iter_mut into_iter drain ", name):
			return gives(holder("Iterator", &expr{op: opTuple, args: t.args}))
		case inList(std.RustLends, name):
			return gives(&expr{op: opTerm, term: t})
		}
		return term{}
	}
	value = t.args[0]
	opens := inList(" Option Result Poll ", t.decl.Name)
	switch {
	case !opens && inList(std.RustLends, name): // inside a lock
		return gives(&expr{op: opTerm, term: t})
	case name == "enumerate":
		return gives(holder("Iterator", &expr{op: opTuple, args: []*expr{{}, value}}))
	case name == "remove" && t.decl.Name == "Vec", inList(std.RustGivesValue, name):
		return gives(value)
	case inList(std.RustGivesOption, name):
		return gives(holder("Option", value))
	case inList(std.RustGivesSame, name):
		return gives(&expr{op: opTerm, term: t})
	}
	return term{}
}

// rustResults returns the result type of a function. That of an async function counts as the value of its future,
// because waiting for a value of another type changes nothing.
func rustResults(d *Decl) []*expr {
	if t := signature.RustResult(d.Signature); t != "" {
		return []*expr{bindParams(rustExpr(t, d.Container), rustTypeParams(d), &term{})}
	}
	return nil
}

// rustVariable returns the type of a field, constant, static or variant.
func rustVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return &expr{op: opOwn, name: d.Container}
	}
	return rustExpr(signature.RustVariable(d.Signature, d.Name), d.Container)
}

// rustUnderlying returns the type that a type alias names.
func rustUnderlying(d *Decl) *expr { return rustExpr(signature.RustAlias(d.Signature), d.Container) }

// rustTypeParams returns the type parameters of a type.
func rustTypeParams(d *Decl) []typeParam {
	return boundParams(signature.RustParams(d.Signature, d.Name), func(t string) *expr { return rustExpr(t, d.Container) })
}

// rustExpr reads a type that is written inside of the type own.
func rustExpr(text, own string) *expr {
	e := parseExpr(text)
	return bindParams(e, []typeParam{{name: "Self", bound: &expr{op: opOwn, name: own}}}, &term{})
}

// unwrap returns the result of a step of Rust: `?` unwraps a value, and await waits for it; other values they leave unchanged.
func (y *Types) unwrap(t term, step string) term {
	if t.what == termType && t.decl.Kind == code.KindType {
		if u := y.under(t); u.what != termUnknown {
			t = u
		}
	}
	if t.what != termList {
		return t
	}
	holds := t.decl.Name
	switch {
	case step == "?" && inList(" Option Result Poll ", holds), step == "await" && inList(" Future BoxFuture ", holds):
		return y.eval(t.site, t.args[0])
	case step == "await" && holds == "JoinHandle":
		t.decl.Name = "Result"
	}
	return t
}

// maxDeref bounds the types in a row that are followed to their targets.
const maxDeref = 3

// pointee returns the type to which a type of Rust points by Deref, unknown if it does not.
func (y *Types) pointee(t term) term {
	syn := syntaxFor(t.decl.File.Lang)
	if syn.target == "" || t.what != termType {
		return term{}
	}
	list := y.ownMembers(t.decl, syn.target)
	home := y.look.Site(t.decl.File.ID)
	if len(list) == 0 || home == nil || list[0].Kind != code.KindType {
		return term{}
	}
	return y.eval(home, bindParams(list[0].underlying(), syn.params(&t.decl), &t))
}

// own returns the type with a qualified name that is declared around the code of a file.
func (y *Types) own(s *graph.Site, container string) term {
	scope, name := "", container
	if i := strings.LastIndexByte(container, '.'); i >= 0 {
		scope, name = container[:i], container[i+1:]
	}
	for _, d := range y.look.Declarations(s.Node.ID, scope, name) {
		if d.Kind.IsType() || d.Kind == code.KindTrait {
			return term{what: termType, decl: d}
		}
	}
	return y.name(s, name)
}
