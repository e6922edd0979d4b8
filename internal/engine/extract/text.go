package extract

import (
	"sort"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// signature returns the text from start to before end as one line of at most
// MaxSignature bytes, without comments and with single spaces. A list over several
// lines loses the padding and the last comma inside its brackets, so that layout
// does not change a signature.
func (t *tree) signature(start, end uint32) string {
	end = min(t.blankedEnd(end), uint32(len(t.text)), start+signatureSource)
	if start >= end {
		return ""
	}
	first := sort.Search(len(t.comments), func(i int) bool { return t.start(t.comments[i]) >= start })
	commented := first < len(t.comments) && t.start(t.comments[first]) < end
	if source := t.text[start:end]; !commented && lexical.IsOneLine(source) {
		return lexical.Cut(strings.TrimSpace(source), code.MaxSignature)
	}
	l := liner{quotes: t.g.quotes, lines: t.g.lines}
	for _, c := range t.comments[first:] {
		if t.start(c) >= end || l.full() {
			break
		}
		if t.start(c) >= start {
			l.add(t.text[start:t.start(c)])
			l.space, start = true, t.end(c)
		}
	}
	if start < end {
		l.add(t.text[start:end])
	}
	return lexical.Cut(strings.TrimSpace(string(l.out)), code.MaxSignature)
}

// blankedEnd returns the offset behind a closing bracket that follows end and that a repair of the source has blanked, else end.
func (t *tree) blankedEnd(end uint32) uint32 {
	for i := int(end); i < min(len(t.parsed), int(end)+signatureSource) && t.parsed[i] == ' '; i++ {
		switch t.text[i] {
		case '>', '}':
			return uint32(i) + 1
		case ' ', '\n', ';':
		default:
			return end
		}
	}
	return end
}

// signatureSource is the largest number of bytes that are read for one signature,
// and docComments the largest number of comments for one doc. They bound the cost of
// hostile source in which many declarations share one statement.
const (
	signatureSource = 16 * code.MaxSignature
	docComments     = 512
)

// maxAssignment is the length of the longest assignment that a signature shows with its value.
const maxAssignment = 100

// fitsSignature reports whether an assignment is short enough to be shown in a signature.
func fitsSignature(s string) bool {
	return len(s) <= maxAssignment && strings.IndexByte(s, '\n') < 0
}

// liner joins the lines of source text into one line.
type liner struct {
	out     []byte
	quotes  string
	lines   bool   // in braces, a line break may end a member
	quote   byte   // the open string's quote, 0 outside strings
	triple  bool   // three of them end it
	open    []byte // the open brackets
	space   bool   // white space is to be written before the next character
	newline bool   // that white space holds a line break
}

func (l *liner) full() bool { return len(l.out) > code.MaxSignature+4 }

func (l *liner) add(s string) {
	for i := 0; i < len(s) && !l.full(); i++ {
		c := s[i]
		if l.quote != 0 {
			i += l.inString(s[i:])
			continue
		}
		if strings.IndexByte(l.quotes, c) >= 0 && opensTriple(s[i:]) {
			l.flush(c)
			l.out, l.quote, l.triple = append(l.out, s[i:i+3]...), c, true
			i += 2
			continue
		}
		switch c {
		case ' ', '\t', '\r', '\v', '\f', 0:
			l.space = true
		case '\n':
			l.space, l.newline = true, true
		case '\\':
			if n := continued(s[i:]); n > 0 {
				l.space = true
				i += n
				continue
			}
			fallthrough
		default:
			l.flush(c)
			l.nest(c)
			l.out = append(l.out, c)
		}
	}
}

// substitution is the mark of an open ${ in liner.open, behind which a template string goes on.
const substitution = '$'

// opensTriple reports whether s begins with the three quotes of a string that three others end.
func opensTriple(s string) bool {
	quotes := s[:min(3, len(s))]
	if quotes != `"""` && quotes != "'''" {
		return false
	}
	return strings.Contains(s[3:], quotes)
}

// nest opens or closes the bracket or string that begins or ends with c.
func (l *liner) nest(c byte) {
	switch c {
	case '{', '(', '[':
		l.open = append(l.open, c)
	case '}', ')', ']':
		if c == '}' && len(l.open) > 0 && l.open[len(l.open)-1] == substitution {
			l.quote = '`'
		}
		l.open = l.open[:max(0, len(l.open)-1)]
	default:
		if strings.IndexByte(l.quotes, c) >= 0 {
			l.quote = c
		}
	}
}

// separates reports whether the pending line break ends a member of the open braces that is
// followed by one that begins with c. It decides by the characters on both sides, as Go's own
// rule does. TypeScript's needs the syntax as well, for operators that are words; no line ends
// with one in the corpora of TestSignatures.
func (l *liner) separates(c byte) bool {
	switch {
	case !l.lines, !l.newline, len(l.open) == 0, l.open[len(l.open)-1] != '{', strings.IndexByte(")}]>,;|&?:.=", c) >= 0:
		return false
	}
	last := l.last()
	return lexical.IsWord(last) || strings.IndexByte(")]}\"'`", last) >= 0 || last == '>' && !strings.HasSuffix(string(l.out), "=>")
}

// continued returns the length of the line break behind the backslash at the beginning of s,
// which joins two lines, or 0.
func continued(s string) int {
	switch {
	case strings.HasPrefix(s[1:], "\n"):
		return 1
	case strings.HasPrefix(s[1:], "\r\n"):
		return 2
	}
	return 0
}

// inString copies the next character of a string literal and returns the number of
// further bytes it copied. Line breaks become escapes.
func (l *liner) inString(s string) int {
	switch {
	case l.triple && strings.HasPrefix(s, strings.Repeat(string(l.quote), 3)):
		l.out, l.quote, l.triple = append(l.out, s[:3]...), 0, false
		return 2
	case s[0] == l.quote && !l.triple:
		l.out, l.quote = append(l.out, s[0]), 0
		return 0
	case l.quote == '`' && strings.HasPrefix(s, "${"):
		l.out, l.quote, l.open = append(l.out, s[:2]...), 0, append(l.open, substitution)
		return 1
	}
	switch s[0] {
	case '\n':
		l.out = append(l.out, `\n`...)
	case '\r', 0:
	case '\\':
		if n := continued(s); n > 0 {
			return n
		}
		l.out = append(l.out, s[:min(2, len(s))]...)
		return min(1, len(s)-1)
	default:
		l.out = append(l.out, s[0])
	}
	return 0
}

// last returns the last byte written, or 0 at the beginning.
func (l *liner) last() byte {
	if len(l.out) == 0 {
		return 0
	}
	return l.out[len(l.out)-1]
}

// flush writes the pending white space before c.
func (l *liner) flush(c byte) {
	if !l.space {
		return
	}
	closing := strings.IndexByte(")]>", c) >= 0
	if l.newline && closing && l.last() == ',' {
		l.out = l.out[:len(l.out)-1]
	}
	opened := strings.IndexByte("([<", l.last()) >= 0
	if l.separates(c) {
		l.out = append(l.out, ';')
	}
	if padding := l.newline && (opened || closing); !padding {
		l.out = append(l.out, ' ')
	}
	l.space, l.newline = false, false
}

// docBefore returns the text of the comments that end directly before offset start. Each
// must be accepted, and no empty line may separate them. A block comment is taken alone;
// line comments are joined.
func (t *tree) docBefore(start uint32, accept func(comment string) bool) string {
	last := sort.Search(len(t.comments), func(i int) bool { return t.start(t.comments[i]) >= start })
	first := last
	for at := start; first > 0 && last-first < docComments; first-- {
		c := t.comments[first-1]
		if !t.endsBefore(c, at) || !accept(t.str(c)) {
			break
		}
		block := strings.HasPrefix(t.str(c), "/*")
		if block && first < last {
			break
		}
		at = t.start(c)
		if block {
			first--
			break
		}
	}
	if first == last {
		return ""
	}
	return t.docText(t.comments[first:last])
}

// endsBefore reports whether only white space without an empty line separates
// comment c from offset at.
func (t *tree) endsBefore(c node, at uint32) bool {
	return t.end(c) <= at && lexical.IsGap(t.text[t.end(c):at], strings.HasSuffix(t.str(c), "\n"))
}

func (t *tree) docText(comments []node) string {
	var b strings.Builder
	for _, c := range comments {
		if b.Len() > 4*code.MaxDoc {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(lexical.Cut(t.str(c), 8*code.MaxDoc), "\r\n"))
	}
	return lexical.CleanDoc(b.String())
}
