package data

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// sqlKinds are the kinds of the objects that CREATE makes, by keyword.
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

// statementEnd returns the end of the statement that the current token ends.
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

// existsWords are the words of conditions such as IF NOT EXISTS.
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

// onTable records a reference to the table after ON, if ON comes before a list or a body.
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

// definition reads the part of a CREATE after the name, up to the semicolon.
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

// body skips the rest of a definition and records references to the tables in it.
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

// notColumns are the words that begin those items of a table's definition that are not columns.
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

// item skips the rest of an item of a list and returns its end.
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

// refTable records a reference to the table of a foreign key, which columns in
// parentheses may follow.
func (q *sql) refTable() {
	if q.isName() {
		if name, at := q.name(); name != "" && len(q.Facts.Refs) < plain.MaxRefs {
			q.AddRef(code.RefType, name, at)
		}
	}
}

// sqlType returns the type a column's definition begins with: a word or two and a
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

// isParamMode reports whether a word is one that may come before the name of a parameter, such as IN or OUT.
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
