// Package secret finds credentials in the bytes of a file and masks them. It applies rules and does nothing else: it reads no file,
// keeps no state and knows no path. Package source passes it the text of files, and extraction reads them only after Mask.
//
// A text is read once by a keyword automaton (package rules). Only at a keyword does its rule read more: by a regular expression anchored
// at the keyword, by the reader of assignments, or by a scanner of its own (URLs, PEM blocks), always within a bounded window, so that time
// stays linear in the length of the text.
//
// A match must still look like a secret. Tables decide that, because conditions that grow together cannot be read: a value has measured
// properties and shapes (package look); the place of a value has properties as well (place.go); and the rows of generic.go decide which
// shape is believed in which place.
package secret

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"slices"
	"sync"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// Finding is a value that must not be shown. Start and End are byte offsets (end exclusive) of the value alone, without its
// quotes; Line and Column, both from 1, are the place of Start, Column in bytes.
type Finding struct {
	Rule, Kind   string
	Start, End   uint32
	Line, Column uint32
}

// Engine is the set of rules. It is safe for concurrent use.
type Engine struct {
	rules []rules.Rule
	exprs []lazyExpr
	keys  *rules.Keywords
}

// lazyExpr compiles a rule's expression when one of its keywords is found for the first time: compiling all of them
// costs milliseconds, and one file needs few.
type lazyExpr struct {
	once         sync.Once
	re           *regexp.Regexp
	endsInDashes bool // a match may end in a dash
}

// New returns an engine with every rule. It compiles nothing; the keyword automaton is built by the first Find that needs it.
func New() *Engine {
	all := append([]rules.Rule{{ID: Unsearched, Kind: Unsearched}}, allRules()...)
	return &Engine{rules: all, exprs: make([]lazyExpr, len(all)), keys: rules.NewKeywords(all)}
}

// Find appends the findings of text to dst, ordered and without overlap: where rules overlap, the span is the union and the name
// is that of the most specific rule. It never fails, on any bytes, and allocates only for findings (after a warm-up). It ignores text
// after 4 GB.
func (e *Engine) Find(dst []Finding, text []byte) []Finding {
	if uint64(len(text)) > math.MaxUint32 {
		text = text[:math.MaxUint32]
	}
	var b budget
	b.extend(len(text))
	return e.find(dst, text, &b)
}

// find does the same as Find within a budget. If that is used up, the rest of the text, or all of it, is one finding of the rule
// Unsearched.
func (e *Engine) find(dst []Finding, text []byte, b *budget) []Finding {
	base := len(dst)
	dst, end := e.scanKeywords(dst, text, &b.keywords)
	if dst = e.scanEncoded(dst, text[:end], maxEncodings-1, &b.encoded); b.encoded < 0 {
		end = 0
	}
	if end < len(text) {
		b.keywords = -1
		dst = append(dst, Finding{Start: uint32(end), End: uint32(len(text)), Line: unsearchedRule})
	}
	if len(dst) == base {
		return dst
	}
	return dst[:base+len(e.mergeFindings(dst[base:], text))]
}

// Unsearched is the rule of findings that are no credentials: the rest of a text in which so much looks like credentials that its search
// would take too long. It is masked as a credential is, because there may be one.
const Unsearched = "unsearched"

// unsearchedRule is the number of the rule Unsearched, which names each finding that overlaps it.
const unsearchedRule = 0

// budget is the work that is left for a text: for its keywords, and for the texts that are encoded in it. Texts of people and programs do
// not use it up. One that has a password on each line does after about 800 KB, so that 20 MB of them take at most three times as long as
// 20 MB of source.
type budget struct{ keywords, encoded int }

// Units of a budget, of which each is about a nanosecond.
const (
	freeWork  = 180e6 // of any text
	workByte  = 6     // of each byte more
	hitWork   = 100   // of a rule that is applied to a keyword
	readWork  = 3     // of each byte of the word that follows the keyword
	judgeWork = 2000  // of a value that is judged
	findWork  = 500   // of a finding more
)

