package engine

import (
	"maps"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/resolve"
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
	for _, id := range u.retested {
		if err := u.importers(id); err != nil {
			return err
		}
	}
	for i := range u.renamed {
		if err := u.usersOf(&u.renamed[i]); err != nil {
			return err
		}
	}
	return nil
}

// probed relinks the files whose imports asked for a path like this one.
func (u *updater) probed(f code.File, came bool) error {
	keys := append(resolve.Keys(f.Path), resolve.PackageKeys(f.Lang, f.Package)...)
	for _, k := range keys {
		turned, err := u.turned(k, came)
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

// turned reports whether the answer to a key can have changed. Keys of
// directories ("a/", "a/**") answer whether anything is there at all: only the
// first file to come and the last to go turn them.
func (u *updater) turned(key string, came bool) (bool, error) {
	dir, deep := strings.CutSuffix(key, "/**")
	if key == "**" {
		return false, nil
	}
	if !deep {
		var flat bool
		if dir, flat = strings.CutSuffix(key, "/"); !flat || strings.HasPrefix(key, "**/") {
			return true, nil
		}
	}
	below := 0
	if came {
		for _, f := range u.added {
			if strings.HasPrefix(f.Path, dir+"/") && (deep || dirOf(f.Path) == dir) {
				below++
			}
		}
	}
	n, err := u.tx.CountBelow(dir, deep, below+1)
	return n <= below, err
}

// usersOf relinks the files that use one of the names and could mean it: files
// of the same scope, importers, and importers of files that pass it on.
func (u *updater) usersOf(r *renaming) error {
	users := map[int64]bool{}
	for _, n := range r.names {
		ids, err := u.tx.Referrers(n)
		if err != nil {
			return err
		}
		for _, id := range ids {
			users[id] = true
		}
	}
	if len(users) == 0 {
		return nil
	}
	near, err := u.near(r)
	if err != nil {
		return err
	}
	for id := range users {
		if near[id] {
			u.relink[id] = true
		}
	}
	return nil
}

// near are the files that can see a file's declarations.
func (u *updater) near(r *renaming) (map[int64]bool, error) {
	near := map[int64]bool{}
	for _, f := range []code.File{r.file, r.was} {
		if err := u.scopeMates(f, near); err != nil {
			return nil, err
		}
	}
	// Files that pass names on are followed to their own importers.
	queue, seen := []string{r.file.Path}, map[string]bool{r.file.Path: true}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, k := range append(resolve.Keys(p), dirOf(p)+"/") {
			if k == "**" || strings.HasSuffix(k, "/**") {
				continue
			}
			ids, err := u.tx.ProbedBy(graph.ProbeKey(k))
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				near[id] = true
			}
		}
		relays, err := u.tx.ProbedBy(graph.ProbeKey(graph.RelayKey(p)))
		if err != nil {
			return nil, err
		}
		for _, id := range relays {
			f, ok, err := u.tx.FileByID(id)
			if err != nil {
				return nil, err
			}
			if ok && !seen[f.Path] {
				seen[f.Path] = true
				queue = append(queue, f.Path)
			}
		}
	}
	return near, nil
}

func (u *updater) scopeMates(f code.File, near map[int64]bool) error {
	var mates []code.File
	var err error
	switch f.Lang {
	case "go":
		mates, err = u.tx.FilesIn(dirOf(f.Path))
	case "java":
		mates, err = u.tx.PackageFiles(f.Lang, f.Package)
	}
	for i := range mates {
		near[mates[i].ID] = true
	}
	return err
}

// relinkAll links the files anew.
func (u *updater) relinkAll() error {
	if len(u.relink) == 0 {
		return nil
	}
	w := newStoreWorld(u.tx)
	linker := graph.NewLinker(w)
	for _, id := range slices.Sorted(maps.Keys(u.relink)) {
		if err := u.ctx.Err(); err != nil {
			return err
		}
		if err := u.relinkOne(linker, w, id); err != nil {
			return err
		}
	}
	return w.err
}

func (u *updater) relinkOne(linker *graph.Linker, w *storeWorld, id int64) error {
	was, err := u.oldLinks(id)
	if err != nil {
		return err
	}
	n, ok := w.NodeByID(id)
	if w.err != nil {
		return w.err
	}
	if !ok {
		return u.tx.PutLinks(id, &LinkRow{}, was)
	}
	blob, err := u.tx.Facts(id)
	if err != nil {
		return err
	}
	row, err := linkFile(linker, n, blob)
	if err != nil {
		return err
	}
	if w.err != nil {
		return w.err
	}
	before, err := u.tx.EdgesFrom(id)
	if err != nil {
		return err
	}
	if !u.edges && !sameEdges(before, row.Edges) {
		u.edges = true
	}
	return u.tx.PutLinks(id, row, was)
}

func sameEdges(a, b []EdgeRow) bool {
	return slices.EqualFunc(a, b, func(x, y EdgeRow) bool {
		return x.Target == y.Target && x.Relation == y.Relation && x.Confidence == y.Confidence
	})
}

// linkFile links one file from its packed facts. A file without facts that is
// no test has nothing to link: an empty row.
func linkFile(linker *graph.Linker, n graph.Node, blob []byte) (*LinkRow, error) {
	var f code.Facts
	if len(blob) == 0 && !n.Test {
		return &LinkRow{}, nil
	}
	if len(blob) > 0 {
		p, err := facts.Open(blob)
		if err != nil {
			return nil, err
		}
		if f.Imports, f.Exports, f.Refs, err = p.Linkable(); err != nil {
			return nil, err
		}
	}
	linked := linker.Link(n, &f)
	row := linkRow(&linked.Links, linked.Edges, linked.Unresolved)
	row.Packed = linked.Links.Encode()
	return row, nil
}
