package find

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/words"
)

// answer rates the declarations of the best files and says why they are here.
func (f *finder) answer() (*Found, error) {
	out := &Found{Query: f.q, Notes: f.notes}
	order := f.order()
	if f.opt.Trace {
		for _, i := range order {
			out.Trace = append(out.Trace, FoundTrace{f.cands[i].file.Path, f.feats[i]})
		}
	}
	m := search.NewMatcher(f.q, f.says.IDF)
	r := newSymbolRater(f, m)
	var err error
	for n, i := range order[:min(len(order), cmp.Or(f.opt.Limit, 20))] {
		c := &f.cands[i]
		file := FoundFile{File: c.file, Score: round(f.feats[i].Score()), Line: int(c.passage.Line), EndLine: int(c.passage.EndLine)}
		if n < maxSymbolsOf {
			if file.Symbols, err = r.rate(c); err != nil {
				return nil, err
			}
			out.Symbols = append(out.Symbols, scaled(file.Symbols, n)...)
		}
		if c.commit, err = f.subject(c); err != nil {
			return nil, err
		}
		file.Why = f.why(c, &f.feats[i])
		out.Files = append(out.Files, file)
	}
	slices.SortStableFunc(out.Symbols, func(a, b FoundSymbol) int { return cmp.Compare(b.Score, a.Score) })
	out.Symbols = out.Symbols[:min(len(out.Symbols), cmp.Or(f.opt.Symbols, 20))]
	return out, nil
}

func round(v float32) float64 { return math.Round(float64(v)*1000) / 1000 }

// scaled weighs the declarations of a file by its place in the order.
func scaled(syms []FoundSymbol, place int) []FoundSymbol {
	out := slices.Clone(syms)
	for i := range out {
		out[i].Score = round(float32(out[i].Score) / (1 + 0.35*float32(place)))
	}
	return out
}

// symbolRater rates declarations by the query's words in their names and lines.
type symbolRater struct {
	f      *finder
	m      *search.Matcher
	split  *words.Splitter
	weight map[words.Term]float32
	names  map[string]float32
}

func newSymbolRater(f *finder, m *search.Matcher) *symbolRater {
	r := &symbolRater{f: f, m: m, split: words.NewSplitter(), weight: map[words.Term]float32{}, names: map[string]float32{}}
	for i := range f.q.Terms {
		r.weight[f.q.Terms[i].Term] = f.q.Terms[i].Weight * f.says.IDF[i]
	}
	for _, n := range f.q.Names {
		parts := strings.FieldsFunc(n.Text, func(c rune) bool { return strings.ContainsRune(".:#->", c) })
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

// MaxRated bounds the declarations of one file that are rated, and maxShown
// those that are kept.
const (
	MaxRated = 3000
	maxShown = 5
)

func (r *symbolRater) rate(c *candidate) ([]FoundSymbol, error) {
	rows, err := r.f.s.Index.SymbolsOf(c.file.ID, MaxRated, r.wanted)
	if err != nil {
		return nil, err
	}
	var out []FoundSymbol
	for i := range rows {
		row := &rows[i]
		score := r.name(row.Name) + r.body(c, row)
		if score <= 0 {
			continue
		}
		out = append(out, FoundSymbol{Path: c.file.Path, Name: row.Qualified, Kind: row.Kind, Line: int(row.Span.Line), EndLine: int(row.Span.EndLine),
			Score: round(score), Signature: row.Signature})
	}
	slices.SortStableFunc(out, func(a, b FoundSymbol) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), maxShown)], nil
}

func (r *symbolRater) wanted(kind code.Kind) bool {
	if kinds := r.f.q.Filters.Kinds; len(kinds) > 0 {
		return slices.Contains(kinds, kind.String())
	}
	switch kind {
	case code.KindField, code.KindEnumMember, code.KindKey, code.KindSelector, code.KindElement:
		return false
	}
	return true
}

