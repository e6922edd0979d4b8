package sqlite

import (
	"cmp"
	"iter"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

func (r *reader) Totals() (t store.Sums, err error) {
	const query = `SELECT count(*),count(*) FILTER (WHERE symbols>0 OR (lang<>'' AND problem='')),sum(symbols),sum(refs),
 sum(lines),sum(bytes),sum(cl100k),sum(o200k),sum(imports),sum(unresolved) FROM files`
	err = r.eachRow(query, func(st *sqlite.Stmt) error {
		t = store.Sums{Files: st.ColumnInt(0), Parsed: st.ColumnInt(1), Symbols: st.ColumnInt(2), Refs: st.ColumnInt(3),
			Lines: st.ColumnInt64(4), Bytes: st.ColumnInt64(5), CL100K: st.ColumnInt64(6), O200K: st.ColumnInt64(7),
			Imports: st.ColumnInt(8), Unresolved: st.ColumnInt(9)}
		return nil
	})
	if err != nil {
		return t, err
	}
	t.Edges, err = queryValue(r, "SELECT count(*) FROM file_edges", scanCount)
	return t, err
}

func (r *reader) ByLanguage() ([]store.LangCount, error) {
	const query = "SELECT lang,problem,count(*),sum(bytes) FROM files GROUP BY lang,problem ORDER BY lang,problem"
	return queryList(r, query, func(st *sqlite.Stmt) store.LangCount {
		return store.LangCount{Lang: code.Lang(st.ColumnText(0)), Problem: code.Problem(st.ColumnText(1)),
			Files: st.ColumnInt(2), Bytes: st.ColumnInt64(3)}
	})
}

// ImportSums returns the numbers of all imports and of unresolved ones.
func (r *reader) ImportSums() (imports, unresolved int, err error) {
	err = r.eachRow("SELECT imports,unresolved FROM sums", func(st *sqlite.Stmt) error {
		imports, unresolved = st.ColumnInt(0), st.ColumnInt(1)
		return nil
	})
	return imports, unresolved, err
}

func (r *reader) HotFiles(limit int) ([]code.File, error) {
	return queryList(r, fileQuery+"WHERE f.dependents>0 ORDER BY f.dependents DESC,f.path LIMIT ?", r.scanFile, int64(limit))
}

func (r *reader) Externals(limit int) ([]store.External, error) {
	return queryList(r, "SELECT name,std,files FROM packages WHERE files>0 ORDER BY files DESC,name,std LIMIT ?", func(st *sqlite.Stmt) store.External {
		return store.External{Name: st.ColumnText(0), Std: st.ColumnInt(1) != 0, Files: st.ColumnInt(2)}
	}, int64(limit))
}

func (r *reader) Skipped() ([]store.Skipped, error) {
	// Sorted here, because with an ORDER BY SQLite reads every file's row in the order of paths.
	out, err := queryList(r, "SELECT path,problem FROM skips UNION ALL SELECT path,problem FROM files WHERE problem<>''", func(st *sqlite.Stmt) store.Skipped {
		return store.Skipped{Path: r.readPath(st, 0), Problem: code.Problem(st.ColumnText(1))}
	})
	slices.SortFunc(out, func(a, b store.Skipped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Problem, b.Problem))
	})
	return slices.Compact(out), err
}

// findingColumns are the columns, after the path, that scanFinding reads.
const findingColumns = ",d.start,d.length,d.line,d.col,d.rule,d.hash,d.noted,d.copied FROM findings d "

func (r *reader) scanFinding(st *sqlite.Stmt) store.FoundSecret {
	s := store.FoundSecret{Path: r.readPath(st, 0)}
	s.Start, s.Line, s.Col = uint32(st.ColumnInt64(1)), uint32(st.ColumnInt64(3)), uint32(st.ColumnInt64(4))
	s.End = s.Start + uint32(st.ColumnInt64(2))
	s.Rule, s.Noted, s.Copied = st.ColumnText(5), st.ColumnInt64(7) != 0, st.ColumnInt64(8) != 0
	st.ColumnBytes(6, s.Hash[:])
	return s
}

func (r *reader) Secrets() iter.Seq2[store.FoundSecret, error] {
	return queryRows(r, "SELECT f.path"+findingColumns+"CROSS JOIN files f ON f.id=d.file_id ORDER BY f.path,d.start,d.line", r.scanFinding)
}

// MaskedSecrets yields the secrets that are masked in output. It reads the rows of few files: each is on a page of its own, and there are
// six times as many findings in six times the tree.
func (r *reader) MaskedSecrets() iter.Seq2[store.FoundSecret, error] {
	const path = "CASE WHEN d.line=0 THEN (SELECT path FROM files WHERE id=d.file_id) ELSE '' END"
	return queryRows(r, "SELECT "+path+findingColumns+"WHERE d.line=0 OR d.copied AND NOT d.noted ORDER BY d.file_id,d.start,d.line", r.scanFinding)
}

// FileSecrets returns the places of the secrets in one file.
func (r *reader) FileSecrets(file int64) ([]store.Secret, error) {
	return queryList(r, "SELECT start,length,line FROM findings WHERE file_id=+? ORDER BY start,line", func(st *sqlite.Stmt) store.Secret {
		start := uint32(st.ColumnInt64(0))
		return store.Secret{Start: start, End: start + uint32(st.ColumnInt64(1)), Line: uint32(st.ColumnInt64(2))}
	}, file)
}

// putSecrets stores the secrets of a file that has no stored ones.
func (t *tx) putSecrets(id int64, list []store.Secret) error {
	for i := range list {
		s := &list[i]
		err := t.exec("INSERT INTO findings(file_id,start,length,line,col,rule,hash,noted,copied) VALUES(?,?,?,?,?,?,?,?,?)", id, int64(s.Start),
			int64(s.End-s.Start), int64(s.Line), int64(s.Col), s.Rule, s.Hash[:], toInt(s.Noted), toInt(s.Copied))
		if err != nil {
			return err
		}
	}
	return nil
}
