package relink

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// Renaming is a change of the names that a file declares or passes on.
type Renaming struct {
	File, Was code.File
	Names     map[string]bool
	All       bool // a wildcard or default came, went or leads elsewhere: any name may differ
}

// Any reports whether anything differs.
func (r *Renaming) Any() bool { return len(r.Names) > 0 || r.All }

// Add adds a name that importers see.
func (r *Renaming) Add(name string) {
	if name == "*" || name == "default" {
		r.All = true // importers choose the name
		return
	}
	r.Names[name] = true
}

// followPasses adds the names under which passes pass on the names of r, until there are no more.
func (r *Renaming) followPasses(passes []graph.Pass) {
	for before := -1; before != len(r.Names); {
		before = len(r.Names)
		for _, p := range passes {
			if r.Names[p.From] {
				r.Names[p.To] = true
				r.All = r.All || p.Default
			}
		}
	}
}
