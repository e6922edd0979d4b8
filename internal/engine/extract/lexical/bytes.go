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

// IsBlank reports spaces and tabs.
func IsBlank(c byte) bool { return byteClasses[c] == byteBlank }

// IsSpace reports blanks and line breaks.
func IsSpace(c byte) bool { return byteClasses[c]&(byteBlank|byteBreak) != 0 }

// IsDigit reports 0 to 9.
func IsDigit(c byte) bool { return byteClasses[c] == byteDigit }

// IsSmall reports a to z.
func IsSmall(c byte) bool { return byteClasses[c] == byteSmall }

// IsCapital reports A to Z.
func IsCapital(c byte) bool { return byteClasses[c] == byteCapital }

// IsLetter reports the letters of ASCII.
func IsLetter(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital) != 0 }

// IsWord reports the bytes of names in most languages. All bytes of characters
// beyond ASCII count, because the languages allow most of those in names.
func IsWord(c byte) bool {
	return byteClasses[c]&(byteSmall|byteCapital|byteDigit|byteOther) != 0
}

// IsWordStart reports the bytes that begin such a name.
func IsWordStart(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital|byteOther) != 0 }

// ByteAt returns the byte of s at i, 0 beyond its end, so that a look ahead needs no
// comparison with the length.
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

// SkipBlanks returns the offset from i on, at most end, at which the blanks in s are over.
func SkipBlanks(s string, i, end int) int {
	for i < end && IsBlank(s[i]) {
		i++
	}
	return i
}

// SkipSpace is SkipBlanks for blanks and line breaks.
func SkipSpace(s string, i, end int) int {
	for i < end && IsSpace(s[i]) {
		i++
	}
	return i
}

// SkipText is SkipBlanks for everything but white space.
func SkipText(s string, i, end int) int {
	for i < end && !IsSpace(s[i]) {
		i++
	}
	return i
}

// IsSpaceOrEnd reports whether white space follows in s at i, or nothing before end.
func IsSpaceOrEnd(s string, i, end int) bool { return i == end || IsSpace(s[i]) }
