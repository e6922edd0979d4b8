package sqlite

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"

	"ken/internal/engine/store"
)

// reader is an engine.Reader over a connection inside a transaction.
type reader struct {
	c    *sqlite.Conn
	done func() error
}

func (r *reader) Close() error {
	if r.done == nil {
		return nil
	}
	done := r.done
	r.done = nil
	return done()
}

// each runs a cached statement with the arguments bound in order (int64,
// string or []byte) and calls row for every row.
//
// Statements that look up by a key and sort by the rest of an index say =+?: for
// =? SQLite plans them anew at each use, which takes three times as long.
func (r *reader) each(sql string, row func(*sqlite.Stmt) error, args ...any) error {
	st, err := r.c.Prepare(sql)
	if err != nil {
		return classify("prepare a query", err)
	}
	defer st.Reset()
	bind(st, args)
	for {
		ok, err := st.Step()
		if err != nil {
			return classify("query the index", err)
		}
		if !ok {
			return nil
		}
		if err := row(st); err != nil {
			return err
		}
	}
}

func bind(st *sqlite.Stmt, args []any) {
	for i, a := range args {
		switch v := a.(type) {
		case int64:
			st.BindInt64(i+1, v)
		case string:
			st.BindText(i+1, v)
		case []byte:
			st.BindBytes(i+1, v)
		case float64:
			st.BindFloat(i+1, v)
		case nil:
			st.BindNull(i + 1)
		default:
			panic(fmt.Sprintf("sqlite: cannot bind %T", a))
		}
	}
}

// errStop ends an iteration whose consumer has had enough.
var errStop = fmt.Errorf("stop")

func rows[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := r.each(sql, func(st *sqlite.Stmt) error {
			if !yield(scan(st), nil) {
				return errStop
			}
			return nil
		}, args...)
		if err != nil && err != errStop {
			var zero T
			yield(zero, err)
		}
	}
}

func list[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) ([]T, error) {
	var out []T
	err := r.each(sql, func(st *sqlite.Stmt) error {
		out = append(out, scan(st))
		return nil
	}, args...)
	return out, err
}

func first[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) (T, bool, error) {
	out, err := list(r, sql, scan, args...)
	if err != nil || len(out) == 0 {
		var zero T
		return zero, false, err
	}
	return out[0], true, nil
}

func scanInt(st *sqlite.Stmt) int64   { return st.ColumnInt64(0) }
func scanText(st *sqlite.Stmt) string { return st.ColumnText(0) }
func scanBlob(st *sqlite.Stmt) []byte { return blob(st, 0) }

func blob(st *sqlite.Stmt, col int) []byte {
	b := make([]byte, st.ColumnLen(col))
	st.ColumnBytes(col, b)
	return b
}

func (r *reader) ContentHashes() iter.Seq2[store.ContentHash, error] {
	return rows(r, "SELECT id,hash FROM files ORDER BY id", func(st *sqlite.Stmt) store.ContentHash {
		h := store.ContentHash{ID: st.ColumnInt64(0)}
		st.ColumnBytes(1, h.Hash[:])
		return h
	})
}

// Meta is a value kept beside the facts, "" if it was never set.
func (r *reader) Meta(key string) (string, error) {
	v, _, err := first(r, "SELECT value FROM meta WHERE key=?", scanText, key)
	return v, err
}

func scanStat(st *sqlite.Stmt, col int) code.Stat {
	return code.Stat{Size: st.ColumnInt64(col), MTime: st.ColumnInt64(col + 1), CTime: st.ColumnInt64(col + 2), Inode: uint64(st.ColumnInt64(col + 3))}
}

// Look is what SetLook stored, nil if nothing.
func (r *reader) Look() ([]byte, error) {
	b, _, err := first(r, "SELECT data FROM look", scanBlob)
	return b, err
}

// fileQuery reads files; a condition follows.
const fileQuery = `SELECT f.id,f.path,f.lang,f.flags,f.problem,f.hash,f.lines,f.cl100k,f.o200k,f.error_bytes,f.branches,f.package,f.doc,
 f.dependents,f.rank,f.slug,f.bytes,f.mtime,f.ctime,f.inode,f.symbols,f.class FROM files f `

