package sqlite

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"

	"ken/internal/engine/store"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// bulk is the Tx of a build. Nothing has to be looked up or replaced, because every
// file comes once. Rows with a natural order are written as they come; names,
// postings, probes, edges and counts are gathered and written sorted at the end,
// when the indexes are made too. It keeps about 60 bytes a distinct name and 8 to
// 16 a posting, probe and edge in memory: 30 MB for kubernetes.
type bulk struct {
	tx
	next     int64
	names    map[string]int32 // index in counts
	counts   []nameCount
	postings []posting
	probes   []probe
	edges    []store.EdgeRow
	packages map[packageKey]*store.External
	sums     [2]int // imports, unresolved
	bases    map[string][]int64
	paths    map[int64]string

	order   []string // the names, sorted, once they are being written
	written int      // so many of them are
	settled bool     // names and the index of symbols are written
}

// nameCount is the number of a name's declarations and of the files that use it.
type nameCount struct{ defs, files int32 }

// packageKey names a package outside the repository.
type packageKey struct {
	name string
	std  bool
}

// posting is one use: an index in bulk.counts, and a file.
type posting struct{ name, file int32 }

// probe is a key that a file's imports depend on.
type probe struct {
	key  uint64
	file int64
}

func newBulk(c *sqlite.Conn) *bulk {
	return &bulk{tx: tx{reader{c: c}}, names: map[string]int32{}, packages: map[packageKey]*store.External{},
		bases: map[string][]int64{}, paths: map[int64]string{}}
}

var _ store.Tx = (*bulk)(nil)

func (b *bulk) PutFile(f *code.File) (int64, error) {
	b.next++
	f.ID = b.next
	base := code.Slug(f.Path)
	b.bases[base] = append(b.bases[base], f.ID)
	b.paths[f.ID] = f.Path
	return f.ID, b.exec(insertFile, fileArgs(f, base)...)
}

func (b *bulk) PutConfig(p string, content []byte) error {
	return b.exec("INSERT INTO configs(path,base,content) VALUES(?,?,?)", p, path.Base(p), content)
}

// name is the index of a name in counts.
func (b *bulk) name(n string) int32 {
	i, ok := b.names[n]
	if !ok {
		i = int32(len(b.counts))
		// A copy, or the map would keep the whole source of the file alive.
		b.names[strings.Clone(n)] = i
		b.counts = append(b.counts, nameCount{})
	}
	return i
}

func (b *bulk) PutContent(id int64, c *store.Content, _ []string) error {
	w := symbolWriter{id: id, path: b.paths[id]}
	for i := range c.Symbols {
		s := &c.Symbols[i]
		if err := b.exec("INSERT "+symbolFields, w.args(s, i, w.next(s))...); err != nil {
			return err
		}
		if !s.Kind.IsText() {
			b.counts[b.name(s.Name)].defs++
		}
	}
	for _, n := range c.Names {
		i := b.name(n)
		b.counts[i].files++
		b.postings = append(b.postings, posting{i, int32(id)})
	}
	return inOrder(
		func() error { return b.putPacked("facts", id, c.Packed) },
		func() error { return b.putPacked("outlines", id, c.Outline) },
		func() error { return b.putSecrets(id, c.Secrets) },
		func() error { return b.setCounts(id, c) },
	)
}

func (b *bulk) PutLinks(id int64, l, _ *store.LinkRow) error {
	if err := b.settle(settleNames); err != nil {
		return err
	}
	for _, k := range l.Probes {
		b.probes = append(b.probes, probe{k, id})
	}
	b.edges = append(b.edges, l.Edges...)
	for _, e := range l.Externals {
		k := packageKey{e.Name, e.Std}
		p, ok := b.packages[k]
		if !ok {
			p = &store.External{Name: e.Name, Std: e.Std}
			b.packages[k] = p
		}
		p.Files++
	}
	b.sums[0] += l.Imports
	b.sums[1] += l.Unresolved
	if err := b.exec("UPDATE files SET imports=?,unresolved=? WHERE id=?", int64(l.Imports), int64(l.Unresolved), id); err != nil {
		return err
	}
	return b.exec("INSERT INTO links(file_id,data) VALUES(?,?)", id, l.Packed)
}

// settleNames is how many names are written each time links come.
const settleNames = 50

// settle writes a part of what is complete once links come: names, then the index
// of symbols. A part at a time, because the engine goes on linking meanwhile and
// must not wait long at once.
func (b *bulk) settle(names int) error {
	if b.settled {
		return nil
	}
	if b.names != nil {
		b.sortNames()
	}
	var uses []byte
	var files []int64
	for ; names > 0 && b.written < len(b.order); names-- {
		files = files[:0]
		for len(b.postings) > 0 && int(b.postings[0].name) == b.written {
			files = append(files, int64(b.postings[0].file))
			b.postings = b.postings[1:]
		}
		uses = packUses(uses[:0], files)
		c := b.counts[b.written]
		err := b.exec("INSERT INTO names(name,defs,files,uses) VALUES(?,?,?,?)", b.order[b.written], int64(c.defs), int64(c.files),
			orEmpty(uses))
		if err != nil {
			return err
		}
		b.written++
	}
	if b.written < len(b.order) {
		return nil
	}
	b.settled, b.order, b.counts, b.postings = true, nil, nil, nil
	return classifyNil("make the index of symbols", sqlitex.ExecuteScript(b.c, symbolIndex, nil))
}

