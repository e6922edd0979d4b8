package extract

import (
	"sort"
	"strings"

	"ken/internal/code"
)

// bindBlock binds the declarations directly in n: decl is the kind of binding for
// functions, classes and types, vars that for variables. Imports are read here too, so
// that they are known before the first use.
func (s *script) bindBlock(n node, decl, vars bindKind) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		s.bindStatement(c, decl, vars)
	}
}

func (s *script) bindStatement(c node, decl, vars bindKind) {
	switch s.kind(c) {
	case jsImport:
		s.importStatement(c)
	case jsExport:
		if s.child(c, jsfSource) != none {
			s.reexport(c)
			return
		}
		s.bindStatement(s.child(c, jsfDeclaration), decl, vars)
	case tsAmbient:
		s.bindBlock(c, decl, vars)
	case jsExprStatement:
		if m := s.childOf(c, tsInternalModule); m != none {
			s.bindStatement(m, decl, vars)
		}
	case jsFuncDecl, jsGeneratorDecl, tsFuncSignature:
		s.names.bind(binding{name: s.fieldStr(c, jsfName), what: decl, holds: true})
	case jsClassDecl, tsAbstractClass:
		s.names.bind(binding{name: s.fieldStr(c, jsfName), what: decl, typ: s.fieldStr(c, jsfName), holds: true})
	case tsInterface, tsAlias, tsEnum:
		s.bindName(s.child(c, jsfName), decl, s.fieldStr(c, jsfName))
	case tsModule, tsInternalModule:
		name := s.child(c, jsfName)
		for s.kind(name) == tsNestedIdentifier || s.kind(name) == jsMember {
			name = s.child(name, jsfObject)
		}
		if s.kind(name) == jsIdentifier {
			s.bindName(name, decl, s.str(name))
		}
	case tsImportAlias:
		s.bindName(s.childOf(c, jsIdentifier), decl, s.str(s.childOf(c, jsIdentifier)))
	case jsLexical, jsVar, jsUsing:
		for d := s.firstNamed(c); d != none; d = s.nextNamed(d) {
			if s.kind(d) == jsDeclarator {
				s.bindDeclarator(d, vars)
			}
		}
	default:
		if c != none && s.isError(c) {
			s.bindBlock(c, decl, vars)
		}
	}
}

func (s *script) bindName(n node, what bindKind, typ string) {
	s.names.bind(binding{name: s.str(n), what: what, typ: typ})
}

// bindDeclarator binds a variable, to an import if its value is one.
func (s *script) bindDeclarator(d node, what bindKind) {
	name, value := s.child(d, jsfName), s.child(d, jsfValue)
	if call, prop, ok := s.importCall(value); ok {
		s.bindImportCall(name, call, prop)
		return
	}
	typ := s.typeName(s.child(d, tsfType))
	if typ == "" {
		typ = s.valueType(value)
	}
	switch inner := s.unwrap(value); s.kind(name) {
	case jsObjectPattern:
		if b := s.lookup(s.str(inner), false); s.kind(inner) == jsIdentifier && s.takesMembers(d, b) {
			s.bindTaken(name, *b, s.str(inner), what)
			return
		}
	case jsIdentifier:
		holds := s.holdsDeclaration(inner)
		if what == bindLocal && holds && s.returnedNames[s.str(name)] {
			what = bindNested
		}
		if what == bindLocal {
			holds = s.holdsLiteral(inner)
		}
		for s.kind(inner) == jsAssign {
			inner = s.unwrap(s.child(inner, jsfRight))
		}
		if typ == "" {
			typ = s.boundType(name, inner, what)
		}
		if typ == "" {
			typ = s.derivedType(inner)
		}
		s.names.bind(binding{name: s.str(name), what: what, typ: typ, holds: holds})
		return
	}
	s.bindPattern(name, what, typ)
}

// boundType is the type that a variable has by its value, if that is a literal, whose
// members are symbols below it, or another name.
func (s *script) boundType(name, value node, what bindKind) string {
	switch s.kind(value) {
	case jsObject:
		if what != bindLocal {
			return s.str(name)
		}
	case jsIdentifier:
		switch b := s.lookup(s.str(value), false); {
		case b == nil, b.isModule():
		case b.typ != "":
			return b.typ
		case b.what == bindImport:
			return s.str(value)
		}
	}
	return ""
}

