package extract

import (
	"path"
	"strconv"
	"strings"

	"ken/internal/code"
)

// typeName returns the type that an annotation declares: a name, or an expression
// (code.RecvExpr) if it is more than one name, or "" if it is not read.
func (s *script) typeName(n node) string {
	e := s.typeExpr(n, 0)
	if e == "" || len(e) > maxDerived {
		return ""
	}
	if strings.ContainsAny(e, "[{(|") || s.isPredefined(n) {
		return code.RecvExpr + e
	}
	return e
}

// isPredefined reports whether a type annotation names a type of the language, such as string.
func (s *script) isPredefined(n node) bool {
	for s.kind(n) == tsAnnotation || s.kind(n) == tsParenType {
		n = s.firstNamed(n)
	}
	return s.kind(n) == tsPredefined
}

// typeExpr returns a type as a type expression (code.RecvExpr), "" if it cannot be written as one.
func (s *script) typeExpr(n node, depth int) string {
	if n == none || depth > maxTypeDepth {
		return ""
	}
	switch s.kind(n) {
	case tsAnnotation, tsParenType, tsReadonlyType:
		return s.typeExpr(s.firstNamed(n), depth+1)
	case tsPredefined:
		if t := s.str(n); t == "string" || t == "number" || t == "boolean" {
			return t
		}
	case tsTypeName:
		switch b := s.lookup(s.str(n), true); {
		case !isExprName(s.str(n)):
		case b == nil || !b.isType:
			return s.str(n)
		default:
			return strings.TrimPrefix(b.typ, code.RecvExpr) // the bound of a type parameter
		}
	case tsNestedType:
		if t := s.str(n); isExprName(strings.ReplaceAll(t, ".", "")) {
			return t
		}
	case tsGeneric:
		return s.genericExpr(n, depth)
	case tsLookup:
		of := s.firstNamed(n)
		key := s.memberName(s.firstNamed(s.nextNamed(of)))
		if e := s.typeExpr(of, depth+1); e != "" && isExprName(key) {
			return e + "." + key
		}
		return ""
	case tsUnion, tsIntersection:
		return s.unionExpr(n, depth)
	case tsTypeQuery:
		if t := s.str(s.firstNamed(n)); isExprName(strings.ReplaceAll(t, ".", "")) {
			return t
		}
	default:
		switch text := s.str(n); {
		case strings.HasSuffix(text, "[]"):
			return "[" + s.typeOrUnknown(s.firstNamed(n), depth) + "]"
		case strings.HasPrefix(text, "["):
			return s.tupleExpr(n, depth)
		}
	}
	return ""
}

func (s *script) typeOrUnknown(n node, depth int) string {
	if e := s.typeExpr(n, depth+1); e != "" {
		return e
	}
	return "?"
}

// tupleExpr returns the type expression of a tuple type [A, B].
func (s *script) tupleExpr(n node, depth int) string {
	var parts []string
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) == tsRequiredParam || s.kind(c) == tsOptionalParam {
			parts = append(parts, s.typeOrUnknown(s.child(c, tsfType), depth))
			continue
		}
		parts = append(parts, s.typeOrUnknown(c, depth))
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// unionExpr returns the type expression of a union or intersection, whose values have the
// members of each part. It leaves out parts such as null and parts that cannot be
// written.
func (s *script) unionExpr(n node, depth int) string {
	var parts []string
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if t := s.str(c); t == "null" || t == "undefined" {
			continue
		}
		if e := s.typeExpr(c, depth+1); e != "" {
			if strings.HasPrefix(e, "(") && strings.ContainsRune(e, '|') {
				e = e[1 : len(e)-1]
			}
			parts = append(parts, e)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "(" + strings.Join(parts, "|") + ")"
}

// genericExpr returns the type expression of a type with type arguments. For well-known containers it has the element type.
func (s *script) genericExpr(n node, depth int) string {
	name := s.str(s.child(n, jsfName))
	args := s.child(n, tsfTypeArguments)
	first := s.firstNamed(args)
	switch name {
	case "Promise", "PromiseLike", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "Omit", "Pick", "Exclude", "Extract", "InstanceType":
		return s.typeExpr(first, depth+1)
	case "ReturnType":
		if e := s.typeExpr(first, depth+1); e != "" {
			return e + "()"
		}
		return ""
	}
	if e := s.container(name, args, depth); e != "" {
		return e
	}
	return s.typeExpr(s.child(n, jsfName), depth+1)
}

// container returns the type expression of a container of the language, such as Map, with its element type.
func (s *script) container(name string, args node, depth int) string {
	first := s.firstNamed(args)
	switch name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Generator", "AsyncIterable", "AsyncGenerator":
		return "[" + s.typeOrUnknown(first, depth) + "]"
	case "Map", "ReadonlyMap", "WeakMap", "Record":
		if first != none {
			return "{" + s.typeOrUnknown(first, depth) + ":" + s.typeOrUnknown(s.nextNamed(first), depth) + "}"
		}
	}
	return ""
}

