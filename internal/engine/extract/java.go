package extract

import (
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// java reads a Java file. Declarations are in this file, types and imports in
// java_type.go, statements and expressions in java_expr.go, members and the names in
// front of them in java_member.go, misread members of broken source in java_recover.go.
//
// A symbol is exported if neither it nor a type around it is private and no method is
// around it, because other files see package-private names too. An anonymous class makes
// no symbol, because it has no name; its members are declared under the enclosing symbol
// it. Types, methods and fields of one class share a scope, although a method and a
// field may have the same name: that does not matter to references.
type java struct {
	classes
	lastType       int32 // the last type declared at the top, -1
	staticWildcard bool  // a static import of all members could bind any name
	values         map[node]string
}

func walkJava(f *file) {
	j := &java{lastType: -1, values: map[node]string{}}
	j.classes = newClasses(f, j, builtin.JavaLang)
	j.modifierList, j.annotations = jvModifiers, []kind{jvAnnotation, jvMarkerAnnotation}
	j.names.push()
	for c := j.first(root); c != none; c = j.sibling(c) {
		switch j.kind(c) {
		case jvImport:
			j.importDeclaration(c)
		case jvPackage:
			j.packageDeclaration(c)
		case jvClass, jvInterface, jvEnum, jvRecord, jvAnnotationType:
			j.names.bind(binding{name: j.fieldStr(c, jvfName), what: bindTop, isType: true})
		}
	}
	for c := j.first(root); c != none; c = j.sibling(c) {
		j.topLevel(c)
	}
	j.names.pop()
	j.typeDoc()
}

// topLevel reads a child of the root. A member there belongs to the type before it,
// which a surplus brace has closed too early.
func (j *java) topLevel(n node) {
	switch j.kind(n) {
	case jvMethod, jvConstructor, jvField, jvLocalVariable:
	default:
		j.walk(n)
		return
	}
	if j.lastType < 0 {
		j.walk(n)
		return
	}
	class, before := j.class, j.enter(j.lastType)
	j.class.name = j.facts.Symbols[j.lastType].Name
	j.class.path = j.class.name
	j.misreadMember(n)
	j.class = class
	j.leave(before)
}

func (j *java) packageDeclaration(n node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if k := j.kind(c); k == jvScopedIdentifier || k == jvIdentifier {
			j.facts.Package = strings.Join(strings.Fields(j.str(c)), "")
		}
	}
	if path.Base(j.path) == "package-info.java" {
		j.facts.Doc = j.docBefore(j.start(n), isJavadoc)
	}
}

// declaration reads n if it declares something and reports whether it did.
func (j *java) declaration(n node) bool {
	switch j.kind(n) {
	case jvClass:
		j.typeDeclaration(n, code.KindClass, j.has(n, jvSuperclass) || j.has(n, jvSuperInterfaces), false)
	case jvRecord:
		j.typeDeclaration(n, code.KindClass, j.has(n, jvSuperInterfaces), false)
	case jvEnum:
		j.typeDeclaration(n, code.KindEnum, j.has(n, jvSuperInterfaces), false)
	case jvInterface:
		j.typeDeclaration(n, code.KindInterface, j.has(n, jvExtendsInterfaces), true)
	case jvAnnotationType:
		j.typeDeclaration(n, code.KindInterface, false, true)
	case jvEnumConstant:
		j.enumConstant(n)
	case jvMethod:
		j.method(n, code.KindMethod)
	case jvAnnotationElement:
		j.method(n, code.KindMethod)
	case jvConstructor, jvCompactConstructor:
		j.method(n, code.KindConstructor)
	case jvField, jvConstant:
		j.fieldDeclaration(n)
	default:
		return false
	}
	return true
}

// isPrivate reports whether n has the modifier private.
func (j *java) isPrivate(n node) bool { return j.has(j.modifiers(n), jvPrivate) }

