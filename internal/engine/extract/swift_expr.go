package extract

import (
	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// walkTypes reads n except the plain names in it, such as labels and parameters.
func (s *swift) walkTypes(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) != swIdentifier {
			s.walk(c)
		}
	}
}

// walk reads any node. It is a switch over the kinds of the grammar; for a kind
// without a case it reads the children.
func (s *swift) walk(n node) {
	if s.after(n) == n+1 && !s.isNamed(n) {
		return
	}
	switch s.kind(n) {
	case swIdentifier:
		if !s.isError(s.parent(n)) {
			s.variable(n, code.RefUse)
		}
	case swTypeIdentifier:
		s.nameRef(n, code.RefType)
	case swUserType:
		s.typeRef(n, code.RefType)
	case swCall:
		s.call(n)
	case swNavigation:
		s.access(n, code.RefUse)
	case swPrefix:
		s.implicit(n, code.RefUse)
	case swAttribute:
		s.attribute(n)
	case swLambda, swStatements, swSwitchEntry, swFor, swIf, swWhile:
		s.walkScope(n)
	case swGuard:
		s.parts(n)
	case swCatch:
		s.names.push()
		s.names.bind(binding{name: "error", what: bindLocal})
		s.parts(n)
		s.names.pop()
	case swLambdaParameter:
		s.walkTypes(n)
		s.bindLocal(s.parameterName(n), s.typeName(s.typeChild(n)))
	case swPattern:
		s.pattern(n, false)
	case swComputed, swObservers:
		s.names.push()
		for _, name := range [...]string{"newValue", "oldValue"} {
			s.names.bind(binding{name: name, what: bindLocal})
		}
		s.children(n)
		s.names.pop()
	case swTypeParameter:
		s.walk(s.typeChild(n))
	case swInheritanceConstraint:
		s.walk(s.typeChild(n))
	case swTupleType, swEnumTypes:
		s.walkTypes(n)
	case swCapture:
		s.walk(s.child(n, swfValue))
	case swImport:
		s.importDeclaration(n)
	case swLabel, swDirective, swComment, swMultiline, swPath, swSelf, swSuper:
	default:
		if !s.declaration(n) {
			s.children(n)
		}
	}
}

// walkScope reads n in a new scope of names.
func (s *swift) walkScope(n node) {
	s.names.push()
	s.parts(n)
	s.names.pop()
}

// parts reads the children of a statement that may declare names (if let x = y, for x
// in y). A name is bound after its value has been read, because the value cannot use
// it.
func (s *swift) parts(n node) {
	pending := none
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.nodeField(c) == swfBound && s.kind(n) != swPattern:
			pending = c
		case s.nodeField(c) == swfItem:
			s.walk(s.child(n, swfCollection))
			s.bindAll(c)
		case s.nodeField(c) == swfCollection:
		case pending != none && s.isNamed(c):
			if s.kind(c) != swStatements && s.kind(c) != swElse && s.kind(c) != swBindingPattern {
				s.walk(c)
				s.bindLocal(pending, s.valueType(c))
				pending = none
				continue
			}
			s.rebind(pending)
			pending = none
			s.walk(c)
		default:
			s.walk(c)
		}
	}
	if pending != none {
		s.rebind(pending)
	}
}

// rebind binds the x of `if let x`, which is the outer x without its optional type.
func (s *swift) rebind(n node) {
	typ := ""
	if b := s.names.lookup(s.identifier(n)); b != nil {
		typ = b.typ
	}
	if s.identifier(n) != "self" {
		s.variable(n, code.RefUse)
		s.bindLocal(n, typ)
	}
}

// pattern reads a pattern of a case: names after let or var are bound, others are cases
// of an enum or values.
func (s *swift) pattern(n node, binds bool) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.kind(c) == swBindingPattern:
			binds = true
		case s.nodeField(c) == swfBound:
			s.bindLocal(c, "")
		case s.kind(c) == swPattern:
			s.pattern(c, binds)
		case s.kind(c) == swIdentifier:
			s.patternName(n, c, binds)
		default:
			s.walk(c)
		}
	}
}

// patternName reads name c of pattern n: a variable, a case of an enum or a value.
func (s *swift) patternName(n, c node, binds bool) {
	switch alone := s.nextNamed(c) == none && s.before(c) != '.'; {
	case !alone:
		s.member(c, code.RefUse, qual{kind: qualValue})
	case binds && s.firstNamed(n) == c:
		s.bindLocal(c, "")
	default:
		s.walk(c)
	}
}

// before returns the byte directly before n.
func (s *swift) before(n node) byte {
	if s.start(n) == 0 {
		return 0
	}
	return s.text[s.start(n)-1]
}

func (s *swift) bindGenerics(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) == swTypeParameter {
			name := s.identifier(s.childKind(c, swTypeIdentifier))
			s.names.bind(binding{name: name, what: bindLocal, typ: s.typeName(s.typeChild(c)), isType: true})
		}
	}
}

// attribute reads an attribute: @A or @A(x).
func (s *swift) attribute(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.isType(c) {
			if !builtin.SwiftAttribute(s.str(c)) {
				s.typeRef(c, code.RefDecorate)
			}
			continue
		}
		s.walk(c)
	}
}

// importDeclaration reads import M and import struct M.T.
func (s *swift) importDeclaration(n node) {
	path := s.childKind(n, swPath)
	m := code.Import{Line: s.line(n), Names: []code.ImportName{{Name: "*", Alias: "*"}}}
	last := none
	for c := s.firstNamed(path); c != none; c = s.nextNamed(c) {
		if m.Spec == "" {
			m.Spec = s.identifier(c)
		}
		last = c
	}
	if m.Spec == "" {
		return
	}
	if name := s.identifier(last); name != m.Spec && lexical.IsUpper(name) {
		m.Names = []code.ImportName{{Name: name, Alias: name}}
		s.names.bind(binding{name: name, what: bindImport, imp: int32(len(s.facts.Imports)), target: name, isType: true})
	}
	s.facts.IsTest = s.facts.IsTest || m.Spec == "XCTest" || m.Spec == "Testing"
	s.facts.Imports = append(s.facts.Imports, m)
}
