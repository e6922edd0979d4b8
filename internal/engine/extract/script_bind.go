package extract

import (
	"sort"
	"strings"

	"ken/internal/code"
)

// bindBlock binds the names that are declared directly in n. decl is the kind of
// binding for functions, classes and types, vars the kind for variables. It also reads
// imports, so that they are known before their first use.
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
		if m := s.childKind(c, tsInternalModule); m != none {
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
		s.bindName(s.childKind(c, jsIdentifier), decl, s.str(s.childKind(c, jsIdentifier)))
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

// bindDeclarator binds a variable. If its value is an import, it binds the variable to that.
func (s *script) bindDeclarator(d node, what bindKind) {
	name, value := s.child(d, jsfName), s.child(d, jsfValue)
	if call, prop, _ := s.importCall(value); s.importsInto(d) {
		s.bindImportCall(name, call, prop)
		return
	}
	typ := s.typeName(s.child(d, tsfType))
	s.expect(value, typ)
	if typ == "" {
		typ = s.valueType(value)
	}
	switch inner := s.unwrap(value); s.kind(name) {
	case jsObjectPattern:
		if b := s.lookup(s.str(inner), false); s.kind(inner) == jsIdentifier && s.takesMembers(b) {
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
	if typ == "" {
		typ = s.patternType(value)
	}
	s.bindPattern(name, what, typ)
}

// patternType returns the type of a value that a pattern such as { a, b } takes apart.
func (s *script) patternType(value node) string {
	if r := s.valueRef(value); r.Via == code.ViaTyped {
		return r.Recv
	}
	return ""
}

// boundType returns the type that a variable has because of its value, if that is another
// name or a literal whose members are symbols.
func (s *script) boundType(name, value node, what bindKind) string {
	switch s.kind(value) {
	case jsThis: // var self = this
		if s.self != exportsSelf && isExprName(s.self) {
			return s.self
		}
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

// takesMembers reports whether a variable's pattern takes members of an imported
// module or of its default export and nothing else, so that its names stand for those
// members.
func (s *script) takesMembers(b *binding) bool {
	return b.is(bindImport) && (b.module || s.isDefault(b))
}

// isDefault reports whether b is bound to a module's default export.
func (s *script) isDefault(b *binding) bool {
	if int(b.imp) >= len(s.facts.Imports) || int(b.nth) >= len(s.facts.Imports[b.imp].Names) {
		return false
	}
	return s.facts.Imports[b.imp].Names[b.nth].Name == "default"
}

// bindTaken binds the names of `const { a, b: c } = imported` to members of the import.
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

// bindPattern binds every name of a declaring pattern; typ is the type if
// the pattern is a plain name.
func (s *script) bindPattern(n node, what bindKind, typ string) {
	switch s.kind(n) {
	case jsIdentifier, jsShorthandPattern:
		s.bindName(n, what, typ)
	case jsAssignPattern, jsObjectAssignPattern:
		s.bindPattern(s.child(n, jsfLeft), what, typ)
	case jsPairPattern:
		s.bindPattern(s.child(n, jsfValue), what, typ)
	case jsObjectPattern:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.bindPattern(c, what, memberExpr(typ, s.takenName(c)))
		}
	case jsArrayPattern:
		s.eachPart(n, func(c node, at int) { s.bindPattern(c, what, partExpr(typ, at)) })
	case jsRest:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.bindPattern(c, what, "")
		}
	}
}

// eachPart calls f for the elements of an array pattern, with their indexes.
func (s *script) eachPart(n node, f func(c node, at int)) {
	at := 0
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.isNamed(c):
			f(c, at)
		case s.str(c) == ",":
			at++
		}
	}
}

// takenName returns the name of the member that a part of an object pattern takes, or ""
// if it takes several or has no name.
func (s *script) takenName(n node) string {
	if s.kind(n) == jsObjectAssignPattern || s.kind(n) == jsAssignPattern {
		n = s.child(n, jsfLeft)
	}
	switch s.kind(n) {
	case jsShorthandPattern:
		return s.str(n)
	case jsPairPattern:
		if key := s.child(n, jsfKey); s.kind(key) == jsPropertyName {
			return s.str(key)
		}
	}
	return ""
}

// bindInner binds the name of a function or class expression, which only the expression sees. If the expression is the value
// of a symbol, the name means that symbol, whatever its own name is.
func (s *script) bindInner(n node) {
	b := binding{name: s.fieldStr(n, jsfName), what: bindLocal}
	isClass := s.kind(n) == jsClass
	if isClass {
		b.typ = b.name
	}
	if n == s.valued && s.owner >= 0 {
		sym := &s.facts.Symbols[s.owner]
		b.what, b.target, b.of, b.typ, b.holds = bindNested, sym.Name, sym.Qualified, sym.Qualified, true
		if isClass {
			b.typ = sym.Name
		}
	}
	s.names.bind(b)
}

func (s *script) bindParam(p node, given string) {
	switch s.kind(p) {
	case tsRequiredParam, tsOptionalParam:
		typ := s.typeName(s.child(p, tsfType))
		if typ == "" {
			typ = s.valueType(s.child(p, jsfValue))
		}
		if typ == "" && s.child(p, tsfType) == none {
			typ = given
		}
		s.bindPattern(s.paramName(p), bindLocal, typ)
	case jsAssignPattern:
		s.bindPattern(s.child(p, jsfLeft), bindLocal, s.valueType(s.child(p, jsfRight)))
	default:
		s.bindPattern(p, bindLocal, given)
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
			s.names.bind(binding{name: s.fieldStr(p, jsfName), isType: true, typ: s.boundName(p)})
		}
	}
}

