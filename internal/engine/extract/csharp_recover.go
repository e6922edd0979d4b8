package extract

import "ken/internal/code"

// A missing brace makes the grammar give up on the type around it, or read the
// members behind as statements. What cannot be a statement tells those apart:
// access modifiers. A type that was given up on is an error node in which its
// header lies flat, followed by the members that could still be read.

// broken reads an error node: the declarations in it, the headers of types and of
// a method left open.
func (c *csharp) broken(n node) {
	saved, before := *c, c.owner
	c.names.push()
	first := none // of the modifiers and attributes before a declaration
	method := int32(-1)
	bound := false // the members in n
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch k := c.kind(d); {
		case k == csNamespaceWord:
			d = c.skipHeader(d)
		case k == csModifier || k == csAttributeList:
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
		case k == csIdentifier && c.kind(c.sibling(d)) == csParameters && c.class.name != "" && method < 0 && c.isType(c.before(n, d)):
			method = c.openMethod(n, d, first)
			d, first = c.sibling(d), none
		case k == csIdentifier && c.class.name == "":
			first = none
		default:
			c.part(d)
			first = none
		}
	}
	c.names.pop()
	c.class, c.inBody, c.private = saved.class, saved.inBody, saved.private
	c.leave(before)
}

// before is the child of n in front of d, or none.
func (c *csharp) before(n, d node) node {
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

// typeKind is what a keyword declares.
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

// skipHeader is the brace that ends a header, or its last node before n's end.
func (c *csharp) skipHeader(d node) node {
	for next := c.sibling(d); next != none && c.kind(d) != csBrace; next = c.sibling(d) {
		if k := c.kind(next); k == csModifier || c.typeKind(k) != code.KindUnknown {
			break
		}
		d = next
	}
	return d
}

// openType declares the type whose keyword is d and makes it the type around all
// that follows in n. It returns the last node of the header.
func (c *csharp) openType(n, word, first node) node {
	name := c.sibling(word)
	if first == none {
		first = word
	}
	end := c.skipHeader(name)
	k := c.typeKind(c.kind(word))
	s := code.Symbol{Name: c.plain(name), Kind: k, Exported: !c.private, Span: c.spanOf(c.start(first), c.end(n)), Signature: c.signature(c.start(first), c.headerEnd(end))}
	sym, ok := c.symbol(first, s, c.start(name), 0)
	if !ok {
		return end
	}
	c.enter(sym)
	c.class, c.inBody = csOwner{name: s.Name, iface: k == code.KindInterface || k == code.KindEnum}, false
	for d := name; d < end; d = c.sibling(d) {
		if c.kind(d) == csBaseList {
			c.class.base = c.typeName(c.firstNamed(d))
			c.baseList(d, k)
		}
	}
	return end
}

// headerEnd is where a signature that ends at node n does.
func (c *csharp) headerEnd(n node) uint32 {
	if c.kind(n) == csBrace {
		return c.start(n)
	}
	return c.end(n)
}

// openMethod declares the method left open whose name is d; what follows in n is
// its body. It returns the owner before.
func (c *csharp) openMethod(n, name, first node) (before int32) {
	if first == none {
		first = c.before(n, name)
	}
	list := c.sibling(name)
	s := code.Symbol{Name: c.plain(name), Kind: code.KindMethod, Params: c.params(list), Returns: c.text(c.before(n, name)), Exported: c.class.iface,
		Span: c.spanOf(c.start(first), c.end(n)), Signature: c.signature(c.start(first), c.end(list))}
	for d := first; d < name; d = c.sibling(d) {
		if w := c.kind(c.first(d)); c.kind(d) == csModifier && (w == csPublic || w == csProtected || w == csInternal) {
			s.Exported = !c.private
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

// isLost reports whether a statement bears a modifier only a member can.
func (c *csharp) isLost(n node) bool {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csModifier {
			switch c.kind(c.first(d)) {
			case csPublic, csPrivate, csProtected, csInternal:
				return true
			}
		}
	}
	return false
}

// lost reads a member that was taken for a statement.
func (c *csharp) lost(n node) {
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
