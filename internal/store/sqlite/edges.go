package sqlite

import (
	"iter"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

func scanEdge(st *sqlite.Stmt) store.EdgeRow {
	return store.EdgeRow{Source: st.ColumnInt64(0), Target: st.ColumnInt64(1),
		Relation: code.Relation(st.ColumnInt64(2)), Confidence: code.Confidence(st.ColumnInt64(3))}
}

func (r *reader) EdgesFrom(file int64) ([]store.EdgeRow, error) {
	return queryList(r, "SELECT source,target,relation,confidence FROM file_edges WHERE source=+? ORDER BY target,relation", scanEdge, file)
}

func (r *reader) EdgesTo(file int64) ([]store.EdgeRow, error) {
	return queryList(r, "SELECT source,target,relation,confidence FROM file_edges WHERE target=+? ORDER BY source,relation", scanEdge, file)
}

func (r *reader) DependentDirs(file int64) ([]store.DependentDir, error) {
	const query = `SELECT dir,flags&?>0,count(*) FROM files
 WHERE id IN (SELECT source FROM file_edges WHERE target=? AND relation<>?) GROUP BY 1,2 ORDER BY 1,2`
	return queryList(r, query, func(st *sqlite.Stmt) store.DependentDir {
		return store.DependentDir{Dir: st.ColumnText(0), Test: st.ColumnInt(1) != 0, Files: st.ColumnInt(2)}
	}, int64(code.FlagTest), file, int64(code.RelMentions))
}

func (r *reader) EdgesFromTests(file int64, limit int) ([]store.EdgeRow, error) {
	const query = `SELECT source,target,relation,confidence FROM file_edges
 WHERE target=+? AND relation<>? AND (SELECT flags FROM files WHERE id=source)&? ORDER BY relation=? DESC,source,relation LIMIT ?`
	return queryList(r, query, scanEdge, file, int64(code.RelMentions), int64(code.FlagTest), int64(code.RelTests), int64(limit))
}

func (r *reader) Edges() iter.Seq2[store.EdgeRow, error] {
	return queryRows(r, "SELECT source,target,relation,confidence FROM file_edges ORDER BY source,target,relation", scanEdge)
}
