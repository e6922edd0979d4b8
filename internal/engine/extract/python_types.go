package extract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
)

// The types of values are expressions (code.RecvExpr), with their mark where a
// class's name would do too (binding.typ, Ref.Recv), else without.

const (
	pyMark = code.RecvExpr
	// maxPyDepth bounds how deep an expression is looked into.
	maxPyDepth = 12
)

// marked is an expression as a receiver: a plain name needs no mark.
func marked(e string) string {
	if e == "" || len(e) > maxRecvExpr || isDotted(e) && !strings.Contains(e, ".") {
		if len(e) > maxRecvExpr {
			return ""
		}
		return e
	}
	return pyMark + e
}

// unmarked is the reverse of marked; what is not known is "".
func unmarked(typ string) string {
	if typ == pyUnknown {
		return ""
	}
	return strings.TrimPrefix(typ, pyMark)
}

// isContainer reports whether a type is a list, dict or tuple of something.
func isContainer(e string) bool { return e != "" && strings.IndexByte("[{(", e[0]) >= 0 && closes(e) }

// closes reports whether the bracket e begins with closes at its end.
func closes(e string) bool {
	depth := 0
	for i := 0; i < len(e); i++ {
		switch e[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			if depth--; depth == 0 {
				return i == len(e)-1
			}
		}
	}
	return false
}

// parts are what a container is made of, split at its own commas or colon.
func parts(e string) (out []string) {
	depth, from := 0, 1
	for i := 1; i < len(e)-1; i++ {
		switch e[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',', ':':
			if depth == 0 {
				out = append(out, e[from:i])
				from = i + 1
			}
		}
	}
	return append(out, e[from:len(e)-1])
}

func known(e string) string {
	if e == "?" {
		return ""
	}
	return e
}

// itemOf is the type of an element of e, by index or key.
func itemOf(e string, index int) string {
	switch {
	case e == "":
		return ""
	case isContainer(e):
		p := parts(e)
		if e[0] == '(' && index < len(p) {
			return known(p[index])
		}
		return known(p[min(len(p)-1, int(e[0]/'{'))]) // a dict's value, a list's element
	case index > 0:
		return e + "[" + strconv.Itoa(index) + "]"
	}
	return e + "[]"
}

// loopOf is the type of what a loop over e gives.
func loopOf(e string) string {
	switch {
	case e == "":
		return ""
	case isContainer(e):
		return known(parts(e)[0])
	}
	return e + "[k]"
}

// like puts the types of several values together: "" if they differ or none is known.
func like(a, b string) string {
	switch {
	case a == b, b == "":
		return a
	case a == "":
		return b
	}
	return "?"
}

// exprOf is the type of a value.
func (p *python) exprOf(n node) string { return p.exprAt(n, 0) }

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
		index := 0
		if i := p.child(n, pyfSubscript); p.kind(i) == pyInteger {
			index, _ = strconv.Atoi(p.str(i))
		}
		return itemOf(p.exprAt(p.child(n, pyfValue), depth), min(max(index, 0), 9))
	case pyParenthesized, pyAwait:
		return p.exprAt(p.firstNamed(n), depth)
	case pyNamed:
		return p.exprAt(p.child(n, pyfValue), depth)
	case pyConditional:
		a := p.firstNamed(n)
		return known(like(p.exprAt(a, depth), p.exprAt(p.nextNamed(p.nextNamed(a)), depth)))
	case pyBoolean:
		a := p.firstNamed(n)
		return known(like(p.exprAt(a, depth), p.exprAt(p.nextNamed(a), depth)))
	case pyList, pySet:
		return "[" + cmp.Or(p.likeAll(n, depth), "?") + "]"
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

// likeAll is the type all elements of a literal have.
func (p *python) likeAll(n node, depth int) (e string) {
	for c := p.firstNamed(n); c != none && e != "?"; c = p.nextNamed(c) {
		if k := p.kind(c); k != pyComment && k != pyNone {
			e = like(e, p.exprAt(c, depth))
		}
	}
	return e
}

// maxParts is how many parts of a tuple are told.
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
			e = like(e, p.exprAt(p.child(c, pyfValue), depth))
		}
	}
	return "{?:" + cmp.Or(e, "?") + "}"
}

