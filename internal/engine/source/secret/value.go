package secret

import (
	"bytes"
	"math"
)

// plausibleToken is the common check of values with a known shape: no placeholder, and as mixed as random characters are.
func plausibleToken(v []byte) bool {
	return !isPlaceholder(v) && !isFiller(v) && entropy(v) >= tokenEntropy(len(v))
}

// nearValue is the check of values told by a name beside them: no words, unless digits stand among them.
func nearValue(v []byte) bool {
	return plausibleToken(v) && (digits(v) > 0 || !isWordy(v))
}

// mixedToken is the check of values whose shape words have too: it asks for a digit and for no words.
func mixedToken(v []byte) bool {
	return plausibleToken(v) && digits(v) > 0 && !isWordy(v) && !hasWords(v)
}

// bearerToken is the check of what follows "Bearer": a long one is no word, whatever its letters are like.
func bearerToken(v []byte) bool {
	return mixedToken(v) || len(v) >= 32 && plausibleToken(v) && digits(v) > 0 && entropy(v) >= 4.2
}

// tokenEntropy is the least entropy asked of n characters. Sixteen random hex digits have 3.1 bits on average and seldom less
// than 2.4; a counting or repeated vector stays below.
func tokenEntropy(n int) float64 {
	switch {
	case n < 12:
		return 1.8
	case n < 24:
		return 2.3
	}
	return 2.7
}

// entropy is the Shannon entropy of the bytes of v, in bits.
func entropy(v []byte) float64 {
	var count [256]uint16
	v = v[:min(len(v), 1024)]
	for _, c := range v {
		count[c]++
	}
	sum, n := 0.0, float64(len(v))
	for _, k := range count {
		if k > 0 {
			p := float64(k) / n
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// isFiller reports counting sequences ("0123456789abcdef") and repetition ("abcabcabc", "xxxx").
func isFiller(v []byte) bool {
	if hasMaskRun(v) {
		return true
	}
	n := min(len(v), 128)
	steps, same := 0, 0
	for i := 1; i < n; i++ {
		switch d := int(v[i]) - int(v[i-1]); d {
		case 1, -1:
			steps++
		case 0:
			same++
		}
	}
	if n > 4 && (steps+same)*2 > n {
		return true
	}
	for period := 2; period <= 10 && period*3 <= n; period++ {
		if bytes.Equal(v[:n-period], v[period:n]) {
			return true
		}
	}
	return false
}

// hasMaskRun reports a run of four x or *, as Mask and people write it.
func hasMaskRun(v []byte) bool {
	run := 0
	for i, c := range v {
		if c|0x20 == 'x' || c == '*' {
			if i > 0 && v[i-1] == c {
				run++
			} else {
				run = 1
			}
			if run == minValue {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

// templateMarks stand in values that are filled in later.
var templateMarks = [...]string{"${", "{{", "}}", "$(", "<%", "%>", "%s", "%v", "%d", "%q", "%{", "#{", "{0}", "...", "\u2026"}

// stopWords stand in values made up for documentation. Each has five letters or more, so that a random value holds one about once
// in a million.
var stopWords = [...]string{
	"example", "changeme", "change_me", "change-me", "placeholder", "dummy", "sample", "redacted", "replace", "insert", "yourself",
	"your_", "your-", "yourt", "yourp", "yours", "youra", "yourk", "my_pass", "mypass", "abcdef", "12345678", "98765432", "deadbeef", "foobar", "foo-bar", "foo_bar",
	"invalid", "not-a-", "not_a_", "notreal", "notasecret", "fixme", "todo_", "goes-here", "goes_here", "masked", "hidden",
	"undefined", "lorem", "ipsum", "testtest", "enter_", "enter-", "fakefake", "thisisa", "this_is", "this-is", "expired", "00000000",
}

// isPlaceholder reports templates and values that say of themselves that they are none. Long values are held against their head
// only: in the rest a stop word is chance.
func isPlaceholder(v []byte) bool {
	if len(v) > 2 && (v[0] == '<' && v[len(v)-1] == '>' || v[0] == '$' && (isWordy(v[1:]) || allLetters(v[1:])) || v[0] == '%' && v[len(v)-1] == '%') {
		return true
	}
	head := v[:min(len(v), 80)]
	for _, mark := range templateMarks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	var folded [80]byte
	low := folded[:len(head)]
	for i, c := range head {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	for _, word := range stopWords {
		if bytes.Contains(low, []byte(word)) {
			return true
		}
	}
	return false
}

func allLetters(v []byte) bool {
	for _, c := range v {
		if !isLetter(c) && c != '_' {
			return false
		}
	}
	return true
}

// isWordy reports that at least half of v is words: runs of letters, cut at digits, marks and camel humps, that are long enough
// and have as many vowels as speech has. Random characters seldom make such runs.
func isWordy(v []byte) bool {
	if isHexMix(v) {
		return false
	}
	letters := 0
	for i := 0; i < len(v); {
		j := hump(v, i)
		if j == i {
			i++
			continue
		}
		if pronounceable(v[i:j]) {
			letters += j - i
		}
		i = j
	}
	return letters*2 >= len(v)
}

// hump is the end of the word that begins at v[i], at i if none does: small letters, capitals, or a capital and small letters. The
// last capital of several belongs to the small letters behind it: XMLHttp is XML and Http.
func hump(v []byte, i int) int {
	j := i
	for j < len(v) && isUpper(v[j]) {
		j++
	}
	if j > i+1 && j < len(v) && isLetter(v[j]) {
		return j - 1
	}
	for j < len(v) && isLetter(v[j]) && !isUpper(v[j]) {
		j++
	}
	return j
}

// isHexMix reports eight hexadecimal digits or more, a quarter of them below ten: a to f make words by chance.
func isHexMix(v []byte) bool {
	n := 0
	for _, c := range v {
		if !isHex(c) {
			return false
		}
		if c <= '9' {
			n++
		}
	}
	return len(v) >= 8 && n*4 >= len(v) && n < len(v)
}

// pronounceable reports a run of four letters or more with vowels and without long runs of consonants.
func pronounceable(w []byte) bool {
	if len(w) < 4 {
		return false
	}
	vowels, run := 0, 0
	for _, c := range w {
		switch c | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			run = 0
		default:
			if run++; run > 4 {
				return false
			}
		}
	}
	return vowels*5 >= len(w) && vowels*4 <= len(w)*3 && !oddLetters(w)
}

// classes counts lower-case letters, upper-case letters, digits, and everything else.
func classes(v []byte) (lower, upper, digit, other int) {
	for _, c := range v {
		switch {
		case 'a' <= c && c <= 'z':
			lower++
		case isUpper(c):
			upper++
		case '0' <= c && c <= '9':
			digit++
		default:
			other++
		}
	}
	return
}

// isUUID reports 8-4-4-4-12 hex digits.
func isUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isAlnum(c) && c > '9' }
