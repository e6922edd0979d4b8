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
	"ken/internal/store/sqlite/gather"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// bulkWriter is the store.Tx of a build. It looks up and replaces no row, because every file comes once. It writes rows with a
// natural order at once; it collects names, their uses, probes (hashes of the lookups on which links depend) and counts,
// and writes them sorted at the end, when it also makes the SQL indexes. In memory it keeps about 100 bytes for a distinct
// name, two to three for its use in a file, eight to nine for a probe, and four for a file; SQLite has a cache of 2 MB
// besides.
type bulkWriter struct {
	tx
	next       int64
	path       string           // of the file next
	names      map[string]int32 // index in counts and uses
	counts     []nameCount
	uses       gather.NameUses
	probes     gather.KeyFilePairs
	edges      *insertBatch
	dependents []uint32 // of each file, by id
	packages   map[packageKey]*store.External
	sums       [2]int // imports, unresolved

	order   []string // the names, sorted, once they are being written
	written int      // how many of them are written
	settled bool     // names and the index of symbols are written
}

// nameCount holds the number of a name's declarations and the number of files that use it.
type nameCount struct{ defs, files int32 }

// packageKey names a package outside the repository.
type packageKey struct {
	name string
	std  bool
}

func newBulkWriter(c *sqlite.Conn) *bulkWriter {
	return &bulkWriter{tx: tx{reader: reader{c: c}}, names: map[string]int32{}, packages: map[packageKey]*store.External{},
		edges: newInsertBatch(c, "INSERT INTO file_edges(source,target,relation,confidence)", 4)}
}

var _ store.Tx = (*bulkWriter)(nil)

func (b *bulkWriter) PutFile(f *code.File) (int64, error) {
	b.next++
	f.ID = b.next
	b.path = f.Path
	return f.ID, b.exec(insertFile, fileArgs(f, code.Slug(f.Path))...)
}

func (b *bulkWriter) PutConfig(p string, content []byte) error {
	return b.exec("INSERT INTO configs(path,base,content) VALUES(?,?,?)", p, path.Base(p), content)
}

// nameNumber returns the number of the name n, its index in b.counts, and gives it one if it is new.
func (b *bulkWriter) nameNumber(n string) int32 {
	i, ok := b.names[n]
	if !ok {
		i = int32(len(b.counts))
		// A copy, or the map would keep the whole source of the file alive.
		b.names[strings.Clone(n)] = i
		b.counts = append(b.counts, nameCount{})
		b.uses.Grow(len(b.counts))
	}
	return i
}

func (b *bulkWriter) PutContent(id int64, c *store.Content, _ []string) error {
	w := symbolWriter{id: id, path: b.path}
	if id != b.next {
		var err error
		if w.path, err = b.PathByID(id); err != nil {
			return err
		}
	}
	for i := range c.Symbols {
		s := &c.Symbols[i]
		if err := b.exec("INSERT "+symbolFields, w.columnValues(s, i, w.earlierNamesakes(s))...); err != nil {
			return err
		}
		if !s.Kind.IsText() {
			b.counts[b.nameNumber(s.Name)].defs++
		}
	}
	for _, n := range c.Names {
		i := b.nameNumber(n)
		b.counts[i].files++
		b.uses.Add(i, id)
	}
	return runInOrder(
		func() error { return b.putPacked("facts", id, c.Packed) },
		func() error { return b.putPacked("outlines", id, c.Outline) },
		func() error { return b.putSecrets(id, c.Secrets) },
		func() error { return b.setCounts(id, c) },
	)
}