// extend adds the work for so many bytes more.
func (b *budget) extend(size int) {
	if b.keywords == 0 && b.encoded == 0 {
		b.keywords, b.encoded = freeWork, freeWork
	}
	b.keywords += size * workByte
	b.encoded += size * workByte
}

// isExhausted reports whether a text was not searched to its end.
func (b *budget) isExhausted() bool { return b.keywords < 0 }

// maxEncodings is the maximal depth of encodings of a value, one inside another.
const maxEncodings = 2

// scanText appends the findings in text, and in the texts that are encoded in it, up to encodings levels deep. Until the findings are
// merged, their Line is the number of their rule.
func (e *Engine) scanText(dst []Finding, text []byte, encodings int, work *int) []Finding {
	dst, _ = e.scanKeywords(dst, text, work)
	if encodings > 0 {
		dst = e.scanEncoded(dst, text, encodings-1, work)
	}
	return dst
}

// scanKeywords appends the findings of the rules at keywords in text. It returns the end of what it searched before the work was used up.
func (e *Engine) scanKeywords(dst []Finding, text []byte, work *int) ([]Finding, int) {
	long := spans{work: work}
	a, hits := e.keys.Find(text)
	for _, h := range hits {
		if *work < 0 {
			return dst, look.LineStart(text, h.End, h.End)
		}
		dst = e.applyRule(dst, h.Hit, text, h.End, &long)
	}
	for i, state := 0, uint32(0); a != nil && i < len(text); i++ {
		state = a.Next(state, text[i])
		for _, h := range a.Hits(state) {
			if dst = e.applyRule(dst, h, text, i+1, &long); *work < 0 {
				return dst, look.LineStart(text, i, i)
			}
		}
	}
	return dst, len(text)
}

// applyRule appends the findings of the rule of a keyword hit; the keyword ends at hi. long has the long findings so far.
func (e *Engine) applyRule(dst []Finding, h rules.Hit, text []byte, hi int, long *spans) []Finding {
	lo := hi - int(h.Length)
	if hi >= long.wordEnd {
		long.wordEnd = look.RunEnd(text, hi, look.MinLong, look.Key)
	}
	*long.work -= hitWork + readWork*(long.wordEnd-hi)
	if r := &e.rules[h.Rule]; r.Form == rules.FormList {
		if r.Pre != nil && !r.Pre(text, lo, hi) {
			return dst
		}
		*long.work -= judgeWork
		return e.applyList(dst, h.Rule, text, lo, hi)
	}
	if long.covers(h.Rule, hi-1) || long.isRepeated(h.Rule, lo) {
		return dst
	}
	start, end, ok := e.matchRule(int(h.Rule), text, lo, hi)
	if end > start {
		*long.work -= judgeWork
	}
	if !ok || end-start < look.MinLength {
		return dst
	}
	if look.AnyAt(text, end, []string{"...", "\u2026"}) > 0 {
		return dst // the rest of the value is left out: ghp_x1Yz...
	}
	*long.work -= findWork
	end = e.wholeEnd(text, start, end)
	long.addSpan(h.Rule, lo, end-start, end)
	return append(dst, Finding{Start: uint32(start), End: uint32(end), Line: uint32(h.Rule)})
}

// wholeEnd returns the end of a value of which only the first bytes or the first line were judged, so that no rest of it stays readable:
// that of the literal that it is, of the characters of a word, or of the lines on which the word continues.
func (e *Engine) wholeEnd(text []byte, start, end int) int {
	q := look.At(text, start-1)
	switch {
	case end-start < look.MaxLength:
		return look.ContinuedEnd(text, end)
	case look.Is(q, look.Quote) && look.At(text, end) != q:
		return literalEnd(text, end, q, len(text))
	}
	return look.RunEnd(text, end, len(text), look.Token|look.Base64)
}

// applyList appends the findings of a rule that finds several values at a keyword. It is a function of its own because dst escapes in it.
func (e *Engine) applyList(dst []Finding, rule uint16, text []byte, lo, hi int) []Finding {
	e.rules[rule].List(text, lo, hi, func(lo, hi int) {
		dst = append(dst, Finding{Start: uint32(lo), End: uint32(hi), Line: uint32(rule)})
	})
	return dst
}

