package extract

import (
	"strings"

	"ken/internal/code"
)

// sql scans SQL of any dialect statement by statement: what CREATE makes are
// symbols, columns the fields of their table, and the tables a statement reads
// or writes references. It knows what hides a semicolon or keyword: strings with
// their dialects' escapes, quoted names, comments, dollar quotes, the data of
// COPY. Bodies of routines are searched like any other text.
type sql struct {
	*file
	s       string
	i       int
	at      int    // start of the last token
	tok     string // last token; words in upper case, quoted names with their quotes
	raw     string // as written
	escapes bool   // backslashes escape in strings (MySQL)
	doc     [2]int
	own     bool
	noEnd   bool            // an end that was looked for once more is not there
	seen    map[string]bool // tables and other things declared
	// insert is set in an INSERT; inserted is the table the last one was into.
	insert   bool
	inserted string
}

// Bounds of one file: dumps hold a statement a row.
const (
	maxSQLSymbols = 4000
	maxSQLRefs    = 1000
)

func sqlReader() reader { return direct("sql", scanSQL) }

func scanSQL(f *file) {
	q := sql{file: f, s: f.text, own: true, escapes: strings.IndexByte(f.text[:min(len(f.text), 64<<10)], '`') >= 0, seen: map[string]bool{}}
	for q.next(); q.tok != ""; {
		q.statement()
	}
}

