package secret

import "bytes"

// A name can itself be a value: - name: DB_PASSWORD, value: "v"; <key>password</key><string>v</string>; variable "token" { default =
// "v" }; INSERT INTO t (user, password) VALUES ('u', 'v'). The value of what is named follows elsewhere, under a word for "value".

// elsewhere is the place of a value that does not follow its name, whose quotes end at i, else 0.
func elsewhere(text []byte, suffix [2]int, i int) int {
	c := at(text, i)
	if oneOf(c, "\n\r, <") {
		if j := namedValue(text, suffix[0], i); j > 0 {
			return j
		}
	}
	if oneOf(c, ",)") || at(text, i-1) == ')' {
		return inserted(text, nameStart(text, suffix[0]), suffix[1])
	}
	return 0
}

// namedValue is the place of the value that goes with the name that ends at hi, i behind its quotes, else 0.
func namedValue(text []byte, hi, i int) int {
	if !isNamed(text, nameStart(text, hi)) {
		return 0
	}
	if anyAt(text, i, []string{"</key>", "</name>"}) > 0 {
		return elementBehind(text, i)
	}
	j := i
	for range 3 { // past another property or two: type = string, description: "…"
		j = runEnd(text, j, i+240-j, spaceChar|gapChar)
		key, behind := keyAt(text, j)
		switch {
		case len(key) == 0:
			return 0
		case isExactly(key, valueWords[:]):
			return skipBlank(text, behind)
		}
		j = findAny(text, behind-1, 100, "\n,}")
		if !oneOf(at(text, j), "\n,") {
			return 0
		}
	}
	return 0
}

// keyAt is the key that begins at i, without its quotes, and what is behind its operator. There is none if it is empty.
func keyAt(text []byte, i int) (key []byte, behind int) {
	j := i
	if at(text, j) == ':' && at(text, j+1) > ' ' {
		j++ // a symbol
	}
	j = runEnd(text, j, i+24-j, nameChar|quoteChar|escapeChar)
	key = bytes.Trim(clip(text, i, j), "\"'`\\: ")
	j = skipBlank(text, j)
	switch {
	case !oneOf(at(text, j), ":="):
		return nil, 0
	case at(text, j+1) == '>':
		j++
	}
	return key, j + 1
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
	word := head[runStart(head, len(head), len(head), letterChar):]
	return len(head) < lo && isListed(word, nameWords[:])
}

// elementBehind is the text of the element that follows the one that ends at i.
func elementBehind(text []byte, i int) int {
	end := findAny(text, i, 16, ">")
	if at(text, end) != '>' {
		return 0
	}
	j := skipSpace(text, end+1)
	if n := anyAt(text, j, []string{"<string>", "<value>"}); n > 0 {
		return j + n
	}
	return 0
}

// inserted is the place of the value that INSERT gives the column that begins at lo and ends at i, else 0.
func inserted(text []byte, lo, i int) int {
	head := text[lineStart(text, lo, 240):lo]
	open := bytes.LastIndexByte(head, '(')
	if open < 0 || !holds(head[:open], []string{"INSERT", "insert"}) {
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
	if j = skipSpace(text, j); !isAt(text, j, quoteChar) {
		return 0
	}
	return j
}

// firstInserted is the place behind the bracket of VALUES (…) that follows the list of columns that goes on at i, else 0.
func firstInserted(text []byte, i int) int {
	tail := clip(text, i, i+240)
	v := bytes.Index(bytes.ToLower(tail), []byte("values"))
	if v < 0 || bytes.IndexByte(tail[:v], ';') >= 0 || bytes.IndexByte(tail[:v], ')') < 0 {
		return 0
	}
	j := skipSpace(text, i+v+len("values"))
	if at(text, j) != '(' {
		return 0
	}
	return j + 1
}

// nextInserted is the place behind the comma that follows the value at i, which is a literal or has no brackets, else 0.
func nextInserted(text []byte, i int) int {
	i = skipSpace(text, i)
	if isAt(text, i, quoteChar) {
		var a assignment
		if a.literal(text, i) {
			i = a.end + 1
		} else {
			i += 2
		}
	}
	if !oneOf(at(text, i), ",)") {
		i = findAny(text, i+1, 47, "(,)")
	}
	if at(text, i) != ',' {
		return 0
	}
	return i + 1
}
