package extract

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
	byteOther                         // what else names are made of: _ and all but ASCII
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

// isBlank reports spaces and tabs.
func isBlank(c byte) bool { return byteClasses[c] == byteBlank }

// isSpace reports blanks and line breaks.
func isSpace(c byte) bool { return byteClasses[c]&(byteBlank|byteBreak) != 0 }

func isDigit(c byte) bool   { return byteClasses[c] == byteDigit }
func isCapital(c byte) bool { return byteClasses[c] == byteCapital }

// isLetter reports the letters of ASCII.
func isLetter(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital) != 0 }

// isWord reports the bytes of names in most languages. All bytes of characters
// beyond ASCII count, because the languages allow most of those in names.
func isWord(c byte) bool {
	return byteClasses[c]&(byteSmall|byteCapital|byteDigit|byteOther) != 0
}

// isWordStart reports the bytes that begin such a name.
func isWordStart(c byte) bool { return byteClasses[c]&(byteSmall|byteCapital|byteOther) != 0 }

// byteAt is the byte of s at i, 0 beyond its end, so that a look ahead needs no
// comparison with the length.
func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// isUpper reports whether a name starts with a capital, or with an underscore and a
// capital, as types and constants do by the conventions of Rust, Java and others, and
// their variables, functions and modules do not.
func isUpper(name string) bool {
	return isCapital(byteAt(name, 0)) || byteAt(name, 0) == '_' && isCapital(byteAt(name, 1))
}

// skipBlanks, skipSpace and skipText are the offset from i on, at most end, at which
// the blanks, the white space or the text without white space in s is over.
func skipBlanks(s string, i, end int) int {
	for i < end && isBlank(s[i]) {
		i++
	}
	return i
}

func skipSpace(s string, i, end int) int {
	for i < end && isSpace(s[i]) {
		i++
	}
	return i
}

func skipText(s string, i, end int) int {
	for i < end && !isSpace(s[i]) {
		i++
	}
	return i
}

// isSpaceOrEnd reports whether white space follows in s at i, or nothing before end.
func isSpaceOrEnd(s string, i, end int) bool { return i == end || isSpace(s[i]) }
