package repair

import (
	"strings"

	"ken/internal/engine/extract/lexical"
)

// pyRepairer looks for unpaired brackets.
type pyRepairer struct {
	text    string
	open    []int // offsets of the open brackets
	blanked []int
}

// Python returns a text with its unpaired brackets blanked, and their number.
func Python(text string) ([]byte, uint32) {
	m := pyRepairer{text: text}
	for i := 0; i < len(text); {
		i = m.line(i)
	}
	m.drop(0)
	if len(m.blanked) == 0 {
		return nil, 0
	}
	src := []byte(text)
	for _, at := range m.blanked {
		src[at] = ' '
	}
	return src, uint32(len(m.blanked))
}

// drop blanks the open brackets from index n on.
func (m *pyRepairer) drop(n int) {
	m.blanked = append(m.blanked, m.open[n:]...)
	m.open = m.open[:n]
}

// line reads the line at offset i, or several if a string or backslash joins
// them, and returns where the next begins.
func (m *pyRepairer) line(i int) int {
	i = lexical.SkipBlanks(m.text, i, len(m.text))
	if len(m.open) > 0 && isStatement(m.text[i:]) {
		m.drop(0)
	}
	for i < len(m.text) {
		switch c := m.text[i]; c {
		case '\n':
			return i + 1
		case '#':
			end := strings.IndexByte(m.text[i:], '\n')
			if end < 0 {
				return len(m.text)
			}
			i += end
			continue
		case '\\':
			i++
		case '"', '\'':
			i = m.stringEnd(i)
			continue
		case '(', '[', '{':
			m.open = append(m.open, i)
		case ')', ']', '}':
			m.closeBracket(i)
		}
		i++
	}
	return i
}

// closeBracket pairs the closing bracket at offset i with an open one.
func (m *pyRepairer) closeBracket(i int) {
	want := byte('(')
	if m.text[i] != ')' {
		want = m.text[i] - 2 // in ASCII, [ and ], { and } are two apart
	}
	for n := len(m.open) - 1; n >= 0; n-- {
		if m.text[m.open[n]] == want {
			m.drop(n + 1)
			m.open = m.open[:n]
			return
		}
	}
	m.blanked = append(m.blanked, i)
}

// stringEnd returns where the string at offset i ends. A string of one line ends with that
// line, and one that never ends is no string.
func (m *pyRepairer) stringEnd(i int) int {
	q := m.text[i : i+1]
	if t := m.text[i:min(i+3, len(m.text))]; t == `"""` || t == "'''" {
		q = t
	}
	for at := i + len(q); at < len(m.text); at++ {
		switch {
		case m.text[at] == '\\':
			at++
		case m.text[at] == '\n' && len(q) == 1:
			return at
		case strings.HasPrefix(m.text[at:], q):
			return at + len(q)
		}
	}
	return i + len(q)
}

// isStatement reports whether a line begins with a keyword that cannot occur in an
// expression.
func isStatement(s string) bool {
	n := 0
	for n < min(len(s), 10) && lexical.IsSmall(s[n]) {
		n++
	}
	switch s[:n] {
	case "def", "class", "return", "import", "while", "with", "raise", "pass", "break", "continue", "del", "global",
		"nonlocal", "assert", "elif", "except", "finally", "try":
		return n == len(s) || !lexical.IsWord(s[n])
	case "async":
		return strings.HasPrefix(s, "async def ") || strings.HasPrefix(s, "async with ")
	}
	return false
}
