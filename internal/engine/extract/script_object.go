package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// Members of object literals. JavaScript writes stores, components, routers and
// classes of old as literals, so that a function in one is as much a declaration as a
// method of a class. Plain data is none, because a table of it has more keys than are
// worth finding.

// Limits for the declarations in object literals, because a generated file may hold any number.
const (
	maxLiteralDepth   = 8
	maxLiteralMembers = 4000 // in one file
	maxMemberName     = 100
	maxMemberPath     = 300
)

// The names of hints about objects: one object holds every member of another, and a
// declaration is a member of some object under its own name. visibleIn names the
// block, as "start-end", in which alone a declaration is visible.
const (
	spreadMember  = "..."
	exposedMember = "{}"
	sharedMember  = "{,}" // a declaration is a member, under its own name, of an object that no declaration shows
	visibleIn     = "{"
	madeHint      = "new" // the type of what a constructor signature makes
	calledHint    = "()"  // the result of a call signature
)

// declareMember declares sym at a place in a literal. It reports false if the name is not worth finding.
func (s *script) declareMember(sym code.Symbol, p literalPlace) (int32, bool) {
	long := len(sym.Name) > maxMemberName || len(p.name)+len(sym.Name) > maxMemberPath
	if sym.Name == "" || long || s.literalMembers >= maxLiteralMembers || !s.mayRepeat(p.name) {
		return -1, false
	}
	s.literalMembers++
	sym.Qualified = p.name + "." + sym.Name
	return s.declare(sym), true
}

// memberName returns the name that a key of an object literal declares, or "" if code cannot
// use it as a name: a number, or a text with blanks.
func (s *script) memberName(key node) string {
	switch s.kind(key) {
	case jsPropertyName, jsShorthand, jsPrivateName:
		return s.str(key)
	case jsString:
		name := s.nameText(key)
		if name == "" || lexical.IsDigit(name[0]) || strings.ContainsAny(name, " \t\r\n.\\'\"`") {
			return ""
		}
		return name
	}
	return ""
}

// holdsMembers reports whether an object literal has a member that is a declaration.
func (s *script) holdsMembers(n node, p literalPlace) bool {
	if p.depth >= maxLiteralDepth {
		return false
	}
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsMethod:
			return true
		case jsShorthand:
			if p.data || s.holdsName(c) {
				return true
			}
		case jsSpread:
			if p.depth == 0 && s.kind(s.firstNamed(c)) == jsIdentifier {
				return true
			}
		case jsPair:
			if p.data || s.isMemberValue(s.unwrap(s.child(c, jsfValue)), p) {
				return true
			}
		}
	}
	return false
}

// isMemberValue reports whether a value makes its key in an object literal a
// declaration: a function, a class, the result of a call, a literal that holds one of
// these, or a name bound to one.
func (s *script) isMemberValue(v node, p literalPlace) bool {
	switch s.kind(v) {
	case jsArrow, jsFuncExpr, jsGenerator, jsClass:
		return true
	case jsCall, jsNew:
		return !p.computed && !s.isImportCall(v)
	case jsAwait:
		return s.isMemberValue(s.unwrap(s.firstNamed(v)), p)
	case jsObject:
		return s.holdsMembers(v, p.inside(p.name))
	case jsIdentifier:
		return !p.computed && s.holdsName(v)
	case jsString, jsNumber, jsTemplate, jsUnary:
		return s.isEnumerator(s.memberName(s.child(s.parent(v), jsfKey)), p)
	}
	return false
}

// isEnumerator reports whether a key for plain data is written as the members of an enumeration are: { NOT_FOUND: 404 }.
func (s *script) isEnumerator(name string, p literalPlace) bool {
	if p.depth > 0 || p.computed || strings.HasSuffix(p.name, ")") {
		return false
	}
	return len(name) > 1 && lexical.IsCapital(name[0]) && name == strings.ToUpper(name)
}

// holdsName reports whether a name is bound to a function, a class or the result of a
// call. For an imported value the file does not show it; a name in capitals is data.
func (s *script) holdsName(n node) bool {
	name := s.str(n)
	b := s.lookup(name, false)
	switch {
	case b == nil:
		return false
	case b.what == bindImport:
		return name != strings.ToUpper(name)
	}
	return b.holds && b.what != bindLocal
}

// isState reports whether member name of a literal is the function that creates the
// data of a Vue component or a store. The other members of the literal show it.
func (s *script) isState(c node, name string) bool {
	if name != "data" && name != "state" {
		return false
	}
	if s.lang == "vue" {
		return true
	}
	for m := s.firstNamed(s.parent(c)); m != none; m = s.nextNamed(m) {
		key := s.child(m, jsfKey)
		if s.kind(m) == jsMethod {
			key = s.child(m, jsfName)
		}
		switch s.str(key) {
		case "methods", "computed", "watch", "props", "template", "render", "components", "mixins", "emits", "setup", "mounted", "created",
			"actions", "getters", "mutations", "reducers":
			return true
		}
	}
	name = s.calleeName(s.parent(s.parent(s.parent(c))))
	return strings.HasPrefix(name, "define") || strings.HasPrefix(name, "create") || strings.HasSuffix(name, "extend()")
}

// calleeName returns the name of the function that a call calls, with "()" because it is
// not a type, or "" if n is not a call of a plain name.
func (s *script) calleeName(n node) string {
	callee := none
	switch s.kind(n) {
	case jsCall:
		callee = s.child(n, jsfFunction)
	case jsNew:
		callee = s.child(n, jsfConstructor)
	}
	switch s.kind(callee) {
	case jsIdentifier:
		return s.str(callee) + "()"
	case jsMember:
		if path := s.str(callee); len(path) <= maxMemberName && !strings.ContainsAny(path, "( \t\r\n[?!") {
			return path + "()"
		}
		return s.fieldStr(callee, jsfProperty) + "()"
	}
	return ""
}

// namesReturned returns the names of the shorthand properties, such as a in { a }, of the
// object literals that a function's body returns. If it returns a plain name,
// s.returnedName is set.
func (s *script) namesReturned(body node) (names map[string]bool) {
	note := func(v node) {
		if v = s.unwrap(v); s.kind(v) == jsIdentifier {
			s.returnedName = s.str(v)
		}
		if s.kind(v) != jsObject {
			return
		}
		for c := s.firstNamed(v); c != none; c = s.nextNamed(c) {
			if s.kind(c) == jsShorthand {
				if names == nil {
					names = map[string]bool{}
				}
				names[s.str(c)] = true
			}
		}
	}
	if s.kind(body) != jsBlock {
		return nil
	}
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		if s.kind(c) == jsReturn {
			note(s.firstNamed(c))
		}
	}
	return names
}

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
