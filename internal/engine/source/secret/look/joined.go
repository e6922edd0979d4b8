package look

// Values that are split over literals ("ghp_" + "16C7…"), or over lines that end with a backslash, are put together before they are
// judged. Literals are joined in the ways of most languages: by +, ., .., & or by one literal after the other, over lines. Pieces that are
// joined by variables, formats or calls are not put together: each must look like a secret alone. A vendor's prefix that is itself cut
// ("gh" + "p_…") is not recognised.

// Limits of a value that is put together from literals.
const (
	maxPieces = 16
	maxBytes  = 1024 // of all pieces
	MaxSeam   = 120  // bytes between two pieces
)

// JoinLength returns the length of the code that joins two literals: from the closing quote at i through the opening quote of the next
// literal, so 5 for `" + "`. It is 0 if no joined literal follows.
func JoinLength(text []byte, i int) int {
	if !IsAt(text, i, Quote) {
		return 0
	}
	end := RunEnd(text, i+1, MaxSeam-1, Splice)
	isEmpty := end == i+1 // the quotes of an empty literal
	if isEmpty || end == i+MaxSeam || !IsAt(text, end, Quote) {
		return 0
	}
	return end + 1 - i
}

// Continuation returns the length of a backslash at i that ends its line, with the indentation of the next line. It is 0 if there is no
// such backslash, or if the next line does not begin with a character of a value.
func Continuation(text []byte, i int) int {
	if At(text, i) != '\\' {
		return 0
	}
	end := SkipBlank(text, i+1) // compilers and Docker ignore blanks after the backslash
	if At(text, end) == '\r' {
		end++
	}
	if At(text, end) != '\n' {
		return 0
	}
	if end = SkipBlank(text, end+1); !IsAt(text, end, Key) {
		return 0
	}
	return end - i
}

// Pieces is a text put together from several literals.
type Pieces struct {
	text   [maxBytes]byte
	n      int
	ends   []int // of each piece in text
	starts []int // of each piece in the source
}

// Join collects the literal that begins at lo and those joined to it, each up to its closing quote.
func (p *Pieces) Join(src []byte, lo int) {
	for len(p.ends) < maxPieces {
		end := FindAny(src, lo, maxBytes-p.n, "\"'`\n")
		p.n += copy(p.text[p.n:], src[lo:end])
		p.ends, p.starts = append(p.ends, p.n), append(p.starts, lo)
		n := JoinLength(src, end)
		if n == 0 || p.n == maxBytes {
			return
		}
		lo = end + n
	}
}

// End returns the place in the source after the last literal, also if it is one of more than are collected.
func (p *Pieces) End(src []byte) int {
	last := len(p.ends) - 1
	end := FindAny(src, p.starts[last], len(src), "\"'`\n")
	for n := JoinLength(src, end); n > 0; n = JoinLength(src, end) {
		end = FindAny(src, end+n, len(src), "\"'`\n")
	}
	return end
}

// At returns the place in the source of byte i of the joined text. If isEnd is set, i is the exclusive end of a span, and At returns the
// place after byte i-1.
func (p *Pieces) At(i int, isEnd bool) int {
	if isEnd {
		return p.At(i-1, false) + 1
	}
	start := 0
	for k, end := range p.ends {
		if i < end {
			return p.starts[k] + i - start
		}
		start = end
	}
	return 0
}

// Text returns the joined text.
func (p *Pieces) Text() []byte { return p.text[:p.n] }

// Len returns the number of literals.
func (p *Pieces) Len() int { return len(p.ends) }
