package repair

import (
	"bytes"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// CSharp rewrites what the grammar of C# does not know where it is: directives within statements, `params` of a collection, `allows ref
// struct`, an assignment behind `?.`, statements of `checked (x)`, a cast, a comma at the end and a list in a pattern.
func CSharp(src []byte, _ func([]byte) bool) []byte {
	m := csharpRepairer{newRewriter(lexer{src: src})}
	m.directives()
	for i := range m.tokens {
		switch m.text(i) {
		case "params":
			if m.isWord(i+1) && m.text(i+2) == "<" && m.text(m.angleEnd(i+2)+1) != "[" {
				m.blank(i, i)
			}
		case "allows":
			if m.text(i+1) == "ref" && m.text(i+2) == "struct" {
				m.write(i+1, ",")
			}
		case "checked", "unchecked":
			if m.text(i+1) == "(" && m.is(i-1, ";", "{", "}") {
				m.rename(i)
			}
		case ".":
			m.slice(i)
		case ",": // [a, b,]
			if m.text(i+1) == "]" && !m.is(i-1, "[", ",") {
				m.blank(i, i)
			}
		case "?":
			if m.follows(i+1, "[", "]", ":") { // a is B ? [] : c
				m.write(i+1, `"`)
				m.write(i+2, `"`)
			}
			if m.touches(i) && m.touches(i+1) && m.is(i+1, "[", ".") && m.isAssigned(i+1) {
				m.blank(i, i)
			}
		case ":": // { A: (int)B.C }
			isCast := m.text(i+1) == "(" && m.text(i+3) == ")" && m.isWord(i+4)
			if isCast && m.around(i) == "{" && strings.Contains(" byte short int uint long ulong char ", " "+m.text(i+2)+" ") {
				m.blank(i+1, i+3)
			}
		case "[": // [..] name
			if m.follows(i, "[", ".", ".", "]", "word") && !m.is(i+4, "when", "and", "or") {
				m.write(i, "{")
				m.blank(i+1, i+2)
				m.write(i+3, "}")
			}
		}
	}
	return m.out
}

type csharpRepairer struct{ *rewriter }

// directives blanks the lines of directives that declare nothing, because the grammar reads them only between declarations and statements.
func (m csharpRepairer) directives() {
	for at := 0; at < len(m.src); {
		end := at + len(m.src[at:])
		if n := bytes.IndexByte(m.src[at:], '\n'); n >= 0 {
			end = at + n
		}
		if word, ok := bytes.CutPrefix(bytes.TrimSpace(m.src[at:end]), []byte("#")); ok {
			if word = bytes.TrimSpace(word); bytes.HasPrefix(word, []byte("pragma")) || bytes.HasPrefix(word, []byte(":")) {
				lexical.BlankBytes(m.out[at:end])
			}
		}
		at = end + 1
	}
}

// slice rewrites the dots of a pattern, which the grammar reads only as the last element: [.., a], [a, .. var b].
func (m csharpRepairer) slice(i int) {
	if !m.follows(i, ".", ".") || !m.is(i-1, "[", ",") || m.is(i+2, "]") {
		return
	}
	m.blank(i, i+1)
	if m.is(i+2, ",") {
		m.write(i, "_")
	}
}

// isAssigned reports whether the chain of members and indexes from token i on is the left side of an assignment.
func (m csharpRepairer) isAssigned(i int) bool {
	for ; ; i++ {
		switch m.text(i) {
		case "[":
			i = m.shut(i)
		case ".":
			i++
		case "=":
			return !m.touches(i+1) || !m.is(i+1, "=", ">")
		default:
			return false
		}
	}
}
