// Package secret finds credentials in the bytes of a file and masks them. It applies rules and does nothing else: it reads no file,
// keeps no state and knows no path; engine/scan hands it the bytes, and engine/extract sees them only after Mask.
//
// A file is read once by a keyword automaton (package rules). Only where a keyword is found does its rule look closer: a regular
// expression anchored at the keyword, an assignment scanner, or a scanner of its own (URLs, PEM blocks), always within a bounded
// window, so that time stays linear in the input.
//
// What matched must still look like a secret. That is decided by tables, because conditions that grow together cannot be read: a
// value is measured once (value.go, property.go) and has the shapes whose rows it meets (shape.go); the place it was found in is
// measured as well (place.go, setting.go); and the rows of generic.go say which shape is believed in which place.
package secret

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"sync"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// Finding is one value that must not be shown. Start and End are byte offsets (end exclusive) of the value alone, without its
// quotes; Line and Column, both from 1, name the place of Start, Column in bytes.
type Finding struct {
	Rule, Kind   string
	Start, End   uint32
	Line, Column uint32
}

// Engine is the compiled rule set. It is safe for concurrent use.
type Engine struct {
	rules []rules.Rule
	exprs []lazyExpr
	keys  *rules.Keywords
}

// lazyExpr compiles a rule's expression when a keyword of it is seen for the first time: compiling all of them costs
// milliseconds, and one file needs few.
type lazyExpr struct {
	once   sync.Once
	re     *regexp.Regexp
	dashes bool // what the expression ends with may be a dash
}

// New makes an engine with every rule. It compiles nothing; the keyword automaton is built by the first Find that needs it.
func New() *Engine {
	all := allRules()
	return &Engine{rules: all, exprs: make([]lazyExpr, len(all)), keys: rules.NewKeywords(all)}
}

// Find appends the findings of text to dst, ordered and without overlap: where rules overlap, the span is the union and the name
// is that of the most specific rule. It never fails, on any bytes, and allocates only for findings (after a warm-up). Text beyond
// 4 GB is not looked at.
func (e *Engine) Find(dst []Finding, text []byte) []Finding {
	if uint64(len(text)) > math.MaxUint32 {
		text = text[:math.MaxUint32]
	}
	base := len(dst)
	if dst = e.scan(dst, text, maxEncodings); len(dst) == base {
		return dst
	}
	return dst[:base+len(e.merge(dst[base:], text))]
}

// maxEncodings is how many encodings a value may be written in, one within the other.
const maxEncodings = 2

// scan appends what the rules find in text, and in what it says in so many encodings. Line carries a rule's place in the table until the
// findings are merged.
func (e *Engine) scan(dst []Finding, text []byte, encodings int) []Finding {
	var long spans
	a, hits := e.keys.Find(text)
	for _, h := range hits {
		dst = e.look(dst, h.Hit, text, h.End, &long)
	}
	for i, state := 0, uint32(0); a != nil && i < len(text); i++ {
		state = a.Next(state, text[i])
		for _, h := range a.Hits(state) {
			dst = e.look(dst, h, text, i+1, &long)
		}
	}
	if encodings > 0 {
		dst = e.scanEncoded(dst, text, encodings-1)
	}
	return dst
}

// look appends what the rule of a keyword finds that ends before i.
func (e *Engine) look(dst []Finding, h rules.Hit, text []byte, i int, long *spans) []Finding {
	if e.rules[h.Rule].Form == rules.FormList {
		return e.scanList(dst, h, text, i)
	}
	if long.hold(h.Rule, i-1) {
		return dst
	}
	lo, hi, ok := e.match(int(h.Rule), text, i-int(h.Length), i)
	if ok && hi-lo >= look.MinLength && !isElided(text, hi) {
		long.add(h.Rule, hi-lo, hi)
		dst = append(dst, Finding{Start: uint32(lo), End: uint32(hi), Line: uint32(h.Rule)})
	}
	return dst
}

// scanList appends what a rule finds that finds several values at the keyword that ends at i.
func (e *Engine) scanList(dst []Finding, h rules.Hit, text []byte, i int) []Finding {
	r := &e.rules[h.Rule]
	if lo := i - int(h.Length); r.Pre == nil || r.Pre(text, lo, i) {
		r.List(text, lo, i, func(lo, hi int) {
			dst = append(dst, Finding{Start: uint32(lo), End: uint32(hi), Line: uint32(h.Rule)})
		})
	}
	return dst
}

// scanEncoded appends the values that are secrets when they are decoded. In base64 no byte has a place of its own: the whole of it is
// the finding. Rules that know a value as it is written come first where a finding is named, so these are numbered behind all of them.
func (e *Engine) scanEncoded(dst []Finding, text []byte, encodings int) []Finding {
	look.FindBase64(text, func(lo, hi int, says []byte) bool {
		at := len(dst)
		dst = e.scan(dst, says, encodings)
		if len(dst) == at {
			return false
		}
		first := slices.MinFunc(dst[at:], func(a, b Finding) int { return int(a.Line) - int(b.Line) })
		dst = append(dst[:at], Finding{Start: uint32(lo), End: uint32(hi), Line: first.Line + uint32(len(e.rules))})
		return true
	})
	stretch := func(s look.Stretch) {
		at := len(dst)
		dst = e.scan(dst, s.Says, encodings)
		for i := range dst[at:] {
			f := &dst[at+i]
			start, end := s.Span(int(f.Start), int(f.End))
			f.Start, f.End = uint32(start), uint32(end)
		}
	}
	look.FindPercent(text, stretch)
	look.FindContinued(text, stretch)
	return dst
}

// spans are the ends of the last findings that were long. What a rule finds within one of its own is part of it; looking again at
// every keyword there would cost the square of its length.
type spans struct {
	rule [4]uint16
	end  [4]int
	next int
}

func (s *spans) add(rule uint16, size, end int) {
	if size > 2*longWindow {
		s.rule[s.next&3], s.end[s.next&3] = rule, end
		s.next++
	}
}

// hold reports that a long finding of the rule reaches over i.
func (s *spans) hold(rule uint16, i int) bool {
	if s.next == 0 {
		return false
	}
	for k, r := range s.rule {
		if r == rule && i < s.end[k] {
			return true
		}
	}
	return false
}

// merge orders raw findings, joins those that overlap, and gives each its names and place.
func (e *Engine) merge(raw []Finding, text []byte) []Finding {
	slices.SortFunc(raw, func(a, b Finding) int {
		if a.Start != b.Start {
			return int(int64(a.Start) - int64(b.Start))
		}
		return int(int64(b.End) - int64(a.End))
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

// Rule names a rule for listings.
type Rule struct{ ID, Kind string }

// Rules lists every rule, the most specific first.
func (e *Engine) Rules() []Rule {
	out := make([]Rule, len(e.rules))
	for i, r := range e.rules {
		out[i] = Rule{r.ID, r.Kind}
	}
	return out
}
