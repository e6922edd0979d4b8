package extract

import (
	"slices"
	"strconv"

	"ken/internal/code"
)

// pyTarget is a possible value of an expression: a function, a class, an object or a container.
type pyTarget struct {
	def    node      // function, lambda, class, or literal of a list, tuple or dict
	scope  *pyScope  // the scope around def
	object bool      // an object of the class def
	imp    *binding  // imported, def is none
	parts  []pyValue // elements of a value without a literal (*args)
	keys   []string
}

const (
	// maxTargets is the number of targets that one value may have. To find them, at
	// most maxFlow values are followed for one call, and flowShare values per node of
	// the tree for all calls of a file.
	maxTargets = 8
	maxFlow    = 400
	flowShare  = 4
)

// callees records references to the functions that the value fn, which is called, may be.
func (p *python) callees(fn node) {
	f := p.fileFlow()
	clear(f.following)
	f.remaining = min(maxFlow, f.budget)
	f.budget -= f.remaining
	defer func() { f.budget += max(f.remaining, 0) }()
	for _, t := range f.eval(pyValue{fn, f.scopeAround(fn), -1}) {
		p.callee(fn, &t)
	}
}

// maxAround is the number of steps from a call up to the enclosing function. It is
// bounded because in `f()()()…` each call is as deep as all before it.
const maxAround = 200

// scopeAround returns the innermost scope that contains a node.
func (f *pyFlow) scopeAround(n node) *pyScope {
	up := f.p.parent(n)
	for range maxAround {
		if sc := f.scopes[up]; sc != nil {
			return sc
		}
		if up == none || up == root {
			break
		}
		up = f.p.parent(up)
	}
	return f.scopes[root]
}

// callee records a reference from the call of fn to t, one of the functions that it may call.
func (p *python) callee(fn node, t *pyTarget) {
	name := fn
	if p.kind(fn) == pyAttribute {
		name = p.child(fn, pyfAttribute)
	}
	r := code.Ref{Kind: code.RefCall}
	switch {
	case t.imp != nil:
		if t.imp.module {
			return
		}
		r.Name, r.Via, r.Import = t.imp.target, code.ViaImport, t.imp.imp
	case p.kind(t.def) != pyFunction && p.kind(t.def) != pyClass:
		return
	default:
		r.Name = p.fieldStr(t.def, pyfName)
		r.Via = code.ViaBare
		if t.scope.n != root { // the module has no name, and the whole file would be searched for one
			if in := p.fieldStr(t.scope.n, pyfName); in != "" {
				r.Via, r.Recv = code.ViaSelf, in
			}
		}
		if t.object {
			r.Name, r.Via, r.Recv = "__call__", code.ViaTyped, r.Name
		}
	}
	// The walk has referenced a plain name already.
	known := p.kind(name) == pyIdentifier && p.str(name) == r.Name && r.Via != code.ViaSelf
	if r.Name != "" && !known {
		p.ref(name, r)
	}
}

