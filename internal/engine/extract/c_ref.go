package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// variable records a reference to a plain name that is used as a value.
func (c *cxx) variable(n node, k code.RefKind) {
	name := c.str(n)
	if b := c.names.lookup(name); b != nil && b.what == bindLocal {
		return
	}
	if _, ok := c.members[cxxMember{c.class, name}]; c.class != "" && (ok || c.openClass && c.cpp) {
		c.ref(n, code.Ref{Kind: k, Via: code.ViaSelf, Recv: c.class})
		return
	}
	c.ref(n, c.plain(name, k))
}

// plain returns a reference to a name without a scope, which a using declaration of the file may give one.
func (c *cxx) plain(name string, k code.RefKind) code.Ref {
	if path := c.usings[name]; path != "" {
		return code.Ref{Kind: k, Via: code.ViaTyped, Recv: path}
	}
	switch {
	case k != code.RefUse || len(c.enums) == 0:
	case len(c.enums) == 1:
		return code.Ref{Kind: k, Via: code.ViaTyped, Recv: c.enums[0]}
	default: // an enumerator of one of them, or another name
		return code.Ref{Kind: k, Via: code.ViaMember}
	}
	return code.Ref{Kind: k, Via: code.ViaBare}
}

// typeRef records the references that a type makes; k is the kind of reference for its outermost name.
func (c *cxx) typeRef(n node, k code.RefKind) {
	switch c.kind(n) {
	case cxTypeIdentifier, cxIdentifier, cxNamespaceIdentifier:
		if b := c.names.lookup(c.str(n)); b != nil && b.what == bindLocal && b.isType {
			return
		}
		c.ref(n, c.plain(c.str(n), k))
	case cxQualified:
		c.qualifiedRef(n, k)
	case cxTemplateType, cxTemplateFunction, cxTemplateMethod:
		c.typeRef(c.child(n, cxfName), k)
		c.walk(c.child(n, cxfArguments))
	case cxTypeDescriptor, cxDependentType, cxMacroType, cxPlaceholder:
		c.children(n)
	case cxPrimitive, cxSizedType:
	default:
		c.walk(n)
	}
}

// qualifiedRef records the references of a::b::c. Names of std are left out,
// because the index does not hold the standard library. The names before the last ::
// may be classes or namespaces, and only the whole index shows which. They are
// recorded as they are written, and engine/graph finds out.
func (c *cxx) qualifiedRef(n node, k code.RefKind) {
	path, name := "", none
	std := false
	for q := n; c.kind(q) == cxQualified; q = c.child(q, cxfName) {
		s := c.child(q, cxfScope)
		name = c.child(q, cxfName)
		switch segment := c.scopeName(s); {
		case strings.Trim(path, ":") == "" && (segment == "std" || c.spaces[segment] == "std::"):
			std = true
		case s == none:
			path = "::"
		case std:
			c.walk(c.child(s, cxfArguments))
		default:
			if strings.Trim(path, ":") != "" && !c.namespaces[segment] { // nested in the one before
				c.qualifiedName(s, path, code.RefType)
			} else {
				c.scopeRef(s)
			}
			path = c.within(path, segment)
		}
	}
	if std {
		c.walk(c.child(name, cxfArguments))
		return
	}
	c.qualifiedName(name, path, k)
}

// within returns the path of a name in a scope, which ends with "::". The first name may be another one of a namespace or
// type of the file.
func (c *cxx) within(path, name string) string {
	if path == "" {
		name = c.typedefTag(name)
		if real := c.spaces[name]; real != "" {
			return real
		}
	}
	return path + name + "::"
}

// qualifiedName records a reference to the last name of a qualified name; path is what is in front of it.
func (c *cxx) qualifiedName(n node, path string, k code.RefKind) {
	switch c.kind(n) {
	case cxTemplateType, cxTemplateFunction, cxTemplateMethod:
		c.walk(c.child(n, cxfArguments))
		n = c.child(n, cxfName)
	case cxDependentName:
		c.qualifiedName(c.firstNamed(n), path, k)
		return
	}
	r := code.Ref{Kind: k, Via: code.ViaBare}
	switch c.kind(n) {
	case cxOperator, cxDestructor:
		r.Name = operatorName(c.oneLine(n))
	case cxIdentifier, cxTypeIdentifier, cxFieldIdentifier, cxNamespaceIdentifier:
	default:
		c.walk(n)
		return
	}
	if path != "" {
		r.Via, r.Recv = code.ViaTyped, path
		scope := strings.TrimSuffix(path, "::")
		if b := c.names.lookup(scope); b != nil && b.what == bindLocal && b.isType {
			r.Via, r.Recv = code.ViaMember, ""
		}
		if scope == c.class && scope != "" {
			r.Via, r.Recv = code.ViaSelf, scope
		}
	}
	c.ref(n, r)
}

// typedefTag returns the struct tag for which name is a typedef in this file, or name if there is none.
func (c *cxx) typedefTag(name string) string {
	if tag := c.aliases[name]; tag != "" {
		return tag
	}
	return name
}

