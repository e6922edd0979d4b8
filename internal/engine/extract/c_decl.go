package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// declaratorRefs records the references in a declarator: names in the sizes of
// arrays, and the parameter types of function pointers.
func (c *cxx) declaratorRefs(d node, x cxxName) {
	for i := d; i < c.after(d); {
		switch c.kind(i) {
		case cxParameterList:
			c.names.push()
			c.parameters(i)
			c.names.pop()
			i = c.after(i)
			continue
		case cxTrailingReturn, cxAttributeSpecifier, cxBitfield, cxTemplateArguments:
			c.walk(i)
			i = c.after(i)
			continue
		}
		switch c.nodeField(i) {
		case cxfSize:
			c.walk(i)
			i = c.after(i)
			continue
		case cxfValue:
			i = c.after(i)
			continue
		}
		i++
	}
}

// declaration reads a declaration of variables, fields or functions with all its declarators, the parts that name something.
func (c *cxx) declaration(n, head node) {
	if c.moduleImport(n) {
		return
	}
	spec := c.specifiers(n)
	first, several := none, false
	for m := c.first(n); m != none; m = c.sibling(m) {
		if c.nodeField(m) == cxfDeclarator {
			several = first != none
			if several {
				break
			}
			first = m
		}
	}
	if first == none {
		c.children(n)
		return
	}
	if c.inBody && !several && c.brokenByMacro(n, first) {
		return
	}
	anonymous := c.anonymousType(spec.typ)
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch {
		case c.nodeField(m) == cxfDeclarator:
			c.declaredName(n, head, m, spec, several, anonymous && m == first)
		case m == spec.typ && anonymous:
		default:
			c.walk(m)
		}
	}
}

// anonymousType reports whether the type in a declaration has members but no name.
// Its members then belong to the variable or field of that type.
func (c *cxx) anonymousType(n node) bool {
	switch c.kind(n) {
	case cxStruct, cxUnion, cxClass:
		return c.child(n, cxfName) == none && c.child(n, cxfBody) != none
	}
	return false
}

// declaredName reads one declarator of a declaration, the part that names a variable, field or function.
func (c *cxx) declaredName(n, head, d node, spec cxxSpecifiers, several, owns bool) {
	x := c.declarator(d)
	value := c.child(d, cxfValue)
	typ := c.typeName(spec.typ)
	if value != none && typ == "" && c.kind(spec.typ) == cxPlaceholder {
		typ = c.valueType(value)
	}
	if c.inBody && (c.class == "" || c.kind(n) == cxDeclaration) {
		c.localVariable(d, x, spec, typ, value)
		return
	}
	sym := int32(-1)
	if x.isNamed() {
		sym = c.variableSymbol(n, head, d, x, spec, several)
	}
	saved := c.save()
	if sym >= 0 {
		c.enter(sym)
		if x.fn == none && c.container == "" && x.quals == "" {
			c.names.bind(binding{name: x.name, what: bindTop, typ: typ})
		}
		if x.fn != none && c.container == "" && typ != "" {
			c.returns[x.name] = typ
		}
	}
	if owns {
		c.ownedMembers(spec.typ, sym)
	}
	c.enterOuterClass(x.quals)
	c.qualifierRefs(d)
	c.declaratorRefs(d, x)
	c.designators(value, typ)
	c.restore(saved)
}

// ownedMembers reads the members of a type without a name as members of sym.
func (c *cxx) ownedMembers(typ node, sym int32) {
	saved := c.save()
	if sym >= 0 {
		s := &c.facts.Symbols[sym]
		c.container, c.class = s.Qualified, s.Name
	}
	c.walkType(typ)
	c.restore(saved)
}

// localVariable binds a variable inside a function. A function that is only
// announced there is not bound, because its definition is elsewhere.
func (c *cxx) localVariable(d node, x cxxName, spec cxxSpecifiers, typ string, value node) {
	if c.anonymousType(spec.typ) {
		saved := c.save()
		c.container, c.class, c.inBody = strings.TrimPrefix(c.container+"."+x.name, "."), x.name, false
		c.walkType(spec.typ)
		c.restore(saved)
	}
	isValue := c.cpp && x.fn != none && !spec.extern && c.looksLikeValue(x.fn)
	if !spec.extern && x.fn == none || isValue {
		c.names.bind(binding{name: x.name, what: bindLocal, typ: typ, expr: c.declaredElement(d, spec.typ)})
	}
	if c.kind(d) == cxStructuredBinding || c.kind(c.child(d, cxfDeclarator)) == cxStructuredBinding {
		c.structuredBinding(d, typ)
	}
	if isValue {
		for p := c.firstNamed(c.parameterList(x.fn)); p != none; p = c.nextNamed(p) {
			c.variable(c.child(p, cxfType), code.RefUse)
		}
	} else {
		c.declaratorRefs(d, x)
	}
	c.designators(value, typ)
}

