package secret

import "ken/internal/engine/source/secret/chars"

// Values that are split over literals ("ghp_" + "16C7…") are put together before they are judged. Followed are the ways languages
// join literals: +, ., .., & and one literal after the other, over lines. What is joined by variables, formats or calls is not put
// together: each piece must then convince alone. A vendor's prefix that is itself cut ("gh" + "p_…") is not recognised.

// maxPieces bounds how many literals are joined, maxJoined the bytes they have together, maxSeam those between two.
const (
	maxPieces = 16
	maxJoined = 1024
	maxSeam   = 120
)

// seam is the length of what is between a closing quote, at i, and the content of the next literal, both quotes included: `" + "`
// is 5. It is 0 if no literal follows that is joined.
func seam(text []byte, i int) int {
	if !chars.IsAt(text, i, chars.Quote) {
		return 0
	}
	end := chars.RunEnd(text, i+1, maxSeam-1, chars.Splice)
	if end == i+1 || end == i+maxSeam || !chars.IsAt(text, end, chars.Quote) { // the first: an empty literal
		return 0
	}
	return end + 1 - i
}

// pieces is a text put together from literals.
type pieces struct {
	text [maxJoined]byte
	n    int
	ends []int // of each piece in text
	from []int // where each piece is in the source
}

// join collects the literal that begins at lo and those joined to it, each up to its closing quote.
func (p *pieces) join(src []byte, lo int) {
	for len(p.ends) < maxPieces {
		piece := src[lo:chars.FindAny(src, lo, maxJoined-p.n, "\"'`\n")]
		p.n += copy(p.text[p.n:], piece)
		p.ends, p.from = append(p.ends, p.n), append(p.from, lo)
		lo += len(piece)
		n := seam(src, lo)
		if n == 0 || p.n == maxJoined {
			return
		}
		lo += n
	}
}

// at is the place in the source of byte i of the joined text; of its end, the place behind the last byte.
func (p *pieces) at(i int, end bool) int {
	if end {
		return p.at(i-1, false) + 1
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

// join is the value of an assignment with the literals that are joined to it, whose end becomes the value's.
func (a *assignment) join(text []byte) []byte {
	v := text[a.start:a.end]
	if a.quote == 0 || seam(text, a.end) == 0 {
		return v
	}
	p := &pieces{}
	p.join(text, a.start)
	if len(p.ends) < 2 {
		return v
	}
	a.end = p.at(p.n, true)
	return p.text[:p.n]
}
