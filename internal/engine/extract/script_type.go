package extract

import (
	"strings"

	"ken/internal/code"
)

func (s *script) interfaceDecl(n node) {
	sym := s.topSymbol(n, s.child(n, jsfName), code.KindInterface, s.bodyStart(n))
	i, ok := s.add(sym, n)
	if !ok {
		s.walkChildren(n)
		return
	}
	s.typeBody(n, i, s.child(n, jsfBody))
}

// typeBody reads an interface's or alias's own scope and the members in body.
func (s *script) typeBody(n node, sym int32, body node) {
	self, mute, before := s.self, s.withoutSymbols, s.enter(sym)
	s.self, s.withoutSymbols = s.facts.Symbols[sym].Name, false
	s.names.push()
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.fieldOf(c) == jsfName || !s.isNamed(c):
		case c == body:
			s.members(c)
		default:
			s.walk(c)
		}
	}
	s.names.pop()
	s.self, s.withoutSymbols = self, mute
	s.leave(before)
}

// aliasDecl reads a type alias. The members of an object type are fields, also if it is
// one part of an intersection.
func (s *script) aliasDecl(n node) {
	value := s.child(n, jsfValue)
	end := s.end(n)
	if s.kind(value) == tsObjectType {
		end = s.start(value)
	}
	i, ok := s.add(s.topSymbol(n, s.child(n, jsfName), code.KindType, end), n)
	if !ok {
		s.walkChildren(n)
		return
	}
	before := s.enter(i)
	self, mute := s.self, s.withoutSymbols
	s.self, s.withoutSymbols = "", false
	s.names.push()
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	s.walk(s.child(n, tsfTypeParameters))
	s.aliasValue(value)
	s.names.pop()
	s.self, s.withoutSymbols = self, mute
	s.leave(before)
}

func (s *script) aliasValue(v node) {
	switch s.kind(v) {
	case tsObjectType:
		s.members(v)
	case tsIntersection, tsParenType, tsReadonlyType:
		for c := s.firstNamed(v); c != none; c = s.nextNamed(c) {
			s.aliasValue(c)
		}
	default:
		s.walk(v)
	}
}

func (s *script) enumDecl(n node) {
	body := s.child(n, jsfBody)
	i, ok := s.add(s.topSymbol(n, s.child(n, jsfName), code.KindEnum, s.bodyStart(n)), n)
	if !ok {
		s.walkChildren(n)
		return
	}
	before := s.enter(i)
	s.names.push()
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) { // members see each other
		s.bindName(s.enumName(c), bindLocal, "")
	}
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		if name := s.enumName(c); s.nameText(name) != "" {
			sym := s.memberSymbol(c, name, code.KindEnumMember, s.end(c), s.start(c))
			s.owner = s.declare(sym)
			s.walk(s.child(c, jsfValue))
			s.owner = i
		}
	}
	s.names.pop()
	s.leave(before)
}

func (s *script) enumName(c node) node {
	if s.kind(c) == tsEnumAssign {
		return s.child(c, jsfName)
	}
	return c
}

// namespace reads `namespace A.B {}` and `module "x" {}`.
func (s *script) namespace(n node) {
	body := s.child(n, jsfBody)
	name := s.child(n, jsfName)
	sym := s.topSymbol(n, name, code.KindModule, s.bodyStart(n))
	sym.Name = strings.Join(strings.Fields(sym.Name), "")
	sym.Exported = sym.Exported || s.kind(name) == jsString
	if end := sym.Span.End; body == none && strings.HasPrefix(s.text[end:], ";") {
		sym.Span.End++ // the grammar leaves the semicolon to an empty statement
	}
	if i, ok := s.add(sym, n); ok {
		s.moduleBody(i, body)
		return
	}
	s.walk(body)
}

// global reads `declare global {}`.
func (s *script) global(n node) {
	name := s.childOf(n, tsKwGlobal)
	sym := s.topSymbol(n, name, code.KindModule, s.end(name))
	sym.Exported = true
	s.moduleBody(s.declare(sym), s.childOf(n, jsBlock))
}

func (s *script) moduleBody(sym int32, body node) {
	before := s.enter(sym)
	self := s.self
	s.self = ""
	s.names.push()
	s.bindBlock(body, bindNested, bindNested)
	s.hoist(body, bindLocal)
	s.items(body)
	s.names.pop()
	s.self = self
	s.leave(before)
}

// importAlias reads `import A = B.C`.
func (s *script) importAlias(n node) {
	name := s.childOf(n, jsIdentifier)
	if w := s.statementOf(n); s.owner < 0 && s.kind(w) == jsExport {
		s.export(s.str(name), s.str(name), -1, w)
	}
	s.qualified(s.nextNamed(name))
}

// qualified emits references for a.b.c outside an expression.
func (s *script) qualified(n node) {
	switch s.kind(n) {
	case jsIdentifier:
		s.use(n)
	case tsNestedIdentifier, jsMember:
		s.member(n, code.RefUse)
	}
}
