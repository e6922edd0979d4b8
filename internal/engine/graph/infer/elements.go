package infer

// elem returns the element of t under an index or key; for a tuple the one at index.
func (y *Types) elem(t term, index int) term {
	if generic(t) {
		return term{}
	}
	switch t.what {
	case termEither:
		return y.first(&t, func(part term) term { return y.elem(part, index) })
	case termOutside:
		return lent(t)
	case termFunc, termCallable:
		if t.what == termFunc && syntaxFor(t.decl.File.Lang).computed {
			return term{}
		}
		return t // a function with type arguments stays one
	case termList:
		return y.eval(t.site, t.args[0])
	case termMap:
		return y.eval(t.site, t.args[1])
	case termTuple:
		if index < len(t.args) {
			return y.eval(t.site, t.args[index])
		}
	case termType:
		if u := y.under(t); u.what != termUnknown && u.what != termType {
			return y.elem(u, index)
		}
		if m := syntaxFor(t.decl.File.Lang).element; m != "" {
			return y.call(y.member(t, m), 0)
		}
		if syn := syntaxFor(t.decl.File.Lang); syn.generic != nil || syn.computed {
			return term{}
		}
		return t // type arguments
	}
	return term{}
}

// key returns the first value of a loop over t: the keys of a map, the elements of anything else.
func (y *Types) key(t term) term {
	if generic(t) {
		return term{}
	}
	switch t.what {
	case termEither:
		return y.first(&t, y.key)
	case termOutside:
		return lent(t)
	case termMap, termList, termTuple:
		if t.what == termMap && syntaxFor(t.site.Node.Lang).pairLoops {
			return term{what: termTuple, site: t.site, args: t.args}
		}
		if len(t.args) > 0 {
			return y.eval(t.site, t.args[0])
		}
	case termType:
		if u := y.under(t); u.what != termUnknown && u.what != termType {
			return y.key(u)
		}
		if syn := syntaxFor(t.decl.File.Lang); syn.iterator != "" {
			it := y.call(y.member(t, syn.iterator), 0)
			if it.what == termType {
				return y.call(y.member(it, syn.next), 0)
			}
			return y.key(it)
		}
	}
	return term{}
}
