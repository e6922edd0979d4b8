package known

import "encoding/binary"

// runClass is the role of a character in a run, a sequence of characters that may be a value; characters of class 0 end a run.
type runClass uint8

const (
	letter  runClass = 1 << iota
	digit            // 0 to 9
	joint            // marks that values have inside: _ ~ + -
	divider          // marks that values have inside, and that may as well divide them from other text: = / .
)

// classes are the classes of characters. Runs have [A-Za-z0-9_~.+/=-]; a colon ends a run.
var classes = classTable()

func classTable() (t [256]runClass) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		}
	}
	for _, c := range []byte("_~+-") {
		t[c] = joint
	}
	for _, c := range []byte("=/.") {
		t[c] = divider
	}
	return t
}

// IsRun reports whether a text is one run.
func IsRun[T string | []byte](text T) bool {
	for i := range len(text) {
		if classes[text[i]] == 0 {
			return false
		}
	}
	return len(text) > 0
}

// skipClass returns the first place from lo on whose character is not of the class not, or hi.
func skipClass(text []byte, lo, hi int, not runClass) int {
	for lo < hi && classes[text[lo]] == not {
		lo++
	}
	return lo
}

// skipTo returns the first place from lo on whose character is of the class of, or hi.
func skipTo(text []byte, lo, hi int, of runClass) int {
	for lo < hi && classes[text[lo]]&of == 0 {
		lo++
	}
	return lo
}

// beforeMarks returns hi minus the number of marks before it, which may be those of Markdown around a value.
func beforeMarks(text []byte, lo, hi int) int {
	for hi > lo && classes[text[hi-1]] == joint {
		hi--
	}
	return hi
}

// escapeLengths are the lengths of escapes after their backslash, by their first letter, as ken prints characters without a glyph. Without
// them a value after a line break in a JSON string would seem to begin with the n of \n.
var escapeLengths = [256]int8{'n': 1, 't': 1, 'r': 1, 'b': 1, 'f': 1, 'x': 3, 'u': 5, 'U': 9}

// afterEscape returns the end of the escape with which the run at lo begins: \n, \x1b, %3D, or one that colours a terminal. It returns 0
// if there is none.
func afterEscape(text []byte, lo int) int {
	switch {
	case lo > 0 && text[lo-1] == '\\':
		return lo + int(escapeLengths[text[lo]])
	case lo > 0 && text[lo-1] == '%':
		return lo + 2
	case lo > 1 && text[lo-1] == '[' && text[lo-2] == 0x1b:
		at := skipClass(text, lo, len(text), digit)
		if at < len(text) && text[at] == 'm' {
			return at + 1
		}
	}
	return 0
}

// Constants for checking several bytes of a text at once, each in its own byte of a number.
const (
	wordSize = 8
	each     = 0x0101010101010101
	highBits = 0x80 * each
)

// anyBelow reports whether a byte of x is less than n.
func anyBelow(x uint64, n byte) bool { return (x-uint64(n)*each)&^x&highBits != 0 }

// hasLow reports whether one of the first eight bytes is less than '+': a blank, a line break, a quote or a bracket, which no run has.
func hasLow(text []byte) bool { return anyBelow(binary.LittleEndian.Uint64(text), '+') }

// hasLowHalf does the same as hasLow for the first four bytes.
func hasLowHalf(text []byte) bool {
	x := binary.LittleEndian.Uint32(text)
	return (x-'+'*(each&0xffffffff))&^x&(highBits&0xffffffff) != 0
}

// hasDigits reports whether one of the first eight bytes may be a digit. A xor removes '0' from each byte, so that digits are below ten.
func hasDigits(text []byte) bool { return anyBelow(binary.LittleEndian.Uint64(text)^'0'*each, 10) }

// hasDigit reports whether a text has a digit.
func hasDigit(text []byte) bool {
	for _, c := range text {
		if classes[c] == digit {
			return true
		}
	}
	return false
}
