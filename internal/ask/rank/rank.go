// Package rank holds the common parts of the rankings of ask/find and ask/impact: one table of features with their meaning and weights
// (table.go), the stages in which sources of signals fill them (set.go), and the score with its reasons. It reads nothing itself:
// ask/find and ask/impact provide the sources.
package rank

// Feature is a kind of evidence for a candidate: a row of Table and an index in a Vector.
type Feature uint8

// Vector holds the value of each feature for one candidate file.
type Vector [NFeatures]float64

// Question is the purpose of a ranking, which selects a column of weights in Table.
type Question uint8

// The questions.
const (
	Find   Question = iota // files that a text in words is about
	Impact                 // files that are likely to change with others
)

// Origin tells how a weight was determined.
type Origin uint8

// The origins of weights.
const (
	Unused   Origin = iota // the question does not use the feature
	Fitted                 // fitted to past tasks, of either sign
	Positive               // fitted to be at least 0, because a tie between two files is no reason against one
	ByHand                 // set by hand, because the tasks do not show it
	Grown                  // only trees use the feature
)

// Stays reports whether fitting leaves the weight as it is.
func (o Origin) Stays() bool { return o == ByHand || o == Grown }

// Weight is the amount that one unit of a feature adds to a score.
type Weight struct {
	Value  float64
	Origin Origin
}

// Reason is the wording by which users see a group of features.
type Reason string

// Row is one feature, with its meaning and its weight for each question.
type Row struct {
	Name         string // as measurements print it
	Meaning      string
	Reason       Reason // "" for features that are no reason alone
	Source       string // the Name of the Source that fills it
	Find, Impact Weight
}

// Weight returns the row's weight for a question.
func (r *Row) Weight(q Question) Weight {
	if q == Impact {
		return r.Impact
	}
	return r.Find
}

// Column returns the features that a question uses, in the order of the table.
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

// NewModel returns the model of a question from its column of the table.
func NewModel(q Question) *Model {
	m := &Model{}
	for _, f := range Column(q) {
		m.terms = append(m.terms, term{f, float32(Table[f].Weight(q).Value), Table[f].Reason})
	}
	return m
}

// Score returns the weighted sum of a candidate's features. It has 32 bits so that scores that differ only by rounding are equal and
// paths decide.
func (m *Model) Score(v *Vector) float32 {
	s := float32(0)
	for i := range m.terms {
		s += float32(m.terms[i].weight * float32(v[m.terms[i].feature])) // rounded, so that no machine adds without it
	}
	return s
}

// Strength is a reason with the sum that its features add to a score.
type Strength struct {
	Reason Reason
	Value  float64
}

// Reasons returns the reasons of a candidate, in the order of the table, by what their features add to the sum and to that of trees, which
// is moved. A reason whose features add nothing is listed with 0, so that callers can add other evidence.
func (m *Model) Reasons(v, moved *Vector) []Strength {
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
		out[at].Value += float64(t.weight)*v[t.feature] + moved[t.feature]
	}
	return out
}
