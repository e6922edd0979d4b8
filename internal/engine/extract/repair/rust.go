package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// Rust rewrites what the grammar does not know where it is: `unsafe` of a block of foreign items, which the edition of 2024 demands, `safe`
// and `unsafe` of one of them, `raw` of a borrow (a borrowed variable of that name gets another), `..` at the end of a literal, a type
// `for<'a> T`, `Fn::(A)`, bounds and parameters that are left out, the numbers of fields in a pattern, and attributes of
// parts of a value.
func Rust(src []byte, _ func([]byte) bool) []byte {
	m := rustRepairer{newRewriter(lexer{src: src, lifetimes: true})}
	if bytes.HasPrefix(src, []byte("#!/")) {
		lexical.BlankBytes(m.out[:bytes.IndexByte(append(src, '\n'), '\n')])
	}
	for i := range m.tokens {
		switch m.text(i) {
		case "unsafe", "safe", "raw", "for":
			m.word(i)
		case "#":
			m.attribute(i)
		case "-": // A<-1>
			if m.is(i-1, "<", ",") && m.isWord(i+1) && m.is(i+2, ">", ",") {
				m.blank(i, i)
			}
		case "+":
			if m.is(i+1, ">", ",", "{", "=") {
				m.blank(i, i)
			}
		case "<":
			if m.text(i+1) == ">" && m.isWord(i-1) {
				m.blank(i, i+1)
			}
		case ":":
			m.colon(i)
		case ".": // S { a, .. }
			if m.text(i+1) == "." && m.text(i+2) == "}" && m.is(i-1, ",", "{") {
				m.blank(i, i+1)
			}
		}
	}
	return m.out
}

type rustRepairer struct{ *rewriter }

// word repairs the word i.
func (m rustRepairer) word(i int) {
	switch next := m.text(i + 1); m.text(i) {
	case "unsafe":
		if next == "static" || m.opensForeign(i+1) {
			m.blank(i, i)
		}
	case "safe":
		if next == "fn" || next == "static" {
			m.blank(i, i)
		}
	case "raw":
		switch {
		case m.text(i-1) != "&" || !m.touches(i):
		case next == "mut":
			m.blank(i, i)
		case next == "const": // borrows like a plain &
			m.blank(i, i+1)
		default: // a variable, which the grammar would take for that word
			m.rename(i)
		}
	case "for": // type A = for<'a> B<'a>; which reads as a borrow
		if end := m.angleEnd(i + 1); m.text(i-1) == "=" && end > 0 && m.isWord(end+1) && !m.is(end+1, "fn", "unsafe", "extern") {
			m.write(i, "&")
			m.blank(i+1, i+1)
			m.blank(end, end)
		}
	}
}

// colon repairs the colon i: `<T:>`, `Fn::(A)`, `A(B)::C`, and the number of a field before it, `S { 0: a }`.
func (m rustRepairer) colon(i int) {
	isPath := m.text(i+1) == ":" && m.touches(i+1)
	switch {
	case isPath && m.isWord(i-1) && m.text(i+2) == "(":
		m.blank(i, i+1)
	case isPath && m.text(i-1) == ")":
		m.write(i, "+")
		m.blank(i+1, i+1)
	case m.is(i+1, ">", ","):
		m.blank(i, i)
	case m.is(i-2, "{", ",", "]") && lexical.IsDigit(m.text(i - 1)[0]):
		m.write(i-1, "N")
	}
}

// attribute makes a comment of an attribute of a part of a tuple, an array or a pattern of fields. The language allows only its own there.
func (m rustRepairer) attribute(i int) {
	open, end := m.tokens[i].open, m.shut(i+1)
	if m.text(i+1) != "[" || end <= i+2 || open < 0 {
		return
	}
	switch isValue := m.is(open-1, "=", "(", ",", "return"); m.text(open) {
	case "(", "[":
		if !isValue {
			return
		}
	case "{":
		if m.text(m.shut(open)+1) != "=" {
			return
		}
	}
	copy(m.out[m.tokens[i].start:], "/*")
	copy(m.out[m.tokens[end].end-2:], "*/")
}

// opensForeign reports whether token i begins `extern "C" {`, with or without the name of an ABI.
func (m rustRepairer) opensForeign(i int) bool {
	if m.text(i) != "extern" {
		return false
	}
	return m.text(i+1) == "{" || m.isString(i+1) && m.text(i+2) == "{"
}
