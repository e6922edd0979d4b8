package extract

import (
	"cmp"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// isBareQualifier reports whether an annotation leaves the type to the value.
func isBareQualifier(annotation string) bool {
	return strings.Contains(" Final ClassVar TypeAlias ", " "+lastPart(annotation)+" ")
}

// annotation returns the class that a type annotation names, or "" if it names none:
// Optional[T] and T | None are T.
func (p *python) annotation(n node) string {
	switch p.kind(n) {
	case pyType:
		return p.annotation(p.firstNamed(n))
	case pyIdentifier, pyAttribute:
		return p.namedType(p.str(n))
	case pyString:
		if c := p.childKind(n, pyStringContent); c != none {
			return p.namedType(p.str(c))
		}
	case pyGenericType:
		return p.genericAnnotation(p.firstNamed(n), p.firstNamed(p.nextNamed(p.firstNamed(n))))
	case pySubscript:
		return p.genericAnnotation(p.child(n, pyfValue), p.child(n, pyfSubscript))
	case pyBinary:
		left, right := p.firstNamed(n), p.nextNamed(p.firstNamed(n))
		if p.kind(right) == pyNone {
			return p.annotation(left)
		}
		if p.kind(left) == pyNone {
			return p.annotation(right)
		}
	}
	return ""
}

// pyAnything are types whose values may be of any.
const pyAnything = " Any object Final ClassVar TypeAlias Optional Union Callable Hashable Iterable Iterator Awaitable AnyStr Generic Protocol" +
	" InitVar Concatenate Never NoReturn TypeGuard "

// namedType returns the type that a dotted name in an annotation means, or "" if values of
// any type fit it.
func (p *python) namedType(s string) string {
	if !isDotted(s) {
		return ""
	}
	head, _, _ := strings.Cut(s, ".")
	b := p.lookup(head)
	if outside := b == nil || b.is(bindImport); outside && lastPart(s) == "Self" {
		return p.class
	} else if outside && strings.Contains(pyAnything, " "+lastPart(s)+" ") {
		return ""
	}
	if b != nil && b.typ == pyUnknown && b.what != bindImport && head == s {
		return "" // a type variable, or made in a way that is not followed
	}
	return s
}

func (p *python) genericAnnotation(base, arg node) string {
	name := p.str(base)
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Unpack", "ReadOnly", "TypeGuard":
		return p.annotation(arg)
	case "List", "list", "Sequence", "MutableSequence", "Iterable", "Iterator", "Generator", "Collection", "Set", "set", "FrozenSet",
		"frozenset", "AbstractSet", "Deque", "deque", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "KeysView", "ValuesView":
		return pyMark + "[" + p.argument(arg) + "]"
	case "Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict":
		return pyMark + "{" + p.argument(arg) + ":" + p.argument(p.nextNamed(arg)) + "}"
	case "Tuple", "tuple":
		second := p.nextNamed(arg)
		if second == none || p.str(second) == "..." {
			return pyMark + "[" + p.argument(arg) + "]"
		}
		list := []string{}
		for c := arg; c != none && len(list) < maxParts; c = p.nextNamed(c) {
			list = append(list, p.argument(c))
		}
		return pyMark + "(" + strings.Join(list, ",") + ")"
	case "Awaitable", "Type", "type":
		return p.annotation(arg)
	case "Union", "Callable", "Coroutine":
		return ""
	}
	return p.annotation(base)
}

// argument returns the type that a generic type's argument names, "?" if it names none.
func (p *python) argument(n node) string { return cmp.Or(unmarkReceiver(p.annotation(n)), "?") }

// isDotted reports whether s is identifiers with dots between.
func isDotted(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '.' && !lexical.IsWord(s[i]) {
			return false
		}
	}
	return s != ""
}

// isTypingForm reports whether a dotted name is one of typing's that take types in
// brackets.
func isTypingForm(name string) bool {
	return strings.Contains(" Optional Union Callable Annotated Type List Dict Tuple Set FrozenSet Sequence Mapping Iterable Iterator Generator"+
		" Literal Awaitable Coroutine MutableMapping MutableSequence Concatenate ClassVar Final ", " "+lastPart(name)+" ")
}

// makesType reports whether a call makes a name for some type, whose values
// may be of any.
func (p *python) makesType(call node) bool {
	return strings.Contains(" TypeVar ParamSpec TypeVarTuple NewType ", " "+lastPart(p.fieldStr(call, pyfFunction))+" ")
}

// stringLit reads a string: expressions of an f-string, and the names in a type
// written as a string.
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

// typeString emits references to the names of "Optional[Foo]": to the last part of a
// dotted one only if the first is a module.
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
