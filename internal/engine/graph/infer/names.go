package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// name is the meaning of a plain name at the top level of a file.
func (y *Types) name(s *graph.Site, name string) term {
	if list := y.look.Declared(s.Node.ID, "", name); len(list) > 0 {
		if y.inBlocks(list) {
			return term{}
		}
		return y.value(list)
	}
	for _, id := range y.files.ScopeDeclarers(s.Node, "", name) {
		if list := y.look.Declared(id, "", name); len(list) > 0 {
			return y.value(list)
		}
	}
	for i := range s.Imports {
		if t := y.bound(s, i, name); t.what != termUnknown {
			return t
		}
	}
	for i := range s.Imports {
		if i < len(s.Links) && graph.IsWildcard(&s.Imports[i]) {
			if t := y.offered(s, &s.Links[i], name); t.what != termUnknown && t.what != termOutside {
				return t
			}
			if s.Imports[i].Static {
				if t := y.inType(s.Links[i].File, &s.Imports[i], name); t.what != termUnknown {
					return t
				}
			}
		}
	}
	if strings.Contains(syntaxOf(s.Node.Lang).predeclared, " "+name+" ") {
		return outside(s, name)
	}
	return term{}
}

// outside is something of a name that is not the repository's.
func outside(s *graph.Site, name string) term {
	return term{what: termOutside, site: s, decl: Decl{graph.Def{Name: name}}}
}

// bound is the meaning of a name that the ith import of a file binds, if it does.
func (y *Types) bound(s *graph.Site, i int, name string) term {
	if i >= len(s.Links) {
		return term{}
	}
	imp, link := &s.Imports[i], &s.Links[i]
	for _, n := range imp.Names {
		if n.Alias != name || n.Name == "*" {
			continue
		}
		t := y.imported(s, link, n.Name)
		if t.what == termUnknown && syntaxOf(s.Node.Lang).derefs {
			file, _ := y.k.Renamed(link.File, imp.Spec)
			t = y.inModule(s, moduleTerm{file: file}, n.Name)
		}
		if t.what != termUnknown || !s.Node.Traits().TypeWildcards {
			return t
		}
		return y.inType(link.File, imp, n.Name)
	}
	if whole, spec := y.whole(s, imp, link, name); whole {
		if link.External != "" {
			t := term{what: termOutside}
			if syntaxOf(s.Node.Lang).lends { // where what its functions give matters
				t.site = s
			}
			return t
		}
		m := moduleTerm{file: link.File, dirs: link.Dirs, spec: spec}
		if spec != "" && spec != imp.Spec {
			m.file = y.k.Resolve(s.Node, &code.Import{Spec: spec}).File
		}
		return term{what: termModule, site: s, module: m}
	}
	return term{}
}

// inType is a member that an import takes from a type of a file, whose path is at the end
// of Spec: a static member, a nested type.
func (y *Types) inType(file int64, imp *code.Import, name string) term {
	path := strings.TrimSuffix(imp.Spec, "."+name)
	if imp.Static {
		path = imp.Spec
	}
	for file != 0 && path != "" {
		if list := y.look.Declared(file, path, name); len(list) > 0 {
			return y.value(list)
		}
		_, path, _ = strings.Cut(path, ".")
	}
	return term{}
}

// whole reports whether an import binds a name to a module, and that module's
// name: Python's `import a.b` binds a.
func (y *Types) whole(s *graph.Site, imp *code.Import, link *graph.Link, name string) (ok bool, spec string) {
	if len(imp.Names) > 0 {
		return imp.Alias == name, ""
	}
	switch s.Node.Traits().ModuleName {
	case lang.FirstSegment:
		if imp.Alias != "" {
			return imp.Alias == name, imp.Spec
		}
		first, _, _ := strings.Cut(imp.Spec, ".")
		return first == name, name
	case lang.PackageClause:
		if imp.Alias == "" && len(link.Dirs) > 0 {
			pkg, _ := y.k.PackageName(s.Node, link)
			return pkg == name, ""
		}
	}
	return imp.Alias != "_" && imp.Alias != "." && graph.LocalName(imp) == name, ""
}

