package extract

import (
	"bytes"
	"cmp"
	"slices"
)

// maskC is C or C++ source with what only a preprocessor makes sense of blanked:
// branches and directives of conditionals that cut declarations apart (this file),
// and macros that stand where the grammar has no room for a name (c_head.go). Both
// go over the tokens once; ranges are merged before they are blanked, so the cost
// is linear whatever the nesting.
//
// A conditional is left to the grammar if each of its branches is a list of whole
// declarations, statements, members or enumerators. Of any other the first branch
// that can be true is kept, the others go: what a compiler sees is one of them.
// Between the elements of an initializer all branches are kept, as they name things.
func maskC(f *file, src []byte) []byte {
	m := masker{src: src, cpp: f.lang == "cpp"}
	var open int
	if m.tokens, open = lexC(src); open < len(src) { // the grammar looks for its end again and again
		m.blank = append(m.blank, byteRange{uint32(open), uint32(len(src))})
	}
	m.conditionals()
	m.definitions()
	m.merge()
	conditionals := m.blank[:len(m.blank):len(m.blank)]
	m.heads()
	if len(m.blank) == 0 {
		return src
	}
	f.maskedHeads = slices.Clone(m.blank[len(conditionals):])
	slices.SortFunc(f.maskedHeads, byStart)
	f.masked, f.maskedLines = m.names, m.lines
	m.merge()
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

type masker struct {
	src    []byte
	tokens []cToken
	cpp    bool
	blank  []byteRange // what is to be blanked
	names  []byteRange // macros among it
	lines  []byteRange // directives among it that define or include
	braces []cBrace
}

// cBrace is an open brace: a node of a tree, so that a conditional can go back to
// where it began at no cost.
type cBrace struct {
	up    int32
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

// cState is where a walk over the tokens stands.
type cState struct {
	brace int32 // index in braces
	paren int32
	prev  int32 // index of the token before, -1
	head  headFlags
}

type headFlags uint8

const (
	headEnum headFlags = 1 << iota
	headRecord
	headScope
	headAssign
)

// condition is an open #if.
type condition struct {
	start  cState // at the #if
	intact bool   // the grammar can read it
	list   bool   // stands between elements of an initializer
	marks  []int32
	ends   []cState // at the end of each branch
	taken  int      // the branch that is kept if the grammar cannot read it
	falses bool     // all branches so far are known to be false
}

// maxConditions bounds the nesting of conditionals that is followed.
const maxConditions = 1000

// conditionals walks the tokens and blanks what is to go of conditionals.
func (m *masker) conditionals() {
	m.braces = append(m.braces[:0], cBrace{up: -1})
	s := cState{prev: -1}
	var open []*condition
	for i := range m.tokens {
		if t := &m.tokens[i]; t.kind != tokDirective {
			m.step(&s, int32(i))
			continue
		}
		word := m.directive(i)
		switch word {
		case "if", "ifdef", "ifndef":
			if len(open) == maxConditions {
				return
			}
			open = append(open, m.begin(s, int32(i)))
		case "elif", "else", "elifdef", "elifndef":
			if len(open) > 0 {
				c := open[len(open)-1]
				m.branchEnd(c, s)
				s = c.start
				m.branch(c, int32(i))
			}
		case "endif":
			if len(open) > 0 {
				c := open[len(open)-1]
				open = open[:len(open)-1]
				m.branchEnd(c, s)
				c.marks = append(c.marks, int32(i))
				s = m.finish(c)
			}
		default:
			if s.paren > 0 || m.braces[s.brace].kind == braceInit || m.braces[s.brace].kind == braceEnum {
				m.drop(int32(i))
			}
		}
	}
}

// directive is the word behind #.
func (m *masker) directive(i int) string {
	t := m.tokens[i]
	b := bytes.TrimLeft(m.src[t.start+1:t.end], " \t")
	n := 0
	for n < len(b) && isWord(b[n]) {
		n++
	}
	return string(b[:n])
}

// drop blanks a directive the grammar has no room for.
func (m *masker) drop(i int32) {
	t := m.tokens[i]
	r := byteRange{t.start, t.end}
	m.blank = append(m.blank, r)
	if w := m.directive(int(i)); w == "define" || w == "include" {
		m.lines = append(m.lines, r)
	}
}

// begin opens a conditional.
func (m *masker) begin(s cState, i int32) *condition {
	k := m.braces[s.brace].kind
	c := &condition{start: s, taken: -1, falses: true}
	c.list = k == braceInit && s.paren == 0
	c.intact = s.paren == 0 && k != braceInit && m.boundary(s)
	m.branch(c, i)
	return c
}

// branch begins the branch of the directive i.
func (m *masker) branch(c *condition, i int32) {
	c.marks = append(c.marks, i)
	truth := m.truth(int(i))
	if c.taken < 0 && truth >= 0 {
		c.taken = len(c.marks) - 1
	}
	c.falses = c.falses && truth < 0
	if w := m.word(int(i) + 1); w == "else" && m.tokens[i+1].kind == tokWord {
		c.intact = false
	}
}

// truth is what is known of a condition: -1 false, 1 true, 0 nothing.
func (m *masker) truth(i int) int {
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

// branchEnd notes where a branch ends.
func (m *masker) branchEnd(c *condition, s cState) {
	c.ends = append(c.ends, s)
	same := s.brace == c.start.brace && s.paren == c.start.paren
	if !same {
		c.intact, c.list = false, false
	}
	if s.prev != c.start.prev && !m.boundary(s) {
		c.intact = false
	}
}

// finish closes a conditional: blanks what is to go of it and gives the state to
// go on with.
func (m *masker) finish(c *condition) cState {
	if c.intact {
		return c.start
	}
	taken := c.taken
	if taken < 0 && !c.falses {
		taken = 0
	}
	for k, i := range c.marks {
		t := m.tokens[i]
		m.blank = append(m.blank, byteRange{t.start, t.end})
		if k+1 < len(c.marks) && k != taken && !c.list {
			m.blank = append(m.blank, byteRange{t.end, m.tokens[c.marks[k+1]].start})
		}
	}
	switch {
	case c.list && len(c.ends) > 0:
		return c.ends[len(c.ends)-1]
	case taken >= 0 && taken < len(c.ends):
		return c.ends[taken]
	}
	return c.start
}

// boundary reports whether a declaration or statement may begin at s.
func (m *masker) boundary(s cState) bool {
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
	case tokWord, tokLiteral: // the last enumerator; a macro that stands alone
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

// word is the text of token i.
func (m *masker) word(i int) string {
	if i >= len(m.tokens) {
		return ""
	}
	return string(m.src[m.tokens[i].start:m.tokens[i].end])
}

// step moves s over token i, which is no directive.
func (m *masker) step(s *cState, i int32) {
	t := &m.tokens[i]
	switch t.kind {
	case '(', '[':
		s.paren++
	case ')', ']':
		s.paren = max(s.paren-1, 0)
	case '{':
		m.braces = append(m.braces, cBrace{s.brace, s.paren, m.opened(s)})
		s.brace, s.paren, s.head = int32(len(m.braces)-1), 0, 0
	case '}':
		if b := m.braces[s.brace]; b.up >= 0 {
			s.brace, s.paren, s.head = b.up, b.paren, 0
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

// headWord is what a keyword tells of the brace that may follow.
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

// opened is the kind of the brace that opens at s.
func (m *masker) opened(s *cState) braceKind {
	prev, k := byte(tokEnd), m.braces[s.brace].kind
	if s.prev >= 0 {
		prev = m.tokens[s.prev].kind
	}
	switch {
	case prev == '=' || k == braceInit && (prev == ',' || prev == '{' || prev == ')' || prev == ']'):
		return braceInit
	case s.paren > 0 || prev == ')':
		return braceBlock
	case s.head&headAssign != 0:
		return braceBlock
	case s.head&headEnum != 0:
		return braceEnum
	case s.head&(headRecord|headScope) != 0:
		return braceScope
	}
	return braceBlock
}

// merge sorts the ranges to blank and joins those that touch.
func (m *masker) merge() {
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
