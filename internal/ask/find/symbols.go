package find

import (
	"cmp"
	"math"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/words"
)

// MaxRated is the number of declarations of one file that are rated, and
// maxShown the number that is kept.
const (
	MaxRated = 3000
	maxShown = 5
)

// symbolRater rates declarations by the query's words in their names and lines.
type symbolRater struct {
	q       *query
	matcher *search.Matcher
	split   *words.Splitter
	weight  map[words.Term]float32
	names   map[string]float32
}

func newSymbolRater(q *query) *symbolRater {
	r := &symbolRater{q: q, matcher: search.NewMatcher(q.parsed, q.postings.IDF), split: words.NewSplitter(),
		weight: map[words.Term]float32{}, names: map[string]float32{}}
	for i := range q.parsed.Terms {
		r.weight[q.parsed.Terms[i].Term] = q.parsed.Terms[i].Weight * q.postings.IDF[i]
	}
	for _, n := range q.parsed.Names {
		parts := nameParts(n.Text)
		for i, p := range parts {
			w := n.Weight
			if i < len(parts)-1 {
				w *= 0.5
			}
			r.names[p] = max(r.names[p], w)
		}
	}
	return r
}

// rate returns the best declarations of a candidate.
func (r *symbolRater) rate(c *candidate) ([]FoundSymbol, error) {
	rows, err := r.q.view.Index.SymbolsOf(c.file.ID, MaxRated, r.wantsKind)
	if err != nil {
		return nil, err
	}
	var out []FoundSymbol
	for i := range rows {
		row := &rows[i]
		score := r.name(row.Name) + r.body(c.text.hits, row)
		if score <= 0 {
			continue
		}
		out = append(out, FoundSymbol{Path: c.file.Path, Name: row.Qualified, Kind: row.Kind,
			Line: int(row.Span.Line), EndLine: int(row.Span.EndLine), Score: round(float64(score)), Signature: row.Signature})
	}
	slices.SortStableFunc(out, func(a, b FoundSymbol) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), maxShown)], nil
}

func (r *symbolRater) wantsKind(kind code.Kind) bool {
	if kinds := r.q.parsed.Filters.Kinds; len(kinds) > 0 {
		return slices.Contains(kinds, kind.String())
	}
	switch kind {
	case code.KindField, code.KindEnumMember, code.KindKey, code.KindSelector, code.KindElement:
		return false
	}
	return true
}

// name rates the words of a name that the query has: a name of which it has all words counts more than one of which it has some.
func (r *symbolRater) name(name string) float32 {
	if r.names[name] == 0 && !r.matcher.MayHold(name) {
		return 0
	}
	weight, n, found := float32(0), 0, 0
	for _, k := range r.split.Word(name) {
		n++
		if w := r.weight[k.Term]; w > 0 {
			weight += w
			found++
		}
	}
	if n == 0 {
		return 0
	}
	return 1.2*weight*float32(found)/float32(n) + 12*r.names[name]
}

// body rates the lines of a declaration; long ones count less.
func (r *symbolRater) body(hits []search.Hit, row *store.SymbolRow) float32 {
	from, to := int32(row.Span.Line), int32(row.Span.EndLine)
	lo, _ := slices.BinarySearchFunc(hits, from, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	hi, _ := slices.BinarySearchFunc(hits, to+1, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	score := r.matcher.Span(hits[lo:hi], from, to)
	return score / (1 + 0.35*float32(math.Log1p(float64(to-from)/8)))
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