// imported is a name taken from where an import leads.
func (y *Types) imported(s *graph.Site, link *graph.Link, name string) term {
	if id, ok := link.Sub(name); ok {
		return term{what: termModule, site: s, module: moduleTerm{file: id}}
	}
	return y.offered(s, link, name)
}

// offered is the meaning of a name in a module, its own or one it passes on.
func (y *Types) offered(s *graph.Site, link *graph.Link, name string) term {
	switch {
	case link.External != "":
		t := outside(s, name)
		t.object = syntaxOf(s.Node.Lang).lends && !link.Std && !isClassName(name)
		return t
	case link.File != 0:
		return y.inModule(s, moduleTerm{file: link.File}, name)
	case len(link.Dirs) > 0:
		return y.inModule(s, moduleTerm{dirs: link.Dirs}, name)
	}
	return term{}
}

// inModule is a member of a module.
func (y *Types) inModule(s *graph.Site, m moduleTerm, name string) term {
	for _, dir := range m.dirs {
		ids := y.files.DirDeclarers(s.Node.Lang, dir, name)
		if of, ok := s.Node.Tested(); ok && dir == code.Dir(s.Node.Path) {
			ids = y.files.ScopeDeclarers(of, "", name)
		}
		for _, id := range ids {
			if list := y.look.Declared(id, "", name); len(list) > 0 {
				return y.value(list)
			}
		}
	}
	if m.file != 0 {
		if t, ok := y.inFile(m.file, name); ok {
			return t
		}
	}
	if m.spec != "" {
		spec := m.spec + "." + name
		if link := y.k.Resolve(s.Node, &code.Import{Spec: spec}); link.File != 0 {
			return term{what: termModule, site: s, module: moduleTerm{file: link.File, spec: spec}}
		}
	}
	return term{}
}

// inFile is the meaning of a name in a file that is used as a module.
func (y *Types) inFile(file int64, name string) (term, bool) {
	if id, declared, ok := y.k.FollowName(file, name); ok {
		if list := y.look.Declared(id, "", declared); len(list) > 0 {
			return y.value(list), true
		}
	} else if home := y.look.Site(file); name == "default" && home != nil && syntaxOf(home.Node.Lang).objects {
		return term{what: termModule, site: home, module: moduleTerm{file: file}}, true // a module of CommonJS
	}
	if id, ok := y.k.Module(file, name); ok {
		if home := y.look.Site(id); home != nil {
			return term{what: termModule, site: home, module: moduleTerm{file: id}}, true
		}
	}
	home := y.look.Site(file)
	if home == nil {
		return term{}, false
	}
	for i := range home.Imports { // a name that comes from outside
		if i < len(home.Links) && home.Links[i].External != "" &&
			slices.ContainsFunc(home.Imports[i].Names, func(n code.ImportName) bool { return n.Alias == name }) {
			return term{what: termOutside}, true
		}
	}
	return term{}, false
}

// value is the meaning of a declared name: types and functions mean themselves, variables and fields their
// type. Of several declarations of one name the last is meant, as in the languages that allow them.
func (y *Types) value(list []Decl) term {
	d := list[len(list)-1]
	switch {
	case d.Kind.IsType(), d.Kind == code.KindTrait:
		return term{what: termType, decl: d}
	case d.Kind.IsFunction():
		return term{what: termFunc, decl: d}
	}
	return y.object(d, y.once(d, func(home *graph.Site) term {
		if hint := y.look.Hint(d.File.ID, d.Ord, ""); hint != "" {
			return y.eval(home, parseExpr(hint))
		}
		return y.eval(home, d.variable())
	}))
}

// once computes the meaning of a declaration in its own file, and keeps it.
func (y *Types) once(d Decl, f func(home *graph.Site) term) term {
	key := d.id()
	t, ok := y.decls[key]
	if !ok {
		y.decls[key] = term{}
		if home := y.look.Site(d.File.ID); home != nil {
			t = f(home)
		}
		y.decls[key] = t
	}
	return t
}
