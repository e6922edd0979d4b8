package extract

import (
	"strings"

	"ken/internal/code"
)

// variable emits a reference to a plain name that is used as a value.
func (s *scala) variable(n node, rk code.RefKind) {
	switch s.str(n) {
	case "this", "super", "_":
		return
	}
	s.plain(n, rk)
}

// plain is name for an identifier that may stand between backquotes.
func (s *scala) plain(n node, rk code.RefKind) {
	name := s.nameOf(n)
	b := s.names.lookup(name)
	switch {
	case b == nil && !s.builtin(name):
		s.ref(n, code.Ref{Name: name, Kind: rk, Via: code.ViaBare})
	case b == nil || b.what == bindLocal:
	case b.what == bindImport:
		s.refTo(n, b, rk)
	case b.what == bindTop:
		s.ref(n, code.Ref{Name: name, Kind: rk, Via: code.ViaBare})
	default:
		s.ref(n, code.Ref{Name: name, Kind: rk, Via: code.ViaLocal})
	}
}

// call reads f(…), x.f(…), f[T](…) and f { … }; what is called comes first.
func (s *scala) call(n node) {
	callee := s.firstNamed(n)
	switch s.kind(callee) {
	case scIdentifier, scOperator:
		s.bareCall(callee)
	case scField:
		s.access(callee, code.RefCall)
	default:
		s.walk(callee)
	}
	for c := s.nextNamed(callee); c != none; c = s.nextNamed(c) {
		s.walk(c)
	}
}

// bareCall reads the name of f(…): a function around, a class, an import. A local
// value hides them only if it can be called, which is not told; so one further out
// is preferred.
func (s *scala) bareCall(n node) {
	b := s.names.lookup(s.nameOf(n))
	for b != nil && b.what == bindLocal && b.outer >= 0 {
		b = &s.names.list[b.outer]
	}
	if b != nil && b.what != bindLocal && b.what != bindTop {
		s.refTo(n, b, code.RefCall)
		return
	}
	s.variable(n, code.RefCall)
}

// infix reads a f b and a f, calls of f.
func (s *scala) infix(n node) {
	left := s.firstNamed(n)
	name := s.nextNamed(left)
	s.infixName(name, s.qualifier(left))
	if right := s.nextNamed(name); right != none {
		s.walk(right)
	}
}

// infixName emits a call of an infix name unless it is an operator of the language.
func (s *scala) infixName(n node, q qual) {
	if name := s.nameOf(n); n == none || s.builtinOperator(name) {
		return
	}
	if q.what == qualNone {
		s.plain(n, code.RefUse)
		return
	}
	s.selected(n, code.RefCall, q)
}

// access reads x.f.
func (s *scala) access(n node, rk code.RefKind) qual {
	object, name := s.child(n, scfValue), s.child(n, scfField)
	q := s.qualifier(object)
	word := s.nameOf(name)
	switch {
	case name == none:
		return qual{what: qualBuiltin}
	case word == "this" && q.what == qualType:
		return qual{what: qualSelf, path: s.nameOf(object)}
	case word == "super":
		return qual{what: qualSelf, path: s.class.base}
	case q.what == qualPackage:
		return s.step(q, name, rk)
	case q.what == qualType && isUpper(word) && word != strings.ToUpper(word):
		return s.step(q, name, rk)
	}
	s.selected(name, rk, q)
	if q.what == qualBuiltin {
		return q
	}
	return qual{qualValue, s.fields[classMember{q.path, word}], -1}
}

// selected emits a reference to q.name: a member, or an extension that is imported
// or declared in this file.
func (s *scala) selected(n node, rk code.RefKind, q qual) {
	name := s.nameOf(n)
	if q.what == qualValue || q.what == qualBuiltin {
		b := s.names.lookup(name)
		for b != nil && b.what != bindImport && b.what != bindTop && b.outer >= 0 {
			b = &s.names.list[b.outer]
		}
		if b != nil && (b.what == bindImport && !b.isType || b.what == bindTop && s.extensions[name]) {
			s.refTo(n, b, rk)
			return
		}
	}
	s.member(n, rk, q)
}

// qualifier reads what stands in front of a dot, emitting its references.
func (s *scala) qualifier(n node) qual {
	switch s.kind(n) {
	case scIdentifier:
		return s.qualifierName(n)
	case scField:
		rk := code.RefUse
		if word := s.nameOf(s.child(n, scfField)); isUpper(word) && word != strings.ToUpper(word) {
			rk = code.RefType
		}
		return s.access(n, rk)
	case scParen:
		if in := s.firstNamed(n); s.kind(in) == scField || s.kind(in) == scIdentifier {
			return s.qualifier(in)
		}
	}
	s.walk(n)
	return qual{what: qualValue, path: s.valueType(n)}
}

// qualifierName tells variables, types and packages apart: by what binds the
// name, else by its case.
func (s *scala) qualifierName(n node) qual {
	name := s.nameOf(n)
	switch name {
	case "this":
		return qual{what: qualSelf, path: s.class.name}
	case "super":
		if s.class.base == "" {
			return qual{what: qualSelf, path: s.class.name}
		}
		return qual{what: qualSelf, path: s.class.base}
	}
	b := s.names.lookup(name)
	switch {
	case b != nil && b.isType || b == nil && isUpper(name) && !isConstantName(name):
		return s.head(n, code.RefType)
	case b == nil && s.kind(s.parent(n)) == scField && s.leadsToType(s.parent(n)):
		return qual{what: qualPackage, path: name}
	}
	s.variable(n, code.RefUse)
	if b == nil {
		return qual{what: qualValue}
	}
	return qual{what: qualValue, path: b.typ}
}

// leadsToType reports whether a chain of names that begins at n comes, over lower
// case names alone, to a capitalised one. One name in front (x.Foo) is more likely
// a variable.
func (s *scala) leadsToType(n node) bool {
	for steps := 0; s.kind(n) == scField; steps++ {
		if isUpper(s.nameOf(s.child(n, scfField))) {
			return steps > 0
		}
		up := s.parent(n)
		if s.firstNamed(up) != n {
			return false
		}
		n = up
	}
	return false
}

// valueType is the name of an expression's type where the file tells it: a
// declared value or field, T(…), new T, x: T.
func (s *scala) valueType(n node) string {
	for range 32 {
		switch s.kind(n) {
		case scParen:
			n = s.firstNamed(n)
		case scAscription:
			return s.typeName(s.lastNamed(n))
		case scNew:
			return s.typeName(s.firstNamed(n))
		case scCall, scGenericFunction:
			callee := s.firstNamed(n)
			if s.kind(callee) == scIdentifier {
				if name := s.nameOf(callee); isUpper(name) {
					return s.dottedType([]string{name})
				}
				return ""
			}
			if k := s.kind(callee); k != scGenericFunction && k != scCall {
				return ""
			}
			n = callee
		case scIdentifier:
			if s.nameOf(n) == "this" {
				return s.class.name
			}
			if b := s.names.lookup(s.nameOf(n)); b != nil && !b.isType {
				return b.typ
			}
			return ""
		case scField:
			if s.str(s.child(n, scfValue)) == "this" {
				return s.fields[classMember{s.class.name, s.nameOf(s.child(n, scfField))}]
			}
			return ""
		case scString:
			return "String"
		default:
			return ""
		}
	}
	return ""
}
