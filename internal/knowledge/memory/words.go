package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/engine/words"
)

// Common lists words without meaning for a search: nearly every prompt has some.
const Common = "a about above after again all also an and any are as at be because been before being below but by can could did do does doing done down " +
	"each few for from further get gets give go goes good had has have having he help her here hers him his how i if in into is it its just know let like " +
	"look make makes me more most must my need needs new no nor not now of off on once one only or other our out over own please put run same see she should " +
	"show so some still such take than thanks that the their them then there these they thing things this those through to too try under until up us use used " +
	"using very want was way we well were what when where which while who why will with work works would yes you your file files code change changes changed " +
	"add added adding fix fixed update updated project test tests line lines function method class write wrote read"

// Limits of the text of one query or item.
const (
	maxTerms     = 400
	maxItemTerms = 96 // of the first of topic, files, text
	maxGrams     = 512
	// MaxText is the number of bytes of a text that are read.
	MaxText = 64 << 10
)

// Splitter splits texts into search terms. It caches words, because most recur, and is not safe for concurrent use.
type Splitter struct {
	split *words.Splitter
	skip  map[words.Term]bool
}

// NewSplitter returns a Splitter that skips the words in Common.
func NewSplitter() *Splitter {
	s := &Splitter{split: words.NewSplitter(), skip: map[words.Term]bool{}}
	s.split.Each([]byte(Common), func(_, _ int, toks []words.Token) {
		for _, t := range toks {
			s.skip[t.Term] = true
		}
	})
	return s
}

// Text is a text that was split into search terms.
type Text struct {
	Terms []uint64 // of its words, distinct, sorted: stems, parts of compounds, pairs of letters of scripts without blanks
	Grams []uint32 // hashes of its trigrams of letters, distinct, sorted
	form  map[uint64]string
}

// Split splits a text. It leaves out common words, unless the text has no other.
func (s *Splitter) Split(text string) Text { return s.splitBounded(text, maxTerms) }

func (s *Splitter) splitBounded(text string, most int) Text {
	t := s.splitWords(text, most, false)
	if len(t.Terms) == 0 {
		t = s.splitWords(text, most, true)
	}
	return t
}

func (s *Splitter) splitWords(text string, most int, all bool) Text {
	text = text[:min(len(text), MaxText)]
	t := Text{form: map[uint64]string{}}
	s.split.Each([]byte(text), func(start, end int, toks []words.Token) {
		word := text[start:end]
		if len(t.form) >= most {
			return
		}
		if word[0] >= utf8.RuneSelf || strings.IndexFunc(word, isUnspaced) >= 0 {
			s.addNonASCIIWord(&t, word, all)
			return
		}
		kept := false
		for _, k := range toks {
			if all || !s.skip[k.Term] {
				kept = true
				if _, known := t.form[uint64(k.Term)]; !known {
					t.form[uint64(k.Term)] = word
				}
			}
		}
		if kept {
			t.addTrigrams(strings.ToLower(word))
		}
	})
	for term := range t.form {
		t.Terms = append(t.Terms, term)
	}
	slices.Sort(t.Terms)
	slices.Sort(t.Grams)
	t.Grams = slices.Compact(t.Grams)
	t.Grams = t.Grams[:min(len(t.Grams), maxGrams)]
	return t
}

// isUnspaced reports whether a letter belongs to a script without blanks between words, such as Chinese.
func isUnspaced(r rune) bool {
	return r >= 0x0e00 &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer)
}

// addNonASCIIWord adds a word with letters beyond ASCII: its pairs of neighbouring letters in a script without
// blanks, else the whole word. Pairs of Hiragana are endings and particles, which nearly every Japanese sentence has;
// they are only added if all is set.
func (s *Splitter) addNonASCIIWord(t *Text, word string, all bool) {
	var run []rune
	flush := func() {
		if len(run) >= 2 {
			w := string(run)
			s.split.Each([]byte(w), func(_, _ int, toks []words.Token) {
				for _, k := range toks {
					if all || !s.skip[k.Term] {
						t.form[uint64(k.Term)] = w
					}
				}
			})
			t.addTrigrams(w)
		}
		run = run[:0]
	}
	var last rune
	for _, r := range word {
		if !isUnspaced(r) {
			last = 0
			run = append(run, unicode.ToLower(r))
			continue
		}
		flush()
		if last != 0 && (all || !unicode.Is(unicode.Hiragana, last) || !unicode.Is(unicode.Hiragana, r)) {
			pair := string([]rune{last, r})
			t.form[uint64(words.Of(pair))] = pair
			t.Grams = append(t.Grams, hash32(pair))
		}
		last = r
	}
	flush()
}

// addTrigrams adds the groups of three letters in a lower-case word; a shorter word is a group itself.
func (t *Text) addTrigrams(word string) {
	starts := make([]int, 0, 16)
	for i := range word {
		starts = append(starts, i)
	}
	if len(starts) <= 3 {
		t.Grams = append(t.Grams, hash32(word))
		return
	}
	starts = append(starts, len(word))
	for i := 0; i+3 < len(starts); i++ {
		t.Grams = append(t.Grams, hash32(word[starts[i]:starts[i+3]]))
	}
}

func hash32(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// SplitItem splits all texts of an item, and the names of its files and symbols.
func (s *Splitter) SplitItem(it *Item) Text {
	var b strings.Builder
	b.WriteString(it.Topic)
	for _, p := range it.Pins {
		b.WriteByte('\n')
		b.WriteString(baseName(p.Path()))
		b.WriteByte(' ')
		b.WriteString(p.Symbol())
	}
	b.WriteByte('\n')
	b.WriteString(it.Text)
	return s.splitBounded(b.String(), maxItemTerms)
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Jaccard returns how alike two sorted sets are: the size of the intersection divided by that of the union.
func Jaccard(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			both++
			i++
			k++
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
