package search

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/engine/words"
)

// Query is a parsed text: a typed question, or a task's description.
type Query struct {
	Terms        []Term    // distinct, in order of first appearance
	Phrases      []string  // quoted, as written
	Paths        []Mention // files and modules named, in order
	Names        []Mention // identifiers named as code, in order
	Pairs        []Pair    // neighbours
	Filters      Filters
	Alternatives [][]words.Term // groups of terms joined by OR, of which one is enough
	Typed        bool           // a short query with operators, no text
	WantTest     bool           // the task is about tests
	WantDoc      bool           // … about documentation

	sieve  *words.Sieve      // of the terms
	follow map[int32][]int32 // indexes in Pairs, by the first of the two
}

// Term is one distinct term of the query.
type Term struct {
	Term     words.Term
	Word     string // as first written, to be shown
	Weight   float32
	Title    bool // in the first line
	Code     bool // written as code: in backticks, in an identifier's form
	Part     bool // only ever a part of a compound
	Compound bool // a compound, or two neighbours joined
}

// Mention is a path, module or identifier that a text names.
type Mention struct {
	Text   string // "src/a.go", "pkg.mod", "Class.method"
	Line   int    // line of a frame of a traceback, 0 without one
	Inner  int    // with a line: place among such mentions, from the innermost frame at 1
	Weight float32
	Title  bool
}

// Filters narrow the answer. Empty means any.
type Filters struct {
	Types, Langs, Paths, Kinds []string
	Test                       string // "yes", "no", "" or another text as written
}

// NarrowFiles reports whether a filter other than Kinds is set, which depends on what a file declares.
func (f *Filters) NarrowFiles() bool {
	return len(f.Types)+len(f.Langs)+len(f.Paths)+len(f.Test) > 0
}

// IsFilter reports whether the query consists of filters alone.
func (q *Query) IsFilter() bool {
	words := len(q.Terms) + len(q.Paths) + len(q.Names) + len(q.Phrases)
	return words == 0 && (q.Filters.NarrowFiles() || len(q.Filters.Kinds) > 0)
}

// Bounds of a query.
const (
	maxQuery    = 64 << 10 // bytes; the middle of a longer text is left out
	maxTermsIn  = 400      // distinct terms
	maxMentions = 60
	maxFrames   = 1 << 20 // more than a query can hold
)

// patterns find the parts of a query beyond plain words.
type patterns struct {
	fence, comment, link, ticks, quoted *regexp.Regexp
	// pathLike is a path with an extension, perhaps with the line of a frame:
	// a.py:12, (a.js:10:5), File "a.py", line 12, a.rs#L12.
	pathLike *regexp.Regexp
	// nameLike is a name with its qualifiers: a.b.c, A::b, A#b, a->b.
	nameLike *regexp.Regexp
	filter   *regexp.Regexp
	hosted   *regexp.Regexp // the path of a file in a link to a code host
}

// compiled returns the patterns, which the first query compiles and not the start of the process: it takes half a
// millisecond, and most commands have no use for them.
var compiled = sync.OnceValue(func() *patterns {
	re := regexp.MustCompile
	return &patterns{
		fence:    re("(?s)```.*?(?:```|$)"),
		comment:  re(`(?s)<!--.*?-->`),
		link:     re(`https?://[^\s)>\]"']+`),
		ticks:    re("`([^`\n]{1,200})`"),
		quoted:   re(`"([^"\n]{3,200})"`),
		pathLike: re(`([\w@.+-]*(?:[/\\][\w@.+\[\]()-]+)*[\w\])-]\.[A-Za-z][A-Za-z0-9_]{0,9})\b(?:"?, line (\d+)|:(\d+)|#L(\d+)|\((\d+))?`),
		nameLike: re(`[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*`),
		filter:   re(`(?:^|\s)(type|lang|path|kind|test):(\S+)`),
		hosted:   re(`/(?:blob|tree|raw|blame|src)/[^/]+/(.+)$`),
	}
})

