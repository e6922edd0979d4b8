package secret

import "bytes"

// Bounds of keys that are written as numbers.
const (
	minNumbers = 12
	maxNumbers = 512
)

// scanNumbers finds a key written as a list of bytes or words: key := []byte{0x35, 0x9b, …}, AES_KEY[16] = {53, 155, …}. Lists that
// count, repeat or say little are test vectors.
func scanNumbers(text []byte, lo, hi int) (int, int, bool) {
	i := hi
	for i < len(text) && i-hi < maxName && isNameByte(text[i]) {
		i++
	}
	near := text[i:min(len(text), i+72)]
	if n := bytes.IndexAny(near, "\n;"); n >= 0 {
		near = near[:n]
	}
	open := listOpens(near)
	if open < 0 {
		return 0, 0, false
	}
	a := assignment{suffix: [2]int{hi, i}}
	if namesOther(text, lo, a.suffix) || !numbersName(text, &a) || headHas(nameHead(text, lo), keyHeads[:]) {
		return 0, 0, false
	}
	return numbers(text, i+open+1)
}

// listOpens is where the list begins behind a name: = []byte{1, = bytes([1, = Uint8Array.from([1, [16] = {1, AES128Key{1. It is -1 if
// there is none.
func listOpens(near []byte) int {
	for n, c := range near {
		if (c == '{' || c == '[' && bytes.IndexAny(near[:n], "=:") >= 0) && n+1 < len(near) && near[n+1] != ']' && near[n+1] != '}' {
			if d := near[n+1:]; c == '{' || '0' <= d[0] && d[0] <= '9' && bytes.IndexByte(d[:min(len(d), 6)], ']') < 0 {
				return n
			}
		}
		if c == '{' && n+1 == len(near) {
			return n
		}
	}
	return -1
}

// numbersName reports a name that ends with the keyword, or a number or a word for bytes behind it.
func numbersName(text []byte, a *assignment) bool {
	return a.names(text) || bytes.HasSuffix(bytes.ToLower(text[a.suffix[0]:a.suffix[1]]), []byte("data"))
}

// numbers reads the list that begins at i.
func numbers(text []byte, i int) (int, int, bool) {
	start, end, n, steps, letters := -1, i, 0, 0, 0
	var seen [256]bool
	distinct, last := 0, -1
	for n < maxNumbers {
		for i < len(text) && (text[i] <= ' ' || text[i] == ',' || text[i] == '\\') {
			i++
		}
		j := i
		sum := 0
		for j < len(text) && j-i < 20 && (isHex(text[j]) || text[j]|0x20 == 'x' || text[j]|0x20 == 'l' || text[j]|0x20 == 'u' || text[j] == '-') {
			if isLetter(text[j]) && isHex(text[j]) {
				letters++
			}
			sum = sum*31 + int(text[j]|0x20)
			j++
		}
		if j == i || !isHex(text[i]) && text[i] != '-' {
			break
		}
		if start < 0 {
			start = i
		}
		if h := sum & 255; !seen[h] {
			seen[h], distinct = true, distinct+1
		}
		if d := sum - last; d == 1 || d == 0 {
			steps++
		}
		last, n, end, i = sum, n+1, j, j
	}
	if c := at(text, skipSpace(text, i)); c != '}' && c != ']' || start < 0 {
		return 0, 0, false
	}
	wide := n >= 2 && n < minNumbers && (end-start)/n >= 18
	return start, end, (n >= minNumbers || wide) && distinct*3 >= min(n, 64)*2 && steps*3 < n
}
