// Package repair rewrites source that grammars cannot read although its language allows it.
package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// Source rewrites, at equal length, the parts of src that a grammar cannot read; broken
// reports whether a piece of source has errors by itself. Facts take their text from
// the file as it is, so that a repair can replace words by others.
type Source func(src []byte, broken func(piece []byte) bool) []byte

// lexer steps over the tokens of Kotlin, and of Scala, Swift, Rust and PHP as far as
// repairs need them: words, one character of anything else. Strings and comments are
// passed over, because nothing in them needs a repair.
type lexer struct {
	src        []byte
	start, end int  // the current token
	last       int  // end of the token before it
	lifetimes  bool // a quote before a word begins no string unless another follows the word: Rust
}

// next moves to the next token and reports whether there is one.
func (l *lexer) next() bool {
	l.last = l.end
	for i := l.end; i < len(l.src); {
		c := l.src[i]
		switch {
		case lexical.IsBlank(c), c == '\n', c == '\r':
			i++
		case startsComment(l.src[i:]):
			i = skipComment(l.src, i)
		case lexical.IsWord(c):
			l.start = i
			for i < len(l.src) && lexical.IsWord(l.src[i]) {
				i++
			}
			l.end = i
			return true
		default:
			l.start = i
			if l.end = i + 1; !l.isLifetime(i) {
				l.end = skipQuoted(l.src, i)
			}
			return true
		}
	}
	l.start, l.end = len(l.src), len(l.src)
	return false
}

// isLifetime reports whether the quote at i begins a lifetime, 'a.
func (l *lexer) isLifetime(i int) bool {
	if !l.lifetimes || l.src[i] != '\'' {
		return false
	}
	end := i + 1
	for end < len(l.src) && lexical.IsWord(l.src[end]) {
		end++
	}
	return end > i+1 && (end == len(l.src) || l.src[end] != '\'')
}

// startsComment reports whether src begins with // or /*.
func startsComment(src []byte) bool {
	return len(src) > 1 && src[0] == '/' && (src[1] == '/' || src[1] == '*')
}

// skipComment returns where the comment at i ends. Block comments nest.
func skipComment(src []byte, i int) int {
	if src[i+1] == '/' {
		if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(src)
	}
	depth := 0
	for ; i+1 < len(src); i++ {
		switch {
		case src[i] == '/' && src[i+1] == '*':
			depth++
			i++
		case src[i] == '*' && src[i+1] == '/':
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(src)
}

// skipQuoted returns where the string, character or quoted name at i ends, or i+1 if there
// is none. The inside of ${} is passed over with its string.
func skipQuoted(src []byte, i int) int {
	switch c := src[i]; c {
	case '"':
		if bytes.HasPrefix(src[i:], []byte(`"""`)) {
			return skipRaw(src, i+3)
		}
		return skipString(src, i+1)
	case '\'', '`':
		for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
			if src[j] == '\\' && c == '\'' {
				j++
			} else if src[j] == c {
				return j + 1
			}
		}
	}
	return i + 1
}

// skipRaw returns where a string in three quotes ends, whose content begins at i.
func skipRaw(src []byte, i int) int {
	n := bytes.Index(src[i:], []byte(`"""`))
	if n < 0 {
		return len(src)
	}
	for i += n + 3; i < len(src) && src[i] == '"'; {
		i++
	}
	return i
}

// skipString returns where a string ends whose content begins at i: at its quote, or with
// its line. A quote within ${} does not end it.
func skipString(src []byte, i int) int {
	depth := 0
	for ; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case '{':
			if depth > 0 || src[i-1] == '$' {
				depth++
			}
		case '}':
			depth = max(depth-1, 0)
		case '"':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return min(i, len(src))
}

// startsLine reports whether the token is the first on its line.
func (l *lexer) startsLine() bool {
	return l.last == 0 || bytes.IndexByte(l.src[l.last:l.start], '\n') >= 0
}

func (l *lexer) text() string { return string(l.src[l.start:l.end]) }

// byteBefore returns the last byte of the previous token, or 0 at the beginning.
func (l *lexer) byteBefore() byte {
	if l.last == 0 {
		return 0
	}
	return l.src[l.last-1]
}

// peek returns the first byte after the token that is neither a blank nor a tab.
func (l *lexer) peek() byte {
	for i := l.end; i < len(l.src); i++ {
		if c := l.src[i]; c != ' ' && c != '\t' {
			return c
		}
	}
	return 0
}

// skipBlock moves from a { to the } that closes it.
func (l *lexer) skipBlock() {
	for depth := 1; depth > 0 && l.next(); {
		switch l.src[l.start] {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
}
