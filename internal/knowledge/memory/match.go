package memory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Query describes the items to find.
type Query struct {
	Text  string
	Files []string  // related files, beside those that the text names
	Kinds []Kind    // nil for all
	Now   time.Time // for confidence
}

// Hit is an item that matches a query.
type Hit struct {
	Item   *Item
	Score  float64 // 0 to 1
	Reason Reason
	grams  []uint32
}

// Reason explains why an item is shown.
type Reason struct {
	Words      []string `json:"words,omitempty"` // of the query that the item has, the rarest first
	Files      []string `json:"files,omitempty"` // files and symbols of the item that the query names
	Relevance  float64  `json:"relevance"`       // by words, trigrams and files
	Similarity float64  `json:"similarity"`      // Jaccard of trigrams
	Confidence float64  `json:"confidence"`
	Rank       float64  `json:"rank"`
	Replaced   bool     `json:"replaced,omitempty"` // a newer item about the file has much the same words
}

// String returns a reason in words.
func (r Reason) String() string {
	var parts []string
	if len(r.Words) > 0 {
		parts = append(parts, "shares "+strings.Join(r.Words, ", "))
	}
	if len(r.Files) > 0 {
		parts = append(parts, "is about "+strings.Join(r.Files, ", "))
	}
	parts = append(parts, fmt.Sprintf("confidence %.2f", r.Confidence), fmt.Sprintf("rank %.2f", r.Rank))
	if r.Replaced {
		parts = append(parts, "a newer one replaces it")
	}
	return strings.Join(parts, "; ")
}

// The weights of the parts of a score. Relevance multiplies the whole score, so that an unrelated item is never shown,
// however trusted or central it is. Confidence and rank are between 0 and 1 however many items there are, so that neither
// vanishes in a large memory.
const (
	similarWeight = 0.5
	fileWeight    = 0.6
	baseWeight    = 0.5
	trustWeight   = 0.3
	rankWeight    = 0.2
	goneFactor    = 0.3
	// usualLength is the number of words of a short text; longer ones count less than their length.
	usualLength    = 12
	maxReasonWords = 6
	minSymbol      = 4
)

// PreparedQuery is a query whose text was split, ready to score items.
type PreparedQuery struct {
	Query
	text   Text
	lower  string
	weight map[uint64]float64
	whole  float64
}

// Prepare splits the text of a query. Weigh has to follow before it scores.
func Prepare(s *Splitter, q Query) *PreparedQuery {
	q.Text = q.Text[:min(len(q.Text), MaxText)]
	return &PreparedQuery{Query: q, text: s.Split(q.Text + "\n" + strings.Join(q.Files, "\n")), lower: strings.ToLower(q.Text)}
}

// Terms returns the terms of the query, sorted.
func (a *PreparedQuery) Terms() []uint64 { return a.text.Terms }

// Weigh sets the weights of the terms by the number of all items and of those that have a term: rare terms weigh more.
func (a *PreparedQuery) Weigh(items int, with func(term uint64) int) {
	a.weight, a.whole = make(map[uint64]float64, len(a.text.Terms)), 0
	for _, t := range a.text.Terms {
		w := Rarity(items, with(t))
		a.weight[t] = w
		a.whole += w
	}
	if n := float64(len(a.text.Terms)); n > 0 {
		a.whole *= weightedLength(len(a.text.Terms)) / n
	}
}

// MaxCandidates is the number of items that are scored for a few hits: those that share the heaviest words with the query.
const MaxCandidates = 256

// Candidates returns the items worth scoring, at most most (0: all): those with the largest sums. sum holds for each
// item the weights of the words it shares with the query.
func Candidates(sum map[int32]float64, most int) []int32 {
	list := make([]int32, 0, len(sum))
	for n := range sum {
		list = append(list, n)
	}
	if most > 0 && len(list) > most {
		slices.SortFunc(list, func(p, q int32) int { return cmp.Or(cmp.Compare(sum[q], sum[p]), cmp.Compare(q, p)) })
		list = list[:most]
	}
	return list
}

// Weight returns the weight of a term of the query.
func (a *PreparedQuery) Weight(term uint64) float64 { return a.weight[term] }

// Rarity returns the weight of a term that the given number of all items have: the rarer, the higher.
func Rarity(items, with int) float64 {
	return math.Log1p(float64(max(items, 1)) / float64(max(with, 1)))
}

// weightedLength returns the length that counts for a text of so many words. It grows slowly, because a long text is not about all its
// words.
func weightedLength(words int) float64 {
	if words <= usualLength {
		return float64(words)
	}
	return math.Sqrt(usualLength * float64(words))
}

// Score scores an item whose text was split. It returns false if the item has nothing to do with the query.
func (a *PreparedQuery) Score(it *Item, t *Text) (Hit, bool) {
	if a.Kinds != nil && !slices.Contains(a.Kinds, it.Kind) {
		return Hit{}, false
	}
	var shared []uint64
	sum := 0.0
	for _, term := range a.text.Terms {
		if _, has := slices.BinarySearch(t.Terms, term); has {
			shared = append(shared, term)
			sum += a.weight[term]
		}
	}
	words := 0.0
	if len(shared) > 0 && a.whole > 0 {
		words = math.Sqrt(min(sum/a.whole, 1) * min(float64(len(shared))/weightedLength(len(t.Terms)), 1))
	}
	files, named := a.sharedNames(it)
	if words == 0 && named == 0 {
		return Hit{}, false
	}
	r := Reason{Files: files, Words: a.termWords(shared), Confidence: it.Confidence(a.Now), Rank: it.Rank}
	r.Similarity = Jaccard(a.text.Grams, t.Grams)
	r.Relevance = 1 - (1-words)*(1-similarWeight*r.Similarity)*(1-fileWeight*named)
	score := r.Relevance * (baseWeight + trustWeight*r.Confidence + rankWeight*r.Rank)
	score *= it.doubtFactor()
	if it.Gone {
		score *= goneFactor
	}
	return Hit{Item: it, Score: score, Reason: r, grams: t.Grams}, true
}

