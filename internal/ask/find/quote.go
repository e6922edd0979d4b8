package find

import (
	"strings"

	"ken/internal/code"
)

// maxWhyEarlier is how much of earlier work, or of what is written down, a reason repeats, in bytes.
const maxWhyEarlier = 60

// quoted is a text, shortened, in double quotes that nothing in it can close.
func quoted(s string, n int) string {
	return `"` + strings.ReplaceAll(clipText(s, n), `"`, "'") + `"`
}

func clipText(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:code.CutLength(s, n)], "") + "…"
}

// firstLine is the first line of a text that has words.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#*> \t")); line != "" {
			return line
		}
	}
	return ""
}
