package sqlite

import (
	"fmt"
	"iter"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite/uses"
)

// reader is a store.Reader over a connection inside a transaction.
type reader struct {
	c    *sqlite.Conn
	done func() error // ends the transaction; nil inside a Tx
	// outside is a path that leads out of the root, "" if there was none: an index from elsewhere could lead readers of the file
	// out of the tree.
	outside string
}

func (r *reader) Close() error {
	if r.done == nil {
		return nil
	}
	done := r.done
	r.done = nil
	return done()
}

// eachRow runs a cached statement with the arguments bound in order (int64, string,
// []byte, float64 or nil) and calls row for every row.
//
// Statements that look up by a key and sort by the rest of an index say =+?,
// because SQLite plans those that say =? anew at each use, which takes three
// times as long.
func (r *reader) eachRow(sql string, row func(*sqlite.Stmt) error, args ...any) error {
	st, err := r.c.Prepare(sql)
	if err != nil {
		return classifyError("prepare a query", err)
	}
	defer st.Reset()
	bindArgs(st, args)
	for {
		ok, err := st.Step()
		if err != nil {
			return classifyError("query the index", err)
		}
		if !ok {
			return nil
		}
		if err := row(st); err != nil {
			return err
		}
		if r.outside != "" {
			return r.checkPathsInside()
		}
	}
}

// readPath returns the path of a file in a column. Functions that read rows call inside before they return paths.
func (r *reader) readPath(st *sqlite.Stmt, col int) string {
	p := st.ColumnText(col)
	if p != "" && !code.IsBelow(p) {
		r.outside = p
	}
	return p
}

func (r *reader) scanPath(st *sqlite.Stmt) string { return r.readPath(st, 0) }

// checkPathsInside fails if one of the paths that were read leads out of the tree.
func (r *reader) checkPathsInside() error {
	if r.outside == "" {
		return nil
	}
	return fmt.Errorf("%w: it holds the path %q", store.ErrDamaged, r.outside)
}

// bindArgs binds the arguments of a statement. It panics for an argument of another type than each allows, which is a mistake in this
// package.
func bindArgs(st *sqlite.Stmt, args []any) {
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

// errStopRows ends a statement whose caller needs no further rows.
var errStopRows = fmt.Errorf("stop")

// queryRows iterates over the rows of a query.
func queryRows[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := r.eachRow(sql, func(st *sqlite.Stmt) error {
			v := scan(st)
			if err := r.checkPathsInside(); err != nil {
				return err
			}
			if !yield(v, nil) {
				return errStopRows
			}
			return nil
		}, args...)
		if err != nil && err != errStopRows {
			var zero T
			yield(zero, err)
		}
	}
}

// queryList returns all rows of a query.
func queryList[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) ([]T, error) {
	var out []T
	err := r.eachRow(sql, func(st *sqlite.Stmt) error {
		out = append(out, scan(st))
		return nil
	}, args...)
	return out, err
}

// queryFirst returns the first row of a query, and whether there is one.
func queryFirst[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) (T, bool, error) {
	out, err := queryList(r, sql, scan, args...)
	if err != nil || len(out) == 0 {
		var zero T
		return zero, false, err
	}
	return out[0], true, nil
}

// queryValue returns the one row of a query, zero if there is none.
func queryValue[T any](r *reader, sql string, scan func(*sqlite.Stmt) T, args ...any) (T, error) {
	v, _, err := queryFirst(r, sql, scan, args...)
	return v, err
}

func scanInt(st *sqlite.Stmt) int64   { return st.ColumnInt64(0) }
func scanCount(st *sqlite.Stmt) int   { return st.ColumnInt(0) }
func scanText(st *sqlite.Stmt) string { return st.ColumnText(0) }
func scanBlob(st *sqlite.Stmt) []byte { return columnBlob(st, 0) }

// columnBlob returns a copy of a column: the row's own bytes are valid until the next row.
func columnBlob(st *sqlite.Stmt, col int) []byte {
	b := make([]byte, st.ColumnLen(col))
	st.ColumnBytes(col, b)
	return b
}

// tx is a store.Tx that keeps every table correct with each call, except that of names: see flush.
type tx struct {
	reader
	names uses.NameChanges
}

var _ store.Tx = (*tx)(nil)

// exec runs a statement that returns no rows.
func (t *tx) exec(sql string, args ...any) error {
	return t.eachRow(sql, func(*sqlite.Stmt) error { return nil }, args...)
}

// runInOrder runs steps one after the other until one fails, and returns its error.
func runInOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// execAll runs several statements with the same arguments.
func (t *tx) execAll(args []any, list ...string) error {
	for _, sql := range list {
		if err := t.exec(sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// putPacked stores the blob of a file in a table that has one blob for each file; nil deletes it.
func (t *tx) putPacked(table string, file int64, data []byte) error {
	if data == nil {
		return t.exec("DELETE FROM "+table+" WHERE file_id=?", file)
	}
	return t.exec("INSERT OR REPLACE INTO "+table+"(file_id,data) VALUES(?,?)", file, data)
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// emptyToNull returns nil for an empty text, so that it is stored as NULL, which the views show.
func emptyToNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// nilToEmpty returns an empty list for nil, because nil would be stored as NULL, which the tables refuse.
func nilToEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
