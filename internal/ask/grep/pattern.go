package grep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/outline"
	"ken/internal/engine/view"
)

// maxRegex is the longest regular expression accepted, in bytes.
const maxRegex = 64 << 10

// matcher is a compiled regular expression for one field of a pattern query, such as the name.
type matcher struct {
	re      *regexp.Regexp
	literal []byte // bytes that every match contains, empty if unknown
	plain   bool   // the expression is that literal
}

func newMatcher(what, expr string) (*matcher, error) {
	if expr == "" {
		return nil, nil
	}
	if len(expr) > maxRegex {
		return nil, code.Usagef("%s: the regular expression is longer than %d bytes", what, maxRegex)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, code.Usagef("%s: %v", what, err)
	}
	m := &matcher{re: re}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		m.literal = []byte(longestLiteral(tree.Simplify()))
		m.plain = len(m.literal) > 0 && string(m.literal) == expr
	}
	return m, nil
}

// longestLiteral returns the longest text that every match of a regular expression must contain, "" if none is known.
func longestLiteral(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return longestLiteral(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return longestLiteral(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if l := longestLiteral(sub); len(l) > len(best) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		return commonLiteral(re.Sub)
	}
	return ""
}

// commonLiteral returns a literal that all alternatives contain.
func commonLiteral(list []*syntax.Regexp) string {
	literals := make([]string, len(list))
	for i, sub := range list {
		literals[i] = longestLiteral(sub)
	}
	least := slices.MinFunc(literals, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	if slices.ContainsFunc(literals, func(l string) bool { return !strings.Contains(l, least) }) {
		return ""
	}
	return least
}

// spansLines reports whether a match may contain the end of a line, or depends on where the text begins or ends.
func spansLines(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, spansLines)
}

// rate returns the relevance of a name: 1 if the whole of it matches, ½ if a part does.
func (m *matcher) rate(name []byte) (float64, bool) {
	if len(m.literal) > 0 && !bytes.Contains(name, m.literal) {
		return 0, false
	}
	if m.plain {
		if len(name) == len(m.literal) {
			return 1, true
		}
		return 0.5, true
	}
	loc := m.re.FindIndex(name)
	if loc == nil {
		return 0, false
	}
	if loc[0] == 0 && loc[1] == len(name) {
		return 1, true
	}
	return 0.5, true
}

// patternMatchers are the fields of a query; unused ones are nil.
type patternMatchers struct {
	function, typ, export, imp, signature *matcher
}

func (m *patternMatchers) symbols() bool {
	return m.function != nil || m.typ != nil || m.export != nil || m.signature != nil
}

// patternHit is a matching declaration whose index row is not read yet.
type patternHit struct {
	file      int64
	ord       int32 // -1: the file itself
	name      string
	imported  string
	relevance float64
}

// Pattern finds symbols and importing files by their outlines, most relevant first, then by path and line. It returns a
// *code.UsageError if no field is given or an expression is invalid, and fails if the index cannot be read or ctx ends.
func Pattern(ctx context.Context, s *view.Snapshot, q view.PatternQuery) ([]view.PatternMatch, error) {
	m, err := compilePattern(q)
	if err != nil {
		return nil, err
	}
	hits, err := patternHits(ctx, s, m)
	if err != nil {
		return nil, err
	}
	return patternRows(s, hits, q.Limit)
}

func compilePattern(q view.PatternQuery) (*patternMatchers, error) {
	m := &patternMatchers{}
	for _, f := range []struct {
		dst  **matcher
		what string
		expr string
	}{{&m.function, "--function", q.Function}, {&m.typ, "--type", q.Type}, {&m.export, "--export", q.Export},
		{&m.imp, "--import", q.Import}, {&m.signature, "--signature", q.Signature}} {
		var err error
		if *f.dst, err = newMatcher(f.what, f.expr); err != nil {
			return nil, err
		}
	}
	if !m.symbols() && m.imp == nil {
		return nil, code.Usagef("give at least one of --function, --type, --export, --import, --signature")
	}
	return m, nil
}

// outlineChunk is a batch of outlines, the lists of declarations of files, for one matching goroutine.
type outlineChunk struct {
	n    int // place of the chunk in the run of all
	ids  []int64
	ends []int // of the outlines in data
	data []byte
}

// chunkBytes is the size of a chunk: large enough to be worth handing over,
// small enough that all cores get some.
const chunkBytes = 64 << 10

// patternHits matches all outlines. One goroutine reads them, which is as much work as unpacking and matching them; all cores do that.
func patternHits(ctx context.Context, s *view.Snapshot, m *patternMatchers) ([]patternHit, error) {
	chunks := make(chan outlineChunk, 4)
	found := make(chan chunkHits, 4)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var buf []byte
			for c := range chunks {
				h := chunkHits{n: c.n}
				h.hits, buf, h.err = m.chunk(c, buf)
				found <- h
			}
		})
	}
	var readErr error
	go func() {
		readErr = readChunks(ctx, s, chunks)
		close(chunks)
		wg.Wait()
		close(found)
	}()
	var parts []chunkHits
	var err error
	for h := range found {
		parts = append(parts, h)
		err = errors.Join(err, h.err)
	}
	slices.SortFunc(parts, func(a, b chunkHits) int { return cmp.Compare(a.n, b.n) })
	var hits []patternHit
	for _, p := range parts {
		hits = append(hits, p.hits...)
	}
	return hits, errors.Join(readErr, err)
}

