package infer

import "ken/internal/engine/graph/infer/std"

import "ken/internal/engine/graph/infer/signature"

import "slices"

// Values of TypeScript without one declared type: unions, parameters whose type is given elsewhere, lists and maps.

// first returns the first known result of f among the parts of t.
func (y *Types) first(t *term, f func(part term) term) term {
	if t.builds {
		parts := make([]term, min(len(t.args), maxEither))
		for i := range parts {
			parts[i] = f(y.eval(t.site, t.args[i]))
		}
		return eachBuild(t.site, parts)
	}
	for i := range min(len(t.args), maxEither) {
		if got := f(y.eval(t.site, t.args[i])); got.what != termUnknown && got.what != termOutside {
			return got
		}
	}
	return term{}
}

// eitherMember lists the declarations of a member of any part of t.
func (y *Types) eitherMember(t *term, name string) (list []Decl) {
	for i := range min(len(t.args), maxEither) {
		for _, d := range y.objectMember(y.eval(t.site, t.args[i]), name) {
			if !slices.ContainsFunc(list, func(o Decl) bool { return sameDecl(o, d) }) {
				list = append(list, d)
			}
		}
	}
	return list
}

// param returns the type of a parameter of the functions that t means.
func (y *Types) param(t term, i int) term {
	switch t.what {
	case termEither:
		return y.first(&t, func(part term) term { return y.param(part, i) })
	case termType:
		if u := y.under(t); u.what == termCallable || u.what == termEither {
			return y.param(u, i)
		}
	case termCallable:
		if i < len(t.params) {
			return y.eval(t.site, t.params[i])
		}
	case termFunc:
		home, takes := y.look.Site(t.decl.File.ID), syntaxFor(t.decl.File.Lang).takes
		if home == nil || takes == nil {
			return term{}
		}
		if list := takes(&t.decl); i < len(list) {
			return y.eval(home, list[i])
		}
	}
	return term{}
}

// scriptComposed returns a method of a list or map.
func scriptComposed(t *term, name string, _ *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	self := &expr{op: opTerm, term: t}
	if t.what == termMap {
		switch name {
		case "get":
			return gives(t.args[1])
		case "set":
			return gives(self)
		case "values":
			return gives(&expr{op: opList, args: t.args[1:2]})
		case "keys":
			return gives(&expr{op: opList, args: t.args[:1]})
		case "entries":
			return gives(&expr{op: opList, args: []*expr{{op: opTuple, args: t.args}}})
		}
		return term{}
	}
	switch {
	case inList(std.ScriptGivesSame, name):
		return gives(self)
	case inList(std.ScriptGivesValue, name):
		return gives(t.args[0])
	case name == "entries":
		return gives(&expr{op: opList, args: []*expr{{op: opTuple, args: []*expr{{}, t.args[0]}}}})
	case name == "add":
		return gives(self)
	}
	return term{}
}

// scriptClass returns the class of the language that an expression in a script is a value of, "" if it is of no such
// class, or that is not known.
func scriptClass(t *term) string {
	switch {
	case t.what == termList, t.what == termTuple:
		return "Array"
	case t.what == termMap:
		return "Map"
	case t.what == termOutside && inList(std.ScriptPredeclared, t.decl.Name):
		return t.decl.Name
	}
	return ""
}

// scriptUnderlying returns the T of `type X = T`.
func scriptUnderlying(d *Decl) *expr {
	s := scriptTypes{goSyntax{s: d.Signature}, nil}
	for s.word("export") || s.word("declare") {
		s.spaces()
	}
	if !s.word("type") || s.scriptName() == "" {
		return nil
	}
	if s.spaces(); s.peek() == '<' {
		s.bounds = signature.Bounds(s.angles())
	}
	if !s.take("=") {
		return nil
	}
	return s.typ(0)
}

// scriptParams returns the types of the parameters of a function, nil for one without declared types.
func scriptParams(d *Decl) []*expr {
	s, ok := atParams(d)
	if !ok {
		return nil
	}
	return s.params(s.skip())
}
