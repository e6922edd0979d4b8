// Package signature reads the text of signatures piece by piece.
package signature

import "strings"

// Text is a signature and the position up to which it is read.
type Text struct {
	S   string
	Pos int
}

// Spaces skips blanks.
func (t *Text) Spaces() {
	for t.Pos < len(t.S) && t.S[t.Pos] == ' ' {
		t.Pos++
	}
}

// Next returns the next byte that is not a blank, 0 at the end.
func (t *Text) Next() byte {
	t.Spaces()
	if t.Pos < len(t.S) {
		return t.S[t.Pos]
	}
	return 0
}

// Take skips a text if it comes next, and reports whether it does.
func (t *Text) Take(text string) bool {
	t.Spaces()
	if !strings.HasPrefix(t.S[t.Pos:], text) {
		return false
	}
	t.Pos += len(text)
	return true
}

// stops end a word.
const stops = " .,<>()[]{}&=?@;:+*'!#|-/\"\\"

// Word reads up to the next sign, "" if one comes next.
func (t *Text) Word() string {
	t.Spaces()
	n := strings.IndexAny(t.S[t.Pos:], stops)
	if n < 0 {
		n = len(t.S) - t.Pos
	}
	w := t.S[t.Pos : t.Pos+n]
	t.Pos += n
	return w
}

// Skip moves past the bracket that closes the current one; the > of an arrow closes none.
func (t *Text) Skip(open, end byte) {
	depth := 0
	for ; t.Pos < len(t.S); t.Pos++ {
		switch c := t.S[t.Pos]; {
		case c == open:
			depth++
		case c == '>' && t.S[t.Pos-1] == '-':
		case c == end:
			if depth--; depth == 0 {
				t.Pos++
				return
			}
		}
	}
}
