package search

import (
	"bytes"

	"ken/internal/engine/words"
)

// Matcher finds a query's words in text. It is not safe for concurrent use.
type Matcher struct {
	q      *Query
	idf    []float32
	split  *words.Splitter
	terms  map[words.Term]int32
	coarse *words.Sieve
	sieve  [1 << 10]uint64 // bits of terms, to refuse most words early
	counts []int32
	total  float32 // weight of all words, at least 1

	pairCounts []int32 // by place in Query.Pairs
}

// NewMatcher makes a Matcher for a query; idf is Scores.IDF.
func NewMatcher(q *Query, idf []float32) *Matcher {
	m := &Matcher{
		q: q, idf: idf, split: words.NewSplitter(), terms: map[words.Term]int32{}, coarse: q.sieve,
		counts: make([]int32, len(q.Terms)), pairCounts: make([]int32, len(q.Pairs)),
	}
	for i := range q.Terms {
		if t := q.Terms[i].Term; idf[i] > 0 {
			m.terms[t] = int32(i)
			m.sieve[t>>6&1023] |= 1 << (t & 63)
			m.total += idf[i] * q.Terms[i].Weight
		}
	}
	m.total = max(m.total, 1)
	return m
}

// MayHold reports whether a name may hold a word of the query. It costs much less than finding the words.
func (m *Matcher) MayHold(name string) (may bool) {
	m.split.EachIn([]byte(name), m.coarse, func(int, int, []words.Token) { may = true })
	return may
}

// Hit is one word of the query in a text.
type Hit struct {
	Term   int32 // place in Query.Terms
	Line   int32 // from 1
	Offset int32
}

// Hits appends to dst all words of the query in a text, in order, except those that no document holds.
func (m *Matcher) Hits(dst []Hit, text []byte) []Hit {
	line, counted := 1, 0
	m.split.EachIn(text, m.coarse, func(start, _ int, toks []words.Token) {
		for _, k := range toks {
			if m.sieve[k.Term>>6&1023]&(1<<(k.Term&63)) == 0 {
				continue
			}
			i, ok := m.terms[k.Term]
			if !ok {
				continue
			}
			line += bytes.Count(text[counted:start], []byte{'\n'})
			counted = start
			dst = append(dst, Hit{i, int32(line), int32(start)})
		}
	})
	return dst
}

// passageLines is the largest number of lines of a passage.
const passageLines = 40

// Passage is a run of lines with its score.
type Passage struct {
	Line, EndLine int32
	Score         float32
}

// Best returns the passage that holds most of the query's weight: for each term, its
// weight times its saturated number of occurrences.
func (m *Matcher) Best(hits []Hit) Passage {
	var best Passage
	clear(m.counts)
	score := float32(0)
	first := 0
	for _, h := range hits {
		w := m.idf[h.Term] * m.q.Terms[h.Term].Weight
		c := m.counts[h.Term]
		m.counts[h.Term]++
		score += w * (sat(c+1) - sat(c))
		for hits[first].Line <= h.Line-passageLines {
			o := hits[first].Term
			ow := m.idf[o] * m.q.Terms[o].Weight
			oc := m.counts[o]
			m.counts[o]--
			score -= ow * (sat(oc) - sat(oc-1))
			first++
		}
		if score > best.Score+1e-4 {
			best = Passage{hits[first].Line, h.Line, score}
		}
	}
	return best
}

func sat(n int32) float32 { return float32(n) * 2.2 / (float32(n) + 1.2) }

// Span scores the hits between two lines as Best does, for one declaration. It returns the share of the query's weight in them, too.
func (m *Matcher) Span(hits []Hit, from, to int32) (score, matched float32) {
	clear(m.counts)
	for _, h := range hits {
		if h.Line < from || h.Line > to {
			continue
		}
		c := m.counts[h.Term]
		m.counts[h.Term]++
		w := m.idf[h.Term] * m.q.Terms[h.Term].Weight
		score += w * (sat(c+1) - sat(c))
		if c == 0 {
			matched += w
		}
	}
	return score, matched / m.total
}
