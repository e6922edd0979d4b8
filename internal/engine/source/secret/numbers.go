package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// numbersRule is the rule of keys that are written as lists of numbers.
const numbersRule = "generic-numbers"

// Limits of keys that are written as lists of numbers.
const (
	minNumbers = 12
	maxNumbers = 512 // that are judged; a key may have more
)

// scanNumbers finds a key written as a list of bytes or words: key := []byte{0x35, 0x9b, …}, AES_KEY[16] = {53, 155, …}. Lists that
// count, repeat or have few different numbers are test vectors.
func scanNumbers(text []byte, lo, hi int) (int, int, bool) {
	suffix := [2]int{hi, look.RunEnd(text, hi, maxName, look.Name)}
	open := listOfNumbers(text, suffix[1])
	if open == 0 {
		return 0, 0, false
	}
	namesKey := namesValue(text, suffix) || bytes.HasSuffix(bytes.ToLower(text[suffix[0]:suffix[1]]), []byte("data"))
	switch {
	case !namesKey, namesOtherThing(text, lo, suffix), nameContains(nameHead(text, lo), otherKeys[:]):
		return 0, 0, false
	}
	return readNumbers(text, open)
}

// listOfNumbers returns the start of the list, after its bracket, that follows the name that ends at i: = []byte{1, = bytes([1,
// = Uint8Array.from([1, [16] = {1, AES128Key{1. It is 0 if there is none.
func listOfNumbers(text []byte, i int) int {
	near := text[i:look.FindAny(text, i, 72, "\n;")]
	isAssigned := false
	for j, c := range near {
		rest := near[j+1:]
		switch c {
		case '=', ':':
			isAssigned = true
		case '{':
			if !look.IsIn(look.At(rest, 0), "]}") {
				return i + j + 1
			}
		case '[':
			isSize := bytes.IndexByte(look.Clip(rest, 0, 6), ']') >= 0 // [16]byte
			if isAssigned && !isSize && look.IsAt(rest, 0, look.Digit) {
				return i + j + 1
			}
		}
	}
	return 0
}

// readNumbers reads the list of numbers that begins at i, and reports whether it is a key.
func readNumbers(text []byte, i int) (start, end int, ok bool) {
	var seen [256]bool
	count, distinct, steps := 0, 0, 0 // steps: numbers that are one more than the one before, or the same
	for last := -1; count < maxNumbers; count++ {
		i = look.RunEnd(text, i, len(text), look.Space|look.Comma|look.Escape)
		if !look.IsAt(text, i, look.Hex|look.Dash) {
			break
		}
		if count == 0 {
			start = i
		}
		sum := 0
		end = look.RunEnd(text, i, 20, look.Hex|look.Number)
		for _, c := range text[i:end] {
			sum = sum*31 + int(c|0x20)
		}
		if !seen[sum&255] {
			seen[sum&255] = true
			distinct++
		}
		if uint(sum-last) < 2 {
			steps++
		}
		last, i = sum, end
	}
	isMixed := distinct*3 >= min(count, 64)*2 && steps*3 < count
	if count == maxNumbers && isMixed {
		end = look.RunEnd(text, i, len(text), look.Hex|look.Number|look.Space|look.Comma|look.Escape)
		i = end
	}
	if !look.IsIn(look.At(text, look.SkipSpace(text, i)), "}]") {
		return 0, 0, false
	}
	if count < minNumbers {
		return start, end, isMixed && count > 1 && (end-start)/count >= 18 // words of sixteen hexadecimal digits
	}
	return start, end, isMixed
}
