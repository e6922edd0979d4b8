package extract

import (
	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// The steps in this file are the same for all languages that share the type classes.

// symbol declares sym, the symbol of n, whose signature ends at byte end, and returns its
// index, or -1 if it has no name. It sets Span and Signature if they are empty.
func (c *classes) symbol(n, name node, sym code.Symbol, end uint32) int32 {
	if sym.Name == "" {
		sym.Name = c.identifier(name)
	}
	if sym.Name == "" {
		return -1
	}
	if sym.Span.End == 0 {
		sym.Span = c.spanBetween(c.declStart(n), c.end(n))
		sym.Signature = c.signatureWithout(n, sym.Span.Start, end)
	}
	if sym.NameStart = c.start(name); name == none {
		sym.NameStart = sym.Span.Start
	}
	sym.Exported = !c.inBody && !c.private && !c.language.isPrivate(n)
	sym.Doc = c.docBefore(c.start(n), c.isDoc)
	if sym.Exported && c.owner < 0 && sym.Qualified == "" {
		c.facts.Exports = append(c.facts.Exports, code.Export{Name: sym.Name, Local: sym.Name, From: -1, Line: sym.Span.Line})
	}
	return c.declare(sym)
}

// enter makes sym the owner of the declarations that follow, unless it is -1, and returns the previous owner.
func (c *classes) enter(sym int32) (before int32) {
	if sym < 0 {
		return c.owner
	}
	return c.file.enter(sym)
}

// savedPosition is the position and owner that open saves and close restores.
type savedPosition struct {
	position
	owner int32
}

// open begins a scope of names for the parts of sym, or of a declaration without a
// symbol if sym is -1. Close ends the scope and restores the position.
func (c *classes) open(sym int32) savedPosition {
	c.names.push()
	return savedPosition{c.position, c.enter(sym)}
}

// openBody is like open, for the body of a function: declarations in it are local.
func (c *classes) openBody(sym int32) savedPosition {
	saved := c.open(sym)
	c.inBody = true
	return saved
}

func (c *classes) close(saved savedPosition) {
	c.names.pop()
	c.position = saved.position
	c.leave(saved.owner)
}

// enterType makes the class described by scope the enclosing class of the
// declarations that follow. n is its declaration.
func (c *classes) enterType(n node, scope classScope) {
	c.class = scope
	c.private = c.private || c.inBody || c.language.isPrivate(n)
	c.inBody = false
}

// children reads the children of n.
func (c *classes) children(n node) { c.childrenBut(n, none) }

// childrenBut reads the children of n except one, most often its name.
func (c *classes) childrenBut(n, but node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if d != but {
			c.language.walk(d)
		}
	}
}

// inner reads an initializer or default value, in which declarations are local.
func (c *classes) inner(n node) {
	inBody := c.inBody
	c.inBody = true
	c.language.walk(n)
	c.inBody = inBody
}

// bindNestedType binds the name of a type that is declared inside a function.
func (c *classes) bindNestedType(name node) {
	if c.inBody {
		c.names.bind(binding{name: c.identifier(name), what: bindNested, isType: true})
	}
}

func (c *classes) bindLocal(n node, typ string) {
	if name := c.identifier(n); name != "" && name != "_" {
		c.names.bind(binding{name: name, what: bindLocal, typ: typ})
	}
}

func (c *classes) bindField(name, typ string, what bindKind) {
	c.names.bind(binding{name: name, what: what, typ: typ})
	if typ != "" && name != "" {
		c.fields[classMember{c.class.name, name}] = typ
	}
}

// bareCall reads the called name of f(…), which is a function of this file, a class or an import.
func (c *classes) bareCall(n node) {
	if !c.boundCall(n, c.identifier(n)) {
		c.language.variable(n, code.RefCall)
	}
}

// superclass returns the meaning of super inside the class.
func (s classScope) superclass() qual {
	if s.base == "" {
		return qual{kind: qualSelf, path: s.name}
	}
	return qual{kind: qualSelf, path: s.base}
}

// qualifierName decides whether a name in front of a dot is a variable, a type or
// a package: by its declaration if the file has one, otherwise by its case.
func (c *classes) qualifierName(n node) qual {
	name := c.identifier(n)
	b := c.names.lookup(name)
	switch {
	case namesType(b, name):
		return c.firstSegment(n, code.RefType)
	case b == nil && c.leadsToType(c.parent(n)):
		return qual{kind: qualPackage, path: name}
	}
	return c.variableQualifier(n, b)
}

// variableQualifier returns the meaning of the variable n, whose declaration is b, in front of a dot.
func (c *classes) variableQualifier(n node, b *binding) qual {
	c.language.variable(n, code.RefUse)
	if b == nil {
		return qual{kind: qualValue}
	}
	return qual{kind: qualValue, path: b.typ}
}

// leadsToType reports whether a chain of names that begins at n is a qualified type:
// names in lower case followed by a capitalised one. After a single name (x.Foo) that
// is not assumed, because x is more likely a variable.
func (c *classes) leadsToType(n node) bool {
	for steps := 0; c.kind(n) == c.dotted; steps++ {
		first := c.firstNamed(n)
		if lexical.IsUpper(c.identifier(c.nextNamed(first))) {
			return steps > 0
		}
		up := c.parent(n)
		if c.firstNamed(up) != n {
			return false
		}
		n = up
	}
	return false
}

// extensionRef records a reference to q.name if the file imports or declares an
// extension with that name, and reports whether it does.
func (c *classes) extensionRef(n node, k code.RefKind, q qual) bool {
	own := c.extensions
	switch q.kind {
	case qualValue, qualBuiltin:
	case qualSelf:
		// An extension that this file declares is rarely called on this or super:
		// a member of that name is meant.
		own = nil
	default:
		return false
	}
	b := c.lookupExtension(c.identifier(n), own)
	if b == nil {
		return false
	}
	c.refTo(n, b, k)
	return true
}

// memberValue returns the meaning of q.name if another dot follows it.
func (c *classes) memberValue(q qual, name string) qual {
	switch {
	case q.kind == qualBuiltin:
		return q
	case q.path == "": // the fields of no type are the variables at the top of the file
		return qual{qualValue, "", -1}
	}
	return qual{qualValue, c.fields[classMember{q.path, name}], -1}
}

// variableType returns the type of the variable n, or "" if the file does not show it.
func (c *classes) variableType(n node) string {
	if b := c.names.lookup(c.identifier(n)); b != nil && !b.isType {
		return b.typ
	}
	return ""
}
