package extract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/pytype"
)

// The types of values are expressions (code.RecvExpr). In places that also hold class
// names (binding.typ, Ref.Recv) they have their mark, elsewhere not.

const (
	pyMark = code.RecvExpr
	// maxPyDepth is the depth to which an expression is followed to find its type.
	maxPyDepth = 12
)

// markReceiver returns a type expression in the form of Ref.Recv, where a mark in front tells expressions from plain names.
func markReceiver(e string) string {
	switch {
	case len(e) > maxRecvExpr:
		return ""
	case e == "", isDotted(e) && !strings.Contains(e, "."):
		return e
	}
	return pyMark + e
}

// unmarkReceiver returns the type expression in a Ref.Recv, without its mark; an unknown type is "".
func unmarkReceiver(typ string) string {
	if typ == pyUnknown {
		return ""
	}
	return strings.TrimPrefix(typ, pyMark)
}

// isKnown reports whether a type expression names a type.
func isKnown(e string) bool { return e != "" && e != "?" }

// valueExpr returns the type of a value as a type expression.
func (p *python) valueExpr(n node) string { return p.exprAt(n, 0) }

func (p *python) exprAt(n node, depth int) string {
	if depth++; depth > maxPyDepth {
		return ""
	}
	switch p.kind(n) {
	case pyIdentifier:
		return p.nameExpr(n)
	case pyAttribute:
		return p.attributeExpr(n, depth)
	case pyCall:
		return p.callExpr(n, depth)
	case pySubscript:
		if isTypingForm(p.str(p.child(n, pyfValue))) {
			return unmarkReceiver(p.annotation(n)) // a name for a type
		}
		index := 0
		if i := p.child(n, pyfSubscript); p.kind(i) == pyInteger {
			index, _ = strconv.Atoi(p.str(i))
		}
		return pytype.Item(p.exprAt(p.child(n, pyfValue), depth), min(max(index, 0), 9))
	case pyParenthesized, pyAwait:
		return p.exprAt(p.firstNamed(n), depth)
	case pyNamed:
		return p.exprAt(p.child(n, pyfValue), depth)
	case pyConditional:
		a := p.firstNamed(n)
		return pytype.DropUnknown(pytype.Common(p.exprAt(a, depth), p.exprAt(p.nextNamed(p.nextNamed(a)), depth)))
	case pyBoolean:
		a := p.firstNamed(n)
		return pytype.DropUnknown(pytype.Common(p.exprAt(a, depth), p.exprAt(p.nextNamed(a), depth)))
	case pyList, pySet:
		return "[" + cmp.Or(p.elementsType(n, depth), "?") + "]"
	case pyTuple:
		return p.tupleExpr(n, depth)
	case pyDict:
		return p.dictExpr(n, depth)
	case pyListComp, pySetComp, pyGenerator:
		return "[?]"
	case pyDictComp:
		return "{?:?}"
	}
	return p.literalType(n)
}

// elementsType returns the type that all elements of a literal have.
func (p *python) elementsType(n node, depth int) (e string) {
	for c := p.firstNamed(n); c != none && e != "?"; c = p.nextNamed(c) {
		if k := p.kind(c); k != pyComment && k != pyNone {
			e = pytype.Common(e, p.exprAt(c, depth))
		}
	}
	return e
}

// maxParts is the largest number of elements of a tuple whose types are kept.
const maxParts = 6

func (p *python) tupleExpr(n node, depth int) string {
	var list []string
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if len(list) == maxParts || p.kind(c) == pyListSplat {
			return "[?]"
		}
		list = append(list, cmp.Or(p.exprAt(c, depth), "?"))
	}
	return "(" + strings.Join(list, ",") + ")"
}

func (p *python) dictExpr(n node, depth int) string {
	e := ""
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == pyPair {
			e = pytype.Common(e, p.exprAt(p.child(c, pyfValue), depth))
		}
	}
	return "{?:" + cmp.Or(e, "?") + "}"
}

// nameExpr returns the type of a plain name.
func (p *python) nameExpr(n node) string {
	name := p.str(n)
	b := p.lookup(name)
	switch {
	case b == nil:
		if p.wildcard && !builtin.Python(name) {
			return name
		}
		return ""
	case name == p.self && p.names.top[name] == p.selfAt:
		return p.classPath()
	case b.what == bindImport, b.what == bindTop && b.typ == "":
		return name
	case b.what == bindNested && b.typ == "":
		return "" // nested in a function, so that no other file sees it
	}
	return unmarkReceiver(b.typ)
}

// classPath returns the dotted name of the enclosing class, or "" if the class is not reachable
// from the top level of the file.
func (p *python) classPath() string {
	if p.classAt < 0 || int(p.classAt) >= len(p.facts.Symbols) {
		return ""
	}
	s := &p.facts.Symbols[p.classAt]
	for up := s.Parent; up >= 0; up = p.facts.Symbols[up].Parent {
		if !p.facts.Symbols[up].Kind.IsType() {
			return ""
		}
	}
	return s.Qualified
}

