package search

import "math"

// Pair is two neighbouring words of the query, by index in Query.Terms. A text in which they are neighbours, too, is
// more likely about the same thing than one that holds both somewhere (Metzler and Croft, "A Markov Random Field Model
// for Term Dependencies", 2005).
type Pair struct {
	First, Then int32
	Count       float32 // occurrences in the query
}

// maxPairs bounds the pairs of a query; nearBytes is the distance up to which the beginnings of two words in a text
// count as neighbours.
const (
	maxPairs  = 300
	nearBytes = 28
)

// PairHits counts one pair in a text.
type PairHits struct {
	Pair  int32 // index in Query.Pairs
	Count int32
}

// Pairs counts the query's pairs among the hits of a text, which must be in the order of the text.
func (m *Matcher) Pairs(hits []Hit) []PairHits {
	if len(m.q.Pairs) == 0 {
		return nil
	}
	clear(m.pairCounts)
	found := 0
	for i, h := range hits {
		next := m.q.follow[h.Term]
		if len(next) == 0 {
			continue
		}
		for _, o := range hits[i+1:] {
			if o.Offset-h.Offset > nearBytes {
				break
			}
			for _, k := range next {
				if m.q.Pairs[k].Then == o.Term {
					if m.pairCounts[k] == 0 {
						found++
					}
					m.pairCounts[k]++
				}
			}
		}
	}
	out := make([]PairHits, 0, found)
	for k, n := range m.pairCounts {
		if n > 0 {
			out = append(out, PairHits{int32(k), n})
		}
	}
	return out
}

// RatePairs scores texts by the pairs they hold: for each pair, its rarity among
// these texts times its saturated number of occurrences.
func RatePairs(q *Query, texts [][]PairHits) []float32 {
	in := make([]int, len(q.Pairs))
	for _, t := range texts {
		for _, h := range t {
			in[h.Pair]++
		}
	}
	out := make([]float32, len(texts))
	n := float64(len(texts))
	for i, t := range texts {
		for _, h := range t {
			idf := math.Log(1 + (n-float64(in[h.Pair])+0.5)/(float64(in[h.Pair])+0.5))
			out[i] += float32(idf*(1+math.Log(float64(q.Pairs[h.Pair].Count)))) * sat(h.Count)
		}
	}
	return out
}

// addPair records that one term follows another in the query.
func (q *Query) addPair(first, then int32) {
	if first == then {
		return
	}
	for _, k := range q.follow[first] {
		if q.Pairs[k].Then == then {
			q.Pairs[k].Count++
			return
		}
	}
	if len(q.Pairs) < maxPairs {
		q.follow[first] = append(q.follow[first], int32(len(q.Pairs)))
		q.Pairs = append(q.Pairs, Pair{first, then, 1})
	}
}