func scanFile(st *sqlite.Stmt) code.File {
	f := code.File{
		ID: st.ColumnInt64(0), Path: st.ColumnText(1), Lang: code.Lang(st.ColumnText(2)), Flags: code.Flags(st.ColumnInt64(3)),
		Problem: code.Problem(st.ColumnText(4)), Lines: uint32(st.ColumnInt64(6)), CL100K: uint32(st.ColumnInt64(7)),
		O200K: uint32(st.ColumnInt64(8)), ErrorBytes: uint32(st.ColumnInt64(9)), Branches: uint32(st.ColumnInt64(10)),
		Package: st.ColumnText(11), Doc: st.ColumnText(12), Dependents: uint32(st.ColumnInt64(13)), Rank: st.ColumnFloat(14),
		Slug: st.ColumnText(15), Stat: scanStat(st, 16), Symbols: uint32(st.ColumnInt64(20)), Class: code.FileClass(st.ColumnInt64(21)),
	}
	st.ColumnBytes(5, f.Hash[:])
	return f
}

func (r *reader) FileByPath(path string) (code.File, bool, error) {
	return first(r, fileQuery+"WHERE f.path=?", scanFile, path)
}

func (r *reader) FileByID(id int64) (code.File, bool, error) {
	return first(r, fileQuery+"WHERE f.id=?", scanFile, id)
}

func (r *reader) PathByID(id int64) (string, error) {
	p, _, err := first(r, "SELECT path FROM files WHERE id=?", scanText, id)
	return p, err
}

func (r *reader) Files() iter.Seq2[code.File, error] {
	return rows(r, fileQuery+"ORDER BY f.path", scanFile)
}

func (r *reader) Paths() iter.Seq2[store.PathRow, error] {
	return rows(r, "SELECT id,path FROM files ORDER BY path", func(st *sqlite.Stmt) store.PathRow {
		return store.PathRow{ID: st.ColumnInt64(0), Path: st.ColumnText(1)}
	})
}

func (r *reader) Documents() iter.Seq2[store.DocumentRow, error] {
	return rows(r, "SELECT id,path,class FROM files WHERE class&4<>0 ORDER BY path", func(st *sqlite.Stmt) store.DocumentRow {
		return store.DocumentRow{PathRow: store.PathRow{ID: st.ColumnInt64(0), Path: st.ColumnText(1)}, Class: code.FileClass(st.ColumnInt64(2))}
	})
}

func (r *reader) Ranked() iter.Seq2[code.File, error] {
	return rows(r, "SELECT id,path,lang,flags,symbols,dependents,rank,class FROM files WHERE symbols>0", func(st *sqlite.Stmt) code.File {
		return code.File{ID: st.ColumnInt64(0), Path: st.ColumnText(1), Lang: code.Lang(st.ColumnText(2)), Flags: code.Flags(st.ColumnInt64(3)),
			Symbols: uint32(st.ColumnInt64(4)), Dependents: uint32(st.ColumnInt64(5)), Rank: st.ColumnFloat(6), Class: code.FileClass(st.ColumnInt64(7))}
	})
}

func (r *reader) FilesIn(dir string) ([]code.File, error) {
	files, err := list(r, fileQuery+"WHERE f.dir=?", scanFile, dir)
	slices.SortFunc(files, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) }) // as in SymbolIDs
	return files, err
}

