package extract

import (
	"bytes"
	"cmp"
	"slices"

	"ken/internal/engine/extract/lexical"
)

// maskC blanks the parts of C or C++ source that only a preprocessor understands:
// branches and directives of conditionals that cut declarations apart (this file),
// and macros where the grammar has no room for a name (c_head.go). Both go over the
// tokens once, and ranges are merged before they are blanked, so that the cost is
// linear whatever the nesting.
//
// A conditional is left to the grammar if each of its branches is a list of whole
// declarations, statements, members or enumerators. Of any other only the first
// branch that can be true is kept, because a compiler sees one of them too. Between
// the elements of an initializer all branches are kept, because they only name things.
func maskC(f *file, src []byte) []byte {
	m := masker{src: src, cpp: f.lang == "cpp"}
	var open int
	if m.tokens, open = lexC(src); open < len(src) { // the grammar would look for its end again and again
		m.blank = append(m.blank, byteRange{uint32(open), uint32(len(src))})
	}
	m.blankConditionals()
	m.blankMacroComments()
	m.mergeBlank()
	conditionals := m.blank[:len(m.blank):len(m.blank)]
	m.blankHeadMacros()
	if len(m.blank) == 0 {
		return src
	}
	f.maskedHeads = slices.Clone(m.blank[len(conditionals):])
	slices.SortFunc(f.maskedHeads, byStart)
	f.masked, f.maskedLines = m.macroNames, m.directiveLines
	m.mergeBlank()
	out := bytes.Clone(src)
	for _, r := range m.blank {
		for i := r.start; i < r.end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return out
}

// masker collects the ranges of a file to blank before it is parsed.
type masker struct {
	src            []byte
	tokens         []cToken
	cpp            bool
	blank          []byteRange // ranges to blank
	macroNames     []byteRange // macros among it
	directiveLines []byteRange // directives among it that define or include
	braces         []cBrace
}

// cBrace is an open brace. Braces form a tree instead of a stack, so that
// at #else the walk can return at no cost to the brace in which the #if
// began.
type cBrace struct {
	outer int32
	paren int32 // parentheses open around it
	kind  braceKind
}

type braceKind uint8

const (
	braceNone  braceKind = iota // the file
	braceScope                  // namespace, extern "C", class: declarations
	braceEnum
	braceInit  // initializer
	braceBlock // statements
)

// cState is the position of a walk over the tokens of a file.
type cState struct {
	brace int32 // index in braces
	paren int32
	prev  int32 // index of the token before, -1
	head  headFlags
	stray int32 // closing braces before it that close nothing
}

type headFlags uint8

const (
	headEnum headFlags = 1 << iota
	headRecord
	headScope
	headAssign
)

// condition is an #if whose #endif has not been reached.
type condition struct {
	start         cState // at the #if
	parseable     bool   // the grammar can read it
	inInitializer bool   // it is between elements of an initializer
	directives    []int32
	branchEnds    []cState // at the end of each branch
	kept          int      // the branch that is kept if the grammar cannot read it
	allFalse      bool     // all branches so far are known to be false
}

// maxConditions is the depth to which nested #ifs are followed.
const maxConditions = 1000

// blankConditionals walks the tokens and blanks the parts of conditionals that the
// grammar must not see.
func (m *masker) blankConditionals() {
	m.braces = append(m.braces[:0], cBrace{outer: -1})
	s := cState{prev: -1}
	var open []*condition
	for i := range m.tokens {
		if t := &m.tokens[i]; t.kind != tokDirective {
			m.advance(&s, int32(i))
			continue
		}
		word := m.directive(i)
		switch word {
		case "if", "ifdef", "ifndef":
			if len(open) == maxConditions {
				return
			}
			open = append(open, m.openCondition(s, int32(i)))
		case "elif", "else", "elifdef", "elifndef":
			if len(open) > 0 {
				c := open[len(open)-1]
				m.endBranch(c, s)
				s = c.start
				m.beginBranch(c, int32(i))
			}
		case "endif":
			if len(open) > 0 {
				c := open[len(open)-1]
				open = open[:len(open)-1]
				m.endBranch(c, s)
				c.directives = append(c.directives, int32(i))
				s = m.closeCondition(c)
			}
		default:
			if k := m.braces[s.brace].kind; s.paren > 0 || k == braceInit || k == braceEnum {
				m.blankDirective(int32(i))
			}
		}
	}
}

// directive returns the word after the # of token i.
func (m *masker) directive(i int) string {
	t := m.tokens[i]
	b := bytes.TrimLeft(m.src[t.start+1:t.end], " \t")
	n := 0
	for n < len(b) && lexical.IsWord(b[n]) {
		n++
	}
	return string(b[:n])
}

// blankDirective blanks a preprocessor directive at a place where the grammar allows none.
func (m *masker) blankDirective(i int32) {
	t := m.tokens[i]
	r := byteRange{t.start, t.end}
	m.blank = append(m.blank, r)
	if w := m.directive(int(i)); w == "define" || w == "include" {
		m.directiveLines = append(m.directiveLines, r)
	}
}

// openCondition begins a conditional at the #if that is token i.
func (m *masker) openCondition(s cState, i int32) *condition {
	k := m.braces[s.brace].kind
	c := &condition{start: s, kept: -1, allFalse: true}
	c.inInitializer = k == braceInit && s.paren == 0
	c.parseable = s.paren == 0 && k != braceInit && m.isBoundary(s)
	m.beginBranch(c, i)
	return c
}

// beginBranch begins a branch of a conditional at the directive that is token i.
func (m *masker) beginBranch(c *condition, i int32) {
	c.directives = append(c.directives, i)
	truth := m.conditionValue(int(i))
	if c.kept < 0 && truth >= 0 {
		c.kept = len(c.directives) - 1
	}
	c.allFalse = c.allFalse && truth < 0
	if w := m.word(int(i) + 1); w == "else" && m.tokens[i+1].kind == tokWord {
		c.parseable = false
	}
}

// conditionValue returns the value of the condition of directive i: -1 for false, 1 for
// true, or 0 if only the preprocessor knows it.
func (m *masker) conditionValue(i int) int {
	t := m.tokens[i]
	f := bytes.Fields(m.src[t.start+1 : min(t.end, t.start+120)])
	if len(f) < 2 {
		return 0
	}
	plus := -1
	if m.cpp {
		plus = 1
	}
	switch s := string(bytes.Join(f, []byte(" "))); s {
	case "if 0", "elif 0":
		return -1
	case "if 1":
		return 1
	case "ifdef __cplusplus", "if defined(__cplusplus)", "if defined __cplusplus", "if defined (__cplusplus)":
		return plus
	case "ifndef __cplusplus", "if !defined(__cplusplus)":
		return -plus
	}
	return 0
}

// endBranch records the end of a branch of a conditional.
func (m *masker) endBranch(c *condition, s cState) {
	c.branchEnds = append(c.branchEnds, s)
	same := s.brace == c.start.brace && s.paren == c.start.paren && s.stray == c.start.stray
	if !same {
		c.parseable, c.inInitializer = false, false
	}
	if s.prev != c.start.prev && !m.isBoundary(s) {
		c.parseable = false
	}
}

// closeCondition blanks the parts of a conditional that the grammar must not see,
// and returns the state in which the walk continues.
func (m *masker) closeCondition(c *condition) cState {
	if c.parseable {
		return c.start
	}
	taken := c.kept
	if taken < 0 && !c.allFalse {
		taken = 0
	}
	for k, i := range c.directives {
		t := m.tokens[i]
		m.blank = append(m.blank, byteRange{t.start, t.end})
		if k+1 < len(c.directives) && k != taken && !c.inInitializer {
			m.blank = append(m.blank, byteRange{t.end, m.tokens[c.directives[k+1]].start})
		}
	}
	switch {
	case c.inInitializer && len(c.branchEnds) > 0:
		return c.branchEnds[len(c.branchEnds)-1]
	case taken >= 0 && taken < len(c.branchEnds):
		return c.branchEnds[taken]
	}
	return c.start
}

// isBoundary reports whether a declaration or statement may begin at s.
func (m *masker) isBoundary(s cState) bool {
	if s.prev < 0 {
		return true
	}
	k := m.braces[s.brace].kind
	switch t := m.tokens[s.prev]; t.kind {
	case ';', '{', '}', ':':
		return true
	case ',':
		return k == braceEnum
	case ')':
		return k == braceNone || k == braceScope
	case tokWord, tokLiteral: // the last enumerator; a macro on a line of its own
		return k == braceEnum || t.newline && k <= braceScope && isMacroName(m.src[t.start:t.end])
	}
	return false
}

// isMacroName reports whether a name is in capitals, as macros are.
func isMacroName(s []byte) bool {
	upper := false
	for _, b := range s {
		if b >= 'a' && b <= 'z' {
			return false
		}
		upper = upper || b >= 'A' && b <= 'Z'
	}
	return upper && len(s) > 1
}

// word returns the text of token i.
func (m *masker) word(i int) string {
	if i >= len(m.tokens) {
		return ""
	}
	return string(m.src[m.tokens[i].start:m.tokens[i].end])
}

// advance moves s over token i, which is no directive.
func (m *masker) advance(s *cState, i int32) {
	t := &m.tokens[i]
	switch t.kind {
	case '(', '[':
		s.paren++
	case ')', ']':
		s.paren = max(s.paren-1, 0)
	case '{':
		m.braces = append(m.braces, cBrace{s.brace, s.paren, m.braceKindAt(s)})
		s.brace, s.paren, s.head = int32(len(m.braces)-1), 0, 0
	case '}':
		if b := m.braces[s.brace]; b.outer >= 0 {
			s.brace, s.paren, s.head = b.outer, b.paren, 0
		} else {
			s.stray++
		}
	case ';':
		s.head = 0
	case '=':
		s.head |= headAssign
	case tokWord:
		s.head |= m.headWord(t)
	}
	s.prev = i
}

// headWord returns the flag for a keyword that decides the meaning of the next brace.
func (m *masker) headWord(t *cToken) headFlags {
	switch string(m.src[t.start:t.end]) {
	case "enum":
		return headEnum
	case "struct", "class", "union":
		return headRecord
	case "namespace", "extern":
		return headScope
	}
	return 0
}

// braceKindAt returns the kind of the brace that opens at s.
func (m *masker) braceKindAt(s *cState) braceKind {
	prev, k := byte(tokEnd), m.braces[s.brace].kind
	if s.prev >= 0 {
		prev = m.tokens[s.prev].kind
	}
	switch {
	case opensInitializer(prev, k):
		return braceInit
	case s.paren > 0, prev == ')', s.head&headAssign != 0:
		return braceBlock
	case s.head&headEnum != 0:
		return braceEnum
	case s.head&(headRecord|headScope) != 0:
		return braceScope
	}
	return braceBlock
}

// opensInitializer reports whether a brace after a token of kind prev, in a brace
// of kind around, opens an initializer.
func opensInitializer(prev byte, around braceKind) bool {
	switch prev {
	case '=':
		return true
	case ',', '{', ')', ']':
		return around == braceInit
	}
	return false
}

// mergeBlank sorts the ranges to blank and joins those that touch.
func (m *masker) mergeBlank() {
	slices.SortFunc(m.blank, byStart)
	out := m.blank[:0]
	for _, r := range m.blank {
		if n := len(out); n > 0 && r.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, r.end)
			continue
		}
		out = append(out, r)
	}
	m.blank = out
}

func byStart(a, b byteRange) int { return cmp.Compare(a.start, b.start) }
