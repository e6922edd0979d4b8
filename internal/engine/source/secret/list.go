package secret

import "bytes"

// Bounds of a list of values: how many are looked at, and in how many bytes.
const (
	maxElements = 64
	maxList     = 4096
)

// scanList finds the values of a list that a telling name in the plural is given: "tokens": ["…", "…"]. A list of words is more
// often one of a language's tokens or of names of keys, so each value must look made.
func scanList(text []byte, lo, hi int, found func(start, end int)) {
	i := hi
	for n := 0; n < 3 && i < len(text) && (isQuote(text[i]) || text[i] == '\\'); n++ {
		i++
	}
	if i = skipBlank(text, i); at(text, i) != ':' && at(text, i) != '=' {
		return
	}
	for i++; at(text, i) == '=' || at(text, i) == '>'; i++ {
	}
	i = skipBlank(text, i)
	if typ := []byte("[]string"); bytes.HasPrefix(text[min(i, len(text)):], typ) {
		i += len(typ)
	}
	if c := at(text, i); c != '[' && c != '{' && c != '(' || headHas(nameHead(text, lo), passing[:]) {
		return
	}
	stop := min(len(text), i+maxList)
	for n, i := 0, i+1; n < maxElements; n++ {
		for i < stop && (text[i] <= ' ' || text[i] == ',' || text[i] == '\\') {
			i++
		}
		if i >= stop || !isQuote(text[i]) {
			return
		}
		q, start := text[i], i+1
		for i = start; i < stop && text[i] != q && text[i] != '\\' && text[i] != '\n'; i++ {
		}
		if i >= stop || text[i] == '\n' {
			return
		}
		if v := text[start:i]; len(v) >= 8 && digits(v) > 0 && (made(v) || randomValue(v)) {
			found(start, i)
		}
		for i < stop && (text[i] == '\\' || text[i] == q) {
			i++
		}
	}
}
