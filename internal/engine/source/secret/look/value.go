// Package look judges a text by itself, without its surroundings.
//
// It has sets of bytes with names (set.go) and bounded searches in a text (text.go), of which the readers of package secret are made. It
// decodes texts that are written in another text: split over literals (joined.go), continued on the next line (continued.go), in base64
// (base64.go) or escaped as in a URL (percent.go). And it measures values: counts (value.go), properties (property.go, with words.go and
// form.go), and shapes, which are tables of the measures of a password, a generated key and so on (shape.go).
//
// Package secret knows the places of values and decides which shape is believed where.
package look

import (
	"bytes"
	"math"
	"math/bits"
)

// Measure is something that is counted in a value, such as its digits.
type Measure uint8

// The measures.
const (
	Length Measure = iota
	Lowers         // small letters
	Uppers         // capitals
	Letters
	Digits
	Marks  // all other bytes
	Signs  // marks but those that join words: _ - .
	Blanks // spaces
	Colons
	Groups // runs of digits
	Ending // digits at the end
	Stem   // bytes before the digits at the end
	Inner  // digits that are not at the end
	Strong // capitals and digits
	numCounts
)

// Counts holds the number for each measure.
type Counts [numCounts]int32

// Limits of a value. A mask of the least length is itself recognised as a mask, so that a second pass over masked text finds nothing.
const (
	MinLength = 4
	MaxLength = 1024
)

// None as a limit in a Demand allows no such byte; 0 means no limit.
const None = -1

// Value is a text with its measures, by which to judge whether it looks like a secret.
type Value struct {
	Text    []byte
	quoted  bool // it is a literal in quotes
	Counts  Counts
	isCut   bool                // parts is filled in
	parts   wordMeasure         // of the text cut into words
	entropy float64             // 0 until it is computed
	memo    [numProperties]int8 // of each property: 1 if the value has it, -1 if not, 0 until it is computed
}

// New returns a text with its measures; quoted states that it is a literal in quotes.
func New(text []byte, quoted bool) Value {
	v := Value{Text: text, quoted: quoted}
	n := &v.Counts
	inDigits := false
	for _, c := range text {
		class := classes[c]
		isDigit := class&Digit != 0
		switch {
		case class&Lower != 0:
			n[Lowers]++
		case class&Upper != 0:
			n[Uppers]++
		case isDigit:
			n[Digits]++
			n[Ending]++
			if !inDigits {
				n[Groups]++
			}
		case class&(Join|Underscore) != 0:
		case c == ' ':
			n[Blanks]++
			n[Signs]++
		case c == ':':
			n[Colons]++
			n[Signs]++
		default:
			n[Signs]++
		}
		if inDigits = isDigit; !isDigit {
			n[Ending] = 0
		}
	}
	n[Length] = int32(len(text))
	n[Letters] = n[Lowers] + n[Uppers]
	n[Marks] = n[Length] - n[Letters] - n[Digits]
	n[Stem] = n[Length] - n[Ending]
	n[Inner] = n[Digits] - n[Ending]
	n[Strong] = n[Uppers] + n[Digits]
	return v
}

// Has reports whether the value has a property, which is computed once.
func (v *Value) Has(p Property) bool {
	if v.memo[p] == 0 {
		v.memo[p] = -1
		has := false
		if p < firstShape {
			has = properties[p].has(v)
		} else {
			has = v.hasShape(&shapes[p-firstShape])
		}
		if has {
			v.memo[p] = 1
		}
	}
	return v.memo[p] > 0
}

// HasAny reports whether the value has one of some properties.
func (v *Value) HasAny(list ...Property) bool {
	for _, p := range list {
		if v.Has(p) {
			return true
		}
	}
	return false
}

// wordMeasures returns measures of the words in the value, which are computed once.
func (v *Value) wordMeasures() *wordMeasure {
	if !v.isCut {
		v.isCut, v.parts = true, measureWords(v.Text)
	}
	return &v.parts
}

// withoutFinalDigits returns the value without the digits at its end.
func (v *Value) withoutFinalDigits() []byte { return v.Text[:v.Counts[Stem]] }

// Demand is a list of conditions; a value must meet all of them.
type Demand struct {
	Least, Most       Counts  // 0 is no bound
	Is, Not           Props   // properties that it must have, and must not have
	With, Without     string  // marks of which it must contain one, marks that it must not contain
	NotFirst, NotLast string  // marks that it must not begin or end with
	Entropy           float64 // bits a character, at least
}

// Meets reports whether the value meets every condition of a demand. The cheapest conditions are checked first.
func (v *Value) Meets(d *Demand) bool {
	for m, n := range v.Counts {
		if n < d.Least[m] {
			return false
		}
		if most := d.Most[m]; most != 0 && n > max(most, 0) {
			return false
		}
	}
	if v.Counts[Marks] > 0 && !v.meetsMarks(d) || v.Counts[Marks] == 0 && d.With != "" {
		return false
	}
	for _, p := range d.Is {
		if !v.Has(p) {
			return false
		}
	}
	if v.HasAny(d.Not...) {
		return false
	}
	if d.Entropy == 0 {
		return true
	}
	if v.entropy == 0 {
		v.entropy = Entropy(v.Text)
	}
	return v.entropy >= d.Entropy
}

// meetsMarks reports whether a value with marks meets the conditions on single characters, which are all marks.
func (v *Value) meetsMarks(d *Demand) bool {
	switch {
	case d.With != "" && !bytes.ContainsAny(v.Text, d.With), d.Without != "" && bytes.ContainsAny(v.Text, d.Without):
		return false
	case IsIn(At(v.Text, 0), d.NotFirst), IsIn(Last(v.Text), d.NotLast):
		return false
	}
	return true
}

// hasShape reports whether the value has a shape.
func (v *Value) hasShape(s *shape) bool {
	if s.trim && Last(v.Text) == '=' {
		bare := New(bytes.TrimRight(v.Text, "="), v.quoted)
		return bare.fitsShape(s)
	}
	return v.fitsShape(s)
}

// fitsShape reports whether the value meets the shape's common demand, and the first row that it meets accepts it. A value
// that meets no row does not fit, unless the shape has no rows.
func (v *Value) fitsShape(s *shape) bool {
	if !v.Meets(&s.common) {
		return false
	}
	for i := range s.rows {
		if v.Meets(&s.rows[i].Demand) {
			return s.rows[i].verdict == accept
		}
	}
	return len(s.rows) == 0
}

// Entropy returns the Shannon entropy of the bytes of v, in bits.
func Entropy(v []byte) float64 {
	var count [256]uint16
	var present [4]uint64 // a bit for each byte that occurs: most values have few of them
	v = v[:min(len(v), 1024)]
	for _, c := range v {
		count[c]++
		present[c>>6] |= 1 << (c & 63)
	}
	sum, n := 0.0, float64(len(v))
	last, share := uint16(0), 0.0 // the count of the byte before, and what it adds: most counts are 1
	for i, set := range present {
		for ; set != 0; set &= set - 1 {
			k := count[i<<6+bits.TrailingZeros64(set)]
			if k != last {
				p := float64(k) / n
				last, share = k, p*math.Log2(p)
			}
			sum -= share
		}
	}
	return sum
}
