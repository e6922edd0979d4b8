package extract

import "ken/internal/code"

// isAssigned reports whether the file assigns to an attribute of a name: then it
// may hold a function.
func (p *python) isAssigned(name string) bool {
	if p.assigned == nil {
		p.assigned = map[string]bool{}
		for _, n := range p.noted {
			if p.kind(n) != pyAssignment {
				continue
			}
			switch l := p.child(n, pyfLeft); p.kind(l) {
			case pyAttribute:
				p.assigned[p.fieldStr(l, pyfAttribute)] = true
			case pyIdentifier: // of a class, perhaps
				p.assigned[p.str(l)] = true
			}
		}
	}
	return p.assigned[name]
}

// isValue reports whether what is called is no function by its name: a variable,
// an attribute that is assigned functions, the element of a list.
func (p *python) isValue(f node) bool {
	switch p.kind(f) {
	case pyIdentifier:
		b := p.lookup(p.str(f))
		return b != nil && b.what != bindImport && b.target == "" && (b.what == bindLocal || b.typ != "")
	case pyAttribute:
		return p.isAssigned(p.fieldStr(f, pyfAttribute))
	case pySubscript, pyCall, pyParenthesized, pyConditional:
		return true
	}
	return false
}

// arguments walks what a call passes. Builtin functions call what they are given.
func (p *python) arguments(call, f node) {
	args := p.child(call, pyfArguments)
	name := ""
	if p.kind(f) == pyIdentifier && p.lookup(p.str(f)) == nil {
		name = p.str(f)
	}
	first := p.firstNamed(args)
	for c := first; c != none && name != ""; c = p.nextNamed(c) {
		called := c
		switch {
		case c == first && (name == "map" || name == "filter"):
		case p.kind(c) == pyKeywordArg && p.fieldStr(c, pyfName) == "key" && (name == "sorted" || name == "min" || name == "max"):
			called = p.child(c, pyfValue)
		default:
			continue
		}
		if k := p.kind(called); k == pyIdentifier || k == pyAttribute {
			p.walk(called, code.RefCall)
			p.walkBut(args, c)
			return
		}
	}
	p.walk(args, code.RefUse)
}

// walkBut walks the children of n but one.
func (p *python) walkBut(n, but node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if c != but {
			p.walk(c, code.RefUse)
		}
	}
}
