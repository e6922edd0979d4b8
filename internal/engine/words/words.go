// Package words turns text, prose or source, into the terms that search matches. It
// owns how identifiers are cut and which forms of a word count as one; engine/search
// and engine/history use the terms.
//
// An identifier becomes one term in lower case without underscores ("parseFile",
// "parse_file" and "ParseFile" are the same) and, where it is a compound, one for
// each part by camelCase, snake_case and digits. Words and parts are stemmed.
// Compounds are not, because an identifier is meant as it is written.
package words

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"
)

// Term identifies a word by 40 bits of the FNV-1a hash of its form. Two words of
// one repository share a term about once in ten million.
type Term uint64

// Token is one term of a word of a text.
type Token struct {
	Term Term
	Part bool // a part of a compound, else the word or the compound itself
}

// maxWord is the longest run of letters and digits that counts as a word, in bytes:
// longer runs are data.
const maxWord = 80

// minMemo and maxMemo are the numbers of words a Splitter remembers at first and at most: it starts with few, so that
// one small file costs little. maxText and maxToks bound their bytes and tokens.
const (
	minMemo = 1 << 10
	maxMemo = 1 << 16
	maxText = 1 << 19
	maxToks = 1 << 16
)

// Splitter cuts texts into tokens. It remembers words, because most words of a
// repository recur. It is not safe for concurrent use.
type Splitter struct {
	memo   []memo  // by hash, one word an entry: twice as fast as a map
	text   []byte  // the remembered words, one after the other
	toks   []Token // their tokens
	misses int
	parts  [][]byte
}

// memo is a remembered word: where it and its tokens are.
type memo struct {
	text, toks uint32
	size, n    uint8 // bytes, 0 for none, and tokens
}

// NewSplitter makes a Splitter.
func NewSplitter() *Splitter { return &Splitter{memo: make([]memo, minMemo)} }

// Each calls f for every word of a text with its bytes [start, end) and its
// tokens, valid until the Splitter's next call. Scripts that put no blanks between
// words give pairs of neighbouring letters.
func (s *Splitter) Each(text []byte, f func(start, end int, toks []Token)) {
	s.EachIn(text, nil, f)
}

// EachIn is Each for the words that pass a sieve, nil for all.
func (s *Splitter) EachIn(text []byte, sieve *Sieve, f func(start, end int, toks []Token)) {
	for i := 0; i < len(text); {
		start, first := i, class[text[i]]
		i++
		if first == 0 {
			continue
		}
		rest := uint8(0) // classes of the bytes after the first
		for i < len(text) && class[text[i]]&ascii != 0 {
			rest |= class[text[i]]
			i++
		}
		plain := first != beyond && (i == len(text) || class[text[i]] != beyond)
		if !plain {
			start, i, plain = wordAt(text, start)
		}
		if size := i - start; size < 2 || plain && size > maxWord {
			continue
		}
		if plain && sieve != nil && !sieve.passes(text[start:i], rest) {
			continue
		}
		if toks := s.word(text[start:i], plain); len(toks) > 0 {
			f(start, i, toks)
		}
	}
}

// wordAt returns the word that begins at i and has letters beyond ASCII, or is plain ASCII
// before another sign. A sign that is no letter is skipped as an empty word.
func wordAt(text []byte, i int) (start, end int, plain bool) {
	start, plain = i, true
	for i < len(text) {
		if k := class[text[i]]; k == 0 {
			break
		} else if k != beyond {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			if i == start {
				return i + n, i + n, true
			}
			break
		}
		plain = false
		i += n
	}
	return start, i, plain
}

// Word returns the tokens of one word, valid until the Splitter's next call.
func (s *Splitter) Word(word string) []Token {
	var out []Token
	s.Each([]byte(word), func(_, _ int, toks []Token) { out = append(out, toks...) })
	return out
}

func (s *Splitter) word(w []byte, plain bool) []Token {
	hash := hashWord(w)
	m := &s.memo[hash&(len(s.memo)-1)]
	if int(m.size) == len(w) && string(s.text[m.text:m.text+uint32(m.size)]) == string(w) {
		return s.toks[m.toks : m.toks+uint32(m.n)]
	}
	if s.misses++; s.misses > 2*len(s.memo) && len(s.memo) < maxMemo {
		s.memo, s.misses = make([]memo, 8*len(s.memo)), 0
		s.text, s.toks = s.text[:0], s.toks[:0]
	}
	if len(s.text) > maxText || len(s.toks) > maxToks {
		clear(s.memo)
		s.text, s.toks = s.text[:0], s.toks[:0]
	}
	from := len(s.toks)
	if plain {
		s.cut(w)
	} else {
		s.foreign(w)
	}
	toks := s.toks[from:]
	if len(w) <= math.MaxUint8 {
		s.memo[hash&(len(s.memo)-1)] = memo{uint32(len(s.text)), uint32(from), uint8(len(w)), uint8(len(toks))}
		s.text = append(s.text, w...)
	}
	return toks
}

