package look

import (
	"bytes"
)

// Bounds of a stretch of text that is read as another.
const (
	maxBefore = 256     // bytes before the first sign of it
	maxBehind = 4 << 10 // bytes behind that
)

// Stretch is a part of a text that says something else than what is written.
type Stretch struct {
	Says  []byte // valid during the call
	text  []byte
	start int
	width func(text []byte, i int) (skip, size int) // of the character at i: what is before it that says nothing, and its own bytes
}

// Span is where bytes lo to hi of what the stretch says are in the text.
func (s *Stretch) Span(lo, hi int) (start, end int) {
	at := 0
	for i := range hi {
		skip, size := s.width(s.text, at)
		if i == lo {
			start = at + skip
		}
		at += skip + size
	}
	return s.start + start, s.start + at
}

// read writes to buf what the stretch says.
func (s *Stretch) read(buf []byte, char func(c []byte) byte) {
	n := 0
	for at := 0; at < len(s.text); n++ {
		skip, size := s.width(s.text, at)
		buf[n] = char(s.text[at+skip : at+skip+size])
		at += skip + size
	}
	s.Says = buf[:n]
}

// FindPercent calls found with each stretch without blanks and quotes that has characters escaped by percent signs.
func FindPercent(text []byte, found func(s Stretch)) {
	var buf []byte
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '%')
		if n < 0 {
			return
		}
		i := from + n
		if !isEscape(text, i) {
			from = i + 1
			continue
		}
		lo := i
		for lo > max(from, i-maxBefore) && inStretch(text[lo-1]) {
			lo--
		}
		hi := i
		for hi < min(len(text), i+maxBehind) && inStretch(text[hi]) {
			hi++
		}
		if from = hi; !isUseful(text[i:hi]) {
			continue
		}
		if buf == nil {
			buf = make([]byte, maxBefore+maxBehind)
		}
		s := Stretch{text: text[lo:hi], start: lo, width: escapeWidth}
		s.read(buf, unescape)
		found(s)
	}
}

// inStretch reports a character that may be part of a stretch.
func inStretch(c byte) bool { return !Is(c, Space|URLEnd) }

// isEscape reports %XX at i.
func isEscape(text []byte, i int) bool {
	return text[i] == '%' && IsAt(text, i+1, Hex) && IsAt(text, i+2, Hex)
}

func escapeWidth(text []byte, i int) (skip, size int) {
	if isEscape(text, i) {
		return 0, 3
	}
	return 0, 1
}

// isUseful reports that an escape is a character of ASCII that is shown: letters of other alphabets are escaped in addresses of pages,
// and no rule looks for them.
func isUseful(stretch []byte) bool {
	for i := range stretch {
		if isEscape(stretch, i) && Is(unescape(stretch[i:i+3]), Print) {
			return true
		}
	}
	return false
}

// unescape is the character that is written as c or as %XX.
func unescape(c []byte) byte {
	if len(c) == 1 {
		return c[0]
	}
	return nibble(c[1])<<4 | nibble(c[2])
}

func nibble(c byte) byte {
	if Is(c, Digit) {
		return c - '0'
	}
	return ToLower(c) - 'a' + 10
}