// newContainer returns the type of a value `new Map<K, V>()`, or "" for any other value.
func (s *script) newContainer(n node) string {
	args := s.child(n, tsfTypeArguments)
	if args == none {
		return ""
	}
	if e := s.container(s.fieldStr(n, jsfConstructor), args, 0); e != "" && len(e) <= maxDerived {
		return code.RecvExpr + e
	}
	return ""
}

// memberExpr returns the type of the member name of a value of type typ, or "" if it
// cannot be written.
func memberExpr(typ, name string) string {
	e := strings.TrimPrefix(typ, code.RecvExpr)
	if e == "" || !isExprName(name) || len(e)+len(name) >= maxDerived {
		return ""
	}
	return code.RecvExpr + e + "." + name
}

// partExpr returns the type of element number at of a value of type typ.
func partExpr(typ string, at int) string {
	e := strings.TrimPrefix(typ, code.RecvExpr)
	if e == "" || len(e)+4 >= maxDerived {
		return ""
	}
	return code.RecvExpr + e + "[" + strconv.Itoa(at) + "]"
}

// paramExpr returns the type of parameter number at of a function of type typ.
func paramExpr(typ string, at int) string {
	e := strings.TrimPrefix(typ, code.RecvExpr)
	if e == "" || len(e)+4 >= maxDerived {
		return ""
	}
	return code.RecvExpr + e + "(@" + strconv.Itoa(at) + ")"
}

// giveType records the type of a value that the function around it returns.
func (s *script) giveType(v node) {
	switch s.kind(v) {
	case jsNull, jsUndefined:
		return
	}
	if s.given == nil || s.given.unknown || v == none {
		return
	}
	typ := strings.TrimPrefix(s.returnedType(v), code.RecvExpr)
	s.given.unknown = typ == "" || s.given.typ != "" && s.given.typ != typ
	s.given.typ = typ
}

// returnedType returns the type of a returned value, "" if it is not known.
func (s *script) returnedType(v node) string {
	if s.kind(v) == jsIdentifier || s.kind(v) == jsThis {
		return s.derive(v, 0)
	}
	return s.madeType(v)
}

// hintResult records the type of what a function without a declared result returns. Several signatures of one name have none.
func (s *script) hintResult(fn node) {
	switch s.kind(fn) {
	case jsGenerator, jsGeneratorDecl:
		return
	}
	if g := s.given; !g.unknown && g.typ != "" && len(g.typ) <= maxDerived {
		s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: s.owner, Type: g.typ})
	}
}

// expect records that value, if it is a function, has the type typ because of the place where it is written.
func (s *script) expect(value node, typ string) {
	fn := s.functionValue(value)
	if fn == none || typ == "" {
		return
	}
	if s.expected == nil {
		s.expected = map[node]string{}
	}
	s.expected[fn] = typ
}

// expectArguments records the types that functions have as arguments of a call.
func (s *script) expectArguments(call node) {
	callee := ""
	at := 0
	for a := s.firstNamed(s.child(call, jsfArguments)); a != none; a = s.nextNamed(a) {
		if s.functionValue(a) != none {
			if callee == "" {
				if callee = s.derive(s.child(call, jsfFunction), 0); callee == "" {
					return
				}
			}
			s.expect(a, paramExpr(callee, at))
		}
		at++
	}
}

// partMember returns a reference to the member that a part of a pattern takes from the
// value to which from refers: the member key, or the element with the index at.
func partMember(from code.Ref, key string, at int) code.Ref {
	r := memberRef()
	if from.Via != code.ViaTyped {
		return r
	}
	t := partExpr(from.Recv, at)
	if key != "" {
		t = memberExpr(from.Recv, key)
	}
	if t != "" {
		r.Via, r.Recv = code.ViaTyped, t
	}
	return r
}

// isBuiltinObject reports whether a name is an object or class of the language. A
// program may add members to it but does not create it.
func isBuiltinObject(name string) bool {
	switch name {
	case "Array", "BigInt", "Boolean", "console", "Date", "Error", "JSON", "Map", "Math", "Number", "Object", "Promise", "Reflect", "RegExp",
		"Set", "String", "Symbol":
		return true
	}
	return false
}

