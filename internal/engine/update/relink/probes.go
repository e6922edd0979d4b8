package relink

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/lang"
)

// moved relinks those for whom it matters that a file changed its package, its
// language or whether it is a test.
func (l *linking) moved(was code.File) error {
	if err := l.Importers(l.tx, was.ID); err != nil {
		return err
	}
	now, ok, err := l.tx.FileByID(was.ID)
	if err != nil || !ok {
		return err
	}
	keys := append(resolve.Keys(was.Path), resolve.PackageKeys(was.Lang, was.Package)...)
	for _, k := range append(keys, resolve.PackageKeys(now.Lang, now.Package)...) {
		if strings.HasSuffix(k, "**") {
			continue
		}
		if err := l.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

// probed relinks the files whose imports asked for a path like this one.
func (l *linking) probed(f code.File, came bool) error {
	keys := append(resolve.Keys(f.Path), resolve.PackageKeys(f.Lang, f.Package)...)
	for _, k := range keys {
		turned, err := l.turned(f, k, came)
		if err != nil {
			return err
		}
		if !turned {
			continue
		}
		if err := l.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

func (l *linking) probedBy(key string) error {
	ids, err := l.tx.ProbedBy(graph.ProbeKey(key))
	for _, id := range ids {
		l.Files[id] = true
	}
	return err
}

// turned reports whether the answer to a key can have changed. "a/**" answers
// whether anything is below a directory: only the first file to come and the
// last to go turn it. "a/" is the package in a directory: what importers
// of it see beside the names they use is the first of its files.
func (l *linking) turned(f code.File, key string, came bool) (bool, error) {
	if dir, deep := strings.CutSuffix(key, "/**"); deep {
		return l.turnedBelow(dir, came)
	}
	dir, flat := strings.CutSuffix(key, "/")
	switch {
	case flat && strings.HasPrefix(key, "**/"):
		return false, nil // packages are known by their clauses
	case flat && lang.Of(f.Lang).Scope == lang.ClauseScope:
		return l.turnedFirst(f, dir)
	case slices.Contains(resolve.PackageKeys(f.Lang, f.Package), key):
		return l.turnedPackage(f)
	}
	return key != "**", nil
}

// turnedPackage reports whether a file is the only one that makes its directory
// one of its package's.
func (l *linking) turnedPackage(f code.File) (bool, error) {
	files, err := l.tx.FilesIn(code.Dir(f.Path))
	if err != nil {
		return false, err
	}
	for i := range files {
		g := &files[i]
		samePackage := g.Lang == f.Lang && g.Package == f.Package
		if samePackage && g.Path != f.Path && lookup.Indexed(g) && !l.isAdded(g.Path) {
			return false, nil
		}
	}
	return true, nil
}

// isAdded reports whether a path is new to the index.
func (l *linking) isAdded(p string) bool {
	return slices.ContainsFunc(l.Added, func(a code.File) bool { return a.Path == p })
}

func (l *linking) turnedBelow(dir string, came bool) (bool, error) {
	below := 0
	if came {
		for _, f := range l.Added {
			if strings.HasPrefix(f.Path, dir+"/") {
				below++
			}
		}
	}
	n, err := l.tx.CountBelow(dir, true, below+1)
	return n <= below, err
}

// turnedFirst reports whether a file is, or was, the first that importers of
// its directory see.
func (l *linking) turnedFirst(f code.File, dir string) (bool, error) {
	files, err := l.tx.FilesIn(dir)
	if err != nil {
		return false, err
	}
	for i := range files { // by path
		if n := lookup.IndexedNode(&files[i]); n.ID != 0 && n.Lang == f.Lang && n.Importable() {
			return f.Path <= n.Path, nil
		}
	}
	return true, nil
}
