package graph

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/resolve"
)

// C#, PHP and Swift (whose modules are told by paths): files say themselves which namespace they belong to, wherever they
// lie, and see what is declared in it without an import.

// namespaced reports whether a language's files share what their namespaces
// declare.
func namespaced(l code.Lang) bool { return l == "csharp" || l == "php" || l == "swift" }

// space is a namespace whose declarations a file sees.
type space struct {
	pkg string
	// static is the type whose members are meant ("using static"), "" for what
	// stands outside types.
	static string
	// callable limits it to functions and constants: PHP looks for those outside
	// any namespace too.
	callable bool
}

// spaces are the namespaces a file sees without naming them, the nearest first:
// its own and, in C#, those around it and what its project's usings name. The
// probes of all that was asked are noted.
func (k *Linker) spaces(n Node, probes map[uint64]bool) []space {
	if s, ok := k.seen[n.ID]; ok && probes == nil {
		return s
	}
	var out []space
	note := func(pkg string, callable bool) {
		out = append(out, space{pkg: pkg, callable: callable})
		if probes != nil {
			probes[ProbeKey(resolve.PackageKey(n.Lang, pkg))] = true
		}
	}
	note(n.Package, false)
	switch n.Lang {
	case "php":
		if n.Package != "" {
			note("", true)
		}
	case "csharp":
		for pkg := n.Package; pkg != ""; {
			pkg = pkg[:max(strings.LastIndexByte(pkg, '.'), 0)]
			note(pkg, false)
		}
		out = append(out, k.implied(n, probes)...)
	}
	k.seen[n.ID] = out
	return out
}

// implied are the namespaces of the usings a C# file's project has.
func (k *Linker) implied(n Node, probes map[uint64]bool) (out []space) {
	u := k.r.Implied(n.Path, n.Lang)
	add := func(of Node, imp *code.Import) {
		link := k.resolve(of, imp, probes)
		if s, ok := usingSpace(imp, &link); ok {
			out = append(out, s)
		}
	}
	for i := range u.Imports {
		add(n, &u.Imports[i])
	}
	for _, f := range u.Files {
		g, ok := k.w.Node(f)
		if !ok {
			continue
		}
		o := k.w.Outward(g.ID)
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

// usingSpace is the namespace an import makes visible as a whole.
func usingSpace(imp *code.Import, link *Link) (space, bool) {
	if !link.IsPackage || !wildcard(imp) {
		return space{}, false
	}
	s := space{pkg: link.Package}
	if imp.Static {
		s.static = nestedPath(imp.Spec, link.Package)
	}
	return s, true
}

// nestedPath is what a full name adds to its namespace: "Outer.Inner".
func nestedPath(spec, pkg string) string {
	return strings.TrimLeft(strings.TrimPrefix(spec, pkg), `.\`)
}

// container is what encloses a name that an import names in full: "Outer" for
// "A.Outer.Inner" in A.
func container(imp *code.Import, link *Link) string {
	in := nestedPath(imp.Spec, link.Package)
	return in[:max(strings.LastIndexByte(in, '.'), 0)]
}

// declaring are the files of a namespace that declare a name and that a file can
// see; all of them if it sees none, because a project may be built in ways its
// file does not tell.
func (k *Linker) declaring(n Node, pkg, container, name string) []int64 {
	files := k.w.ScopeDeclarers(Node{Path: n.Path, Lang: n.Lang, Package: pkg}, container, name)
	if n.Lang != "csharp" || len(files) == 0 {
		return files
	}
	seen := slices.DeleteFunc(slices.Clone(files), func(id int64) bool {
		t, ok := k.w.NodeByID(id)
		return !ok || !k.r.Sees(n.Path, n.Lang, t.Path)
	})
	if len(seen) > 0 {
		return seen
	}
	return files
}

// inSpace are the files that declare a plain name in a space.
func (k *Linker) inSpace(n Node, s space, name string) []int64 {
	return k.declaring(n, s.pkg, s.static, name)
}

// namespaceUses draws the edges to files whose declarations a file uses because
// it shares a namespace with them, or its project a using.
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
		if l.w.Declares(l.n.ID, w.container, w.name) {
			continue
		}
		for _, s := range spaces {
			if w.container != "" && (s.static != "" || s.callable) || s.callable && r.Kind != code.RefCall && r.Kind != code.RefUse {
				continue
			}
			files := l.declaring(l.n, s.pkg, w.container+s.static, w.name)
			for _, t := range files {
				l.edge(t, code.RelUses, code.ImportResolved)
			}
			if len(files) > 0 {
				break
			}
		}
	}
}

// namespaceImport draws the edges of an import that names a namespace, or
// something in one: to the files that declare what is used.
func (l *linking) namespaceImport(imp *code.Import, link *Link, names []string) {
	if s, ok := usingSpace(imp, link); ok {
		if s.static != "" { // to the type itself, whichever of its members are used
			names = []string{lastSegment(s.static)}
			s.static = container(imp, link)
		} else {
			names = l.bareNames()
		}
		for _, name := range names {
			l.importEdges(l.inSpace(l.n, s, name))
		}
		return
	}
	for _, name := range names {
		l.importEdges(l.declaring(l.n, link.Package, container(imp, link), name))
	}
}

func (l *linking) importEdges(files []int64) {
	for _, t := range files {
		l.edge(t, code.RelImports, code.ImportResolved)
	}
}

// namespaceDeclarers are the files that declare the plain name of a type.
func (l *linking) namespaceDeclarers(name string) []int64 {
	for _, s := range l.spaces(l.n, nil) {
		if files := l.inSpace(l.n, s, name); len(files) > 0 && !s.callable {
			return files
		}
	}
	return nil
}