// hashWord mixes the bytes of a word, eight at a time.
func hashWord(w []byte) int {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(len(w))
	for ; len(w) >= 8; w = w[8:] {
		h = (h ^ binary.LittleEndian.Uint64(w)) * mix
		h ^= h >> 32
	}
	if n := len(w); n >= 4 {
		h ^= uint64(binary.LittleEndian.Uint32(w))<<32 | uint64(binary.LittleEndian.Uint32(w[n-4:]))
	} else if n > 0 {
		h ^= uint64(w[0])<<16 | uint64(w[n/2])<<8 | uint64(w[n-1])
	}
	h *= mix
	return int(h >> 32)
}

// cut appends the tokens of an ASCII identifier to s.toks: the whole and its parts.
func (s *Splitter) cut(w []byte) {
	var buf [maxWord]byte
	whole, digits := buf[:0], 0
	for _, c := range w {
		if c == '_' {
			continue
		}
		if c <= '9' {
			digits++
		}
		whole = append(whole, fold[c])
	}
	if len(whole) < 2 || digits == len(whole) && len(whole) > 6 {
		return
	}
	s.parts = appendParts(s.parts[:0], w)
	if len(s.parts) <= 1 {
		s.toks = append(s.toks, Token{Term: hashTerm(Stem(whole))})
		return
	}
	s.toks = append(s.toks, Token{Term: hashTerm(whole)})
	for _, p := range s.parts {
		if len(p) < 2 && !(p[0] >= '0' && p[0] <= '9') {
			continue
		}
		low := buf[:0]
		for _, c := range p {
			low = append(low, fold[c])
		}
		s.toks = append(s.toks, Token{Term: hashTerm(Stem(low)), Part: true})
	}
}

// appendParts cuts an identifier at underscores, between a small and a capital
// letter, before the last capital of a row of them if a small letter follows,
// and between letters and digits. It appends the parts to out.
func appendParts(out [][]byte, w []byte) [][]byte {
	start := -1
	for i := range w {
		k := class[w[i]]
		if k == under {
			if start >= 0 {
				out = append(out, w[start:i])
			}
			start = -1
			continue
		}
		if start >= 0 {
			p := class[w[i-1]]
			switch {
			case p == small && k == capital, p == digit != (k == digit):
				out = append(out, w[start:i])
				start = i
			case p == capital && k == small && i-1 > start:
				out = append(out, w[start:i-1])
				start = i - 1
			}
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, w[start:])
	}
	return out
}

// foreign appends the tokens of a word with letters beyond ASCII to s.toks: the
// word in lower case, or pairs of neighbouring letters in scripts without blanks.
func (s *Splitter) foreign(w []byte) {
	var run []rune
	flush := func() {
		if len(run) >= 2 {
			s.toks = append(s.toks, Token{Term: hashTerm([]byte(string(run)))})
		}
		run = run[:0]
	}
	var last rune
	for _, r := range string(w) {
		dense := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer)
		if !dense {
			last = 0
			if r != '_' {
				run = append(run, unicode.ToLower(r))
			}
			continue
		}
		flush()
		if last != 0 {
			s.toks = append(s.toks, Token{Term: hashTerm([]byte(string([]rune{last, r})))})
		}
		last = r
	}
	flush()
}

// Of returns the term of a word that is in lower case and stemmed already.
func Of(stem string) Term { return hashTerm([]byte(stem)) }

func hashTerm(w []byte) Term {
	h := uint64(14695981039346656037)
	for _, c := range w {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return Term((h ^ h>>40) & (1<<40 - 1))
}

// Classes of bytes, as bits; 0 is that of bytes outside of words.
const (
	small = 1 << iota
	capital
	digit
	under
	beyond // of a multi-byte letter
	ascii  = beyond - 1
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = small
		case c >= 'A' && c <= 'Z':
			t[c] = capital
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == '_':
			t[c] = under
		case c >= utf8.RuneSelf:
			t[c] = beyond
		}
	}
	return t
}()
