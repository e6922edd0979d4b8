package extract

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
)

// keywords emits a reference for each argument of a call that is passed by name:
// the name is a field if a data class is called or the function takes a typed
// dictionary, else a parameter, which no reference means.
func (p *python) keywords(args, f node) {
	e := ""
	for c := p.firstNamed(args); c != none; c = p.nextNamed(c) {
		if p.kind(c) != pyKeywordArg {
			continue
		}
		if e == "" {
			if p.kind(f) == pyIdentifier && p.lookup(p.str(f)) == nil && isPythonBuiltin(p.str(f)) {
				return
			}
			e = cmp.Or(p.exprOf(f), "?")
			if isContainer(e) || len(e)+len(code.RecvKeywords) > maxRecvExpr {
				e = "?"
			}
		}
		p.ref(p.child(c, pyfName), code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: pyMark + e + code.RecvKeywords})
	}
}

// hintFields notes that a call of a class takes its fields: by a decorator that makes
// it so, or a base that does.
func (p *python) hintFields(n, bases node, symbol int32) {
	made := p.isDecoratedAs(n, "dataclass", "define", "frozen", "mutable", "attrs", "attrib", "dataclass_transform") ||
		p.isDecoratedAs(n, "attr.s", "attr.attrs", "attr.dataclass")
	for c := p.firstNamed(bases); c != none && !made; c = p.nextNamed(c) {
		switch lastPart(p.str(c)) {
		case "NamedTuple", "TypedDict", "BaseModel", "Struct":
			made = true
		}
	}
	if made {
		p.hint(symbol, code.HintFields, code.HintFields)
	}
}

// hintKeywords notes the typed dictionary of the keywords that a function takes beside
// its parameters: **options: Unpack[Options].
func (p *python) hintKeywords(params node, symbol int32) {
	for c := p.firstNamed(params); c != none; c = p.nextNamed(c) {
		name, typ, _ := p.paramParts(c)
		if p.kind(name) != pyDictSplatPattern || typ == none {
			continue
		}
		if base, _, generic := strings.Cut(p.str(typ), "["); generic && lastPart(base) == "Unpack" {
			p.hint(symbol, code.HintKeywords, unmarked(p.annotation(typ)))
		}
	}
}

// typeArguments walks the arguments of typing's functions that take types, which may be
// written as strings, and reports whether f is one.
func (p *python) typeArguments(args, f node) bool {
	var types func(int) bool
	switch lastPart(p.str(f)) {
	case "cast":
		types = func(i int) bool { return i == 0 }
	case "TypeVar", "NewType":
		types = func(i int) bool { return i > 0 }
	default:
		return false
	}
	i := 0
	for c := p.firstNamed(args); c != none; c = p.nextNamed(c) {
		v, k := c, code.RefUse
		if p.kind(c) == pyKeywordArg {
			v = p.child(c, pyfValue)
		}
		if types(i) {
			k = code.RefType
		}
		p.walk(v, k)
		i++
	}
	return true
}

// isDecoratedAs reports whether a function has one of the decorators names.
func (p *python) isDecoratedAs(n node, names ...string) bool {
	d := p.parent(n)
	if p.kind(d) != pyDecorated {
		return false
	}
	for c := p.firstNamed(d); c != none && p.kind(c) == pyDecorator; c = p.nextNamed(c) {
		made := p.firstNamed(c)
		if p.kind(made) == pyCall {
			made = p.child(made, pyfFunction)
		}
		s := p.str(made)
		if slices.Contains(names, s) || slices.Contains(names, s[strings.LastIndexByte(s, '.')+1:]) {
			return true
		}
	}
	return false
}
