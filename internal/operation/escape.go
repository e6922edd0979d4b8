package operation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// visible reports whether a character can be shown as it is: it has a glyph or
// is a space, and neither moves the cursor, nor turns the direction of writing,
// nor hides.
func visible(r rune) bool { return unicode.IsGraphic(r) }

// Escape makes text from a repository safe to show: control characters, the
// controls of writing direction, invisible characters and bytes that are not
// UTF-8 are spelled out. The result has one line.
func Escape(s string) string { return escape(s, false) }

// EscapeLine is Escape for a line of source: tabs stay.
func EscapeLine(s string) string { return escape(s, true) }

func escape(s string, tabs bool) string {
	bad := strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || !visible(r) && !(tabs && r == '\t') })
	if bad < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:bad]...)
	for i := bad; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		case visible(r) || tabs && r == '\t':
			b = append(b, s[i:i+n]...)
		default:
			b = appendEscaped(b, r)
		}
		i += n
	}
	return string(b)
}

const hexDigits = "0123456789abcdef"

func appendEscaped(b []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(b, '\\', 'n')
	case r == '\t':
		return append(b, '\\', 't')
	case r == '\r':
		return append(b, '\\', 'r')
	case r < 0x80:
		return append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case r < 0x10000:
		return appendHex(b, r)
	}
	return append(append(b, '\\', 'U'), strconv.FormatInt(int64(r)|1<<32, 16)[1:]...)
}

// appendHex writes \uXXXX.
func appendHex(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// appendUTF16 writes a character as JSON escapes it, in two halves if need be.
func appendUTF16(b []byte, r rune) []byte {
	if r < 0x10000 {
		return appendHex(b, r)
	}
	hi, lo := utf16.EncodeRune(r)
	return appendHex(appendHex(b, hi), lo)
}

// maxQuote is the most bytes of user input that an error message repeats.
const maxQuote = 120

// Quote quotes user input for an error message: escaped, and shortened in the
// middle if it is long.
func Quote(s string) string {
	if len(s) > maxQuote {
		s = strings.ToValidUTF8(s[:maxQuote/2], "") + " … " + strings.ToValidUTF8(s[len(s)-maxQuote/4:], "")
	}
	return `"` + Escape(s) + `"`
}
