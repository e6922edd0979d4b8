package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// variable records a reference to a plain name that is used as a value.
func (s *scala) variable(n node, rk code.RefKind) {
	switch s.str(n) {
	case "this", "super", "_":
		return
	}
	s.plainName(n, s.identifier(n), rk)
}

// call reads f(…), x.f(…), f[T](…) and f { … }. The callee is the first child.
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

// infix reads a f b and a f, which are calls of f.
func (s *scala) infix(n node) {
	left := s.firstNamed(n)
	name := s.nextNamed(left)
	s.infixName(name, s.qualifier(left))
	if right := s.nextNamed(name); right != none {
		s.walk(right)
	}
}

// infixName records a call of the name n between two values, unless it is an operator of the language.
func (s *scala) infixName(n node, q qual) {
	if name := s.identifier(n); n == none || s.builtinOperator(name) {
		return
	}
	if q.kind == qualNone {
		s.plainName(n, s.identifier(n), code.RefUse)
		return
	}
	s.selectMember(n, code.RefCall, q)
}

// access reads x.f and returns its meaning if another dot follows.
func (s *scala) access(n node, rk code.RefKind) qual {
	object, name := s.child(n, scfValue), s.child(n, scfField)
	q := s.qualifier(object)
	word := s.identifier(name)
	switch {
	case name == none:
		return qual{kind: qualBuiltin}
	case word == "this" && q.kind == qualType:
		return qual{kind: qualSelf, path: s.identifier(object)}
	case word == "super":
		return qual{kind: qualSelf, path: s.class.base}
	case q.kind == qualPackage, q.kind == qualType && isTypeCase(word):
		return s.nextSegment(q, name, rk)
	}
	s.selectMember(name, rk, q)
	return s.memberValue(q, word)
}

// selectMember records a reference to q.name: a member, or an extension that is imported
// or declared in this file.
func (s *scala) selectMember(n node, rk code.RefKind, q qual) {
	if q.kind == qualSelf || !s.extensionRef(n, rk, q) {
		s.member(n, rk, q)
	}
}

// qualifier reads the part before a dot, records its references and returns its meaning.
func (s *scala) qualifier(n node) qual {
	switch s.kind(n) {
	case scIdentifier:
		return s.qualifierName(n)
	case scField:
		rk := code.RefUse
		if word := s.identifier(s.child(n, scfField)); isTypeCase(word) {
			rk = code.RefType
		}
		return s.access(n, rk)
	case scParen:
		if in := s.firstNamed(n); s.kind(in) == scField || s.kind(in) == scIdentifier {
			return s.qualifier(in)
		}
	}
	s.walk(n)
	return qual{kind: qualValue, path: s.valueType(n)}
}

// qualifierName decides whether a name is a variable, a type or a package: by its binding,
// otherwise by its case.
func (s *scala) qualifierName(n node) qual {
	switch s.identifier(n) {
	case "this":
		return qual{kind: qualSelf, path: s.class.name}
	case "super":
		return s.class.superclass()
	}
	return s.classes.qualifierName(n)
}

// valueType returns the name of an expression's type if the file shows it: a declared value
// or field, T(…), new T, x: T.
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
				if name := s.identifier(callee); lexical.IsUpper(name) {
					return s.dottedType([]string{name})
				}
				return ""
			}
			if k := s.kind(callee); k != scGenericFunction && k != scCall {
				return ""
			}
			n = callee
		case scIdentifier:
			if s.identifier(n) == "this" {
				return s.class.name
			}
			return s.variableType(n)
		case scField:
			if s.str(s.child(n, scfValue)) == "this" {
				return s.fields[classMember{s.class.name, s.identifier(s.child(n, scfField))}]
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
