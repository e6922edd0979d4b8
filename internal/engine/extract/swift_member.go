package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// variable records a reference to a plain name that is used as a value.
func (s *swift) variable(n node, k code.RefKind) {
	switch name := s.identifier(n); name {
	case "_", "Self", "self":
	default:
		if lexical.ByteAt(name, 0) != '$' {
			s.plainName(n, name, k)
		}
	}
}

// call reads f(…), x.f(…), .f(…) and calls of other expressions.
func (s *swift) call(n node) {
	callee := s.firstNamed(n)
	switch s.kind(callee) {
	case swIdentifier:
		s.bareCall(callee)
	case swNavigation:
		s.access(callee, code.RefCall)
	case swPrefix:
		s.implicit(callee, code.RefCall)
	default:
		s.walk(callee)
	}
	for c := s.nextNamed(callee); c != none; c = s.nextNamed(c) {
		s.walk(c)
	}
}

// implicit reads .name, a member of a type that the context decides.
func (s *swift) implicit(n node, k code.RefKind) {
	target := s.child(n, swfTarget)
	if s.kind(target) == swIdentifier && s.text[s.start(n)] == '.' {
		s.member(target, k, qual{kind: qualValue})
		return
	}
	s.children(n)
}

// access reads x.f and returns its meaning if another dot follows.
func (s *swift) access(n node, k code.RefKind) qual {
	suffix := s.childKind(n, swNavigationSuffix)
	name := s.child(suffix, swfSuffix)
	q := s.qualifier(s.child(n, swfTarget))
	switch text := s.identifier(name); {
	case s.kind(name) != swIdentifier, text == "self", text == "Type":
		return q
	case text == "init":
		if q.kind == qualSelf || q.path != "" {
			s.member(name, code.RefCall, q)
		}
		return qual{kind: qualValue, path: q.path}
	case q.kind == qualType && lexical.IsUpper(text):
		return s.nextSegment(q, name, k)
	}
	s.member(name, k, q)
	return s.memberValue(q, s.identifier(name))
}

// qualifier reads the part before a dot, records its references and returns its meaning.
func (s *swift) qualifier(n node) qual {
	switch s.kind(n) {
	case swSelf:
		return qual{kind: qualSelf, path: s.class.name}
	case swSuper:
		return s.class.superclass()
	case swIdentifier:
		return s.qualifierName(n)
	case swNavigation:
		return s.access(n, s.accessKind(n))
	case swUserType:
		s.walk(n)
		return qual{qualType, s.typeName(n), -1}
	case swPostfix, swTuple:
		if first := s.firstNamed(n); s.nextNamed(first) == none && s.kind(first) != swCall {
			return s.qualifier(first)
		}
	}
	s.walk(n)
	return qual{kind: qualValue, path: s.valueType(n)}
}

func (s *swift) accessKind(n node) code.RefKind {
	if lexical.IsUpper(s.str(s.child(s.childKind(n, swNavigationSuffix), swfSuffix))) {
		return code.RefType
	}
	return code.RefUse
}

// qualifierName decides whether a name is a variable or a type: by its binding,
// otherwise by its case. A module before a dot adds nothing to the meaning.
func (s *swift) qualifierName(n node) qual {
	name := s.identifier(n)
	b := s.names.lookup(name)
	switch {
	case name == "Self":
		return qual{kind: qualSelf, path: s.class.name}
	case b == nil && s.isModule(name):
		return qual{kind: qualValue}
	case b == nil && lexical.IsUpper(name), b != nil && b.isType:
		return s.firstSegment(n, code.RefType)
	}
	return s.variableQualifier(n, b)
}

// isModule reports whether the file imports a module of this name.
func (s *swift) isModule(name string) bool {
	for i := range min(len(s.facts.Imports), 64) {
		if s.facts.Imports[i].Spec == name {
			return true
		}
	}
	return false
}

// typeRef records the references that a type makes; k is the kind of reference for its outermost name.
func (s *swift) typeRef(n node, k code.RefKind) {
	if s.kind(n) != swUserType {
		s.children(n)
		return
	}
	q := qual{}
	last := none
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) != swTypeIdentifier {
			s.walk(c)
			continue
		}
		if last != none {
			q = s.typeStep(q, last, code.RefType)
		}
		last = c
	}
	if last != none {
		s.typeStep(q, last, k)
	}
}

func (s *swift) typeStep(q qual, n node, k code.RefKind) qual {
	name := s.identifier(n)
	switch {
	case name == "Self":
		return qual{kind: qualSelf, path: s.class.name}
	case q.kind == qualNone && s.names.lookup(name) == nil && s.isModule(name):
		return qual{}
	case q.kind == qualNone && !lexical.IsUpper(name):
		s.nameRef(n, k)
		return qual{kind: qualType, path: name, imp: -1}
	}
	return s.nextSegment(q, n, k)
}

// typeName returns a type's name as Ref.Recv: its last segment, without arguments and
// optionals; for a type parameter, the name of its bound.
func (s *swift) typeName(n node) string {
	switch s.kind(n) {
	case swUserType:
		var segments []string
		for c := s.firstNamed(n); c != none && len(segments) < 32; c = s.nextNamed(c) {
			if s.kind(c) == swTypeIdentifier {
				segments = append(segments, s.identifier(c))
			}
		}
		if len(segments) == 1 && segments[0] == "Self" {
			return s.class.name
		}
		if len(segments) > 1 {
			return segments[len(segments)-1]
		}
		return s.dottedType(segments)
	case swOptionalType, swOpaqueType, swExistentialType:
		return s.typeName(s.typeChild(n))
	}
	return ""
}

// valueType returns the name of an expression's type if the file shows it: a declared
// variable or field, T(), x as T.
func (s *swift) valueType(n node) string {
	switch s.kind(n) {
	case swTry, swAwait:
		return s.valueType(s.child(n, swfExpr))
	case swPostfix, swTuple:
		if first := s.firstNamed(n); s.nextNamed(first) == none {
			return s.valueType(first)
		}
	case swAs:
		return s.typeName(s.typeChild(n))
	case swCall:
		return s.constructedType(s.firstNamed(n))
	case swSelf:
		return s.class.name
	case swIdentifier:
		return s.variableType(n)
	case swNavigation:
		if s.kind(s.child(n, swfTarget)) == swSelf {
			return s.fields[classMember{s.class.name, s.identifier(s.child(s.childKind(n, swNavigationSuffix), swfSuffix))}]
		}
	case swString:
		return "String"
	}
	return ""
}

// constructedType returns the type that calling n constructs, by the case of its name.
func (s *swift) constructedType(n node) string {
	if s.kind(n) == swNavigation {
		name := s.child(s.childKind(n, swNavigationSuffix), swfSuffix)
		if s.identifier(name) == "init" {
			return s.constructedType(s.child(n, swfTarget))
		}
		n = name
	}
	name := s.identifier(n)
	switch {
	case s.kind(n) != swIdentifier:
		return ""
	case name == "Self":
		return s.class.name
	case lexical.IsUpper(name):
		return s.dottedType([]string{name})
	}
	return ""
}
