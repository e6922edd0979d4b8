package extract

import (
	"strings"

	"ken/internal/engine/extract/lexical"
)

// markup is a tokenizer of HTML and of languages written like it (Vue, Svelte). It has
// those states of the HTML standard's tokenizer
// (https://html.spec.whatwg.org/multipage/parsing.html#tokenization) that decide where
// tags and attributes begin and end, and reads any input to its end in one pass.
type markup struct {
	s string
	i int
	// braces opens an expression in text and attributes: "{{" (Vue), "{" (Svelte), ""
	// if nothing does. It is emptied at an expression that never ends, so that the rest
	// is not searched again and again.
	braces string
	attrs  []markupAttr // of the last start tag
}

// markupAttr is an attribute; value is without quotes.
type markupAttr struct {
	name, value     string
	nameAt, valueAt int
}

// markupToken is a tag or an expression.
type markupToken struct {
	kind     tokenKind
	name     string // name of a tag, as written
	at, end  int    // the whole token
	from, to int    // the inside of a raw element (script, style) or expression
	raw      bool
	closed   bool // "/>"
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota // of the file
	startTag
	endTag
	expression
)

// next is the next token that is not text or comment.
func (m *markup) next() markupToken {
	for m.i < len(m.s) {
		n := -1
		if m.braces == "" {
			n = strings.IndexByte(m.s[m.i:], '<')
		} else {
			n = strings.IndexAny(m.s[m.i:], "<{")
		}
		if n < 0 {
			break
		}
		m.i += n
		if m.s[m.i] == '{' {
			if t, ok := m.expression(); ok {
				return t
			}
			continue
		}
		if t, ok := m.tag(); ok {
			return t
		}
	}
	m.i = len(m.s)
	return markupToken{}
}

// expression reads an expression at a brace.
func (m *markup) expression() (markupToken, bool) {
	at := m.i
	if !strings.HasPrefix(m.s[at:], m.braces) {
		m.i++
		return markupToken{}, false
	}
	end := m.expressionEnd(at)
	if end < 0 {
		m.i++
		return markupToken{}, false
	}
	m.i = end
	w := len(m.braces)
	return markupToken{kind: expression, at: at, end: end, from: at + w, to: end - w}, true
}

// expressionEnd is the offset after the expression at at, -1 if it does not end.
func (m *markup) expressionEnd(at int) int {
	if m.braces == "{{" {
		if n := strings.Index(m.s[at:], "}}"); n >= 0 {
			return at + n + 2
		}
		m.braces = ""
		return -1
	}
	depth := 0
	for i := at; i < len(m.s); i++ {
		switch c := m.s[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			i++
			end := byte('\n')
			if c == '`' {
				end = c // a template may hold line breaks
			}
			for i < len(m.s) && m.s[i] != c && m.s[i] != end {
				if m.s[i] == '\\' {
					i++
				}
				i++
			}
		case '/':
			if strings.HasPrefix(m.s[i:], "//") {
				i = lexical.LineEnd(m.s, i)
			} else if strings.HasPrefix(m.s[i:], "/*") {
				if n := strings.Index(m.s[i+2:], "*/"); n >= 0 {
					i += n + 3
				}
			}
		}
	}
	m.braces = ""
	return -1
}

// tag reads a tag at a "<". A comment or declaration there is skipped.
func (m *markup) tag() (markupToken, bool) {
	at := m.i
	rest := m.s[at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		if strings.HasPrefix(rest[4:], ">") {
			m.i += 5
			return markupToken{}, false
		}
		m.skipTo(4, "-->")
		return markupToken{}, false
	case strings.HasPrefix(rest, "<![CDATA["):
		m.skipTo(9, "]]>")
		return markupToken{}, false
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		m.skipTo(2, ">")
		return markupToken{}, false
	}
	nameAt := at + 1
	closing := lexical.ByteAt(m.s, nameAt) == '/'
	if closing {
		nameAt++
	}
	if !lexical.IsLetter(lexical.ByteAt(m.s, nameAt)) {
		m.i = nameAt
		return markupToken{}, false
	}
	i := nameAt
	for i < len(m.s) && !m.endsName(i) {
		i++
	}
	t := markupToken{kind: startTag, name: m.s[nameAt:i], at: at}
	m.i = i
	t.closed = m.attributes()
	t.end = m.i
	if closing {
		t.kind = endTag
		return t, true
	}
	if isRaw(t.name) && !t.closed {
		m.rawText(&t)
	}
	return t, true
}

