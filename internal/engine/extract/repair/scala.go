package repair

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/engine/extract/lexical"
)

// A Scala file with errors is parsed again with the parts that the grammar does not read
// rewritten at equal length, and then with unfinished members left out.

// Scala lists the repairs of Scala, in the order they are tried.
func Scala() []Source {
	return []Source{repairScala, repairScalaLines}
}

// repairScala rewrites code that the grammar does not read: an empty list of arguments
// before another one, mathematical symbols as names, words of Scala 3 as names, the
// word before the implementation of a macro.
func repairScala(src []byte, _ func([]byte) bool) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(src); {
		r, n := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			if r, n = utf8.DecodeRune(src[i:]); unicode.Is(unicode.Sm, r) || unicode.Is(unicode.So, r) {
				copy(out[i:], "~~~~"[:n])
			}
		} else if r == '(' && bytes.HasPrefix(src[i:], []byte("()(")) {
			out[i], out[i+1], n = ' ', ' ', 2
		}
		i += n
	}
	l := lexer{src: src}
	for l.next() {
		switch word := l.text(); word {
		case "macro":
			if lexical.IsWord(l.peek()) {
				lexical.BlankBytes(out[l.start:l.end])
			}
		case "extension", "end", "inline", "opaque", "open", "transparent", "infix", "given", "enum", "export", "then", "using":
			if isScalaName(&l, word) {
				for i := l.start; i < l.end; i++ {
					out[i] = 'x'
				}
			}
		}
	}
	return out
}

// isScalaName reports whether a word of Scala 3 is used as a name, judged by the tokens
// around it.
func isScalaName(l *lexer, word string) bool {
	if l.byteBefore() == '.' {
		return true
	}
	next := l.peek()
	switch word {
	case "end": // an end marker names the declaration it ends
		return !lexical.IsWord(next)
	case "extension":
		return next != '(' && next != '['
	case "given", "export", "then", "using":
		return strings.IndexByte(".,)=;", next) >= 0
	}
	return strings.IndexByte(".,)=;:(", next) >= 0
}

// scalaLine is a line that begins with a token.
type scalaLine struct {
	at, indent int
	word       string // the declaring word after modifiers, otherwise the first word
	brace      int    // offset of the { that ends the line, -1 if none does
}

// continues reports whether l belongs to a member that begins with line first: it is
// indented more, or closes a bracket of it.
func (l scalaLine) continues(first scalaLine) bool {
	switch l.word {
	case "}", ")", "]":
		return l.indent >= first.indent
	}
	return l.indent > first.indent
}

// scalaLines lists the lines of src that begin with a token.
func scalaLines(src []byte) (lines []scalaLine) {
	l := lexer{src: src}
	modified := false // all words of the line so far are modifiers
	for l.next() {
		begins := len(lines) == 0 || l.startsLine()
		if begins {
			indent := l.start - 1 - bytes.LastIndexByte(src[:l.start], '\n')
			lines = append(lines, scalaLine{at: l.start, indent: indent})
		}
		line, word := &lines[len(lines)-1], l.text()
		if begins || modified {
			qualifier := modified && lexical.IsWord(word[0]) && l.byteBefore() == '[' // of private[p]
			modified = isScalaModifier(word) || qualifier
			line.word = word
		}
		line.brace = -1
		if word == "{" {
			line.brace = l.start
		}
	}
	return lines
}

// isScalaModifier reports the tokens modifiers are made of; brackets hold the package
// that sees a declaration.
func isScalaModifier(word string) bool {
	switch word {
	case "private", "protected", "final", "override", "implicit", "lazy", "sealed", "abstract", "case", "inline", "opaque", "transparent", "open", "infix", "[", "]":
		return true
	}
	return false
}

