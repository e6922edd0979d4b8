package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// Rust blanks words that are Rust and that the grammar does not read: `unsafe` of a
// block of foreign items, which the edition of 2024 demands, `safe` of one of them,
// and `raw` of a borrow; a borrowed variable of that name gets another.
func Rust(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	l := lexer{src: src}
	for l.next() {
		switch after := l; l.text() {
		case "unsafe":
			if after.foreignBlock() {
				lexical.BlankBytes(out[l.start:l.end])
			}
		case "safe":
			if s := after.nextText(); s == "fn" || s == "static" {
				lexical.BlankBytes(out[l.start:l.end])
			}
		case "raw":
			if l.byteBefore() != '&' {
				continue
			}
			switch after.nextText() {
			case "mut":
				lexical.BlankBytes(out[l.start:l.end])
			case "const": // borrows like a plain &
				lexical.BlankBytes(out[l.start:after.end])
			default: // a variable, which the grammar would take for that word
				out[l.start] = 'R'
			}
		}
	}
	return out
}

// nextText returns the text of the token after the current one, to which it moves.
func (l *lexer) nextText() string {
	l.next()
	return l.text()
}

// foreignBlock reports whether the current token is followed by `extern "C" {`, with
// or without the name of an ABI.
func (l *lexer) foreignBlock() bool {
	if l.nextText() != "extern" {
		return false
	}
	if l.next(); l.start < len(l.src) && l.src[l.start] == '"' {
		l.next()
	}
	return l.text() == "{"
}
