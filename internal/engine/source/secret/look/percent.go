package look

import "bytes"

// Limits of the part of a text that is decoded together.
const (
	maxBefore = 128 << 10 // bytes before the first escape
	maxAfter  = 256 << 10 // bytes from it on
)

// Decoded is the decoded form of a part of a text that is written with escapes, continued over lines or shortened.
type Decoded struct {
	Text []byte // valid during the call
	span func(lo, hi int) (start, end int)
}

// Span returns the place in the original text of the bytes lo to hi of the decoded text. It is cheapest if it is called in the order of
// the places.
func (d *Decoded) Span(lo, hi int) (start, end int) { return d.span(lo, hi) }

// escaped is a part of a text in which a character may have several bytes.
type escaped struct {
	source []byte
	start  int // of source in the whole text
	// width measures the character at i of the source: the bytes before it that are not part of the decoded text, and its own bytes.
	width  func(source []byte, i int) (skip, size int)
	n, end int // the last span began at character n, and at the byte end of the source
}

// decode appends the decoded text to buf, which is empty.
func (x *escaped) decode(buf []byte, char func(c []byte) byte) Decoded {
	for at := 0; at < len(x.source); {
		skip, size := x.width(x.source, at)
		buf = append(buf, char(x.source[at+skip:at+skip+size]))
		at += skip + size
	}
	return Decoded{Text: buf, span: x.span}
}

func (x *escaped) span(lo, hi int) (start, end int) {
	if lo < x.n {
		x.n, x.end = 0, 0
	}
	at := x.end
	for i := x.n; i < hi; i++ {
		skip, size := x.width(x.source, at)
		if i == lo {
			x.n, x.end = i, at
			start = at + skip
		}
		at += skip + size
	}
	return x.start + start, x.start + at
}

// FindPercent calls found with each part of text without blanks and quotes that has characters escaped by percent signs, until
// found returns true.
func FindPercent(text []byte, found func(d Decoded) (done bool)) {
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
		lo, hi := i, i
		for lo > max(from, i-maxBefore) && !Is(text[lo-1], Space|URLEnd) {
			lo--
		}
		for hi < min(len(text), i+maxAfter) && !Is(text[hi], Space|URLEnd) {
			hi++
		}
		if from = hi; !hasPrintableEscape(text[i:hi]) {
			continue
		}
		x := escaped{source: text[lo:hi], start: lo, width: escapeWidth}
		d := x.decode(buf[:0], unescapedByte)
		buf = d.Text
		if found(d) {
			return
		}
	}
}

// isEscape reports whether the text has %XX at i.
func isEscape(text []byte, i int) bool { return text[i] == '%' && RunEnd(text, i+1, 2, Hex) == i+3 }

func escapeWidth(text []byte, i int) (skip, size int) {
	if isEscape(text, i) {
		return 0, 3
	}
	return 0, 1
}

// hasPrintableEscape reports whether an escape of text is a character of printable ASCII. Letters of other alphabets are escaped in the
// addresses of pages, and no rule looks for them.
func hasPrintableEscape(text []byte) bool {
	for i := range text {
		if isEscape(text, i) && Is(unescapedByte(text[i:i+3]), Print) {
			return true
		}
	}
	return false
}

// unescapedByte returns the character that is written as c or as %XX.
func unescapedByte(c []byte) byte {
	if len(c) == 1 {
		return c[0]
	}
	return hexDigit(c[1])<<4 | hexDigit(c[2])
}

func hexDigit(c byte) byte {
	if Is(c, Digit) {
		return c - '0'
	}
	return ToLower(c) - 'a' + 10
}