// repairScalaLines keeps the declarations of a file that is being written. It trusts
// the indentation, which is mostly right before the braces are: it turns the bodies of
// types whose brace is not closed into indented ones, and leaves out the bodies of
// members that do not parse by themselves. Each member is parsed once.
func repairScalaLines(src []byte, broken func([]byte) bool) []byte {
	out := bytes.Clone(src)
	lines := scalaLines(src)
	for i := 0; i < len(lines); {
		next := i + 1
		switch lines[i].word {
		case "class", "object", "trait", "enum":
			next = repairScalaType(src, out, lines, i)
		case "def", "val", "var", "type":
			for next < len(lines) && lines[next].continues(lines[i]) {
				next++
			}
			end := len(src)
			if next < len(lines) {
				end = lines[next].at
			}
			if broken(src[lines[i].at:end]) {
				cutScala(src, out, lines[i].at, end)
			}
		}
		i = next
	}
	return out
}

// repairScalaType turns the open brace of the type at line i into a colon if no brace
// at its indentation closes it, and returns the line after its head.
func repairScalaType(src, out []byte, lines []scalaLine, i int) int {
	head := i
	line, _, _ := bytes.Cut(src[lines[i].at:], []byte("\n"))
	before, last := bytes.CutSuffix(bytes.TrimRight(line, " \t\r"), []byte(lines[i].word))
	if last && (len(before) == 0 || before[len(before)-1] == ' ') {
		lexical.BlankBytes(out[lines[i].at : lines[i].at+len(line)]) // a word without a name
		return i + 1
	}
	for lines[head].brace < 0 {
		head++
		if head == len(lines) || lines[head].indent <= lines[i].indent && lines[head].word != ")" {
			return i + 1
		}
		switch lines[head].word {
		case "def", "val", "var", "type", "class", "object", "trait", "enum", "import", "}":
			return i + 1
		}
	}
	cutParams(src, out, lines[i].at, lines[head].brace)
	next := head + 1
	for next < len(lines) && lines[next].indent > lines[i].indent {
		next++
	}
	if next == len(lines) || src[lines[next].at] != '}' {
		out[lines[head].brace] = ':'
	}
	return head + 1
}

// cutParams leaves out the parameters of a type if they do not end before its body.
func cutParams(src, out []byte, from, to int) {
	l := lexer{src: src[:to], end: from, last: from}
	depth, params := 0, -1
	for l.next() {
		switch src[l.start] {
		case '(', '[':
			if depth++; params < 0 {
				params = l.start
			}
		case ')', ']':
			depth--
		}
	}
	if depth > 0 {
		lexical.BlankBytes(out[params:to])
	}
}

// cutScala keeps of a member only the text before its =, or before its parameters if
// they are not finished.
func cutScala(src, out []byte, from, to int) {
	l := lexer{src: src[:to], end: from, last: from}
	depth, params := 0, -1
	for l.next() {
		switch src[l.start] {
		case '(', '[', '{':
			if depth++; params < 0 {
				params = l.start
			}
		case ')', ']', '}':
			depth--
		case '=':
			if depth == 0 && l.start > from && l.isAssignment() {
				valueZero(src, out, l.start, to)
				return
			}
		}
	}
	if params < 0 {
		lexical.BlankBytes(out[from:to])
		return
	}
	valueZero(src, out, params, to)
}

// isAssignment reports whether the = at the token is no part of an operator.
func (l *lexer) isAssignment() bool {
	if strings.IndexByte("<>!=:", l.src[l.start-1]) >= 0 {
		return false
	}
	return l.end == len(l.src) || l.src[l.end] != '=' && l.src[l.end] != '>'
}

// valueZero writes =0 over the source between from and to, because the grammar wants a
// value or a type there.
func valueZero(src, out []byte, from, to int) {
	lexical.BlankBytes(out[from:to])
	if from+1 >= to || src[from+1] == '\n' || src[from+1] == '\r' {
		from--
		if src[from] != ' ' {
			return
		}
	}
	out[from], out[from+1] = '=', '0'
}
