package extract

import "ken/internal/code"

// isAssigned reports whether the file assigns to an attribute of that name, because
// then it may hold a function.
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
			case pyIdentifier: // may be an attribute in the body of a class
				p.assigned[p.str(l)] = true
			}
		}
	}
	return p.assigned[name]
}

// isValue reports whether the called expression is a value rather than the name of a
// function: a variable, an attribute that is assigned functions, the element of a list.
func (p *python) isValue(f node) bool {
	switch p.kind(f) {
	case pyIdentifier:
		b := p.lookup(p.str(f))
		if b == nil || b.is(bindImport) {
			return false
		}
		return b.target == "" && (b.what == bindLocal || b.typ != "")
	case pyAttribute:
		return p.isAssigned(p.fieldStr(f, pyfAttribute))
	case pySubscript, pyCall, pyParenthesized, pyConditional:
		return true
	}
	return false
}

// arguments walks the arguments of a call. Some builtin functions call an argument.
func (p *python) arguments(call, f node) {
	args := p.child(call, pyfArguments)
	p.keywords(args, f)
	name := ""
	if p.kind(f) == pyIdentifier && p.lookup(p.str(f)) == nil {
		name = p.str(f)
	}
	first := p.firstNamed(args)
	for c := first; c != none && name != ""; c = p.nextNamed(c) {
		called := p.calledArgument(name, c, first)
		if k := p.kind(called); k == pyIdentifier || k == pyAttribute {
			p.walk(called, code.RefCall)
			p.walkBut(args, c)
			return
		}
	}
	if !p.typeArguments(args, f) {
		p.walk(args, code.RefUse)
	}
}

// calledArgument is the function that the builtin function name calls, if argument c is
// that one, otherwise none.
func (p *python) calledArgument(name string, c, first node) node {
	switch name {
	case "map", "filter":
		if c == first {
			return c
		}
	case "sorted", "min", "max":
		if p.kind(c) == pyKeywordArg && p.fieldStr(c, pyfName) == "key" {
			return p.child(c, pyfValue)
		}
	}
	return none
}

// walkBut walks the children of n except one.
func (p *python) walkBut(n, but node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if c != but {
			p.walk(c, code.RefUse)
		}
	}
}
