package block

import (
	"strings"

	"ken/internal/code"
	"ken/internal/operation"
)

// Text makes text safe inside a block: one line, no markup.
func Text(s string) string { return markup.Replace(operation.Escape(s)) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Code is Text between backticks.
func Code(s string) string { return "`" + strings.ReplaceAll(Text(s), "`", "'") + "`" }

// Quote is Text in double quotes that cannot end before it does.
func Quote(s string) string { return `"` + strings.ReplaceAll(Text(s), `"`, "&quot;") + `"` }

// CodeList are names between backticks.
func CodeList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Code(n)
	}
	return strings.Join(out, ", ")
}

// Clip shortens a text to about n bytes, at a space if there is one near.
func Clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:code.CutLength(s, n)], "")
	if i := strings.LastIndexByte(cut, ' '); i > n*3/4 {
		cut = cut[:i]
	}
	return cut + "…"
}
