package extract

import "ken/internal/code"

// casePattern reads a pattern, in which plain names capture and dotted ones are used.
func (p *python) casePattern(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		switch p.kind(c) {
		case pyDottedName:
			p.dottedUse(c, code.RefUse)
		case pyAsPattern, pyListPattern, pyTuplePattern:
			p.casePattern(c)
		case pyCasePattern:
			p.casePattern(c)
		case pySplatPattern, pyIdentifier:
		default:
			p.walk(c, code.RefUse)
		}
	}
}

// classPattern reads `Point(x=0)`: the class is used, keywords are not names.
func (p *python) classPattern(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == pyDottedName {
			if id := p.firstNamed(c); p.nextNamed(id) == none {
				p.use(id, code.RefUse)
			} else {
				p.dottedUse(c, code.RefUse)
			}
			continue
		}
		if k := p.firstNamed(c); p.kind(k) == pyKeywordPattern {
			for v := p.nextNamed(p.firstNamed(k)); v != none; v = p.nextNamed(v) {
				if p.kind(v) == pyDottedName {
					p.dottedUse(v, code.RefUse)
				} else {
					p.walk(v, code.RefUse)
				}
			}
			continue
		}
		p.walk(c, code.RefUse)
	}
}

// dottedUse emits references for a.b in a pattern; a plain name captures instead.
func (p *python) dottedUse(n node, k code.RefKind) {
	head := p.firstNamed(n)
	next := p.nextNamed(head)
	if next == none {
		return
	}
	b := p.lookup(p.str(head))
	r := code.Ref{Kind: k, Via: code.ViaMember}
	if b.isModule() {
		r.Via, r.Import = code.ViaImport, b.imp
	} else {
		p.use(head, code.RefUse)
		if recv := p.typeOf(head, b); recv != "" {
			r.Via, r.Recv = code.ViaTyped, recv
		}
	}
	p.ref(next, r)
	for c := p.nextNamed(next); c != none; c = p.nextNamed(c) {
		p.ref(c, code.Ref{Kind: k, Via: code.ViaMember})
	}
}