func (r *reader) NodesIn(dir string) ([]code.File, error) {
	files, err := list(r, "SELECT id,path,lang,package,flags,problem FROM files WHERE dir=?", func(st *sqlite.Stmt) code.File {
		return code.File{ID: st.ColumnInt64(0), Path: st.ColumnText(1), Lang: code.Lang(st.ColumnText(2)), Package: st.ColumnText(3),
			Flags: code.Flags(st.ColumnInt64(4)), Problem: code.Problem(st.ColumnText(5))}
	}, dir)
	slices.SortFunc(files, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// indexedFile leaves out the files that take no part in the graph: nothing can be
// imported from a directory that holds only pictures.
const indexedFile = " AND problem NOT IN ('binary','unreadable')"

func (r *reader) HasDir(dir string) (bool, error) {
	if dir == "" || dir == "." {
		return true, nil
	}
	_, ok, err := first(r, "SELECT 1 FROM files WHERE path>=? AND path<?"+indexedFile+" LIMIT 1", scanInt, dir+"/", dir+"0")
	return ok, err
}

func (r *reader) CountBelow(dir string, deep bool, limit int) (int, error) {
	if !deep {
		n, _, err := first(r, "SELECT count(*) FROM (SELECT 1 FROM files WHERE dir=? LIMIT ?)", scanInt, dir, int64(limit))
		return int(n), err
	}
	n, _, err := first(r, "SELECT count(*) FROM (SELECT 1 FROM files WHERE path>=? AND path<?"+indexedFile+" LIMIT ?)", scanInt, dir+"/", dir+"0", int64(limit))
	return int(n), err
}

func (r *reader) ConfigPaths(base string) ([]string, error) {
	if ext, ok := strings.CutPrefix(base, "*"); ok { // reads the index of bases, some hundred of them
		return list(r, "SELECT path FROM configs WHERE substr(base,-length(?1))=?1 ORDER BY path", scanText, ext)
	}
	return list(r, "SELECT path FROM configs WHERE base=+? ORDER BY path", scanText, base)
}

func (r *reader) ConfigContent(path string) ([]byte, bool, error) {
	return first(r, "SELECT content FROM configs WHERE path=?", scanBlob, path)
}

func (r *reader) PackageFiles(lang code.Lang, pkg string) ([]code.File, error) {
	return list(r, fileQuery+"WHERE f.package=+? AND f.lang=+? ORDER BY f.path", scanFile, pkg, string(lang))
}

const symbolColumns = "y.id,y.name,y.container,y.kind,y.parent,y.exported,y.start,y.length,y.name_start,y.line,y.lines,y.signature"

// keysOf are the keys of a file's symbols: from the first to the one before the second.
func keysOf(file int64) (from, before int64) {
	return code.SymbolID{File: file}.Pack(), code.SymbolID{File: file + 1}.Pack()
}

func scanSymbol(st *sqlite.Stmt) store.SymbolRow {
	id := code.UnpackSymbolID(st.ColumnInt64(0))
	row := store.SymbolRow{FileID: id.File, Ord: id.Ord}
	start, line := uint32(st.ColumnInt64(6)), uint32(st.ColumnInt64(9))
	row.Symbol = code.Symbol{
		Name: st.ColumnText(1), Kind: code.Kind(st.ColumnInt64(3)), Parent: int32(st.ColumnInt64(4)), Exported: st.ColumnInt64(5) != 0,
		Span:      code.Span{Start: start, End: start + uint32(st.ColumnInt64(7)), Line: line, EndLine: line + uint32(st.ColumnInt64(10))},
		NameStart: uint32(st.ColumnInt64(8)), Signature: st.ColumnText(11),
	}
	row.Qualified = row.Name
	if c := st.ColumnText(2); c != "" {
		row.Qualified = c + "." + row.Name
	}
	return row
}

func (r *reader) Symbols(file int64) ([]store.SymbolRow, error) {
	from, before := keysOf(file)
	return list(r, "SELECT "+symbolColumns+" FROM symbols y WHERE y.id>=? AND y.id<? ORDER BY y.id", scanSymbol, from, before)
}

// SymbolsOf makes strings of the rows that are wanted only: half of a file's
// symbols may be fields, or keys.
func (r *reader) SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]store.SymbolRow, error) {
	var out []store.SymbolRow
	from, before := keysOf(file)
	err := r.each("SELECT "+symbolColumns+" FROM symbols y WHERE y.id>=? AND y.id<? ORDER BY y.id LIMIT ?", func(st *sqlite.Stmt) error {
		if wanted(code.Kind(st.ColumnInt64(3))) {
			out = append(out, scanSymbol(st))
		}
		return nil
	}, from, before, int64(limit))
	return out, err
}

// SymbolsNamed has a subquery instead of a join; see siteQuery.
func (r *reader) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	rows, err := list(r, "SELECT "+symbolColumns+",(SELECT path FROM files WHERE id=y.id>>20) FROM symbols y WHERE y.name=?", func(st *sqlite.Stmt) store.SymbolRow {
		row := scanSymbol(st)
		row.Path = st.ColumnText(12)
		return row
	}, name)
	slices.SortFunc(rows, func(a, b store.SymbolRow) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Ord, b.Ord))
	})
	return rows, err
}

func (r *reader) SymbolIDs(name string) ([]code.SymbolID, error) {
	ids, err := list(r, "SELECT id FROM symbols WHERE name=?", func(st *sqlite.Stmt) code.SymbolID {
		return code.UnpackSymbolID(st.ColumnInt64(0))
	}, name)
	// Sorted here: with an ORDER BY SQLite plans the query anew for every name.
	slices.SortFunc(ids, func(a, b code.SymbolID) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Ord, b.Ord)) })
	return ids, err
}

func (r *reader) Container(id code.SymbolID) (string, error) {
	c, _, err := first(r, "SELECT container FROM symbols WHERE id=?", scanText, id.Pack())
	return c, err
}

func (r *reader) Symbol(id code.SymbolID) (store.SymbolRow, bool, error) {
	return first(r, "SELECT "+symbolColumns+" FROM symbols y WHERE y.id=?", scanSymbol, id.Pack())
}

