package extract

import "ken/internal/code"

// A missing brace makes the grammar give up on the type around it, or read the
// members after it as statements. Access modifiers give those away, because a statement
// has none. A type the grammar gave up on is an error node with the words of its
// header as children, followed by the members that could still be read.

// errorNode reads a node of a syntax error: the declarations in it, and the headers
// of types and of a method whose braces are not closed.
func (c *csharp) errorNode(n node) {
	saved, before := *c, c.owner
	c.names.push()
	first := none       // of the modifiers and attributes before a declaration
	method := int32(-1) // the owner before the method left open, -1 outside of one
	bound := false      // the members in n are bound
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch k := c.kind(d); {
		case k == csNamespaceWord:
			d = c.skipHeader(d)
		case k == csModifier, k == csAttributeList:
			if method >= 0 {
				c.leave(method)
				c.inBody, method = false, -1
			}
			if first == none {
				first = d
			}
		case c.typeKind(k) != code.KindUnknown && c.kind(c.sibling(d)) == csIdentifier:
			d = c.openType(n, d, first)
			if first = none; !bound {
				c.bindMembers(n)
				bound = true
			}
		case method < 0 && c.isMethodHeader(n, d):
			method = c.openMethod(n, d, first)
			d, first = c.sibling(d), none
		case k == csIdentifier && c.class.name == "":
			first = none
		default:
			c.walkPart(d)
			first = none
		}
	}
	c.names.pop()
	c.class, c.inBody, c.inPrivate = saved.class, saved.inBody, saved.inPrivate
	c.leave(before)
}

// isMethodHeader reports whether the child d of n is the name in the header of a
// method: it is in a class, between a type and parameters.
func (c *csharp) isMethodHeader(n, d node) bool {
	if c.class.name == "" || c.kind(d) != csIdentifier {
		return false
	}
	return c.kind(c.sibling(d)) == csParameters && c.isType(c.previousChild(n, d))
}

// previousChild returns the child of n in front of d, or none.
func (c *csharp) previousChild(n, d node) node {
	for b := d - 1; b > n; b-- {
		if c.parent(b) == n {
			return b
		}
	}
	return none
}

func (c *csharp) isType(n node) bool {
	switch c.kind(n) {
	case csIdentifier, csQualifiedName, csGenericName, csPredefined, csNullable, csArray, csTuple:
		return true
	}
	return false
}

// typeKind returns the kind of type that a keyword declares.
func (c *csharp) typeKind(k kind) code.Kind {
	switch k {
	case csClassWord, csRecordWord:
		return code.KindClass
	case csStructWord:
		return code.KindStruct
	case csInterfaceWord:
		return code.KindInterface
	case csEnumWord:
		return code.KindEnum
	}
	return code.KindUnknown
}

// skipHeader returns the brace that ends a header, or the last node of n if there is none.
func (c *csharp) skipHeader(d node) node {
	for next := c.sibling(d); next != none && c.kind(d) != csBrace; next = c.sibling(d) {
		if k := c.kind(next); k == csModifier || c.typeKind(k) != code.KindUnknown {
			break
		}
		d = next
	}
	return d
}

// openType declares the type whose keyword is word and makes it the enclosing type
// of everything that follows in n. It returns the last node of the header.
func (c *csharp) openType(n, word, first node) node {
	name := c.sibling(word)
	if first == none {
		first = word
	}
	end := c.skipHeader(name)
	k := c.typeKind(c.kind(word))
	s := code.Symbol{Name: c.identifier(name), Kind: k, Exported: !c.inPrivate}
	s.Span, s.Signature = c.spanBetween(c.start(first), c.end(n)), c.signature(c.start(first), c.headerEnd(end))
	sym, ok := c.symbol(first, s, c.start(name), 0)
	if !ok {
		return end
	}
	c.enter(sym)
	c.class, c.inBody = csTypeScope{name: s.Name, iface: hasPublicMembers(k)}, false
	for d := name; d < end; d = c.sibling(d) {
		if c.kind(d) == csBaseList {
			c.class.base = c.typeName(c.firstNamed(d))
			c.baseList(d, k)
		}
	}
	return end
}

// headerEnd returns the offset at which a signature ends whose last node is n.
func (c *csharp) headerEnd(n node) uint32 {
	if c.kind(n) == csBrace {
		return c.start(n)
	}
	return c.end(n)
}

// openMethod declares a method whose brace is not closed, so that the rest of n is
// its body. It returns the previous owner.
func (c *csharp) openMethod(n, name, first node) (before int32) {
	if first == none {
		first = c.previousChild(n, name)
	}
	list := c.sibling(name)
	s := code.Symbol{Name: c.identifier(name), Kind: code.KindMethod, Params: c.params(list), Exported: c.class.iface}
	s.Returns = c.oneLine(c.previousChild(n, name))
	s.Span, s.Signature = c.spanBetween(c.start(first), c.end(n)), c.signature(c.start(first), c.end(list))
	for d := first; d < name; d = c.sibling(d) {
		switch c.accessModifier(d) {
		case csPublic, csProtected, csInternal:
			s.Exported = !c.inPrivate
		}
	}
	sym, ok := c.symbol(first, s, c.start(name), 0)
	if !ok {
		return c.owner
	}
	before = c.enter(sym)
	c.inBody = true
	c.walk(list)
	return before
}

// accessModifier returns the kind of the keyword if d is an access modifier, else 0.
func (c *csharp) accessModifier(d node) kind {
	if c.kind(d) != csModifier {
		return 0
	}
	switch k := c.kind(c.first(d)); k {
	case csPublic, csPrivate, csProtected, csInternal:
		return k
	}
	return 0
}

// isMisreadMember reports whether a statement has a modifier that only a member can
// have.
func (c *csharp) isMisreadMember(n node) bool {
	if c.class.name == "" {
		return false
	}
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.accessModifier(d) != 0 {
			return true
		}
	}
	return false
}

// misreadMember reads a member that the grammar took for a statement.
func (c *csharp) misreadMember(n node) {
	before, inBody := c.owner, c.inBody
	for c.owner >= 0 && !c.facts.Symbols[c.owner].Kind.IsType() {
		c.owner = c.facts.Symbols[c.owner].Parent
	}
	c.inBody = false
	if c.kind(n) == csLocalFunction {
		c.function(n, code.KindMethod)
	} else {
		c.fieldDeclaration(n)
	}
	c.inBody = inBody
	c.leave(before)
}
