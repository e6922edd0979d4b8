package secret

import "bytes"

// A name can itself be a value: - name: DB_PASSWORD, value: "v"; <key>password</key><string>v</string>; variable "token" { default =
// "v" }; INSERT INTO t (user, password) VALUES ('u', 'v'). What is named then stands behind, under a word for "value".

// valueWords are such words, as a key of JSON, YAML or HCL.
var valueWords = [...]string{"value", "default", "val", "content", "defaultValue", "default_value", "stringValue", "initialValue", "initial_value"}

// namedValue is the place of the value that goes with the name that ends at hi, i behind its quotes, else 0.
func namedValue(text []byte, hi, i int) int {
	lo := nameStart(text, hi)
	if !isNamed(text, lo) {
		return 0
	}
	j := i
	if bytes.HasPrefix(text[min(i, len(text)):], []byte("</key>")) || bytes.HasPrefix(text[min(i, len(text)):], []byte("</name>")) {
		return elementBehind(text, i)
	}
	for n := 0; n < 3; n++ { // past another property or two: type = string, description: "…"
		for j < len(text) && j-i < 240 && (text[j] <= ' ' || text[j] == ',' || text[j] == '{' || text[j] == ';') {
			j++
		}
		k := j
		for k < len(text) && k < j+24 && (isNameByte(text[k]) || isQuote(text[k]) || text[k] == '\\' || text[k] == ':' && at(text, k+1) > ' ' && k == j) {
			k++
		}
		word := bytes.Trim(text[j:k], "\"'`\\: ")
		k = skipBlank(text, k)
		if c := at(text, k); len(word) == 0 || c != ':' && c != '=' {
			return 0
		}
		if at(text, k+1) == '>' {
			k++
		}
		for _, w := range valueWords {
			if string(word) == w {
				return skipBlank(text, k+1)
			}
		}
		for j = k; j < len(text) && j-k < 100 && text[j] != '\n' && text[j] != ',' && text[j] != '}'; j++ {
		}
		if c := at(text, j); c != '\n' && c != ',' {
			return 0
		}
	}
	return 0
}

// isNamed reports that what begins at lo is what a key for names has: name: X, "key": "X", <key>X, variable "X".
func isNamed(text []byte, lo int) bool {
	head := bytes.TrimRight(text[max(0, lo-24):lo], "\"'`\\ ")
	if bytes.HasSuffix(head, []byte("<key>")) || bytes.HasSuffix(head, []byte("<name>")) || bytes.HasSuffix(head, []byte("variable")) {
		return true
	}
	head = bytes.TrimRight(head, "=>: ")
	head = bytes.TrimRight(head, "\"'`\\ ")
	from := len(head)
	for from > 0 && isLetter(head[from-1]) {
		from--
	}
	switch string(bytes.ToLower(head[from:])) {
	case "name", "key", "id", "field", "variable", "parameter", "param", "property":
		return len(head) < lo && (len(head) == from+4 || len(head)-from >= 2)
	}
	return false
}

// elementBehind is the text of the element that follows the one that ends at i.
func elementBehind(text []byte, i int) int {
	j := bytes.IndexByte(text[i:min(len(text), i+16)], '>')
	if j < 0 {
		return 0
	}
	j = skipSpace(text, i+j+1)
	for _, open := range [...]string{"<string>", "<value>"} {
		if bytes.HasPrefix(text[min(j, len(text)):], []byte(open)) {
			return j + len(open)
		}
	}
	return 0
}

// inserted is the place of the value that INSERT gives the column that ends at i, else 0.
func inserted(text []byte, lo, i int) int {
	from := lineAt(text, max(0, lo-240), lo)
	head := text[from:lo]
	open := bytes.LastIndexByte(head, '(')
	if open < 0 || !hasBytes(head[:open], "INSERT") && !hasBytes(head[:open], "insert") {
		return 0
	}
	column := bytes.Count(head[open:], []byte(","))
	tail := text[i:min(len(text), i+400)]
	v := bytes.Index(bytes.ToLower(tail[:min(len(tail), 240)]), []byte("values"))
	if v < 0 || bytes.IndexByte(tail[:v], ';') >= 0 || bytes.IndexByte(tail[:v], ')') < 0 {
		return 0
	}
	j := skipSpace(text, i+v+6)
	if at(text, j) != '(' || column > 16 {
		return 0
	}
	for j++; column > 0; column-- {
		if j = skipSpace(text, j); isQuote(at(text, j)) {
			var a assignment
			if !a.literal(text, j) {
				j += 2
			} else {
				j = a.end + 1
			}
		}
		for n := 0; n < 48 && j < len(text) && text[j] != ',' && text[j] != ')'; n++ {
			if j++; at(text, j) == '(' {
				return 0
			}
		}
		if at(text, j) != ',' {
			return 0
		}
		j++
	}
	if j = skipSpace(text, j); !isQuote(at(text, j)) {
		return 0
	}
	return j
}
