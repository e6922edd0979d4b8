// Package rank owns what the rankings of ask/find and ask/impact have in common:
// one table of features with their meaning and weights (table.go), the stages in
// which sources of signals fill them (set.go), and the score with its reasons.
// It reads nothing itself: ask/find and ask/impact bring the sources.
package rank

// Feature is a row of Table and a place in a Vector.
type Feature uint8

// Vector holds the features of one candidate.
type Vector [NFeatures]float64

// Question is a column of Table: what candidates are ranked for.
type Question uint8

// The questions.
const (
	Find   Question = iota // which files a text in words is about
	Impact                 // which files are likely to change with others
)

// Origin says where a weight comes from.
type Origin uint8

// The origins of weights.
const (
	Unused   Origin = iota // the question does not look at the feature
	Fitted                 // fitted to past tasks, of either sign
	Positive               // fitted to be at least 0, because a tie between two files is no reason against one
	ByHand                 // set by hand, because the tasks say nothing of it
)

// Weight is what one unit of a feature adds to a score.
type Weight struct {
	Value  float64
	Origin Origin
}

// Reason is the wording users see for the features that have it.
type Reason string

// Row is one feature: what it means and what it is worth to each question.
type Row struct {
	Name         string // as measurements print it
	Meaning      string
	Reason       Reason // "" for features that explain nothing alone
	Source       string // the Name of the Source that fills it
	Find, Impact Weight
}

// Weight is the row's weight in the column of a question.
func (r *Row) Weight(q Question) Weight {
	if q == Impact {
		return r.Impact
	}
	return r.Find
}

// Column lists the features a question looks at, in the order of the table.
func Column(q Question) []Feature {
	var out []Feature
	for f := range Table {
		if Table[f].Weight(q).Origin != Unused {
			out = append(out, Feature(f))
		}
	}
	return out
}

// Model scores the candidates of one question.
type Model struct {
	terms []term
}

type term struct {
	feature Feature
	weight  float32
	reason  Reason
}

// NewModel makes the model of a question from its column of the table.
func NewModel(q Question) *Model {
	m := &Model{}
	for _, f := range Column(q) {
		m.terms = append(m.terms, term{f, float32(Table[f].Weight(q).Value), Table[f].Reason})
	}
	return m
}

// Score is the weighted sum of a candidate's features. It has 32 bits so that what
// differs by the rounding of sums alone is a tie, which paths decide.
func (m *Model) Score(v *Vector) float32 {
	s := float32(0)
	for i := range m.terms {
		s += m.terms[i].weight * float32(v[m.terms[i].feature])
	}
	return s
}

// Strength is a reason and what its features add to a score.
type Strength struct {
	Reason Reason
	Value  float64
}

// Reasons are the reasons of a candidate, in the order of the table. A reason
// whose features add nothing is there with 0, so that callers need not ask twice.
func (m *Model) Reasons(v *Vector) []Strength {
	var out []Strength
	for i := range m.terms {
		t := &m.terms[i]
		if t.reason == "" {
			continue
		}
		at := 0
		for at < len(out) && out[at].Reason != t.reason {
			at++
		}
		if at == len(out) {
			out = append(out, Strength{Reason: t.reason})
		}
		out[at].Value += float64(t.weight) * v[t.feature]
	}
	return out
}
