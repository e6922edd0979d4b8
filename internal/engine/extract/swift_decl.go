package extract

import (
	"strings"

	"ken/internal/code"
)

func (s *swift) function(n node) {
	name := s.child(n, swfName)
	k := code.KindFunction
	if !s.inBody && (s.owner >= 0 || s.extended != "") {
		k = code.KindMethod
	}
	if s.inBody {
		s.names.bind(binding{name: s.identifier(name), what: bindNested})
	}
	s.callable(n, name, code.Symbol{Kind: k})
}

// callable reads a function, initializer or subscript.
func (s *swift) callable(n, name node, sym code.Symbol) {
	sym.Params, sym.Returns = s.params(n), s.sourceLine(s.returns(n))
	saved := s.openBody(s.symbol(n, name, sym, s.headEnd(n)))
	s.bindGenerics(s.childKind(n, swTypeParameters))
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case c == name:
		case s.kind(c) == swParameter:
			s.walkTypes(c)
			typ := s.typeName(s.typeChild(c))
			if s.isVariadic(c) {
				typ = ""
			}
			s.bindLocal(s.parameterName(c), typ)
		default:
			s.walk(c)
		}
	}
	s.close(saved)
}

// headEnd returns the offset at which the body of a declaration begins, or the end of the declaration if it has none.
func (s *swift) headEnd(n node) uint32 {
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case swFunctionBody, swComputed, swObservers:
			return s.start(c)
		}
	}
	return s.end(n)
}

// parameterName returns the name that a parameter has inside the function. It is the last
// name before the colon.
func (s *swift) parameterName(n node) (name node) {
	for c := s.first(n); c != none && s.kind(c) != swColon; c = s.sibling(c) {
		if s.kind(c) == swIdentifier {
			name = c
		}
	}
	return name
}

// isVariadic reports whether a parameter has a type `T...`, whose dots follow its
// node.
func (s *swift) isVariadic(n node) bool {
	return strings.HasPrefix(strings.TrimLeft(s.text[s.end(n):min(uint32(len(s.text)), s.end(n)+8)], " "), "...")
}

func (s *swift) params(n node) (params []code.Param) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.kind(c) == swParameter:
			p := code.Param{Name: s.identifier(s.parameterName(c))}
			if colon := s.childKind(c, swColon); colon != none {
				p.Type = s.signature(s.end(colon), s.end(c))
			}
			if s.isVariadic(c) {
				p.Type += "..."
			}
			params = append(params, p)
		case s.nodeField(c) == swfDefault && len(params) > 0 && params[len(params)-1].Default == "":
			params[len(params)-1].Optional, params[len(params)-1].Default = true, s.sourceLine(c)
		}
	}
	return params
}

func (s *swift) returns(n node) node {
	for c := s.sibling(s.childKind(n, swArrow)); c != none; c = s.sibling(c) {
		if s.isType(c) {
			return c
		}
	}
	return none
}

func (s *swift) isType(n node) bool {
	switch s.kind(n) {
	case swUserType, swOptionalType, swArrayType, swDictionaryType, swFunctionType, swTupleType, swOpaqueType, swExistentialType,
		swMetatype, swComposition:
		return true
	}
	return false
}

// typeChild returns n's first child that is a type.
func (s *swift) typeChild(n node) node {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.isType(c) {
			return c
		}
	}
	return none
}

// property reads let and var. They are symbols in a file or type, and local variables
// elsewhere. If there are several names, each has its own span.
func (s *swift) property(n node) {
	if s.inBody {
		s.localProperty(n)
		return
	}
	first := s.childKind(n, swPattern)
	several := false
	for c := s.sibling(first); c != none; c = s.sibling(c) {
		several = several || s.kind(c) == swPattern
	}
	if !several && s.child(first, swfBound) != none {
		s.variable1(n, first, s.propertyKind(n))
		return
	}
	before := s.owner
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) != swPattern {
			s.inner(c)
			continue
		}
		s.leave(before)
		for i := c; i < s.after(c); i++ {
			if s.kind(i) != swIdentifier {
				continue
			}
			sym := code.Symbol{Kind: s.propertyKind(n),
				Span: s.spanBetween(s.start(i), s.partEnd(c)), Signature: s.signature(s.start(i), s.typeEnd(c, i))}
			at := s.symbol(n, i, sym, 0)
			if several {
				s.enter(at)
				break
			}
		}
	}
	s.leave(before)
}

