package secret

// Bounds of a list of values: how many are looked at, and in how many bytes.
const (
	maxElements = 64
	maxList     = 4096
)

// scanList finds the values of a list that is given to a name in the plural: "tokens": ["…", "…"]. A list of words is more often one
// of a language's tokens or of names of keys, so each value must look random.
func scanList(text []byte, lo, hi int, found func(start, end int)) {
	i := listStart(text, hi)
	if i == 0 || nameHas(nameHead(text, lo), requestTokens[:]) {
		return
	}
	text = text[:min(len(text), i-1+maxList)]
	for range maxElements {
		i = runEnd(text, i, maxList, spaceChar|escapeChar|commaChar)
		if !isAt(text, i, quoteChar) {
			return
		}
		q, start := text[i], i+1
		for i = start; i < len(text) && text[i] != q && !oneOf(text[i], "\\\n"); {
			i++
		}
		if i == len(text) || text[i] == '\n' {
			return
		}
		if v := newValue(text[start:i], true); v.has(looksListed) {
			found(start, i)
		}
		for c := text[i]; c == '\\' || c == q; c = at(text, i) {
			i++
		}
	}
}

// listStart is where the list begins, behind its bracket, that is assigned to the name that ends at i, else 0.
func listStart(text []byte, i int) int {
	i = skipBlank(text, runEnd(text, i, 3, quoteChar|escapeChar))
	if !oneOf(at(text, i), ":=") {
		return 0
	}
	for i++; oneOf(at(text, i), "=>"); {
		i++
	}
	i = skipBlank(text, i)
	i += anyAt(text, i, []string{"[]string"})
	if !oneOf(at(text, i), "[{(") {
		return 0
	}
	return i + 1
}
