package graph

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Namespaces of C# and PHP, and modules of Swift. Their files declare a namespace themselves, independently of
// their paths, and see all declarations of it without an import.

// Space is a namespace that a file sees without naming it.
type Space struct {
	Package string
	// Static is the type whose members the file sees ("using static"), "" for the declarations outside of types.
	Static string
	// Callable limits the namespace to functions and constants, which PHP also searches outside of all namespaces.
	Callable bool
}

// Spaces returns the namespaces that a file sees without naming them, the nearest first: its own and, depending
// on the language, those around it and those that its project imports for all files.
func (k *Linker) Spaces(n Node) []Space { return k.spaces(n, nil) }

// spaces returns the namespaces of Spaces. It adds the hashes of the names that the result depends on to probes, unless probes is nil.
func (k *Linker) spaces(n Node, probes map[uint64]bool) []Space {
	if s, ok := k.seen[n.ID]; ok && probes == nil {
		return s
	}
	var out []Space
	note := func(pkg string, callable bool) {
		out = append(out, Space{Package: pkg, Callable: callable})
		if probes != nil {
			probes[ProbeKey(lang.PackageKey(n.Lang, pkg))] = true
		}
	}
	traits := n.Traits()
	note(n.Package, false)
	switch traits.Fallback {
	case lang.GlobalFallback:
		if n.Package != "" {
			note("", true)
		}
	case lang.OuterNamespaces:
		for pkg := n.Package; pkg != ""; {
			pkg = pkg[:max(strings.LastIndexByte(pkg, '.'), 0)]
			note(pkg, false)
		}
	}
	out = append(out, k.projectUsings(n, probes)...)
	k.seen[n.ID] = out
	return out
}

// projectUsings returns the namespaces that a C# project imports for all of its files (global usings).
func (k *Linker) projectUsings(n Node, probes map[uint64]bool) (out []Space) {
	probed := k.eachProjectUsing(n, func(of Node, imp *code.Import) {
		link := k.resolve(of, imp, probes)
		if s, ok := UsingSpace(imp, &link); ok {
			out = append(out, s)
		}
	})
	for _, key := range probed {
		if probes != nil {
			probes[ProbeKey(key)] = true
		}
	}
	return out
}

// eachProjectUsing calls f for the usings of a file's project, with the file that has them, and returns the names on which they depend.
func (k *Linker) eachProjectUsing(n Node, f func(of Node, imp *code.Import)) (probes []string) {
	u := k.r.ProjectUsings(n.Path, n.Lang)
	for i := range u.Imports {
		f(n, &u.Imports[i])
	}
	for _, path := range u.Files {
		g, ok := k.files.Node(path)
		if !ok {
			continue
		}
		imports := k.globalUsings(g)
		for i := range imports {
			f(g, &imports[i])
		}
	}
	return u.Probes
}

// globalUsings returns the usings of a file that count for all files of its project.
func (k *Linker) globalUsings(n Node) []code.Import {
	list, ok := k.globals[n.ID]
	if !ok {
		list = slices.DeleteFunc(slices.Clone(k.files.Outward(n.ID).Imports), func(m code.Import) bool { return m.Kind != code.ImportReexport })
		k.globals[n.ID] = list
	}
	return list
}

// ProjectAlias returns the full name for which a name stands in all files of a project (global using a = b.c).
func (k *Linker) ProjectAlias(n Node, name string) (spec string, ok bool) {
	k.eachProjectUsing(n, func(_ Node, imp *code.Import) {
		if len(imp.Names) == 1 && imp.Names[0].Alias == name {
			spec, ok = imp.Spec, true
		}
	})
	return spec, ok
}

// UsingSpace returns the namespace that an import makes visible as a whole, and false if it makes none visible.
func UsingSpace(imp *code.Import, link *Link) (Space, bool) {
	if !link.IsPackage || !IsWildcard(imp) {
		return Space{}, false
	}
	s := Space{Package: link.Package}
	if imp.Static {
		s.Static = nestedPath(imp.Spec, link.Package)
	}
	return s, true
}