// name is what the words of a name are worth: all of them more than some.
func (r *symbolRater) name(name string) float32 {
	if r.names[name] == 0 && !r.m.MayHold(name) {
		return 0
	}
	said, n, found := float32(0), 0, 0
	for _, k := range r.split.Word(name) {
		n++
		if w := r.weight[k.Term]; w > 0 {
			said += w
			found++
		}
	}
	if n == 0 {
		return 0
	}
	return 1.2*said*float32(found)/float32(n) + 12*r.names[name]
}

// body is what the lines of a declaration hold of the query, less the longer
// they are.
func (r *symbolRater) body(c *candidate, row *store.SymbolRow) float32 {
	from, to := int32(row.Span.Line), int32(row.Span.EndLine)
	lo, _ := slices.BinarySearchFunc(c.hits, from, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	hi, _ := slices.BinarySearchFunc(c.hits, to+1, func(h search.Hit, l int32) int { return cmp.Compare(h.Line, l) })
	score := r.m.Span(c.hits[lo:hi], from, to)
	return score / (1 + 0.35*float32(math.Log1p(float64(to-from)/8)))
}

// maxWhy is the number of reasons given.
const maxWhy = 4

// why says what speaks for a candidate, the most telling first.
func (f *finder) why(c *candidate, x *search.Features) []string {
	type reason struct {
		text   string
		weight float32
	}
	var all []reason
	say := func(weight float32, format string, args ...any) {
		if weight > 0 {
			all = append(all, reason{fmt.Sprintf(format, args...), weight})
		}
	}
	if c.named != "" {
		say(x.Part(search.FPath, search.FFrame)+10, "named: %s", c.named)
	}
	if len(c.defined) > 0 {
		say(x.Part(search.FDefines, search.FDefinesTitle)+2, "declares %s", strings.Join(c.defined[:min(3, len(c.defined))], ", "))
	}
	for _, p := range c.phrases[:min(1, len(c.phrases))] {
		say(2, "says %q", clipText(p, 60))
	}
	if said := f.matched(c); said != "" {
		where := ""
		if c.passage.Line > 0 {
			where = fmt.Sprintf(" (lines %d–%d)", c.passage.Line, c.passage.EndLine)
		}
		say(x.Part(search.FBody, search.FPassage, search.FTitle, search.FMatched)+0.5, "words: %s%s", said, where)
	}
	if x[search.FBaseCover] > 0 {
		say(x.Part(search.FBase, search.FBaseCover), "its name fits")
	}
	if c.commit != "" {
		say(x.Part(search.FRankLearned)+0.2, "changed by %q", clipText(c.commit, 70))
	}
	if c.semantic > 0 {
		say(x.Part(search.FSemantic), "means the like, by its embedding")
	}
	say(x.Part(search.FImportNeighbour), "imports or imported by others of these")
	if x[search.FTogether] >= 0.5 { // nearly all files of a search have some
		say(x.Part(search.FTogether), "changed with others of these")
	}
	slices.SortStableFunc(all, func(a, b reason) int { return cmp.Compare(b.weight, a.weight) })
	var out []string
	for _, r := range all[:min(maxWhy, len(all))] {
		out = append(out, r.text)
	}
	return out
}

func clipText(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// maxWhyWord is the longest word shown as a reason, in bytes.
const maxWhyWord = 40

// matched lists the words of the query that a file holds, the rarest first.
func (f *finder) matched(c *candidate) string {
	seen := map[int32]bool{}
	for _, h := range c.hits {
		seen[h.Term] = true
	}
	var terms []int32
	for t := range seen {
		terms = append(terms, t)
	}
	weight := func(t int32) float32 { return f.says.IDF[t] * f.q.Terms[t].Weight }
	slices.SortFunc(terms, func(a, b int32) int { return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a, b)) })
	var out []string
	for _, t := range terms {
		if w := strings.ToLower(f.q.Terms[t].Word); len(out) < 6 && len(w) <= maxWhyWord && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}
