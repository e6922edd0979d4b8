package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// A name can itself be a value: - name: DB_PASSWORD, value: "v"; <key>password</key><string>v</string>; variable "token" { default = "v" };
// INSERT INTO t (user, password) VALUES ('u', 'v'). The value that belongs to the name is detached from it, after a word for "value".

// detachedValue returns the start of a value that does not directly follow its name, whose quotes end at i, or 0 if there is none.
func detachedValue(text []byte, suffix [2]int, i int) int {
	c := look.At(text, i)
	if look.IsIn(c, "\n\r, <") {
		if j := siblingValue(text, suffix[0], i); j > 0 {
			return j
		}
	}
	if look.IsIn(c, ",)") || look.At(text, i-1) == ')' {
		return sqlInsertValue(text, nameStart(text, suffix[0]), suffix[1])
	}
	return 0
}

// siblingValue returns the start of the value in an object that gives name and value under separate keys; the name ends at hi, its quotes
// at i. It returns 0 if there is none.
func siblingValue(text []byte, hi, i int) int {
	if !isNameValue(text, nameStart(text, hi)) {
		return 0
	}
	if look.AnyAt(text, i, []string{"</key>", "</name>"}) > 0 {
		tagEnd := look.FindAny(text, i, 16, ">")
		j := look.SkipSpace(text, tagEnd+1)
		if n := look.AnyAt(text, j, []string{"<string>", "<value>"}); n > 0 && look.At(text, tagEnd) == '>' {
			return j + n
		}
		return 0
	}
	j := i
	for range 3 { // past another property or two: type = string, description: "…"
		j = look.RunEnd(text, j, i+240-j, look.Space|look.Gap)
		key, value := keyAt(text, j)
		switch {
		case len(key) == 0:
			return 0
		case look.EqualsAny(key, valueWords[:]):
			return look.SkipBlank(text, value)
		}
		j = look.FindAny(text, value-1, 100, "\n,}")
		if !look.IsIn(look.At(text, j), "\n,") {
			return 0
		}
	}
	return 0
}

// keyAt returns the key that begins at i, without its quotes, and the place after its operator. The key is empty if there is none.
func keyAt(text []byte, i int) (key []byte, value int) {
	j := i
	if look.At(text, j) == ':' && look.At(text, j+1) > ' ' {
		j++ // a symbol
	}
	j = look.RunEnd(text, j, i+24-j, look.Name|look.Quote|look.Escape)
	key = bytes.Trim(look.Clip(text, i, j), "\"'`\\: ")
	j = look.SkipBlank(text, j)
	switch {
	case !look.IsIn(look.At(text, j), ":="):
		return nil, 0
	case look.At(text, j+1) == '>':
		j++
	}
	return key, j + 1
}

// isNameValue reports whether the name that begins at lo is the value of a key for names: name: X, "key": "X", <key>X, variable "X".
func isNameValue(text []byte, lo int) bool {
	head := bytes.TrimRight(text[max(0, lo-24):lo], "\"'`\\ ")
	for _, end := range [...]string{"<key>", "<name>", "variable"} {
		if bytes.HasSuffix(head, []byte(end)) {
			return true
		}
	}
	head = bytes.TrimRight(head, "=>: ")
	head = bytes.TrimRight(head, "\"'`\\ ")
	word := head[look.RunStart(head, len(head), len(head), look.Letter):]
	return len(head) < lo && look.EqualsAnyFold(word, nameWords[:])
}

// readComparison reads the literal that is compared to the name around text[lo:hi] and is written before it: "v" == password.
func readComparison(text []byte, lo, hi int) (assignment, bool) {
	a := assignment{op: '=', suffix: [2]int{hi, look.RunEnd(text, hi, maxName, look.Name)}}
	i := nameStart(text, lo) - 1
	if look.At(text, i) != ' ' || look.At(text, i-1) != '=' {
		return a, false
	}
	i = look.RunStart(text, i, 3, look.Equal) - 1
	if look.At(text, i) == '!' {
		i--
	}
	q := look.At(text, i-1)
	if look.At(text, i) != ' ' || !look.Is(q, look.Quote) {
		return a, false
	}
	line := text[look.LineStart(text, i, look.MaxLength) : i-1]
	open := bytes.LastIndexByte(line, q)
	return a, open >= 0 && a.readLiteral(text, i-1-len(line)+open)
}

// sqlInsertValue returns the start of the value that an SQL statement INSERT gives to a column, or 0 if there is none. The name of the
// column begins at lo and ends at i.
func sqlInsertValue(text []byte, lo, i int) int {
	head := text[look.LineStart(text, lo, 240):lo]
	open := bytes.LastIndexByte(head, '(')
	if open < 0 || !look.ContainsAny(head[:open], []string{"INSERT", "insert"}) {
		return 0
	}
	tail := look.Clip(text, i, i+240) // the rest of the columns, and VALUES (…)
	v := bytes.Index(bytes.ToLower(tail), []byte("values"))
	switch {
	case v < 0, bytes.IndexByte(tail[:v], ';') >= 0, bytes.IndexByte(tail[:v], ')') < 0:
		return 0
	}
	j := look.SkipSpace(text, i+v+len("values"))
	column := bytes.Count(head[open:], []byte(","))
	if look.At(text, j) != '(' || column > 16 {
		return 0
	}
	for j++; column > 0; column-- {
		if j = nextInsertValue(text, j); j == 0 {
			return 0
		}
	}
	if j = look.SkipSpace(text, j); !look.IsAt(text, j, look.Quote) {
		return 0
	}
	return j
}

// nextInsertValue returns the place after the comma that follows the value at i in such a list of values, or 0 if there is none. The
// value must be a literal or have no brackets.
func nextInsertValue(text []byte, i int) int {
	i = look.SkipSpace(text, i)
	if look.IsAt(text, i, look.Quote) {
		var a assignment
		if a.readLiteral(text, i) {
			i = a.end + 1
		} else {
			i += 2
		}
	}
	if !look.IsIn(look.At(text, i), ",)") {
		i = look.FindAny(text, i+1, 47, "(,)")
	}
	if look.At(text, i) != ',' {
		return 0
	}
	return i + 1
}