// symbol declares s and remembers the last top-level type, because members that the grammar misread may belong to it.
func (j *java) symbol(n, name node, s code.Symbol, end uint32) int32 {
	sym := j.classes.symbol(n, name, s, end)
	if sym >= 0 && j.owner < 0 && s.Kind.IsType() {
		j.lastType = sym
	}
	return sym
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (j *java) bodyStart(n node) uint32 {
	if b := j.child(n, jvfBody); b != none {
		return j.start(b)
	}
	return j.end(n)
}

// typeDeclaration reads a class, interface, enum, record or annotation type.
func (j *java) typeDeclaration(n node, k code.Kind, super, iface bool) {
	name := j.child(n, jvfName)
	s := code.Symbol{Kind: k}
	params := j.child(n, jvfParameters)
	if j.kind(n) == jvRecord {
		s.Params = j.params(params)
	}
	if j.inBody {
		j.names.bind(binding{name: j.str(name), what: bindNested, isType: true, expr: j.nestedPath(j.str(name))})
	}
	saved := j.open(j.symbol(n, name, s, j.bodyStart(n)))
	base := j.firstNamed(j.childKind(n, jvSuperclass))
	j.bindGenerics(j.child(n, jvfTypeParameters))
	from := len(j.facts.Refs)
	j.typeRef(name, code.RefCall)
	own := j.takeRef(from, code.RefCall)
	j.heads(n)
	scope := classScope{
		name: j.str(name), base: j.typeName(base), super: super, iface: iface, path: j.typePath(), basePath: j.typeExpr(base), own: own,
	}
	if base != none {
		scope.parent = findRef(j.facts.Refs[from:], code.RefInherit)
	}
	j.enterType(n, scope)
	j.bindMembers(j.child(n, jvfBody))
	for c := j.first(n); c != none; c = j.sibling(c) {
		switch {
		case c == name || j.isHead(c):
		case c == params:
			j.recordComponents(c)
		default:
			j.walk(c)
		}
	}
	j.close(saved)
}

// isHead reports whether a part of a type's declaration is before its body and outside of
// the scope of its members.
func (j *java) isHead(c node) bool {
	switch j.kind(c) {
	case jvSuperclass, jvSuperInterfaces, jvExtendsInterfaces, jvModifiers:
		return true
	}
	return false
}

// heads reads the annotations and the base types of a type.
func (j *java) heads(n node) {
	for c := j.first(n); c != none; c = j.sibling(c) {
		switch j.kind(c) {
		case jvSuperclass:
			j.typeRef(j.firstNamed(c), code.RefInherit)
		case jvSuperInterfaces:
			j.supertypes(c, code.RefImplement)
		case jvExtendsInterfaces:
			j.supertypes(c, code.RefInherit)
		case jvModifiers:
			j.walk(c)
		}
	}
}

// bindMembers binds the members of a class body before the body is read, because they
// are in scope in all of it. Fields come last, so that they are found before methods of
// the same name: only fields have types.
func (j *java) bindMembers(body node) {
	for c := j.first(body); c != none; c = j.sibling(c) {
		switch j.kind(c) {
		case jvMethod, jvAnnotationElement:
			name := j.fieldStr(c, jvfName)
			j.names.bind(binding{name: name, what: bindNested, expr: after(j.class.path, "."+name+"()")})
		case jvClass, jvInterface, jvEnum, jvRecord, jvAnnotationType:
			name := j.fieldStr(c, jvfName)
			j.names.bind(binding{name: name, what: bindNested, isType: true, expr: after(j.class.path, "."+name)})
		}
	}
	for c := j.first(body); c != none; c = j.sibling(c) {
		switch j.kind(c) {
		case jvEnumConstant:
			j.bindField(j.fieldStr(c, jvfName), j.class.name, j.class.path)
		case jvEnumDeclarations:
			j.bindMembers(c)
		case jvField, jvConstant:
			typ, expr := j.typeName(j.child(c, jvfType)), j.typeExpr(j.child(c, jvfType))
			for d := j.first(c); d != none; d = j.sibling(d) {
				if j.kind(d) == jvDeclarator {
					j.bindField(j.fieldStr(d, jvfName), typ, j.withDimensions(expr, d))
				}
			}
		}
	}
}

// typePath returns the path of the enclosing type, from the top of the file.
func (j *java) typePath() string {
	if j.owner < 0 {
		return ""
	}
	return j.facts.Symbols[j.owner].Qualified
}

// nestedPath returns the path that a type called name has at the current position.
func (j *java) nestedPath(name string) string {
	if path := j.typePath(); path != "" {
		return path + "." + name
	}
	return name
}

// withDimensions returns the type of a declarator, which may declare an array.
func (j *java) withDimensions(expr string, d node) string {
	if dims := j.child(d, jvfDimensions); dims != none {
		return j.arrayExpr(expr, strings.Count(j.str(dims), "["))
	}
	return expr
}

func (j *java) bindField(name, typ, expr string) {
	j.names.bind(binding{name: name, what: bindNested, typ: typ, expr: expr})
	if typ != "" {
		j.fields[classMember{j.class.name, name}] = typ
	}
}

// recordComponents declares the components of a record as its fields.
func (j *java) recordComponents(n node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		name, typ := j.child(c, jvfName), j.child(c, jvfType)
		if j.kind(c) == jvSpreadParameter {
			name = j.child(j.childKind(c, jvDeclarator), jvfName)
			typ = j.spreadType(c)
		}
		sym := j.symbol(c, name, code.Symbol{Kind: code.KindField}, j.end(c))
		if sym < 0 {
			continue
		}
		j.bindField(j.str(name), j.typeName(typ), j.withDimensions(j.typeExpr(typ), c))
		before := j.enter(sym)
		j.walk(j.modifiers(c))
		j.walk(typ)
		j.leave(before)
	}
}