// looksLikeValue reports whether `T x(a)`, which parses as a function, is more
// likely a variable: its parentheses hold nothing but plain names.
func (c *cxx) looksLikeValue(fn node) bool {
	list := c.parameterList(fn)
	any := false
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		t := c.child(p, cxfType)
		if c.kind(p) != cxParameter || c.child(p, cxfDeclarator) != none || c.kind(t) != cxTypeIdentifier {
			return false
		}
		any = true
	}
	return any
}

// structuredBinding binds the names of `auto [a, b]` for a value of type typ. The parts of a pair have types, if other files show them.
func (c *cxx) structuredBinding(d node, typ string) {
	for i := d; i < c.after(d); i++ {
		if c.kind(i) == cxStructuredBinding {
			parts := []string{".first", ".second"}
			for m := c.firstNamed(i); m != none; m = c.nextNamed(m) {
				part := ""
				if len(parts) > 0 && code.IsExpr(typ) {
					part, parts = typ+parts[0], parts[1:]
				}
				c.bindLocal(c.str(m), part)
			}
			return
		}
	}
}

// variableSymbol declares the name of one declarator outside of functions: a
// variable, a field or a prototype.
func (c *cxx) variableSymbol(n, head, d node, x cxxName, spec cxxSpecifiers, several bool) int32 {
	s := code.Symbol{Name: x.name, Kind: code.KindVariable, NameStart: c.start(x.nameNode), Exported: c.isExported(x, spec)}
	constant := spec.constant && !strings.HasSuffix(x.ptr, "*")
	forward := spec.extern && c.child(d, cxfValue) == none
	switch {
	case x.fn != none:
		s = c.functionSymbol(n, x, spec)
		forward = true
	case c.container != "" || x.quals != "":
		s.Kind = code.KindField
		if constant && spec.static {
			s.Kind = code.KindConstant
		}
	case constant:
		s.Kind = code.KindConstant
	}
	if x.fn == none {
		s.Returns = ""
	}
	c.describeVariable(&s, n, head, d, spec, several, forward)
	if c.class != "" && x.quals == "" {
		c.members[cxxMember{c.class, x.name}] = c.typeName(spec.typ)
		if elem := c.declaredElement(d, spec.typ); elem != "" {
			c.elements[cxxMember{c.class, x.name}] = elem
		}
	}
	sym := c.symbol(s, x.quals)
	return sym
}

// describeVariable sets span, signature and documentation of the symbol s.
func (c *cxx) describeVariable(s *code.Symbol, n, head, d node, spec cxxSpecifiers, several, forward bool) {
	end := c.variableEnd(n, d, s.Kind)
	switch {
	case several:
		s.Span = c.span(d)
		s.Signature = strings.TrimSpace(c.declarationHead(n, spec)) + " " + c.signature(c.start(d), end)
	case c.child(spec.typ, cxfBody) != none:
		s.Span = c.headSpan(head)
		s.Signature = strings.TrimSpace(c.declarationHead(n, spec)) + " " + c.signature(c.start(d), end)
	default:
		s.Span = c.headSpan(head)
		s.Signature = c.signature(c.headStart(head), end)
	}
	s.Signature = strings.TrimRight(s.Signature, " ;,=")
	if forward {
		s.Signature += ";"
	}
	s.Signature = lexical.Cut(s.Signature, code.MaxSignature)
	if s.Doc = c.doc(c.docStart(head)); s.Doc == "" {
		s.Doc = c.trailingDoc(c.end(d))
	}
}

// variableEnd returns the offset at which a declarator's signature ends: after a
// constant's literal value, the width of a bit field or the `= delete` of a member
// function, and before any other value.
func (c *cxx) variableEnd(n, d node, k code.Kind) uint32 {
	v := c.child(d, cxfValue)
	if v == none {
		v = c.defaultValue(d)
	}
	if v == none {
		switch {
		case k == code.KindMethod, k == code.KindConstructor, c.kind(c.sibling(d)) == cxBitfield:
			return c.end(n)
		}
		return c.end(d)
	}
	if k == code.KindConstant && c.isLiteral(v) {
		return c.end(v)
	}
	if x := c.child(d, cxfDeclarator); c.kind(d) == cxInitDeclarator && x != none {
		return c.end(x)
	}
	return c.end(d)
}

// defaultValue returns the initial value of a member. In the tree it is a sibling of the
// member's declarator.
func (c *cxx) defaultValue(d node) node {
	for m := c.sibling(d); m != none && c.nodeField(m) != cxfDeclarator; m = c.sibling(m) {
		if c.nodeField(m) == cxfDefault {
			return m
		}
	}
	return none
}

func (c *cxx) isLiteral(n node) bool {
	switch c.kind(n) {
	case cxString, cxChar, cxNumber, cxTrue, cxFalse, cxConcatenated, cxRawString:
		return true
	case cxUnary:
		return c.isLiteral(c.child(n, cxfArgument))
	}
	return false
}

// declarationHead returns the text of a declaration before its declarators, without the body of a type.
func (c *cxx) declarationHead(n node, spec cxxSpecifiers) string {
	if b := c.child(spec.typ, cxfBody); b != none {
		return c.signature(c.headStart(n), c.start(b))
	}
	return c.signature(c.headStart(n), c.end(spec.typ))
}
