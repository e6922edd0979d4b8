package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// A name can itself be a value: - name: DB_PASSWORD, value: "v"; <key>password</key><string>v</string>; variable "token" { default =
// "v" }; INSERT INTO t (user, password) VALUES ('u', 'v'). The value of what is named follows elsewhere, under a word for "value".

// elsewhere is the place of a value that does not follow its name, whose quotes end at i, else 0.
func elsewhere(text []byte, suffix [2]int, i int) int {
	c, j := look.At(text, i), 0
	if look.IsIn(c, "\n\r, <") {
		j = namedValue(text, suffix[0], i)
	}
	if j == 0 && (look.IsIn(c, ",)") || look.At(text, i-1) == ')') {
		j = inserted(text, nameStart(text, suffix[0]), suffix[1])
	}
	return j
}

// namedValue is the place of the value that goes with the name that ends at hi, i behind its quotes, else 0.
func namedValue(text []byte, hi, i int) int {
	if !isNamed(text, nameStart(text, hi)) {
		return 0
	}
	if look.AnyAt(text, i, []string{"</key>", "</name>"}) > 0 {
		return elementBehind(text, i)
	}
	j := i
	for range 3 { // past another property or two: type = string, description: "…"
		j = look.RunEnd(text, j, i+240-j, look.Space|look.Gap)
		key, behind := keyAt(text, j)
		switch {
		case len(key) == 0:
			return 0
		case look.EqualsAny(key, valueWords[:]):
			return look.SkipBlank(text, behind)
		}
		j = look.FindAny(text, behind-1, 100, "\n,}")
		if !look.IsIn(look.At(text, j), "\n,") {
			return 0
		}
	}
	return 0
}

// keyAt is the key that begins at i, without its quotes, and what is behind its operator. There is none if it is empty.
func keyAt(text []byte, i int) (key []byte, behind int) {
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

// comparedTo reads the literal that is compared to the name around text[lo:hi] and is written before it: "v" == password.
func comparedTo(text []byte, lo, hi int) (assignment, bool) {
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
	if open < 0 {
		return a, false
	}
	return a, a.literal(text, i-1-len(line)+open)
}

// isNamed reports that the name that begins at lo is the value of a key for names: name: X, "key": "X", <key>X, variable "X".
func isNamed(text []byte, lo int) bool {
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

// elementBehind is the text of the element that follows the one that ends at i.
func elementBehind(text []byte, i int) int {
	end := look.FindAny(text, i, 16, ">")
	if look.At(text, end) != '>' {
		return 0
	}
	j := look.SkipSpace(text, end+1)
	if n := look.AnyAt(text, j, []string{"<string>", "<value>"}); n > 0 {
		return j + n
	}
	return 0
}

// inserted is the place of the value that INSERT gives the column that begins at lo and ends at i, else 0.
func inserted(text []byte, lo, i int) int {
	head := text[look.LineStart(text, lo, 240):lo]
	open := bytes.LastIndexByte(head, '(')
	if open < 0 || !look.ContainsAny(head[:open], []string{"INSERT", "insert"}) {
		return 0
	}
	j := firstInserted(text, i)
	column := bytes.Count(head[open:], []byte(","))
	if j == 0 || column > 16 {
		return 0
	}
	for ; column > 0; column-- {
		if j = nextInserted(text, j); j == 0 {
			return 0
		}
	}
	if j = look.SkipSpace(text, j); !look.IsAt(text, j, look.Quote) {
		return 0
	}
	return j
}

// firstInserted is the place behind the bracket of VALUES (…) that follows the list of columns that goes on at i, else 0.
func firstInserted(text []byte, i int) int {
	tail := look.Clip(text, i, i+240)
	v := bytes.Index(bytes.ToLower(tail), []byte("values"))
	if v < 0 || bytes.IndexByte(tail[:v], ';') >= 0 || bytes.IndexByte(tail[:v], ')') < 0 {
		return 0
	}
	j := look.SkipSpace(text, i+v+len("values"))
	if look.At(text, j) != '(' {
		return 0
	}
	return j + 1
}

// nextInserted is the place behind the comma that follows the value at i, which is a literal or has no brackets, else 0.
func nextInserted(text []byte, i int) int {
	i = look.SkipSpace(text, i)
	if look.IsAt(text, i, look.Quote) {
		var a assignment
		if a.literal(text, i) {
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
