package graph

import (
	"slices"

	"ken/internal/code"
)

// packageImport draws edges to the files of a package directory that declare a
// name the importer uses; where none does (a blank import, a method-only use)
// to the first of them.
func (l *linking) packageImport(imp *code.Import, link *Link, names []string) {
	if imp.Alias == "." || slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == "*" }) {
		names = l.bareNames()
	} else if l.traits.PackageImports { // what is imported is used, as a receiver's type if not by name
		for _, n := range imp.Names {
			names = append(names, n.Name)
		}
	}
	hit := false
	for _, name := range names { // of each the likeliest directory: a package may be spread over modules
		for _, dir := range link.Dirs {
			if files := l.inDir(dir, name); len(files) > 0 {
				for _, t := range files {
					l.edge(t, code.RelImports, code.ImportResolved)
				}
				hit = true
				break
			}
		}
	}
	if hit || !l.traits.Scope.InDirectory() {
		return
	}
	for _, dir := range link.Dirs {
		if t, ok := l.files.DirFirst(l.n.Lang, dir); ok {
			l.edge(t, code.RelImports, code.ImportResolved)
			return
		}
	}
}
