package sqlite

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// fileQuery is the query of the rows of files; callers append a condition.
const fileQuery = `SELECT f.id,f.path,f.lang,f.flags,f.problem,f.hash,f.lines,f.cl100k,f.o200k,f.error_bytes,f.branches,f.package,f.doc,
 f.dependents,f.rank,f.slug,f.bytes,f.mtime,f.ctime,f.inode,f.symbols,f.class,f.first_indexed FROM files f `

// scanStat reads a stat from four columns that begin at col.
func scanStat(st *sqlite.Stmt, col int) code.Stat {
	return code.Stat{Size: st.ColumnInt64(col), MTime: st.ColumnInt64(col + 1), CTime: st.ColumnInt64(col + 2),
		Inode: uint64(st.ColumnInt64(col + 3))}
}

// scanFile reads a row of fileQuery.
func (r *reader) scanFile(st *sqlite.Stmt) code.File {
	f := code.File{
		ID: st.ColumnInt64(0), Path: r.readPath(st, 1), Lang: code.Lang(st.ColumnText(2)), Flags: code.Flags(st.ColumnInt64(3)),
		Problem: code.Problem(st.ColumnText(4)), Lines: uint32(st.ColumnInt64(6)), CL100K: uint32(st.ColumnInt64(7)),
		O200K: uint32(st.ColumnInt64(8)), ErrorBytes: uint32(st.ColumnInt64(9)), Branches: uint32(st.ColumnInt64(10)),
		Package: st.ColumnText(11), Doc: st.ColumnText(12), Dependents: uint32(st.ColumnInt64(13)), Rank: st.ColumnFloat(14),
		Slug: st.ColumnText(15), Stat: scanStat(st, 16), Symbols: uint32(st.ColumnInt64(20)), Class: code.FileClass(st.ColumnInt64(21)),
		FirstIndexed: st.ColumnInt64(22),
	}
	st.ColumnBytes(5, f.Hash[:])
	return f
}

func (r *reader) FileByPath(path string) (code.File, bool, error) {
	return queryFirst(r, fileQuery+"WHERE f.path=?", r.scanFile, path)
}

func (r *reader) FileByID(id int64) (code.File, bool, error) {
	return queryFirst(r, fileQuery+"WHERE f.id=?", r.scanFile, id)
}

func (r *reader) PathByID(id int64) (string, error) {
	return queryValue(r, "SELECT path FROM files WHERE id=?", r.scanPath, id)
}

func (r *reader) FileID(path string) (int64, error) {
	return queryValue(r, "SELECT id FROM files WHERE path=?", scanInt, path)
}

func (r *reader) Files() iter.Seq2[code.File, error] {
	return queryRows(r, fileQuery+"ORDER BY f.path", r.scanFile)
}

func (r *reader) Paths() iter.Seq2[store.PathRow, error] {
	return queryRows(r, "SELECT id,path FROM files ORDER BY path", func(st *sqlite.Stmt) store.PathRow {
		return store.PathRow{ID: st.ColumnInt64(0), Path: r.readPath(st, 1)}
	})
}

func (r *reader) ContentHashes() iter.Seq2[store.ContentHash, error] {
	return queryRows(r, "SELECT id,hash FROM files ORDER BY id", func(st *sqlite.Stmt) store.ContentHash {
		h := store.ContentHash{ID: st.ColumnInt64(0)}
		st.ColumnBytes(1, h.Hash[:])
		return h
	})
}

// documentsQuery has the same condition as the SQL index files_documents, so that SQLite reads only that index.
const documentsQuery = "SELECT id,path,class FROM files WHERE class&4<>0 ORDER BY path"

func (r *reader) Documents() iter.Seq2[store.DocumentRow, error] {
	return queryRows(r, documentsQuery, func(st *sqlite.Stmt) store.DocumentRow {
		return store.DocumentRow{PathRow: store.PathRow{ID: st.ColumnInt64(0), Path: r.readPath(st, 1)}, Class: code.FileClass(st.ColumnInt64(2))}
	})
}

func (r *reader) Ranked() iter.Seq2[code.File, error] {
	const query = "SELECT id,path,lang,flags,symbols,dependents,rank,class FROM files"
	return queryRows(r, query, func(st *sqlite.Stmt) code.File {
		return code.File{ID: st.ColumnInt64(0), Path: r.readPath(st, 1), Lang: code.Lang(st.ColumnText(2)), Flags: code.Flags(st.ColumnInt64(3)),
			Symbols: uint32(st.ColumnInt64(4)), Dependents: uint32(st.ColumnInt64(5)), Rank: st.ColumnFloat(6),
			Class: code.FileClass(st.ColumnInt64(7))}
	})
}