func (p *python) attributeExpr(n node, depth int) string {
	e := p.exprAt(p.child(n, pyfObject), depth)
	if e == "" || pytype.IsContainer(e) {
		return ""
	}
	return e + "." + p.fieldStr(n, pyfAttribute)
}

// callExpr returns the type of the result of a call.
func (p *python) callExpr(n node, depth int) string {
	f := p.child(n, pyfFunction)
	switch {
	case p.makesType(n):
		return ""
	case lastPart(p.str(f)) == "cast":
		if args := p.child(n, pyfArguments); p.nextNamed(p.firstNamed(args)) != none {
			return unmarkReceiver(p.annotation(p.firstNamed(args)))
		}
	}
	if p.isSuper(n) {
		if c := p.classPath(); c != "" {
			return c + "<"
		}
		return ""
	}
	switch p.kind(f) {
	case pyIdentifier:
		if name := p.str(f); p.lookup(name) == nil && builtin.Python(name) {
			return p.builtinExpr(n, name, depth)
		}
	case pyAttribute:
		if e := p.exprAt(p.child(f, pyfObject), depth); pytype.IsContainer(e) {
			return pytype.Call(e, p.fieldStr(f, pyfAttribute))
		}
	}
	if e := p.exprAt(f, depth); e != "" && !pytype.IsContainer(e) {
		return e + "()"
	}
	return ""
}

// builtinExpr returns the type of the result of a builtin function.
func (p *python) builtinExpr(call node, name string, depth int) string {
	arg := p.firstNamed(p.child(call, pyfArguments))
	switch name {
	case "list", "set", "sorted", "reversed", "iter", "frozenset", "tuple":
		return "[" + cmp.Or(pytype.Loop(p.exprAt(arg, depth)), "?") + "]"
	case "next":
		return pytype.Loop(p.exprAt(arg, depth))
	case "enumerate":
		return "[(int," + cmp.Or(pytype.Loop(p.exprAt(arg, depth)), "?") + ")]"
	case "zip":
		a, b := pytype.Loop(p.exprAt(arg, depth)), pytype.Loop(p.exprAt(p.nextNamed(arg), depth))
		return "[(" + cmp.Or(a, "?") + "," + cmp.Or(b, "?") + ")]"
	case "getattr":
		if e, s := p.exprAt(arg, depth), p.stringValue(p.nextNamed(arg)); e != "" && !pytype.IsContainer(e) && isDotted(s) {
			return e + "." + s
		}
	case "dict":
		return "{?:?}"
	case "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dir", "float", "format", "hash",
		"hex", "id", "input", "int", "isinstance", "issubclass", "len", "memoryview", "object", "oct", "open", "ord", "print", "range",
		"repr", "str":
		return "object" // nothing of the repository, whichever it is
	}
	return ""
}

// stringValue returns the text of a string literal.
func (p *python) stringValue(n node) string {
	if p.kind(n) != pyString || p.after(n) != n+4 {
		return ""
	}
	return p.str(p.childKind(n, pyStringContent))
}

// literalType returns the builtin class of a literal.
func (p *python) literalType(n node) string {
	switch p.kind(n) {
	case pyString, pyConcatenated:
		return "str"
	case pyInteger:
		return "int"
	case pyFloat:
		return "float"
	}
	return ""
}

// bindLoop calls bind for the names in the target of a loop, with the types of the elements of a container of type e.
func (p *python) bindLoop(target node, e string, bind func(id node, typ string)) {
	switch p.kind(target) {
	case pyIdentifier:
		bind(target, cmp.Or(markReceiver(e), pyUnknown))
	case pyPatternList, pyTuplePattern, pyTuple, pyListPattern:
		i := 0
		for c := p.firstNamed(target); c != none; c = p.nextNamed(c) {
			if k := p.kind(c); k == pyListSplatPattern || k == pyListSplat {
				e = ""
			}
			p.bindLoop(c, pytype.Item(e, i), bind)
			if i++; i > 9 {
				e = ""
			}
		}
	default:
		p.eachTarget(target, func(id node) { bind(id, pyUnknown) })
	}
}

// asType returns the type of the name after `as`: the value of a context manager, or the
// caught exception class.
func (p *python) asType(target node) string {
	pattern := p.parent(target)
	if p.kind(pattern) != pyAsPattern {
		return ""
	}
	e := p.valueExpr(p.firstNamed(pattern))
	if e == "" || pytype.IsContainer(e) {
		return ""
	}
	if p.kind(p.parent(pattern)) == pyExcept {
		return e
	}
	return e + ".__enter__()"
}

// hint records the type of a symbol's value or result, or of its attribute name.
// Builtin types are left out, because no declaration of the repository is a member of
// them.
func (p *python) hint(symbol int32, name, e string) {
	if symbol < 0 || !isKnown(e) || len(e) > maxRecvExpr {
		return
	}
	p.facts.Types = append(p.facts.Types, code.TypeHint{Symbol: symbol, Name: name, Type: e})
}

