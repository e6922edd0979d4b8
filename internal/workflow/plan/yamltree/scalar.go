package yamltree

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/edit"
)

// readValue reads the value after a colon or a dash. at is the offset of the value, i its line, and indent the column of its key: lines
// that are indented deeper belong to the value. It returns the value and the line after it.
func (p *parser) readValue(at, i, indent, depth int) (*Node, int) {
	l := p.lines[i]
	switch p.text[at] {
	case '|', '>':
		if n, next, ok := p.readBlockScalar(at, i, indent); ok {
			return n, next
		}
	case '[', '{':
		f := &flowReader{p: p, at: at, end: p.indentedEnd(i, indent)}
		if n, ok := f.readValue(depth); ok && p.endsLine(f.at) {
			return n, p.lineAfter(i, f.at)
		}
		p.addProblem(l, "the list or map in brackets is not closed")
		return p.readOpaque(at, i, indent)
	case '"', '\'':
		end, ok := p.quotedEnd(at, p.indentedEnd(i, indent))
		if !ok {
			p.addProblem(l, "the quote is not closed")
			return p.readOpaque(at, i, indent)
		}
		if p.endsLine(end) {
			return p.quotedNode(edit.Span{Start: at, End: end}, l.number), p.lineAfter(i, end)
		}
		// A text such as "a" and "b", which begins with a quoted word, is a plain scalar. People write that.
	}
	return p.readPlain(at, i, indent)
}

// indentedEnd returns the offset at which the value that begins in line i must have ended: the end of the last line after it that is
// indented deeper than the key. A closing bracket belongs to the value even at the column of the key.
func (p *parser) indentedEnd(i, indent int) int {
	end := p.lines[i].end
	for j := i + 1; j < len(p.lines); j++ {
		l := p.lines[j]
		if l.indent <= indent && strings.IndexByte("]}", p.text[l.start]) < 0 {
			break
		}
		end = l.end
	}
	return end
}

// endsLine reports whether nothing, or only a comment, follows an offset in its line.
func (p *parser) endsLine(at int) bool {
	from := at
	for at < p.span.End && strings.IndexByte(" \t\r", p.text[at]) >= 0 {
		at++
	}
	return at == p.span.End || p.text[at] == '\n' || at > from && isComment(p.text[at:])
}

// lineAfter returns the index of the line after the one that contains offset. i is an earlier line, from which it searches.
func (p *parser) lineAfter(i, offset int) int {
	for i < len(p.lines) && p.lines[i].begin < offset {
		i++
	}
	return i
}

// readOpaque returns a value that cannot be read, with all lines that belong to it, and the line after it.
func (p *parser) readOpaque(at, i, indent int) (*Node, int) {
	n := &Node{Kind: Scalar, Style: Unreadable, Span: edit.Span{Start: at, End: p.lines[i].end}, Line: p.lines[i].number}
	for i++; i < len(p.lines) && p.lines[i].indent > indent; i++ {
		n.Span.End = p.lines[i].end
	}
	n.Value = n.Span.Text(p.text)
	return n, i
}

// readPlain reads a scalar without quotes. It ends at a comment.
func (p *parser) readPlain(at, i, indent int) (*Node, int) {
	l := p.lines[i]
	n := &Node{Kind: Scalar, Span: edit.Span{Start: at, End: p.plainEnd(at, l.end)}, Line: l.number}
	n.Value = n.Span.Text(p.text)
	var b strings.Builder
	for i++; i < len(p.lines) && p.lines[i].indent > indent && p.text[p.lines[i].start] != '#'; i++ {
		if n.Style == Plain {
			n.Style = PlainOnLines
			b.WriteString(n.Value)
		}
		n.Span.End = p.plainEnd(p.lines[i].start, p.lines[i].end)
		b.WriteByte(' ')
		b.WriteString(p.text[p.lines[i].start:n.Span.End])
	}
	if n.Style == PlainOnLines {
		n.Value = b.String()
	}
	return n, i
}

