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

// next reads a token: a word, a quoted name, a string (as "'"), or a character.
func (q *sql) next() {
	for q.i < len(q.s) {
		c := q.s[q.i]
		switch {
		case lexical.IsSpace(c):
			q.own = q.own || c == '\n'
			q.i++
		case c == '-' && strings.HasPrefix(q.s[q.i:], "--"), c == '#' && q.escapes && q.own:
			q.comment(lexical.LineEnd(q.s, q.i))
		case c == '/' && strings.HasPrefix(q.s[q.i:], "/*"):
			end := len(q.s)
			if n := strings.Index(q.s[q.i+2:], "*/"); n >= 0 {
				end = q.i + n + 4
			}
			q.comment(end)
		case c == '\\' && q.own:
			q.psql()
		default:
			q.token(c)
			return
		}
	}
	q.at, q.tok, q.raw = len(q.s), "", ""
}

func (q *sql) comment(end int) {
	if q.own {
		if q.s[q.i] == '/' || !lexical.EndsAbove(q.s, q.doc, q.i) {
			q.doc[0] = q.i
		}
		q.doc[1] = end
	}
	q.i = end
}

// psql reads a command of psql: \i includes a file.
func (q *sql) psql() {
	end := lexical.LineEnd(q.s, q.i)
	fields := strings.Fields(lexical.Cut(q.s[q.i:end], 1024))
	if len(fields) >= 2 {
		switch fields[0] {
		case `\i`, `\ir`, `\include`, `\include_relative`:
			q.AddImport(code.ImportStatic, strings.Trim(fields[1], "'\""), q.i)
		}
	}
	q.i = end
}

func (q *sql) token(c byte) {
	q.at, q.own = q.i, false
	switch {
	case c == '\'':
		q.i = q.stringEnd(q.i, q.escapes)
		q.tok = "'"
	case c|0x20 == 'e' && lexical.ByteAt(q.s, q.i+1) == '\'':
		q.i = q.stringEnd(q.i+1, true)
		q.tok = "'"
	case c == '"', c == '`':
		q.i = q.stringEnd(q.i, false)
		q.tok = q.s[q.at:q.i]
	case c == '[':
		n := strings.IndexAny(q.s[q.i:min(len(q.s), q.i+130)], "]\n")
		if n > 1 && q.s[q.i+n] == ']' && !lexical.IsDigits(q.s[q.i+1:q.i+n]) {
			q.i += n + 1
		} else {
			q.i++
		}
		q.tok = q.s[q.at:q.i]
	case c == '$' && q.dollar():
		q.tok = "'"
	case lexical.IsWord(c), c == '@':
		for q.i < len(q.s) && isSQLWord(q.s[q.i]) {
			q.i++
		}
		q.tok = strings.ToUpper(q.s[q.at:min(q.i, q.at+200)])
	default:
		q.i++
		q.tok = q.s[q.at:q.i]
	}
	q.raw = q.s[q.at:q.i]
}

// isSQLWord reports the bytes that names may have after the first one.
func isSQLWord(c byte) bool {
	switch c {
	case '$', '@':
		return true
	}
	return lexical.IsWord(c)
}

