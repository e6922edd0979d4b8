package look

import "encoding/binary"

// Texts in base64. Almost no run of letters is a text in base64, so the work is in passing over those that are not: a few bytes in every
// thirty are read, and of a run that is long enough the first twelve bytes are decoded.

// Limits of a text in base64.
const (
	minRun   = 27 // letters and digits, of 20 bytes: no token that is known by its form alone is shorter
	wordSize = 8
	headSize = 16      // characters that must decode to text before the rest is decoded
	minLine  = 60      // characters of a line that may continue on the next one
	maxRun   = 4 << 20 // characters of one text
	// The number of bytes that are decoded at a time, and of those that are repeated with the next ones, so that no value is cut. Both are
	// multiples of three.
	window  = 12 << 10
	overlap = 1023
)

// base64Set has the characters of both alphabets of base64.
const base64Set = Alnum | Slash | Underscore | Dash

// FindBase64 calls found with each run of base64 that decodes to text: with its place, its padding and further lines included, and with the
// decoded text, in windows until found returns true. The decoded text is valid during the call.
//
// Text in ASCII has a mark of the alphabet only at the end of a group of four characters, for the few bytes > ? and ~. So it is enough to
// search runs of letters and digits, and names with dashes, underscores or slashes cost nothing. A run of minRun bytes contains one of the
// words of eight bytes that begin every stride bytes, wherever it begins.
func FindBase64(text []byte, found func(lo, hi int, plain []byte) (done bool)) {
	const stride = minRun - wordSize + 1
	var buf []byte
	for i := 0; i+wordSize <= len(text); i += stride {
		if word := text[i : i+wordSize]; hasMark(word) || !mayBeText(word) {
			continue
		}
		hi := RunEnd(text, i, len(text), Alnum)
		if hi < i+wordSize {
			continue
		}
		lo := RunStart(text, i, i, Alnum)
		if hi-lo >= minRun && decodesToText(text[lo:lo+headSize]) {
			r := newRun(text, lo, hi)
			if buf == nil {
				buf = make([]byte, window)
			}
			r.decodeRun(text, buf, found)
			hi = r.end
		}
		i = hi + 1 - stride
	}
}

// hasMark reports whether one of eight bytes has a smaller code than all letters and digits, as blanks, dots and brackets have.
func hasMark(word []byte) bool {
	const ones = 0x0101010101010101
	n := binary.LittleEndian.Uint64(word)
	return (n-ones*'0')&^n&(ones*0x80) != 0
}

// mayBeText reports whether eight letters and digits may decode to text, wherever the groups of four begin.
func mayBeText(word []byte) bool {
	starts := uint8(1<<4 - 1)
	for i, c := range word[:wordSize] {
		starts &= places[i&3][c]
	}
	return starts != 0
}

// places is a table for mayBeText: for each letter or digit at a distance from another, it has the places in a group of four that the
// other may have, as bits.
var places = newPlaces()

func newPlaces() (t [4][256]uint8) {
	for c := range 256 {
		if !Is(byte(c), Alnum) {
			continue
		}
		n := sextets[c]
		isAt := [4]bool{isText(n<<2) || isText(n<<2|1), n&15 != 1 && n&15 < 8, n&3 < 2, true}
		for after := range 4 {
			for place := range 4 {
				if isAt[(place+after)&3] {
					t[after][c] |= 1 << place
				}
			}
		}
	}
	return t
}

// decodesToText reports whether groups of four characters decode to text.
func decodesToText(groups []byte) bool {
	for i := 0; i+4 <= len(groups); i += 4 {
		n := uint32(sextets[groups[i]])<<18 | uint32(sextets[groups[i+1]])<<12 | uint32(sextets[groups[i+2]])<<6 | uint32(sextets[groups[i+3]])
		for shift := 16; shift >= 0; shift -= 8 {
			if !isText(byte(n >> shift)) {
				return false
			}
		}
	}
	return true
}

// isText reports whether c is a character of a text in ASCII.
func isText(c byte) bool { return Is(c, Print|Line|Blank) }

// sextets are the six bits of each character.
var sextets = newSextets()

func newSextets() (t [256]byte) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") {
		t[c] = byte(i)
	}
	t['+'], t['-'], t['/'], t['_'] = 62, 62, 63, 63
	return t
}

// run is the place of a text in base64 within a text.
type run struct{ start, end int }

// newRun returns the run that has the letters and digits text[lo:hi], with the characters of base64 on both sides, the lines that follow,
// and the padding. Tools wrap base64 after 60 characters or more, each line but the last as long as the first.
func newRun(text []byte, lo, hi int) run {
	for lo >= 4 && All(text[lo-4:lo], base64Set) && decodesToText(text[lo-4:lo]) {
		lo -= 4
	}
	hi = RunEnd(text, hi, len(text), base64Set)
	r := run{lo, hi}
	size := hi - lo
	isWrapped := size >= minLine && size%4 == 0
	for isWrapped && r.end-lo < maxRun {
		next := nextLine(text, r.end)
		end := RunEnd(text, next, size, base64Set)
		if next == 0 || end == next || !EndsLine(text, RunEnd(text, end, 4, Equal|Quote)) {
			break
		}
		r.end = end
		isWrapped = end-next == size
	}
	r.end = RunEnd(text, r.end, 2, Equal)
	return r
}

// nextLine returns the start of the line after a line's end at i, without its indentation, or 0 if no line ends there.
func nextLine(text []byte, i int) int {
	if At(text, i) == '\r' {
		i++
	}
	if At(text, i) != '\n' {
		return 0
	}
	return SkipBlank(text, i+1)
}

// decodeRun calls found with the decoded text of the run.
func (r *run) decodeRun(text, buf []byte, found func(lo, hi int, plain []byte) bool) {
	n, filled := 0, 0
	var quad uint32
	for i := r.start; i < r.end && text[i] != '='; i++ {
		if !Is(text[i], base64Set) {
			continue // between two lines
		}
		quad = quad<<6 | uint32(sextets[text[i]])
		if n++; n&3 != 0 {
			continue
		}
		buf[filled], buf[filled+1], buf[filled+2] = byte(quad>>16), byte(quad>>8), byte(quad)
		if filled += 3; filled < window {
			continue
		}
		if found(r.start, r.end, buf[:filled]) {
			return
		}
		filled = copy(buf, buf[window-overlap:])
	}
	switch n & 3 {
	case 2:
		buf[filled] = byte(quad >> 4)
		filled++
	case 3:
		buf[filled], buf[filled+1] = byte(quad>>10), byte(quad>>2)
		filled += 2
	}
	found(r.start, r.end, buf[:filled])
}
