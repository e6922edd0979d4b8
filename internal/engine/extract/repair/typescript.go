package repair

import (
	"bytes"
	"slices"

	"ken/internal/engine/extract/lexical"
)

// TypeScript rewrites words that the grammar does not know where they are: variance (`<in out T>`), `accessor` behind another modifier,
// `export type *`, `import type A = B.C`. And it ends the member before a signature that begins a line with its type parameters:
//
//	(a: A): B
//	<T extends C>(b: T): D
//
// The grammar reads on, because it allows type arguments on a line of their own, which the language does not. A semicolon takes the place
// of the blank before the bracket.
func TypeScript(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	l := lexer{src: src}
	before := "" // the word before, if the token before is one
	for l.next() {
		word := l.text()
		switch {
		case word == "<" && endsMember(&l):
			out[l.start-1] = ';'
		case isUnknownToTypeScript(&l, before, word):
			lexical.BlankBytes(out[l.start:l.end])
			if word != "accessor" && word != "type" {
				continue // `<in out T>`: the word before is that before the first
			}
		}
		before = word
	}
	return out
}

// isUnknownToTypeScript reports whether the grammar has no place for the current token, a word behind another token.
func isUnknownToTypeScript(l *lexer, before, word string) bool {
	next := l.peek()
	switch word {
	case "in", "out":
		return (before == "<" || before == ",") && lexical.IsWord(next)
	case "accessor":
		isModified := slices.Contains([]string{"abstract", "static", "declare", "override", "readonly"}, before)
		return isModified && (lexical.IsWord(next) || next == '#' || next == '[')
	case "type":
		if before == "export" {
			return next == '*'
		}
		after := *l
		after.next()
		return before == "import" && lexical.IsWord(next) && after.peek() == '='
	}
	return false
}

// endsMember reports whether the current token, a <, begins a signature on a line of its own.
func endsMember(l *lexer) bool {
	if l.last == 0 || l.start+1 >= len(l.src) || !lexical.IsWord(l.src[l.start+1]) {
		return false
	}
	before := l.src[l.last-1]
	ends := lexical.IsWord(before) || before == '>' || before == ']' || before == ')'
	return ends && lexical.IsBlank(l.src[l.start-1]) && bytes.IndexByte(l.src[l.last:l.start], '\n') >= 0
}
