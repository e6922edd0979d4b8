package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// stringLit reads a string: the expressions of an f-string, or the names in a
// type that is written as a string.
func (p *python) stringLit(n node, k code.RefKind) {
	if k != code.RefType {
		if p.after(n) > n+4 { // more than start, content and end
			p.walkChildren(n, code.RefUse)
		}
		return
	}
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.kind(c) == pyStringContent {
			p.typeString(c)
		}
	}
}

// typeString records references to the names in a type written as a string, such as
// "Optional[Foo]". In a dotted name it records the last part only if the first is a
// module.
func (p *python) typeString(n node) {
	s := p.str(n)
	if len(s) > code.MaxSignature || strings.ContainsAny(s, "\"'\\") {
		return
	}
	for i := 0; i < len(s); {
		if !lexical.IsWordStart(s[i]) {
			i++
			continue
		}
		start := i
		for i < len(s) && (lexical.IsWord(s[i]) || s[i] == '.') {
			i++
		}
		p.typeStringName(n, uint32(start), s[start:i])
	}
}

func (p *python) typeStringName(n node, at uint32, s string) {
	head, rest, _ := strings.Cut(s, ".")
	b := p.lookup(head)
	r := code.Ref{Name: head, Kind: code.RefType, Via: code.ViaBare, Import: -1}
	switch {
	case b.is(bindLocal):
		return
	case b.isModule():
		if rest == "" || strings.Contains(rest, ".") {
			return
		}
		r.Name, r.Via, r.Import = rest, code.ViaImport, b.imp
		at, head = at+uint32(len(head))+1, rest
	case b.is(bindImport):
		r.Name, r.Via, r.Import = b.target, code.ViaImport, b.imp
	case b.is(bindNested):
		r.Via = code.ViaLocal
	}
	r.Start = p.start(n) + at
	r.End, r.Line, r.Scope = r.Start+uint32(len(head)), p.lineAt(r.Start), p.owner
	p.facts.Refs = append(p.facts.Refs, r)
}