// boundName returns the name of the type that a type parameter extends, or "".
func (s *script) boundName(p node) string {
	for c := s.firstNamed(p); c != none; c = s.nextNamed(c) {
		if s.nodeField(c) != jsfName && strings.HasPrefix(s.str(c), "extends ") {
			return s.typeName(s.firstNamed(c))
		}
	}
	return ""
}

// hoist binds the var declarations anywhere below n that belong to the function n.
func (s *script) hoist(n node, what bindKind) {
	from := sort.Search(len(s.noted), func(i int) bool { return s.noted[i] > n })
	for _, v := range s.noted[from:] {
		if v >= s.after(n) {
			return
		}
		if s.parent(v) == n || s.enclosingFunction(v, n) != n {
			continue
		}
		for d := s.firstNamed(v); d != none; d = s.nextNamed(d) {
			if s.kind(d) == jsDeclarator && !s.importsInto(d) {
				s.bindDeclarator(d, bindLocal)
			}
		}
	}
}

// enclosingFunction returns the innermost function body, static block or namespace that contains v, or stop.
func (s *script) enclosingFunction(v, stop node) node {
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

// refTo adds a reference to a plain name, as file.refTo does. A module that is imported as a whole is a value of its own.
func (s *script) refTo(n node, b *binding, k code.RefKind) {
	if b.isModule() {
		s.ref(n, code.Ref{Kind: k, Via: code.ViaModule, Import: b.imp})
		return
	}
	s.file.refTo(n, b, k)
}

// use records a reference to a plain name that is used as a value.
func (s *script) use(n node) {
	b := s.lookup(s.str(n), false)
	if b == nil && (isBuiltin(s.str(n)) || isReserved(s.str(n))) {
		return
	}
	s.refTo(n, b, code.RefUse)
}

// isBuiltin reports whether a name is a global of JavaScript. Its use makes no
// reference, because it means nothing in a repository; a call of it does.
func isBuiltin(name string) bool {
	switch name {
	case "arguments", "Array", "BigInt", "Boolean", "console", "Date", "document", "Error", "exports", "globalThis", "Infinity", "JSON",
		"Map", "Math", "module", "NaN", "Number", "Object", "process", "Promise", "Reflect", "RegExp", "require", "Set", "String", "Symbol", "window":
		return true
	}
	return false
}

// valueRef returns a reference, without a name, for members that are taken from the value v.
func (s *script) valueRef(v node) code.Ref {
	r := memberRef()
	if t := s.valueType(v); t != "" {
		r.Via, r.Recv = code.ViaTyped, t
		return r
	}
	switch inner := s.unwrap(v); s.kind(inner) {
	case jsThis:
		if s.self != "" {
			r.Via, r.Recv = code.ViaSelf, s.self
		}
	case jsIdentifier:
		switch b := s.lookup(s.str(inner), false); {
		case b == nil:
		case b.what == bindImport && b.module:
			r.Via, r.Import = code.ViaImport, b.imp
		case b.typ != "":
			r.Via, r.Recv = code.ViaTyped, b.typ
		case b.what == bindImport:
			r.Via, r.Recv = code.ViaTyped, s.str(inner)
		}
	default:
		if t := s.derivedType(inner); t != "" {
			r.Via, r.Recv = code.ViaTyped, t
		}
	}
	return r
}

// outerStatement returns the statement that declares n: the export or declare statement
// around n, or n itself.
func (s *script) outerStatement(n node) node {
	for {
		p := s.parent(n)
		if k := s.kind(p); k != jsExport && k != tsAmbient {
			return n
		}
		n = p
	}
}

// eachName calls f for every name that a pattern declares.
func (s *script) eachName(n node, f func(name node)) {
	switch s.kind(n) {
	case jsIdentifier, jsShorthandPattern:
		f(n)
	case jsAssignPattern, jsObjectAssignPattern:
		s.eachName(s.child(n, jsfLeft), f)
	case jsPairPattern:
		s.eachName(s.child(n, jsfValue), f)
	case jsObjectPattern, jsArrayPattern, jsRest:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.eachName(c, f)
		}
	}
}

// isReserved reports whether a name is a keyword that the parser, when it recovers from an error, takes for a name.
func isReserved(name string) bool {
	switch name {
	case "break", "case", "catch", "class", "const", "continue", "default", "delete", "do", "else", "enum", "export", "extends", "finally",
		"for", "function", "if", "import", "in", "instanceof", "let", "new", "return", "super", "switch", "this", "throw", "try",
		"typeof", "var", "void", "while", "with":
		return true
	}
	return false
}
