package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// The grammar's scanner gives up at some ordinary Kotlin, and then takes the rest of
// the file for a string. So a file with errors is parsed again with everything known to
// cause this rewritten at equal length.

// repairKotlin rewrites code that the grammar does not read: modifiers used as names,
// context parameters, a constructor on the line after its class, annotated accessors,
// strings with several dollar signs, braces closed after a member on its line, a comma
// before the bracket that ends an index.
func repairKotlin(src []byte, _ func([]byte) bool) []byte {
	m := kotlinRepairer{lexer: lexer{src: src}, out: bytes.Clone(src)}
	for m.next() {
		m.token()
	}
	return m.out
}

// Kotlin lists the repairs of Kotlin, in the order they are tried.
func Kotlin() []Source {
	return []Source{repairKotlin, blankBrokenKotlinBodies}
}

// kotlinRepairer holds a Kotlin file while it is repaired. It writes the repairs into out.
type kotlinRepairer struct {
	lexer
	out   []byte
	class bool // the line before is the head of a class
}

func (m *kotlinRepairer) token() {
	first := m.startsLine()
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
	case "]":
		if m.byteBefore() == ',' {
			m.out[m.last-1] = ' '
		}
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

// modifier replaces a modifier that is used as a name by another word, so that the
// grammar takes it for a name.
func (m *kotlinRepairer) modifier(s string) {
	switch s {
	case "open", "abstract", "final", "override", "inline", "external", "internal", "private", "protected", "public", "lateinit",
		"vararg", "noinline", "crossinline", "tailrec", "infix", "sealed", "suspend", "reified", "set", "get", "dynamic":
	default:
		return
	}
	named := m.byteBefore() == '.' || m.wordBefore("fun") || m.wordBefore("val") || m.wordBefore("var")
	accessor := s == "set" || s == "get"
	if accessor && !named {
		switch m.peek() {
		case '(', '\n', '\r':
			return // an accessor
		}
	}
	if m.byteBefore() == '@' {
		return // the target of an annotation
	}
	switch m.peek() {
	case '(':
		named = named || s != "suspend"
	case '.', '=', ')', ',', '[', ':', '?', '{':
		named = true
	}
	if named || accessor {
		for i := m.start; i < m.end; i++ {
			m.out[i] = 'x'
		}
	}
}

// wordBefore reports whether the token before is word.
func (m *kotlinRepairer) wordBefore(word string) bool {
	return m.last-len(word) >= 0 && string(m.src[m.last-len(word):m.last]) == word &&
		(m.last == len(word) || !lexical.IsWord(m.src[m.last-len(word)-1]))
}

// blank writes spaces over [from, to) and leaves line breaks.
func (m *kotlinRepairer) blank(from, to int) { lexical.BlankBytes(m.out[from:to]) }

// context blanks context(…) before a declaration.
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

// header joins a constructor, or the modifiers before it, with the line of its class.
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

// accessor blanks the annotations before a getter or setter.
func (m *kotlinRepairer) accessor() {
	from := m.start
	line := m.src[from:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	words := bytes.Fields(line)
	for i, w := range words {
		switch last := i == len(words)-1; {
		case bytes.HasPrefix(w, []byte("set(")) || bytes.HasPrefix(w, []byte("get(")), last && string(w) == "set":
			m.blank(from, from+bytes.Index(line, w))
			return
		case w[0] != '@' && !isKotlinVisibility(string(w)):
			return
		}
	}
}

// isKotlinVisibility reports whether a word is a modifier that may come before an accessor.
func isKotlinVisibility(word string) bool {
	switch word {
	case "private", "internal", "protected":
		return true
	}
	return false
}

// dollars blanks the dollar signs before a string and replaces those inside, which
// begin no template there.
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
// by themselves, so that the declarations around them are read.
func blankBrokenKotlinBodies(src []byte, broken func([]byte) bool) []byte {
	l := lexer{src: src}
	out := bytes.Clone(src)
	class, parens := false, 0
	for l.next() {
		switch l.text() {
		case "class", "interface", "object":
			before := l.byteBefore() // of a reference to a class (T::class) or an object literal
			class, parens = before != ':' && before != '.', 0
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
				lexical.BlankBytes(out[from+1 : max(l.end-1, from+1)])
			}
		}
	}
	return out
}
