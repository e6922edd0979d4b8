package graph

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// The namespaces of C# and PHP, and the modules of Swift, which paths decide: files of C# and PHP declare their
// namespace themselves, wherever they lie, and see its declarations without an import.

// Space is a namespace whose declarations a file sees.
type Space struct {
	Package string
	// Static is the type whose members are meant ("using static"), "" for declarations outside of types.
	Static string
	// Callable limits it to functions and constants: PHP looks for those outside of all namespaces, too.
	Callable bool
}

// Spaces returns the namespaces a file sees without naming them, the nearest first: its own and, depending on its
// language, those around it and those of its project's usings.
func (k *Linker) Spaces(n Node) []Space { return k.spaces(n, nil) }

// spaces is Spaces that adds the probes of all lookups to probes, unless that is nil.
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

// projectUsings returns the namespaces of the usings that a file's project has (C#).
func (k *Linker) projectUsings(n Node, probes map[uint64]bool) (out []Space) {
	u := k.r.ProjectUsings(n.Path, n.Lang)
	add := func(of Node, imp *code.Import) {
		link := k.resolve(of, imp, probes)
		if s, ok := UsingSpace(imp, &link); ok {
			out = append(out, s)
		}
	}
	for i := range u.Imports {
		add(n, &u.Imports[i])
	}
	for _, f := range u.Files {
		g, ok := k.files.Node(f)
		if !ok {
			continue
		}
		o := k.files.Outward(g.ID)
		for i := range o.Imports {
			if o.Imports[i].Kind == code.ImportReexport {
				add(g, &o.Imports[i])
			}
		}
	}
	for _, key := range u.Probes {
		if probes != nil {
			probes[ProbeKey(key)] = true
		}
	}
	return out
}

// UsingSpace returns the namespace an import makes visible as a whole.
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

// nestedPath returns the part of a full name after its namespace: "Outer.Inner".
func nestedPath(spec, pkg string) string {
	return strings.TrimLeft(strings.TrimPrefix(spec, pkg), `.\`)
}

// Container returns the type around a name that an import names in full: "Outer" for
// "A.Outer.Inner" in A.
func Container(imp *code.Import, link *Link) string {
	in := nestedPath(imp.Spec, link.Package)
	return in[:max(strings.LastIndexByte(in, '.'), 0)]
}

// Declarers returns the files of a namespace that declare a name and that a file can see; all of them if it sees none,
// because a project may be built in ways its file does not show.
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

// inSpace returns the files that declare a plain name in a space.
func (k *Linker) inSpace(n Node, s Space, name string) []int64 {
	return k.Declarers(n, s.Package, s.Static, name)
}

// Offers reports whether a space holds declarations of a kind.
func (s *Space) Offers(k code.Kind) bool {
	return !s.Callable || !k.IsType() && k != code.KindVariable
}

// mayHold reports whether a reference to a name in a container, "" for none, may mean a declaration of the space.
func (s *Space) mayHold(container string, r *code.Ref) bool {
	if container != "" {
		return s.Static == "" && !s.Callable
	}
	return !s.Callable || r.Kind == code.RefCall || r.Kind == code.RefUse
}

// namespaceUses draws the edges to files whose declarations a file uses because it shares a namespace with them, or
// because its project has a using.
func (l *linking) namespaceUses() {
	type want struct{ container, name string }
	spaces := l.spaces(l.n, l.probes)
	seen := map[want]bool{}
	for i := range l.f.Refs {
		r := &l.f.Refs[i]
		w := want{name: r.Name}
		switch r.Via {
		case code.ViaBare:
		case code.ViaSelf, code.ViaTyped:
			if strings.ContainsAny(r.Recv, `.\`) {
				continue
			}
			w.container = r.Recv
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

// namespaceImport draws the edges of an import that names a namespace, or a declaration in one: to the files that
// declare the names used.
func (l *linking) namespaceImport(imp *code.Import, link *Link, names []string) {
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

func (l *linking) importEdges(files []int64) {
	for _, t := range files {
		l.edge(t, code.RelImports, code.ImportResolved)
	}
}

// namespaceDeclarers returns the files of the namespaces a file sees that declare the plain name of a type, none for a
// language without namespaces.
func (l *linking) namespaceDeclarers(name string) []int64 {
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
