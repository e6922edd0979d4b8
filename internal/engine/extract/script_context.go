package extract

import (
	"strings"

	"ken/internal/code"
)

// Keys of object literals as uses of the members of a type. Which type is expected of a literal depends on its place; where
// that names a type, the keys are references to its members, and where it does not, they are none.

// literalKeys records the keys of an object literal as uses of the members of the type that its place expects.
func (s *script) literalKeys(n node) {
	if s.lang != "typescript" || s.firstNamed(n) == none {
		return
	}
	typ := strings.TrimPrefix(s.contextType(n, 0), code.RecvExpr)
	if typ == "" || len(typ) > maxDerived {
		return
	}
	r := code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: code.RecvExpr + typ + code.RecvKeywords}
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		key := c
		switch s.kind(c) {
		case jsPair:
			key = s.child(c, jsfKey)
		case jsMethod:
			key = s.child(c, jsfName)
		}
		if s.memberName(key) != "" {
			s.refKey(key, r)
		}
	}
}

// namedMembers records the strings in a type as uses of the members of the type of, as in T["a"] and Pick<T, "a" | "b">.
func (s *script) namedMembers(of, names node) {
	switch s.kind(names) {
	case tsLiteralType:
		key := s.firstNamed(names)
		if s.memberName(key) == "" {
			return
		}
		r := memberRef()
		if t := s.typeName(of); t != "" {
			r.Via, r.Recv = code.ViaTyped, t
		}
		s.refKey(key, r)
	case tsUnion:
		for c := s.firstNamed(names); c != none; c = s.nextNamed(c) {
			s.namedMembers(of, c)
		}
	default:
		if s.kind(s.parent(names)) == tsLookup {
			s.walk(names)
		}
	}
}

// contextType returns the type that the place of a value expects, "" if that is not known.
func (s *script) contextType(n node, depth int) string {
	p := s.parent(n)
	if depth > maxTypeDepth {
		return ""
	}
	switch s.kind(p) {
	case jsParen, tsNonNull:
		return s.contextType(p, depth+1)
	case jsTernary:
		if n != s.firstNamed(p) {
			return s.contextType(p, depth+1)
		}
	case tsAs, tsSatisfies:
		return s.typeName(s.nextNamed(n))
	case jsDeclarator, tsField:
		return s.typeName(s.child(p, tsfType))
	case tsRequiredParam, tsOptionalParam:
		return s.typeName(s.child(p, tsfType))
	case jsAssign:
		if left := s.child(p, jsfLeft); left != n {
			return s.derive(left, 0)
		}
	case jsPair:
		if object := s.parent(p); s.kind(object) == jsObject {
			return memberExpr(s.contextType(object, depth+1), s.memberName(s.child(p, jsfKey)))
		}
	case jsReturn, jsArrow:
		return s.resultType(n)
	default:
		return s.elementContext(n, p, depth)
	}
	return ""
}

// elementContext returns the type that is expected of an element of a list, or of an argument.
func (s *script) elementContext(n, p node, depth int) string {
	if text := s.str(p); strings.HasPrefix(text, "[") {
		if of := strings.TrimPrefix(s.contextType(p, depth+1), code.RecvExpr); of != "" {
			return of + "[]"
		}
		return ""
	}
	call := s.parent(p)
	if call == none || s.child(call, jsfArguments) != p {
		return ""
	}
	callee := ""
	switch s.kind(call) {
	case jsCall:
		callee = s.derive(s.child(call, jsfFunction), 0)
	case jsNew:
		callee = memberExpr(s.derive(s.child(call, jsfConstructor), 0), "constructor")
	}
	at := 0
	for a := s.firstNamed(p); a != n && a != none; a = s.nextNamed(a) {
		at++
	}
	return paramExpr(callee, at)
}

// expectedType returns the type of a function because of its place in a literal, as in { hooks: [x => …] }; those of variables and of
// arguments are known when they are reached.
func (s *script) expectedType(fn node) string {
	if t := s.expected[fn]; t != "" || s.lang != "typescript" {
		return t
	}
	switch p := s.parent(fn); s.kind(p) {
	case jsObject:
		if s.kind(fn) == jsMethod {
			return memberExpr(s.contextType(p, 0), s.memberName(s.child(fn, jsfName)))
		}
	case jsPair, jsReturn, jsTernary:
		return s.contextType(fn, 0)
	default:
		if strings.HasPrefix(s.str(p), "[") {
			return s.contextType(fn, 0)
		}
	}
	return ""
}

// resultType returns the result type that the function around a returned value declares.
func (s *script) resultType(n node) string {
	for p := s.parent(n); p != none; p = s.parent(p) {
		switch s.kind(p) {
		case jsFuncDecl, jsFuncExpr, jsArrow, jsMethod:
			return s.typeName(s.child(p, tsfReturnType))
		case jsGenerator, jsGeneratorDecl, jsClassBody:
			return ""
		}
	}
	return ""
}
