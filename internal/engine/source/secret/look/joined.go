// Package joined puts values together that are split, before package secret judges them: over literals ("ghp_" + "16C7…"), and over
// lines that end with a backslash. Followed are the ways languages join literals: +, ., .., & and one literal after the other, over lines.
// What is joined by variables, formats or calls is not put together: each piece must then convince alone. A vendor's prefix that is itself
// cut ("gh" + "p_…") is not recognised.
package joined

import "ken/internal/engine/source/secret/chars"

// Bounds of a value that is put together.
const (
	maxPieces = 16
	maxBytes  = 1024 // of all pieces
	MaxSeam   = 120  // bytes between two pieces
)

// Seam is the length of what is between a closing quote, at i, and the content of the next literal, both quotes included: `" + "`
// is 5. It is 0 if no literal follows that is joined.
func Seam(text []byte, i int) int {
	if !chars.IsAt(text, i, chars.Quote) {
		return 0
	}
	end := chars.RunEnd(text, i+1, MaxSeam-1, chars.Splice)
	if end == i+1 || end == i+MaxSeam || !chars.IsAt(text, end, chars.Quote) { // the first: an empty literal
		return 0
	}
	return end + 1 - i
}

// Continued is the length of a backslash at i that ends its line, with the indentation of the next; 0 if there is none, or nothing
// follows that may be part of a value.
func Continued(text []byte, i int) int {
	if chars.At(text, i) != '\\' {
		return 0
	}
	end := chars.SkipBlank(text, i+1) // which compilers and Docker pass over
	if chars.At(text, end) == '\r' {
		end++
	}
	if chars.At(text, end) != '\n' {
		return 0
	}
	if end = chars.SkipBlank(text, end+1); !chars.IsAt(text, end, chars.Alnum|chars.KeyMark) {
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
		end := chars.FindAny(src, lo, maxBytes-p.n, "\"'`\n")
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