func (r *reader) QualifiedName(id code.SymbolID) (string, code.Kind, error) {
	var kind code.Kind
	name, _, err := first(r, "SELECT name,container,kind FROM symbols WHERE id=?", func(st *sqlite.Stmt) string {
		kind = code.Kind(st.ColumnInt64(2))
		if c := st.ColumnText(1); c != "" {
			return c + "." + st.ColumnText(0)
		}
		return st.ColumnText(0)
	}, id.Pack())
	return name, kind, err
}

// siteQuery has subqueries instead of joins: SQLite plans a join on f.id anew for
// each value bound to it.
const siteQuery = `SELECT f.path,f.lang,f.package,f.flags,f.problem,
 (SELECT data FROM facts WHERE file_id=f.id),(SELECT data FROM links WHERE file_id=f.id) FROM files f WHERE f.id=?`

func (r *reader) Site(file int64) (store.SiteRow, error) {
	site, _, err := first(r, siteQuery, func(st *sqlite.Stmt) store.SiteRow {
		return store.SiteRow{Node: code.File{ID: file, Path: st.ColumnText(0), Lang: code.Lang(st.ColumnText(1)), Package: st.ColumnText(2),
			Flags: code.Flags(st.ColumnInt64(3)), Problem: code.Problem(st.ColumnText(4))}, Facts: blob(st, 5), Links: blob(st, 6)}
	}, file)
	return site, err
}

func (r *reader) packed(sql string, id int64) ([]byte, error) {
	b, _, err := first(r, sql, scanBlob, id)
	return b, err
}

func (r *reader) Facts(file int64) ([]byte, error) {
	return r.packed("SELECT data FROM facts WHERE file_id=?", file)
}

func (r *reader) Links(file int64) ([]byte, error) {
	return r.packed("SELECT data FROM links WHERE file_id=?", file)
}

func (r *reader) ProbedBy(key uint64) ([]int64, error) {
	return list(r, "SELECT file_id FROM probes WHERE key=+? ORDER BY file_id", scanInt, int64(key))
}

func scanEdge(st *sqlite.Stmt) store.EdgeRow {
	return store.EdgeRow{Source: st.ColumnInt64(0), Target: st.ColumnInt64(1), Relation: code.Relation(st.ColumnInt64(2)), Confidence: code.Confidence(st.ColumnInt64(3))}
}

func (r *reader) EdgesFrom(file int64) ([]store.EdgeRow, error) {
	return list(r, "SELECT source,target,relation,confidence FROM file_edges WHERE source=+? ORDER BY target,relation", scanEdge, file)
}

func (r *reader) EdgesTo(file int64) ([]store.EdgeRow, error) {
	return list(r, "SELECT source,target,relation,confidence FROM file_edges WHERE target=+? ORDER BY source,relation", scanEdge, file)
}

func (r *reader) DependentDirs(file int64) ([]store.DependentDir, error) {
	return list(r, "SELECT dir,flags&?>0,count(*) FROM files WHERE id IN (SELECT source FROM file_edges WHERE target=? AND relation<>?) GROUP BY 1,2 ORDER BY 1,2", func(st *sqlite.Stmt) store.DependentDir {
		return store.DependentDir{Dir: st.ColumnText(0), Test: st.ColumnInt(1) != 0, Files: st.ColumnInt(2)}
	}, int64(code.FlagTest), file, int64(code.RelMentions))
}

func (r *reader) EdgesFromTests(file int64, limit int) ([]store.EdgeRow, error) {
	return list(r, "SELECT source,target,relation,confidence FROM file_edges WHERE target=+? AND relation<>? AND (SELECT flags FROM files WHERE id=source)&? ORDER BY relation=? DESC,source,relation LIMIT ?",
		scanEdge, file, int64(code.RelMentions), int64(code.FlagTest), int64(code.RelTests), int64(limit))
}

func (r *reader) Edges() iter.Seq2[store.EdgeRow, error] {
	return rows(r, "SELECT source,target,relation,confidence FROM file_edges ORDER BY source,target,relation", scanEdge)
}

func (r *reader) Names() iter.Seq2[string, error] {
	return rows(r, "SELECT name FROM names WHERE defs>0", scanText)
}

func scanNameCount(st *sqlite.Stmt) store.NameCount {
	return store.NameCount{Name: st.ColumnText(0), Defs: st.ColumnInt(1), Files: st.ColumnInt(2)}
}

func (r *reader) HotNames(limit int) ([]store.NameCount, error) {
	return list(r, "SELECT name,defs,files FROM names WHERE defs=1 AND files>1 ORDER BY files DESC,name LIMIT ?", scanNameCount, int64(limit))
}

func (r *reader) NameCount(name string) (store.NameCount, error) {
	n, _, err := first(r, "SELECT name,defs,files FROM names WHERE name=?", scanNameCount, name)
	return n, err
}

