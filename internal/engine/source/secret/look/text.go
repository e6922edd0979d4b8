package look

import (
	"bytes"
	"strings"
)

// Of is the set of the classes that a byte has.
func Classes(c byte) Set { return classes[c] }

// Is reports that a byte is in a set.
func Is(c byte, set Set) bool { return classes[c]&set != 0 }

// At is text[i], or 0 outside the text.
func At(text []byte, i int) byte {
	if uint(i) < uint(len(text)) {
		return text[i]
	}
	return 0
}

// IsAt reports that the text has a byte of the set at i.
func IsAt(text []byte, i int, set Set) bool {
	return uint(i) < uint(len(text)) && classes[text[i]]&set != 0
}

// OneOf reports that c is one of chars.
func IsIn(c byte, chars string) bool { return strings.IndexByte(chars, c) >= 0 }

// All reports that every byte of v is of the set.
func All(v []byte, set Set) bool { return RunEnd(v, 0, len(v), set) == len(v) }

// RunEnd is where the run of bytes of the set that begins at i ends, most bytes on at the latest.
func RunEnd(text []byte, i, most int, set Set) int {
	stop := min(len(text), i+most)
	for i < stop && classes[text[i]]&set != 0 {
		i++
	}
	return i
}

// RunStart is where the run of bytes of the set that ends at i begins, most bytes before at the earliest.
func RunStart(text []byte, i, most int, set Set) int {
	stop := max(0, i-most)
	for i > stop && classes[text[i-1]]&set != 0 {
		i--
	}
	return i
}

// maxBlank bounds how many blanks are skipped, so that the work at a keyword has a bound.
const maxBlank = 64

// SkipBlank is where the blanks end that begin at i.
func SkipBlank(text []byte, i int) int { return RunEnd(text, i, maxBlank, Blank) }

// SkipSpace is where the blanks and line ends end that begin at i.
func SkipSpace(text []byte, i int) int { return RunEnd(text, i, maxBlank, Space) }

// HasAt reports that the text goes on with s at i.
func HasAt(text []byte, i int, s string) bool {
	return len(text)-i >= len(s) && string(text[i:i+len(s)]) == s
}

// AnyAt is the length of the first of list that the text goes on with at i, else 0.
func AnyAt(text []byte, i int, list []string) int {
	for _, s := range list {
		if HasAt(text, i, s) {
			return len(s)
		}
	}
	return 0
}

// Clip is text[lo:hi], as far as the text reaches.
func Clip(text []byte, lo, hi int) []byte {
	lo = min(max(0, lo), len(text))
	return text[lo:max(lo, min(len(text), hi))]
}

// ToLower is an ASCII letter in lower case, any other byte as it is.
func ToLower(c byte) byte {
	if Is(c, Upper) {
		c += 'a' - 'A'
	}
	return c
}

// Fold writes the beginning of v in lower case to buf.
func Fold(buf, v []byte) []byte {
	buf = buf[:copy(buf, v)]
	for i, c := range buf {
		buf[i] = ToLower(c)
	}
	return buf
}

// EqualFold compares ASCII without regard to case and without allocating; s is lower case.
func EqualFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if ToLower(c) != s[i] {
			return false
		}
	}
	return true
}

// LineStart is where the line of i begins, most bytes before it at the earliest.
func LineStart(text []byte, i, most int) int {
	from := max(0, i-most)
	return from + bytes.LastIndexByte(text[from:i], '\n') + 1
}

// LineEnd is where the line of i ends, most bytes behind it at the latest.
func LineEnd(text []byte, i, most int) int { return FindAny(text, i, most, "\n") }

// FindAny is where the first of chars is found from i on, most bytes on at the latest.
func FindAny(text []byte, i, most int, chars string) int {
	rest := Clip(text, i, i+most)
	if n := bytes.IndexAny(rest, chars); n >= 0 {
		return i + n
	}
	return i + len(rest)
}

// EndsLine reports that nothing follows on the line of i.
func EndsLine(text []byte, i int) bool {
	i = SkipBlank(text, i)
	return i >= len(text) || IsAt(text, i, Line)
}

// HoldsAny reports that v has one of a list of texts in it.
func ContainsAny(v []byte, list []string) bool {
	for _, s := range list {
		if bytes.Contains(v, []byte(s)) {
			return true
		}
	}
	return false
}

// Holds reports that b has s in it.
func Contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }

// HoldsFolded is HoldsAny without regard to case, in the first forty bytes: in more, a word is chance.
func ContainsAnyFold(v []byte, list []string) bool {
	var folded [40]byte
	return ContainsAny(Fold(folded[:], v), list)
}

// Listed reports one of a list of words, without regard to case.
func EqualsAnyFold(v []byte, list []string) bool {
	for _, s := range list {
		if EqualFold(v, s) {
			return true
		}
	}
	return false
}

// ListedExactly reports one of a list of words, in the same case.
func EqualsAny(v []byte, list []string) bool {
	for _, s := range list {
		if string(v) == s {
			return true
		}
	}
	return false
}

// CommentLeader is the length of what a comment begins with, such as // or #, if a space follows, else 0.
func CommentLeader(b []byte) int {
	n := RunEnd(b, 0, 4, Comment)
	if n > 0 && At(b, n) == ' ' {
		return n
	}
	return 0
}
