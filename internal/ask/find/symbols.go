package find

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/words"
)

// MaxRated is the number of declarations of one file that are rated, and
// maxShown the number that is shown with it.
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

// ratedSymbol is a declaration with what speaks for it.
type ratedSymbol struct {
	file  *code.File
	row   store.SymbolRow
	rough float32 // by name and lines
	score float32 // by all features, once they are complete
	rank.SymbolVector
}

// symbolsSource rates the candidates whose texts were read by their best declarations.
type symbolsSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*symbolsSource) Name() string { return rank.FromSymbols }

// Signals fills the features of this source for all candidates.
func (s *symbolsSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	rater := newSymbolRater(s.q)
	for i := range s.c.list {
		c := &s.c.list[i]
		if len(c.text.hits) == 0 {
			continue
		}
		if err := rater.rate(c); err != nil {
			return err
		}
		v := set.At(i)
		for k := range c.rated {
			v[rank.BestSymbol] = max(v[rank.BestSymbol], float64(c.rated[k].rough))
			v[rank.BestName] = max(v[rank.BestName], float64(c.rated[k].SymbolVector[rank.SymbolName]))
		}
	}
	set.Relative(rank.BestSymbol)
	set.Relative(rank.BestName)
	return nil
}

// rate rates the declarations of a candidate, once.
func (r *symbolRater) rate(c *candidate) error {
	if c.rated != nil {
		return nil
	}
	rows, err := r.q.view.Index.SymbolsOf(c.file.ID, MaxRated, r.wantsKind)
	if err != nil {
		return err
	}
	c.rated = []ratedSymbol{}
	for i := range rows {
		row := &rows[i]
		x := ratedSymbol{file: &c.file, row: *row}
		v := &x.SymbolVector
		v[rank.SymbolName] = r.name(row.Name)
		v[rank.SymbolBody], v[rank.SymbolMatched] = r.body(c.text.hits, row)
		v[rank.SymbolMention] = r.names[row.Name]
		if x.rough = v[rank.SymbolName] + v[rank.SymbolBody]; x.rough <= 0 {
			continue
		}
		from, to := int32(row.Span.Line), int32(row.Span.EndLine)
		v[rank.SymbolLines] = float32(math.Log1p(float64(to - from)))
		if p := &c.text.passage; p.Line > 0 {
			v[rank.SymbolPassage] = float32(max(0, min(to, p.EndLine)-max(from, p.Line)+1)) / float32(to-from+1)
		}
		if owner := strings.TrimSuffix(row.Qualified, row.Name); owner != "" {
			v[rank.SymbolOwner] = r.name(owner)
		}
		c.rated = append(c.rated, x)
	}
	slices.SortStableFunc(c.rated, func(a, b ratedSymbol) int { return cmp.Compare(b.rough, a.rough) })
	for n := range c.rated {
		c.rated[n].SymbolVector[rank.SymbolInFile] = 1 / (1 + float32(n)/2)
	}
	return nil
}

// weigh completes the features of declarations, whose files are in order, and orders them by score.
func weigh(list []*ratedSymbol) {
	for _, f := range [...]rank.SymbolFeature{rank.SymbolName, rank.SymbolBody, rank.SymbolMention, rank.SymbolOwner} {
		best := float32(0)
		for _, x := range list {
			best = max(best, x.SymbolVector[f])
		}
		for _, x := range list {
			if best > 0 {
				x.SymbolVector[f] /= best
			}
		}
	}
	for _, place := range [...]struct{ of, into rank.SymbolFeature }{
		{rank.SymbolName, rank.SymbolNamePlace}, {rank.SymbolBothPlace, rank.SymbolBothPlace},
	} {
		values := make([]float64, len(list))
		for i, x := range list {
			values[i] = float64(x.SymbolVector[place.of])
		}
		rank.SharedPlaces(values)
		for i, x := range list {
			x.SymbolVector[place.into] = float32(values[i])
		}
	}
	for _, x := range list {
		x.score = 0
		for f, v := range x.SymbolVector {
			x.score += float32(rank.SymbolTable[f].Weight * v)
		}
	}
	slices.SortStableFunc(list, func(a, b *ratedSymbol) int { return cmp.Compare(b.score, a.score) })
}

// found returns the declaration as an answer has it.
func (x *ratedSymbol) found() FoundSymbol {
	row := &x.row
	return FoundSymbol{
		Path: x.file.Path, Name: row.Qualified, Kind: row.Kind, Line: int(row.Span.Line), EndLine: int(row.Span.EndLine),
		Score: round(float64(x.score)), Signature: row.Signature,
	}
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

// body rates the lines of a declaration; long ones count less. It returns the share of the query's weight in them, too.
func (r *symbolRater) body(hits []search.Hit, row *store.SymbolRow) (score, matched float32) {
	from, to := int32(row.Span.Line), int32(row.Span.EndLine)
	lo, _ := slices.BinarySearchFunc(hits, from, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	hi, _ := slices.BinarySearchFunc(hits, to+1, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	score, matched = r.matcher.Span(hits[lo:hi], from, to)
	return score / (1 + 0.35*float32(math.Log1p(float64(to-from)/8))), matched
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
