package commit

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// controlTag matches marks by which a text could pass for a message of a system or of a person, when an agent reads it in a log.
// <instructions> is not among them, because plans have it.
var controlTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)</?\s*(?:system|assistant|human|user)\s*>|\[/?(?:system|inst)\]|<</?\s*sys\s*>>`)
})

// Clean returns a message without text for machines only: control tags, invisible characters, and terminal controls.
func Clean(message string) string {
	message = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\u200c', r == '\u200d': // these join letters and emoji for readers
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(message, "\r\n", "\n"), "\uFFFD"))
	for { // removing one can create another
		next := controlTag().ReplaceAllString(message, "")
		if next == message {
			return strings.TrimSpace(message)
		}
		message = next
	}
}
