package pack

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lines are the lines of a text without their ends.
type lines []string

// newLines cuts a text into lines that can be shown: bytes that are not UTF-8 become U+FFFD; a byte order mark and the carriage returns
// of line ends are removed. If plain is set, characters without a glyph (control characters, those that hide or turn the direction of
// writing) are written as escapes, as in all text that ken prints: XML 1.0 cannot hold them and a terminal may obey them.
func newLines(text []byte, plain bool) lines {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) == 0 {
		return nil
	}
	s := strings.TrimSuffix(string(text), "\n")
	out := make(lines, 0, strings.Count(s, "\n")+1)
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if plain {
			l = spellInvisible(l)
		} else if !utf8.ValidString(l) {
			l = string([]rune(l)) // U+FFFD for every bad byte
		}
		out = append(out, l)
	}
	return out
}

// cut returns the lines from to to, joined.
func (l lines) cut(from, to int) string { return strings.Join(l[from-1:to], "\n") }

// clampRange limits a range to lines that exist; ok is false if none of them does.
func (l lines) clampRange(r Lines) (Lines, bool) {
	r.From, r.To = max(r.From, 1), min(r.To, len(l))
	return r, r.From <= r.To
}

// spellInvisible writes characters without a glyph, except tabs, as escapes.
func spellInvisible(s string) string {
	bad := -1
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\t' || c == 0x7f {
			bad = i
			break
		}
	}
	if bad < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:bad]...)
	for i := bad; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, "\uFFFD"...)
		case r == '\t' || unicode.IsGraphic(r):
			b = append(b, s[i:i+n]...)
		default:
			b = appendSpelled(b, r)
		}
		i += n
	}
	return string(b)
}

const hexDigits = "0123456789abcdef"

func appendSpelled(b []byte, r rune) []byte {
	switch {
	case r < 0x80:
		return append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case r < 0x10000:
		return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	b = append(b, '\\', 'U')
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[r>>shift&15])
	}
	return b
}

// maxLead bounds how many lines of comments and decorators belong to a
// declaration.
const maxLead = 40

// commentStart returns the first line of the comment and the decorators directly above a declaration that begins at from.
func (l lines) commentStart(from int) int {
	first := from
	for n := from - 1; n >= 1 && from-n <= maxLead; n-- {
		t := strings.TrimSpace(l[n-1])
		if !isCommentOrDecorator(t) {
			break
		}
		first = n
	}
	return first
}

// isCommentOrDecorator reports whether a line is a comment, a decorator or an attribute.
func isCommentOrDecorator(t string) bool {
	for _, directive := range [...]string{"#include", "#define", "#if", "#endif", "@import", "#!"} {
		if strings.HasPrefix(t, directive) {
			return false
		}
	}
	for _, mark := range [...]string{"//", "#", "--", "/*", "*", "<!--", ";;", "%", "(*", "{-", "@", "[<", "'''"} {
		if strings.HasPrefix(t, mark) {
			return true
		}
	}
	return strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") // attributes of C#
}

// lineSpans are disjoint ranges of lines in order.
type lineSpans []Lines

// with returns the spans joined with one more range; ranges that touch or overlap are merged.
func (s lineSpans) with(r Lines) lineSpans {
	var out lineSpans
	for _, x := range s {
		switch {
		case x.To+1 < r.From:
			out = append(out, x)
		case r.To+1 < x.From:
			out = append(out, r)
			r = x
		default:
			r = Lines{min(r.From, x.From), max(r.To, x.To)}
		}
	}
	return append(out, r)
}

// without returns the parts of a range that are in none of the spans.
func (s lineSpans) without(r Lines) []Lines {
	var out []Lines
	for _, x := range s {
		if x.To < r.From || x.From > r.To {
			continue
		}
		if r.From < x.From {
			out = append(out, Lines{r.From, x.From - 1})
		}
		r.From = x.To + 1
	}
	if r.From <= r.To {
		out = append(out, r)
	}
	return out
}

// has reports whether a line is in one of the spans.
func (s lineSpans) has(line int) bool {
	for _, x := range s {
		if x.From <= line && line <= x.To {
			return true
		}
	}
	return false
}