// eval returns the possible values of an expression.
func (f *pyFlow) eval(v pyValue) []pyTarget {
	key := pyScopedNode{v.n, v.scope}
	if v.n == none || v.scope == nil || f.remaining <= 0 {
		return nil
	}
	if v.part < 0 && f.following[key] {
		return nil
	}
	f.remaining--
	f.following[key] = true
	if v.part >= 0 {
		delete(f.following, key)
		return f.items(f.eval(pyValue{v.n, v.scope, -1}), "#"+strconv.Itoa(v.part))
	}
	defer delete(f.following, key)
	p := f.p
	switch p.kind(v.n) {
	case pyIdentifier:
		return f.plain(p.str(v.n), v.scope)
	case pyAttribute:
		return f.member(f.eval(pyValue{p.child(v.n, pyfObject), v.scope, -1}), p.fieldStr(v.n, pyfAttribute))
	case pyCall:
		return f.result(v)
	case pySubscript:
		p := f.p
		object, index := p.child(v.n, pyfValue), p.child(v.n, pyfSubscript)
		if p.kind(index) == pySlice {
			return f.eval(pyValue{object, v.scope, -1})
		}
		return f.item(pyValue{object, v.scope, -1}, p.literalKey(index))
	case pyLambda, pyList, pyTuple, pySet, pyDict, pyExprList:
		return []pyTarget{{def: v.n, scope: v.scope}}
	case pyParenthesized, pyAwait:
		return f.eval(pyValue{p.firstNamed(v.n), v.scope, -1})
	case pyNamed:
		return f.eval(pyValue{p.child(v.n, pyfValue), v.scope, -1})
	case pyConditional:
		a := p.firstNamed(v.n)
		return f.union([]pyValue{{a, v.scope, -1}, {p.nextNamed(p.nextNamed(a)), v.scope, -1}})
	case pyBoolean:
		a := p.firstNamed(v.n)
		return f.union([]pyValue{{a, v.scope, -1}, {p.nextNamed(a), v.scope, -1}})
	}
	return nil
}

func (f *pyFlow) union(list []pyValue) (out []pyTarget) {
	for _, v := range list {
		out = f.join(out, f.eval(v))
	}
	return out
}

// join appends those of more that out does not contain.
func (f *pyFlow) join(out, more []pyTarget) []pyTarget {
	for _, t := range more {
		if len(out) == maxTargets {
			break
		}
		if !slices.ContainsFunc(out, func(o pyTarget) bool {
			return o.def == t.def && o.object == t.object && o.imp == t.imp && len(o.parts) == len(t.parts)
		}) {
			out = append(out, t)
		}
	}
	return out
}

// find returns the binding that a name has in scope sc, and the scope that declares it.
func (f *pyFlow) find(name string, sc *pyScope) (*pyName, *pyScope) {
	for s := sc; s != nil; s = s.outer {
		if s.class && s != sc || s.outside[name] {
			continue
		}
		if n := s.names[name]; n.isBound() {
			return n, s
		}
	}
	return nil, nil
}

// isBound reports whether anything is bound to n, which may be nil.
func (n *pyName) isBound() bool {
	switch {
	case n == nil:
		return false
	case n.param >= 0, n.imp != nil:
		return true
	}
	return len(n.defs)+len(n.values)+len(n.loops) > 0
}

// plain returns the possible values of a plain name.
func (f *pyFlow) plain(name string, sc *pyScope) (out []pyTarget) {
	n, s := f.find(name, sc)
	if n == nil {
		return nil
	}
	if n.imp != nil {
		return []pyTarget{{def: none, imp: n.imp}}
	}
	for _, d := range n.defs {
		out = f.join(out, []pyTarget{{def: d, scope: s}})
	}
	for _, v := range n.values {
		out = f.join(out, f.eval(v))
	}
	for _, v := range n.loops {
		out = f.join(out, f.elements(v))
	}
	if n.param >= 0 {
		out = f.join(out, f.passedValues(n, name, s))
	}
	return out
}

// elements returns the possible values of the variable in a loop over v.
func (f *pyFlow) elements(v pyValue) (out []pyTarget) {
	p := f.p
	if p.kind(v.n) == pyCall {
		fn := p.child(v.n, pyfFunction)
		for _, t := range f.eval(pyValue{fn, v.scope, -1}) {
			if sc := f.scopes[t.def]; t.def != none && sc != nil {
				for _, y := range sc.yields {
					out = f.join(out, f.eval(pyValue{y, sc, -1}))
				}
			}
		}
		if p.kind(fn) == pyAttribute && p.fieldStr(fn, pyfAttribute) == "values" {
			return f.join(out, f.items(f.eval(pyValue{p.child(fn, pyfObject), v.scope, -1}), ""))
		}
	}
	return f.join(out, f.items(f.eval(v), ""))
}