// partEnd returns the end of one of several variables in a declaration, including its value.
func (s *swift) partEnd(p node) uint32 {
	end := s.end(p)
	for c := s.sibling(p); c != none && s.kind(c) != swPattern && s.str(c) != ","; c = s.sibling(c) {
		end = s.end(c)
	}
	return end
}

// typeEnd returns the end of the type annotation after pattern p, or the end of the name
// if there is none.
func (s *swift) typeEnd(p, name node) uint32 {
	if c := s.sibling(p); s.kind(c) == swAnnotation {
		return s.end(c)
	}
	return s.end(name)
}

func (s *swift) propertyKind(n node) code.Kind {
	constant := s.has(s.childKind(n, swBindingPattern), swWordLet)
	member := s.owner >= 0 || s.extended != ""
	static := false
	for c := s.first(s.modifiers(n)); c != none; c = s.sibling(c) {
		static = static || s.str(c) == "static" || s.str(c) == "class"
	}
	switch {
	case constant && (static || !member):
		return code.KindConstant
	case member:
		return code.KindField
	}
	return code.KindVariable
}

// variable1 declares the only variable of a property.
func (s *swift) variable1(n, p node, k code.Kind) {
	name := s.child(p, swfBound)
	end := s.typeEnd(p, name)
	for c := s.sibling(p); c != none; c = s.sibling(c) {
		if s.nodeField(c) == swfValue && s.isLiteral(c) {
			end = s.end(c)
		}
	}
	before := s.enter(s.symbol(n, name, code.Symbol{Kind: k}, end))
	for c := s.first(n); c != none; c = s.sibling(c) {
		if c != p {
			s.inner(c)
		}
	}
	s.leave(before)
}

func (s *swift) isLiteral(n node) bool {
	switch s.kind(n) {
	case swString, swInteger, swReal, swBoolean:
		return s.end(n)-s.start(n) <= 128
	}
	return false
}

// inner reads a value or accessor, in which declarations are local.
func (s *swift) inner(n node) {
	saved := s.openBody(-1)
	s.walk(n)
	s.close(saved)
}

func (s *swift) localProperty(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) != swPattern {
			s.walk(c)
		}
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) != swPattern {
			continue
		}
		if name := s.child(c, swfBound); name != none {
			s.bindLocal(name, s.patternType(c))
			continue
		}
		s.bindAll(c)
	}
}

// bindAll binds every name in a pattern.
func (s *swift) bindAll(n node) {
	for i := n; i < s.after(n); i++ {
		if s.kind(i) == swIdentifier {
			s.bindLocal(i, "")
		}
	}
}

// simple declares n, which has a name and types but no body.
func (s *swift) simple(n, name node, k code.Kind) {
	saved := s.open(s.symbol(n, name, code.Symbol{Kind: k}, s.end(n)))
	s.bindGenerics(s.childKind(n, swTypeParameters))
	for c := s.first(n); c != none; c = s.sibling(c) {
		if c != name && s.kind(n) != swPrecedence && s.kind(c) != swIdentifier {
			s.inner(c)
		}
	}
	s.close(saved)
}

// enumEntry declares the cases of one case declaration. If there are several, each has
// its own span.
func (s *swift) enumEntry(n node) {
	several := 0
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.nodeField(c) == swfName {
			several++
		}
	}
	before := s.owner
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.nodeField(c) != swfName {
			if s.kind(c) == swEnumTypes || s.nodeField(c) == swfRaw || s.kind(c) == swModifiers {
				s.walkTypes(c)
			}
			continue
		}
		s.leave(before)
		end := s.end(c)
		for d := s.sibling(c); d != none && s.nodeField(d) != swfName && s.str(d) != "," && s.str(d) != ";"; d = s.sibling(d) {
			end = s.end(d)
		}
		sym := code.Symbol{Kind: code.KindEnumMember}
		if several > 1 {
			sym.Span, sym.Signature = s.spanBetween(s.start(c), end), s.signature(s.start(c), end)
		}
		s.enter(s.symbol(n, c, sym, end))
	}
	s.leave(before)
}
