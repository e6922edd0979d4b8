package data

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// sql scans SQL of any dialect statement by statement. The things CREATE makes are
// symbols, columns the fields of their table, and the tables a statement reads or
// writes references. It follows everything that can hide a semicolon or keyword:
// strings with their dialects' escapes, quoted names, comments, dollar quotes, the data
// of COPY. Bodies of routines are searched like any other text.
type sql struct {
	*plain.File
	s       string
	i       int
	at      int    // start of the last token
	tok     string // last token; words in upper case, quoted names with their quotes
	raw     string // as written
	escapes bool   // backslashes escape in strings (MySQL)
	doc     [2]int
	own     bool
	noEnd   bool            // an end that was searched for is missing, so that no other search for one is made
	seen    map[string]bool // tables and other things declared
	// insert is set in an INSERT; inserted is the table the last one was into.
	insert   bool
	inserted string
}

// maxSQLSymbols bounds the symbols of one file, because a dump has a statement for
// every row.
const maxSQLSymbols = 4000

// ScanSQL reads a script of SQL.
func ScanSQL(f *plain.File) {
	q := sql{File: f, s: f.Text, own: true, escapes: strings.IndexByte(f.Text[:min(len(f.Text), 64<<10)], '`') >= 0, seen: map[string]bool{}}
	for q.next(); q.tok != ""; {
		q.statement()
	}
}

// statement reads one statement, up to its semicolon.
func (q *sql) statement() {
	start := q.at
	doc := q.docText(start)
	q.doc = [2]int{}
	q.insert = q.tok == "INSERT"
	switch q.tok {
	case ";":
		q.next()
		return
	case "CREATE":
		q.create(start, doc)
	case "ALTER":
		q.alter(start)
	case "COPY":
		q.copy()
	case "SOURCE":
		q.next()
		if plain.IsPathLike(q.raw) {
			q.AddImport(code.ImportStatic, q.raw, q.at)
		}
	}
	q.rest()
}

// rest skips the rest of a statement and records references to the tables in it. A
// CREATE or ALTER inside it, in the body of a routine, begins a statement of its own.
func (q *sql) rest() {
	for q.tok != "" && q.tok != ";" {
		switch q.tok {
		case "FROM", "JOIN", "INTO", "UPDATE", "REFERENCES":
			q.next()
			q.tableRef()
			continue
		case "CREATE", "ALTER":
			return
		case "GO":
			if strings.TrimSpace(q.s[q.i:lexical.LineEnd(q.s, q.i)]) == "" {
				q.next()
				return
			}
		}
		q.next()
	}
	if q.tok == ";" {
		q.next()
	}
}

// tableRef records a reference to the table that is named at the current position, if any.
func (q *sql) tableRef() {
	for tableModifiers[q.tok] {
		q.next()
	}
	if !q.isName() || sqlWords[q.tok] {
		return
	}
	name, at := q.name()
	if name != "" && q.tok != "(" && len(q.Facts.Refs) < plain.MaxRefs {
		q.sqlRef(name, at)
	}
}

// sqlRef records a reference to a table. A series of INSERTs into one table makes one reference.
func (q *sql) sqlRef(name string, at int) {
	if q.insert && q.inserted == name {
		return
	}
	q.inserted = ""
	if q.insert {
		q.inserted = name
	}
	q.AddRef(code.RefUse, name, at)
}

// tableModifiers are words that may come before the name of a table.
var tableModifiers = plain.Words("ONLY TABLE IGNORE LATERAL")

// sqlWords are words of SQL that may be in the place of a table's name.
var sqlWords = plain.Words("SELECT SET VALUES WHERE DUAL UNNEST STDIN STDOUT DEFAULT OF NOWAIT SKIP THE NULL NOT CURRENT_TIMESTAMP NOW")

// alter reads ALTER TABLE. The columns that it adds are fields of the table.
func (q *sql) alter(start int) {
	if q.next(); q.tok != "TABLE" {
		return
	}
	q.next()
	q.skipExists()
	if q.tok == "ONLY" {
		q.next()
	}
	table, at := q.name()
	if table == "" {
		return
	}
	if len(q.Facts.Refs) < plain.MaxRefs {
		q.sqlRef(table, at)
	}
	for !q.isStatementOver() {
		if q.tok != "ADD" {
			if q.tok == "REFERENCES" {
				q.next()
				q.refTable()
				continue
			}
			q.next()
			continue
		}
		q.next()
		if q.tok == "COLUMN" {
			q.next()
		}
		q.skipExists()
		if !q.isName() || notColumns[q.tok] {
			continue
		}
		from := q.at
		name, nameAt := q.name()
		typeAt := q.at
		end := q.item()
		if sym := q.AddSymbol(code.KindField, name, nameAt, from, end, q.s[start:min(end, start+400)], maxSQLSymbols); sym >= 0 {
			s := &q.Facts.Symbols[sym]
			s.Qualified, s.Returns = lexical.Valid(table)+"."+s.Name, sqlType(q.s[min(typeAt, end):end])
		}
	}
}

// copy skips the data that follows COPY … FROM stdin.
func (q *sql) copy() {
	stdin := false
	for q.tok != "" && q.tok != ";" {
		if q.tok == "FROM" {
			q.next()
			stdin = q.tok == "STDIN"
			continue
		}
		q.next()
	}
	if !stdin || q.noEnd {
		return
	}
	n := strings.Index(q.s[q.i:], "\n\\.")
	if n < 0 {
		q.noEnd = true
		return
	}
	q.i += n + 3
}
