package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/chars"
)

// Bounds of keys that are written as numbers.
const (
	minNumbers = 12
	maxNumbers = 512
)

// scanNumbers finds a key written as a list of bytes or words: key := []byte{0x35, 0x9b, …}, AES_KEY[16] = {53, 155, …}. Lists that
// count, repeat or say little are test vectors.
func scanNumbers(text []byte, lo, hi int) (int, int, bool) {
	end := chars.RunEnd(text, hi, maxName, chars.Name)
	near := text[end:chars.FindAny(text, end, 72, "\n;")]
	open := numbersOpen(near)
	if open < 0 {
		return 0, 0, false
	}
	suffix := [2]int{hi, end}
	if namesOtherThing(text, lo, suffix) || !namesNumbers(text, suffix) || nameHas(nameHead(text, lo), otherKeys[:]) {
		return 0, 0, false
	}
	return numbers(text, end+open+1)
}

// numbersOpen is where the list begins behind a name: = []byte{1, = bytes([1, = Uint8Array.from([1, [16] = {1, AES128Key{1. It is -1
// if there is none.
func numbersOpen(near []byte) int {
	for i, c := range near {
		rest := near[i+1:]
		switch {
		case c == '{' && !chars.OneOf(chars.At(rest, 0), "]}"):
			return i
		case c == '[' && chars.IsAt(rest, 0, chars.Digit) && bytes.ContainsAny(near[:i], "=:"):
			if bytes.IndexByte(chars.Clip(rest, 0, 6), ']') < 0 { // else a size: [16]byte
				return i
			}
		}
	}
	return -1
}

// namesNumbers reports a name that ends with the keyword, or a number or a word for bytes behind it.
func namesNumbers(text []byte, suffix [2]int) bool {
	return namesValue(text, suffix) || bytes.HasSuffix(bytes.ToLower(text[suffix[0]:suffix[1]]), []byte("data"))
}

// numberList has what is counted in a list of numbers.
type numberList struct {
	start, end int // of the first and of the last
	count      int
	distinct   int
	steps      int // numbers that are one more than the one before, or the same
}

// numbers finds the key in the list of numbers that begins at i.
func numbers(text []byte, i int) (int, int, bool) {
	var list numberList
	var seen [256]bool
	for last := -1; list.count < maxNumbers; list.count++ {
		i = chars.RunEnd(text, i, len(text), chars.Space|chars.Comma|chars.Escape)
		if !chars.IsAt(text, i, chars.Hex|chars.Dash) {
			break
		}
		if list.count == 0 {
			list.start = i
		}
		sum := 0
		list.end = chars.RunEnd(text, i, 20, chars.Hex|chars.Number)
		for _, c := range text[i:list.end] {
			sum = sum*31 + int(c|0x20)
		}
		if !seen[sum&255] {
			seen[sum&255] = true
			list.distinct++
		}
		if uint(sum-last) < 2 {
			list.steps++
		}
		last, i = sum, list.end
	}
	if !chars.OneOf(chars.At(text, chars.SkipSpace(text, i)), "}]") {
		return 0, 0, false
	}
	return list.start, list.end, list.isLong() && list.isMixed()
}

// isLong reports numbers enough for a key: bytes, or fewer words of sixteen hex digits.
func (l *numberList) isLong() bool {
	return l.count >= minNumbers || l.count > 1 && (l.end-l.start)/l.count >= 18
}

// isMixed reports that the numbers neither repeat nor count.
func (l *numberList) isMixed() bool {
	return l.distinct*3 >= min(l.count, 64)*2 && l.steps*3 < l.count
}
