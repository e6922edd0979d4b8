package find

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ken/internal/ask/rank"
)

// Limits of an answer.
const (
	maxFiles     = 20
	maxSymbols   = 20
	maxSymbolsOf = 20 // number of files whose declarations are rated
	maxWhy       = 4  // number of reasons of a file
	maxWhyWords  = 6  // words of the query shown as one reason
	maxWhyWord   = 40 // bytes of the longest word shown
	maxWhyPhrase = 60
	maxWhyCommit = 70
)

// answerer builds the answer from ranked candidates.
type answerer struct {
	*query
	*candidates
	model *rank.Model
	set   *rank.Set
	grown bool // trees corrected the scores
}

// answer rates the declarations of the best files and collects the reasons for each file.
func (a *answerer) answer(opt SearchOptions) (*Found, error) {
	out := &Found{Query: a.parsed, Notes: a.notes, Index: a.index, Scores: a.postings, ByTrees: a.grown}
	if a.grown { // which the chance was fitted to
		out.Chance = round(a.set.Chance())
	}
	if opt.Trace {
		for _, i := range a.set.Top(math.MaxInt) {
			out.Trace = append(out.Trace, FoundTrace{a.list[i].file.Path, *a.set.At(i)})
		}
	}
	files := a.set.Top(cmp.Or(opt.Limit, maxFiles))
	symbols, err := a.symbols(a.set.Top(maxSymbolsOf)) // of unlisted files, too
	if err != nil {
		return nil, err
	}
	if opt.Trace {
		for _, x := range symbols {
			out.Rated = append(out.Rated, RatedTrace{x.file.Path, x.row, x.SymbolVector})
		}
	}
	for _, x := range symbols[:min(len(symbols), cmp.Or(opt.Symbols, maxSymbols))] {
		out.Symbols = append(out.Symbols, x.found())
	}
	own := map[string][]FoundSymbol{}
	for _, x := range symbols {
		if list := own[x.file.Path]; len(list) < maxShown {
			own[x.file.Path] = append(list, x.found())
		}
	}
	for _, i := range files {
		c := &a.list[i]
		lines := &c.text.passage
		file := FoundFile{
			File: c.file, Score: round(float64(a.set.Score(i))), Line: int(lines.Line), EndLine: int(lines.EndLine), Symbols: own[c.file.Path],
		}
		if file.Why, err = a.why(c, i); err != nil {
			return nil, err
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// symbols rates the declarations of files, which are in order, the best first.
func (a *answerer) symbols(files []int) (list []*ratedSymbol, err error) {
	rater := newSymbolRater(a.query)
	for n, i := range files {
		c := &a.list[i]
		if err := rater.rate(c); err != nil {
			return nil, err
		}
		for k := range c.rated {
			x := &c.rated[k]
			x.SymbolVector[rank.SymbolFile] = a.set.Score(files[0]) - a.set.Score(i)
			x.SymbolVector[rank.SymbolFilePlace] = 1 / (1 + float32(n)/4)
			x.SymbolVector[rank.SymbolBothPlace] = x.rough / (1 + 0.35*float32(n))
			list = append(list, x)
		}
	}
	weigh(list)
	return list, nil
}

// leastWithTop is the least score for having changed together with the first files at which that is a reason. Nearly all files of a
// search have changed together at times.
const leastWithTop = 0.5

// evidence is the text that supports a reason, and its weight in addition to the features.
type evidence struct {
	found bool
	text  string // follows the wording of the reason
	bonus float64
	fixed float64 // instead of the features, if it is not 0
}

// why lists the reasons for a candidate, the strongest first.
func (a *answerer) why(c *candidate, place int) ([]string, error) {
	v := a.set.At(place)
	commit := "" // subject of the past commit that speaks most for the candidate
	if len(c.commits) > 0 {
		var err error
		if commit, err = a.view.Subject(c.commits[0]); err != nil {
			return nil, err
		}
	}
	found := a.evidence(c, v, strings.TrimSpace(commit))
	strengths := a.model.Reasons(v, a.set.Moved(place))
	weight := func(s rank.Strength) float64 {
		if e := found[s.Reason]; e.fixed != 0 {
			return e.fixed
		}
		return s.Value + found[s.Reason].bonus
	}
	strengths = slices.DeleteFunc(strengths, func(s rank.Strength) bool { return !found[s.Reason].found || weight(s) <= 0 })
	slices.SortStableFunc(strengths, func(a, b rank.Strength) int { return cmp.Compare(weight(b), weight(a)) })
	var out []string
	for _, s := range strengths[:min(maxWhy, len(strengths))] {
		out = append(out, strings.TrimSpace(string(s.Reason)+" "+found[s.Reason].text))
	}
	return out, nil
}

// evidence gathers the evidence for a candidate by reason. A file that the query names counts more than a similar one.
func (a *answerer) evidence(c *candidate, v *rank.Vector, commit string) map[rank.Reason]evidence {
	m, text := &c.mention, &c.text
	out := map[rank.Reason]evidence{
		rank.ReasonNamed:     {found: m.named != "", text: m.named, bonus: 10},
		rank.ReasonDeclares:  {found: len(m.defined) > 0, text: strings.Join(m.defined[:min(3, len(m.defined))], ", "), bonus: 2},
		rank.ReasonBase:      {found: v[rank.BaseCover] > 0},
		rank.ReasonCommit:    {found: commit != "", text: quote(commit, maxWhyCommit), bonus: 0.2},
		rank.ReasonSemantic:  {found: v[rank.Semantic] > 0},
		rank.ReasonNeighbour: {found: true},
		rank.ReasonWithTop:   {found: v[rank.ChangedWithTop] >= leastWithTop},
		rank.ReasonEarlier:   {found: c.said.earlier != "", text: quote(firstLine(c.said.earlier), maxWhyEarlier), bonus: 0.5},
		rank.ReasonSaid:      {found: c.said.text != "", text: c.said.text, bonus: 1},
		rank.ReasonAgreed:    {found: c.said.agreed != "", text: c.said.agreed, bonus: 10},
	}
	if len(text.phrases) > 0 { // weighs the same in every file
		out[rank.ReasonPhrase] = evidence{found: true, text: quote(text.phrases[0], maxWhyPhrase), fixed: 2}
	}
	if list := a.matchedWords(text); list != "" {
		if text.passage.Line > 0 {
			list += fmt.Sprintf(" (lines %d–%d)", text.passage.Line, text.passage.EndLine)
		}
		out[rank.ReasonWords] = evidence{found: true, text: list, bonus: 0.5}
	}
	return out
}

// matchedWords lists the words of the query that a text holds, the rarest first.
func (a *answerer) matchedWords(text *reading) string {
	seen := map[int32]bool{}
	for _, h := range text.hits {
		seen[h.Term] = true
	}
	var terms []int32
	for t := range seen {
		terms = append(terms, t)
	}
	weight := func(t int32) float32 { return a.postings.IDF[t] * a.parsed.Terms[t].Weight }
	slices.SortFunc(terms, func(a, b int32) int { return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a, b)) })
	var out []string
	for _, t := range terms {
		w := strings.ToLower(a.parsed.Terms[t].Word)
		if len(out) < maxWhyWords && len(w) <= maxWhyWord && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}