// takesMembers reports whether a variable's pattern only takes members of an imported
// module or its default export, so that its names mean those members. A name that is
// exported is a declaration of its own.
func (s *script) takesMembers(d node, b *binding) bool {
	if b == nil || b.what != bindImport || !b.module && !s.isDefault(b) {
		return false
	}
	exported := s.kind(s.statementOf(s.parent(d))) == jsExport
	s.eachName(s.child(d, jsfName), func(name node) { exported = exported || s.listedNames[s.str(name)] })
	return !exported
}

// isDefault reports whether a name is bound to what a module exports as default.
func (s *script) isDefault(b *binding) bool {
	if int(b.imp) >= len(s.facts.Imports) || int(b.nth) >= len(s.facts.Imports[b.imp].Names) {
		return false
	}
	return s.facts.Imports[b.imp].Names[b.nth].Name == "default"
}

// bindTaken binds the names of `const { a, b: c } = imported`.
func (s *script) bindTaken(pattern node, from binding, local string, what bindKind) {
	taken := func(key, name node) {
		s.names.bind(binding{name: s.str(name), what: bindMember, imp: from.imp, module: from.module, target: s.str(key), of: local})
	}
	for c := s.firstNamed(pattern); c != none; c = s.nextNamed(c) {
		if s.kind(c) == jsObjectAssignPattern {
			c = s.child(c, jsfLeft)
		}
		switch key, value := s.child(c, jsfKey), s.child(c, jsfValue); {
		case s.kind(c) == jsShorthandPattern:
			taken(c, c)
		case s.kind(c) == jsPairPattern && s.kind(key) == jsPropertyName && s.kind(value) == jsIdentifier:
			taken(key, value)
		default:
			s.bindPattern(c, what, "")
		}
	}
}

// bindPattern binds every name of a declaring pattern; typ is the type of a
// plain name.
func (s *script) bindPattern(n node, what bindKind, typ string) {
	switch s.kind(n) {
	case jsIdentifier, jsShorthandPattern:
		s.bindName(n, what, typ)
	case jsAssignPattern, jsObjectAssignPattern:
		s.bindPattern(s.child(n, jsfLeft), what, typ)
	case jsPairPattern:
		s.bindPattern(s.child(n, jsfValue), what, "")
	case jsObjectPattern, jsArrayPattern, jsRest:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.bindPattern(c, what, "")
		}
	}
}

func (s *script) bindParam(p node) {
	element := s.elementType
	s.elementType = "" // of the first parameter alone
	switch s.kind(p) {
	case tsRequiredParam, tsOptionalParam:
		typ := s.typeName(s.child(p, tsfType))
		if typ == "" {
			typ = s.valueType(s.child(p, jsfValue))
		}
		if typ == "" && s.child(p, tsfType) == none {
			typ = element
		}
		s.bindPattern(s.paramName(p), bindLocal, typ)
	case jsAssignPattern:
		s.bindPattern(s.child(p, jsfLeft), bindLocal, s.valueType(s.child(p, jsfRight)))
	default:
		s.bindPattern(p, bindLocal, element)
	}
}

func (s *script) paramName(p node) node {
	if n := s.child(p, tsfPattern); n != none {
		return n
	}
	return s.child(p, jsfName)
}

func (s *script) bindTypeParams(n node) {
	for p := s.firstNamed(n); p != none; p = s.nextNamed(p) {
		if s.kind(p) == tsTypeParam {
			s.names.bind(binding{name: s.fieldStr(p, jsfName), isType: true})
		}
	}
}

// hoist binds the var declarations anywhere below n that belong to n's function.
func (s *script) hoist(n node, what bindKind) {
	from := sort.Search(len(s.noted), func(i int) bool { return s.noted[i] > n })
	for _, v := range s.noted[from:] {
		if v >= s.after(n) {
			return
		}
		if s.parent(v) == n || s.functionOf(v, n) != n {
			continue
		}
		for d := s.firstNamed(v); d != none; d = s.nextNamed(d) {
			if s.kind(d) == jsDeclarator && !s.isImportCall(s.child(d, jsfValue)) {
				s.bindDeclarator(d, bindLocal)
			}
		}
	}
}

// functionOf is the function body, static block or namespace around v, or stop.
func (s *script) functionOf(v, stop node) node {
	for p := s.parent(v); p != none; p = s.parent(p) {
		if p == stop {
			return p
		}
		switch s.kind(p) {
		case jsFuncDecl, jsGeneratorDecl, jsFuncExpr, jsGenerator, jsArrow, jsMethod, jsStaticBlock, tsModule, tsInternalModule, tsAmbient:
			return p
		}
	}
	return stop
}