// scopeRef records a reference to the class before ::, unless it is a namespace of this file.
func (c *cxx) scopeRef(n node) {
	if name := c.scopeName(n); name == "std" || name == "" || c.namespaces[name] {
		c.walk(c.child(n, cxfArguments))
		return
	}
	if c.kind(n) == cxDependentName {
		n = c.firstNamed(n)
	}
	c.typeRef(n, code.RefType)
}

// call reads a call: f(…), x.f(…) or A::f(…).
func (c *cxx) call(n node) {
	f := c.child(n, cxfFunction)
	switch c.kind(f) {
	case cxIdentifier:
		c.variable(f, code.RefCall)
	case cxTemplateFunction:
		if name := c.child(f, cxfName); !lexical.IsCWord(c.str(name)) { // static_cast<T>(x)
			c.variable(name, code.RefCall)
		}
		c.walk(c.child(f, cxfArguments))
	case cxFieldExpression:
		c.memberAccess(f, code.RefCall)
	case cxQualified:
		c.qualifiedRef(f, code.RefCall)
	case cxPrimitive:
	default:
		c.walk(f)
	}
	c.walk(c.child(n, cxfArguments))
	if c.kind(c.parent(c.parent(n))) == cxAttributeSpecifier {
		c.attributeNames(c.str(f), c.child(n, cxfArguments))
	}
}

// attributeNames records references to the functions that an attribute names in strings: `__attribute__((alias("f")))`.
func (c *cxx) attributeNames(attribute string, arguments node) {
	switch strings.Trim(attribute, "_") {
	case "alias", "ifunc", "weakref":
	default:
		return
	}
	for m := c.firstNamed(arguments); m != none; m = c.nextNamed(m) {
		if name := strings.Trim(c.str(m), `"`); c.kind(m) == cxString && isPathC(name) {
			c.macroName(name, c.start(m)+1, c.line(m), code.Ref{Kind: code.RefUse, Via: code.ViaBare})
		}
	}
}

// memberAccess reads x.f and x->f, which access a member.
func (c *cxx) memberAccess(n node, k code.RefKind) {
	object, name := c.child(n, cxfArgument), c.child(n, cxfField)
	c.walk(object)
	self := c.kind(object) == cxThis
	typ := c.valueType(object)
	if k := c.kind(name); k == cxTemplateMethod || k == cxDependentName {
		if k == cxDependentName {
			name = c.firstNamed(name)
		}
		c.walk(c.child(name, cxfArguments))
		if inner := c.child(name, cxfName); inner != none {
			name = inner
		}
	}
	switch c.kind(name) {
	case cxFieldIdentifier, cxIdentifier, cxOperator:
		c.member(name, k, typ, self)
	default:
		c.walk(name)
	}
}

// member records a reference to a member of a value of type typ. It is "" if the
// file does not show the type.
func (c *cxx) member(n node, k code.RefKind, typ string, self bool) {
	r := code.Ref{Kind: k, Via: code.ViaMember}
	if c.kind(n) == cxOperator {
		r.Name = operatorName(c.oneLine(n))
	}
	switch {
	case typ == standardPrefix:
		return
	case self && c.class != "":
		r.Via, r.Recv = code.ViaSelf, c.class
	case typ != "":
		r.Via, r.Recv = code.ViaTyped, typ
	}
	c.ref(n, r)
}

// maxChainC is the depth to which an expression is followed to find its type.
const maxChainC = 32

// valueType returns the name of an expression's type, "" if the file does not show it.
// It knows declared variables, fields and functions, casts and new.
func (c *cxx) valueType(n node) string { return c.exprType(n, maxChainC) }

func (c *cxx) exprType(n node, depth int) string {
	if depth == 0 {
		return ""
	}
	switch c.kind(n) {
	case cxParenthesized:
		return c.exprType(c.firstNamed(n), depth-1)
	case cxPointerExpression:
		return elementType(c.exprType(c.child(n, cxfArgument), depth-1))
	case cxSubscript:
		return c.subscript(c.child(n, cxfArgument), depth-1)
	case cxCast, cxNew, cxCompoundLiteral:
		return c.typeName(c.child(n, cxfType))
	case cxAssignment:
		return c.exprType(c.child(n, cxfLeft), depth-1)
	case cxThis:
		return c.class
	case cxIdentifier:
		return c.variableType(c.str(n))
	case cxFieldExpression:
		return c.memberType(c.exprType(c.child(n, cxfArgument), depth-1), c.fieldStr(n, cxfField), false)
	case cxCall:
		return c.resultType(c.child(n, cxfFunction), depth-1)
	case cxQualified:
		if name := c.child(n, cxfName); c.kind(name) == cxIdentifier {
			return c.scopedType(c.scopeName(c.child(n, cxfScope)), c.str(name), false)
		}
	case cxString, cxConcatenated:
		return standardPrefix
	}
	return ""
}

// subscript returns the type of an element of an array or a container.
func (c *cxx) subscript(of node, depth int) string {
	switch coll := c.collection(of); {
	case coll == "":
		return elementType(c.exprType(of, depth))
	case strings.HasPrefix(coll, "["):
		return ofElement(coll[1 : len(coll)-1])
	default:
		return code.RecvExpr + coll + "[0]"
	}
}

