package look

// Bounds of a value that is put together.
const (
	maxPieces = 16
	maxBytes  = 1024 // of all pieces
	MaxSeam   = 120  // bytes between two pieces
)

// Seam is the length of what is between a closing quote, at i, and the content of the next literal, both quotes included: `" + "`
// is 5. It is 0 if no literal follows that is joined.
func Seam(text []byte, i int) int {
	if !IsAt(text, i, Quote) {
		return 0
	}
	end := RunEnd(text, i+1, MaxSeam-1, Splice)
	if end == i+1 || end == i+MaxSeam || !IsAt(text, end, Quote) { // the first: an empty literal
		return 0
	}
	return end + 1 - i
}

// Continuation is the length of a backslash at i that ends its line, with the indentation of the next; 0 if there is none, or nothing
// follows that may be part of a value.
func Continuation(text []byte, i int) int {
	if At(text, i) != '\\' {
		return 0
	}
	end := SkipBlank(text, i+1) // which compilers and Docker pass over
	if At(text, end) == '\r' {
		end++
	}
	if At(text, end) != '\n' {
		return 0
	}
	if end = SkipBlank(text, end+1); !IsAt(text, end, Alnum|KeyMark) {
		return 0
	}
	return end - i
}

// Pieces is a text put together from literals.
type Pieces struct {
	text [maxBytes]byte
	n    int
	ends []int // of each piece in text
	from []int // where each piece is in the source
}

// Join collects the literal that begins at lo and those joined to it, each up to its closing quote.
func (p *Pieces) Join(src []byte, lo int) {
	for len(p.ends) < maxPieces {
		end := FindAny(src, lo, maxBytes-p.n, "\"'`\n")
		p.n += copy(p.text[p.n:], src[lo:end])
		p.ends, p.from = append(p.ends, p.n), append(p.from, lo)
		lo = end
		n := Seam(src, lo)
		if n == 0 || p.n == maxBytes {
			return
		}
		lo += n
	}
}

// At is the place in the source of byte i of the joined text; of its end, the place behind the last byte.
func (p *Pieces) At(i int, end bool) int {
	if end {
		return p.At(i-1, false) + 1
	}
	start := 0
	for k, e := range p.ends {
		if i < e {
			return p.from[k] + i - start
		}
		start = e
	}
	return 0
}

// Text is what was put together.
func (p *Pieces) Text() []byte { return p.text[:p.n] }

// Len is how many pieces there are.
func (p *Pieces) Len() int { return len(p.ends) }