// Types that other files decide: of results, members and elements. They are written
// down as expressions (code.RecvExpr), which are followed when a question is asked.

// maxDerived is the length of the longest type expression, and maxTypeDepth the depth of the
// deepest type from which one is made.
const (
	maxDerived   = 80
	maxTypeDepth = 8
)

// derivedType returns the type of a value as an expression, or "" if the file does not show
// where it comes from.
func (s *script) derivedType(n node) string {
	switch s.kind(n) {
	case jsCall, jsMember, jsSubscript, jsAwait, jsString, jsTemplate, jsObject:
	default:
		if !strings.HasPrefix(s.str(n), "[") {
			return ""
		}
	}
	if e := s.derive(n, 0); e != "" && len(e) <= maxDerived {
		return code.RecvExpr + e
	}
	return ""
}

// madeType returns the type of a value: the type that the value itself shows, or its type expression.
func (s *script) madeType(value node) string {
	if t := s.valueType(value); t != "" || value == none {
		return t
	}
	return s.derivedType(s.unwrap(value))
}

// derive returns the type expression of a value.
func (s *script) derive(n node, depth int) string {
	if depth > maxTypeDepth {
		return ""
	}
	if t := s.valueType(n); t != "" {
		return strings.TrimPrefix(t, code.RecvExpr)
	}
	n = s.unwrap(n)
	switch s.kind(n) {
	case jsIdentifier:
		return s.deriveName(n)
	case jsThis:
		if strings.ContainsAny(s.self, "(") {
			return ""
		}
		return s.self
	case jsMember:
		if b := s.names.lookup(s.str(n)); b != nil && b.typ != "" && s.kind(s.child(n, jsfObject)) == jsThis {
			return strings.TrimPrefix(b.typ, code.RecvExpr)
		}
		of, name := s.derive(s.child(n, jsfObject), depth+1), s.fieldStr(n, jsfProperty)
		if of != "" && isExprName(name) {
			return of + "." + name
		}
	case jsSubscript:
		of, key := s.derive(s.child(n, jsfObject), depth+1), s.memberName(s.child(n, jsfIndex))
		switch {
		case of != "" && isExprName(key):
			return of + "." + key
		case of != "":
			return of + "[]"
		}
	case jsString, jsTemplate:
		return "string"
	case jsObject:
		return s.spreadType(n, depth)
	case jsCall:
		if call, member, ok := s.importCall(n); ok && member == "" {
			if name := path.Base(s.importSpec(call)); isExprName(name) && s.names.lookup(name) == nil {
				return name // as graph.LocalName calls an import without a name
			}
			return ""
		}
		if e, ok := s.madeFrom(n, depth); ok {
			return e
		}
		if of := s.derive(s.child(n, jsfFunction), depth+1); of != "" {
			return of + "()"
		}
	case jsAwait:
		return s.derive(s.firstNamed(n), depth+1)
	default:
		if strings.HasPrefix(s.str(n), "[") {
			return "[?]"
		}
	}
	return ""
}

// spreadType returns the type of a literal that ends in the members of another value, as in { size: 1, ...options }. A key behind them
// would take the place of one of them.
func (s *script) spreadType(object node, depth int) string {
	last := none
	for c := s.firstNamed(object); c != none; c = s.nextNamed(c) {
		if last != none {
			return ""
		}
		if s.kind(c) == jsSpread {
			last = c
		}
	}
	return s.derive(s.firstNamed(last), depth+1)
}

// madeFrom returns the result type of a call of a function of the language, such as
// Object.values. ok is false for any other call.
func (s *script) madeFrom(call node, depth int) (e string, ok bool) {
	callee := s.child(call, jsfFunction)
	object := s.child(callee, jsfObject)
	if s.kind(callee) != jsMember || s.kind(object) != jsIdentifier || s.lookup(s.str(object), false) != nil {
		return "", false
	}
	form := ""
	switch s.str(object) + "." + s.fieldStr(callee, jsfProperty) {
	case "Object.values":
		form = "[$[]]"
	case "Object.entries":
		form = "[(string,$[])]"
	case "Object.keys":
		return "[string]", true
	case "Array.from":
		form = "[$[k]]"
	case "Object.freeze", "Object.seal", "structuredClone", "Promise.resolve":
		form = "$"
	default:
		return "", false
	}
	of := s.derive(s.firstNamed(s.child(call, jsfArguments)), depth+1)
	if of == "" {
		return "", true
	}
	return strings.ReplaceAll(form, "$", of), true
}

