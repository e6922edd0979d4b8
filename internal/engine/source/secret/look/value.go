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
)

// Measure is something that is counted in a value.
type Measure uint8

// What is counted.
const (
	Length Measure = iota
	Lowers         // small letters
	Uppers         // capitals
	Letters
	Digits
	Marks  // all else
	Signs  // marks but those that join words: _ - .
	Blanks // spaces
	Colons
	Groups // runs of digits
	Ending // digits at the end
	Stem   // what is before them
	Inner  // digits that are not at the end
	Strong // capitals and digits
	numCounts
)

// Counts has a number for each measure.
type Counts [numCounts]int32

// Bounds of a value. A mask of the least length is itself recognised as a mask, so that a second pass over masked text finds nothing.
const (
	MinLength = 4
	MaxLength = 1024
)

// None is the bound that allows nothing; 0 is no bound.
const None = -1

// Value is a value under judgement: its text, and what is known of it.
type Value struct {
	Text     []byte
	quoted   bool // it was a literal
	measured bool // parts is known
	Counts   Counts
	parts    wordMeasure
	bits     float64             // the entropy, 0 if it is not known
	memo     [numProperties]int8 // of each property: 1 if the value has it, -1 if not, 0 if that is not known
}

// New measures a text; quoted says that it was a literal.
func New(text []byte, quoted bool) Value {
	v := Value{Text: text, quoted: quoted}
	n := &v.Counts
	inDigits := false
	for _, c := range text {
		class := Classes(c)
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

// Has reports a property of the value. It is found out once.
func (v *Value) Has(p Property) bool {
	if v.memo[p] == 0 {
		v.memo[p] = -1
		if v.find(p) {
			v.memo[p] = 1
		}
	}
	return v.memo[p] > 0
}

func (v *Value) find(p Property) bool {
	switch {
	case p >= firstShape:
		return v.looks(&shapes[p-firstShape])
	case p >= firstWordProperty:
		return v.findInWords(p)
	}
	return v.findInBytes(p)
}

func (v *Value) words() *wordMeasure {
	if !v.measured {
		v.measured, v.parts = true, measureWords(v.Text)
	}
	return &v.parts
}

// Demand says what a value must be like: all of it.
type Demand struct {
	Least, Most       Counts     // 0 is no bound
	Is, Not           []Property // what it must be, and must not be
	With, Without     string     // a character it must hold one of, characters it must not hold
	NotFirst, NotLast string     // characters it must not begin or end with
	Entropy           float64    // bits a character, at least
}

// Meets reports that the value is all that is demanded. What costs the least is looked at first.
func (v *Value) Meets(d *Demand) bool {
	return v.counted(d) && v.spelled(d) && v.described(d) && v.mixed(d.Entropy)
}

func (v *Value) counted(d *Demand) bool {
	for m, n := range v.Counts {
		if n < d.Least[m] || d.Most[m] != 0 && n > max(d.Most[m], 0) {
			return false
		}
	}
	return true
}

func (v *Value) spelled(d *Demand) bool {
	switch {
	case d.With != "" && !bytes.ContainsAny(v.Text, d.With),
		d.Without != "" && bytes.ContainsAny(v.Text, d.Without):
		return false
	case IsIn(At(v.Text, 0), d.NotFirst), IsIn(At(v.Text, len(v.Text)-1), d.NotLast):
		return false
	}
	return true
}

func (v *Value) described(d *Demand) bool {
	for _, p := range d.Is {
		if !v.Has(p) {
			return false
		}
	}
	for _, p := range d.Not {
		if v.Has(p) {
			return false
		}
	}
	return true
}

// mixed reports that a character says least bits or more.
func (v *Value) mixed(least float64) bool {
	if least > 0 && v.bits == 0 {
		v.bits = Entropy(v.Text)
	}
	return v.bits >= least
}

// looks reports that the value has a shape.
func (v *Value) looks(s *shape) bool {
	if s.trim && At(v.Text, len(v.Text)-1) == '=' {
		bare := New(bytes.TrimRight(v.Text, "="), v.quoted)
		return bare.fits(s)
	}
	return v.fits(s)
}

func (v *Value) fits(s *shape) bool {
	return v.Meets(&s.common) && (len(s.rows) == 0 || v.judge(s.rows) == accept)
}

// judge is the verdict of the first row that the value meets; what meets none is refused.
func (v *Value) judge(rows []row) verdict {
	for i := range rows {
		if v.Meets(&rows[i].Demand) {
			return rows[i].verdict
		}
	}
	return refuse
}

// Entropy is the Shannon entropy of the bytes of v, in bits.
func Entropy(v []byte) float64 {
	var count [256]uint16
	v = v[:min(len(v), 1024)]
	for _, c := range v {
		count[c]++
	}
	sum, n := 0.0, float64(len(v))
	for _, k := range count {
		if k > 0 {
			p := float64(k) / n
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