// nestedPath returns the part of a name after its namespace: "Outer.Inner" for "A.Outer.Inner" in A, and for "B.Outer.Inner" in A.B, of
// which a using inside of A names the end.
func nestedPath(spec, pkg string) string {
	for end := pkg; end != ""; _, end, _ = strings.Cut(end, ".") {
		if rest, ok := strings.CutPrefix(spec, end+"."); ok {
			return rest
		}
	}
	return strings.TrimLeft(strings.TrimPrefix(spec, pkg), `.\`)
}

// Container returns the type that encloses a fully named import: "Outer" for
// "A.Outer.Inner" in A.
func Container(imp *code.Import, link *Link) string {
	in := nestedPath(imp.Spec, link.Package)
	return in[:max(strings.LastIndexByte(in, '.'), 0)]
}

// Declarers returns the files of a namespace that declare a name and that file n can see. If it sees none, it returns
// all, because a project may be built in ways that its files do not show.
func (k *Linker) Declarers(n Node, pkg, container, name string) []int64 {
	files := k.files.ScopeDeclarers(Node{Path: n.Path, Lang: n.Lang, Package: pkg}, container, name)
	if !n.Traits().ProjectReferences || len(files) == 0 {
		return files
	}
	seen := slices.DeleteFunc(slices.Clone(files), func(id int64) bool {
		t, ok := k.files.NodeByID(id)
		return !ok || !k.Sees(n, t.Path)
	})
	if len(seen) > 0 {
		return seen
	}
	return files
}

// inSpace returns the files that declare a name directly in a namespace.
func (k *Linker) inSpace(n Node, s Space, name string) []int64 {
	return k.Declarers(n, s.Package, s.Static, name)
}

// Offers reports whether declarations of a kind are visible through a namespace.
func (s *Space) Offers(k code.Kind) bool {
	return !s.Callable || !k.IsType() && k != code.KindVariable
}

// mayHold reports whether a reference may mean a declaration of the namespace; container is the type around the name, "" for none.
func (s *Space) mayHold(container string, r *code.Ref) bool {
	if container != "" {
		return s.Static == "" && !s.Callable
	}
	return !s.Callable || r.Kind == code.RefCall || r.Kind == code.RefUse
}

// linkNamespaceUses adds the edges to files whose declarations a file uses without an import, because they share a
// namespace or the project imports it for all files.
func (l *fileLinker) linkNamespaceUses() {
	type want struct{ container, name string }
	spaces := l.spaces(l.n, l.probes)
	seen := map[want]bool{}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		w := want{name: r.Name}
		switch r.Via {
		case code.ViaBare:
		case code.ViaSelf, code.ViaTyped:
			if w.container, _, _ = strings.Cut(r.Recv, code.AlsoType); strings.ContainsAny(w.container, `.\`) {
				continue
			}
		default:
			continue
		}
		if seen[w] {
			continue
		}
		seen[w] = true
		if l.files.Declares(l.n.ID, w.container, w.name) {
			continue
		}
		for _, s := range spaces {
			if !s.mayHold(w.container, r) {
				continue
			}
			files := l.Declarers(l.n, s.Package, w.container+s.Static, w.name)
			for _, t := range files {
				l.edge(t, code.RelUses, code.ImportResolved)
			}
			if len(files) > 0 {
				break
			}
		}
	}
}

// linkNamespaceImport adds the edges of an import that names a namespace or a declaration in one: to the files that
// declare the used names.
func (l *fileLinker) linkNamespaceImport(imp *code.Import, link *Link, names []string) {
	if s, ok := UsingSpace(imp, link); ok {
		if s.Static != "" { // to the type itself, whichever of its members are used
			names = []string{code.LastSegment(s.Static)}
			s.Static = Container(imp, link)
		} else {
			names = l.bareNames()
		}
		for _, name := range names {
			l.importEdges(l.inSpace(l.n, s, name))
		}
		return
	}
	for _, name := range names {
		l.importEdges(l.Declarers(l.n, link.Package, Container(imp, link), name))
	}
}

func (l *fileLinker) importEdges(files []int64) {
	for _, t := range files {
		l.edge(t, code.RelImports, code.ImportResolved)
	}
}

// namespaceDeclarers returns the files that declare a type of this name in the namespaces that the file sees; none for
// a language without namespaces.
func (l *fileLinker) namespaceDeclarers(name string) []int64 {
	if l.traits.Scope != lang.NamespaceScope {
		return nil
	}
	for _, s := range l.spaces(l.n, nil) {
		if files := l.inSpace(l.n, s, name); len(files) > 0 && !s.Callable {
			return files
		}
	}
	return nil
}