// Parse reads a query: plain words, "quoted phrases", OR, the filters type:,
// lang:, path:, kind: and test:, and long texts with code, paths, tracebacks and
// error messages in them. It never fails, because any text is a query.
func Parse(text string) *Query {
	if len(text) > maxQuery {
		text = text[:maxQuery*3/4] + "\n" + text[len(text)-maxQuery/4:]
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), " ")
	q := &Query{sieve: words.NewSieve(), follow: map[int32][]int32{}}
	p := &parser{q: q, split: words.NewSplitter(), at: map[words.Term]int{}}
	text = withoutBoilerplate(compiled().comment.ReplaceAllString(text, " "))
	// OR and filters are operators only in a short line, because a longer text may hold them as words.
	q.Typed = len(text) < 400 && strings.Count(strings.TrimSpace(text), "\n") == 0
	if q.Typed {
		text = p.filters(text)
		p.alternatives(text)
	}
	text = compiled().link.ReplaceAllStringFunc(text, func(url string) string {
		if m := compiled().hosted.FindStringSubmatch(url); m != nil { // the path of a file on a code host
			return " " + m[1] + " "
		}
		return " "
	})
	p.mentions(text)
	p.terms(text)
	if len(q.Terms)+len(q.Paths)+len(q.Names) == 0 { // the query holds stop words only
		p.common = true
		p.terms(text)
	}
	p.finish()
	for i := range q.Terms {
		q.sieve.Admit([]byte(strings.ReplaceAll(q.Terms[i].Word, " ", "")))
		q.sieve.Admit([]byte(q.Terms[i].Word))
	}
	return q
}

type parser struct {
	q      *Query
	split  *words.Splitter
	at     map[words.Term]int // index in q.Terms
	count  map[words.Term]float32
	common bool // whether stop words count
}

func (p *parser) filters(text string) string {
	f := &p.q.Filters
	return compiled().filter.ReplaceAllStringFunc(text, func(m string) string {
		key, val, _ := strings.Cut(strings.TrimSpace(m), ":")
		vals := strings.Split(strings.Trim(val, `"'`), ",")
		switch key {
		case "type":
			f.Types = append(f.Types, vals...)
		case "lang":
			f.Langs = append(f.Langs, vals...)
		case "path":
			f.Paths = append(f.Paths, vals...)
		case "kind":
			f.Kinds = append(f.Kinds, vals...)
		case "test":
			f.Test = val
		}
		return " "
	})
}

// alternatives collects the words joined by OR.
func (p *parser) alternatives(text string) {
	if !strings.Contains(text, " OR ") {
		return
	}
	var group []words.Term
	for _, side := range strings.Split(text, " OR ") {
		for _, k := range p.split.Word(strings.Trim(side, ` "'()`)) {
			if !k.Part {
				group = append(group, k.Term)
			}
		}
	}
	p.q.Alternatives = append(p.q.Alternatives, group)
}

