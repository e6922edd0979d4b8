package extract

import "bytes"

// The grammar's scanner gives up at some ordinary Kotlin, and where it does it
// takes the rest of the file for a string. So a file with errors is parsed again
// with what is known to trouble it written otherwise, byte for byte as long:
// facts take their text from the file itself.

// mendKotlin rewrites what the grammar does not read: modifiers used as names,
// context parameters, a constructor on the line after its class, annotated
// accessors, strings with several dollar signs, braces closed behind a member.
func mendKotlin(src []byte) []byte {
	m := kotlinMender{kotlinLexer: kotlinLexer{src: src}, out: bytes.Clone(src)}
	for m.next() {
		m.token()
	}
	return m.out
}

func kotlinMends() []func([]byte, func([]byte) bool) []byte {
	return []func([]byte, func([]byte) bool) []byte{
		func(src []byte, _ func([]byte) bool) []byte { return mendKotlin(src) },
		mendKotlinBodies,
	}
}

// kotlinLexer steps over Kotlin's tokens: words, one character of anything
// else; strings and comments are passed over.
type kotlinLexer struct {
	src        []byte
	start, end int // the token
	last, prev int // ends of the token before, and of that before it
}

// next moves to the next token and reports whether there is one.
func (l *kotlinLexer) next() bool {
	l.prev, l.last = l.last, l.end
	for i := l.end; i < len(l.src); {
		c := l.src[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '/' && i+1 < len(l.src) && (l.src[i+1] == '/' || l.src[i+1] == '*'):
			i = skipComment(l.src, i)
		case isWordByte(c):
			l.start = i
			for i < len(l.src) && isWordByte(l.src[i]) {
				i++
			}
			l.end = i
			return true
		default:
			l.start = i
			l.end = skipQuoted(l.src, i)
			return true
		}
	}
	l.start, l.end = len(l.src), len(l.src)
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// skipComment is where the comment at i ends. Block comments nest.
func skipComment(src []byte, i int) int {
	if src[i+1] == '/' {
		if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(src)
	}
	depth := 0
	for ; i+1 < len(src); i++ {
		switch {
		case src[i] == '/' && src[i+1] == '*':
			depth++
			i++
		case src[i] == '*' && src[i+1] == '/':
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(src)
}

// skipQuoted is where the string, character or quoted name at i ends, or i+1 if
// there is none. What ${} holds is passed over with its string.
func skipQuoted(src []byte, i int) int {
	switch c := src[i]; c {
	case '"':
		if bytes.HasPrefix(src[i:], []byte(`"""`)) {
			return skipRaw(src, i+3)
		}
		return skipString(src, i+1)
	case '\'', '`':
		for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
			if src[j] == '\\' && c == '\'' {
				j++
			} else if src[j] == c {
				return j + 1
			}
		}
	}
	return i + 1
}

// skipRaw is where a string in three quotes ends, whose inside begins at i.
func skipRaw(src []byte, i int) int {
	n := bytes.Index(src[i:], []byte(`"""`))
	if n < 0 {
		return len(src)
	}
	for i += n + 3; i < len(src) && src[i] == '"'; {
		i++
	}
	return i
}

// skipString is where a string ends, whose inside begins at i: at its quote, or
// with its line. A quote within ${} does not end it.
func skipString(src []byte, i int) int {
	depth := 0
	for ; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case '{':
			if depth > 0 || src[i-1] == '$' {
				depth++
			}
		case '}':
			depth = max(depth-1, 0)
		case '"':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return min(i, len(src))
}

func (l *kotlinLexer) text() string { return string(l.src[l.start:l.end]) }

// peek is the first byte behind the token that is neither a blank nor a tab.
func (l *kotlinLexer) peek() byte {
	for i := l.end; i < len(l.src); i++ {
		if c := l.src[i]; c != ' ' && c != '\t' {
			return c
		}
	}
	return 0
}

// kotlinMender writes what it mends over out.
type kotlinMender struct {
	kotlinLexer
	out   []byte
	class bool // the line before is the head of a class
}

func (m *kotlinMender) token() {
	first := bytes.IndexByte(m.src[m.last:m.start], '\n') >= 0 || m.last == 0
	switch s := m.text(); s {
	case "}":
		m.class = false
		if !first && m.src[m.start-1] == ' ' {
			m.out[m.start-1] = '\n'
		}
	case ";":
		if m.end < len(m.src) && m.src[m.end] == ' ' {
			m.out[m.end] = '\n'
		}
	case "$":
		m.dollars()
	case "@":
		if first {
			m.accessor()
		}
	case "class", "interface":
		m.class = true
	case "{", "fun", "val", "var":
		m.class = false
	case "context":
		if first && m.peek() == '(' {
			m.context()
		}
	case "constructor", "internal", "private", "protected", "public", "actual", "expect":
		m.header(first)
		m.modifier(s)
	default:
		m.modifier(s)
	}
}

// modifier renames a modifier that is used as a name.
func (m *kotlinMender) modifier(s string) {
	switch s {
	case "open", "abstract", "final", "override", "inline", "external", "internal", "private", "protected", "public", "lateinit",
		"vararg", "noinline", "crossinline", "tailrec", "infix", "sealed", "suspend", "reified", "set", "get", "dynamic":
	default:
		return
	}
	named := m.wordBefore("fun") || m.last > 0 && m.src[m.last-1] == '.' || m.wordBefore("val") || m.wordBefore("var")
	if accessor := s == "set" || s == "get"; !named && accessor {
		switch m.peek() {
		case '(', '\n', '\r':
			return // an accessor
		}
	}
	if m.last > 0 && m.src[m.last-1] == '@' {
		return // the target of an annotation
	}
	switch m.peek() {
	case '(':
		named = named || s != "suspend"
	case '.', '=', ')', ',', '[', ':', '?':
		named = true
	case '{':
		named = true
	}
	if named || s == "set" || s == "get" {
		for i := m.start; i < m.end; i++ {
			m.out[i] = 'x'
		}
	}
}

// wordBefore reports whether the token before is word.
func (m *kotlinMender) wordBefore(word string) bool {
	return m.last-len(word) >= 0 && string(m.src[m.last-len(word):m.last]) == word &&
		(m.last == len(word) || !isWordByte(m.src[m.last-len(word)-1]))
}

// blank writes spaces over [from, to) and leaves line breaks.
func (m *kotlinMender) blank(from, to int) { blankBytes(m.out[from:to]) }

func blankBytes(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

// context blanks context(…) in front of a declaration.
func (m *kotlinMender) context() {
	from, depth := m.start, 0
	for m.next() {
		switch m.src[m.start] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			m.blank(from, m.end)
			return
		}
	}
}

// header joins a constructor, or the modifiers in front of it, with the line of
// its class.
func (m *kotlinMender) header(first bool) {
	if !first || !m.class {
		return
	}
	for i := m.last; i < m.start; i++ {
		if c := m.src[i]; c == '\n' || c == '\r' {
			m.out[i] = ' '
		}
	}
}

// accessor blanks the annotations in front of a getter or setter.
func (m *kotlinMender) accessor() {
	from := m.start
	line := m.src[from:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	words := bytes.Fields(line)
	for i, w := range words {
		switch {
		case w[0] == '@' || string(w) == "private" || string(w) == "internal" || string(w) == "protected":
			continue
		case bytes.HasPrefix(w, []byte("set(")) || bytes.HasPrefix(w, []byte("get(")) || i == len(words)-1 && string(w) == "set":
			m.blank(from, from+bytes.Index(line, w))
		}
		return
	}
}

// dollars blanks the signs in front of a string and makes those inside plain.
func (m *kotlinMender) dollars() {
	i := m.start
	for i < len(m.src) && m.src[i] == '$' {
		i++
	}
	if m.end = i; i == len(m.src) || m.src[i] != '"' {
		return
	}
	m.blank(m.start, i)
	m.end = skipQuoted(m.src, i)
	for j := i; j < m.end; j++ {
		if m.out[j] == '$' {
			m.out[j] = '_'
		}
	}
}

// mendKotlinBodies blanks the bodies of functions and lambdas that do not parse
// by themselves, so that what stands around them is read.
func mendKotlinBodies(src []byte, broken func([]byte) bool) []byte {
	l := kotlinLexer{src: src}
	out := bytes.Clone(src)
	class, parens := false, 0
	for l.next() {
		switch l.text() {
		case "class", "interface", "object":
			class, parens = l.last == 0 || src[l.last-1] != ':' && src[l.last-1] != '.', 0
		case "fun", "val", "var", "init", "typealias", ";", "}":
			class = class && parens > 0
		case "(":
			parens++
		case ")":
			parens--
		case "{":
			if class && parens <= 0 {
				class = false
				continue
			}
			from := l.start
			l.skipBlock()
			if broken(src[from:l.end]) {
				blankBytes(out[from+1 : max(l.end-1, from+1)])
			}
		}
	}
	return out
}

// skipBlock moves from a { to the } that closes it.
func (l *kotlinLexer) skipBlock() {
	for depth := 1; depth > 0 && l.next(); {
		switch l.src[l.start] {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
}
