package secret

import (
	"ken/internal/engine/source/secret/look"
)

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
		i = look.RunEnd(text, i, maxList, look.Space|look.Escape|look.Comma)
		if !look.IsAt(text, i, look.Quote) {
			return
		}
		q, start := text[i], i+1
		for i = start; i < len(text) && text[i] != q && !look.IsIn(text[i], "\\\n"); {
			i++
		}
		if i == len(text) || text[i] == '\n' {
			return
		}
		if v := look.New(text[start:i], true); v.Has(look.ListElement) {
			found(start, i)
		}
		for c := text[i]; c == '\\' || c == q; c = look.At(text, i) {
			i++
		}
	}
}

// beforeList looks for the list behind its name.
func beforeList(text []byte, _, hi int) bool { return listStart(text, hi) > 0 }

// listStart is where the list begins, behind its bracket, that is assigned to the name that ends at i, else 0.
func listStart(text []byte, i int) int {
	i = look.SkipBlank(text, look.RunEnd(text, i, 3, look.Quote|look.Escape))
	if !look.IsIn(look.At(text, i), ":=") {
		return 0
	}
	for i++; look.IsIn(look.At(text, i), "=>"); {
		i++
	}
	i = look.SkipBlank(text, i)
	i += look.AnyAt(text, i, []string{"[]string"})
	if !look.IsIn(look.At(text, i), "[{(") {
		return 0
	}
	return i + 1
}