// mergeHints sorts the recorded types and leaves one for each symbol or attribute, if
// all that were recorded for it agree.
func (p *python) mergeHints() {
	list := p.facts.Types
	slices.SortStableFunc(list, func(a, b code.TypeHint) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Name, b.Name))
	})
	out := list[:0]
	for i := range list {
		h := list[i]
		if n := len(out); n > 0 && out[n-1].Symbol == h.Symbol && out[n-1].Name == h.Name {
			out[n-1].Type = pytype.Common(out[n-1].Type, h.Type)
			continue
		}
		out = append(out, h)
	}
	says := func(typ string) bool {
		switch typ {
		case code.HintUnknown, "[?]", "{?:?}":
			return false
		case "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "object", "range", "set", "str", "tuple":
			return false
		}
		return true
	}
	out = slices.DeleteFunc(out, func(h code.TypeHint) bool { return h.Name == "" && !says(h.Type) })
	for i := range out {
		if !says(out[i].Type) {
			out[i].Type = code.HintUnknown
		}
	}
	if p.facts.Types = nil; len(out) > 0 {
		p.facts.Types = slices.Clone(out)
	}
}

// hintAttribute records the type of the value that self.x = value assigns to an attribute
// of the enclosing class.
func (p *python) hintAttribute(left, typ, right node) {
	if p.kind(left) != pyAttribute || p.self == "" {
		return
	}
	object := p.child(left, pyfObject)
	if p.kind(object) != pyIdentifier || !p.isSelf(p.str(object)) {
		return
	}
	e := ""
	if typ != none && !isBareQualifier(p.str(typ)) {
		e = unmarkReceiver(p.annotation(typ))
	} else if right != none && p.kind(right) != pyNone {
		e = p.valueExpr(right)
	}
	if name := p.fieldStr(left, pyfAttribute); isKnown(e) || p.classAt < 0 {
		p.hint(p.classAt, name, e)
	} else { // that the class has the attribute is known
		p.facts.Types = append(p.facts.Types, code.TypeHint{Symbol: p.classAt, Name: name, Type: code.HintUnknown})
	}
}

// addResult adds the type of a return or yield to the result types of the function.
func (p *python) addResult(n node) {
	v := p.firstNamed(n)
	if p.result == nil || v == none || p.kind(v) == pyNone {
		return
	}
	e := ""
	switch p.kind(v) {
	case pyPatternList, pyExprList:
		e = p.tupleExpr(v, 0)
	default:
		e = p.valueExpr(v)
	}
	if p.kind(n) == pyYield {
		e = "[" + cmp.Or(e, "?") + "]"
	}
	*p.result = pytype.Common(*p.result, cmp.Or(e, "?"))
}

// recordResult records the result type of a function: the declared type, otherwise
// the type found in its returns, if they agree. For a property it is the type of
// the attribute.
func (p *python) recordResult(n node, symbol int32, declared node, found string) {
	e := found
	if declared != none {
		e = unmarkReceiver(p.annotation(declared))
	}
	if symbol < 0 || !isKnown(e) {
		return
	}
	s := &p.facts.Symbols[symbol]
	if s.Kind == code.KindMethod && s.Parent >= 0 && p.isDecoratedAs(n, "property", "cached_property") {
		p.hint(s.Parent, s.Name, e)
		return
	}
	p.hint(symbol, "", e)
}

// isBareQualifier reports whether an annotation, such as Final, says nothing about the type, so that the value shows it.
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

// pyAnything lists types of the module typing whose values may be of any class.
const pyAnything = " Any object Final ClassVar TypeAlias Optional Union Callable Hashable Iterable Iterator Awaitable AnyStr Generic Protocol" +
	" InitVar Concatenate Never NoReturn TypeGuard "

// namedType returns the type that a dotted name in an annotation stands for, or "" if
// values of any class fit it.
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

// argument returns the type that n, the argument of a generic type, names, or "?" if it names none.
func (p *python) argument(n node) string { return cmp.Or(unmarkReceiver(p.annotation(n)), "?") }

// isDotted reports whether s is a list of identifiers with dots between them.
func isDotted(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '.' && !lexical.IsWord(s[i]) {
			return false
		}
	}
	return s != ""
}

// isTypingForm reports whether a dotted name is one of those in the module typing
// that take types in brackets, such as Optional.
func isTypingForm(name string) bool {
	return strings.Contains(" Optional Union Callable Annotated Type List Dict Tuple Set FrozenSet Sequence Mapping Iterable Iterator Generator"+
		" Literal Awaitable Coroutine MutableMapping MutableSequence Concatenate ClassVar Final ", " "+lastPart(name)+" ")
}

// makesType reports whether a call, such as TypeVar("T"), makes a name for
// a type whose values may be of any class.
func (p *python) makesType(call node) bool {
	return strings.Contains(" TypeVar ParamSpec TypeVarTuple NewType ", " "+lastPart(p.fieldStr(call, pyfFunction))+" ")
}