func (b *bulkWriter) PutLinks(id int64, l, _ *store.LinkRow) error {
	if err := b.writeSettled(settleNames); err != nil {
		return err
	}
	for _, k := range l.Probes {
		b.probes.Add(k, id)
	}
	if err := b.putEdges(l.Edges); err != nil {
		return err
	}
	for _, e := range l.Externals {
		k := packageKey{e.Name, e.Std}
		p, ok := b.packages[k]
		if !ok {
			k.name = strings.Clone(k.name) // it is a part of all facts of its file
			p = &store.External{Name: k.name, Std: e.Std}
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

// settleNames is the number of names that settle writes at a time.
const settleNames = 50

// writeSettled writes a part of the data that is complete before links are written: names, then the SQL index of symbols. It
// writes in parts, because the engine goes on linking meanwhile and must not wait long at once.
func (b *bulkWriter) writeSettled(names int) error {
	if b.settled {
		return nil
	}
	if b.order == nil {
		b.order = sortedKeys(b.names)
	}
	uses := []byte{}
	for ; names > 0 && b.written < len(b.order); names-- {
		name := b.order[b.written]
		i := b.names[name]
		uses = b.uses.Append(uses[:0], i)
		c := b.counts[i]
		err := b.exec("INSERT INTO names(name,defs,files,uses) VALUES(?,?,?,?)", name, int64(c.defs), int64(c.files), uses)
		if err != nil {
			return err
		}
		b.written++
	}
	if b.written < len(b.order) {
		return nil
	}
	b.settled, b.order, b.names, b.counts, b.uses = true, nil, nil, nil, gather.NameUses{}
	return classifyIfError("make the index of symbols", sqlitex.ExecuteScript(b.c, symbolIndex, nil))
}

// writeAllSettled writes all data that settle has not written yet.
func (b *bulkWriter) writeAllSettled() error {
	for !b.settled {
		if err := b.writeSettled(max(1, len(b.counts))); err != nil {
			return err
		}
	}
	return nil
}

// writeAll writes all collected rows and makes the SQL indexes.
func (b *bulkWriter) writeAll() error {
	return runInOrder(b.writeAllSettled, b.flushProbes, b.flushEdges, b.flushPackages, func() error {
		return classifyIfError("make the indexes", sqlitex.ExecuteScript(b.c, indexes, nil))
	}, b.lengthenSlugs)
}

func (b *bulkWriter) flushProbes() error {
	rows := newInsertBatch(b.c, "INSERT INTO probes(key,file_id)", 2)
	for p := range b.probes.Drain() {
		if err := rows.addRow(int64(p.Key), p.File); err != nil {
			return err
		}
	}
	return rows.close()
}

// putEdges writes the edges of one file at once. They need not be collected: the
// engine links files in the order of their ids, so that the rows come in the order
// of the table.
func (b *bulkWriter) putEdges(edges []store.EdgeRow) error {
	edges = slices.SortedFunc(slices.Values(edges), func(x, y store.EdgeRow) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target), cmp.Compare(x.Relation, y.Relation))
	})
	last := int64(0)
	for _, e := range edges {
		if e.Relation.Depends() && last != e.Target {
			last = e.Target
			b.dependents = append(b.dependents, make([]uint32, max(0, last+1-int64(len(b.dependents))))...)
			b.dependents[last]++
		}
		if err := b.edges.addRow(e.Source, e.Target, int64(e.Relation), int64(e.Confidence)); err != nil {
			return err
		}
	}
	return nil
}

// flushEdges writes the last edges, and the number of dependents of each file.
func (b *bulkWriter) flushEdges() error {
	for id, n := range b.dependents {
		if n == 0 {
			continue
		}
		if err := b.exec("UPDATE files SET dependents=? WHERE id=?", int64(n), int64(id)); err != nil {
			return err
		}
	}
	return b.edges.close()
}

func (b *bulkWriter) flushPackages() error {
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

// lengthenSlugs gives files that share a slug (a short id made of the path) a longer, unique one; see claimSlug.
func (b *bulkWriter) lengthenSlugs() error {
	const shared = "SELECT slug,path FROM files WHERE slug IN (SELECT slug FROM files GROUP BY slug HAVING count(*)>1)"
	rows, err := queryList(&b.reader, shared, func(st *sqlite.Stmt) [2]string { return [2]string{st.ColumnText(0), st.ColumnText(1)} })
	for _, row := range rows {
		if err == nil {
			err = b.exec("UPDATE files SET slug=? WHERE path=?", longSlug(row[0], row[1]), row[1])
		}
	}
	return err
}

// insertBatch inserts many rows of few integers with few SQL statements.
type insertBatch struct {
	c      *sqlite.Conn
	prefix string
	cols   int
	vals   []int64
}

// batchRows is the number of rows that one statement inserts; more than 100 are not faster.
const batchRows = 100

func newInsertBatch(c *sqlite.Conn, prefix string, cols int) *insertBatch {
	return &insertBatch{c: c, prefix: prefix, cols: cols, vals: make([]int64, 0, cols*batchRows)}
}

func (w *insertBatch) addRow(vals ...int64) error {
	w.vals = append(w.vals, vals...)
	if len(w.vals) < w.cols*batchRows {
		return nil
	}
	return w.writeRows()
}

func (w *insertBatch) writeRows() error {
	n := len(w.vals) / w.cols
	if n == 0 {
		return nil
	}
	st, err := w.c.Prepare(w.prefix + " VALUES" + placeholders(n, w.cols))
	if err != nil {
		return classifyError("prepare an insert", err)
	}
	defer st.Reset()
	for i, v := range w.vals {
		st.BindInt64(i+1, v)
	}
	w.vals = w.vals[:0]
	_, err = st.Step()
	return classifyIfError("insert rows", err)
}

func (w *insertBatch) close() error { return w.writeRows() }

// placeholders returns the placeholders of an INSERT statement, such as "(?,?),(?,?)" for two rows of two columns.
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
