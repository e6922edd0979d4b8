package secret

import "ken/internal/engine/source/secret/look"

// Limits of a list of values.
const (
	maxElements = 64
	maxList     = 4096 // bytes
)

// scanList finds the values of a list that is given to a name in the plural: "tokens": ["…", "…"]. A list of words is more often one
// of a language's tokens or of names of keys, so each value must look random.
func scanList(text []byte, lo, hi int, found func(start, end int)) {
	i := listStart(text, hi)
	if i == 0 || nameContains(nameHead(text, lo), requestTokens[:]) {
		return
	}
	text = text[:min(len(text), i-1+maxList)]
	for range maxElements {
		i = look.RunEnd(text, i, maxList, look.Space|look.Escape|look.Comma)
		if !look.IsAt(text, i, look.Quote) {
			return
		}
		start := i + 1
		q := string(text[i])
		i = look.FindAny(text, start, maxList, q+"\\\n")
		if i == len(text) || text[i] == '\n' {
			return
		}
		if v := look.New(text[start:i], true); v.Has(look.ListElement) {
			found(start, i)
		}
		for i < len(text) && look.IsIn(text[i], q+"\\") {
			i++
		}
	}
}

// isBeforeList reports whether a list is assigned to the name that contains the keyword.
func isBeforeList(text []byte, _, hi int) bool { return listStart(text, hi) > 0 }

// listStart returns the start of the list, after its bracket, that is assigned to the name that ends at i, or 0 if there is none.
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
