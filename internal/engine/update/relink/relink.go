// Package relink finds the files whose links or edges a change can alter, and
// links them again. Every import stores the paths it looked for (probes), and
// the index the files that use a name; so the work follows the change, not the
// repository. update passes it the changes inside the write transaction.
package relink

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// Changes lists the files and names that an update changed, from which the files to link again are found.
type Changes struct {
	Files   map[int64]bool     // to be linked; Run adds the files affected by the rest
	Added   []code.File        // now indexed, not before
	Removed []code.File        // indexed before, not now
	Moved   []code.File        // in another scope now: their earlier state
	Renamed []Renaming         // files whose declarations differ
	Configs map[code.Lang]bool // languages whose resolution may differ
}

// NewChanges returns empty Changes.
func NewChanges() *Changes {
	return &Changes{Files: map[int64]bool{}, Configs: map[code.Lang]bool{}}
}

// Importers marks the files with an edge to a file for linking. It returns an error if the index cannot be read.
func (c *Changes) Importers(r store.Edges, id int64) error {
	edges, err := r.EdgesTo(id)
	for _, e := range edges {
		c.Files[e.Source] = true
	}
	return err
}

// relinkRun holds the state of one call of Run.
type relinkRun struct {
	*Changes
	*importChanges
	ctx    context.Context
	tx     store.Tx
	edges  bool            // some edge changed
	probes map[uint64]bool // keys looked up since links were last written, because many changed files share most of theirs
}

// RelinkAffected links all files affected by changes, and reports whether an edge changed. It returns the error of ctx, or one if
// the index cannot be read or written.
func RelinkAffected(ctx context.Context, tx store.Tx, c *Changes) (edges bool, err error) {
	l := &relinkRun{Changes: c, importChanges: newImportChanges(tx, c.Added), ctx: ctx, tx: tx, probes: map[uint64]bool{}}
	if err := l.markAffected(); err != nil {
		return false, err
	}
	err = l.relinkAll()
	return l.edges, err
}

// markAffected adds to Files those whose links or edges the changes may alter, besides the changed files themselves: those
// whose imports looked for a path that came or went, those that use a name that came or went where they could see it,
// and, if a configuration changed, all files of its languages.
func (l *relinkRun) markAffected() error {
	if len(l.Configs) > 0 {
		for f, err := range l.tx.Files() {
			if err != nil {
				return err
			}
			if l.Configs[f.Lang] {
				l.Files[f.ID] = true
			}
		}
	}
	for _, f := range l.Added {
		if err := l.markProbing(f, true); err != nil {
			return err
		}
	}
	for _, f := range l.Removed {
		if err := l.markProbing(f, false); err != nil {
			return err
		}
	}
	for _, f := range l.Moved {
		if err := l.markMoved(f); err != nil {
			return err
		}
	}
	return l.markAllUsers()
}

// markAllUsers marks the files that use a name of l.Renamed and could mean it.
func (l *relinkRun) markAllUsers() error {
	s := newVisibility(l.tx)
	for i := range l.Renamed {
		if err := l.markUsers(s, &l.Renamed[i]); err != nil {
			return err
		}
	}
	return nil
}

// markUsers marks the files that use one of the names and could mean it: files of the same scope, importers, and importers
// of files that pass it on.
func (l *relinkRun) markUsers(s *visibility, r *Renaming) error {
	if err := l.packageImporters(r); err != nil {
		return err
	}
	if lang.Of(r.File.Lang).Tables || lang.Of(r.Was.Lang).Tables {
		for n := range r.Names {
			if err := l.probedBy(graph.TableKey(n)); err != nil {
				return err
			}
		}
	}
	near, err := s.visibleTo(r)
	if err != nil || near.isEmpty() {
		return err
	}
	if r.All {
		near.addTo(l.Files)
		return nil
	}
	for n := range r.Names {
		ids, err := s.referrers(n)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !l.Files[id] && near.has(id) {
				l.Files[id] = true
			}
		}
		if err := l.probedBy(graph.DeclKey(r.File.Path, n)); err != nil {
			return err
		}
	}
	return nil
}

// packageImporters marks the files that import one of the names from the package it was or is declared in, whichever
// file declares it.
func (l *relinkRun) packageImporters(r *Renaming) error {
	for _, f := range [...]code.File{r.File, r.Was} {
		if lang.Of(f.Lang).Scope != lang.PackageScope {
			continue
		}
		for n := range r.Names {
			if err := l.probedBy(graph.PackageDeclKey(f.Package, n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// relinkAll links the files. If a file passes on an import that now leads elsewhere, the files that import through it
// are linked, too.
func (l *relinkRun) relinkAll() error {
	if len(l.Files) == 0 {
		return nil
	}
	w := lookup.NewStored(l.tx)
	linker := graph.NewLinker(w, resolve.New(w))
	done := map[int64]bool{}
	for len(done) < len(l.Files) {
		l.Renamed = l.Renamed[:0]
		for _, id := range slices.Sorted(maps.Keys(l.Files)) {
			if done[id] {
				continue
			}
			if err := l.ctx.Err(); err != nil {
				return err
			}
			if err := l.relinkOne(linker, w, id); err != nil {
				return err
			}
			done[id] = true
		}
		clear(l.probes)
		if err := l.markAllUsers(); err != nil {
			return err
		}
	}
	return w.Err
}

func (l *relinkRun) relinkOne(linker *graph.Linker, w *lookup.Stored, id int64) error {
	was, err := StoredLinks(l.tx, id)
	if err != nil {
		return err
	}
	n, ok := w.NodeByID(id)
	if w.Err != nil {
		return w.Err
	}
	row := &store.LinkRow{}
	if ok {
		if row, err = l.linkFile(linker, w, n, was); err != nil {
			return err
		}
	}
	before, err := l.tx.EdgesFrom(id)
	if err != nil {
		return err
	}
	if !l.edges && !sameEdges(before, row.Edges) {
		l.edges = true
	}
	return l.tx.PutLinks(id, row, OldRow(was))
}

// linkFile links a file and records the names it passes on that lead elsewhere than before.
func (l *relinkRun) linkFile(linker *graph.Linker, w *lookup.Stored, n graph.Node, was *graph.Links) (*store.LinkRow, error) {
	blob, err := l.tx.Facts(n.ID)
	if err != nil {
		return nil, err
	}
	row, f, links, err := LinkFile(linker, n, blob)
	if err != nil || w.Err != nil {
		return nil, errors.Join(err, w.Err)
	}
	if was != nil {
		l.noteChangedRelays(n, f, was.Imports, links)
	}
	return row, nil
}

func (l *relinkRun) noteChangedRelays(n graph.Node, f *code.Facts, was, now []graph.Link) {
	r := Renaming{File: code.File{ID: n.ID, Path: n.Path}, Names: map[string]bool{}}
	for i := range now {
		if len(was) == len(now) && reflect.DeepEqual(was[i], now[i]) {
			continue
		}
		for _, name := range graph.RelayedNames(n, f, i) {
			r.Add(name)
		}
	}
	if r.Any() {
		l.Renamed = append(l.Renamed, r)
	}
}

func sameEdges(a, b []store.EdgeRow) bool {
	return slices.EqualFunc(a, b, func(x, y store.EdgeRow) bool {
		return x.Target == y.Target && x.Relation == y.Relation && x.Confidence == y.Confidence
	})
}
