package lexical

import (
	"sort"
	"strings"

	"ken/internal/code"
)

// IsOneLine reports whether s is already the same as its form on one line.
func IsOneLine(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n', '\r', '\t', '\v', '\f', 0:
			return false
		case ' ':
			if i+1 < len(s) && s[i+1] == ' ' {
				return false
			}
		}
	}
	return true
}

// Cut returns s, or its longest head of at most n bytes that ends at a rune boundary.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:code.CutLength(s, n)]
}

// IsGap reports whether s is white space without an empty line. If the comment before s
// includes its own line break (inclusive), s may hold one break fewer.
func IsGap(s string, inclusive bool) bool {
	breaks := 0
	if inclusive {
		breaks = 1
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			breaks++
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return breaks <= 1
}

// CleanDoc removes the comment marks of a doc comment, block or line by line (//, ///,
// //!, #, /** … */), and the white space around it, and cuts it at MaxDoc.
func CleanDoc(s string) string {
	block := strings.HasPrefix(s, "/*")
	if block {
		s = strings.TrimLeft(strings.TrimSuffix(s[2:], "*/"), "*!")
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case block && i > 0:
			l = strings.TrimPrefix(l, "*")
		case block:
		case strings.HasPrefix(l, "//"):
			l = strings.TrimPrefix(strings.TrimLeft(l, "/"), "!")
		case strings.HasPrefix(l, "#"):
			l = strings.TrimLeft(l, "#")
		}
		lines[i] = strings.TrimRight(strings.TrimPrefix(l, " "), " \t\r")
	}
	return Cut(strings.ToValidUTF8(strings.TrimSpace(strings.Join(lines, "\n")), "\uFFFD"), code.MaxDoc)
}

// Valid returns s with invalid UTF-8 replaced.
func Valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// MaxLine is the largest number of bytes that OneLine keeps.
const MaxLine = 100

// OneLine returns s with runs of white space collapsed, cut at MaxLine.
func OneLine(s string) string {
	s = Cut(s, 4*MaxLine)
	if !IsOneLine(s) {
		s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", " ")), " ")
	}
	return strings.TrimSpace(Cut(Valid(s), MaxLine))
}

// EndsAbove reports whether the comment from byte doc[0] to doc[1] ends directly
// above start. Zeros stand for no comment.
func EndsAbove(s string, doc [2]int, start int) bool {
	return doc[1] != 0 && doc[1] <= start && IsGap(s[doc[1]:start], false)
}

// LineEnd returns the offset of the line break that ends the line at i, or the end.
func LineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// IsDigits reports whether s contains digits alone. It may be empty.
func IsDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// AppendLines appends the offset of the first byte of each line of text to lines.
func AppendLines(lines []uint32, text string) []uint32 {
	lines = append(lines, 0)
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return lines
		}
		at += i + 1
		lines = append(lines, uint32(at))
	}
}

// Line returns the 1-based line of the byte at off. lines are the offsets that AppendLines returns.
func Line(lines []uint32, off uint32) uint32 {
	return uint32(sort.Search(len(lines), func(i int) bool { return lines[i] > off }))
}

// Run returns the number of bytes c at the beginning of s.
func Run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// StringEnd returns the offset after the string literal that begins at open. An
// unclosed literal ends with its line.
func StringEnd(s string, open int) int {
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case s[open]:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(s)
}

// LastDot returns the last segment of a dotted name.
func LastDot(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// BlankBytes blanks everything but line breaks.
func BlankBytes(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
