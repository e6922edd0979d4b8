package secret

import "bytes"

// Values that are split over literals ("ghp_" + "16C7…") are put together before they are judged. Followed are the ways languages
// join literals where they stand: +, ., .., & and plain neighbourhood, over lines. What is joined by variables, formats or calls is
// not put together: each piece must then convince alone. A vendor's prefix that is itself cut ("gh" + "p_…") is not told.

// maxPieces bounds how many literals are joined, maxJoined the bytes they have together.
const (
	maxPieces = 16
	maxJoined = 1024
)

// seam is the length of what stands between a closing quote and the content of the next literal, both quotes included as far as
// they stand in b: `" + "` is 5 from the first quote on. It is 0 if no literal follows that is joined.
func seam(b []byte) int {
	if len(b) == 0 || !isQuote(b[0]) {
		return 0
	}
	for i := 1; i < len(b) && i < 120; i++ {
		switch c := b[i]; c {
		case '"', '\'', '`':
			if i == 1 {
				return 0 // an empty literal
			}
			return i + 1
		case ' ', '\t', '\r', '\n', '+', '.', '\\', '&':
		default:
			return 0
		}
	}
	return 0
}

// pieces is a text put together from literals.
type pieces struct {
	text [maxJoined]byte
	n    int
	ends []int // of each piece in text
	from []int // where each piece stands in the source
}

// join collects the literal that begins at lo and those joined to it, each up to its closing quote.
func (p *pieces) join(src []byte, lo int) {
	for len(p.ends) < maxPieces {
		end := lo
		for end < len(src) && !isQuote(src[end]) && src[end] != '\n' && p.n < maxJoined {
			p.text[p.n] = src[end]
			p.n++
			end++
		}
		p.ends, p.from = append(p.ends, p.n), append(p.from, lo)
		s := seam(src[end:min(len(src), end+120)])
		if s == 0 || p.n == maxJoined {
			return
		}
		lo = end + s
	}
}

// at is the place in the source of byte i of the joined text; of its end, the place behind the last byte.
func (p *pieces) at(i int, end bool) int {
	for k, e := range p.ends {
		if i < e || end && i == e {
			start := 0
			if k > 0 {
				start = p.ends[k-1]
			}
			return p.from[k] + i - start
		}
	}
	last := len(p.ends) - 1
	return p.from[last] + p.ends[last]
}

// matchJoined applies a token rule to the literal at lo joined with those that follow.
func (e *Engine) matchJoined(i int, r *rule, text []byte, lo int) (int, int, bool) {
	near := text[lo:min(len(text), lo+64)]
	q := bytes.IndexAny(near, "\"'`")
	if q < 2 || seam(text[lo+q:min(len(text), lo+q+120)]) == 0 {
		return 0, 0, false
	}
	var p pieces
	p.join(text, lo)
	m := e.expression(i).FindSubmatchIndex(p.text[:p.n])
	if m == nil {
		return 0, 0, false
	}
	start, end := group(m)
	if !r.check(p.text[start:end]) {
		return 0, 0, false
	}
	return p.at(start, false), p.at(end, true), true
}

// joined is the value of an assignment with the literals that are joined to it, whose end becomes the value's.
func (a *assignment) joined(text []byte) []byte {
	v := text[a.start:a.end]
	if a.quote == 0 || seam(text[a.end:min(len(text), a.end+120)]) == 0 {
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