// elementType returns the type of an element of a value, or of what it points to. Of a container of the standard library it is unknown.
func elementType(typ string) string {
	if typ == standardPrefix {
		return ""
	}
	return typ
}

// memberType returns the type of a member of typ, or of its result: as the file shows it, else as an expression for other files to
// answer.
func (c *cxx) memberType(typ, name string, called bool) string {
	known, ok := c.members[cxxMember{typ, name}]
	if ok || typ == "" || typ == standardPrefix || name == "" {
		return known
	}
	return expression(strings.TrimPrefix(typ, code.RecvExpr)+"."+name, called)
}

// expression returns an expression in the form of Ref.Recv.
func expression(text string, called bool) string {
	if called {
		text += "()"
	}
	return code.RecvExpr + text
}

// scopedType returns the type of scope::name, or of its result.
func (c *cxx) scopedType(scope, name string, called bool) string {
	if scope == "" || c.namespaces[scope] {
		return c.elsewhere(name, called)
	}
	return c.memberType(c.typedefTag(scope), name, called)
}

// elsewhere returns the type of a variable, or of the result of a function, that the file does not declare.
func (c *cxx) elsewhere(name string, called bool) string {
	if typ, ok := c.returns[name]; ok || isMacroName([]byte(name)) {
		return typ
	}
	if c.class != "" && c.openClass {
		return expression(c.class+"."+name, called)
	}
	return expression(name, called)
}

func (c *cxx) variableType(name string) string {
	b := c.names.lookup(name)
	if b != nil && b.what == bindLocal {
		if b.isType {
			return ""
		}
		return b.typ
	}
	if typ, ok := c.members[cxxMember{c.class, name}]; ok && c.class != "" {
		return typ
	}
	if b != nil {
		return b.typ
	}
	return c.elsewhere(name, false)
}

// resultType returns the type of the result of calling f. If f is a class, it is that class.
func (c *cxx) resultType(f node, depth int) string {
	switch c.kind(f) {
	case cxIdentifier:
		name := c.str(f)
		if typ, ok := c.members[cxxMember{c.class, name}]; ok && c.class != "" {
			return typ
		}
		if _, ok := c.members[cxxMember{name, ""}]; ok {
			return name
		}
		if b := c.names.lookup(name); b != nil && b.what == bindLocal {
			return ""
		}
		return c.elsewhere(name, true)
	case cxFieldExpression:
		of, name := c.child(f, cxfArgument), c.fieldStr(f, cxfField)
		if typ := c.exprType(of, depth); typ != standardPrefix {
			return c.memberType(typ, name, true)
		}
		if coll := c.collection(of); coll != "" && name != "" {
			return expression(coll+"."+name, true)
		}
	case cxTemplateFunction:
		switch name := c.fieldStr(f, cxfName); name {
		case "static_cast", "const_cast", "dynamic_cast", "reinterpret_cast":
			return c.typeName(c.firstNamed(c.child(f, cxfArguments)))
		default:
			return c.elsewhere(name, true)
		}
	case cxQualified:
		return c.qualifiedResult(f)
	}
	return ""
}

func (c *cxx) qualifiedResult(f node) string {
	scope, name := c.scopeName(c.child(f, cxfScope)), c.child(f, cxfName)
	if scope == "std" {
		switch c.fieldStr(name, cxfName) {
		case "make_unique", "make_shared", "static_pointer_cast", "dynamic_pointer_cast":
			return c.typeName(c.firstNamed(c.child(name, cxfArguments)))
		}
		return "" // many return what they were given
	}
	for c.kind(name) == cxQualified {
		if scope, name = c.scopeName(c.child(name, cxfScope)), c.child(name, cxfName); !lexical.IsUpper(scope) {
			scope = "" // a namespace in the one before, by the convention of their case
		}
	}
	if c.kind(name) == cxTemplateFunction {
		name = c.child(name, cxfName)
	}
	if c.kind(name) != cxIdentifier {
		return ""
	}
	return c.scopedType(scope, c.str(name), true)
}

// importDeclaration reads a C++20 import of a module or a header.
func (c *cxx) importDeclaration(n node) {
	switch m := c.firstNamed(n); c.kind(m) {
	case cxString, cxSystemLib:
		c.addInclude(c.header(m), c.line(n))
	default:
		c.addInclude("module:"+c.oneLine(m), c.line(n))
	}
}

// moduleImport reads an import or module declaration inside an #if, where the grammar
// takes it for a variable, and reports whether n is one.
func (c *cxx) moduleImport(n node) bool {
	typ := c.child(n, cxfType)
	if !c.cpp || c.kind(typ) != cxTypeIdentifier || c.owner >= 0 {
		return false
	}
	text := c.str(typ)
	switch {
	case text == "import":
		spec := strings.Trim(c.oneLine(c.child(n, cxfDeclarator)), " ;")
		if strings.Trim(spec, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:") != "" {
			return false
		}
		c.addInclude("module:"+spec, c.line(n))
		return true
	case text == "module":
		return true
	}
	return false
}
