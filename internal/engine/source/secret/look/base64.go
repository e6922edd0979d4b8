package look

import (
	"encoding/binary"
)

// Bounds of a text in base64.
const (
	minRun   = 27 // letters and digits, of 20 bytes: no token that is known by its form alone is shorter
	wordSize = 8
	headSize = 16      // characters that have to say text before the rest is decoded
	minLine  = 60      // characters of a line that may go on on the next one
	maxRun   = 4 << 20 // characters of one text
	// How many bytes are decoded at a time, and how many of them are shown again with the next, so that nothing is cut. Both are
	// multiples of three.
	window  = 12 << 10
	overlap = 1023
)

// alphabet has the characters of both alphabets of base64.
const alphabet = Alnum | Slash | Underscore | Dash

// FindBase64 calls found with each run of base64 that says text: with its place, its padding and further lines included, and with what it
// says, in windows until found reports that it has seen enough. What it says is valid during the call.
//
// Text in ASCII has a mark of the alphabet only at the end of a group of four characters, for the few bytes > ? and ~, so that a run of
// letters and digits is looked for, and names with dashes, underscores or slashes cost nothing. A run of minRun bytes has all of a word
// of eight bytes in it, wherever it begins, if there is one every stride bytes.
func FindBase64(text []byte, found func(lo, hi int, says []byte) (done bool)) {
	const stride = minRun - wordSize + 1
	var buf []byte
	for i := 0; i+wordSize <= len(text); i += stride {
		if word := text[i : i+wordSize]; hasMark(word) || !maySay(word) {
			continue
		}
		hi := i
		for hi < len(text) && Is(text[hi], Alnum) {
			hi++
		}
		if hi < i+wordSize {
			continue
		}
		lo := i
		for lo > 0 && Is(text[lo-1], Alnum) {
			lo--
		}
		if hi-lo >= minRun && saysText(text[lo:lo+headSize]) {
			r := newRun(text, lo, hi)
			if buf == nil {
				buf = make([]byte, window)
			}
			r.decode(text, buf, found)
			hi = r.end
		}
		i = hi + 1 - stride
	}
}

// hasMark reports that one of eight bytes is less than the least letter or digit: blanks, dots and brackets are.
func hasMark(word []byte) bool {
	const ones = 0x0101010101010101
	n := binary.LittleEndian.Uint64(word)
	return (n-ones*'0')&^n&(ones*0x80) != 0
}

// maySay reports eight letters and digits that may be part of a text, wherever the groups of four begin.
func maySay(word []byte) bool {
	begins := uint8(1<<4 - 1)
	for i, c := range word[:wordSize] {
		begins &= places[i&3][c]
	}
	return begins != 0
}

// places has, of a letter or digit that is so many characters behind another, the places in a group that the other may have: a bit each.
var places = newPlaces()

func newPlaces() (t [4][256]uint8) {
	for c := range 256 {
		if !Is(byte(c), Alnum) {
			continue
		}
		n := sextets[c]
		isAt := [4]bool{isText(n<<2) || isText(n<<2|1), n&15 != 1 && n&15 < 8, n&3 < 2, true}
		for behind := range 4 {
			for place := range 4 {
				if isAt[(place+behind)&3] {
					t[behind][c] |= 1 << place
				}
			}
		}
	}
	return t
}

// isMember reports a character of base64; the = that it is filled up with ends a run.
func isMember(c byte) bool { return Is(c, alphabet) }

// saysText reports that groups of four characters decode to text.
func saysText(groups []byte) bool {
	for i := 0; i+4 <= len(groups); i += 4 {
		n := uint32(sextets[groups[i]])<<18 | uint32(sextets[groups[i+1]])<<12 | uint32(sextets[groups[i+2]])<<6 | uint32(sextets[groups[i+3]])
		if !isText(byte(n>>16)) || !isText(byte(n>>8)) || !isText(byte(n)) {
			return false
		}
	}
	return true
}

// isText reports a character of a text in ASCII.
func isText(c byte) bool { return Is(c, Print|Line|Blank) }

// sextets has the six bits that a character says.
var sextets = newSextets()

func newSextets() (t [256]byte) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") {
		t[c] = byte(i)
	}
	t['+'], t['-'], t['/'], t['_'] = 62, 62, 63, 63
	return t
}

// run is the place of a text in base64.
type run struct{ start, end int }

// newRun is the run that has the letters and digits text[lo:hi], with what is before and behind them, the lines that follow, and the
// padding. Tools wrap base64 after 60 characters or more, each line but the last as long as the first.
func newRun(text []byte, lo, hi int) run {
	for lo >= 4 && All(text[lo-4:lo], alphabet) && saysText(text[lo-4:lo]) {
		lo -= 4
	}
	for hi < len(text) && isMember(text[hi]) {
		hi++
	}
	r := run{lo, hi}
	size := hi - lo
	for size >= minLine && size%4 == 0 && r.end-lo < maxRun {
		next := nextLine(text, r.end)
		stop := next
		for stop < len(text) && stop-next < size && isMember(text[stop]) {
			stop++
		}
		if next == 0 || stop == next || !endsLine(text, stop) {
			break
		}
		r.end = stop
		if stop-next < size {
			break
		}
	}
	r.end = RunEnd(text, r.end, 2, Equal)
	return r
}

// endsLine reports that nothing but padding, a quote or a blank follows on the line.
func endsLine(text []byte, i int) bool {
	return EndsLine(text, RunEnd(text, i, 4, Equal|Quote))
}

// nextLine is the beginning of the line behind a line's end at i, without its indentation, else 0.
func nextLine(text []byte, i int) int {
	if !IsAt(text, i, Line) {
		return 0
	}
	if text[i] == '\r' {
		i++
	}
	if At(text, i) != '\n' {
		return 0
	}
	return SkipBlank(text, i+1)
}

// decode calls found with what the run says.
func (r *run) decode(text, buf []byte, found func(lo, hi int, says []byte) bool) {
	n, filled := 0, 0
	var quad uint32
	for i := r.start; i < r.end && text[i] != '='; i++ {
		if !isMember(text[i]) {
			continue // what is between two lines
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
