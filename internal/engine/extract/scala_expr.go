package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// walk reads any node. It is a switch over the kinds of the grammar; for a kind
// without a case it reads the children.
func (s *scala) walk(n node) {
	if s.after(n) == n+1 && !s.isNamed(n) {
		return
	}
	if s.isType(n) {
		s.typeRef(n, code.RefType)
		return
	}
	switch s.kind(n) {
	case scIdentifier, scOperator:
		if !s.isError(s.parent(n)) {
			s.variable(n, code.RefUse)
		}
	case scImport, scExport:
		s.importDeclaration(n)
	case scPackage:
		s.packageClause(n)
	case scExtends:
		s.inherits(n)
	case scDerives:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.typeRef(c, code.RefInherit)
		}
	case scAnnotation:
		s.annotation(n)
	case scParams, scGivenParams:
		s.parameters(n)
	case scTypeParams:
		s.typeParams(n)
	case scCall, scGenericFunction:
		s.call(n)
	case scField:
		s.access(n, code.RefUse)
	case scStable:
		s.stable(n, code.RefUse)
	case scInfix, scPostfix:
		s.infix(n)
	case scNew:
		s.instance(n)
	case scTemplate, scWithTemplate:
		s.block(n)
	case scBlock, scIndented, scLambda, scColonArgument, scFor, scCaseClause, scCatch:
		s.local(n)
	case scEnumerator:
		s.enumerator(n)
	case scAssignment:
		s.assignment(n)
	case scNameAndType:
		s.walk(s.child(n, scfType))
	case scSelfType:
		s.selfType(n)
	case scInterpolated:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			if s.nodeField(c) != scfInterpolator {
				s.walk(c)
			}
		}
	case scModifiers, scAccess, scComment, scBlockComment, scString, scWildcard:
	default:
		switch {
		case s.nodeField(n) == scfPattern && s.kind(s.parent(n)) != scAssignment:
			s.pattern(n, true)
		case !s.declaration(n):
			s.children(n)
		}
	}
}

// local reads a block of code. Blocks also occur outside of functions, between the
// members of a class, where their declarations are local too.
func (s *scala) local(n node) {
	inBody := s.inBody
	s.inBody = true
	switch s.kind(n) {
	case scBlock, scIndented:
		s.block(n)
	case scLambda, scColonArgument:
		s.lambda(n)
	default:
		s.walkScope(n)
	}
	s.inBody = inBody
}

// walkScope reads n's children in a new scope of names. Names in patterns among them are bound.
func (s *scala) walkScope(n node) {
	s.names.push()
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.nodeField(c) == scfPattern {
			s.pattern(c, true)
		} else {
			s.walk(c)
		}
	}
	s.names.pop()
}

// block reads a block. Its functions and types are in scope in all of it.
func (s *scala) block(n node) {
	s.names.push()
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		name := s.identifier(s.child(c, scfName))
		switch s.kind(c) {
		case scFunction, scFunctionDecl:
			s.names.bind(binding{name: name, what: bindNested})
		case scClass, scObject, scTrait, scEnum:
			s.names.bind(binding{name: name, what: bindNested, isType: true})
		}
	}
	s.children(n)
	s.names.pop()
}

// anonymous reads the body of a class without a name.
func (s *scala) anonymous(body node, scope classScope) {
	saved := s.openBody(-1)
	s.class = scope
	s.block(body)
	s.close(saved)
}

// lambda reads a function without a name: x => y, (x: A, y) => z or { x => y }.
func (s *scala) lambda(n node) {
	s.names.push()
	arrow := s.childKind(n, scArrow)
	if arrow == none {
		arrow = s.childKind(n, scContextArrow)
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case c >= arrow:
			s.walk(c)
		case s.kind(c) == scIdentifier:
			s.bindLocal(c, s.typeName(s.nextNamed(c)))
		case s.kind(c) == scBindings:
			s.bindings(c)
		default:
			s.walk(c)
		}
	}
	s.names.pop()
}

func (s *scala) bindings(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		typ := s.child(c, scfType)
		s.walk(typ)
		s.bindLocal(s.child(c, scfName), s.typeName(typ))
	}
}

// enumerator reads a part of a for: x <- xs, x = y or a guard. x is bound after its
// value has been read, because the value cannot use it.
func (s *scala) enumerator(n node) {
	first := s.firstNamed(n)
	value := s.nextNamed(first)
	if value == none {
		s.walk(first)
		return
	}
	s.walk(value)
	s.pattern(first, true)
	for c := s.nextNamed(value); c != none; c = s.nextNamed(c) {
		s.walk(c)
	}
}

// pattern reads a pattern and binds its variables if bind is set.
func (s *scala) pattern(n node, bind bool) {
	switch s.kind(n) {
	case scIdentifier:
		switch {
		case !lexical.IsUpper(s.identifier(n)) && !strings.HasPrefix(s.str(n), "`"):
			if bind {
				s.bindLocal(n, "")
			}
		case bind:
			s.variable(n, code.RefUse)
		}
	case scTyped:
		inner, typ := s.child(n, scfPattern), s.child(n, scfType)
		s.walk(typ)
		if bind && s.kind(inner) == scIdentifier {
			s.bindLocal(inner, s.typeName(typ))
		} else {
			s.pattern(inner, bind)
		}
	case scCapture:
		inner := s.child(n, scfPattern)
		if bind {
			s.bindLocal(s.child(n, scfName), s.typeName(s.child(inner, scfType)))
		}
		s.pattern(inner, bind)
	case scNamedPattern:
		s.pattern(s.lastNamed(n), bind)
	case scClassPattern, scInfixPattern, scAlternative, scTuplePattern:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			switch {
			case s.nodeField(c) == scfType:
				s.typeRef(c, code.RefType)
			case s.nodeField(c) == scfOperator:
				s.infixName(c, qual{kind: qualNone})
			default:
				s.pattern(c, bind)
			}
		}
	case scIdentifiers, scOperator:
	default:
		if s.isNamed(n) {
			s.walkPattern(n)
		}
	}
}

// walkPattern reads the parts of a pattern that are not patterns: literals and names of constants.
func (s *scala) walkPattern(n node) {
	switch s.kind(n) {
	case scStable:
		s.stable(n, code.RefUse)
	case scInterpolated:
		s.walk(n)
	default:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.pattern(c, true)
		}
	}
}

// assignment reads x = y. In the arguments of a call x is the name of an argument, and is skipped.
func (s *scala) assignment(n node) {
	left := s.child(n, scfLeft)
	if s.kind(s.parent(n)) != scArguments || s.kind(left) != scIdentifier {
		s.walk(left)
	}
	s.walk(s.child(n, scfRight))
}

// selfType binds the name that a class gives itself: `this: A =>` or `self =>`.
func (s *scala) selfType(n node) {
	name := s.firstNamed(n)
	s.walk(s.nextNamed(name))
	if s.str(name) != "this" {
		s.bindLocal(name, s.class.name)
	}
}

func (s *scala) annotation(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.nodeField(c) != scfName {
			s.walk(c)
			continue
		}
		s.facts.IsTest = s.facts.IsTest || s.str(c) == "Test"
		s.typeRef(c, code.RefDecorate)
	}
}

// instance reads new T(…) with U { … }.
func (s *scala) instance(n node) {
	base := none
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch k := s.kind(c); {
		case k == scTemplate:
			name := s.typeName(base)
			s.anonymous(c, classScope{name: name, base: name, super: true})
		case s.isType(c):
			if base == none {
				base = c
			}
			s.typeRef(c, code.RefCall)
		default:
			s.walk(c)
		}
	}
}
