package agenttext

import (
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/operation"
)

// Text makes text safe inside a block: one line, no markup. A passage worded as an order to an agent is replaced by injection.LeftOut.
func Text(s string) string { return markup.Replace(operation.Escape(injection.Shown(s))) }

// QuoteGiven does the same as Quote for the words of the user, which may be an order.
func QuoteGiven(s string) string { return quote(markup.Replace(operation.Escape(s))) }

func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, "&quot;") + `"` }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Code returns Text(s) between backticks.
func Code(s string) string { return "`" + strings.ReplaceAll(Text(s), "`", "'") + "`" }

// Quote returns Text(s) in double quotes, which the text itself cannot end.
func Quote(s string) string { return quote(Text(s)) }

// CodeList returns names between backticks, separated by commas.
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

// EntityType returns the word that packs and the compressed codemap use for a kind of symbol. They have fewer words than ken has
// kinds, so several kinds share one.
func EntityType(k code.Kind) string {
	switch k {
	case code.KindFunction, code.KindMethod, code.KindConstructor, code.KindMacro:
		return "function"
	case code.KindClass, code.KindStruct, code.KindUnion:
		return "class"
	case code.KindInterface, code.KindTrait:
		return "interface"
	case code.KindType, code.KindEnum:
		return "type"
	}
	return "variable"
}
