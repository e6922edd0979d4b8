package search

import (
	"math"
	"slices"

	"ken/internal/engine/words"
)

// Scores are the scores of every document by the postings alone.
type Scores struct {
	Body     []float32 // BM25 over all terms
	Named    []float32 // sum of the weights of terms in its path or declared names
	Compound []float32 // BM25 over compounds alone
	Title    []float32 // BM25 over the terms of the first line
	Code     []float32 // BM25 over the terms written as code
	Matched  []float32 // share of the query's weight that it holds at all
	Rare     []float32 // share of the query's weight, each term's divided by the documents that hold it
	IDF      []float32 // by index in Query.Terms; 0 for terms that no document holds
}

// BM25's parameters: Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009.
const (
	k1 = 1.2
	b  = 0.6
)

// Score scores all documents for a query. It returns an error if the postings cannot be read or are damaged.
func (x *Index) Score(q *Query) (*Scores, error) {
	n := x.Docs()
	s := &Scores{
		Body: make([]float32, n), Named: make([]float32, n), Compound: make([]float32, n), Title: make([]float32, n),
		Code: make([]float32, n), Matched: make([]float32, n), Rare: make([]float32, n), IDF: make([]float32, len(q.Terms)),
	}
	var list []Posting
	total := float32(0)
	rivals := newRivals(q, n)
	for i := range q.Terms {
		t := &q.Terms[i]
		var err error
		if list, err = x.Postings(list[:0], t.Term); err != nil {
			return nil, err
		}
		if len(list) == 0 {
			continue
		}
		idf := float32(math.Log(1 + (float64(x.Live)-float64(len(list))+0.5)/(float64(len(list))+0.5)))
		s.IDF[i] = idf
		total += idf * t.Weight
		if rivals.take(x, t, idf, list) {
			continue
		}
		x.addTerm(s, t, idf, list)
	}
	rivals.add(s)
	if total > 0 {
		for i := range s.Matched {
			s.Matched[i] /= total
			s.Rare[i] /= total
		}
	}
	return s, nil
}

func (x *Index) addTerm(s *Scores, t *Term, idf float32, list []Posting) {
	w := idf * t.Weight
	each := w / float32(len(list))
	for _, p := range list {
		sat := x.saturation(p)
		s.Body[p.Doc] += w * sat
		s.Matched[p.Doc] += w
		s.Rare[p.Doc] += each
		if p.Code&Named != 0 {
			s.Named[p.Doc] += w
		}
		if t.Compound {
			s.Compound[p.Doc] += w * sat
		}
		if t.Code && !t.Part {
			s.Code[p.Doc] += w * sat
		}
		if t.Title {
			s.Title[p.Doc] += idf * sat
		}
	}
}

// rivals are terms joined by OR. A document gets the score of the best of them.
type rivals struct {
	is   map[words.Term]bool
	best []float32
}

func newRivals(q *Query, docs int) *rivals {
	if len(q.Alternatives) == 0 {
		return nil
	}
	r := &rivals{is: map[words.Term]bool{}, best: make([]float32, docs)}
	for _, group := range q.Alternatives {
		for _, t := range group {
			r.is[t] = true
		}
	}
	return r
}

func (r *rivals) take(x *Index, t *Term, idf float32, list []Posting) bool {
	if r == nil || !r.is[t.Term] {
		return false
	}
	for _, p := range list {
		r.best[p.Doc] = max(r.best[p.Doc], idf*t.Weight*x.saturation(p))
	}
	return true
}

func (r *rivals) add(s *Scores) {
	if r == nil {
		return
	}
	for i, v := range r.best {
		s.Body[i] += v
	}
}

// saturation returns the number of occurrences of a posting's term, on BM25's scale.
func (x *Index) saturation(p Posting) float32 {
	tf := freq[p.Code&7]
	return tf * (k1 + 1) / (tf + k1*(1-b+b*x.length[p.Doc]/x.Avg))
}

// Top returns the n best documents that fit by a first, rough order. All fit if fits is nil.
func (s *Scores) Top(n int, fits func(doc int32) bool) []int32 {
	type scored struct {
		doc   int32
		rough float32
	}
	best := make([]scored, 0, n+1)
	least := float32(0) // score of the last of n: among equals the first document stays
	for i := range s.Body {
		rough := s.Body[i] + 0.8*s.Named[i] + 0.5*s.Compound[i]
		if rough <= least || fits != nil && !fits(int32(i)) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, rough, func(x scored, v float32) int {
			if x.rough >= v {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, scored{int32(i), rough})
		if len(best) > n {
			best = best[:n]
		}
		if len(best) == n {
			least = best[n-1].rough
		}
	}
	docs := make([]int32, len(best))
	for i := range best {
		docs[i] = best[i].doc
	}
	return docs
}

// All returns the documents that hold all of some terms as names, ascending. It returns an error if the postings cannot
// be read.
func (x *Index) All(terms []words.Term) ([]int32, error) {
	var out []int32
	var list []Posting
	for i, t := range terms {
		var err error
		if list, err = x.Postings(list[:0], t); err != nil {
			return nil, err
		}
		var docs []int32
		for _, p := range list {
			if p.Code&Named != 0 {
				docs = append(docs, p.Doc)
			}
		}
		if i == 0 {
			out = docs
			continue
		}
		out = slices.DeleteFunc(out, func(d int32) bool {
			_, ok := slices.BinarySearch(docs, d)
			return !ok
		})
	}
	return out, nil
}