// termWords returns the words of the query to which terms belong, the rarest first.
func (a *PreparedQuery) termWords(terms []uint64) (out []string) {
	slices.SortFunc(terms, func(x, y uint64) int {
		return cmp.Or(cmp.Compare(a.weight[y], a.weight[x]), cmp.Compare(a.text.form[x], a.text.form[y]))
	})
	for _, t := range terms {
		if w := a.text.form[t]; !slices.Contains(out, w) && len(out) < maxReasonWords {
			out = append(out, w)
		}
	}
	return out
}

// sharedNames returns the files and symbols of an item that the query names, and how surely it means them: by the whole path
// more than by the name of the file or symbol.
func (a *PreparedQuery) sharedNames(it *Item) (out []string, sure float64) {
	for _, p := range it.Pins {
		path, symbol := strings.ToLower(p.Path()), p.Symbol()
		by := 0.0
		base := baseName(path)
		switch {
		case slices.Contains(a.Files, p.Path()) || slices.Contains(a.Files, p.Target) || hasWord(a.lower, path):
			by = 1
		case strings.Contains(base, ".") && hasWord(a.lower, base):
			by = 0.8
		case len(symbol) >= minSymbol && hasWord(a.lower, strings.ToLower(symbol[strings.LastIndexByte(symbol, '.')+1:])):
			by = 0.8
		}
		if by > 0 {
			out = append(out, p.Target)
			sure = max(sure, by)
		}
	}
	return out, sure
}

// hasWord reports whether a text has a name that is not part of a longer one.
func hasWord(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		begins := i == 0 || !isNameByte(text[i-1])
		if ends := end == len(text) || !isNameByte(text[end]); begins && ends {
			return true
		}
		from = i + 1
	}
}

func isNameByte(c byte) bool {
	return c < utf8.RuneSelf && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))) || strings.IndexByte("_-", c) >= 0
}

// BestHits returns at most limit hits (0: all), the best first. Items that a newer one replaces come later.
func BestHits(hits []Hit, limit int) []Hit {
	slices.SortFunc(hits, compareScores)
	if demoteReplaced(hits) {
		slices.SortFunc(hits, compareScores)
	}
	if limit > 0 {
		hits = hits[:min(len(hits), limit)]
	}
	return hits
}

func compareScores(x, y Hit) int {
	return cmp.Or(cmp.Compare(y.Score, x.Score), y.Item.At.Compare(x.Item.At), cmp.Compare(x.Item.ID, y.Item.ID))
}

// Index finds items in memory. It is not safe for concurrent use.
type Index struct {
	split *Splitter
	items []*Item
	texts []Text
	keys  map[string]int
	with  map[uint64][]int32
}

// NewIndex makes an index of items.
func NewIndex(items ...Item) *Index {
	x := &Index{split: NewSplitter(), keys: map[string]int{}, with: map[uint64][]int32{}}
	x.Add(items...)
	return x
}

// Len returns the number of distinct items.
func (x *Index) Len() int { return len(x.items) }

// Add adds items. It merges one with the key of another into it.
func (x *Index) Add(items ...Item) {
	for i := range items {
		it := items[i]
		it.Pins = slices.Clone(it.Pins)
		key := it.Key()
		n, known := x.keys[key]
		if known {
			x.items[n].MergeDuplicate(&it)
		} else {
			n = len(x.items)
			x.keys[key] = n
			x.items, x.texts = append(x.items, &it), append(x.texts, Text{})
		}
		before := x.texts[n].Terms
		x.texts[n] = x.split.SplitItem(x.items[n])
		x.texts[n].form = nil
		for _, term := range x.texts[n].Terms {
			if _, had := slices.BinarySearch(before, term); !had {
				x.with[term] = append(x.with[term], int32(n))
			}
		}
	}
}

// Match returns the items that a query is about, the best first, at most limit; 0 is all.
func (x *Index) Match(q Query, limit int) []Hit {
	a := Prepare(x.split, q)
	a.Weigh(len(x.items), func(t uint64) int { return len(x.with[t]) })
	sum := map[int32]float64{}
	for _, term := range a.Terms() {
		for _, n := range x.with[term] {
			sum[n] += a.weight[term]
		}
	}
	var hits []Hit
	most := 0
	if limit > 0 {
		most = max(MaxCandidates, limit)
	}
	for _, n := range Candidates(sum, most) {
		if h, ok := a.Score(x.items[n], &x.texts[n]); ok {
			hits = append(hits, h)
		}
	}
	return BestHits(hits, limit)
}

// MatchItems returns the items that a query is about; Index.Match is faster for more than one query.
func MatchItems(items []Item, q Query, limit int) []Hit { return NewIndex(items...).Match(q, limit) }
