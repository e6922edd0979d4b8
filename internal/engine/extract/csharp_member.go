package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// function reads a method, constructor, destructor, operator or delegate.
func (c *csharp) function(n node, k code.Kind) {
	params := c.child(n, csfParameters)
	s := code.Symbol{Kind: k, Params: c.params(params), Exported: c.visible(n)}
	typ := c.child(n, csfReturns)
	if typ == none {
		typ = c.child(n, csfType)
	}
	s.Returns = c.oneLine(typ)
	if k == code.KindConstructor && c.class.name == "" {
		c.children(n) // broken source: a call taken for a declaration
		return
	}
	name, nameStart := c.functionName(n)
	s.Name = name
	s.Exported = s.Exported && !c.isHidden()
	sym, ok := c.symbol(n, s, nameStart, c.bodyStart(n))
	before := c.owner
	if ok {
		before = c.enter(sym)
	}
	returns := c.returns
	c.body(n, func() {
		own := c.child(n, csfName)
		c.returns = c.madeType(typ)
		for d := c.first(n); d != none; d = c.sibling(d) {
			if d != own {
				c.walkPart(d)
			}
		}
	})
	c.returns = returns
	c.leave(before)
}

// madeType returns the type of what new(…) makes where a function with the result type n returns it. It is "" for a task, because
// an async function returns what the task is for.
func (c *csharp) madeType(n node) string {
	switch name := c.typeName(n); name {
	case "Task", "ValueTask", "System.Threading.Tasks.Task", "System.Threading.Tasks.ValueTask":
		return ""
	default:
		return name
	}
}

// functionName returns the name of a function's symbol and its offset: "~T" for a
// destructor, "operator +" or "implicit operator T" for operators.
func (c *csharp) functionName(n node) (name string, start uint32) {
	own := c.child(n, csfName)
	switch c.kind(n) {
	case csDestructor:
		return "~" + c.identifier(own), c.start(c.childKind(n, csTilde))
	case csOperator:
		return "operator " + c.str(c.child(n, csfOperator)), c.start(c.childKind(n, csOperatorWord))
	case csConversion:
		word := "explicit"
		if c.has(n, csImplicit) {
			word = "implicit"
		}
		return word + " operator " + c.oneLine(c.child(n, csfType)), c.start(c.childKind(n, csOperatorWord))
	}
	return c.identifier(own), c.start(own)
}

// body runs read for the inside of the member n, in a new scope.
func (c *csharp) body(n node, read func()) {
	inBody := c.inBody
	c.inBody = true
	c.names.push()
	c.bindGenerics(n)
	read()
	c.names.pop()
	c.inBody = inBody
}

// property reads a property, an indexer or an event with accessors.
func (c *csharp) property(n node) {
	name, typ := c.child(n, csfName), c.child(n, csfType)
	s := code.Symbol{Kind: code.KindField, Exported: c.visible(n)}
	nameStart := c.start(name)
	if c.kind(n) == csIndexer {
		s.Name, s.Kind, s.Returns = "this[]", code.KindMethod, c.oneLine(typ)
		s.Params = c.params(c.child(n, csfParameters))
		nameStart = c.start(c.childKind(n, csThis))
	} else {
		s.Name = c.identifier(name)
	}
	s.Exported = s.Exported && !c.isHidden()
	sym, ok := c.symbol(n, s, nameStart, c.bodyStart(n))
	before := c.owner
	if ok {
		before = c.enter(sym)
	}
	returns := c.returns
	c.body(n, func() {
		c.returns = c.typeName(typ)
		for d := c.first(n); d != none; d = c.sibling(d) {
			switch {
			case d == name:
			case c.kind(d) == csAccessors:
				c.names.bind(binding{name: "value", what: bindLocal, typ: c.typeName(typ)})
				c.children(d)
			case c.kind(d) == csImplicitNew:
				c.implicitNew(d, c.typeName(typ))
			default:
				c.walkPart(d)
			}
		}
	})
	c.returns = returns
	c.leave(before)
}

