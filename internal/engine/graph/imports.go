package graph

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// LocalName returns the name by which a file uses a module that it imports as a whole. For a path that ends in a
// major version (a/b/v2) that is the segment before.
func LocalName(imp *code.Import) string {
	if imp.Alias != "" {
		return imp.Alias
	}
	base := path.Base(imp.Spec)
	if isMajorVersion(base) {
		if above := path.Dir(imp.Spec); above != "." {
			return path.Base(above)
		}
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		return base[:i]
	}
	return base
}

// isMajorVersion reports whether a path segment is a version of the segment before it: v2 and above, because v0 and
// v1 have no such segment.
func isMajorVersion(segment string) bool {
	switch digits, ok := strings.CutPrefix(segment, "v"); digits {
	case "", "0", "1":
		return false
	default:
		return ok && strings.Trim(digits, "0123456789") == ""
	}
}

// IsWildcard reports whether an import brings in all names of its target.
func IsWildcard(imp *code.Import) bool {
	return imp.Alias == "." || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == "*" && n.Alias == "*" })
}

// ExportedName returns the name that the imported module has for what a reference through the import means: "default" for
// the local name of a default import and for a module of CommonJS itself, else the name of the reference.
func ExportedName(imp *code.Import, r *code.Ref) string {
	if r.Via == code.ViaModule {
		return "default"
	}
	for _, n := range imp.Names {
		if n.Alias == r.Name && n.Name == "default" {
			return "default"
		}
	}
	return r.Name
}

// RelayKey returns the key of a probe, which a file stores for each path that its links depend on. This one marks a file that passes the
// names of the file at path on to its own importers.
func RelayKey(path string) string { return "relay:" + path }

// DeclKey returns the key of a probe (see RelayKey) of a Python file that
// imports name from the package at path. The name is a submodule unless that
// file declares it.
func DeclKey(path, name string) string { return "decl:" + name + ":" + path }

// relays reports whether a file passes names of an imported file on to its own importers: by a re-export, a wildcard
// import, an entry in its export list or, in Python, any import of a name.
func relays(n Node, imp *code.Import, exports []code.Export, i int32) bool {
	traits := n.Traits()
	if imp.Kind == code.ImportReexport || IsWildcard(imp) && !traits.PrivateWildcards {
		return true
	}
	if traits.PassesImports {
		return len(imp.Names) > 0 || traits.SpeaksForDirectory(path.Base(n.Path))
	}
	for k := range exports {
		e := &exports[k]
		bound := func(m code.ImportName) bool { return m.Alias == e.Local }
		if e.From == i || e.From < 0 && e.Local != "" && slices.ContainsFunc(imp.Names, bound) {
			return true
		}
	}
	return false
}

// Offers returns the names that a file passes on to its importers: exports that differ from its own declarations, and
// imported names. The keys identify the origin of each name, as far as the file itself shows it; the values are the
// names that importers see.
func Offers(n Node, f *code.Facts) map[string]string {
	out := map[string]string{}
	for i := range f.Exports {
		e := &f.Exports[i]
		from := ""
		if e.From >= 0 && int(e.From) < len(f.Imports) {
			from = f.Imports[e.From].Spec
		}
		out["e\x00"+e.Name+"\x00"+e.Local+"\x00"+from] = e.Name
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		if !relays(n, imp, f.Exports, int32(i)) {
			continue
		}
		for _, m := range imp.Names {
			out["i\x00"+m.Alias+"\x00"+m.Name+"\x00"+imp.Spec] = m.Alias
		}
	}
	return out
}

// RelayedNames returns the names that importers of a file see and that come from its ith import, "*" for all.
func RelayedNames(n Node, f *code.Facts, i int) []string {
	imp := &f.Imports[i]
	if !relays(n, imp, f.Exports, int32(i)) {
		return nil
	}
	var names []string
	for _, m := range imp.Names {
		names = append(names, m.Alias)
	}
	for k := range f.Exports {
		if e := &f.Exports[k]; e.From == int32(i) || e.From < 0 && slices.Contains(names, e.Local) {
			names = append(names, e.Name)
		}
	}
	return names
}
