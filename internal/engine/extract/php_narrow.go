package extract

import (
	"strings"

	"ken/internal/code"
)

// phpProof is a type that a condition proves of an expression, "" if it is no longer proven.
type phpProof struct{ text, typ string }

// branch reads if, elseif and while: what the condition proves holds in the body, and what it disproves behind a body that leaves.
func (p *php) branch(n node) {
	had := len(p.proofs)
	condition, body := none, none
	for c := p.first(n); c != none; c = p.sibling(c) {
		p.walk(c)
		switch {
		case !p.isNamed(c) || p.kind(c) == phComment:
		case condition == none:
			condition = c
			p.prove(c, true)
		case body == none:
			body = c
			p.proofs = p.proofs[:had]
		}
	}
	if p.proofs = p.proofs[:had]; p.leaves(body) {
		p.prove(condition, false)
	}
}

// ternary reads a ? b : c.
func (p *php) ternary(n node) {
	had := len(p.proofs)
	condition := p.firstNamed(n)
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.walk(c); c == condition {
			p.prove(c, true)
		} else if p.isNamed(c) {
			p.proofs = p.proofs[:had]
		}
	}
	p.proofs = p.proofs[:had]
}

// block reads statements in braces, at whose end what was proven ends.
func (p *php) block(n node) {
	had := len(p.proofs)
	p.children(n)
	p.proofs = p.proofs[:had]
}

// leaves reports whether what follows a statement is not reached from it.
func (p *php) leaves(n node) bool {
	last := n
	if p.kind(n) == phBlock {
		last = none
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			last = c
		}
	}
	if last == none {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimRight(p.str(last), ";"), " ")
	switch word {
	case "return", "throw", "continue", "break", "exit", "die":
		return true
	}
	return false
}

// prove records the types that a condition proves if it has a value.
func (p *php) prove(n node, value bool) {
	switch p.kind(n) {
	case phParenthesized:
		p.prove(p.firstNamed(n), value)
	case phUnary:
		if strings.HasPrefix(p.str(n), "!") {
			p.prove(p.firstNamed(n), !value)
		}
	case phBinary:
		left, right := p.child(n, phfLeft), p.child(n, phfRight)
		switch p.kind(p.child(n, phfOperator)) {
		case phInstanceof:
			if typ := p.typeName(right); value && typ != "" {
				p.provesType(left, typ)
			}
		case phAnd, phAndWord:
			if value {
				p.prove(left, true)
				p.prove(right, true)
			}
		case phOr, phOrWord:
			if !value {
				p.prove(left, false)
				p.prove(right, false)
			}
		}
	}
}

// provesType records the type of a variable, or of a member that is read twice.
func (p *php) provesType(n node, typ string) {
	for p.kind(n) == phParenthesized {
		n = p.firstNamed(n)
	}
	if p.kind(n) == phAssignment {
		n = p.child(n, phfLeft)
	}
	if isPHPPlace(p.kind(n)) && !p.isThis(n) {
		p.proofs = append(p.proofs, phpProof{p.str(n), typ})
	}
}

// isPHPPlace reports whether an expression of a kind can have the same value each time.
func isPHPPlace(k kind) bool {
	switch k {
	case phVariable, phMember, phNullsafeMember, phMemberCall, phNullsafeCall, phScopedProperty, phScopedCall:
		return true
	}
	return false
}

// forget ends what was proven of a variable or member that gets another value, and of its members.
func (p *php) forget(text string) {
	for i := range p.proofs {
		if rest, ok := strings.CutPrefix(p.proofs[i].text, text); ok && (rest == "" || rest[0] == '-' || rest[0] == '?') {
			p.proofs[i].typ = ""
		}
	}
}

// valueType returns the name of an expression's type if the file shows it; what a condition proves comes before what is declared.
func (p *php) valueType(n node) string {
	typ := p.declaredType(n)
	if len(p.proofs) == 0 || !isPHPPlace(p.kind(n)) {
		return typ
	}
	text := p.str(n)
	for i := len(p.proofs) - 1; i >= 0; i-- {
		proof := &p.proofs[i]
		switch {
		case proof.text != text:
		case proof.typ == "":
			return typ
		case typ == "" || typ == proof.typ:
			return proof.typ
		default:
			return proof.typ + code.AlsoType + typ
		}
	}
	return typ
}
