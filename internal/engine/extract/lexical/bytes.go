// Package lexical classifies bytes and short texts as all readers of extraction
// see them: which bytes names are made of, how a doc comment reads without its marks.
package lexical

// byteClass is a set of the kinds of character a byte can belong to. The scanners
// ask for them once or more for every byte of a file, so that they are looked up in
// a table instead of compared one by one.
type byteClass uint8

const (
	byteBlank   byteClass = 1 << iota // space, tab
	byteBreak                         // line feed, carriage return, form feed
	byteDigit                         // 0 to 9
	byteSmall                         // a to z
	byteCapital                       // A to Z
	byteOther                         // the other bytes of names: _ and all but ASCII
)

var byteClasses = newByteClasses()

func newByteClasses() (classes [256]byteClass) {
	for _, r := range [...]struct {
		first, last byte
		class       byteClass
	}{
		{' ', ' ', byteBlank}, {'\t', '\t', byteBlank},
		{'\n', '\n', byteBreak}, {'\r', '\r', byteBreak}, {'\f', '\f', byteBreak},
		{'0', '9', byteDigit}, {'a', 'z', byteSmall}, {'A', 'Z', byteCapital},
		{'_', '_', byteOther}, {0x80, 0xFF, byteOther},
	} {
		for c := int(r.first); c <= int(r.last); c++ {
			classes[c] = r.class
		}
	}
	return classes
}

// IsBlank reports whether c is a space or tab.
func IsBlank(c byte) bool { return byteClasses[c] == byteBlank }

// IsSpace reports whether c is a space, tab or line break.
func IsSpace(c byte) bool { return byteClasses[c]&(byteBlank|byteBreak) != 0 }

// IsDigit reports whether c is a digit from 0 to 9.
func IsDigit(c byte) bool { return byteClasses[c] == byteDigit }

// IsSmall reports whether c is a letter from a to z.
func IsSmall(c byte) bool { return byteClasses[c] == byteSmall }

// IsCapital reports whether c is a letter from A to Z.
func IsCapital(c byte) bool { return byteClasses[c] == byteCapital }

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital) != 0 }

// IsWord reports whether c can be part of a name in most languages. All bytes
// beyond ASCII count, because the languages allow most such characters in
// names.
func IsWord(c byte) bool {
	return byteClasses[c]&(byteSmall|byteCapital|byteDigit|byteOther) != 0
}

// IsWordStart reports whether c can begin a name.
func IsWordStart(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital|byteOther) != 0 }

// ByteAt returns the byte of s at i, or 0 after its end, so that callers that look
// ahead need not compare with the length.
func ByteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// IsUpper reports whether a name starts with a capital, or with an underscore and a
// capital, as types and constants do by the conventions of Rust, Java and others, and
// their variables, functions and modules do not.
func IsUpper(name string) bool {
	return IsCapital(ByteAt(name, 0)) || ByteAt(name, 0) == '_' && IsCapital(ByteAt(name, 1))
}

// SkipBlanks returns the offset of the first byte of s from i on that is not a blank, or end.
func SkipBlanks(s string, i, end int) int {
	for i < end && IsBlank(s[i]) {
		i++
	}
	return i
}

// SkipSpace returns the offset of the first byte of s from i on that is neither a blank nor a line break, or end.
func SkipSpace(s string, i, end int) int {
	for i < end && IsSpace(s[i]) {
		i++
	}
	return i
}

// SkipText returns the offset of the first white space in s from i on, or end.
func SkipText(s string, i, end int) int {
	for i < end && !IsSpace(s[i]) {
		i++
	}
	return i
}

// IsSpaceOrEnd reports whether i is the end, or s has white space at i.
func IsSpaceOrEnd(s string, i, end int) bool { return i == end || IsSpace(s[i]) }
