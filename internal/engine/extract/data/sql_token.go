package data

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

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

// isSQLWord reports whether c can be in a name after the first byte.
func isSQLWord(c byte) bool {
	switch c {
	case '$', '@':
		return true
	}
	return lexical.IsWord(c)
}

// stringEnd returns the offset after the string or quoted name at at, in which the quote is
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

func (q *sql) docText(start int) string {
	if !lexical.EndsAbove(q.s, q.doc, start) {
		return ""
	}
	text := lexical.Cut(q.s[q.doc[0]:q.doc[1]], 4*plain.MaxDoc)
	return lexical.Cut(lexical.CleanDoc(dashes.Replace(text)), plain.MaxDoc)
}

// dashes turns the comment marks of SQL into marks that cleanDoc knows.
var dashes = strings.NewReplacer("--", "//")

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