// commentIndex returns the index of the blank before a comment, or -1. A comment begins with a # that has a blank before it, and a blank
// or the end of the line after it. YAML needs no blank after it, but people write "issue #12" and "see ## Notes" without quotes, and
// that must not be lost.
func commentIndex(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != '#' || !isBlank(s[i-1]) {
			continue
		}
		if i+1 == len(s) || isBlank(s[i+1]) {
			return i - 1
		}
	}
	return -1
}

// isComment reports whether a text begins with a comment.
func isComment(s string) bool {
	return s[0] == '#' && (len(s) == 1 || strings.IndexByte(" \t\r\n", s[1]) >= 0)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func (p *parser) plainEnd(at, end int) int {
	if i := commentIndex(p.text[at:end]); i >= 0 {
		end = at + i
	}
	for end > at && (p.text[end-1] == ' ' || p.text[end-1] == '\t') {
		end--
	}
	return end
}

// readBlockScalar reads a block scalar: the lines below | or > that are indented deeper. It returns false if there is none at offset at.
func (p *parser) readBlockScalar(at, i, indent int) (n *Node, next int, ok bool) {
	l := p.lines[i]
	head := p.text[at:p.plainEnd(at, l.end)]
	if strings.Trim(head[1:], "+-0123456789") != "" {
		return nil, 0, false
	}
	n = &Node{Kind: Scalar, Style: Literal, Span: edit.Span{Start: at, End: at + len(head)}, Line: l.number}
	var b strings.Builder
	column, number := -1, 0
	for i++; i < len(p.lines) && p.lines[i].indent > indent; i++ {
		l := p.lines[i]
		if column < 0 {
			column, number = l.indent, l.number-1
		}
		for ; number+1 < l.number; number++ {
			b.WriteByte('\n')
		}
		number = l.number
		b.WriteString(p.text[min(l.begin+column, l.start):l.end])
		b.WriteByte('\n')
		n.Span.End = l.end
	}
	n.Value = b.String()
	if head[0] == '>' {
		n.Value = strings.ReplaceAll(strings.TrimRight(n.Value, "\n"), "\n", " ") + "\n"
	}
	if strings.Contains(head, "-") {
		n.Value = strings.TrimRight(n.Value, "\n")
	}
	return n, i, true
}

// quotedEnd returns the offset after the quoted scalar that begins at offset at.
func (p *parser) quotedEnd(at, end int) (int, bool) {
	n := quotedLen(p.text[at:end])
	return at + n, n > 0
}

// quotedLen returns the length of the quoted text at the beginning of s, or 0 if there is none.
func quotedLen(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] != s[0]:
		case s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 0
}

func (p *parser) quotedNode(s edit.Span, line int) *Node {
	style := Double
	if p.text[s.Start] == '\'' {
		style = Single
	}
	return &Node{Kind: Scalar, Style: style, Span: s, Line: line, Value: unquote(s.Text(p.text))}
}

// unquote returns the value of a scalar from its text, which may have quotes.
func unquote(s string) string {
	if quotedLen(s) != len(s) || s == "" {
		return s
	}
	inner := foldLines(s[1 : len(s)-1])
	if s[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'")
	}
	if !strings.Contains(inner, `\`) {
		return inner
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' || i+1 == len(inner) {
			b.WriteByte(inner[i])
			continue
		}
		i++
		i += writeUnescaped(&b, inner[i:])
	}
	return b.String()
}

// writeUnescaped writes the character that an escape means. s is the text after the backslash; the result is the number of bytes that
// belong to the escape after the first byte of s. An unknown escape is written as it is.
func writeUnescaped(b *strings.Builder, s string) int {
	const from, to = "0abtnvfre\"/\\ _N", "\x00\a\b\t\n\v\f\r\x1b\"/\\ \u00a0"
	if i := strings.IndexByte(from[:13], s[0]); i >= 0 {
		b.WriteByte(to[i])
		return 0
	}
	width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if width > 0 && len(s) > width {
		if v, err := strconv.ParseUint(s[1:1+width], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
			b.WriteRune(rune(v))
			return width
		}
	}
	b.WriteByte('\\')
	b.WriteByte(s[0])
	return 0
}

// foldLines joins the lines of a scalar with one blank each. Unlike YAML it keeps no line break of an empty line.
func foldLines(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}