// sortNames puts names, their counts and the postings in the order of names.
func (b *bulk) sortNames() {
	b.order = sortedKeys(b.names)
	ranks, counts := make([]int32, len(b.counts)), make([]nameCount, len(b.counts))
	for i, n := range b.order {
		old := b.names[n]
		ranks[old], counts[i] = int32(i), b.counts[old]
	}
	for i := range b.postings {
		b.postings[i].name = ranks[b.postings[i].name]
	}
	slices.SortFunc(b.postings, func(x, y posting) int { return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.file, y.file)) })
	b.names, b.counts = nil, counts
}

// flushSettled writes the rest of what settle writes.
func (b *bulk) flushSettled() error {
	for !b.settled {
		if err := b.settle(max(1, len(b.counts))); err != nil {
			return err
		}
	}
	return nil
}

// flush writes what was gathered and makes the indexes.
func (b *bulk) flush() error {
	return inOrder(b.flushSettled, b.flushProbes, b.flushEdges, b.flushPackages, b.flushSlugs, func() error {
		return classifyNil("make the indexes", sqlitex.ExecuteScript(b.c, indexes, nil))
	})
}

func (b *bulk) flushProbes() error {
	slices.SortFunc(b.probes, func(x, y probe) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.file, y.file)) })
	rows := newBatch(b.c, "INSERT INTO probes(key,file_id)", 2)
	for _, p := range slices.Compact(b.probes) {
		if err := rows.add(int64(p.key), p.file); err != nil {
			return err
		}
	}
	b.probes = nil
	return rows.close()
}

// flushEdges writes the edges, and how many files depend on each target.
func (b *bulk) flushEdges() error {
	slices.SortFunc(b.edges, func(x, y store.EdgeRow) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target), cmp.Compare(x.Relation, y.Relation))
	})
	dependents := map[int64]int64{}
	rows := newBatch(b.c, "INSERT INTO file_edges(source,target,relation,confidence)", 4)
	var last store.EdgeRow
	for _, e := range b.edges {
		if e.Relation.Depends() && (last.Source != e.Source || last.Target != e.Target) {
			dependents[e.Target]++
			last = e
		}
		if err := rows.add(e.Source, e.Target, int64(e.Relation), int64(e.Confidence)); err != nil {
			return err
		}
	}
	b.edges = nil
	for _, id := range slices.Sorted(maps.Keys(dependents)) {
		if err := b.exec("UPDATE files SET dependents=? WHERE id=?", dependents[id], id); err != nil {
			return err
		}
	}
	return rows.close()
}

func (b *bulk) flushPackages() error {
	list := slices.SortedFunc(maps.Values(b.packages), func(x, y *store.External) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(toInt(x.Std), toInt(y.Std)))
	})
	for _, p := range list {
		if err := b.exec("INSERT INTO packages(name,std,files) VALUES(?,?,?)", p.Name, toInt(p.Std), int64(p.Files)); err != nil {
			return err
		}
	}
	return b.exec("UPDATE sums SET imports=?,unresolved=?", int64(b.sums[0]), int64(b.sums[1]))
}

// flushSlugs gives files that share a slug their long ones; see claimSlug.
func (b *bulk) flushSlugs() error {
	for _, base := range sortedKeys(b.bases) {
		ids := b.bases[base]
		if len(ids) < 2 {
			continue
		}
		for _, id := range ids {
			if err := b.exec("UPDATE files SET slug=? WHERE id=?", longSlug(base, b.paths[id]), id); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch inserts many narrow integer rows with few statements.
type batch struct {
	c      *sqlite.Conn
	prefix string
	cols   int
	vals   []int64
}

// batchRows is the number of rows a statement; beyond 100 nothing is gained.
const batchRows = 100

func newBatch(c *sqlite.Conn, prefix string, cols int) *batch {
	return &batch{c: c, prefix: prefix, cols: cols, vals: make([]int64, 0, cols*batchRows)}
}

func (w *batch) add(vals ...int64) error {
	w.vals = append(w.vals, vals...)
	if len(w.vals) < w.cols*batchRows {
		return nil
	}
	return w.write()
}

func (w *batch) write() error {
	n := len(w.vals) / w.cols
	if n == 0 {
		return nil
	}
	st, err := w.c.Prepare(w.prefix + " VALUES" + placeholders(n, w.cols))
	if err != nil {
		return classify("prepare an insert", err)
	}
	defer st.Reset()
	for i, v := range w.vals {
		st.BindInt64(i+1, v)
	}
	w.vals = w.vals[:0]
	_, err = st.Step()
	return classifyNil("insert rows", err)
}

func (w *batch) close() error { return w.write() }

// placeholders is "(?,?),(?,?)" for two rows of two columns.
func placeholders(rows, cols int) string {
	b := make([]byte, 0, rows*(2*cols+2))
	for r := range rows {
		if r > 0 {
			b = append(b, ',')
		}
		b = append(b, '(')
		for c := range cols {
			if c > 0 {
				b = append(b, ',')
			}
			b = append(b, '?')
		}
		b = append(b, ')')
	}
	return string(b)
}
