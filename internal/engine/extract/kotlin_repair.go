package extract

import "bytes"

// The grammar's scanner gives up at some ordinary Kotlin, and where it does it
// takes the rest of the file for a string. So a file with errors is parsed again
// with what is known to trouble it written otherwise, byte for byte as long:
// facts take their text from the file itself.

// repairKotlin rewrites what the grammar does not read: modifiers used as names,
// context parameters, a constructor on the line after its class, annotated
// accessors, strings with several dollar signs, braces closed behind a member.
func repairKotlin(src []byte, _ func([]byte) bool) []byte {
	m := kotlinRepairer{repairLexer: repairLexer{src: src}, out: bytes.Clone(src)}
	for m.next() {
		m.token()
	}
	return m.out
}

func kotlinRepairs() []sourceRepair {
	return []sourceRepair{repairKotlin, blankBrokenKotlinBodies}
}

// kotlinRepairer writes what it mends over out.
type kotlinRepairer struct {
	repairLexer
	out   []byte
	class bool // the line before is the head of a class
}

func (m *kotlinRepairer) token() {
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
func (m *kotlinRepairer) modifier(s string) {
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
func (m *kotlinRepairer) wordBefore(word string) bool {
	return m.last-len(word) >= 0 && string(m.src[m.last-len(word):m.last]) == word &&
		(m.last == len(word) || !isWord(m.src[m.last-len(word)-1]))
}

// blank writes spaces over [from, to) and leaves line breaks.
func (m *kotlinRepairer) blank(from, to int) { blankBytes(m.out[from:to]) }

// context blanks context(…) in front of a declaration.
func (m *kotlinRepairer) context() {
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
func (m *kotlinRepairer) header(first bool) {
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
func (m *kotlinRepairer) accessor() {
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
func (m *kotlinRepairer) dollars() {
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

// blankBrokenKotlinBodies blanks the bodies of functions and lambdas that do not parse
// by themselves, so that what stands around them is read.
func blankBrokenKotlinBodies(src []byte, broken func([]byte) bool) []byte {
	l := repairLexer{src: src}
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
