package sqlite

import (
	"cmp"
	"iter"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// symbolColumns are the columns that scanSymbol reads.
const symbolColumns = "y.id,y.name,y.container,y.kind,y.parent,y.exported,y.start,y.length,y.name_start,y.line,y.lines,y.signature"

// symbolKeys returns the range of the keys of a file's symbols: the first, and the one after the last.
func symbolKeys(file int64) (from, before int64) {
	return code.SymbolID{File: file}.Pack(), code.SymbolID{File: file + 1}.Pack()
}

// scanSymbol reads a symbol from a row of symbolColumns.
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
	from, before := symbolKeys(file)
	return queryList(r, "SELECT "+symbolColumns+" FROM symbols y WHERE y.id>=? AND y.id<? ORDER BY y.id", scanSymbol, from, before)
}

// SymbolsOf returns those of the first limit symbols of a file that wanted accepts. It makes strings only of those
// rows, because half of a file's symbols may be fields or keys.
func (r *reader) SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]store.SymbolRow, error) {
	var out []store.SymbolRow
	from, before := symbolKeys(file)
	err := r.eachRow("SELECT "+symbolColumns+" FROM symbols y WHERE y.id>=? AND y.id<? ORDER BY y.id LIMIT ?", func(st *sqlite.Stmt) error {
		if wanted(code.Kind(st.ColumnInt64(3))) {
			out = append(out, scanSymbol(st))
		}
		return nil
	}, from, before, int64(limit))
	return out, err
}

// SymbolsNamed returns the declarations of a name. Its query has a subquery instead of a join, for the reason that siteQuery has.
func (r *reader) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	const query = "SELECT " + symbolColumns + ",(SELECT path FROM files WHERE id=y.id>>20) FROM symbols y WHERE y.name=?"
	rows, err := queryList(r, query, func(st *sqlite.Stmt) store.SymbolRow {
		row := scanSymbol(st)
		row.Path = r.readPath(st, 12)
		return row
	}, name)
	slices.SortFunc(rows, func(a, b store.SymbolRow) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Ord, b.Ord))
	})
	return rows, err
}

func (r *reader) SymbolIDs(name string) ([]code.SymbolID, error) {
	ids, err := queryList(r, "SELECT id FROM symbols WHERE name=?", func(st *sqlite.Stmt) code.SymbolID {
		return code.UnpackSymbolID(st.ColumnInt64(0))
	}, name)
	// Sorted here, because with an ORDER BY SQLite plans the query again for every name.
	slices.SortFunc(ids, func(a, b code.SymbolID) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Ord, b.Ord)) })
	return ids, err
}

func (r *reader) Container(id code.SymbolID) (string, error) {
	return queryValue(r, "SELECT container FROM symbols WHERE id=?", scanText, id.Pack())
}

func (r *reader) Symbol(id code.SymbolID) (store.SymbolRow, bool, error) {
	return queryFirst(r, "SELECT "+symbolColumns+" FROM symbols y WHERE y.id=?", scanSymbol, id.Pack())
}

func (r *reader) QualifiedName(id code.SymbolID) (string, code.Kind, error) {
	var kind code.Kind
	name, _, err := queryFirst(r, "SELECT name,container,kind FROM symbols WHERE id=?", func(st *sqlite.Stmt) string {
		kind = code.Kind(st.ColumnInt64(2))
		if c := st.ColumnText(1); c != "" {
			return c + "." + st.ColumnText(0)
		}
		return st.ColumnText(0)
	}, id.Pack())
	return name, kind, err
}

func (r *reader) Outlines() iter.Seq2[store.Outline, error] {
	var buf []byte
	return queryRows(r, "SELECT file_id,data FROM outlines", func(st *sqlite.Stmt) store.Outline {
		n := st.ColumnLen(1)
		if cap(buf) < n {
			buf = make([]byte, n+n/2)
		}
		st.ColumnBytes(1, buf[:n])
		return store.Outline{FileID: st.ColumnInt64(0), Text: buf[:n]}
	})
}
