// Package markup reads the tags, attributes and expressions of HTML and of the languages
// written like it.
package markup

import (
	"strings"

	"ken/internal/engine/extract/lexical"
)

// Reader is a tokenizer of HTML and of languages written like it (Vue, Svelte). It has
// those states of the HTML standard's tokenizer
// (https://html.spec.whatwg.org/multipage/parsing.html#tokenization) that decide where
// tags and attributes begin and end, and reads any input to its end in one pass.
type Reader struct {
	s string
	i int
	// Braces opens an expression in text and attributes: "{{" (Vue), "{" (Svelte), ""
	// if nothing does. It is emptied at an expression that never ends, so that the rest
	// is not searched again and again.
	Braces string
	Attrs  []Attr // of the last start tag
}

// New reads text from offset at on.
func New(text string, at int, braces string) Reader {
	return Reader{s: text, i: at, Braces: braces}
}

// Attr is an attribute; Value is without quotes, and the offsets are those of name and value.
type Attr struct {
	Name, Value     string
	NameAt, ValueAt int
}

// Token is a tag or an expression.
type Token struct {
	Kind     Kind
	Name     string // name of a tag, as written
	At, End  int    // the whole token
	From, To int    // the inside of a raw element (script, style) or expression
	Raw      bool
	Closed   bool // "/>"
}

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End Kind = iota // of the file
	StartTag
	EndTag
	Expression
)

// Next returns the next token that is not text or comment.
func (m *Reader) Next() Token {
	for m.i < len(m.s) {
		n := -1
		if m.Braces == "" {
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
	return Token{}
}

// NextExpression returns the next expression in braces, wherever it is. ok is false if none
// begins or it does not end.
func (m *Reader) NextExpression() (t Token, ok bool) {
	n := strings.Index(m.s[m.i:], m.Braces)
	if n < 0 {
		return Token{}, false
	}
	m.i += n
	return m.expression()
}

// expression reads an expression at a brace.
func (m *Reader) expression() (Token, bool) {
	at := m.i
	if !strings.HasPrefix(m.s[at:], m.Braces) {
		m.i++
		return Token{}, false
	}
	end := m.expressionEnd(at)
	if end < 0 {
		m.i++
		return Token{}, false
	}
	m.i = end
	w := len(m.Braces)
	return Token{Kind: Expression, At: at, End: end, From: at + w, To: end - w}, true
}

// expressionEnd returns the offset after the expression at at, or -1 if it does not end.
func (m *Reader) expressionEnd(at int) int {
	if m.Braces == "{{" {
		if n := strings.Index(m.s[at:], "}}"); n >= 0 {
			return at + n + 2
		}
		m.Braces = ""
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
	m.Braces = ""
	return -1
}

// tag reads a tag at a "<". A comment or declaration there is skipped.
func (m *Reader) tag() (Token, bool) {
	at := m.i
	rest := m.s[at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		if strings.HasPrefix(rest[4:], ">") {
			m.i += 5
			return Token{}, false
		}
		m.skipTo(4, "-->")
		return Token{}, false
	case strings.HasPrefix(rest, "<![CDATA["):
		m.skipTo(9, "]]>")
		return Token{}, false
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		m.skipTo(2, ">")
		return Token{}, false
	}
	nameAt := at + 1
	closing := lexical.ByteAt(m.s, nameAt) == '/'
	if closing {
		nameAt++
	}
	if !lexical.IsLetter(lexical.ByteAt(m.s, nameAt)) {
		m.i = nameAt
		return Token{}, false
	}
	i := nameAt
	for i < len(m.s) && !m.endsName(i) {
		i++
	}
	t := Token{Kind: StartTag, Name: m.s[nameAt:i], At: at}
	m.i = i
	t.Closed = m.attributes()
	t.End = m.i
	if closing {
		t.Kind = EndTag
		return t, true
	}
	if isRaw(t.Name) && !t.Closed {
		m.RawText(&t)
	}
	return t, true
}

// endsName reports whether the name of a tag or attribute ends before the byte at i.
func (m *Reader) endsName(i int) bool {
	switch c := m.s[i]; c {
	case '>':
		return true
	case '/':
		return i+1 == len(m.s) || m.s[i+1] == '>'
	default:
		return lexical.IsSpace(c)
	}
}

func (m *Reader) skipTo(from int, mark string) {
	if n := strings.Index(m.s[m.i+from:], mark); n >= 0 {
		m.i += from + n + len(mark)
		return
	}
	m.i = len(m.s)
}

// attributes reads up to the ">" and reports whether a "/" comes before it.
func (m *Reader) attributes() (closed bool) {
	m.Attrs = m.Attrs[:0]
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
		case c == '{' && m.Braces == "{":
			end := m.expressionEnd(m.i)
			if end < 0 {
				m.i++
				continue
			}
			m.Attrs = append(m.Attrs, Attr{Value: m.s[m.i:end], NameAt: m.i, ValueAt: m.i})
			m.i = end
		default:
			m.attribute()
		}
	}
	return closed
}

func (m *Reader) attribute() {
	a := Attr{NameAt: m.i}
	m.i++
	for m.i < len(m.s) && m.s[m.i] != '=' && !m.endsName(m.i) {
		m.i++
	}
	a.Name = m.s[a.NameAt:m.i]
	if i := lexical.SkipSpace(m.s, m.i, len(m.s)); lexical.ByteAt(m.s, i) == '=' {
		m.i = lexical.SkipSpace(m.s, i+1, len(m.s))
		a.Value, a.ValueAt = m.value()
	}
	m.Attrs = append(m.Attrs, a)
}

// value reads an attribute's value.
func (m *Reader) value() (string, int) {
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
	case c == '{' && m.Braces == "{":
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

// RawText reads a raw element up to its end tag.
func (m *Reader) RawText(t *Token) {
	t.Raw, t.From = true, m.i
	for i := m.i; ; {
		n := strings.Index(m.s[i:], "</")
		if n < 0 {
			t.To, m.i = len(m.s), len(m.s)
			break
		}
		i += n + 2
		if beginsWithName(m.s[i:], t.Name) {
			t.To, m.i = i-2, i-2
			break
		}
	}
	t.End = m.i
}

// Attr returns the value of an attribute of the last start tag.
func (m *Reader) Attr(name string) (string, bool) {
	for i := range m.Attrs {
		if strings.EqualFold(m.Attrs[i].Name, name) {
			return m.Attrs[i].Value, true
		}
	}
	return "", false
}

// BlankBut is src with everything blank but the pieces kept, which are in source order.
// Pieces on one line are separated by a semicolon.
func BlankBut(src string, keep [][2]int) []byte {
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
