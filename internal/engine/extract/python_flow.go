package extract

import (
	"slices"
	"strings"
)

// maxNoted is the largest number of values of one kind that are kept for a name.
// More are ignored, because the first ones are usually enough.
const maxNoted = 64

// appendBounded appends v unless the list has maxNoted elements.
func appendBounded[T any](list []T, v T) []T {
	if len(list) == maxNoted {
		return list
	}
	return append(list, v)
}

// fileFlow returns the table of values that the file assigns to names. It builds the table at the first call.
func (p *python) fileFlow() *pyFlow {
	if p.flow == nil {
		f := &pyFlow{
			p: p, scopes: map[node]*pyScope{}, sites: map[string][]pyValue{}, decorators: map[string][]pyValue{},
			attrSets: map[string][]pyAttrSet{}, following: map[pyScopedNode]bool{}, budget: maxFlow + flowShare*len(p.nodes),
		}
		top := f.scope(root, nil, false)
		f.collect(top)
		p.flow = f
	}
	return p.flow
}

func (f *pyFlow) scope(n node, outer *pyScope, class bool) *pyScope {
	sc := &pyScope{n: n, outer: outer, class: class, names: map[string]*pyName{}}
	f.scopes[n] = sc
	return sc
}

func (s *pyScope) name(name string) *pyName {
	n := s.names[name]
	if n == nil {
		n = &pyName{param: -1}
		s.names[name] = n
	}
	return n
}

// collect visits all nodes of the tree and keeps a stack of the enclosing scopes.
func (f *pyFlow) collect(top *pyScope) {
	p := f.p
	type open struct {
		scope *pyScope
		end   node
	}
	stack := []open{{top, p.after(root)}}
	for n := root + 1; n < p.after(root); n++ {
		for n >= stack[len(stack)-1].end {
			stack = stack[:len(stack)-1]
		}
		sc := stack[len(stack)-1].scope
		if inner := f.note(n, sc); inner != nil {
			stack = append(stack, open{inner, p.after(n)})
		}
	}
}

// note records the bindings of one node and returns the scope it opens, if any.
func (f *pyFlow) note(n node, sc *pyScope) *pyScope {
	p := f.p
	switch p.kind(n) {
	case pyFunction:
		sc.name(p.fieldStr(n, pyfName)).defs = appendBounded(sc.name(p.fieldStr(n, pyfName)).defs, n)
		inner := f.scope(n, sc, false)
		inner.method = sc.class && !p.isStatic(n)
		f.params(inner, p.child(n, pyfParameters))
		return inner
	case pyLambda:
		inner := f.scope(n, sc, false)
		f.params(inner, p.child(n, pyfParameters))
		inner.returns = []node{p.child(n, pyfBody)}
		return inner
	case pyClass:
		sc.name(p.fieldStr(n, pyfName)).defs = appendBounded(sc.name(p.fieldStr(n, pyfName)).defs, n)
		return f.scope(n, sc, true)
	case pyAssignment:
		f.assignment(n, sc)
	case pyNamed:
		f.assign(p.child(n, pyfName), pyValue{p.child(n, pyfValue), sc, -1}, sc)
	case pyFor, pyForIn:
		f.loop(p.child(n, pyfLeft), pyValue{p.child(n, pyfRight), sc, -1}, sc)
	case pyReturn:
		if v := p.firstNamed(n); v != none {
			sc.returns = appendBounded(sc.returns, v)
		}
	case pyYield:
		if v := p.firstNamed(n); v != none {
			sc.yields = appendBounded(sc.yields, v)
		}
	case pyGlobal, pyNonlocal:
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			if sc.outside == nil {
				sc.outside = map[string]bool{}
			}
			sc.outside[p.str(c)] = true
		}
	case pyImport, pyImportFrom:
		f.imports(n, sc)
	case pyCall:
		f.call(n, sc)
	case pyDecorator:
		if name := lastPart(p.str(p.firstNamed(n))); name != "" {
			f.decorators[name] = appendBounded(f.decorators[name], pyValue{n, sc, -1})
		}
	}
	return nil
}

// lastPart returns the last part of a dotted name, or "" if s is not a dotted name.
func lastPart(s string) string {
	if !isDotted(s) {
		return ""
	}
	return s[strings.LastIndexByte(s, '.')+1:]
}

func (f *pyFlow) params(sc *pyScope, list node) {
	p := f.p
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		name, _, value := p.paramParts(c)
		star := 0
		switch p.kind(name) {
		case pyListSplatPattern:
			name, star = p.firstNamed(name), 1
		case pyDictSplatPattern:
			name, star = p.firstNamed(name), 2
		}
		if p.kind(name) != pyIdentifier {
			continue
		}
		at := sc.name(p.str(name))
		at.param, at.star = len(sc.params), star
		sc.params = append(sc.params, p.str(name))
		if value != none {
			at.values = appendBounded(at.values, pyValue{value, sc.outer, -1})
		}
	}
}