type chunkHits struct {
	n    int
	hits []patternHit
	err  error
}

// readChunks reads the outlines and passes them on.
func readChunks(ctx context.Context, s *view.Snapshot, chunks chan<- outlineChunk) error {
	var c outlineChunk
	n := 0
	for o, err := range s.Index.Outlines() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.ids, c.data = append(c.ids, o.FileID), append(c.data, o.Text...)
		c.ends = append(c.ends, len(c.data))
		if len(c.data) >= chunkBytes {
			chunks <- c
			n++
			c = outlineChunk{n: n, data: make([]byte, 0, chunkBytes+chunkBytes/4)}
		}
	}
	if len(c.ids) > 0 {
		chunks <- c
	}
	return nil
}

// chunk matches the outlines of a chunk; buf is reused.
func (m *patternMatchers) chunk(c outlineChunk, buf []byte) (hits []patternHit, _ []byte, err error) {
	start := 0
	for i, id := range c.ids {
		if buf, err = outline.Decode(buf, c.data[start:c.ends[i]]); err != nil {
			return nil, buf, err
		}
		start = c.ends[i]
		if m.possible(buf) {
			hits = m.file(hits, id, buf)
		}
	}
	return hits, buf, nil
}

// possible reports whether a text contains the literals that every match needs. This test is cheap.
func (m *patternMatchers) possible(text []byte) bool {
	for _, f := range []*matcher{m.function, m.typ, m.export, m.imp, m.signature} {
		if f != nil && len(f.literal) > 0 && !bytes.Contains(text, f.literal) {
			return false
		}
	}
	return true
}

// file matches the lines of one outline. Imports come first in it.
func (m *patternMatchers) file(hits []patternHit, id int64, text []byte) []patternHit {
	imported := ""
	ord := int32(-1)
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			break
		}
		line := text[:end]
		text = text[end+1:]
		switch line[0] {
		case 'i':
			if m.imp != nil && imported == "" && m.imp.re.Match(line[1:]) {
				imported = string(line[1:])
			}
			continue
		case 's':
			ord++
		}
		if m.imp != nil && imported == "" || !m.symbols() {
			continue
		}
		if rel, name, ok := m.symbol(line); ok {
			h := patternHit{file: id, ord: ord, name: name, imported: imported, relevance: rel}
			if line[0] != 's' {
				h.ord = -1
			}
			hits = append(hits, h)
		}
	}
	if m.imp != nil && imported != "" && !m.symbols() {
		hits = append(hits, patternHit{file: id, ord: -1, imported: imported, relevance: 0.7})
	}
	return hits
}

// symbol matches one line against all fields, which must all match; the relevance is their average.
func (m *patternMatchers) symbol(line []byte) (float64, string, bool) {
	l := outline.ParseLine(line)
	sum, n := 0.0, 0
	check := func(f *matcher, applies bool, text []byte, signature bool) bool {
		if f == nil {
			return true
		}
		if !applies {
			return false
		}
		r, ok := f.rate(text)
		if ok && signature {
			r = 1
		}
		sum += r
		n++
		return ok
	}
	ok := check(m.signature, l.Tag == 's', l.Signature, true) &&
		check(m.function, l.Tag == 's' && l.Kind.IsFunction(), l.Name, false) &&
		check(m.typ, l.Tag == 's' && l.Kind.IsType(), l.Name, false) &&
		check(m.export, l.Tag == 'e' || l.Exported, l.Name, false)
	if !ok {
		return 0, "", false
	}
	return sum / float64(n), string(l.Name), true
}

// patternRows orders the hits, keeps the first limit of them and reads their rows.
func patternRows(s *view.Snapshot, hits []patternHit, limit int) ([]view.PatternMatch, error) {
	paths := map[int64]string{}
	slices.SortStableFunc(hits, func(a, b patternHit) int { return cmp.Compare(b.relevance, a.relevance) })
	if limit > 0 && len(hits) > limit {
		// Of the hits as relevant as the last one kept, paths decide.
		worst := hits[limit-1].relevance
		hits = hits[:sort.Search(len(hits), func(i int) bool { return hits[i].relevance < worst })]
	}
	for _, h := range hits {
		if _, ok := paths[h.file]; ok {
			continue
		}
		p, err := s.Index.PathByID(h.file)
		if err != nil {
			return nil, err
		}
		paths[h.file] = p
	}
	slices.SortStableFunc(hits, func(a, b patternHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), strings.Compare(paths[a.file], paths[b.file]))
	})
	if limit > 0 && len(hits) > limit {
		hits = hits[:limit]
	}
	out := make([]view.PatternMatch, 0, len(hits))
	for _, h := range hits {
		m, err := patternMatch(s, h, paths[h.file])
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func patternMatch(s *view.Snapshot, h patternHit, path string) (view.PatternMatch, error) {
	m := view.PatternMatch{Path: path, Import: h.imported, Relevance: h.relevance}
	switch {
	case h.ord >= 0:
		row, ok, err := s.Index.Symbol(code.SymbolID{File: h.file, Ord: h.ord})
		if err != nil {
			return m, err
		}
		if ok {
			m.Symbol = &view.Symbol{Symbol: row.Symbol, ID: code.SymbolID{File: h.file, Ord: h.ord}.Pack(), Path: path}
		}
	case h.name != "":
		m.Symbol = &view.Symbol{Symbol: code.Symbol{Name: h.name, Qualified: h.name, Exported: true}, Path: path}
	}
	return m, nil
}