// stringEnd is the offset after the string or quoted name at at, in which the quote is
// doubled.
func (q *sql) stringEnd(at int, escapes bool) int {
	quote := q.s[at]
	for i := at + 1; i < len(q.s); i++ {
		switch {
		case q.s[i] == '\\' && escapes:
			i++
		case q.s[i] == quote:
			if lexical.ByteAt(q.s, i+1) == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(q.s)
}

// dollar skips a dollar-quoted string, $$ or $tag$.
func (q *sql) dollar() bool {
	i := q.i + 1
	for i < min(len(q.s), q.i+64) && lexical.IsWord(q.s[i]) {
		i++
	}
	numbered := lexical.IsDigit(lexical.ByteAt(q.s, q.i+1)) // $1 is a parameter
	if numbered || q.noEnd || lexical.ByteAt(q.s, i) != '$' {
		return false
	}
	tag := q.s[q.i : i+1]
	n := strings.Index(q.s[i+1:], tag)
	if n < 0 {
		q.noEnd = true
		return false
	}
	q.i = i + 1 + n + len(tag)
	return true
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

func (q *sql) docText(start int) string {
	if !lexical.EndsAbove(q.s, q.doc, start) {
		return ""
	}
	text := lexical.Cut(q.s[q.doc[0]:q.doc[1]], 4*plain.MaxDoc)
	return lexical.Cut(lexical.CleanDoc(dashes.Replace(text)), plain.MaxDoc)
}

// dashes turns the comment marks of SQL into marks that cleanDoc knows.
var dashes = strings.NewReplacer("--", "//")

// rest passes over the rest of a statement and refers to the tables it names. A CREATE
// or ALTER inside it, in a routine's body, begins a statement of its own.
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

// tableRef emits a reference to the table named here, if a name is here.
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

// sqlRef emits a reference to a table, but only one for a series of INSERTs into it.
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

// tableModifiers may come before the name of a table.
var tableModifiers = plain.Words("ONLY TABLE IGNORE LATERAL")

// sqlWords are words that may be used where a table's name could be.
var sqlWords = plain.Words("SELECT SET VALUES WHERE DUAL UNNEST STDIN STDOUT DEFAULT OF NOWAIT SKIP THE NULL NOT CURRENT_TIMESTAMP NOW")

// isName reports whether the token can be a name.
func (q *sql) isName() bool {
	switch c := lexical.ByteAt(q.tok, 0); c {
	case '"', '`':
		return true
	case '[':
		return len(q.tok) > 2
	default:
		return lexical.IsWordStart(c)
	}
}

// name reads a name with its qualifiers and returns the last part.
func (q *sql) name() (name string, at int) {
	for q.isName() {
		name, at = q.raw, q.at
		switch name[0] {
		case '"', '`', '[':
			name, at = strings.Trim(name, "\"`[]"), at+1
		}
		q.next()
		if q.tok != "." {
			break
		}
		q.next()
	}
	return name, at
}

// sqlKinds are the kinds of what CREATE makes, by keyword.
var sqlKinds = map[string]code.Kind{
	"TABLE": code.KindTable, "VIEW": code.KindView, "INDEX": code.KindIndex, "TRIGGER": code.KindTrigger,
	"FUNCTION": code.KindFunction, "PROCEDURE": code.KindFunction, "PROC": code.KindFunction, "AGGREGATE": code.KindFunction,
	"TYPE": code.KindType, "DOMAIN": code.KindType, "SEQUENCE": code.KindVariable,
	"SCHEMA": code.KindModule, "DATABASE": code.KindModule, "PACKAGE": code.KindModule,
}

// create reads CREATE … kind name.
func (q *sql) create(start int, doc string) {
	kind, word := code.KindUnknown, ""
	for n := 0; n < 16; n++ {
		q.next()
		if k, ok := sqlKinds[q.tok]; ok {
			kind, word = k, q.tok
			break
		}
		switch q.tok {
		case "", ";", "ROLE", "USER", "EXTENSION", "POLICY", "RULE":
			return
		}
	}
	if kind == code.KindUnknown {
		return
	}
	q.next()
	if word == "PACKAGE" && q.tok == "BODY" {
		q.next()
	}
	q.skipExists()
	if q.tok == "ON" { // an index without a name
		return
	}
	from := q.at
	name, nameAt := q.name()
	if name == "" {
		return
	}
	sym := int32(-1)
	if key := kind.String() + strings.ToLower(q.s[from:nameAt]+name); !q.seen[key] || kind == code.KindFunction {
		q.seen[key] = true
		sym = q.AddSymbol(kind, name, nameAt, start, q.at, q.s[start:min(q.at, len(q.s))], maxSQLSymbols)
	}
	if sym >= 0 {
		q.Facts.Symbols[sym].Doc = doc
	}
	before := q.Owner
	if sym >= 0 {
		q.Owner = sym
	}
	q.definition(sym, kind, start)
	q.Owner = before
	q.SetEnd(sym, q.statementEnd())
}

// statementEnd is the end of the statement that the current token ends.
func (q *sql) statementEnd() int {
	if q.tok == ";" {
		return q.i
	}
	end := q.at
	for end > 0 && lexical.IsSpace(q.s[end-1]) {
		end--
	}
	return end
}

func (q *sql) skipExists() {
	for existsWords[q.tok] {
		q.next()
	}
}

// existsWords are those of conditions such as IF NOT EXISTS.
var existsWords = plain.Words("IF NOT EXISTS CONCURRENTLY")

// isStatementOver reports whether the statement has ended. A CREATE begins another one
// even without a semicolon before it.
func (q *sql) isStatementOver() bool {
	switch q.tok {
	case "", ";", "CREATE":
		return true
	}
	return false
}

// onTable refers to the table after ON, if one follows before a list or a body.
func (q *sql) onTable() {
	for {
		switch q.tok {
		case "", ";", "(", "BEGIN":
			return
		case "ON":
			q.next()
			q.tableRef()
			return
		}
		q.next()
	}
}

// definition reads the part after the name, up to the semicolon.
func (q *sql) definition(sym int32, kind code.Kind, start int) {
	switch kind {
	case code.KindTable:
		if q.tok == "(" {
			q.columns(sym)
		}
	case code.KindFunction:
		q.routine(sym, start)
	case code.KindType:
		if q.tok == "AS" {
			if q.next(); q.tok == "ENUM" && sym >= 0 {
				q.Facts.Symbols[sym].Kind = code.KindEnum
			}
		}
	case code.KindIndex, code.KindTrigger:
		q.onTable()
	}
	q.body()
	if sym >= 0 && kind != code.KindTable && kind != code.KindFunction {
		q.Facts.Symbols[sym].Signature = lexical.OneLine(q.s[start:min(q.at, len(q.s))])
	}
}

// body passes over the rest of a definition and refers to the tables in it.
func (q *sql) body() {
	for !q.isStatementOver() {
		if q.tok == "GO" && strings.TrimSpace(q.s[q.i:lexical.LineEnd(q.s, q.i)]) == "" {
			return
		}
		switch q.tok {
		case "FROM", "JOIN", "INTO", "UPDATE", "REFERENCES":
			q.next()
			q.tableRef()
			continue
		}
		q.next()
	}
}

// notColumns begin those lines of a table's definition that are no columns.
var notColumns = plain.Words("PRIMARY FOREIGN UNIQUE CONSTRAINT CHECK KEY INDEX EXCLUDE LIKE FULLTEXT SPATIAL PERIOD PARTITION")

// isKeyColumn reports whether a KEY or INDEX is the name of a column: then a type
// follows, not the name of an index and its list.
func (q *sql) isKeyColumn() bool {
	switch q.tok {
	case "KEY", "INDEX", "PERIOD":
	default:
		return false
	}
	rest := strings.TrimLeft(q.s[q.i:min(len(q.s), q.i+200)], " \t")
	n := 0
	for n < len(rest) && lexical.IsWord(rest[n]) {
		n++
	}
	after := strings.TrimLeft(rest[n:], " \t")
	if n == 0 || after == "" {
		return false
	}
	return after[0] != '(' || lexical.IsDigit(lexical.ByteAt(after, 1))
}

// columns reads the list of a table's columns.
func (q *sql) columns(sym int32) {
	q.next()
	for !q.isStatementOver() {
		if q.tok == ")" {
			q.next()
			return
		}
		if q.tok == "," {
			q.next()
			continue
		}
		start, doc := q.at, q.docText(q.at)
		q.doc = [2]int{}
		name, at := "", 0
		if q.isName() && (!notColumns[q.tok] || q.isKeyColumn()) {
			name, at = q.name()
		}
		typeAt := q.at
		end := q.item()
		if name != "" && sym >= 0 {
			if c := q.AddSymbol(code.KindField, name, at, start, end, q.s[start:end], maxSQLSymbols); c >= 0 {
				q.Facts.Symbols[c].Doc = doc
				q.Facts.Symbols[c].Returns = sqlType(q.s[min(typeAt, end):end])
			}
		}
	}
}

// item passes over the rest of an item of a list and returns its end.
func (q *sql) item() (end int) {
	depth := 0
	end = q.at
	for q.tok != "" && q.tok != ";" {
		switch q.tok {
		case "(":
			depth++
		case ")":
			if depth == 0 {
				return end
			}
			depth--
		case ",":
			if depth == 0 {
				return end
			}
		case "CREATE":
			return end
		case "REFERENCES":
			end = q.i
			q.next()
			q.refTable()
			continue
		}
		end = q.i
		q.next()
	}
	return end
}

// refTable emits a reference to the table of a foreign key, which columns in
// parentheses may follow.
func (q *sql) refTable() {
	if q.isName() {
		if name, at := q.name(); name != "" && len(q.Facts.Refs) < plain.MaxRefs {
			q.AddRef(code.RefType, name, at)
		}
	}
}

// sqlType is the type a column's definition begins with: a word or two and a
// size.
func sqlType(s string) string {
	s = strings.TrimSpace(lexical.Cut(s, 200))
	end := 0
	for end < len(s) && (lexical.IsWord(s[end]) || strings.IndexByte(`."`, s[end]) >= 0) {
		end++
	}
	rest := s[end:]
	for _, second := range [...]string{" varying", " precision", " unsigned", " VARYING", " PRECISION", " UNSIGNED"} {
		if strings.HasPrefix(rest, second) {
			end += len(second)
			rest = s[end:]
		}
	}
	if strings.HasPrefix(rest, "(") {
		if n := strings.IndexByte(rest, ')'); n > 0 {
			end += n + 1
			rest = s[end:]
		}
	}
	if strings.HasPrefix(rest, "[]") {
		end += 2
	}
	return lexical.OneLine(s[:end])
}

// routine reads the parameters and result of a function or procedure.
func (q *sql) routine(sym int32, start int) {
	end := q.at
	if q.tok == "(" {
		from := q.i
		depth := 0
		for q.tok != "" {
			if q.tok == "(" {
				depth++
			} else if q.tok == ")" {
				if depth--; depth == 0 {
					break
				}
			}
			q.next()
		}
		end = q.i
		if sym >= 0 {
			q.Facts.Symbols[sym].Params = sqlParams(q.s[from:min(max(q.at, from), from+4096, len(q.s))])
		}
		q.next()
	}
	if q.tok == "RETURNS" || q.tok == "RETURN" {
		q.next()
		from := q.at
		for n := 0; n < 64 && q.tok != "" && !afterReturns[q.tok]; n++ {
			end = q.i
			q.next()
		}
		if sym >= 0 && end > from {
			q.Facts.Symbols[sym].Returns = lexical.OneLine(q.s[from:end])
		}
	}
	if sym >= 0 {
		q.Facts.Symbols[sym].Signature = lexical.OneLine(q.s[start:end])
	}
}

// afterReturns are the tokens that end the result type of a routine.
var afterReturns = plain.Words("; AS LANGUAGE BEGIN IS ' DETERMINISTIC IMMUTABLE STABLE VOLATILE STRICT READS RETURN SECURITY NO")

// isParamMode reports the words before the name of a parameter.
func isParamMode(word string) bool {
	for _, mode := range [...]string{"IN", "OUT", "INOUT", "VARIADIC"} {
		if strings.EqualFold(word, mode) {
			return true
		}
	}
	return false
}

// sqlParams splits a list of parameters.
func sqlParams(list string) []code.Param {
	var out []code.Param
	depth, from := 0, 0
	add := func(s string) {
		f := strings.Fields(s)
		for len(f) > 0 && isParamMode(f[0]) {
			f = f[1:]
		}
		switch {
		case len(f) == 1:
			out = append(out, code.Param{Type: lexical.Valid(f[0])})
		case len(f) > 1:
			p := code.Param{Name: lexical.Valid(strings.Trim(f[0], "\"`[]")), Type: lexical.Valid(strings.Join(f[1:], " "))}
			for _, mark := range [...]string{" DEFAULT ", " default ", " = ", " := "} {
				if typ, def, ok := strings.Cut(p.Type, mark); ok {
					p.Type, p.Default, p.Optional = typ, def, true
					break
				}
			}
			out = append(out, p)
		}
	}
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				add(list[from:i])
				from = i + 1
			}
		}
	}
	add(list[from:])
	return out
}

// alter reads ALTER TABLE: columns it adds are fields of the table.
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
