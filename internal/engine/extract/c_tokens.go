package extract

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// cToken is a token of C or C++, for the code that blanks macros and
// conditionals. A preprocessor directive is one token with its continuation
// lines.
type cToken struct {
	start, end uint32
	kind       byte // one of the constants, or the character of a punctuation mark
	newline    bool // the first on its line
}

const (
	tokWord      = 'a'
	tokLiteral   = '"' // string, character, number
	tokScope     = 'S' // ::
	tokArrow     = '>' + 128
	tokDirective = '#'
	tokEnd       = 0
)

// cLexer splits C or C++ source into tokens. It never fails: an unknown byte is
// a punctuation mark.
type cLexer struct {
	src      []byte
	pos      int
	newline  bool
	tokens   []cToken
	unclosed int // where a comment begins that nothing closes, the end without one
}

// lexC lists the tokens of src without comments. The last has kind tokEnd. open is
// the offset of a comment that is not closed, or the end. It is linear: no byte is
// looked at more than twice.
func lexC(src []byte) (tokens []cToken, open int) {
	l := cLexer{src: src, newline: true, tokens: make([]cToken, 0, len(src)/5+8), unclosed: len(src)}
	for l.pos < len(src) {
		l.next()
	}
	l.emit(tokEnd, len(src))
	return l.tokens, l.unclosed
}

func (l *cLexer) emit(kind byte, end int) {
	l.tokens = append(l.tokens, cToken{uint32(l.pos), uint32(end), kind, l.newline})
	l.pos, l.newline = end, false
}

func (l *cLexer) next() {
	b := l.src[l.pos]
	switch {
	case b == '\n':
		l.newline = true
		l.pos++
	case b == ' ', b == '\t', b == '\r', b == '\f', b == '\v', b == '\\', b == 0:
		l.pos++
	case b == '/' && l.peek(1) == '*':
		l.blockComment()
	case b == '/' && l.peek(1) == '/':
		l.pos = l.lineEnd(l.pos)
	case b == '#' && l.newline:
		l.emit(tokDirective, l.directiveEnd())
	case b == '"', b == '\'':
		l.emit(tokLiteral, l.literalEnd(l.pos))
	case b >= '0' && b <= '9':
		l.emit(tokLiteral, l.numberEnd())
	case lexical.IsWord(b):
		l.word()
	case b == ':' && l.peek(1) == ':':
		l.emit(tokScope, l.pos+2)
	case b == '-' && l.peek(1) == '>':
		l.emit(tokArrow, l.pos+2)
	default:
		l.emit(b&0x7f, l.pos+1)
	}
}

func (l *cLexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *cLexer) blockComment() {
	end := bytes.Index(l.src[l.pos+2:], []byte("*/"))
	if end < 0 {
		l.unclosed = min(l.unclosed, l.pos)
		l.pos = len(l.src)
		return
	}
	l.newline = l.newline || bytes.IndexByte(l.src[l.pos:l.pos+2+end], '\n') >= 0
	l.pos += end + 4
}

// lineEnd returns the end of the line that contains byte i, including its continuation lines.
func (l *cLexer) lineEnd(i int) int {
	for {
		n := bytes.IndexByte(l.src[i:], '\n')
		if n < 0 {
			return len(l.src)
		}
		end := i + n
		if !bytes.HasSuffix(bytes.TrimSuffix(l.src[:end], []byte("\r")), []byte(`\`)) {
			return end
		}
		i = end + 1
	}
}

// directiveEnd returns the end of the directive at the lexer's position. Line breaks in a
// block comment do not end it.
func (l *cLexer) directiveEnd() int {
	for i := l.pos; ; {
		end := l.lineEnd(i)
		open := bytes.Index(l.src[i:end], []byte("/*"))
		if open < 0 || bytes.Contains(l.src[i:i+open], []byte("//")) || bytes.Contains(l.src[i:i+open], []byte(`"`)) {
			return end
		}
		n := bytes.Index(l.src[i+open+2:], []byte("*/"))
		if n < 0 {
			l.unclosed = min(l.unclosed, i+open)
			return len(l.src)
		}
		i += open + 2 + n + 2
		if i > end {
			// The comment ends the directive unless text follows it.
			continue
		}
	}
}

// literalEnd returns the end of the literal whose quote is at byte i. An unclosed
// literal ends with its line.
func (l *cLexer) literalEnd(i int) int {
	q := l.src[i]
	for j := i + 1; j < len(l.src); j++ {
		switch l.src[j] {
		case '\\':
			if j++; j < len(l.src) && l.src[j] == '\r' {
				j++
			}
		case q:
			return j + 1
		case '\n':
			return j
		}
	}
	return len(l.src)
}

func (l *cLexer) numberEnd() int {
	for i := l.pos; i < len(l.src); i++ {
		switch b := l.src[i]; {
		case b == '.', lexical.IsWord(b):
		case b == '\'' && i+1 < len(l.src) && lexical.IsWord(l.src[i+1]): // 1'000
		default:
			return i
		}
	}
	return len(l.src)
}

// word reads a word, or a literal with a prefix such as u8"…" or R"x(…)x".
func (l *cLexer) word() {
	end := l.pos
	for end < len(l.src) && lexical.IsWord(l.src[end]) {
		end++
	}
	if end < len(l.src) && end-l.pos <= 3 {
		switch w, quote := l.src[l.pos:end], l.src[end]; {
		case quote == '"' && w[len(w)-1] == 'R':
			l.emit(tokLiteral, l.rawEnd(end))
			return
		case (quote == '"' || quote == '\'') && isLiteralPrefix(w):
			l.emit(tokLiteral, l.literalEnd(end))
			return
		}
	}
	l.emit(tokWord, end)
}

// isLiteralPrefix reports whether a word right before a quote is the prefix of a literal, such as u8.
func isLiteralPrefix(w []byte) bool {
	switch string(w) {
	case "L", "u", "U", "u8":
		return true
	}
	return false
}

// rawEnd returns the end of a raw string whose quote is at byte i.
func (l *cLexer) rawEnd(i int) int {
	open := bytes.IndexByte(l.src[i:min(len(l.src), i+20)], '(')
	if open < 0 {
		return l.literalEnd(i)
	}
	closing := append(append([]byte(")"), l.src[i+1:i+open]...), '"')
	n := bytes.Index(l.src[i+open:], closing)
	if n < 0 {
		return l.literalEnd(i)
	}
	return i + open + n + len(closing)
}