func (j *java) enumConstant(n node) {
	before := j.enter(j.symbol(n, j.child(n, jvfName), code.Symbol{Kind: code.KindEnumMember}, j.bodyStart(n)))
	j.walk(j.modifiers(n))
	j.inner(j.child(n, jvfArguments))
	if body := j.child(n, jvfBody); body != none {
		j.anonymous(body, j.class.name, j.class.path)
	}
	j.leave(before)
}

// anonymous reads the body of a class without a name, of base type base.
func (j *java) anonymous(body node, base, path string) {
	saved := j.openBody(-1)
	j.class = classScope{name: base, base: base, path: path, basePath: path, super: true, unnamed: true}
	j.bindMembers(body)
	j.children(body)
	j.close(saved)
}

// method reads a method, constructor or annotation element.
func (j *java) method(n node, k code.Kind) {
	name, typ, params := j.child(n, jvfName), j.child(n, jvfType), j.child(n, jvfParameters)
	s := code.Symbol{Kind: k, Params: j.params(params)}
	if typ != none {
		s.Returns = j.sourceLine(typ) + j.sourceLine(j.child(n, jvfDimensions))
	}
	if v := j.child(n, jvfValue); v != none { // the default of an annotation's element, which may hold annotations
		s.Span = j.spanBetween(j.declStart(n), j.end(n))
		s.Signature = lexical.Cut(j.signatureWithout(n, s.Span.Start, j.start(v))+" "+j.sourceLine(v), code.MaxSignature)
	}
	sym := j.symbol(n, name, s, j.bodyStart(n))
	if sym >= 0 && j.class.unnamed && j.class.basePath != "" {
		j.facts.Types = append(j.facts.Types, code.TypeHint{Symbol: sym, Name: "<", Type: j.class.basePath})
	}
	saved := j.openBody(sym)
	j.bindGenerics(j.child(n, jvfTypeParameters))
	j.childrenBut(n, name)
	j.close(saved)
}

func (j *java) params(list node) (params []code.Param) {
	for c := j.firstNamed(list); c != none; c = j.nextNamed(c) {
		switch j.kind(c) {
		case jvFormalParameter:
			typ := j.sourceLine(j.child(c, jvfType)) + j.sourceLine(j.child(c, jvfDimensions))
			params = append(params, code.Param{Name: j.fieldStr(c, jvfName), Type: typ})
		case jvSpreadParameter:
			name := j.fieldStr(j.childKind(c, jvDeclarator), jvfName)
			params = append(params, code.Param{Name: name, Type: j.sourceLine(j.spreadType(c)) + "..."})
		}
	}
	return params
}

// spreadType returns the type of a parameter written T... x.
func (j *java) spreadType(n node) node {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if k := j.kind(c); k != jvModifiers && !j.isAnnotation(c) {
			return c
		}
	}
	return none
}

// fieldDeclaration declares one symbol for each declarator. One of several has
// the span of its own declarator.
func (j *java) fieldDeclaration(n node) {
	typ, mods := j.child(n, jvfType), j.modifiers(n)
	first := j.childKind(n, jvDeclarator)
	kind := code.KindField
	if j.class.iface || j.has(mods, jvStatic) && j.has(mods, jvFinal) {
		kind = code.KindConstant
	}
	several := false
	for c := j.sibling(first); c != none; c = j.sibling(c) {
		several = several || j.kind(c) == jvDeclarator
	}
	before := j.owner
	for c := first; c != none; c = j.sibling(c) {
		if j.kind(c) != jvDeclarator {
			continue
		}
		s := code.Symbol{Kind: kind}
		end := j.fieldEnd(c, kind)
		if several {
			s.Span = j.span(c)
			s.Signature = j.signatureWithout(n, j.declStart(n), j.end(typ)) + " " + j.signature(j.start(c), end)
			s.Signature = lexical.Cut(s.Signature, code.MaxSignature)
		}
		j.enter(j.symbol(n, j.child(c, jvfName), s, end))
		if c == first {
			j.walk(mods)
			j.walk(typ)
		}
		j.inner(j.child(c, jvfValue))
		j.leave(before)
	}
}

// fieldEnd returns where a declarator's signature ends: after a constant's value if
// that is a literal, else before it.
func (j *java) fieldEnd(n node, k code.Kind) uint32 {
	if v := j.child(n, jvfValue); k == code.KindConstant && j.isLiteral(v) {
		return j.end(v)
	}
	if d := j.child(n, jvfDimensions); d != none {
		return j.end(d)
	}
	return j.end(j.child(n, jvfName))
}

func (j *java) isLiteral(n node) bool {
	switch j.kind(n) {
	case jvString, jvChar, jvDecimal, jvHex, jvOctal, jvBinary, jvFloat, jvHexFloat, jvTrue, jvFalse:
		return true
	case jvUnary:
		return j.isLiteral(j.firstNamed(n))
	}
	return false
}