func (r *reader) HotFiles(limit int) ([]code.File, error) {
	return list(r, fileQuery+"WHERE f.dependents>0 ORDER BY f.dependents DESC,f.path LIMIT ?", scanFile, int64(limit))
}

func (r *reader) Outlines() iter.Seq2[store.Outline, error] {
	var buf []byte
	return rows(r, "SELECT file_id,data FROM outlines", func(st *sqlite.Stmt) store.Outline {
		n := st.ColumnLen(1)
		if cap(buf) < n {
			buf = make([]byte, n+n/2)
		}
		st.ColumnBytes(1, buf[:n])
		return store.Outline{FileID: st.ColumnInt64(0), Text: buf[:n]}
	})
}

func (r *reader) Externals(limit int) ([]store.External, error) {
	return list(r, "SELECT name,std,files FROM packages WHERE files>0 ORDER BY files DESC,name,std LIMIT ?", func(st *sqlite.Stmt) store.External {
		return store.External{Name: st.ColumnText(0), Std: st.ColumnInt(1) != 0, Files: st.ColumnInt(2)}
	}, int64(limit))
}

func (r *reader) Skipped() ([]store.Skipped, error) {
	// Sorted here: with an ORDER BY SQLite reads every file's row in the order of paths.
	out, err := list(r, "SELECT path,problem FROM skips UNION ALL SELECT path,problem FROM files WHERE problem<>''", func(st *sqlite.Stmt) store.Skipped {
		return store.Skipped{Path: st.ColumnText(0), Problem: code.Problem(st.ColumnText(1))}
	})
	slices.SortFunc(out, func(a, b store.Skipped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Problem, b.Problem))
	})
	return slices.Compact(out), err
}

// Noted are the paths updated singly since the last look, sorted.
func (r *reader) Noted() ([]string, error) {
	return list(r, "SELECT path FROM notes ORDER BY path", scanText)
}

// ImportSums are the numbers of all imports and of those that lead nowhere.
func (r *reader) ImportSums() (imports, unresolved int, err error) {
	err = r.each("SELECT imports,unresolved FROM sums", func(st *sqlite.Stmt) error {
		imports, unresolved = st.ColumnInt(0), st.ColumnInt(1)
		return nil
	})
	return imports, unresolved, err
}

func (r *reader) ByLanguage() ([]store.LangCount, error) {
	return list(r, "SELECT lang,problem,count(*),sum(bytes) FROM files GROUP BY lang,problem ORDER BY lang,problem", func(st *sqlite.Stmt) store.LangCount {
		return store.LangCount{Lang: code.Lang(st.ColumnText(0)), Problem: code.Problem(st.ColumnText(1)), Files: st.ColumnInt(2), Bytes: st.ColumnInt64(3)}
	})
}

func (r *reader) Totals() (t store.Sums, err error) {
	err = r.each(`SELECT count(*),count(*) FILTER (WHERE symbols>0 OR (lang<>'' AND problem='')),sum(symbols),sum(refs),sum(lines),sum(bytes),sum(cl100k),sum(o200k),sum(imports),sum(unresolved) FROM files`, func(st *sqlite.Stmt) error {
		t = store.Sums{Files: st.ColumnInt(0), Parsed: st.ColumnInt(1), Symbols: st.ColumnInt(2), Refs: st.ColumnInt(3),
			Lines: st.ColumnInt64(4), Bytes: st.ColumnInt64(5), CL100K: st.ColumnInt64(6), O200K: st.ColumnInt64(7), Imports: st.ColumnInt(8), Unresolved: st.ColumnInt(9)}
		return nil
	})
	if err != nil {
		return t, err
	}
	n, _, err := first(r, "SELECT count(*) FROM file_edges", scanInt)
	t.Edges = int(n)
	return t, err
}

func (r *reader) Secrets() iter.Seq2[store.FoundSecret, error] {
	return rows(r, "SELECT f.path,d.start,d.length,d.line,d.col,d.rule,d.hash,d.noted FROM findings d JOIN files f ON f.id=d.file_id ORDER BY f.path,d.start", func(st *sqlite.Stmt) store.FoundSecret {
		s := store.FoundSecret{Path: st.ColumnText(0)}
		s.Start, s.Line, s.Col = uint32(st.ColumnInt64(1)), uint32(st.ColumnInt64(3)), uint32(st.ColumnInt64(4))
		s.End = s.Start + uint32(st.ColumnInt64(2))
		s.Rule, s.Noted = st.ColumnText(5), st.ColumnInt64(7) != 0
		st.ColumnBytes(6, s.Hash[:])
		return s
	})
}
