package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// function reads a function or method.
func (p *php) function(n node, k code.Kind) {
	name, list := p.child(n, phfName), p.child(n, phfParameters)
	s := code.Symbol{Kind: k, Params: p.params(list), Returns: p.text(p.child(n, phfReturn)), Exported: p.visible(n)}
	sym, ok := p.symbol(n, name, s, p.bodyStart(n))
	if k == code.KindConstructor {
		p.promotedParams(list)
	}
	before := p.owner
	if ok {
		before = p.enter(sym)
	}
	class := p.class
	if k == code.KindFunction {
		p.class = phpOwner{}
	}
	inBody := p.inBody
	p.inBody, p.docVariable = true, phpVar{}
	p.names.push()
	p.docParams(p.comment(p.start(n)))
	for c := p.first(n); c != none; c = p.sibling(c) {
		if c != name {
			p.walk(c)
		}
	}
	p.names.pop()
	p.inBody, p.class = inBody, class
	p.leave(before)
}

// visible reports whether n is not private.
func (p *php) visible(n node) bool {
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.kind(c) == phVisibility && strings.EqualFold(p.str(c), "private") {
			return false
		}
	}
	return true
}

// promotedParams declares the parameters of a constructor that are properties.
func (p *php) promotedParams(list node) {
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		if p.kind(c) != phPromoted {
			continue
		}
		name := p.variable(p.child(c, phfName))
		end := p.end(name)
		if v := p.child(c, phfDefault); v != none {
			end = p.end(v)
		}
		p.symbol(c, name, code.Symbol{Name: p.variableName(name), Kind: code.KindField, Exported: p.visible(c)}, end)
	}
}

// variable returns the variable in a parameter, without &.
func (p *php) variable(n node) node {
	if p.kind(n) == phByRef {
		return p.firstNamed(n)
	}
	return n
}

// variableName returns a variable's name without $, or "" for $$x.
func (p *php) variableName(n node) string {
	if n = p.variable(n); p.kind(n) != phVariable {
		return ""
	}
	return strings.TrimPrefix(p.str(n), "$")
}

func (p *php) text(n node) string {
	if n == none {
		return ""
	}
	return p.signature(p.start(n), p.end(n))
}

// params lists a parameter list. By-reference and variadic parameters keep their
// marks: "&x", "...xs".
func (p *php) params(list node) (params []code.Param) {
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		name := p.variableName(p.child(c, phfName))
		if name == "" {
			continue
		}
		v := p.child(c, phfDefault)
		q := code.Param{Type: p.text(p.child(c, phfType)), Optional: v != none, Default: p.text(v)}
		mark := ""
		if p.has(c, phReference) || p.kind(p.child(c, phfName)) == phByRef {
			mark = "&"
		}
		if p.kind(c) == phVariadic {
			mark += "..."
		}
		q.Name = mark + name
		params = append(params, q)
	}
	return params
}

// property declares a symbol for each property in a declaration. If there are
// several, each has its own span.
func (p *php) property(n node) {
	first := p.childKind(n, phPropertyElement)
	several := p.nextElement(first, phPropertyElement) != none
	p.walk(p.child(n, phfAttributes))
	p.walk(p.child(n, phfType))
	before := p.owner
	exported, hooks := p.visible(n), p.childKind(n, phHookList)
	for c := first; c != none; c = p.nextElement(c, phPropertyElement) {
		name, value := p.child(c, phfName), p.child(c, phfDefault)
		end := p.end(name)
		if p.isLiteral(value) {
			end = p.end(value)
		}
		s := code.Symbol{Name: p.variableName(name), Kind: code.KindField, Exported: exported}
		if several {
			s.Span = p.span(c)
			head := p.signatureWithout(n, p.declStart(n), p.start(first))
			s.Signature = lexical.Cut(head+" "+p.signature(p.start(c), end), code.MaxSignature)
		}
		sym, ok := p.symbol(n, name, s, end)
		if ok {
			p.enter(sym)
		}
		p.walk(value)
		if c == first && hooks != none {
			p.hooks(hooks)
		}
		p.leave(before)
	}
}

