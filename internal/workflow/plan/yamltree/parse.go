package yamltree

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/edit"
)

// maxDepth is the maximal depth of nested values. Deeper values are kept as text.
const maxDepth = 64

// line is a line that is not empty. In "- key: value" the text after the dash is read as a line of its own, so start and indent are then
// those of that text.
type line struct {
	start, end int // offsets, without indentation and line ending
	begin      int // the offset of the first byte
	next       int // the offset of the next line
	indent     int
	number     int // from 1
}

type parser struct {
	text  string
	span  edit.Span
	lines []line
	// after has for each line the index of the first line from it on that is not a comment.
	after    []int
	problems []edit.Problem
}

// Parse reads the front matter in a span of text. first is the number of lines before the span. The spans in the tree count from the
// beginning of text.
func Parse(text string, span edit.Span, first int) *Tree {
	p := &parser{text: text, span: span}
	p.splitLines(first)
	root := &Node{Kind: Map, Style: Block, Span: edit.Span{Start: span.Start, End: span.Start}, Line: first + 1}
	t := &Tree{Span: span, text: text, Root: root}
	for i := p.skipComments(0); i < len(p.lines); {
		l := p.lines[i]
		if !p.isKey(l, false) {
			p.addProblem(l, "no key and value")
			i = p.skipComments(i + 1)
			continue
		}
		var m *Node
		m, i = p.parseMap(i, 0)
		t.Root.Pairs = append(t.Root.Pairs, m.Pairs...)
		t.Root.Span.End = m.Span.End
	}
	t.Broken = p.problems
	seen := map[string]bool{}
	for _, pair := range t.Root.Pairs {
		if seen[pair.Key] {
			p.problems = append(p.problems, edit.Problem{Line: pair.Line, Why: fmt.Sprintf("%.40s is there twice: the last is read", pair.Key)})
		}
		seen[pair.Key] = true
	}
	t.Problems = p.problems
	return t
}

func (p *parser) addProblem(l line, why string) {
	p.problems = append(p.problems, edit.Problem{Line: l.number, Why: why})
}

func (p *parser) splitLines(first int) {
	for at := p.span.Start; at < p.span.End; {
		first++
		l := line{begin: at, number: first, next: p.span.End}
		if i := strings.IndexByte(p.text[at:p.span.End], '\n'); i >= 0 {
			l.next = at + i + 1
		}
		l.end = l.next
		for l.end > at && strings.IndexByte(" \t\r\n", p.text[l.end-1]) >= 0 {
			l.end--
		}
		l.start = at
		for l.start < l.end && p.text[l.start] == ' ' {
			l.start++
		}
		l.indent = l.start - at
		at = l.next
		if l.start == l.end {
			continue
		}
		if p.text[l.start] == '\t' {
			p.addProblem(l, "a tab indents this line: YAML wants blanks")
			for l.start < l.end && strings.IndexByte(" \t", p.text[l.start]) >= 0 {
				l.start++
				l.indent++
			}
		}
		p.lines = append(p.lines, l)
	}
	p.after = make([]int, len(p.lines)+1)
	p.after[len(p.lines)] = len(p.lines)
	for i := len(p.lines) - 1; i >= 0; i-- {
		p.after[i] = i
		if p.text[p.lines[i].start] == '#' {
			p.after[i] = p.after[i+1]
		}
	}
}

// skipComments returns the index of the first line from line i on that is not a comment.
func (p *parser) skipComments(i int) int { return p.after[min(i, len(p.lines))] }

func (p *parser) lineText(l line) string { return p.text[l.start:l.end] }