// items returns the possible elements of the containers in under a key, or all elements if the key is "".
func (f *pyFlow) items(in []pyTarget, key string) (out []pyTarget) {
	for _, t := range in {
		keys, values := f.literal(&t)
		for i, v := range values {
			if key == "" || keys[i] == key || keys[i] == "" {
				out = f.join(out, f.eval(v))
			}
		}
	}
	return out
}

// literal lists the elements of a container with their keys, "" if a key is not known.
func (f *pyFlow) literal(t *pyTarget) (keys []string, values []pyValue) {
	p := f.p
	if t.parts != nil {
		return t.keys, t.parts
	}
	if t.def == none || t.imp != nil {
		return nil, nil
	}
	switch p.kind(t.def) {
	case pyList, pyTuple, pySet, pyExprList:
		for c := p.firstNamed(t.def); c != none && len(values) < 8*maxTargets; c = p.nextNamed(c) {
			keys, values = append(keys, "#"+strconv.Itoa(len(keys))), append(values, pyValue{c, t.scope, -1})
		}
	case pyDict:
		for c := p.firstNamed(t.def); c != none && len(values) < 8*maxTargets; c = p.nextNamed(c) {
			if p.kind(c) == pyPair {
				keys, values = append(keys, p.literalKey(p.child(c, pyfKey))), append(values, pyValue{p.child(c, pyfValue), t.scope, -1})
			}
		}
	}
	return keys, values
}

func (f *pyFlow) item(object pyValue, key string) (out []pyTarget) {
	p := f.p
	replaced := false
	if p.kind(object.n) == pyIdentifier {
		if n, _ := f.find(p.str(object.n), object.scope); n != nil {
			for _, it := range n.items {
				known := key != "" && it.key != ""
				if known && it.key != key {
					continue
				}
				out = f.join(out, f.eval(it.v))
				replaced = replaced || known
			}
		}
	}
	if replaced {
		return out
	}
	return f.join(out, f.items(f.eval(object), key))
}

// result returns the possible results of a call.
func (f *pyFlow) result(v pyValue) (out []pyTarget) {
	p := f.p
	fn, args := p.child(v.n, pyfFunction), p.child(v.n, pyfArguments)
	first := p.firstNamed(args)
	if p.kind(fn) == pyAttribute {
		object := pyValue{p.child(fn, pyfObject), v.scope, -1}
		switch p.fieldStr(fn, pyfAttribute) {
		case "get", "pop", "setdefault":
			if out = f.item(object, p.literalKey(first)); len(out) > 0 {
				return out
			}
		}
	}
	if p.kind(fn) == pyIdentifier && p.str(fn) == "getattr" {
		return f.member(f.eval(pyValue{first, v.scope, -1}), p.stringValue(p.nextNamed(first)))
	}
	for _, t := range f.eval(pyValue{fn, v.scope, -1}) {
		if t.def == none {
			continue
		}
		switch p.kind(t.def) {
		case pyClass:
			if !t.object {
				out = f.join(out, []pyTarget{{def: t.def, scope: t.scope, object: true}})
			}
		case pyFunction, pyLambda:
			sc := f.scopes[t.def]
			for _, r := range sc.returns {
				out = f.join(out, f.eval(pyValue{r, sc, -1}))
			}
		}
	}
	return out
}

// member returns the possible values of an attribute of classes and their objects.
func (f *pyFlow) member(of []pyTarget, name string) (out []pyTarget) {
	p := f.p
	for _, t := range of {
		if name == "" || p.kind(t.def) != pyClass {
			continue
		}
		sc := f.scopes[t.def]
		found := f.union(sc.attrs[name])
		for _, s := range f.attrSets[name] {
			if slices.ContainsFunc(f.eval(pyValue{s.object, s.v.scope, -1}), func(o pyTarget) bool { return o.def == t.def }) {
				found = f.join(found, f.eval(s.v))
			}
		}
		if n := sc.names[name]; n != nil {
			for _, d := range n.defs {
				found = f.join(found, []pyTarget{{def: d, scope: sc}})
			}
			found = f.join(found, f.union(n.values))
		}
		if len(found) == 0 {
			for c := p.firstNamed(p.child(t.def, pyfSuperclasses)); c != none; c = p.nextNamed(c) {
				if found = f.member(f.eval(pyValue{c, sc.outer, -1}), name); len(found) > 0 {
					break
				}
			}
		}
		out = f.join(out, found)
	}
	return out
}