// nameExpr is the type of a plain name.
func (p *python) nameExpr(n node) string {
	name := p.str(n)
	b := p.lookup(name)
	switch {
	case b == nil:
		return "" // of a wildcard import, perhaps; or a builtin
	case name == p.self && p.names.top[name] == p.selfAt:
		return p.classPath()
	case b.what == bindImport, b.what == bindTop && b.typ == "":
		return name
	case b.what == bindNested && b.typ == "":
		return "" // nested in a function: no other file sees it
	}
	return unmarked(b.typ)
}

// classPath is the dotted name of the class around, "" if it is not reached
// from the top of the file.
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
	if e == "" || isContainer(e) {
		return ""
	}
	return e + "." + p.fieldStr(n, pyfAttribute)
}

// callExpr is the type of what a call gives.
func (p *python) callExpr(n node, depth int) string {
	f := p.child(n, pyfFunction)
	if p.isSuper(n) {
		if c := p.classPath(); c != "" {
			return c + "<"
		}
		return ""
	}
	switch p.kind(f) {
	case pyIdentifier:
		if name := p.str(f); p.lookup(name) == nil && isPythonBuiltin(name) {
			return p.builtinExpr(n, name, depth)
		}
	case pyAttribute:
		if e := p.exprAt(p.child(f, pyfObject), depth); isContainer(e) {
			return containerCall(e, p.fieldStr(f, pyfAttribute))
		}
	}
	if e := p.exprAt(f, depth); e != "" && !isContainer(e) {
		return e + "()"
	}
	return ""
}

// builtinExpr is what a call of a builtin function gives.
func (p *python) builtinExpr(call node, name string, depth int) string {
	arg := p.firstNamed(p.child(call, pyfArguments))
	switch name {
	case "list", "set", "sorted", "reversed", "iter", "frozenset", "tuple":
		return "[" + cmp.Or(loopOf(p.exprAt(arg, depth)), "?") + "]"
	case "next":
		return loopOf(p.exprAt(arg, depth))
	case "enumerate":
		return "[(int," + cmp.Or(loopOf(p.exprAt(arg, depth)), "?") + ")]"
	case "zip":
		a, b := loopOf(p.exprAt(arg, depth)), loopOf(p.exprAt(p.nextNamed(arg), depth))
		return "[(" + cmp.Or(a, "?") + "," + cmp.Or(b, "?") + ")]"
	case "getattr":
		if e, s := p.exprAt(arg, depth), p.stringValue(p.nextNamed(arg)); e != "" && !isContainer(e) && isDotted(s) {
			return e + "." + s
		}
	case "dict":
		return "{?:?}"
	case "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dir", "float", "format", "hash",
		"hex", "id", "input", "int", "isinstance", "issubclass", "len", "memoryview", "object", "oct", "open", "ord", "print", "range",
		"repr", "str":
		return "object" // nothing of the repository, whatever it is
	}
	return ""
}

// stringValue is the text of a string literal.
func (p *python) stringValue(n node) string {
	if p.kind(n) != pyString || p.after(n) != n+4 {
		return ""
	}
	return p.str(p.childOf(n, pyStringContent))
}

// containerCall is what a method of a list, dict or tuple gives.
func containerCall(e, method string) string {
	p := parts(e)
	if e[0] == '{' && len(p) == 2 {
		switch method {
		case "values":
			return "[" + p[1] + "]"
		case "keys":
			return "[" + p[0] + "]"
		case "items":
			return "[(" + p[0] + "," + p[1] + ")]"
		case "get", "pop", "setdefault":
			return known(p[1])
		}
	}
	switch method {
	case "copy":
		return e
	case "pop":
		return known(p[0])
	}
	return ""
}

// literalType is the builtin class of a literal.
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

// bindLoop binds the names of a loop's target to what the loop gives.
func (p *python) bindLoop(target node, e string, bind func(id node, typ string)) {
	switch p.kind(target) {
	case pyIdentifier:
		bind(target, cmp.Or(marked(e), pyUnknown))
	case pyPatternList, pyTuplePattern, pyTuple, pyListPattern:
		i := 0
		for c := p.firstNamed(target); c != none; c = p.nextNamed(c) {
			if k := p.kind(c); k == pyListSplatPattern || k == pyListSplat {
				e = ""
			}
			p.bindLoop(c, itemOf(e, i), bind)
			if i++; i > 9 {
				e = ""
			}
		}
	default:
		p.eachTarget(target, func(id node) { bind(id, pyUnknown) })
	}
}