// mentions finds paths and names.
func (p *parser) mentions(text string) {
	title := len(text)
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		title = i
	}
	frames, others := 0, 0
	for _, m := range compiled().pathLike.FindAllStringSubmatchIndex(text, -1) {
		path := strings.ReplaceAll(text[m[2]:m[3]], `\`, "/")
		line, python := 0, m[4] >= 0
		for g := 2; g <= 5; g++ {
			if m[2*g] >= 0 {
				line = atoi(text[m[2*g]:m[2*g+1]])
			}
		}
		inner := 0
		switch {
		case python: // the most recent call is the last
			frames--
			inner = maxFrames + frames
		case line > 0:
			others++
			inner = others
		}
		p.addPath(Mention{Text: path, Line: line, Inner: inner, Weight: 1, Title: m[0] < title})
	}
	for _, m := range compiled().ticks.FindAllStringSubmatchIndex(text, -1) {
		for _, n := range compiled().nameLike.FindAllString(text[m[2]:m[3]], -1) {
			p.addName(Mention{Text: n, Weight: 1, Title: m[0] < title})
		}
	}
	for _, at := range compiled().nameLike.FindAllStringIndex(text, -1) {
		if n := text[at[0]:at[1]]; codeLike(n) || at[1] < len(text) && text[at[1]] == '(' {
			p.addName(Mention{Text: n, Weight: 0.7, Title: at[0] < title})
		}
	}
	for _, m := range compiled().quoted.FindAllStringSubmatch(text, -1) {
		if len(p.q.Phrases) < maxMentions && strings.ContainsAny(m[1], " _-.:/") && !strings.Contains(m[1], "/") {
			p.q.Phrases = append(p.q.Phrases, m[1])
		}
	}
}

func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if n = n*10 + int(c-'0'); n > 1<<24 {
			return 0
		}
	}
	return n
}

// codeLike reports whether a word has the form of an identifier: an underscore
// within, a capital after a small letter, a qualifier.
func codeLike(n string) bool {
	for i := 1; i < len(n); i++ {
		switch c := n[i]; {
		case c == '_' && n[i-1] != '_', c == ':', c == '#', c == '-', c == '.':
			return true
		case c >= 'A' && c <= 'Z' && n[i-1] >= 'a' && n[i-1] <= 'z':
			return true
		}
	}
	return false
}

func (p *parser) addPath(m Mention) {
	if len(m.Text) < 3 || len(p.q.Paths) >= maxMentions || strings.Count(m.Text, "(") != strings.Count(m.Text, ")") {
		return
	}
	for i := range p.q.Paths {
		if have := &p.q.Paths[i]; have.Text == m.Text && (have.Line == m.Line || m.Line == 0) {
			have.Weight, have.Title = max(have.Weight, m.Weight), have.Title || m.Title
			if m.Inner > 0 {
				have.Inner = min(have.Inner, m.Inner)
			}
			return
		}
	}
	p.q.Paths = append(p.q.Paths, m)
}

func (p *parser) addName(m Mention) {
	if len(m.Text) < 2 || len(m.Text) > 120 || len(p.q.Names) >= maxMentions || stop[strings.ToLower(m.Text)] {
		return
	}
	for i := range p.q.Names {
		if have := &p.q.Names[i]; have.Text == m.Text {
			have.Weight, have.Title = max(have.Weight, m.Weight), have.Title || m.Title
			return
		}
	}
	p.q.Names = append(p.q.Names, m)
}

// terms weighs the words: the title's more, those of code blocks less.
func (p *parser) terms(text string) {
	p.count = map[words.Term]float32{}
	blocks := compiled().fence.FindAllStringIndex(text, -1)
	title := strings.IndexByte(text, '\n')
	if title < 0 {
		title = len(text)
	}
	raw := []byte(text)
	inTicks := mark(raw, compiled().ticks)
	var lastWord []byte
	lastEnd, lastTerm := 0, int32(-1)
	p.split.Each(raw, func(start, end int, toks []words.Token) {
		for len(blocks) > 0 && start >= blocks[0][1] {
			blocks = blocks[1:]
		}
		w := float32(1)
		block := len(blocks) > 0 && start >= blocks[0][0]
		switch {
		case start < title:
			w = 2
		case block:
			w = 0.4
		}
		word := raw[start:end]
		low := strings.ToLower(string(word))
		if stop[low] && !p.common || strings.HasPrefix(low, "0x") { // an address
			return
		}
		isCode := inTicks[start] || codeLike(string(word))
		if lastTerm >= 0 && bytes.IndexByte(raw[lastEnd:start], '\n') >= 0 {
			lastTerm = -1
		}
		for i, k := range toks {
			tw := w
			if k.Part {
				tw *= 0.5
			}
			p.add(Term{
				Term: k.Term, Word: string(word), Weight: tw, Title: start < title,
				Code: isCode, Part: k.Part, Compound: i == 0 && len(toks) > 1,
			})
			if at, ok := p.at[k.Term]; ok && (k.Part || len(toks) == 1) {
				if lastTerm >= 0 {
					p.q.addPair(lastTerm, int32(at))
				}
				lastTerm = int32(at)
			}
		}
		between := raw[lastEnd:start]
		// A short second word is a particle: "work tree" may be one identifier in code, "log in" is not.
		joined := string(between) == "-" || string(between) == " " && len(word) > 2
		if prose := len(toks) == 1 && !block; prose && lastWord != nil && joined {
			p.addJoined(lastWord, word, start < title)
		}
		lastWord, lastEnd = word, end
		if len(toks) > 1 {
			lastWord = nil
		}
	})
}

// addJoined adds two neighbouring words as the identifier they would make.
func (p *parser) addJoined(a, b []byte, title bool) {
	joined := bytes.ToLower(slices.Concat(a, b))
	if len(joined) > 60 {
		return
	}
	p.add(Term{Term: words.Of(string(joined)), Word: string(a) + " " + string(b), Weight: 0.5, Title: title, Compound: true, Part: true})
}

// mark returns the offsets of all bytes that belong to a match of an expression.
func mark(text []byte, re *regexp.Regexp) map[int]bool {
	in := map[int]bool{}
	for _, m := range re.FindAllIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			in[i] = true
		}
	}
	return in
}

func (p *parser) add(t Term) {
	i, ok := p.at[t.Term]
	if !ok {
		if len(p.q.Terms) >= maxTermsIn {
			return
		}
		p.at[t.Term] = len(p.q.Terms)
		p.q.Terms = append(p.q.Terms, t)
		return
	}
	have := &p.q.Terms[i]
	// A repeated word weighs more, by less each time.
	have.Weight = max(have.Weight, t.Weight) + 0.3*min(have.Weight, t.Weight)
	have.Title, have.Code = have.Title || t.Title, have.Code || t.Code
	have.Part, have.Compound = have.Part && t.Part, have.Compound || t.Compound
}

func (p *parser) finish() {
	for i := range p.q.Terms {
		t := &p.q.Terms[i]
		t.Weight = min(t.Weight, 4)
		switch t.Word {
		case "test", "tests", "Test", "Tests", "testing", "unittest", "spec", "fixture", "benchmark":
			p.q.WantTest = p.q.WantTest || t.Title
		case "doc", "docs", "documentation", "README", "readme", "changelog", "typo":
			p.q.WantDoc = p.q.WantDoc || t.Title
		}
	}
}
