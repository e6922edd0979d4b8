package graph

import (
	"path"

	"ken/internal/code"
	"ken/internal/lang"
)

// PackageDeclKey returns the key of a probe (see RelayKey) of a file that imports a top-level name of a package. Any
// file of the package may declare the name (Kotlin, Scala, Java).
func PackageDeclKey(pkg, name string) string { return DeclKey(lang.PackageKey("java", pkg), name) }

// firstDeclared sets the link of an import that may mean several names to the first one that is declared.
func (k *Linker) firstDeclared(n Node, res *code.Resolution, link *Link, probes map[uint64]bool) {
	for _, d := range res.Nearer {
		near := Link{}
		if k.linkDeclared(n, d, &near, probes); near.Internal() {
			*link = near
			return
		}
	}
	if res.Declared.Name != "" {
		k.linkDeclared(n, res.Declared, link, probes)
	}
}

// declarersIn returns the files that declare a name of a package. Those without a package are found by directory.
func (k *Linker) declarersIn(l code.Lang, d code.PackageMember) []int64 {
	if d.Package != "" {
		return k.files.ScopeDeclarers(Node{Lang: l, Package: d.Package}, "", d.Name)
	}
	var ids []int64
	for _, dir := range k.files.PackageDirs(l, "") {
		ids = append(ids, k.files.ScopeDeclarers(Node{Lang: l, Path: path.Join(dir, "x")}, "", d.Name)...)
	}
	return ids
}

// linkDeclared sets the link of an import to the files that declare a name of a package: to the file in the nearest
// directory, or to the directory if several files there declare it (functions of one name, expected and actual
// declarations).
func (k *Linker) linkDeclared(n Node, d code.PackageMember, link *Link, probes map[uint64]bool) {
	if probes != nil {
		probes[ProbeKey(PackageDeclKey(d.Package, d.Name))] = true
	}
	files := map[string][]int64{}
	var dirs []string
	for _, id := range k.declarersIn(n.Lang, d) {
		t, ok := k.files.NodeByID(id)
		if !ok {
			continue
		}
		dir := code.Dir(t.Path)
		if files[dir] == nil {
			dirs = append(dirs, dir)
		}
		files[dir] = append(files[dir], id)
	}
	if len(dirs) == 0 {
		return
	}
	link.External = ""
	k.r.RankDirs(dirs, code.Dir(n.Path))
	if in := files[dirs[0]]; len(in) == 1 {
		link.File = in[0]
		return
	}
	link.Dirs = dirs[:1]
}
