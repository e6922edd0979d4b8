package find

import (
	"strings"

	"ken/internal/code"
)

// maxWhyEarlier bounds the text of earlier work, or of a note, in a reason, in bytes.
const maxWhyEarlier = 60

// quote returns a text, shortened, in double quotes that nothing in it can close.
func quote(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:code.CutLength(s, n)], "") + "…"
	}
	return `"` + strings.ReplaceAll(s, `"`, "'") + `"`
}

// firstLine returns the first line of a text that has words.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#*> \t")); line != "" {
			return line
		}
	}
	return ""
}