// typeName is the name of the class or interface that an annotation declares, "" if it
// is anything but one name (possibly with null or undefined beside it).
func (s *script) typeName(n node) string {
	switch s.kind(n) {
	case tsAnnotation, tsParenType, tsReadonlyType:
		return s.typeName(s.firstNamed(n))
	case tsTypeName:
		if b := s.lookup(s.str(n), true); b == nil || !b.isType {
			return s.str(n)
		}
	case tsNestedType:
		return s.str(n)
	case tsGeneric:
		return s.typeName(s.child(n, jsfName))
	case tsUnion:
		return s.unionName(n)
	}
	if base, ok := strings.CutSuffix(s.str(n), "[]"); ok && isExprName(base) {
		return code.RecvExpr + "[" + base + "]"
	}
	return ""
}

func (s *script) unionName(n node) string {
	name := ""
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if t := s.str(c); t == "null" || t == "undefined" {
			continue
		}
		if name != "" {
			return ""
		}
		if name = s.typeName(c); name == "" {
			return ""
		}
	}
	return name
}

// valueType is the type that a value shows: T of `new T()` and of `x as T`.
func (s *script) valueType(n node) string {
	switch s.kind(n) {
	case jsNew:
		if c := s.child(n, jsfConstructor); s.kind(c) == jsIdentifier || s.kind(c) == jsMember {
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

// unwrap is the expression inside parentheses, type assertions and !.
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

// lookup finds the meaning of name as a type or as a value.
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

// use emits a reference to a plain name as a value.
func (s *script) use(n node) {
	b := s.lookup(s.str(n), false)
	if b == nil && (isBuiltin(s.str(n)) || isReserved(s.str(n))) {
		return
	}
	s.refTo(n, b, code.RefUse)
}

// isBuiltin reports the globals of every program. Naming one is no reference, because
// nothing in a repository can be meant; a call of one is.
func isBuiltin(name string) bool {
	switch name {
	case "arguments", "Array", "BigInt", "Boolean", "console", "Date", "document", "Error", "exports", "globalThis", "Infinity", "JSON",
		"Map", "Math", "module", "NaN", "Number", "Object", "process", "Promise", "Reflect", "RegExp", "require", "Set", "String", "Symbol", "window":
		return true
	}
	return false
}

// Types that other files decide: of results, members and elements. They are written
// down as expressions (code.RecvExpr), which are followed when a question is asked.

// maxDerived is how long such an expression may be.
const maxDerived = 80

// derivedType is the type of a value as an expression, "" if the file does not show
// where it comes from.
func (s *script) derivedType(n node) string {
	switch s.kind(n) {
	case jsCall, jsMember, jsSubscript, jsAwait:
	default:
		return ""
	}
	if e := s.derive(n, 0); e != "" && len(e) <= maxDerived {
		return code.RecvExpr + e
	}
	return ""
}

// derive writes the expression of a value.
func (s *script) derive(n node, depth int) string {
	if depth > maxLiteralDepth {
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
		of, name := s.derive(s.child(n, jsfObject), depth+1), s.fieldStr(n, jsfProperty)
		if of != "" && isExprName(name) {
			return of + "." + name
		}
	case jsSubscript:
		if of := s.derive(s.child(n, jsfObject), depth+1); of != "" {
			return of + "[]"
		}
	case jsCall:
		if of := s.derive(s.child(n, jsfFunction), depth+1); of != "" && !s.isImportCall(n) {
			return of + "()"
		}
	case jsAwait:
		return s.derive(s.firstNamed(n), depth+1)
	}
	return ""
}

// deriveName is the expression of a plain name: its type, or itself if the whole file
// sees it.
func (s *script) deriveName(n node) string {
	switch b := s.lookup(s.str(n), false); {
	case b == nil, !isExprName(s.str(n)):
		return ""
	case b.typ != "":
		return strings.TrimPrefix(b.typ, code.RecvExpr)
	case b.isOneOf(bindImport, bindTop):
		return s.str(n)
	}
	return ""
}

// isExprName reports whether a name can be written in an expression.
func isExprName(name string) bool {
	return name != "" && len(name) <= maxDerived && !strings.ContainsAny(name, ".()[]{},:<= ?#\t\r\n")
}

// elementOf is the type of the variable of `for (const x of values)`.
func (s *script) elementOf(loop node) string {
	if !s.has(loop, jsKwOf) {
		return ""
	}
	if e := s.derive(s.child(loop, jsfRight), 0); e != "" && len(e) < maxDerived {
		return code.RecvExpr + e + "[]"
	}
	return ""
}

// callbackElement is the type of the first parameter of the function that a call of an
// array's method is given, "" for any other call.
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
	}
	return ""
}
