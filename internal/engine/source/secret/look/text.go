package look

import (
	"bytes"
	"strings"
)

// Classes returns the set of the classes of a byte.
func Classes(c byte) Set { return classes[c] }

// Is reports whether a byte is in a set.
func Is(c byte, set Set) bool { return classes[c]&set != 0 }

// At returns text[i], or 0 outside the text.
func At(text []byte, i int) byte {
	if uint(i) < uint(len(text)) {
		return text[i]
	}
	return 0
}

// Last returns the last byte of v, or 0 if v is empty.
func Last(v []byte) byte { return At(v, len(v)-1) }

// IsAt reports whether the text has a byte of the set at i.
func IsAt(text []byte, i int, set Set) bool {
	return uint(i) < uint(len(text)) && classes[text[i]]&set != 0
}

// IsIn reports whether c is one of chars.
func IsIn(c byte, chars string) bool { return strings.IndexByte(chars, c) >= 0 }

// All reports whether every byte of v is in the set.
func All(v []byte, set Set) bool { return RunEnd(v, 0, len(v), set) == len(v) }

// Count returns how many bytes of v are in the set.
func Count(v []byte, set Set) int {
	n := 0
	for _, c := range v {
		if Is(c, set) {
			n++
		}
	}
	return n
}

// RunEnd returns the end of the run of bytes of the set that begins at i. It looks at most most bytes far.
func RunEnd(text []byte, i, most int, set Set) int {
	stop := min(len(text), i+most)
	for i < stop && classes[text[i]]&set != 0 {
		i++
	}
	return i
}

// RunStart returns the start of the run of bytes of the set that ends at i. It looks at most most bytes back.
func RunStart(text []byte, i, most int, set Set) int {
	stop := max(0, i-most)
	for i > stop && classes[text[i-1]]&set != 0 {
		i--
	}
	return i
}

// maxBlank is the maximal number of blanks that are skipped, so that the work at a keyword is limited.
const maxBlank = 64

// SkipBlank returns the end of the blanks that begin at i.
func SkipBlank(text []byte, i int) int { return RunEnd(text, i, maxBlank, Blank) }

// SkipSpace returns the end of the blanks and line ends that begin at i.
func SkipSpace(text []byte, i int) int { return RunEnd(text, i, maxBlank, Space) }

// HasAt reports whether the text continues with s at i.
func HasAt(text []byte, i int, s string) bool {
	return len(text)-i >= len(s) && string(text[i:i+len(s)]) == s
}

// AnyAt returns the length of the first string of list with which the text continues at i, or 0.
func AnyAt(text []byte, i int, list []string) int {
	for _, s := range list {
		if HasAt(text, i, s) {
			return len(s)
		}
	}
	return 0
}

// Clip returns the part of text[lo:hi] that is inside the text.
func Clip(text []byte, lo, hi int) []byte {
	lo = min(max(0, lo), len(text))
	return text[lo:max(lo, min(len(text), hi))]
}

// ToLower returns an ASCII letter in lower case, and any other byte unchanged.
func ToLower(c byte) byte {
	if Is(c, Upper) {
		c += 'a' - 'A'
	}
	return c
}

// Fold writes the beginning of v in lower case to buf and returns the part of buf that it filled.
func Fold(buf, v []byte) []byte {
	buf = buf[:copy(buf, v)]
	for i, c := range buf {
		buf[i] = ToLower(c)
	}
	return buf
}

// EqualFold reports whether b is s but for the case of ASCII letters. It does not allocate; s is in lower case.
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

// LineStart returns the start of the line that contains i. It looks at most most bytes back.
func LineStart(text []byte, i, most int) int {
	from := max(0, i-most)
	return from + bytes.LastIndexByte(text[from:i], '\n') + 1
}

// LineEnd returns the end of the line that contains i. It looks at most most bytes far.
func LineEnd(text []byte, i, most int) int { return FindAny(text, i, most, "\n") }

// FindAny returns the first place from i on of one of chars. It looks at most most bytes far, and returns the end of
// what it looked at if there is none.
func FindAny(text []byte, i, most int, chars string) int {
	rest := Clip(text, i, i+most)
	if n := bytes.IndexAny(rest, chars); n >= 0 {
		return i + n
	}
	return i + len(rest)
}

// EndsLine reports whether only blanks follow on the line of i.
func EndsLine(text []byte, i int) bool {
	i = SkipBlank(text, i)
	return i >= len(text) || IsAt(text, i, Line)
}

// Contains reports whether b contains s.
func Contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }

// ContainsAny reports whether v contains one of the strings of list.
func ContainsAny(v []byte, list []string) bool {
	set := newByteSet(v)
	for _, s := range list {
		if set.mayContain(s) && Contains(v, s) {
			return true
		}
	}
	return false
}

// byteSet has a bit of each byte of a text, and a few bytes have the same one. Most words of a list are not searched in a short text,
// because one of their first letters is not in it.
type byteSet uint64

func newByteSet(text []byte) (set byteSet) {
	for _, c := range text {
		set |= 1 << (c & 63)
	}
	return set
}

// mayContain reports whether the text may contain a word.
func (b byteSet) mayContain(word string) bool {
	for i := range len(word) {
		if b>>(word[i]&63)&1 == 0 {
			return false
		}
	}
	return true
}

// ContainsAnyFold does the same as ContainsAny without regard to case, in the first forty bytes: in a longer text, such a word is chance.
func ContainsAnyFold(v []byte, list []string) bool {
	var folded [40]byte
	return ContainsAny(Fold(folded[:], v), list)
}

// EqualsAny reports whether v is one of the strings of list.
func EqualsAny(v []byte, list []string) bool {
	for _, s := range list {
		if string(v) == s {
			return true
		}
	}
	return false
}

// EqualsAnyFold does the same as EqualsAny without regard to case; list is in lower case.
func EqualsAnyFold(v []byte, list []string) bool {
	for _, s := range list {
		if EqualFold(v, s) {
			return true
		}
	}
	return false
}

// CommentLeader returns the length of the mark that begins a comment, such as // or #, if a space follows it, or 0.
func CommentLeader(b []byte) int {
	n := RunEnd(b, 0, 4, Comment)
	if n > 0 && At(b, n) == ' ' {
		return n
	}
	return 0
}
