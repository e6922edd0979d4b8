package repair

import (
	"bytes"
	"slices"

	"ken/internal/engine/extract/lexical"
)

// rewriter holds the tokens of a file with errors while it is repaired. It writes the repairs into out.
type rewriter struct {
	src, out []byte
	tokens   []token
}

// token is a word, a string or a character of anything else. open is the index of the bracket around it, or of the one it closes, -1
// if there is none; shut that of the bracket that closes it.
type token struct {
	start, end int
	open, shut int
}

func newRewriter(l lexer) *rewriter {
	m := &rewriter{src: l.src, out: bytes.Clone(l.src)}
	open := -1
	for l.next() {
		i := len(m.tokens)
		m.tokens = append(m.tokens, token{l.start, l.end, open, -1})
		switch l.src[l.start] {
		case '(', '[', '{':
			open = i
		case ')', ']', '}':
			if open >= 0 {
				m.tokens[open].shut = i
				open = m.tokens[open].open
			}
		}
	}
	return m
}

// text returns the text of token i, "" if there is none.
func (m *rewriter) text(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return string(m.src[m.tokens[i].start:m.tokens[i].end])
}

// is reports whether token i is one of some texts.
func (m *rewriter) is(i int, texts ...string) bool { return slices.Contains(texts, m.text(i)) }

// isWord reports whether token i is a word or number.
func (m *rewriter) isWord(i int) bool { t := m.text(i); return t != "" && lexical.IsWord(t[0]) }

// isString reports whether token i is a string.
func (m *rewriter) isString(i int) bool {
	t := m.text(i)
	return len(t) > 1 && (t[0] == '"' || t[0] == '\'')
}

// follows reports whether some texts are those of the tokens from i on; "word" stands for any word.
func (m *rewriter) follows(i int, texts ...string) bool {
	for k, text := range texts {
		if isMet := m.text(i+k) == text || text == "word" && m.isWord(i+k); !isMet {
			return false
		}
	}
	return true
}

// breaks reports whether token i is the first on its line.
func (m *rewriter) breaks(i int) bool {
	if i <= 0 || i >= len(m.tokens) {
		return true
	}
	return bytes.IndexByte(m.src[m.tokens[i-1].end:m.tokens[i].start], '\n') >= 0
}

// touches reports whether token i follows the one before it without a gap.
func (m *rewriter) touches(i int) bool {
	return i > 0 && i < len(m.tokens) && m.tokens[i-1].end == m.tokens[i].start
}

// shut returns the index of the bracket that closes the bracket i, or i if there is none.
func (m *rewriter) shut(i int) int {
	if i < 0 || i >= len(m.tokens) || m.tokens[i].shut < 0 {
		return i
	}
	return m.tokens[i].shut
}

// around returns the text of the bracket around token i.
func (m *rewriter) around(i int) string { return m.text(m.tokens[i].open) }

// blank blanks the tokens from first to last.
func (m *rewriter) blank(first, last int) {
	lexical.BlankBytes(m.out[m.tokens[first].start:m.tokens[last].end])
}

// write writes s over the beginning of token i, and blanks the rest.
func (m *rewriter) write(i int, s string) {
	t := m.tokens[i]
	lexical.BlankBytes(m.out[t.start:t.end])
	copy(m.out[t.start:], s)
}

// rename gives the word i a capital, so that the grammar takes it for a name.
func (m *rewriter) rename(i int) {
	if c := &m.out[m.tokens[i].start]; lexical.IsSmall(*c) {
		*c -= 'a' - 'A'
	}
}

// angleEnd returns the index of the bracket that closes type arguments, or -1.
func (m *rewriter) angleEnd(i int) int {
	depth := 0
	for k := i; k < len(m.tokens) && m.tokens[k].open == m.tokens[i].open; k++ {
		switch m.text(k) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return k
			}
		case ";", ")", "]", "}":
			return -1
		}
		k = m.shut(k)
	}
	return -1
}
