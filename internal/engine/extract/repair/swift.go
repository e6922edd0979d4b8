package repair

import (
	"bytes"

	"ken/internal/engine/extract/lexical"
)

// In a file with errors, code that the grammar of Swift does not read is rewritten at equal
// length.

// Swift lists the repairs of Swift, in the order they are tried.
func Swift() []Source {
	return []Source{repairSwift, repairSwiftConditionals}
}

// swiftRepairer holds a Swift file while it is repaired. It writes the repairs into out.
type swiftRepairer struct {
	lexer
	out  []byte
	cuts [][2]int // branches of conditional compilation to be blanked, none within another
}

// repairSwift rewrites the words of newer versions of the language (sending, consume,
// unsafe), await, arguments of nonisolated and throws, () as a value, macros whose
// names begin with an underscore, cases with the name of a keyword, and accessors of addresses.
func repairSwift(src []byte, _ func([]byte) bool) []byte {
	m := swiftRepairer{lexer: lexer{src: src}, out: bytes.Clone(src)}
	for m.next() {
		switch s := m.text(); s {
		case "#":
			if m.at(m.end) == '_' {
				m.out[m.start] = '_'
			}
		case "(":
			if m.at(m.end) == ')' && m.isUnit() {
				m.out[m.start], m.out[m.end] = '[', ']'
			}
		case "nonisolated", "throws":
			if m.at(m.end) == '(' {
				if n := bytes.IndexAny(src[m.end:min(len(src), m.end+128)], ")\n"); n > 0 && src[m.end+n] == ')' {
					lexical.BlankBytes(m.out[m.end : m.end+n+1])
				}
			}
		case "try", "await", "self":
			switch isCase := m.byteBefore() == '.' && m.last == m.start; {
			case isCase && (s != "self" || m.at(m.end) == '('): // a case of that name
				m.out[m.start] = '_'
			case s == "await" && m.isPrefix():
				lexical.BlankBytes(m.out[m.start:m.end])
			}
		case "unsafeAddress", "unsafeMutableAddress": // accessors
			if m.peek() == '{' {
				lexical.BlankBytes(m.out[m.start:m.end])
				copy(m.out[m.start:], "get")
			}
		case "sending", "consume", "unsafe", "borrowing", "consuming", "__shared", "__owned":
			if m.isPrefix() {
				lexical.BlankBytes(m.out[m.start:m.end])
			}
		}
	}
	return m.out
}

// at returns the byte at i, 0 beyond the end.
func (m *swiftRepairer) at(i int) byte {
	if i < len(m.src) {
		return m.src[i]
	}
	return 0
}

// isUnit reports whether the brackets at the token are a value: they are where a value
// may begin, and no function type follows.
func (m *swiftRepairer) isUnit() bool {
	switch m.byteBefore() {
	case '(', ',', '=':
	case ':':
		rest := bytes.TrimLeft(m.src[m.end+1:min(len(m.src), m.end+64)], " \t")
		return bytes.HasPrefix(rest, []byte(",")) || bytes.HasPrefix(rest, []byte(")"))
	default:
		return false
	}
	rest := bytes.TrimLeft(m.src[m.end+1:min(len(m.src), m.end+64)], " \t")
	for _, word := range [...]string{"->", "async", "throws", "rethrows", "in"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			return false
		}
	}
	return true
}

// isPrefix reports whether the word at the token comes before a type or a value on its
// line, and is not a name itself.
func (m *swiftRepairer) isPrefix() bool {
	if m.at(m.end) != ' ' || m.byteBefore() == '.' {
		return false
	}
	for _, word := range [...]string{"func", "let", "var", "case", "class", "struct", "enum"} {
		if bytes.HasSuffix(m.src[:m.last], []byte(word)) {
			return false
		}
	}
	next := m.peek()
	return lexical.IsWord(next) || next == '@' || next == '('
}

// repairSwiftConditionals blanks the directives of conditional compilation, and all
// branches but the first if the brackets of a branch are not balanced. #warning and
// #error are blanked too.
func repairSwiftConditionals(src []byte, _ func([]byte) bool) []byte {
	m := swiftRepairer{lexer: lexer{src: src}, out: bytes.Clone(src)}
	var open []swiftConditional
	for m.next() {
		depth := len(open) - 1
		switch src[m.start] {
		case '{', '(', '[':
			if depth >= 0 {
				open[depth].balance++
			}
		case '}', ')', ']':
			if depth >= 0 {
				open[depth].balance--
				open[depth].unbalanced = open[depth].unbalanced || open[depth].balance < 0
			}
		case '#':
			if m.startsLine() {
				open = m.directive(open)
			}
		}
	}
	for _, cut := range m.cuts {
		lexical.BlankBytes(m.out[cut[0]:cut[1]])
	}
	return m.out
}

// swiftConditional is an #if whose #endif has not been reached.
type swiftConditional struct {
	balance      int
	unbalanced   bool // the brackets of a branch are not balanced
	secondBranch int  // where the second branch begins, 0 until there is one
}

// directive reads the directive at the token and blanks its line.
func (m *swiftRepairer) directive(open []swiftConditional) []swiftConditional {
	end := len(m.src)
	if n := bytes.IndexByte(m.src[m.start:], '\n'); n >= 0 {
		end = m.start + n
	}
	line := m.src[m.start+1 : end]
	word := line
	if n := bytes.IndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' }); n >= 0 {
		word = line[:n]
	}
	last := len(open) - 1
	switch string(word) {
	case "if":
		open = append(open, swiftConditional{})
	case "elseif", "else":
		if last >= 0 {
			s := &open[last]
			s.unbalanced = s.unbalanced || s.balance != 0
			if s.balance = 0; s.secondBranch == 0 {
				s.secondBranch = end
			}
		}
	case "endif":
		if last >= 0 {
			if s := open[last]; s.secondBranch > 0 && (s.unbalanced || s.balance != 0) {
				for n := len(m.cuts) - 1; n >= 0 && m.cuts[n][0] >= s.secondBranch; n-- {
					m.cuts = m.cuts[:n]
				}
				m.cuts = append(m.cuts, [2]int{s.secondBranch, m.start})
			}
			open = open[:last]
		}
	case "warning", "error", "sourceLocation":
	default:
		return open
	}
	lexical.BlankBytes(m.out[m.start:end])
	m.end = max(end, m.end)
	return open
}
