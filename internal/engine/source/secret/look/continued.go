package look

import "bytes"

// FindContinued calls found with each line that continues on the next one within a word: TOKEN=abc\ and, on the next line, def. Shells,
// makefiles, properties and literals are continued so.
func FindContinued(text []byte, found func(d Decoded)) {
	var buf []byte
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '\\')
		if n < 0 {
			return
		}
		i := from + n
		if from = i + 1; !IsAt(text, from, Blank|Line) || seamWidth(text, i) == 0 {
			continue // most backslashes begin escapes
		}
		lo := LineStart(text, i, maxBefore)
		hi := i
		for hi < min(len(text), i+maxAfter) && text[hi] != '\n' {
			hi += max(seamWidth(text, hi), 1)
		}
		hi = min(hi, len(text), i+maxAfter)
		if buf == nil {
			buf = make([]byte, maxBefore+maxAfter)
		}
		d := Decoded{source: text[lo:hi], start: lo, width: continuedWidth}
		d.decode(buf, func(c []byte) byte { return c[0] })
		found(d)
		from = max(hi, from)
	}
}

// seamWidth returns the length of a backslash at i and the bytes after it, up to the rest of the word before it, or 0 if that word does not
// continue. An indented word that is an option or a setting of its own continues a command, and no word.
func seamWidth(text []byte, i int) int {
	n := Continuation(text, i)
	if n == 0 || !IsAt(text, i-1, Key) {
		return 0
	}
	next := i + n
	if text[next-1] == '\n' {
		return n
	}
	word := text[next:FindAny(text, next, maxBefore, " \t\r\n")]
	if word[0] == '-' || bytes.IndexByte(word, '=') >= 0 {
		return 0
	}
	return n
}

func continuedWidth(text []byte, i int) (skip, size int) { return seamWidth(text, i), 1 }
