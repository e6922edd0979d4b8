package known

import "encoding/binary"

// class says what a character can be in a run; those of class 0 end it.
type class uint8

const (
	letter  class = 1 << iota
	digit         // 0 to 9
	joint         // marks that values have inside: _ ~ + -
	divider       // marks that values have inside, and that may as well divide them from other text: = / .
)

// classes has the characters of runs: [A-Za-z0-9_~.+/=-]. A colon ends a run.
var classes = classTable()

func classTable() (t [256]class) {
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

// IsRun reports a text that is one run.
func IsRun(text string) bool {
	for i := range len(text) {
		if classes[text[i]] == 0 {
			return false
		}
	}
	return text != ""
}

// skip is the first place from lo on whose character is not of a class, or hi.
func skip(text []byte, lo, hi int, not class) int {
	for lo < hi && classes[text[lo]] == not {
		lo++
	}
	return lo
}

// skipTo is the first place from lo on whose character is of a class, or hi.
func skipTo(text []byte, lo, hi int, of class) int {
	for lo < hi && classes[text[lo]]&of == 0 {
		lo++
	}
	return lo
}

// back is hi without the marks before it, which may be those of Markdown around a value.
func back(text []byte, lo, hi int) int {
	for hi > lo && classes[text[hi-1]] == joint {
		hi--
	}
	return hi
}

// escapes are the letters that follow a backslash where ken spells out a character without a glyph, and how many digits follow
// them. A value after a line break of a JSON string would else begin with the n of \n.
var escapes = [256]int8{'n': 1, 't': 1, 'r': 1, 'b': 1, 'f': 1, 'x': 3, 'u': 5, 'U': 9}

// afterEscape is the end of the escape that the run at lo begins with: \n, \x1b, %3D, or one that colours a terminal; 0 if it
// does not begin with any.
func afterEscape(text []byte, lo int) int {
	switch {
	case lo > 0 && text[lo-1] == '\\':
		return lo + int(escapes[text[lo]])
	case lo > 0 && text[lo-1] == '%':
		return lo + 2
	case lo > 1 && text[lo-1] == '[' && text[lo-2] == 0x1b:
		at := skip(text, lo, len(text), digit)
		if at < len(text) && text[at] == 'm' {
			return at + 1
		}
	}
	return 0
}

// Several bytes of a text are judged at once, each in its own byte of a number.
const (
	wordSize = 8
	each     = 0x0101010101010101
	highBits = 0x80 * each
)

// anyBelow reports a byte of x that is less than n.
func anyBelow(x uint64, n byte) bool { return (x-uint64(n)*each)&^x&highBits != 0 }

// hasLow reports a byte before '+' among the first eight: a blank, a line break, a quote, a bracket, which no run has.
func hasLow(text []byte) bool { return anyBelow(binary.LittleEndian.Uint64(text), '+') }

// hasLowHalf is the same of the first four.
func hasLowHalf(text []byte) bool {
	x := binary.LittleEndian.Uint32(text)
	return (x-'+'*(each&0xffffffff))&^x&(highBits&0xffffffff) != 0
}

// hasDigits reports a digit among the first eight. '0' is taken from each byte by a xor, so that digits are those below ten.
func hasDigits(text []byte) bool { return anyBelow(binary.LittleEndian.Uint64(text)^'0'*each, 10) }

// hasDigit reports a digit in a text.
func hasDigit(text []byte) bool {
	for _, c := range text {
		if classes[c] == digit {
			return true
		}
	}
	return false
}
