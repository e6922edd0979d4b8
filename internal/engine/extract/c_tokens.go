package extract

import "bytes"

// cToken is a token of C or C++ as c_mend.go needs it. A preprocessor directive
// is one token, with its continuation lines.
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

// cLexer takes source apart. It never fails: what it does not know is a
// punctuation mark of one byte.
type cLexer struct {
	src     []byte
	at      int
	newline bool
	tokens  []cToken
	open    int // where a comment begins that nothing closes, the end without one
}

// lexC lists the tokens of src without comments, the last of kind tokEnd, and tells
// where a comment begins that nothing closes. It is linear: no byte is looked at
// more than twice.
func lexC(src []byte) (tokens []cToken, open int) {
	l := cLexer{src: src, newline: true, tokens: make([]cToken, 0, len(src)/5+8), open: len(src)}
	for l.at < len(src) {
		l.next()
	}
	l.emit(tokEnd, len(src))
	return l.tokens, l.open
}

func (l *cLexer) emit(kind byte, end int) {
	l.tokens = append(l.tokens, cToken{uint32(l.at), uint32(end), kind, l.newline})
	l.at, l.newline = end, false
}

func (l *cLexer) next() {
	b := l.src[l.at]
	switch {
	case b == '\n':
		l.newline = true
		l.at++
	case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v' || b == '\\' || b == 0:
		l.at++
	case b == '/' && l.peek(1) == '*':
		l.blockComment()
	case b == '/' && l.peek(1) == '/':
		l.at = l.lineEnd(l.at)
	case b == '#' && l.newline:
		l.emit(tokDirective, l.directiveEnd())
	case b == '"' || b == '\'':
		l.emit(tokLiteral, l.quoted(l.at))
	case b >= '0' && b <= '9':
		l.emit(tokLiteral, l.numberEnd())
	case isWord(b):
		l.word()
	case b == ':' && l.peek(1) == ':':
		l.emit(tokScope, l.at+2)
	case b == '-' && l.peek(1) == '>':
		l.emit(tokArrow, l.at+2)
	default:
		l.emit(b&0x7f, l.at+1)
	}
}

func (l *cLexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

func (l *cLexer) blockComment() {
	end := bytes.Index(l.src[l.at+2:], []byte("*/"))
	if end < 0 {
		l.open = min(l.open, l.at)
		l.at = len(l.src)
		return
	}
	l.newline = l.newline || bytes.IndexByte(l.src[l.at:l.at+2+end], '\n') >= 0
	l.at += end + 4
}

// lineEnd is the end of the line at byte i, of the last of its continuations.
func (l *cLexer) lineEnd(i int) int {
	for {
		n := bytes.IndexByte(l.src[i:], '\n')
		if n < 0 {
			return len(l.src)
		}
		end := i + n
		last := end - 1
		if last >= 0 && l.src[last] == '\r' {
			last--
		}
		if last < 0 || l.src[last] != '\\' {
			return end
		}
		i = end + 1
	}
}

// directiveEnd is the end of the directive here. A block comment in it may hold
// line breaks.
func (l *cLexer) directiveEnd() int {
	for i := l.at; ; {
		end := l.lineEnd(i)
		open := bytes.Index(l.src[i:end], []byte("/*"))
		if open < 0 || bytes.Contains(l.src[i:i+open], []byte("//")) || bytes.Contains(l.src[i:i+open], []byte(`"`)) {
			return end
		}
		n := bytes.Index(l.src[i+open+2:], []byte("*/"))
		if n < 0 {
			l.open = min(l.open, i+open)
			return len(l.src)
		}
		i += open + 2 + n + 2
		if i > end {
			// The comment ends the directive unless text follows it.
			continue
		}
	}
}

// quoted is the end of the literal whose quote is at byte i. A line break ends
// it, as nothing closes it then.
func (l *cLexer) quoted(i int) int {
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
	i := l.at
	for i < len(l.src) && (isWord(l.src[i]) || l.src[i] == '.' || l.src[i] == '\'' && i+1 < len(l.src) && isWord(l.src[i+1])) {
		i++
	}
	return i
}

// word reads a word, or the literal it is the prefix of: u8"…", R"x(…)x".
func (l *cLexer) word() {
	end := l.at
	for end < len(l.src) && isWord(l.src[end]) {
		end++
	}
	if end < len(l.src) && end-l.at <= 3 && (l.src[end] == '"' || l.src[end] == '\'') {
		switch w := string(l.src[l.at:end]); {
		case l.src[end] == '"' && w[len(w)-1] == 'R':
			l.emit(tokLiteral, l.rawEnd(end))
			return
		case w == "L" || w == "u" || w == "U" || w == "u8":
			l.emit(tokLiteral, l.quoted(end))
			return
		}
	}
	l.emit(tokWord, end)
}

// rawEnd is the end of a raw string whose quote is at byte i.
func (l *cLexer) rawEnd(i int) int {
	open := bytes.IndexByte(l.src[i:min(len(l.src), i+20)], '(')
	if open < 0 {
		return l.quoted(i)
	}
	closing := append(append([]byte(")"), l.src[i+1:i+open]...), '"')
	n := bytes.Index(l.src[i+open:], closing)
	if n < 0 {
		return l.quoted(i)
	}
	return i + open + n + len(closing)
}
