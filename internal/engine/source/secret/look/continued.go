package look

import "bytes"

// FindContinued calls found with each word that continues on the next line: TOKEN=abc\ and, on the next line, def. Shells, makefiles,
// properties files and literals continue lines so. It ends when found returns true.
func FindContinued(text []byte, found func(d Decoded) (done bool)) {
	var buf []byte
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '\\')
		if n < 0 {
			return
		}
		i := from + n
		if from = i + 1; !IsAt(text, from, Blank|Line) || continuationWidth(text, i) == 0 {
			continue // most backslashes begin escapes
		}
		lo := LineStart(text, i, maxBefore)
		hi := i
		for hi < min(len(text), i+maxAfter) && text[hi] != '\n' {
			hi += max(continuationWidth(text, hi), 1)
		}
		hi = min(hi, len(text), i+maxAfter)
		x := escaped{source: text[lo:hi], start: lo, width: continuedWidth}
		d := x.decode(buf[:0], func(c []byte) byte { return c[0] })
		buf = d.Text
		if found(d) {
			return
		}
		from = max(hi, from)
	}
}

// continuationWidth returns the number of bytes between the two parts of a word that is continued on the next line: the backslash at i, the
// line's end and the indentation. It returns 0 if the word does not continue. An indented word that is an option or a setting of its own
// continues a command, and not the word.
func continuationWidth(text []byte, i int) int {
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

// ContinuedEnd returns the end of the word of which a part ends at i, before or after the backslash of a line that continues. It is i if
// the word ends there.
func ContinuedEnd(text []byte, i int) int {
	if At(text, i) != '\\' && At(text, i-1) == '\\' && IsAt(text, i, Line|Blank) {
		i--
	}
	for At(text, i) == '\\' {
		n := continuationWidth(text, i)
		if n == 0 {
			break
		}
		i = RunEnd(text, i+n, len(text), Token|Base64)
	}
	return i
}

func continuedWidth(text []byte, i int) (skip, size int) { return continuationWidth(text, i), 1 }