// passedValues returns the possible values that the calls of this file pass for a parameter.
func (f *pyFlow) passedValues(n *pyName, name string, sc *pyScope) (out []pyTarget) {
	p := f.p
	if sc.method && n.param == 0 {
		return []pyTarget{{def: sc.outer.n, scope: sc.outer.outer, object: !p.isDecoratedAs(sc.n, "classmethod")}}
	}
	for _, site := range f.callSites(sc) {
		list := p.child(site.n, pyfArguments)
		position := n.param
		if sc.method {
			position--
		}
		var star pyTarget
		i := 0
		for c := p.firstNamed(list); c != none && i < 4*maxNoted; c = p.nextNamed(c) {
			k := p.kind(c)
			switch {
			case k == pyKeywordArg:
				value := pyValue{p.child(c, pyfValue), site.scope, -1}
				if p.fieldStr(c, pyfName) == name && n.star == 0 {
					out = f.join(out, f.eval(value))
				} else if n.star == 2 {
					star.keys, star.parts = append(star.keys, p.fieldStr(c, pyfName)), append(star.parts, value)
				}
				continue
			case n.star == 0 && i == position:
				out = f.join(out, f.eval(pyValue{c, site.scope, -1}))
			case n.star == 1 && i >= position:
				star.keys, star.parts = append(star.keys, "#"+strconv.Itoa(i-position)), append(star.parts, pyValue{c, site.scope, -1})
			}
			i++
		}
		if star.parts != nil {
			star.def = none
			out = f.join(out, []pyTarget{star})
		}
	}
	if !sc.method && n.param == 0 {
		out = f.join(out, f.decoratorTargets(sc))
	}
	return out
}

// callSites returns the calls of this file that may call the function of scope sc. A
// constructor is called under the name of its class.
func (f *pyFlow) callSites(sc *pyScope) (out []pyValue) {
	p := f.p
	def, name := sc.n, p.fieldStr(sc.n, pyfName)
	if name == "__init__" && sc.method {
		def, name = sc.outer.n, p.fieldStr(sc.outer.n, pyfName)
	}
	if p.kind(sc.n) == pyLambda { // a lambda is called by the name it is assigned to
		if a := p.parent(sc.n); p.kind(a) == pyAssignment {
			name = p.fieldStr(a, pyfLeft)
		}
	}
	for _, site := range f.sites[name] {
		if len(out) == 8*maxTargets {
			break
		}
		fn := pyValue{p.child(site.n, pyfFunction), site.scope, -1}
		if slices.ContainsFunc(f.eval(fn), func(t pyTarget) bool { return t.def == def }) {
			out = append(out, site)
		}
	}
	return out
}

// decoratorTargets returns the functions and classes to which a function is applied as a decorator.
func (f *pyFlow) decoratorTargets(sc *pyScope) (out []pyTarget) {
	p := f.p
	for _, m := range f.decorators[p.fieldStr(sc.n, pyfName)] {
		if !slices.ContainsFunc(f.eval(pyValue{p.firstNamed(m.n), m.scope, -1}), func(t pyTarget) bool { return t.def == sc.n }) {
			continue
		}
		if d := p.child(p.parent(m.n), pyfDefinition); d != none {
			out = f.join(out, []pyTarget{{def: d, scope: m.scope}})
		}
	}
	return out
}
