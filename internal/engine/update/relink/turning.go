package relink

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// importChanges decides which imports lead elsewhere when files are added or deleted. It answers a question about a
// directory once and not for each of its files, so that the work for a moved folder of thousands of files follows
// their number and not its square.
type importChanges struct {
	tx       store.Tx
	arrivals map[string]int  // files that are new to the index below each directory
	added    map[string]bool // their paths
	below    map[string][2]bool
	asked    map[string][2]bool // whether below is computed: for files that went, for files that came
	packages map[packageIn][]string
	firsts   map[langIn]string
}

// packageIn is a package in a directory, langIn a language in one.
type (
	packageIn struct {
		dir, pkg string
		lang     code.Lang
	}
	langIn struct {
		dir  string
		lang code.Lang
	}
)

func newImportChanges(tx store.Tx, added []code.File) *importChanges {
	t := &importChanges{tx: tx, arrivals: map[string]int{}, added: make(map[string]bool, len(added)), below: map[string][2]bool{},
		asked: map[string][2]bool{}, packages: map[packageIn][]string{}, firsts: map[langIn]string{}}
	for i := range added {
		t.added[added[i].Path] = true
		for d := code.Dir(added[i].Path); d != ""; d = code.Dir(d) {
			t.arrivals[d]++
		}
	}
	return t
}

// changesResult reports whether the result of a lookup key can have changed. The key "a/**" asks whether anything is below a
// directory: only the first file that is added and the last that is deleted change it. The key "a/" asks for the package in a
// directory: besides the names they use, importers see the first of its files.
func (t *importChanges) changesResult(f *code.File, key string, came bool) (bool, error) {
	if dir, deep := strings.CutSuffix(key, "/**"); deep {
		return t.changedBelow(dir, came)
	}
	dir, flat := strings.CutSuffix(key, "/")
	switch {
	case flat && strings.HasPrefix(key, "**/"):
		return false, nil // packages are identified by their clauses
	case flat && lang.Of(f.Lang).Scope == lang.ClauseScope:
		return t.changedFirst(f, dir)
	case slices.Contains(resolve.PackageKeys(f.Lang, f.Package), key):
		return t.changedPackage(f)
	}
	return key != "**", nil
}

func (t *importChanges) changedBelow(dir string, came bool) (bool, error) {
	which, below := 0, 0
	if came {
		which, below = 1, t.arrivals[dir]
	}
	asked, answers := t.asked[dir], t.below[dir]
	if asked[which] {
		return answers[which], nil
	}
	n, err := t.tx.CountBelow(dir, true, below+1)
	asked[which], answers[which] = true, n <= below
	t.asked[dir], t.below[dir] = asked, answers
	return n <= below, err
}

// changedPackage reports whether a file is the only one that makes its directory belong to its package.
func (t *importChanges) changedPackage(f *code.File) (bool, error) {
	others, err := t.remainingFiles(packageIn{code.Dir(f.Path), f.Package, f.Lang})
	return !slices.ContainsFunc(others, func(p string) bool { return p != f.Path }), err
}

// remainingFiles returns two of the files by which a directory belonged to a package before, or as many as there are.
func (t *importChanges) remainingFiles(in packageIn) ([]string, error) {
	if list, ok := t.packages[in]; ok {
		return list, nil
	}
	files, err := t.tx.NodesIn(in.dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for i := range files {
		g := &files[i]
		samePackage := g.Lang == in.lang && g.Package == in.pkg
		if samePackage && lookup.IsIndexed(g) && !t.added[g.Path] && len(list) < 2 {
			list = append(list, g.Path)
		}
	}
	t.packages[in] = list
	return list, nil
}

// changedFirst reports whether a file is, or was, the first file of its directory that importers see.
func (t *importChanges) changedFirst(f *code.File, dir string) (bool, error) {
	in := langIn{dir, f.Lang}
	first, ok := t.firsts[in]
	if !ok {
		files, err := t.tx.NodesIn(dir)
		if err != nil {
			return false, err
		}
		for i := range files { // by path
			if n := lookup.IndexedNode(&files[i]); n.ID != 0 && n.Lang == f.Lang && n.Importable() {
				first = n.Path
				break
			}
		}
		t.firsts[in] = first
	}
	return first == "" || f.Path <= first, nil
}