// deriveName returns the type expression of a plain name: its type, or the name itself if
// it is visible in the whole file.
func (s *script) deriveName(n node) string {
	switch b := s.lookup(s.str(n), false); {
	case b == nil, !isExprName(s.str(n)):
		return ""
	case b.typ != "":
		return strings.TrimPrefix(b.typ, code.RecvExpr)
	case b.isEither(bindImport, bindTop), b.is(bindNested) && b.holds:
		return s.str(n)
	}
	return ""
}

// isExprName reports whether a name can be part of a type expression.
func isExprName(name string) bool {
	return name != "" && len(name) <= maxDerived && !strings.ContainsAny(name, ".()[]{},:<= ?#\t\r\n")
}

// loopElement returns the type of the variable of `for (const x of values)`.
func (s *script) loopElement(loop node) string {
	if !s.has(loop, jsKwOf) {
		return ""
	}
	if e := s.derive(s.child(loop, jsfRight), 0); e != "" && len(e) < maxDerived {
		return code.RecvExpr + e + "[k]"
	}
	return ""
}

// callbackElement returns the type of the first parameter of a function that is passed to a
// method of an array, or "" for any other call.
func (s *script) callbackElement(call node) string {
	callee := s.child(call, jsfFunction)
	if s.kind(callee) != jsMember {
		return ""
	}
	switch s.fieldStr(callee, jsfProperty) {
	case "forEach", "map", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap":
		if e := s.derive(s.child(callee, jsfObject), 0); e != "" && len(e) < maxDerived {
			return code.RecvExpr + e + "[]"
		}
	case "then":
		if e := s.derive(s.child(callee, jsfObject), 0); e != "" && len(e) <= maxDerived {
			return code.RecvExpr + e // a promise counts as its result
		}
	}
	return ""
}

// valueType returns the type that a value shows by itself: T for `new T()` and for `x as T`.
func (s *script) valueType(n node) string {
	switch s.kind(n) {
	case jsNew:
		if t := s.newContainer(n); t != "" {
			return t
		}
		c := s.child(n, jsfConstructor)
		if b := s.lookup(s.str(c), false); s.kind(c) == jsIdentifier && b.is(bindLocal) && b.typ != "" {
			return b.typ
		}
		if s.kind(c) == jsIdentifier || s.kind(c) == jsMember {
			return s.str(c)
		}
	case tsAs, tsSatisfies:
		value := s.firstNamed(n)
		return s.typeName(s.nextNamed(value))
	case jsParen, tsNonNull, jsAwait:
		return s.valueType(s.firstNamed(n))
	}
	return ""
}

// unwrap returns n without the parentheses, type assertions and ! around it.
func (s *script) unwrap(n node) node {
	for {
		switch s.kind(n) {
		case jsParen, tsAs, tsSatisfies, tsNonNull:
			n = s.firstNamed(n)
		case tsAssertion:
			n = s.nextNamed(s.firstNamed(n))
		default:
			return n
		}
	}
}

// lookup returns the binding of name as a type, if typ is set, or as a value.
func (s *script) lookup(name string, typ bool) *binding {
	b := s.names.lookup(name)
	for b.is(bindLocal) && b.isType != typ {
		if b.outer < 0 {
			return nil
		}
		b = &s.names.list[b.outer]
	}
	return b
}

// functionValue returns the function that v is, or none.
func (s *script) functionValue(v node) node {
	v = s.unwrap(v)
	switch s.kind(v) {
	case jsArrow, jsFuncExpr, jsGenerator:
		return v
	}
	return none
}

// memberRef returns a reference to a member of an unknown value.
func memberRef() code.Ref { return code.Ref{Kind: code.RefUse, Via: code.ViaMember} }

// holdsDeclaration reports whether a variable with the value v stands for a function, a
// class, the result of a call or a literal.
func (s *script) holdsDeclaration(v node) bool {
	switch s.kind(v) {
	case jsCall, jsNew, jsAwait, jsAssign:
		return true
	}
	return s.holdsLiteral(v)
}

// holdsLiteral reports whether a value is a function, class or object that is
// written at this place. Members that are added to it then belong to this file.
func (s *script) holdsLiteral(v node) bool {
	switch s.kind(v) {
	case jsArrow, jsFuncExpr, jsGenerator, jsClass, jsObject:
		return true
	}
	return false
}
