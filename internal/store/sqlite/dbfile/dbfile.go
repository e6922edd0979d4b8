// Package dbfile opens SQLite databases that other programs may have written. A repository or
// an archive can bring one along, whose triggers and views SQLite would run, or one in
// a mode in which a reader keeps a writer of its own process waiting. So a connection
// runs in SQLite's defensive mode and trusts no function in a schema, and the schema is
// compared with the one that ken makes before any table is used. Its parent store/sqlite
// has the tables and the queries.
package dbfile

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"
)

// PageSize is the size of the pages of every database. SQLite cannot copy a database
// over one with a write-ahead log whose pages have another size.
const PageSize = 4096

// Conn is a connection that remembers whether the schema of its database was checked.
type Conn struct {
	*sqlite.Conn
	layout   *Layout
	writable bool
	// checked is the number of the last schema that was correct, plus 1. SQLite increments it with every change of a schema, and
	// itself reads a schema again only then.
	checked int
}

// Open opens the database at path; see sqlite.OpenConn for the flags. It fails if the file cannot be opened or a setting
// cannot be made. It does not check the schema; see Check.
func Open(path string, l *Layout, flags sqlite.OpenFlags) (*Conn, error) {
	raw, err := sqlite.OpenConn(path, flags)
	if err != nil {
		return nil, err
	}
	c := &Conn{Conn: raw, layout: l, writable: flags&sqlite.OpenReadWrite != 0}
	err = errors.Join(setDefensive(raw), c.runStatement("PRAGMA trusted_schema=OFF"), c.runStatement("PRAGMA cell_size_check=ON"))
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Use makes l the layout with which Check compares the schema.
func (c *Conn) Use(l *Layout) { c.layout, c.checked = l, 0 }

// Check fails with code.ErrDamaged unless the schema of the database, and for a writable connection its header, are
// those that ken makes. It must be called in every transaction before a table is used, because another process can
// have changed the schema; it reads one number unless the schema has changed.
func (c *Conn) Check() error {
	number, err := c.Number("PRAGMA schema_version")
	if err != nil || number+1 == c.checked {
		return err
	}
	if c.writable {
		if err := c.CheckHeader(); err != nil {
			return err
		}
	}
	var have []string
	err = sqlitex.ExecuteTransient(c.Conn, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL", &sqlitex.ExecOptions{
		ResultFunc: func(st *sqlite.Stmt) error {
			have = append(have, st.ColumnText(0))
			if len(have) > len(c.layout.statements) {
				return c.layout.compareSchema(have)
			}
			return nil
		}})
	if err == nil {
		err = c.layout.compareSchema(have)
	}
	if err == nil {
		c.checked = number + 1
	}
	return err
}

// MakeLog turns on the write-ahead log of a database that has none. It fails if another process prevents that for longer
// than wait: SQLite itself does not wait if two processes do it at once, because each could wait for the other.
func (c *Conn) MakeLog(wait time.Duration) error {
	for end := time.Now().Add(wait); ; time.Sleep(2 * time.Millisecond) {
		err := c.runStatement("PRAGMA journal_mode=WAL")
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || time.Now().After(end) {
			return err
		}
	}
}

// ShortenLog moves the write-ahead log of the database at path into the database and empties it, if it is longer than most
// bytes and no other process is using it. SQLite by itself copies a log of a thousand pages, but starts again at its
// beginning only when the process that copied it writes again. Processes that write once would let it grow for ever, and
// each reads all of it when it opens the database. Errors are ignored, because a long log loses nothing and the next process
// tries again.
func (c *Conn) ShortenLog(path string, most int64) {
	st, err := os.Lstat(path + "-wal")
	if err != nil || st.Size() <= most {
		return
	}
	c.SetBusyTimeout(0)
	c.runStatement("PRAGMA wal_checkpoint(TRUNCATE)")
}

// CheckHeader fails with code.ErrDamaged unless the database has a write-ahead log and
// pages of PageSize. Without that log a reader keeps writers waiting, even those of
// its own process.
func (c *Conn) CheckHeader() error {
	size, err := c.Number("PRAGMA page_size")
	if err != nil {
		return err
	}
	mode := ""
	err = sqlitex.ExecuteTransient(c.Conn, "PRAGMA journal_mode", &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		mode = st.ColumnText(0)
		return nil
	}})
	if err == nil && (size != PageSize || mode != "wal") {
		err = fmt.Errorf("%w: it has pages of %d bytes and journal mode %s", code.ErrDamaged, size, mode)
	}
	return err
}

// HasTable reports whether there is a table with a name that was made by the layout's statement for it. Such a table can be
// read whatever the rest of the schema is. It fails if the schema cannot be read.
func (c *Conn) HasTable(name string) (bool, error) {
	i := slices.IndexFunc(c.layout.statements, func(s string) bool { return strings.HasPrefix(s, "CREATE TABLE "+name+" ") })
	if i < 0 {
		return false, nil
	}
	found := false
	err := sqlitex.ExecuteTransient(c.Conn, "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=? AND sql=?", &sqlitex.ExecOptions{
		Args:       []any{name, c.layout.statements[i]},
		ResultFunc: func(*sqlite.Stmt) error { found = true; return nil },
	})
	return found, err
}

// Number returns the number that a statement selects. It fails if the statement does.
func (c *Conn) Number(sql string) (int, error) {
	n := 0
	err := sqlitex.Execute(c.Conn, sql, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		n = st.ColumnInt(0)
		return nil
	}})
	return n, err
}

func (c *Conn) runStatement(sql string) error { return sqlitex.ExecuteTransient(c.Conn, sql, nil) }