func (p *parser) isItem(l line) bool {
	s := p.lineText(l)
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// keyEnd returns the length of the key at the beginning of a line, and the length of the key with its colon. Both are 0 if there is no
// key. In a list a key must be a single word, because "- see: the page" is mostly prose.
func (p *parser) keyEnd(l line, inList bool) (key, colon int) {
	s := p.lineText(l)
	if n := quotedLen(s); n > 0 {
		if after := strings.TrimLeft(s[n:], " "); strings.HasPrefix(after, ":") {
			return n, len(s) - len(after) + 1
		}
		return 0, 0
	}
	if strings.IndexByte("#[]{}&*!|>%@`,?:", s[0]) >= 0 || p.isItem(l) {
		return 0, 0
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ':':
			if !endsKey(s[i+1:], inList) {
				return 0, 0
			}
			return len(strings.TrimRight(s[:i], " ")), i + 1
		case isWordByte(s[i]), s[i] >= 0x80, s[i] == '.', s[i] == '/':
		case s[i] == ' ' && !inList:
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// endsKey reports whether a colon ends a key. rest is the text after the colon. Outside of lists "key:value" is a key, too, because other
// programs read it so.
func endsKey(rest string, inList bool) bool {
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' {
		return true
	}
	return !inList && !strings.HasPrefix(rest, "//")
}

func (p *parser) isKey(l line, inList bool) bool {
	n, _ := p.keyEnd(l, inList)
	return n > 0
}

func isWordByte(c byte) bool {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '_', c == '-':
		return true
	}
	return false
}

// parseBlock reads the map, list or scalar that begins at line i. It returns the value and the line after it.
func (p *parser) parseBlock(i, depth int) (*Node, int) {
	l := p.lines[i]
	switch {
	case depth >= maxDepth:
		p.addProblem(l, "nested too deep: not read")
		return p.readOpaque(l.start, i, l.indent-1)
	case p.isItem(l):
		return p.parseList(i, depth)
	case p.isKey(l, false):
		return p.parseMap(i, depth)
	}
	return p.readValue(l.start, i, l.indent-1, depth)
}

func (p *parser) parseMap(i, depth int) (*Node, int) {
	first := p.lines[i]
	n := &Node{Kind: Map, Style: Block, Span: edit.Span{Start: first.start, End: first.end}, Line: first.number}
	for i < len(p.lines) && p.lines[i].indent >= first.indent {
		l := p.lines[i]
		if l.indent > first.indent || !p.isKey(l, false) {
			if l.indent == first.indent && p.isItem(l) && depth > 0 {
				break
			}
			p.addProblem(l, "no key and value")
			i = p.skipComments(i + 1)
			continue
		}
		var pair *Pair
		pair, i = p.parsePair(i, depth)
		n.Pairs = append(n.Pairs, pair)
		n.Span.End = max(pair.Value.Span.End, pair.Colon)
	}
	return n, i
}

// parsePair reads a key and its value, which may continue in the lines below. It returns the pair and the line after it.
func (p *parser) parsePair(i, depth int) (*Pair, int) {
	l := p.lines[i]
	key, colon := p.keyEnd(l, false)
	pair := &Pair{Key: unquote(p.lineText(l)[:key]), Line: l.number, Colon: l.start + colon, indent: l.indent}
	pair.Span.Start = l.begin
	at := p.skipBlanks(pair.Colon, l.end)
	next := i + 1
	comment := at < l.end && at > pair.Colon && isComment(p.text[at:])
	switch {
	case at < l.end && !comment:
		pair.Value, next = p.readValue(at, i, l.indent, depth+1)
	default:
		pair.Value = &Node{Span: edit.Span{Start: pair.Colon, End: pair.Colon}, Line: l.number}
		below := p.skipComments(i + 1)
		// The value is indented deeper than its key, or is a list with the same indentation.
		if below < len(p.lines) && (p.lines[below].indent > l.indent || p.lines[below].indent == l.indent && p.isItem(p.lines[below])) {
			pair.Value, next = p.parseBlock(below, depth+1)
		}
	}
	pair.Span.End = p.lines[max(next, i+1)-1].next
	if last := pair.Value.Span.End; last < pair.Span.End && next > i+1 {
		// Comments between this pair and the next belong to neither of them.
		pair.Span.End = p.lineEnd(max(last, l.end))
	}
	return pair, p.skipComments(next)
}

// lineEnd returns the offset of the line after the one that contains offset.
func (p *parser) lineEnd(offset int) int {
	if i := strings.IndexByte(p.text[offset:p.span.End], '\n'); i >= 0 {
		return offset + i + 1
	}
	return p.span.End
}

func (p *parser) skipBlanks(at, end int) int {
	for at < end && (p.text[at] == ' ' || p.text[at] == '\t') {
		at++
	}
	return at
}

func (p *parser) parseList(i, depth int) (*Node, int) {
	first := p.lines[i]
	n := &Node{Kind: List, Style: Block, Span: edit.Span{Start: first.start, End: first.end}, Line: first.number}
	for i < len(p.lines) && p.lines[i].indent >= first.indent {
		l := p.lines[i]
		if l.indent > first.indent || !p.isItem(l) {
			if l.indent == first.indent {
				break
			}
			p.addProblem(l, "indented deeper than the list")
			i = p.skipComments(i + 1)
			continue
		}
		var it *Node
		it, i = p.parseItem(i, depth)
		n.Items = append(n.Items, it)
		n.Span.End = max(it.Span.End, l.start+1)
	}
	return n, i
}

func (p *parser) parseItem(i, depth int) (*Node, int) {
	l := p.lines[i]
	at := p.skipBlanks(l.start+1, l.end)
	if at == l.end || isComment(p.text[at:]) {
		empty := &Node{Span: edit.Span{Start: l.start + 1, End: l.start + 1}, Line: l.number}
		below := p.skipComments(i + 1)
		if below < len(p.lines) && p.lines[below].indent > l.indent {
			return p.parseBlock(below, depth+1)
		}
		return empty, below
	}
	// The text after the dash is read as a line of its own, indented deeper than the dash.
	inner := l
	inner.start, inner.indent = at, l.indent+at-l.start
	if !p.isItem(inner) && !p.isKey(inner, true) {
		v, next := p.readValue(at, i, l.indent, depth+1)
		return v, p.skipComments(next)
	}
	p.lines[i] = inner
	return p.parseBlock(i, depth+1)
}
