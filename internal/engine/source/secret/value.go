package secret

import (
	"bytes"
	"math"
)

// What looks like a secret is decided in three layers. A value is measured once: counts (here) and properties (property.go). Shapes
// are tables of what a value must measure to look like a password, a generated key and so on (shape.go). The tables of places
// (place.go, accept.go) say which shapes are believed where.

// measure is something that is counted in a value.
type measure uint8

const (
	length measure = iota
	lower          // small letters
	upper          // capitals
	letters
	digits
	marks  // all else
	signs  // marks but those that join words: _ - .
	blanks // spaces
	colons
	groups // runs of digits
	ending // digits at the end
	stem   // what is before them
	inner  // digits that are not at the end
	strong // capitals and digits
	numCounts
)

// counts has a number for each measure.
type counts [numCounts]int32

// none is the bound that allows nothing; 0 is no bound.
const none = -1

// value is a value under judgement: its text, and what is known of it.
type value struct {
	text     []byte
	quoted   bool // it was a literal
	measured bool // parts is known
	counts   counts
	parts    wordMeasure
	bits     float64 // the entropy, 0 if it is not known
	memo     [numProperties]answer
}

// answer says whether a property is known, and what it is.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

func answerOf(is bool) answer {
	if is {
		return yes
	}
	return no
}

func newValue(text []byte, quoted bool) value {
	v := value{text: text, quoted: quoted}
	n := &v.counts
	inDigits := false
	for _, c := range text {
		class := charSets[c]
		isDigit := class&digitChar != 0
		switch {
		case class&lowerChar != 0:
			n[lower]++
		case class&upperChar != 0:
			n[upper]++
		case isDigit:
			n[digits]++
			n[ending]++
			if !inDigits {
				n[groups]++
			}
		case class&(joinChar|underscoreChar) != 0:
		case c == ' ':
			n[blanks]++
			n[signs]++
		case c == ':':
			n[colons]++
			n[signs]++
		default:
			n[signs]++
		}
		if inDigits = isDigit; !isDigit {
			n[ending] = 0
		}
	}
	n[length] = int32(len(text))
	n[letters] = n[lower] + n[upper]
	n[marks] = n[length] - n[letters] - n[digits]
	n[stem] = n[length] - n[ending]
	n[inner] = n[digits] - n[ending]
	n[strong] = n[upper] + n[digits]
	return v
}

// has reports a property of the value. It is found out once.
func (v *value) has(p property) bool {
	if v.memo[p] == unknown {
		v.memo[p] = answerOf(v.find(p))
	}
	return v.memo[p] == yes
}

func (v *value) find(p property) bool {
	switch {
	case p >= firstShape:
		return v.looks(&shapes[p-firstShape])
	case p >= firstWordProperty:
		return v.findInWords(p)
	}
	return v.findInBytes(p)
}

func (v *value) words() *wordMeasure {
	if !v.measured {
		v.measured, v.parts = true, measureWords(v.text)
	}
	return &v.parts
}

// demand says what a value must be like: all of it.
type demand struct {
	least, most       counts     // 0 is no bound
	is, not           []property // what it must be, and must not be
	with, without     string     // a character it must hold one of, characters it must not hold
	notFirst, notLast string     // characters it must not begin or end with
	entropy           float64    // bits a character, at least
}

// meets reports that the value is all that is demanded. What costs the least is looked at first.
func (v *value) meets(d *demand) bool {
	return v.counted(d) && v.spelled(d) && v.described(d) && v.entropy(d.entropy)
}

func (v *value) counted(d *demand) bool {
	for m, n := range v.counts {
		if n < d.least[m] || d.most[m] != 0 && n > max(d.most[m], 0) {
			return false
		}
	}
	return true
}

func (v *value) spelled(d *demand) bool {
	switch {
	case d.with != "" && !bytes.ContainsAny(v.text, d.with),
		d.without != "" && bytes.ContainsAny(v.text, d.without):
		return false
	case oneOf(at(v.text, 0), d.notFirst), oneOf(at(v.text, len(v.text)-1), d.notLast):
		return false
	}
	return true
}

func (v *value) described(d *demand) bool {
	for _, p := range d.is {
		if !v.has(p) {
			return false
		}
	}
	for _, p := range d.not {
		if v.has(p) {
			return false
		}
	}
	return true
}

// entropy reports that a character says least bits or more.
func (v *value) entropy(least float64) bool {
	if least > 0 && v.bits == 0 {
		v.bits = entropy(v.text)
	}
	return v.bits >= least
}

// looks reports that the value has a shape.
func (v *value) looks(s *shape) bool {
	if s.trim && at(v.text, len(v.text)-1) == '=' {
		bare := newValue(bytes.TrimRight(v.text, "="), v.quoted)
		return bare.fits(s)
	}
	return v.fits(s)
}

func (v *value) fits(s *shape) bool {
	return v.meets(&s.common) && (len(s.rows) == 0 || v.judge(s.rows) == accept)
}

// judge is the verdict of the first row that the value meets; what meets none is refused.
func (v *value) judge(rows []row) verdict {
	for i := range rows {
		if v.meets(&rows[i].demand) {
			return rows[i].verdict
		}
	}
	return refuse
}

// entropy is the Shannon entropy of the bytes of v, in bits.
func entropy(v []byte) float64 {
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
