package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// TypeScript ends the member before a signature that begins a line with its type parameters:
//
//	(a: A): B
//	<T extends C>(b: T): D
//
// The grammar reads on, because it allows type arguments on a line of their own, which the language does not. A semicolon takes the place
// of the blank before the bracket.
func TypeScript(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	l := lexer{src: src}
	for l.next() {
		if c := src[l.start]; c != '<' || l.last == 0 || l.start+1 >= len(src) || !lexical.IsWord(src[l.start+1]) {
			continue
		}
		before := src[l.last-1]
		ends := lexical.IsWord(before) || before == '>' || before == ']' || before == ')'
		if ends && bytes.IndexByte(src[l.last:l.start], '\n') >= 0 && lexical.IsBlank(src[l.start-1]) {
			out[l.start-1] = ';'
		}
	}
	return out
}