// asType is the type of the name after `as`: what a context manager gives, or an
// exception of the class caught.
func (p *python) asType(target node) string {
	pattern := p.parent(target)
	if p.kind(pattern) != pyAsPattern {
		return ""
	}
	e := p.exprOf(p.firstNamed(pattern))
	if e == "" || isContainer(e) {
		return ""
	}
	if p.kind(p.parent(pattern)) == pyExcept {
		return e
	}
	return e + ".__enter__()"
}

// hint records what a symbol gives or holds, or what an attribute of a class
// does. Builtin types are left out: nothing of the repository is a member.
func (p *python) hint(symbol int32, name, e string) {
	if symbol < 0 || e == "" || e == "?" || len(e) > maxRecvExpr {
		return
	}
	p.facts.Types = append(p.facts.Types, code.TypeHint{Symbol: symbol, Name: name, Type: e})
}

// settleHints puts the hints in order, one for each thing: the type all agree
// on, if any.
func (p *python) settleHints() {
	list := p.facts.Types
	slices.SortStableFunc(list, func(a, b code.TypeHint) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Name, b.Name))
	})
	out := list[:0]
	for i := range list {
		h := list[i]
		if n := len(out); n > 0 && out[n-1].Symbol == h.Symbol && out[n-1].Name == h.Name {
			out[n-1].Type = like(out[n-1].Type, h.Type)
			continue
		}
		out = append(out, h)
	}
	out = slices.DeleteFunc(out, func(h code.TypeHint) bool {
		return h.Type == "?" || h.Type == "[?]" || h.Type == "{?:?}" || isPythonClass(h.Type)
	})
	if p.facts.Types = nil; len(out) > 0 {
		p.facts.Types = slices.Clone(out)
	}
}

// noteAttribute records what is assigned to an attribute of the class around:
// self.x = value.
func (p *python) noteAttribute(left, typ, right node) {
	if p.kind(left) != pyAttribute || p.self == "" {
		return
	}
	object := p.child(left, pyfObject)
	if p.kind(object) != pyIdentifier || p.str(object) != p.self || p.names.top[p.self] != p.selfAt {
		return
	}
	e := ""
	if typ != none {
		e = unmarked(p.annotation(typ))
	} else if right != none && p.kind(right) != pyNone {
		e = p.exprOf(right)
	}
	p.hint(p.classAt, p.fieldStr(left, pyfAttribute), e)
}

// noteResult records what a return or yield gives.
func (p *python) noteResult(n node) {
	v := p.firstNamed(n)
	if p.result == nil || v == none || p.kind(v) == pyNone {
		return
	}
	e := ""
	if p.kind(v) == pyPatternList || p.kind(v) == pyExprList {
		e = p.tupleExpr(v, 0)
	} else {
		e = p.exprOf(v)
	}
	if p.kind(n) == pyYield {
		e = "[" + cmp.Or(e, "?") + "]"
	}
	*p.result = like(*p.result, cmp.Or(e, "?"))
}

// settleResult records what a function gives: what it says, else what its
// returns agree on. A property is an attribute of its class.
func (p *python) settleResult(n node, symbol int32, declared node, found string) {
	e := found
	if declared != none {
		e = unmarked(p.annotation(declared))
	}
	if e == "" || e == "?" || symbol < 0 {
		return
	}
	s := &p.facts.Symbols[symbol]
	if s.Kind == code.KindMethod && s.Parent >= 0 && p.isDecoratedAs(n, "property", "cached_property") {
		p.hint(s.Parent, s.Name, e)
		return
	}
	p.hint(symbol, "", e)
}

// isDecoratedAs reports whether a function has one of the decorators.
func (p *python) isDecoratedAs(n node, names ...string) bool {
	d := p.parent(n)
	if p.kind(d) != pyDecorated {
		return false
	}
	for c := p.firstNamed(d); c != none && p.kind(c) == pyDecorator; c = p.nextNamed(c) {
		s := p.str(p.firstNamed(c))
		if slices.Contains(names, s[strings.LastIndexByte(s, '.')+1:]) {
			return true
		}
	}
	return false
}
