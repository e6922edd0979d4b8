package extract

import (
	"bytes"
	"slices"

	"ken/internal/engine/extract/lexical"
)

// cRetries lists what is tried on a file of C or C++ with errors. Stray macros are looked for twice, because one
// can hide another.
func cRetries() []retry {
	return []retry{respellC, openConditionals, blankStrayMacros, blankStrayMacros, blankArgumentsC}
}

// blankStrayMacros returns src without the words that are macros because the grammar has no place for them:
// `struct state FAR *s`, `(z_const char *)""`, `__unused struct client *c`. It adds them to f.masked, from which
// their references are made. It returns nil if there are none.
func blankStrayMacros(f *file, src []byte) []byte {
	tokens, _ := lexC(src)
	words := map[string]bool{}
	for _, d := range f.damage {
		i, _ := slices.BinarySearchFunc(tokens, d.start, func(t cToken, at uint32) int { return int(int64(t.start) - int64(at)) })
		if w := strayMacro(src, tokens, i, d.end); w != "" {
			words[w] = true
		}
	}
	if len(words) == 0 {
		return nil
	}
	clean := bytes.Clone(src)
	for i, t := range tokens {
		if t.kind == tokWord && words[string(src[t.start:t.end])] && !isOperand(tokens, i) {
			lexical.BlankBytes(clean[t.start:t.end])
			f.masked = append(f.masked, byteRange{t.start, t.end})
		}
	}
	return clean
}

// isOperand reports whether the word at i is a value or is called, so that it is no stray macro there.
func isOperand(tokens []cToken, i int) bool {
	before := byte(';')
	if i > 0 {
		before = tokens[i-1].kind
	}
	switch next := tokens[i+1].kind; next {
	case '(', '=', '[', '.', tokArrow, '<', '>', '+', '-', '/', '?':
		return true
	case ')', ',', ';':
		return bytes.IndexByte([]byte("=<>+-*/&|!?:%"), before) >= 0
	}
	return false
}

// strayMacro returns the word that made an error of the tokens from number i to the offset end, or "" if no word did: the
// only word of the error if it looks like a macro, or the word before the type that the grammar found no place for.
func strayMacro(src []byte, tokens []cToken, i int, end uint32) string {
	text := func(k int) string { return string(src[tokens[k].start:tokens[k].end]) }
	isWord := func(k int) bool { return k >= 0 && k < len(tokens) && tokens[k].kind == tokWord }
	looksLikeMacro := func(k int) bool {
		return isWord(k) && !lexical.IsCWord(text(k)) && (text(k)[0] == '_' || isMacroName([]byte(text(k))))
	}
	if looksLikeMacro(i) && tokens[i].end == end {
		return text(i)
	}
	isCast := isWord(i) && isWord(i-1) && tokens[i+1].kind == '*'
	if isCast && tokens[i].end == end && i > 1 && tokens[i-2].kind == '(' { // (macro T *)
		return text(i - 1)
	}
	k, typed := i-1, isWord(i) && lexical.IsCWord(text(i))
	for ; isWord(k) && lexical.IsCWord(text(k)); k-- {
		typed = true
	}
	if isWord(k) && typed || looksLikeMacro(k) {
		return text(k)
	}
	return ""
}