// next reads a token: a word, a quoted name, a string (as "'"), or a character.
func (q *sql) next() {
	for q.i < len(q.s) {
		c := q.s[q.i]
		switch {
		case isSpace(c):
			q.own = q.own || c == '\n'
			q.i++
		case c == '-' && strings.HasPrefix(q.s[q.i:], "--"), c == '#' && q.escapes && q.own:
			q.comment(lineEnd(q.s, q.i))
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
		if q.doc[1] == 0 || q.s[q.i] == '/' || !isGap(q.s[q.doc[1]:q.i], false) {
			q.doc[0] = q.i
		}
		q.doc[1] = end
	}
	q.i = end
}

// psql reads a command of psql: \i includes a file.
func (q *sql) psql() {
	end := lineEnd(q.s, q.i)
	fields := strings.Fields(cut(q.s[q.i:end], 1024))
	if len(fields) >= 2 && (fields[0] == `\i` || fields[0] == `\ir` || fields[0] == `\include` || fields[0] == `\include_relative`) {
		q.plainImport(code.ImportStatic, strings.Trim(fields[1], "'\""), q.i)
	}
	q.i = end
}

func (q *sql) token(c byte) {
	q.at, q.own = q.i, false
	switch {
	case c == '\'':
		q.i = q.stringEnd(q.i, q.escapes)
		q.tok = "'"
	case (c == 'E' || c == 'e') && strings.HasPrefix(q.s[q.i+1:], "'"):
		q.i = q.stringEnd(q.i+1, true)
		q.tok = "'"
	case c == '"' || c == '`':
		q.i = q.stringEnd(q.i, false)
		q.tok = q.s[q.at:q.i]
	case c == '[':
		n := strings.IndexAny(q.s[q.i:min(len(q.s), q.i+130)], "]\n")
		if n > 1 && q.s[q.i+n] == ']' && !isDigits(q.s[q.i+1:q.i+n]) {
			q.i += n + 1
		} else {
			q.i++
		}
		q.tok = q.s[q.at:q.i]
	case c == '$' && q.dollar():
		q.tok = "'"
	case isWord(c) || c == '@':
		for q.i < len(q.s) && (isWord(q.s[q.i]) || q.s[q.i] == '$' || q.s[q.i] == '@') {
			q.i++
		}
		q.tok = strings.ToUpper(q.s[q.at:min(q.i, q.at+200)])
	default:
		q.i++
		q.tok = q.s[q.at:q.i]
	}
	q.raw = q.s[q.at:q.i]
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// stringEnd is behind the string or quoted name at at; the quote is doubled in it.
func (q *sql) stringEnd(at int, escapes bool) int {
	quote := q.s[at]
	for i := at + 1; i < len(q.s); i++ {
		switch {
		case q.s[i] == '\\' && escapes:
			i++
		case q.s[i] == quote:
			if i+1 < len(q.s) && q.s[i+1] == quote {
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
	for i < len(q.s) && i < q.i+64 && isWord(q.s[i]) {
		i++
	}
	if i >= len(q.s) || q.s[i] != '$' || q.noEnd || i > q.i+1 && q.s[q.i+1] >= '0' && q.s[q.i+1] <= '9' {
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
		if isPathLike(q.raw) {
			q.plainImport(code.ImportStatic, q.raw, q.at)
		}
	}
	q.rest()
}

func (q *sql) docText(start int) string {
	if q.doc[1] == 0 || q.doc[1] > start || !isGap(q.s[q.doc[1]:start], false) {
		return ""
	}
	text := cut(q.s[q.doc[0]:q.doc[1]], 4*maxPlainDoc)
	return cut(cleanDoc(dashes.Replace(text)), maxPlainDoc)
}

// dashes turns comment marks of SQL into those cleanDoc knows.
var dashes = strings.NewReplacer("--", "//")

// rest passes over the rest of a statement and refers to the tables it names.
// A CREATE or ALTER inside (of a routine's body) begins a statement of its own.
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
			if strings.TrimSpace(q.s[q.i:lineEnd(q.s, q.i)]) == "" {
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

// tableRef refers to the table named here, if that is one.
func (q *sql) tableRef() {
	for q.tok == "ONLY" || q.tok == "TABLE" || q.tok == "IGNORE" || q.tok == "LATERAL" {
		q.next()
	}
	if !q.isName() || sqlWords[q.tok] {
		return
	}
	name, at := q.name()
	if name != "" && q.tok != "(" && len(q.facts.Refs) < maxSQLRefs {
		q.sqlRef(name, at)
	}
}

// sqlRef refers to a table, but not again for one INSERT after the other.
func (q *sql) sqlRef(name string, at int) {
	if q.insert && q.inserted == name {
		return
	}
	q.inserted = ""
	if q.insert {
		q.inserted = name
	}
	q.plainRef(code.RefUse, name, at)
}

// sqlWords are words that stand where a table could.
var sqlWords = words("SELECT SET VALUES WHERE DUAL UNNEST STDIN STDOUT DEFAULT OF NOWAIT SKIP THE NULL NOT CURRENT_TIMESTAMP NOW")

// isName reports whether the token can be a name.
func (q *sql) isName() bool {
	if q.tok == "" {
		return false
	}
	c := q.tok[0]
	return isWord(c) && (c < '0' || c > '9') || c == '"' || c == '`' || c == '[' && len(q.tok) > 2
}

// name reads a name with its qualifiers and returns the last part.
func (q *sql) name() (name string, at int) {
	for q.isName() {
		name, at = q.raw, q.at
		if c := name[0]; c == '"' || c == '`' || c == '[' {
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

// sqlKinds are what CREATE makes.
var sqlKinds = map[string]code.Kind{"TABLE": code.KindTable, "VIEW": code.KindView, "INDEX": code.KindIndex, "TRIGGER": code.KindTrigger,
	"FUNCTION": code.KindFunction, "PROCEDURE": code.KindFunction, "PROC": code.KindFunction, "AGGREGATE": code.KindFunction, "TYPE": code.KindType, "DOMAIN": code.KindType,
	"SEQUENCE": code.KindVariable, "SCHEMA": code.KindModule, "DATABASE": code.KindModule, "PACKAGE": code.KindModule}

// create reads CREATE … kind name.
func (q *sql) create(start int, doc string) {
	kind, word := code.KindUnknown, ""
	for n := 0; n < 16; n++ {
		q.next()
		if q.tok == "" || q.tok == ";" {
			return
		}
		if k, ok := sqlKinds[q.tok]; ok {
			kind, word = k, q.tok
			break
		}
		if q.tok == "ROLE" || q.tok == "USER" || q.tok == "EXTENSION" || q.tok == "POLICY" || q.tok == "RULE" {
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
	if q.tok == "ON" { // an index without name
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
		sym = q.plainSymbol(kind, name, nameAt, start, q.at, q.s[start:min(q.at, len(q.s))], maxSQLSymbols)
	}
	if sym >= 0 {
		q.facts.Symbols[sym].Doc = doc
	}
	before := q.owner
	if sym >= 0 {
		q.owner = sym
	}
	q.definition(sym, kind, start)
	q.owner = before
	q.setEnd(sym, q.statementEnd())
}

// statementEnd is behind the statement that ends at the present token.
func (q *sql) statementEnd() int {
	if q.tok == ";" {
		return q.i
	}
	end := q.at
	for end > 0 && isSpace(q.s[end-1]) {
		end--
	}
	return end
}

func (q *sql) skipExists() {
	for q.tok == "IF" || q.tok == "NOT" || q.tok == "EXISTS" || q.tok == "CONCURRENTLY" {
		q.next()
	}
}

// definition reads what follows the name, up to the semicolon.
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
				q.facts.Symbols[sym].Kind = code.KindEnum
			}
		}
	case code.KindIndex, code.KindTrigger:
		for q.tok != "" && q.tok != ";" && q.tok != "(" && q.tok != "BEGIN" {
			if q.tok == "ON" {
				q.next()
				q.tableRef()
				break
			}
			q.next()
		}
	}
	q.body()
	if sym >= 0 && kind != code.KindTable && kind != code.KindFunction {
		q.facts.Symbols[sym].Signature = oneLine(q.s[start:min(q.at, len(q.s))])
	}
}

// body passes over the rest of a definition and refers to the tables in it.
func (q *sql) body() {
	for q.tok != "" && q.tok != ";" && q.tok != "CREATE" {
		if q.tok == "GO" && strings.TrimSpace(q.s[q.i:lineEnd(q.s, q.i)]) == "" {
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

// notColumns begin the other lines of a table's definition.
var notColumns = words("PRIMARY FOREIGN UNIQUE CONSTRAINT CHECK KEY INDEX EXCLUDE LIKE FULLTEXT SPATIAL PERIOD PARTITION")

// isKeyColumn reports whether a KEY or INDEX is the name of a column: a type
// follows, not the name of an index and its list.
func (q *sql) isKeyColumn() bool {
	if q.tok != "KEY" && q.tok != "INDEX" && q.tok != "PERIOD" {
		return false
	}
	rest := strings.TrimLeft(q.s[q.i:min(len(q.s), q.i+200)], " \t")
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	after := strings.TrimLeft(rest[n:], " \t")
	if n == 0 || after == "" {
		return false
	}
	return after[0] != '(' || len(after) > 1 && after[1] >= '0' && after[1] <= '9'
}

// columns reads the list of a table's columns.
func (q *sql) columns(sym int32) {
	q.next()
	for q.tok != "" && q.tok != ";" && q.tok != "CREATE" {
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
			if c := q.plainSymbol(code.KindField, name, at, start, end, q.s[start:end], maxSQLSymbols); c >= 0 {
				q.facts.Symbols[c].Doc = doc
				q.facts.Symbols[c].Returns = sqlType(q.s[min(typeAt, end):end])
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

// refTable refers to the table of a foreign key, which columns in parentheses
// may follow.
func (q *sql) refTable() {
	if q.isName() {
		if name, at := q.name(); name != "" && len(q.facts.Refs) < maxSQLRefs {
			q.plainRef(code.RefType, name, at)
		}
	}
}

// sqlType is the type a column's definition begins with: a word or two and a
// size.
func sqlType(s string) string {
	s = strings.TrimSpace(cut(s, 200))
	end := 0
	for end < len(s) && (isWord(s[end]) || s[end] == '.' || s[end] == '"') {
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
	return oneLine(s[:end])
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
			q.facts.Symbols[sym].Params = sqlParams(q.s[from:min(max(q.at, from), from+4096, len(q.s))])
		}
		q.next()
	}
	if q.tok == "RETURNS" || q.tok == "RETURN" {
		q.next()
		from := q.at
		for n := 0; n < 64 && q.tok != "" && q.tok != ";" && q.tok != "AS" && q.tok != "LANGUAGE" && q.tok != "BEGIN" && q.tok != "IS" && q.tok != "'" && q.tok != "DETERMINISTIC" &&
			q.tok != "IMMUTABLE" && q.tok != "STABLE" && q.tok != "VOLATILE" && q.tok != "STRICT" && q.tok != "READS" && q.tok != "RETURN" && q.tok != "SECURITY" && q.tok != "NO"; n++ {
			end = q.i
			q.next()
		}
		if sym >= 0 && end > from {
			q.facts.Symbols[sym].Returns = oneLine(q.s[from:end])
		}
	}
	if sym >= 0 {
		q.facts.Symbols[sym].Signature = oneLine(q.s[start:end])
	}
}

// sqlParams takes a list of parameters apart.
func sqlParams(list string) []code.Param {
	var out []code.Param
	depth, from := 0, 0
	add := func(s string) {
		f := strings.Fields(s)
		for len(f) > 0 && (strings.EqualFold(f[0], "IN") || strings.EqualFold(f[0], "OUT") || strings.EqualFold(f[0], "INOUT") || strings.EqualFold(f[0], "VARIADIC")) {
			f = f[1:]
		}
		switch {
		case len(f) == 1:
			out = append(out, code.Param{Type: valid(f[0])})
		case len(f) > 1:
			p := code.Param{Name: valid(strings.Trim(f[0], "\"`[]")), Type: valid(strings.Join(f[1:], " "))}
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
	if len(q.facts.Refs) < maxSQLRefs {
		q.sqlRef(table, at)
	}
	for q.tok != "" && q.tok != ";" && q.tok != "CREATE" {
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
		if sym := q.plainSymbol(code.KindField, name, nameAt, from, end, q.s[start:min(end, start+400)], maxSQLSymbols); sym >= 0 {
			s := &q.facts.Symbols[sym]
			s.Qualified, s.Returns = valid(table)+"."+s.Name, sqlType(q.s[min(typeAt, end):end])
		}
	}
}

// copy skips the data that follow COPY … FROM stdin.
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
