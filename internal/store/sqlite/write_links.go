package sqlite

import (
	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

func (t *tx) PutLinks(id int64, l, was *store.LinkRow) error {
	if was == nil {
		was = &store.LinkRow{}
	}
	return runInOrder(
		func() error { return t.replaceProbes(id, l.Probes, was.Probes) },
		func() error { return t.countPackages(l.Externals, was.Externals) },
		func() error { return t.countImports(id, l) },
		func() error { return t.putPacked("links", id, l.Packed) },
		func() error { return t.replaceEdges(id, l.Edges) },
	)
}

// replaceProbes changes the probes of a file, the hashes of the lookups on which its links depend, from was to now.
func (t *tx) replaceProbes(id int64, now, was []uint64) error {
	old := make(map[uint64]bool, len(was))
	for _, k := range was {
		old[k] = true
	}
	for _, k := range now {
		if old[k] {
			delete(old, k)
			continue
		}
		if err := t.exec("INSERT OR IGNORE INTO probes(key,file_id) VALUES(?,?)", int64(k), id); err != nil {
			return err
		}
	}
	for k := range old {
		if err := t.exec("DELETE FROM probes WHERE key=? AND file_id=?", int64(k), id); err != nil {
			return err
		}
	}
	return nil
}

// countImports stores a file's numbers of imports and of unresolved ones, and updates their totals.
func (t *tx) countImports(id int64, l *store.LinkRow) error {
	var was [2]int64
	err := t.eachRow("SELECT imports,unresolved FROM files WHERE id=?", func(st *sqlite.Stmt) error {
		was = [2]int64{st.ColumnInt64(0), st.ColumnInt64(1)}
		return nil
	}, id)
	now := [2]int64{int64(l.Imports), int64(l.Unresolved)}
	if err != nil || was == now {
		return err
	}
	if err := t.exec("UPDATE sums SET imports=imports+?,unresolved=unresolved+?", now[0]-was[0], now[1]-was[1]); err != nil {
		return err
	}
	return t.exec("UPDATE files SET imports=?,unresolved=? WHERE id=?", now[0], now[1], id)
}

// countPackages updates the number of importing files of each package outside the repository.
func (t *tx) countPackages(now, was []store.External) error {
	delta := map[packageKey]int64{}
	for _, e := range now {
		delta[packageKey{e.Name, e.Std}]++
	}
	for _, e := range was {
		delta[packageKey{e.Name, e.Std}]--
	}
	for k, d := range delta {
		if d == 0 {
			continue
		}
		const insert = "INSERT INTO packages(name,std,files) VALUES(?,?,?) ON CONFLICT(name,std) DO UPDATE SET files=files+excluded.files"
		if err := t.exec(insert, k.name, toInt(k.std), d); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM packages WHERE name=? AND std=? AND files<=0", k.name, toInt(k.std)); err != nil {
			return err
		}
	}
	return nil
}

// replaceEdges replaces the outgoing edges of a file, writing only the changed ones, and updates the numbers of
// dependents of their targets.
func (t *tx) replaceEdges(id int64, edges []store.EdgeRow) error {
	old, err := t.EdgesFrom(id)
	if err != nil {
		return err
	}
	type key struct {
		target int64
		rel    code.Relation
	}
	had := make(map[key]code.Confidence, len(old))
	delta := map[int64]int{} // change of the number of edges to a target
	present := map[int64]bool{}
	for _, e := range old {
		had[key{e.Target, e.Relation}] = e.Confidence
		present[e.Target] = present[e.Target] || e.Relation.Depends()
	}
	now := map[int64]bool{}
	for _, e := range edges {
		now[e.Target] = now[e.Target] || e.Relation.Depends()
		k := key{e.Target, e.Relation}
		if c, ok := had[k]; ok && c == e.Confidence {
			delete(had, k)
			continue
		}
		delete(had, k)
		const insert = "INSERT OR REPLACE INTO file_edges(source,target,relation,confidence) VALUES(?,?,?,?)"
		if err := t.exec(insert, id, e.Target, int64(e.Relation), int64(e.Confidence)); err != nil {
			return err
		}
	}
	for k := range had {
		if err := t.exec("DELETE FROM file_edges WHERE source=? AND target=? AND relation=?", id, k.target, int64(k.rel)); err != nil {
			return err
		}
	}
	for target, depends := range now {
		if depends && !present[target] {
			delta[target]++
		}
	}
	for target, depended := range present {
		if depended && !now[target] {
			delta[target]--
		}
	}
	for target, d := range delta {
		if err := t.exec("UPDATE files SET dependents=dependents+? WHERE id=?", int64(d), target); err != nil {
			return err
		}
	}
	return nil
}