// hooks reads the get and set functions of a property.
func (p *php) hooks(n node) {
	inBody := p.inBody
	p.inBody = true
	for h := p.firstNamed(n); h != none; h = p.nextNamed(h) {
		p.names.push()
		for c := p.first(h); c != none; c = p.sibling(c) {
			if p.kind(c) != phName {
				p.walk(c)
			}
		}
		p.names.pop()
	}
	p.inBody = inBody
}

// nextElement returns the next sibling of kind k, or none.
func (p *php) nextElement(n node, k kind) node {
	for n = p.sibling(n); n != none && p.kind(n) != k; n = p.sibling(n) {
	}
	return n
}

// constants declares a symbol for each constant in a const declaration.
func (p *php) constants(n node) {
	first := p.childKind(n, phConstElement)
	several := p.nextElement(first, phConstElement) != none
	p.walk(p.child(n, phfAttributes))
	p.walk(p.child(n, phfType))
	before := p.owner
	exported := p.visible(n)
	for c := first; c != none; c = p.nextElement(c, phConstElement) {
		name := p.firstNamed(c)
		value := p.nextNamed(name)
		end := p.end(name)
		if p.isLiteral(value) {
			end = p.end(value)
		}
		s := code.Symbol{Kind: code.KindConstant, Exported: exported}
		if several {
			s.Span = p.span(c)
			head := p.signatureWithout(n, p.declStart(n), p.start(first))
			s.Signature = lexical.Cut(head+" "+p.signature(p.start(c), end), code.MaxSignature)
		}
		sym, ok := p.symbol(n, name, s, end)
		if ok {
			p.enter(sym)
		}
		p.walk(value)
		p.leave(before)
	}
}

// defineCall declares the constant of define('NAME', …) and reports whether n is
// such a call.
func (p *php) defineCall(n node) bool {
	if !strings.EqualFold(strings.TrimPrefix(p.fieldStr(n, phfFunction), `\`), "define") {
		return false
	}
	arg := p.firstNamed(p.child(n, phfArguments))
	content := p.stringContent(p.firstNamed(arg))
	name := p.str(content)
	name = name[strings.LastIndexByte(name, '\\')+1:]
	if content == none || name == "" {
		return false
	}
	value := p.firstNamed(p.nextNamed(arg))
	end := p.end(n)
	if !p.isLiteral(value) {
		end = p.end(arg)
	}
	s := code.Symbol{Name: name, Qualified: name, Kind: code.KindConstant, Exported: true,
		Span: p.span(n), Signature: p.signature(p.start(n), end)}
	space := p.namespaceName
	sym, ok := p.symbol(p.callStatement(n), content, s, 0)
	p.namespaceName = space
	if !ok {
		return false
	}
	p.facts.Symbols[sym].NameStart = p.end(content) - uint32(len(name))
	p.walk(value)
	return true
}

// callStatement returns the statement that consists of a call, because a doc comment is
// in front of the statement.
func (p *php) callStatement(n node) node {
	if up := p.parent(n); p.kind(up) == phExpression {
		return up
	}
	return n
}

// stringContent returns the text of a string literal without interpolation, or none.
func (p *php) stringContent(n node) node {
	if k := p.kind(n); k != phString && k != phEncapsed {
		return none
	}
	c := p.firstNamed(n)
	if p.kind(c) != phStringContent || p.nextNamed(c) != none {
		return none
	}
	return c
}

func (p *php) isLiteral(n node) bool {
	switch p.kind(n) {
	case phString, phInteger, phFloat, phBoolean, phNull:
		return true
	case phEncapsed:
		return p.stringContent(n) != none || p.firstNamed(n) == none
	case phUnary:
		return p.isLiteral(p.firstNamed(n))
	}
	return false
}

// global declares a variable that is first assigned at the file's top level.
func (p *php) global(n, name node) {
	v := p.variableName(name)
	outside := p.owner < 0 && !p.inBody
	if !outside || p.globals[v] {
		return
	}
	if v == "" || v == "this" {
		return
	}
	p.globals[v] = true
	s := code.Symbol{Name: v, Kind: code.KindVariable, Exported: true, Span: p.span(n), Signature: p.signature(p.start(n), p.end(name))}
	if r := p.child(n, phfRight); p.isLiteral(r) {
		s.Signature = p.signature(p.start(n), p.end(r))
	}
	p.symbol(p.callStatement(n), name, s, 0)
}
