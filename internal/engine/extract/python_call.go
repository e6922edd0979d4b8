package extract

import (
	"cmp"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/pytype"
)

// isAssigned reports whether the file assigns to an attribute of that name. The
// attribute may then hold a function.
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

// arguments reads the arguments of a call. Some builtin functions, such as map, call one of them.
func (p *python) arguments(call, f node) {
	args := p.child(call, pyfArguments)
	p.keywords(args, f)
	name := ""
	if p.kind(f) == pyIdentifier && p.lookup(p.str(f)) == nil {
		name = p.str(f)
	}
	first := p.firstNamed(args)
	if p.attributeByName(name, args, first) {
		return
	}
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

// attributeByName reads getattr(x, "name") and the like, which use x.name, and reports whether the call is one.
func (p *python) attributeByName(name string, args, object node) bool {
	switch name {
	case "getattr", "hasattr", "setattr", "delattr":
	default:
		return false
	}
	key := p.nextNamed(object)
	content := p.childKind(key, pyStringContent)
	name = p.str(content)
	if p.kind(key) != pyString || p.kind(object) == pyKeywordArg || name == "" || strings.ContainsAny(name, " .-/%{\\") {
		return false
	}
	if b := p.lookup(p.str(object)); p.kind(object) == pyIdentifier && b.isModule() {
		p.use(object, code.RefUse)
		p.ref(content, code.Ref{Kind: code.RefUse, Via: code.ViaImport, Import: b.imp})
	} else {
		p.member(object, content, code.RefUse)
	}
	for c := p.nextNamed(key); c != none; c = p.nextNamed(c) {
		p.walk(c, code.RefUse)
	}
	return true
}

// calledArgument returns the function in argument c if the builtin function name calls it,
// as map calls its first argument, and none otherwise. first is the first argument of the
// call.
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

// walkBut reads the children of n except one.
func (p *python) walkBut(n, but node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if c != but {
			p.walk(c, code.RefUse)
		}
	}
}

// keywords records a reference for each argument that is passed by name. The name
// is a field if the call makes an object of a data class or the function takes a
// typed dictionary. Otherwise it is a parameter, to which no references are
// recorded.
func (p *python) keywords(args, f node) {
	e := ""
	if p.kind(f) == pyIdentifier && p.lookup(p.str(f)) == nil && builtin.Python(p.str(f)) {
		return
	}
	for c := p.firstNamed(args); c != none; c = p.nextNamed(c) {
		if p.kind(c) != pyKeywordArg {
			continue
		}
		if e == "" {
			if e = cmp.Or(p.valueExpr(f), "?"); pytype.IsContainer(e) || len(e)+len(code.RecvKeywords) > maxRecvExpr {
				e = "?"
			}
		}
		p.ref(p.child(c, pyfName), code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: pyMark + e + code.RecvKeywords})
	}
}

// hintFields records that a call of a class takes the class's fields as arguments,
// because of a decorator, such as dataclass, or a base class.
func (p *python) hintFields(n, bases node, symbol int32) {
	made := p.isDecoratedAs(n, "dataclass", "define", "frozen", "mutable", "attrs", "dataclass_transform", "attr.s")
	for c := p.firstNamed(bases); c != none && !made; c = p.nextNamed(c) {
		made = strings.Contains(" NamedTuple TypedDict BaseModel Struct ", " "+lastPart(p.str(c))+" ")
	}
	if made {
		p.hint(symbol, code.HintFields, code.HintFields)
	}
}

// hintKeywords records the typed dictionary whose keys a function takes as keyword
// arguments: **options: Unpack[Options].
func (p *python) hintKeywords(params node, symbol int32) {
	for c := p.firstNamed(params); c != none; c = p.nextNamed(c) {
		name, typ, _ := p.paramParts(c)
		if p.kind(name) != pyDictSplatPattern || typ == none {
			continue
		}
		if base, _, generic := strings.Cut(p.str(typ), "["); generic && lastPart(base) == "Unpack" {
			p.hint(symbol, code.HintKeywords, unmarkReceiver(p.annotation(typ)))
		}
	}
}

// typeArguments reads the arguments of functions of the module typing that take types,
// which may be strings, and reports whether f is such a function.
func (p *python) typeArguments(args, f node) bool {
	name := lastPart(p.str(f))
	if name != "cast" && name != "TypeVar" && name != "NewType" {
		return false
	}
	first := p.firstNamed(args)
	for c := first; c != none; c = p.nextNamed(c) {
		v, k := c, code.RefUse
		if p.kind(c) == pyKeywordArg {
			v = p.child(c, pyfValue)
		}
		if (c == first) == (name == "cast") {
			k = code.RefType
		}
		p.walk(v, k)
	}
	return true
}

// casePattern reads a pattern of a case. In it a plain name is assigned, and a dotted name is a reference.
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

// classPattern reads a pattern such as `Point(x=0)`, which uses the class and names its attributes.
func (p *python) classPattern(n node) {
	recv := ""
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == pyDottedName {
			if id := p.firstNamed(c); p.nextNamed(id) == none {
				p.use(id, code.RefUse)
			} else {
				p.dottedUse(c, code.RefUse)
			}
			recv = p.str(c)
			continue
		}
		if k := p.firstNamed(c); p.kind(k) == pyKeywordPattern {
			if isDotted(recv) {
				p.ref(p.firstNamed(k), code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: recv})
			}
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

// dottedUse records references for a.b in a pattern of a case. A plain name is assigned there instead.
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
		if recv := p.nameType(head, b); recv != "" {
			r.Via, r.Recv = code.ViaTyped, recv
		}
	}
	p.ref(next, r)
	for c := p.nextNamed(next); c != none; c = p.nextNamed(c) {
		p.ref(c, code.Ref{Kind: k, Via: code.ViaMember})
	}
}