func (r *reader) FilesIn(dir string) ([]code.File, error) {
	files, err := queryList(r, fileQuery+"WHERE f.dir=?", r.scanFile, dir)
	slices.SortFunc(files, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) }) // sorted here as in SymbolIDs
	return files, err
}

func (r *reader) NodesIn(dir string) ([]code.File, error) {
	files, err := queryList(r, "SELECT id,path,lang,package,flags,problem FROM files WHERE dir=?", func(st *sqlite.Stmt) code.File {
		return code.File{ID: st.ColumnInt64(0), Path: r.readPath(st, 1), Lang: code.Lang(st.ColumnText(2)), Package: st.ColumnText(3),
			Flags: code.Flags(st.ColumnInt64(4)), Problem: code.Problem(st.ColumnText(5))}
	}, dir)
	slices.SortFunc(files, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// indexedFile is an SQL condition that leaves out the files that take no part in the graph, because a directory that
// holds only pictures cannot be imported from.
const indexedFile = " AND problem NOT IN ('binary','unreadable')"

func (r *reader) HasDir(dir string) (bool, error) {
	if dir == "" || dir == "." {
		return true, nil
	}
	_, ok, err := queryFirst(r, "SELECT 1 FROM files WHERE path>=? AND path<?"+indexedFile+" LIMIT 1", scanInt, dir+"/", dir+"0")
	return ok, err
}

func (r *reader) CountBelow(dir string, deep bool, limit int) (int, error) {
	if !deep {
		return queryValue(r, "SELECT count(*) FROM (SELECT 1 FROM files WHERE dir=? LIMIT ?)", scanCount, dir, int64(limit))
	}
	const query = "SELECT count(*) FROM (SELECT 1 FROM files WHERE path>=? AND path<?" + indexedFile + " LIMIT ?)"
	return queryValue(r, query, scanCount, dir+"/", dir+"0", int64(limit)) // '0' comes after '/'
}

func (r *reader) PackageFiles(lang code.Lang, pkg string) ([]code.File, error) {
	return queryList(r, fileQuery+"WHERE f.package=+? AND f.lang=+? ORDER BY f.path", r.scanFile, pkg, string(lang))
}

func (r *reader) ConfigPaths(base string) ([]string, error) {
	if ext, ok := strings.CutPrefix(base, "*"); ok { // reads the index of bases, some hundred of them
		return queryList(r, "SELECT path FROM configs WHERE substr(base,-length(?1))=?1 ORDER BY path", r.scanPath, ext)
	}
	return queryList(r, "SELECT path FROM configs WHERE base=+? ORDER BY path", r.scanPath, base)
}

func (r *reader) ConfigContent(path string) ([]byte, bool, error) {
	return queryFirst(r, "SELECT content FROM configs WHERE path=?", scanBlob, path)
}

// siteQuery reads the data of a file that linking needs. It has subqueries instead of joins, because SQLite plans a join on f.id again
// for each value bound to it.
const siteQuery = `SELECT f.path,f.lang,f.package,f.flags,f.problem,
 (SELECT data FROM facts WHERE file_id=f.id),(SELECT data FROM links WHERE file_id=f.id) FROM files f WHERE f.id=?`

func (r *reader) Site(file int64) (store.SiteRow, error) {
	site, _, err := queryFirst(r, siteQuery, func(st *sqlite.Stmt) store.SiteRow {
		node := code.File{ID: file, Path: r.readPath(st, 0), Lang: code.Lang(st.ColumnText(1)), Package: st.ColumnText(2),
			Flags: code.Flags(st.ColumnInt64(3)), Problem: code.Problem(st.ColumnText(4))}
		return store.SiteRow{Node: node, Facts: columnBlob(st, 5), Links: columnBlob(st, 6)}
	}, file)
	return site, err
}

// packedBlob returns the blob that a query selects for the file with an id.
func (r *reader) packedBlob(sql string, id int64) ([]byte, error) {
	return queryValue(r, sql, scanBlob, id)
}

func (r *reader) Facts(file int64) ([]byte, error) {
	return r.packedBlob("SELECT data FROM facts WHERE file_id=?", file)
}

func (r *reader) Links(file int64) ([]byte, error) {
	return r.packedBlob("SELECT data FROM links WHERE file_id=?", file)
}

func (r *reader) ProbedBy(key uint64) ([]int64, error) {
	return queryList(r, "SELECT file_id FROM probes WHERE key=+? ORDER BY file_id", scanInt, int64(key))
}