// endsName reports whether the name of a tag or attribute ends before the byte at i.
func (m *markup) endsName(i int) bool {
	switch c := m.s[i]; c {
	case '>':
		return true
	case '/':
		return i+1 == len(m.s) || m.s[i+1] == '>'
	default:
		return lexical.IsSpace(c)
	}
}

func (m *markup) skipTo(from int, mark string) {
	if n := strings.Index(m.s[m.i+from:], mark); n >= 0 {
		m.i += from + n + len(mark)
		return
	}
	m.i = len(m.s)
}

// attributes reads up to the ">" and reports whether a "/" comes before it.
func (m *markup) attributes() (closed bool) {
	m.attrs = m.attrs[:0]
	for m.i < len(m.s) {
		switch c := m.s[m.i]; {
		case lexical.IsSpace(c):
			m.i++
		case c == '>':
			m.i++
			return closed
		case c == '/':
			m.i++
			closed = lexical.ByteAt(m.s, m.i) == '>'
		case c == '{' && m.braces == "{":
			end := m.expressionEnd(m.i)
			if end < 0 {
				m.i++
				continue
			}
			m.attrs = append(m.attrs, markupAttr{value: m.s[m.i:end], nameAt: m.i, valueAt: m.i})
			m.i = end
		default:
			m.attribute()
		}
	}
	return closed
}

func (m *markup) attribute() {
	a := markupAttr{nameAt: m.i}
	m.i++
	for m.i < len(m.s) && m.s[m.i] != '=' && !m.endsName(m.i) {
		m.i++
	}
	a.name = m.s[a.nameAt:m.i]
	if i := lexical.SkipSpace(m.s, m.i, len(m.s)); lexical.ByteAt(m.s, i) == '=' {
		m.i = lexical.SkipSpace(m.s, i+1, len(m.s))
		a.value, a.valueAt = m.value()
	}
	m.attrs = append(m.attrs, a)
}

// value reads an attribute's value.
func (m *markup) value() (string, int) {
	if m.i == len(m.s) {
		return "", m.i
	}
	switch c := m.s[m.i]; {
	case c == '"', c == '\'':
		at := m.i + 1
		n := strings.IndexByte(m.s[at:], c)
		if n < 0 {
			m.i = len(m.s)
			return "", at
		}
		m.i = at + n + 1
		return m.s[at : at+n], at
	case c == '{' && m.braces == "{":
		if end := m.expressionEnd(m.i); end > 0 {
			at := m.i
			m.i = end
			return m.s[at:end], at
		}
	}
	at := m.i
	for m.i < len(m.s) && !lexical.IsSpace(m.s[m.i]) && m.s[m.i] != '>' {
		m.i++
	}
	return m.s[at:m.i], at
}

// isRaw reports the elements whose content is not markup.
func isRaw(name string) bool {
	switch strings.ToLower(name) {
	case "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

// beginsWithName reports whether s begins with the name of an element, in any case.
func beginsWithName(s, name string) bool {
	if len(s) < len(name) || !strings.EqualFold(s[:len(name)], name) {
		return false
	}
	return !lexical.IsWord(lexical.ByteAt(s, len(name)))
}

// rawText reads a raw element up to its end tag.
func (m *markup) rawText(t *markupToken) {
	t.raw, t.from = true, m.i
	for i := m.i; ; {
		n := strings.Index(m.s[i:], "</")
		if n < 0 {
			t.to, m.i = len(m.s), len(m.s)
			break
		}
		i += n + 2
		if beginsWithName(m.s[i:], t.name) {
			t.to, m.i = i-2, i-2
			break
		}
	}
	t.end = m.i
}

// attr is the value of an attribute of the last start tag.
func (m *markup) attr(name string) (string, bool) {
	for i := range m.attrs {
		if strings.EqualFold(m.attrs[i].name, name) {
			return m.attrs[i].value, true
		}
	}
	return "", false
}

// blankBut is src with everything blank but the pieces kept, which are in source order.
// Pieces on one line are separated by a semicolon.
func blankBut(src string, keep [][2]int) []byte {
	out := make([]byte, len(src))
	for i := range out {
		if src[i] == '\n' {
			out[i] = '\n'
		} else {
			out[i] = ' '
		}
	}
	for i, k := range keep {
		copy(out[k[0]:k[1]], src[k[0]:k[1]])
		if i+1 < len(keep) && strings.IndexByte(src[k[1]:keep[i+1][0]], '\n') < 0 && k[1] < len(out) {
			out[k[1]] = ';'
		}
	}
	return out
}