// fieldDeclaration declares a symbol for each variable in a declaration. If
// there are several, each has its own part as its span.
func (c *csharp) fieldDeclaration(n node) {
	vars := c.childKind(n, csDeclaration)
	typ := c.child(vars, csfType)
	first := c.childKind(vars, csDeclarator)
	kind := code.KindField
	if c.hasModifier(n, csConst) || c.hasModifier(n, csStatic) && c.hasModifier(n, csReadonly) {
		kind = code.KindConstant
	}
	several := false
	for d := c.sibling(first); d != none; d = c.sibling(d) {
		several = several || c.kind(d) == csDeclarator
	}
	before := c.owner
	exported := c.visible(n)
	for d := first; d != none; d = c.sibling(d) {
		if c.kind(d) != csDeclarator {
			continue
		}
		name := c.child(d, csfName)
		s := code.Symbol{Kind: kind, Exported: exported}
		value := c.initializer(d)
		end := c.end(name)
		if kind == code.KindConstant && c.isLiteral(value) {
			end = c.end(value)
		}
		if several {
			s.Span = c.span(d)
			s.Signature = lexical.Cut(c.signatureWithout(n, c.declStart(n), c.end(typ))+" "+c.signature(c.start(d), end), code.MaxSignature)
		}
		if sym, ok := c.namedSymbol(n, name, s, end); ok {
			c.enter(sym)
		}
		if d == first {
			c.attributes(n)
			c.typeRef(typ, code.RefType)
		}
		c.body(d, func() { c.declarator(d, c.typeName(typ), "", false) })
		c.leave(before)
	}
}

// attributes reads the attributes of n.
func (c *csharp) attributes(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if isAttributes(c.kind(d)) {
			c.walk(d)
		}
	}
}

// initializer returns the value that a variable or parameter is declared with, or none.
func (c *csharp) initializer(n node) node {
	if eq := c.childKind(n, csEqual); eq != none {
		return c.nextNamed(eq)
	}
	return none
}

// oneLine returns n's source on one line.
func (c *csharp) oneLine(n node) string {
	if n == none {
		return ""
	}
	return c.signature(c.start(n), c.end(n))
}

// params lists the parameters. A word such as ref, this or params before the type is
// part of the type.
func (c *csharp) params(list node) (params []code.Param) {
	array := uint32(0) // where the word params is, 0 before it
	var typ node
	for p := c.first(list); p != none; p = c.sibling(p) {
		switch {
		case c.kind(p) == csParameter:
			if c.child(p, csfName) != none {
				params = append(params, c.param(p))
			}
		case c.kind(p) == csParams:
			array = c.start(p)
		case array > 0 && c.nodeField(p) == csfType:
			typ = p
		case array > 0 && c.nodeField(p) == csfName:
			params = append(params, code.Param{Name: c.identifier(p), Type: c.signature(array, c.end(typ))})
		}
	}
	return params
}

func (c *csharp) param(n node) code.Param {
	name, typ := c.child(n, csfName), c.child(n, csfType)
	p := code.Param{Name: c.identifier(name)}
	if typ != none {
		start := c.start(typ)
		if m := c.childKind(n, csModifier); m != none {
			start = c.start(m)
		}
		p.Type = c.signature(start, c.end(typ))
	}
	if v := c.initializer(n); v != none {
		p.Optional, p.Default = true, c.oneLine(v)
	}
	return p
}

func (c *csharp) isLiteral(n node) bool {
	switch c.kind(n) {
	case csString, csVerbatimString, csInteger, csReal, csChar, csBool, csNull:
		return true
	case csPrefix:
		return c.isLiteral(c.firstNamed(n))
	}
	return false
}

// bindGenerics binds n's type parameters. The first constraint of each counts as its type.
func (c *csharp) bindGenerics(n node) {
	list := c.childKind(n, csTypeParameters)
	if list == none {
		return
	}
	bounds := map[string]string{}
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) != csConstraints {
			continue
		}
		param := c.firstNamed(d)
		for b := c.nextNamed(param); b != none && bounds[c.str(param)] == ""; b = c.nextNamed(b) {
			bounds[c.str(param)] = c.typeName(c.child(b, csfType))
		}
	}
	for d := c.firstNamed(list); d != none; d = c.nextNamed(d) {
		if c.kind(d) == csTypeParameter {
			name := c.fieldStr(d, csfName)
			c.names.bind(binding{name: name, what: bindLocal, typ: bounds[name], isType: true})
		}
	}
}
