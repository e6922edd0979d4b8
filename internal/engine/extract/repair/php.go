package repair

import (
	"bytes"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// PHP makes cases of the constants of enums, which the grammar does not read:
// `case` takes the place of the first modifier or of `const`, and the rest of them
// and of a type is blank. enumCase knows them by the text of the file.
func PHP(src []byte, _ func([]byte) bool) []byte {
	m := phpRepairer{lexer: lexer{src: src}, out: bytes.Clone(src)}
	for m.next() {
		if strings.EqualFold(m.text(), "enum") && m.enumHead() {
			m.enumBody()
		}
	}
	return m.out
}

// phpRepairer holds a PHP file while it is repaired. It writes the repairs into out.
type phpRepairer struct {
	lexer
	out []byte
}

// enumHead moves to the brace that opens the enum whose keyword is the current token,
// and reports whether there is one.
func (m *phpRepairer) enumHead() bool {
	for m.next() {
		switch c := m.src[m.start]; {
		case c == '{':
			return true
		case !lexical.IsWord(c) && c != ':' && c != ',' && c != '\\':
			return false
		}
	}
	return false
}

// enumBody repairs the constants of an enum from its brace to the one that closes it.
func (m *phpRepairer) enumBody() {
	first := -1 // where the modifiers before the current token begin
	for m.next() {
		switch s := strings.ToLower(m.text()); s {
		case "{":
			m.skipBlock()
			first = -1
		case "}":
			return
		case "public", "protected", "private", "final", "const":
			if first < 0 {
				first = m.start
			}
			if s == "const" {
				m.constant(first)
				first = -1
			}
		default:
			first = -1
		}
	}
}

// constant makes a case of the constant whose keyword is the current token and whose
// modifiers begin at first. Of several in one declaration only the first is kept,
// because there is no room to write `case` before the others.
func (m *phpRepairer) constant(first int) {
	name := m.start
	for m.next() && m.src[m.start] != '=' {
		if c := m.src[m.start]; c == ';' || c == '(' {
			return // a method of that name
		}
		name = m.start
	}
	lexical.BlankBytes(m.out[first:name])
	copy(m.out[first:], "case ")
	second := -1
	for depth := 0; m.next() && m.src[m.start] != ';'; {
		switch m.src[m.start] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 && second < 0 {
				second = m.start
			}
		}
	}
	if second >= 0 {
		lexical.BlankBytes(m.out[second:m.start])
	}
}
