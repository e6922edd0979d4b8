package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// params returns the parameters in all child lists of n whose kind is list.
func (s *scala) params(n node, list kind) (params []code.Param) {
	for l := s.firstNamed(n); l != none; l = s.nextNamed(l) {
		if s.kind(l) != list {
			continue
		}
		for c := s.firstNamed(l); c != none; c = s.nextNamed(c) {
			switch s.kind(c) {
			case scParam, scClassParam:
				value := s.child(c, scfDefault)
				params = append(params, code.Param{Name: s.identifier(s.child(c, scfName)), Type: s.sourceLine(s.child(c, scfType)),
					Optional: value != none, Default: s.sourceLine(value)})
			}
		}
	}
	return params
}

// function reads a def in a file, a type, an extension or another function.
// One with the name this is a constructor.
func (s *scala) function(n node) {
	name := s.child(n, scfName)
	sym := code.Symbol{Kind: code.KindFunction, Params: s.params(n, scParams), Returns: s.sourceLine(s.child(n, scfReturn))}
	switch {
	case s.str(name) == "this" && s.class.name != "":
		sym.Kind, sym.Name = code.KindConstructor, s.class.name
	case s.inBody:
		s.names.bind(binding{name: s.identifier(name), what: bindNested})
	case s.owner >= 0 || s.inExtension:
		sym.Kind = code.KindMethod
	}
	saved := s.openBody(s.symbol(n, name, sym, s.bodyStart(n)))
	s.childrenBut(n, name)
	s.close(saved)
}

// parameters binds the parameters of a function in order, because a default value may use earlier ones.
func (s *scala) parameters(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) != scParam {
			s.walk(c)
			continue
		}
		name := s.child(c, scfName)
		s.childrenBut(c, name)
		s.bindLocal(name, s.typeName(s.child(c, scfType)))
	}
}

// eachName calls f for every name a val or var declares.
func (s *scala) eachName(n node, f func(name node)) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch s.nodeField(c) {
		case scfName:
			f(c)
		case scfPattern:
			s.patternNames(c, f)
		}
	}
}

// patternNames calls f for every name a pattern binds.
func (s *scala) patternNames(n node, f func(name node)) {
	switch s.kind(n) {
	case scIdentifier:
		switch s.kind(s.parent(n)) {
		case scVal, scVar, scIdentifiers:
			f(n)
		default: // within a pattern a capitalised name is a constant to compare with
			if !lexical.IsUpper(s.identifier(n)) {
				f(n)
			}
		}
		return
	case scOperator:
		if s.nodeField(n) == scfPattern {
			f(n)
		}
		return
	case scStable, scStableType, scInterpolated, scTypeArgs, scTypeIdentifier, scGenericType:
		return
	}
	skip := none
	if s.kind(n) == scNamedPattern {
		skip = s.firstNamed(n)
	}
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if c != skip && s.nodeField(c) != scfOperator && s.nodeField(c) != scfType {
			s.patternNames(c, f)
		}
	}
}

// declaredType returns the type of a val or var: the written one, otherwise that of its value.
func (s *scala) declaredType(n node) string {
	if typ := s.child(n, scfType); typ != none {
		return s.typeName(typ)
	}
	if s.kind(s.child(n, scfPattern)) != scIdentifier {
		return ""
	}
	return s.valueType(s.child(n, scfValue))
}

// values reads a val or var. It is a symbol in a file or type, and a local
// variable elsewhere. If it declares several names, each has its own span.
func (s *scala) values(n node) {
	if s.inBody {
		s.valueParts(n)
		typ := s.declaredType(n)
		s.eachName(n, func(name node) { s.bindLocal(name, typ) })
		return
	}
	kind := code.KindField
	if s.owner < 0 {
		kind = code.KindVariable
	}
	var names []node
	s.eachName(n, func(name node) { names = append(names, name) })
	sym := int32(-1)
	if len(names) == 1 {
		sym = s.symbol(n, names[0], code.Symbol{Kind: kind}, s.valueEnd(n))
	} else {
		for _, name := range names {
			s.symbol(n, name, code.Symbol{Kind: kind, Span: s.span(name), Signature: s.sourceLine(name)}, 0)
		}
	}
	saved := s.openBody(sym)
	s.valueParts(n)
	s.close(saved)
}

// valueEnd returns the offset at which the signature of a val or var ends: after its type,
// or after a short literal if there is no type.
func (s *scala) valueEnd(n node) uint32 {
	if value := s.child(n, scfValue); value != none {
		if s.child(n, scfType) == none && s.first(value) == none && s.end(value)-s.start(value) <= 128 {
			return s.end(value)
		}
		return s.start(value)
	}
	return s.end(n)
}

// valueParts reads the types and the value of a val or var.
func (s *scala) valueParts(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.nodeField(c) {
		case scfName:
		case scfPattern:
			s.pattern(c, false)
		default:
			s.walk(c)
		}
	}
}

func (s *scala) typeAlias(n node) {
	name := s.child(n, scfName)
	s.bindNestedType(name)
	saved := s.openBody(s.symbol(n, name, code.Symbol{Kind: code.KindType}, s.end(n)))
	s.bindGenerics(s.childKind(n, scTypeParams))
	s.childrenBut(n, name)
	s.close(saved)
}

// givenInstance reads a given instance. Other files do not see the members of its body; without
// a name it is no symbol.
func (s *scala) givenInstance(n node) {
	name, typ := s.child(n, scfName), s.child(n, scfReturn)
	kind := code.KindField
	if s.owner < 0 {
		kind = code.KindVariable
	}
	sym := int32(-1)
	if s.inBody {
		s.bindLocal(name, s.typeName(typ))
	} else {
		sym = s.symbol(n, name, code.Symbol{Kind: kind, Returns: s.sourceLine(typ)}, s.bodyStart(n))
	}
	saved := s.openBody(sym)
	if s.has(n, scWithTemplate) {
		s.class = classScope{name: s.typeName(typ), super: true}
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case c == name:
		case c == typ && s.has(n, scWithTemplate):
			s.typeRef(c, code.RefInherit)
		default:
			s.walk(c)
		}
	}
	s.close(saved)
}

// extensionMethods reads extension (x: T) and its methods.
func (s *scala) extensionMethods(n node) {
	class, inExtension := s.class, s.inExtension
	s.names.push()
	s.bindGenerics(s.childKind(n, scTypeParams))
	for c := s.first(n); c != none; c = s.sibling(c) {
		k := s.kind(c)
		if k == scFunction || k == scFunctionDecl {
			s.inExtension = true
		}
		s.walk(c)
		if k == scParams && !s.inExtension {
			s.class = classScope{name: s.typeName(s.child(s.firstNamed(c), scfType)), super: true}
		}
	}
	s.names.pop()
	s.class, s.inExtension = class, inExtension
}
