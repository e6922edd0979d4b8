package infer

import "slices"

// member is the type of a member of t.
func (y *Types) member(t term, name string) term { return y.memberFor(t, name, false) }

// memberFor is member, for a member that is called or one that is not.
func (y *Types) memberFor(t term, name string, called bool) term {
	if t.what == termEither {
		return y.first(&t, func(part term) term { return y.memberFor(part, name, called) })
	}
	if list := y.objectMember(t, name); len(list) > 0 {
		return y.value(list)
	}
	if name == "?" || name == "await" && !called {
		return y.opened(t, name)
	}
	switch t.what {
	case termOutside:
		switch {
		case generic(t):
			if made := syntaxOf(t.site.Node.Lang).made(t.decl.Name, name); called && made != "" {
				return term{what: termCallable, site: t.site, args: []*expr{{op: opMade, name: made}}}
			}
			return given(t)
		case len(t.args) > 0: // it may be of a type it was made for
			return term{}
		case t.site != nil && t.what == termOutside && t.decl.Name == "": // a module
			return outside(t.site, name)
		case t.decl.Name != "":
			return memberOutside(t)
		}
		return t
	case termMap:
		if !called && syntaxOf(t.site.Node.Lang).objects && name != "size" {
			return y.eval(t.site, t.args[1]) // a record
		}
	case termModule:
		return y.inModule(t.site, t.module, name)
	case termType, termAbove:
		line := y.lineage(t)
		for _, a := range line.types {
			if hint := y.look.Hint(a.File.ID, a.Ord, name); hint != "" {
				if home := y.look.Site(a.File.ID); home != nil {
					return y.eval(home, parseExpr(hint))
				}
			}
			if list := y.membersOf(a, name); len(list) > 0 {
				return y.through(&t, &a, list, called)
			}
		}
		if to := y.pointed(t); to.what != termUnknown && y.depth < maxDepth {
			y.depth++
			defer func() { y.depth-- }()
			return y.memberFor(to, name, called)
		}
		known := line.outside && !line.unknown && !t.decl.File.Traits().OpenMembers
		if known && syntaxOf(t.decl.File.Lang).generic == nil {
			return term{what: termOutside}
		}
	}
	return term{}
}

// through is what declarations of a member of type a mean that is reached through t.
func (y *Types) through(t *term, a *Decl, list []Decl, called bool) term {
	syn := syntaxOf(a.File.Lang)
	if !syn.overloads && !syn.derefs {
		return y.value(list)
	}
	own := slices.DeleteFunc(slices.Clone(list), func(d Decl) bool { return d.Kind.IsFunction() != called })
	if len(own) == 0 {
		own = list
	}
	if !alike(own) {
		return term{}
	}
	got := y.value(own)
	if syn.params == nil {
		return got
	}
	params := syn.params(a)
	if len(params) == 0 {
		return got
	}
	with := &term{what: termType, decl: *a, site: t.site}
	if sameDecl(t.decl, *a) {
		with.args = t.args
	}
	if got.what == termFunc {
		got.of = with
		return got
	}
	if d := own[len(own)-1]; !d.Kind.IsFunction() {
		if home := y.look.Site(d.File.ID); home != nil {
			return y.eval(home, bindParams(d.variable(), params, with))
		}
	}
	return got
}

// alike reports whether functions of one name all give the same.
func alike(list []Decl) bool {
	for i := 1; i < len(list); i++ {
		if !slices.EqualFunc(list[0].results(), list[i].results(), sameExpr) {
			return false
		}
	}
	return true
}

// sameExpr reports whether two expressions are written alike.
func sameExpr(a, b *expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.op != b.op || a.name != b.name || a.index != b.index {
		return false
	}
	return sameExpr(a.of, b.of) && slices.EqualFunc(a.args, b.args, sameExpr)
}

// bindParams is e with the arguments of the type of in the place of its parameters; one
// without argument is what it extends.
func bindParams(e *expr, params []typeParam, of *term) *expr {
	if e == nil {
		return nil
	}
	if e.op == opName {
		for i := range params {
			if params[i].name != e.name {
				continue
			}
			switch {
			case i < len(of.args) && len(of.args) == len(params):
				return &expr{op: opIn, of: of.args[i], term: of}
			case params[i].bound != nil:
				return params[i].bound
			}
			return &expr{}
		}
		return e
	}
	if e.of == nil && len(e.args) == 0 {
		return e
	}
	c := *e
	c.of, c.args = bindParams(e.of, params, of), slices.Clone(e.args)
	for i := range c.args {
		c.args[i] = bindParams(c.args[i], params, of)
	}
	return &c
}

// membersOf are the declarations of a member in a type itself.
func (y *Types) membersOf(d Decl, name string) []Decl {
	container := d.Qualified()
	if list := y.look.Declared(d.File.ID, container, name); len(list) > 0 {
		return list
	}
	if d.File.Traits().DetachedMethods {
		for _, id := range y.files.ScopeDeclarers(d.File, container, name) {
			if list := y.look.Declared(id, container, name); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}