func (f *pyFlow) assignment(n node, sc *pyScope) {
	p := f.p
	right := p.child(n, pyfRight)
	for p.kind(right) == pyAssignment {
		right = p.child(right, pyfRight)
	}
	if right == none {
		return
	}
	left, v := p.child(n, pyfLeft), pyValue{right, sc, -1}
	switch p.kind(left) {
	case pyIdentifier, pyPatternList, pyTuplePattern, pyListPattern:
		f.assign(left, v, sc)
	case pyAttribute:
		f.attribute(left, v, sc)
	case pySubscript:
		if object := p.child(left, pyfValue); p.kind(object) == pyIdentifier {
			at := f.owner(sc, p.str(object)).name(p.str(object))
			at.items = appendBounded(at.items, pyItem{p.literalKey(p.child(left, pyfSubscript)), v})
		}
	}
}

// owner returns the scope in which name is bound by an assignment inside scope sc.
func (f *pyFlow) owner(sc *pyScope, name string) *pyScope {
	for s := sc; s != nil; s = s.outer {
		if !s.outside[name] && s.names[name] != nil {
			return s
		}
	}
	return sc
}

// assign binds the names on the left side of an assignment to the value v or to its elements.
func (f *pyFlow) assign(target node, v pyValue, sc *pyScope) {
	p := f.p
	switch p.kind(target) {
	case pyIdentifier:
		name := p.str(target)
		for sc.outside[name] && sc.outer != nil {
			if sc = sc.outer; sc.outer == nil || sc.names[name] != nil {
				break
			}
		}
		at := sc.name(name)
		at.values = appendBounded(at.values, v)
	case pyPatternList, pyTuplePattern, pyListPattern:
		i := 0
		for c := p.firstNamed(target); c != none; c = p.nextNamed(c) {
			switch {
			case v.part >= 0:
				return // nested: not followed, because one index cannot express more
			case p.kind(c) == pyListSplatPattern:
				f.assign(p.firstNamed(c), v, sc) // a list of elements, not an element; its own elements are still right
			default:
				f.assign(c, pyValue{v.n, v.scope, i}, sc)
			}
			i++
		}
	}
}

func (f *pyFlow) loop(target node, v pyValue, sc *pyScope) {
	if f.p.kind(target) == pyIdentifier {
		at := sc.name(f.p.str(target))
		at.loops = appendBounded(at.loops, v)
	}
}

// attribute records the assignment object.name = value.
func (f *pyFlow) attribute(left node, v pyValue, sc *pyScope) {
	p := f.p
	object, name := p.child(left, pyfObject), p.fieldStr(left, pyfAttribute)
	if p.kind(object) != pyIdentifier {
		return
	}
	if sc.method && len(sc.params) > 0 && sc.params[0] == p.str(object) {
		class := sc.outer
		if class.attrs == nil {
			class.attrs = map[string][]pyValue{}
		}
		class.attrs[name] = appendBounded(class.attrs[name], v)
		return
	}
	f.attrSets[name] = appendBounded(f.attrSets[name], pyAttrSet{object, v})
}

func (f *pyFlow) imports(n node, sc *pyScope) {
	p := f.p
	for _, b := range p.importBindings(n) {
		at := sc.name(b.name)
		if at.imp == nil {
			at.imp = &b
		}
	}
}

// call records a call under the name of the called function, and the values that it appends to a list.
func (f *pyFlow) call(n node, sc *pyScope) {
	p := f.p
	fn := p.child(n, pyfFunction)
	name := ""
	switch p.kind(fn) {
	case pyIdentifier:
		name = p.str(fn)
	case pyAttribute:
		name = p.fieldStr(fn, pyfAttribute)
		object := p.child(fn, pyfObject)
		arg := p.firstNamed(p.child(n, pyfArguments))
		if name == "append" && p.kind(object) == pyIdentifier && arg != none {
			at := f.owner(sc, p.str(object)).name(p.str(object))
			at.items = appendBounded(at.items, pyItem{"", pyValue{arg, sc, -1}})
		}
	default:
		return
	}
	f.sites[name] = appendBounded(f.sites[name], pyValue{n, sc, -1})
}

// literalKey returns the text of a key that is a literal, or "" if n is no literal.
func (p *python) literalKey(n node) string {
	switch p.kind(n) {
	case pyString:
		if p.after(n) == n+4 {
			return p.str(p.childKind(n, pyStringContent))
		}
	case pyInteger:
		return "#" + p.str(n)
	}
	return ""
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
