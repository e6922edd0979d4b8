package commit

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// controlTag matches tags that could make an agent, which reads a text in a log, take the text for a message of the system or of
// a person. <instructions> is not among them, because plans contain it.
var controlTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)</?\s*(?:system|assistant|human|user)\s*>|\[/?(?:system|inst)\]|<</?\s*sys\s*>>`)
})

// CleanMessage returns a message without the parts that people do not see: control tags, invisible characters, and control characters of
// terminals.
func CleanMessage(message string) string {
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
	for { // removing a tag can create another
		next := controlTag().ReplaceAllString(message, "")
		if next == message {
			return strings.TrimSpace(message)
		}
		message = next
	}
}
