package extract

import (
	"strings"

	"ken/internal/code"
)

// errorNode reads an error node, in which the grammar leaves the heads of unfinished
// types and functions as bare tokens between the members it could still read.
func (p *php) errorNode(n node) {
	saved, before := *p, p.owner
	modifiers := none // the first modifier or attribute before a declaration
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.isModifierKind(c) {
			if modifiers == none {
				modifiers = c
			}
			continue
		}
		first := c
		if modifiers != none {
			first = modifiers
		}
		name := p.sibling(c)
		switch k := p.kind(c); {
		case k == phNamespaceWord && p.kind(name) == phNamespaceName:
			p.namespaceName = p.pathText(name)
			c = name
		case k == phFunctionWord && p.kind(name) == phName && p.kind(p.sibling(name)) == phParameters:
			c = p.openFunction(n, name, first)
		case phpTypeKind(k) != code.KindUnknown && p.kind(name) == phName:
			c = p.openType(n, c, first)
		case k == phName:
		default:
			p.walk(c)
		}
		modifiers = none
	}
	p.class, p.inBody = saved.class, saved.inBody
	p.leave(before)
}

// isModifierKind reports whether n is a modifier or the attributes of a declaration.
func (p *php) isModifierKind(n node) bool {
	switch p.kind(n) {
	case phAbstract, phFinal, phReadonly, phAttributes, phVisibility, phStaticModifier:
		return true
	}
	return false
}

// phpTypeKind returns the kind of type that a keyword declares.
func phpTypeKind(k kind) code.Kind {
	switch k {
	case phClassWord:
		return code.KindClass
	case phInterfaceWord:
		return code.KindInterface
	case phTraitWord:
		return code.KindTrait
	case phEnumWord:
		return code.KindEnum
	}
	return code.KindUnknown
}

// openType declares the type whose keyword is word and makes it the type around the
// rest of n. It returns the last node of the head.
func (p *php) openType(n, word, first node) node {
	name := p.sibling(word)
	end := name
	p.class = phpOwner{name: p.str(name)}
	for next := p.sibling(end); next != none && p.kind(end) != phBrace; next = p.sibling(end) {
		end = next
		switch p.kind(end) {
		case phBase:
			p.class.parent = p.typeName(p.firstNamed(end))
			p.classNames(end, code.RefInherit)
		case phImplements:
			p.classNames(end, code.RefImplement)
		}
	}
	stop := p.end(end)
	if p.kind(end) == phBrace {
		stop = p.start(end)
	}
	s := code.Symbol{Kind: phpTypeKind(p.kind(word)), Exported: true,
		Span: p.spanBetween(p.start(first), p.end(n)), Signature: p.signature(p.start(first), stop)}
	for p.owner >= 0 && p.facts.Symbols[p.owner].Kind.IsType() { // types do not nest
		p.owner = p.facts.Symbols[p.owner].Parent
	}
	refs := len(p.facts.Refs)
	sym, ok := p.symbol(first, name, s, 0)
	if ok {
		p.enter(sym)
		for i := refs - 1; i >= 0 && p.facts.Refs[i].Start >= p.start(name); i-- {
			p.facts.Refs[i].Scope = sym
		}
	}
	p.inBody = false
	return end
}

// openFunction declares the unfinished function or method called name, whose body is
// the rest of n. It returns the last node of the head.
func (p *php) openFunction(n, name, first node) node {
	for p.owner >= 0 && p.facts.Symbols[p.owner].Kind.IsFunction() {
		p.owner = p.facts.Symbols[p.owner].Parent
	}
	list := p.sibling(name)
	s := code.Symbol{Kind: code.KindFunction, Params: p.params(list), Exported: true,
		Span: p.spanBetween(p.start(first), p.end(n)), Signature: p.signature(p.start(first), p.end(list))}
	if p.class.name != "" {
		s.Kind = code.KindMethod
	}
	for c := first; c < name; c = p.sibling(c) {
		private := p.kind(c) == phVisibility && strings.EqualFold(p.str(c), "private")
		s.Exported = s.Exported && !private
	}
	p.inBody = false
	if sym, ok := p.symbol(first, name, s, 0); ok {
		p.enter(sym)
	}
	p.inBody = true
	p.walk(list)
	return list
}

// isLost reports whether a function inside a method is itself a method, after a missing
// brace: then the grammar has left its modifiers before it as an error.
func (p *php) isLost(n node) bool {
	if p.class.name == "" || !p.inBody || p.private {
		return false
	}
	e := p.errorBefore(n)
	return e != none && isPHPModifier(p.str(e))
}

// errorBefore returns the error node directly before n, or none.
func (p *php) errorBefore(n node) node {
	for e := n - 1; e > p.parent(n) && e+maxLostError > n; e-- {
		if p.isError(e) && p.parent(e) == p.parent(n) && p.after(e) == n {
			return e
		}
	}
	return none
}

// maxLostError is how many nodes such an error has at most.
const maxLostError = 8

func isPHPModifier(s string) bool {
	word, _, _ := strings.Cut(strings.ToLower(s), " ")
	switch word {
	case "public", "protected", "private", "static", "abstract", "final":
		return true
	}
	return false
}

// lostMethod reads a method that was taken for a function inside one.
func (p *php) lostMethod(n node) {
	e := p.errorBefore(n)
	before, inBody := p.owner, p.inBody
	for p.owner >= 0 && !p.facts.Symbols[p.owner].Kind.IsType() {
		p.owner = p.facts.Symbols[p.owner].Parent
	}
	p.inBody = false
	at := len(p.facts.Symbols)
	p.function(n, code.KindMethod)
	if at < len(p.facts.Symbols) {
		s := &p.facts.Symbols[at]
		s.Exported = !strings.Contains(strings.ToLower(p.str(e)), "private")
		s.Span = p.spanBetween(p.start(e), p.end(n))
		s.Signature = p.signature(p.start(e), p.bodyStart(n))
	}
	p.inBody = inBody
	p.leave(before)
}
