package update

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
)

// affected adds to relink the files whose links or edges the changes may alter,
// besides the changed files themselves: those whose imports looked for a path
// that came or went, those that use a name that came or went where they could
// see it, and, if a configuration changed, all of its ecosystem.
func (u *updater) affected() error {
	if len(u.configs) > 0 {
		for f, err := range u.tx.Files() {
			if err != nil {
				return err
			}
			if u.configs[f.Lang] {
				u.relink[f.ID] = true
			}
		}
	}
	for _, f := range u.added {
		if err := u.probed(f, true); err != nil {
			return err
		}
	}
	for _, f := range u.removed {
		if err := u.probed(f, false); err != nil {
			return err
		}
	}
	for _, f := range u.retested {
		if err := u.moved(f); err != nil {
			return err
		}
	}
	return u.usersOfAll()
}

// usersOfAll relinks the files that use a name of u.renamed and could mean it.
func (u *updater) usersOfAll() error {
	s := newVisibility(u.tx)
	for i := range u.renamed {
		if err := u.usersOf(s, &u.renamed[i]); err != nil {
			return err
		}
	}
	return nil
}

// moved relinks those who can tell a file that changed its package, its
// language or whether it is a test.
func (u *updater) moved(was code.File) error {
	if err := u.importers(was.ID); err != nil {
		return err
	}
	now, ok, err := u.tx.FileByID(was.ID)
	if err != nil || !ok {
		return err
	}
	keys := append(resolve.Keys(was.Path), resolve.PackageKeys(was.Lang, was.Package)...)
	for _, k := range append(keys, resolve.PackageKeys(now.Lang, now.Package)...) {
		if strings.HasSuffix(k, "**") {
			continue
		}
		if err := u.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

// probed relinks the files whose imports asked for a path like this one.
func (u *updater) probed(f code.File, came bool) error {
	keys := append(resolve.Keys(f.Path), resolve.PackageKeys(f.Lang, f.Package)...)
	for _, k := range keys {
		turned, err := u.turned(f, k, came)
		if err != nil {
			return err
		}
		if !turned {
			continue
		}
		if err := u.probedBy(k); err != nil {
			return err
		}
	}
	return nil
}

func (u *updater) probedBy(key string) error {
	ids, err := u.tx.ProbedBy(graph.ProbeKey(key))
	for _, id := range ids {
		u.relink[id] = true
	}
	return err
}

// turned reports whether the answer to a key can have changed. "a/**" answers
// whether anything is below a directory: only the first file to come and the
// last to go turn it. "a/" stands for the package in a directory: what importers
// of it see beside the names they use is the first of its files.
func (u *updater) turned(f code.File, key string, came bool) (bool, error) {
	if dir, deep := strings.CutSuffix(key, "/**"); deep {
		return u.turnedBelow(dir, came)
	}
	dir, flat := strings.CutSuffix(key, "/")
	switch {
	case flat && strings.HasPrefix(key, "**/"):
		return false, nil // packages are told by their clauses
	case flat && f.Lang == "go":
		return u.turnedFirst(f, dir)
	case slices.Contains(resolve.PackageKeys(f.Lang, f.Package), key):
		return u.turnedPackage(f)
	}
	return key != "**", nil
}

// turnedPackage reports whether a file is the only one that makes its directory
// one of its package's.
func (u *updater) turnedPackage(f code.File) (bool, error) {
	files, err := u.tx.FilesIn(code.Dir(f.Path))
	if err != nil {
		return false, err
	}
	for i := range files {
		g := &files[i]
		if lookup.Indexed(g) && g.Lang == f.Lang && g.Package == f.Package && g.Path != f.Path && !slices.ContainsFunc(u.added, func(a code.File) bool { return a.Path == g.Path }) {
			return false, nil
		}
	}
	return true, nil
}

func (u *updater) turnedBelow(dir string, came bool) (bool, error) {
	below := 0
	if came {
		for _, f := range u.added {
			if strings.HasPrefix(f.Path, dir+"/") {
				below++
			}
		}
	}
	n, err := u.tx.CountBelow(dir, true, below+1)
	return n <= below, err
}

// turnedFirst reports whether a file is, or was, the first that importers of
// its directory see.
func (u *updater) turnedFirst(f code.File, dir string) (bool, error) {
	files, err := u.tx.FilesIn(dir)
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

// usersOf relinks the files that use one of the names and could mean it: files
// of the same scope, importers, and importers of files that pass it on.
func (u *updater) usersOf(s *visibility, r *renaming) error {
	if err := u.packageImporters(r); err != nil {
		return err
	}
	if r.file.Lang == "sql" || r.was.Lang == "sql" {
		for n := range r.names {
			if err := u.probedBy(graph.TableKey(n)); err != nil {
				return err
			}
		}
	}
	near, err := u.near(s, r)
	if err != nil || near.none() {
		return err
	}
	if r.all {
		near.each(func(id int64) { u.relink[id] = true })
		return nil
	}
	for n := range r.names {
		ids, err := u.tx.Referrers(n)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if near.has(id) {
				u.relink[id] = true
			}
		}
		if err := u.probedBy(graph.DeclKey(r.file.Path, n)); err != nil {
			return err
		}
	}
	return nil
}

// packageImporters relinks the files that import one of the names from the
// package it was or is declared in, whichever file does that.
func (u *updater) packageImporters(r *renaming) error {
	for _, f := range [...]code.File{r.file, r.was} {
		if !resolve.IsJVM(f.Lang) || f.Package == "" {
			continue
		}
		for n := range r.names {
			if err := u.probedBy(graph.PackageDeclKey(f.Package, n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// near tells which files can see a file's declarations. On the way r learns
// what files that pass its names on call them.
func (u *updater) near(s *visibility, r *renaming) (*seen, error) {
	near := map[int64]bool{}
	for _, f := range []code.File{r.file, r.was} {
		if err := u.scopeMates(f, near); err != nil {
			return nil, err
		}
		for _, key := range resolve.PackageKeys(f.Lang, f.Package) {
			ids, err := u.tx.ProbedBy(graph.ProbeKey(key))
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				near[id] = true
			}
		}
	}
	return s.of(r, near)
}

func (u *updater) scopeMates(f code.File, near map[int64]bool) error {
	var mates []code.File
	var err error
	switch f.Lang {
	case "go", "hcl":
		mates, err = u.tx.FilesIn(code.Dir(f.Path))
	case "java", "kotlin", "scala":
		if f.Package == "" {
			return nil
		}
		mates, err = lookup.PackageFiles(u.tx, f.Lang, f.Package)
	}
	for i := range mates {
		near[mates[i].ID] = true
	}
	return err
}

// relinkAll links the files anew. Where a file passes on what it imports and
// an import turned out to lead elsewhere, those who import through it follow.
func (u *updater) relinkAll() error {
	if len(u.relink) == 0 {
		return nil
	}
	w := lookup.NewStored(u.tx)
	linker := graph.NewLinker(w)
	done := map[int64]bool{}
	for len(done) < len(u.relink) {
		u.renamed = u.renamed[:0]
		for _, id := range slices.Sorted(maps.Keys(u.relink)) {
			if done[id] {
				continue
			}
			if err := u.ctx.Err(); err != nil {
				return err
			}
			if err := u.relinkOne(linker, w, id); err != nil {
				return err
			}
			done[id] = true
		}
		if err := u.usersOfAll(); err != nil {
			return err
		}
	}
	return w.Err
}

func (u *updater) relinkOne(linker *graph.Linker, w *lookup.Stored, id int64) error {
	was, err := u.oldLinks(id)
	if err != nil {
		return err
	}
	n, ok := w.NodeByID(id)
	if w.Err != nil {
		return w.Err
	}
	row := &store.LinkRow{}
	if ok {
		if row, err = u.link(linker, w, n, was); err != nil {
			return err
		}
	}
	before, err := u.tx.EdgesFrom(id)
	if err != nil {
		return err
	}
	if !u.edges && !sameEdges(before, row.Edges) {
		u.edges = true
	}
	return u.tx.PutLinks(id, row, oldRow(was))
}

// link links a file and notes which of the names it passes on lead elsewhere
// than they did.
func (u *updater) link(linker *graph.Linker, w *lookup.Stored, n graph.Node, was *graph.Links) (*store.LinkRow, error) {
	blob, err := u.tx.Facts(n.ID)
	if err != nil {
		return nil, err
	}
	row, f, links, err := linkFile(linker, n, blob)
	if err != nil || w.Err != nil {
		return nil, errors.Join(err, w.Err)
	}
	if was != nil {
		u.noteRelays(n, f, was.Imports, links)
	}
	return row, nil
}

func (u *updater) noteRelays(n graph.Node, f *code.Facts, was, now []graph.Link) {
	r := renaming{file: code.File{ID: n.ID, Path: n.Path}, names: map[string]bool{}}
	for i := range now {
		if len(was) == len(now) && reflect.DeepEqual(was[i], now[i]) {
			continue
		}
		for _, name := range graph.Relayed(n, f, i) {
			r.add(name)
		}
	}
	if len(r.names) > 0 || r.all {
		u.renamed = append(u.renamed, r)
	}
}

func sameEdges(a, b []store.EdgeRow) bool {
	return slices.EqualFunc(a, b, func(x, y store.EdgeRow) bool {
		return x.Target == y.Target && x.Relation == y.Relation && x.Confidence == y.Confidence
	})
}

// linkFile links one file from its packed facts. A file without facts that is
// no test has nothing to link: an empty row.
func linkFile(linker *graph.Linker, n graph.Node, blob []byte) (*store.LinkRow, *code.Facts, []graph.Link, error) {
	f := &code.Facts{}
	if len(blob) == 0 && !n.Test {
		return &store.LinkRow{}, f, nil, nil
	}
	if len(blob) > 0 {
		p, err := facts.Open(blob)
		if err != nil {
			return nil, nil, nil, err
		}
		if f.Imports, f.Exports, f.Refs, err = p.Linkable(); err != nil {
			return nil, nil, nil, err
		}
	}
	linked := linker.Link(n, f)
	row := linkRow(&linked.Links, linked.Edges, linked.Unresolved)
	row.Packed = linked.Links.Encode()
	return row, f, linked.Links.Imports, nil
}
