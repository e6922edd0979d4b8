package token

import (
	_ "embed"
	"unicode/utf8"
)

// class is the kind of a character, such as letter or number, in the patterns that cut a text into pieces.
type class uint8

// The classes, with the values that package gen writes into classes.bin.
const (
	other   class = iota // punctuation, symbols, controls, unassigned
	upper                // Lu Lt
	lower                // Ll
	letter               // Lm Lo: no case
	mark                 // M
	number               // N
	space                // white space but for the next
	newline              // \r \n
)

// classSet is a set of classes, one bit each.
type classSet uint16

func (s classSet) has(c class) bool { return s>>c&1 != 0 }

const (
	letters    classSet = 1<<upper | 1<<lower | 1<<letter // \p{L}
	wordHead   classSet = 1<<upper | 1<<letter | 1<<mark  // o200k: [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	wordTail   classSet = 1<<lower | 1<<letter | 1<<mark  // o200k: [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	symbols    classSet = 1<<other | 1<<mark              // [^\s\p{L}\p{N}]
	prefixes   classSet = 1<<other | 1<<mark | 1<<space   // [^\r\n\p{L}\p{N}]
	whitespace classSet = 1<<space | 1<<newline           // \s
)

const (
	stageBlock = 256                             // code points of a block
	stageOne   = (utf8.MaxRune + 1) / stageBlock // bytes of the first stage
)

// classTable is the class of every code point in two stages; see gen.
//
//go:embed classes.bin
var classTable string

// classAt returns the class of the character at b[i] and its length in bytes.
// Bytes that are not UTF-8 count as U+FFFD, one for each maximal subpart, the
// longest beginning of a valid character.
func classAt(b []byte, i int) (class, int) {
	if c := b[i]; c < utf8.RuneSelf {
		return class(classTable[stageOne+int(c)]), 1
	}
	r, w := decode(b[i:])
	at := stageOne + int(classTable[r/stageBlock])*stageBlock + int(r%stageBlock)
	return class(classTable[at]), w
}

// decode is utf8.DecodeRune except for bytes that are no UTF-8: their length is that
// of the maximal subpart, as in the WHATWG decoder (Unicode 16, section 3.9).
func decode(b []byte) (rune, int) {
	r, w := utf8.DecodeRune(b)
	if r == utf8.RuneError && w == 1 {
		w = subpart(b)
	}
	return r, w
}

// subpart returns how many bytes at the start of b, which are no valid
// character, could be the beginning of one: 1 to 3.
func subpart(b []byte) int {
	lo, hi := byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c < 0xe0 || c > 0xf4:
		return 1
	case c == 0xe0:
		lo = 0xa0
	case c == 0xed:
		hi = 0x9f
	case c == 0xf0:
		lo = 0x90
	case c == 0xf4:
		hi = 0x8f
	}
	if len(b) < 2 || b[1] < lo || b[1] > hi {
		return 1
	}
	if b[0] < 0xf0 || len(b) < 3 || b[2]&0xc0 != 0x80 {
		return 2
	}
	return 3
}