// scanEncoded appends the values that are secrets when they are decoded. In base64 a byte of the value has no place of its own, so the
// whole encoded text is the finding. Where a finding is named, rules for values as written come first, so these rules are numbered
// after all of them.
func (e *Engine) scanEncoded(dst []Finding, text []byte, encodings int, work *int) []Finding {
	look.FindBase64(text, func(lo, hi int, plain []byte) bool {
		if *work < 0 {
			return true
		}
		at := len(dst)
		dst = e.scanText(dst, plain, encodings, work)
		if len(dst) == at {
			return false
		}
		first := slices.MinFunc(dst[at:], func(a, b Finding) int { return int(a.Line) - int(b.Line) })
		dst = append(dst[:at], Finding{Start: uint32(lo), End: uint32(hi), Line: first.Line + uint32(len(e.rules))})
		return true
	})
	scanDecoded := func(d look.Decoded) bool {
		at := len(dst)
		dst = e.scanText(dst, d.Text, encodings, work)
		slices.SortFunc(dst[at:], func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
		for i := range dst[at:] {
			f := &dst[at+i]
			start, end := d.Span(int(f.Start), int(f.End))
			f.Start, f.End = uint32(start), uint32(end)
		}
		*work -= hitWork + readWork*len(d.Text)
		return *work < 0
	}
	look.FindPercent(text, scanDecoded)
	look.FindContinued(text, scanDecoded)
	look.FindLong(text, scanDecoded)
	return dst
}

// spans are the ends of the last long findings by rule, and the work that is left. A rule does not search its own findings again, because
// searching at every keyword in them would cost the square of their length.
type spans struct {
	ends    map[uint16]int
	work    *int
	wordEnd int // the end of the word after the last keyword, of which a part is read at each keyword in it

	lastRule  uint16 // of the last finding
	lastStart int    // of the keyword of the last finding
}

func (s *spans) addSpan(rule uint16, start, size, end int) {
	s.lastRule, s.lastStart = rule, start
	if size < look.MaxLength {
		return
	}
	if s.ends == nil {
		s.ends = map[uint16]int{}
	}
	s.ends[rule] = end
}

// covers reports whether a long finding of the rule includes the place i.
func (s *spans) covers(rule uint16, i int) bool { return len(s.ends) > 0 && i < s.ends[rule] }

// isRepeated reports whether the rule's last finding is of a keyword with the same start: the value after "pass" is the one after
// "password".
func (s *spans) isRepeated(rule uint16, start int) bool {
	return rule == s.lastRule && start == s.lastStart
}

// mergeFindings sorts raw findings, joins those that overlap, and sets the rule, the kind and the place of each.
func (e *Engine) mergeFindings(raw []Finding, text []byte) []Finding {
	slices.SortFunc(raw, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	out := raw[:1]
	for _, f := range raw[1:] {
		last := &out[len(out)-1]
		if f.Start >= last.End {
			out = append(out, f)
			continue
		}
		last.End = max(last.End, f.End)
		last.Line = min(last.Line, f.Line)
	}
	line, lineStart, at := uint32(1), 0, 0
	for i := range out {
		f := &out[i]
		r := &e.rules[int(f.Line)%len(e.rules)]
		f.Rule, f.Kind = r.ID, r.Kind
		between := text[at:f.Start]
		if n := bytes.Count(between, newline); n > 0 {
			line += uint32(n)
			lineStart = at + bytes.LastIndexByte(between, '\n') + 1
		}
		at = int(f.Start)
		f.Line, f.Column = line, f.Start-uint32(lineStart)+1
	}
	return out
}

var newline = []byte{'\n'}

// Rule is the name of a rule and the kind of its findings.
type Rule struct{ ID, Kind string }

// Rules returns every rule, the most specific first.
func (e *Engine) Rules() []Rule {
	out := make([]Rule, len(e.rules))
	for i, r := range e.rules {
		out[i] = Rule{r.ID, r.Kind}
	}
	return out
}
