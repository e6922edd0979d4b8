package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// Bounds of keys that are written as numbers.
const (
	minNumbers = 12
	maxNumbers = 512
)

// scanNumbers finds a key written as a list of bytes or words: key := []byte{0x35, 0x9b, …}, AES_KEY[16] = {53, 155, …}. Lists that
// count, repeat or say little are test vectors.
func scanNumbers(text []byte, lo, hi int) (int, int, bool) {
	end := look.RunEnd(text, hi, maxName, look.Name)
	near := text[end:look.FindAny(text, end, 72, "\n;")]
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
		case c == '{' && !look.IsIn(look.At(rest, 0), "]}"):
			return i
		case c == '[' && look.IsAt(rest, 0, look.Digit) && bytes.ContainsAny(near[:i], "=:"):
			if bytes.IndexByte(look.Clip(rest, 0, 6), ']') < 0 { // else a size: [16]byte
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
		i = look.RunEnd(text, i, len(text), look.Space|look.Comma|look.Escape)
		if !look.IsAt(text, i, look.Hex|look.Dash) {
			break
		}
		if list.count == 0 {
			list.start = i
		}
		sum := 0
		list.end = look.RunEnd(text, i, 20, look.Hex|look.Number)
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
	if !look.IsIn(look.At(text, look.SkipSpace(text, i)), "}]") {
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
