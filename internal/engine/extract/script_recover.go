package extract

import (
	"strings"

	"ken/internal/code"
)

// scriptRecovery reads the pieces of statements that do not parse, as the grammar
// leaves them in an ERROR node: heads of classes and functions as bare tokens, members
// and functions as whole nodes. After an opening brace that is not closed comes the
// inside of some function, whose variables are no symbols.
type scriptRecovery struct {
	*script
	errorNode  node // the ERROR node
	depth      int  // number of open braces
	headName   node // name of the head just read
	classDepth int  // depth of the class whose members are being read, -1 outside
}

func (s *script) brokenItems(n node) {
	owner, self := s.owner, s.self
	m := scriptRecovery{script: s, errorNode: n, classDepth: -1}
	for c := s.first(n); c != none; c = s.sibling(c) {
		m.piece(c, owner, self)
	}
	s.owner, s.self = owner, self
}

func (m *scriptRecovery) piece(c node, owner int32, self string) {
	switch k := m.kind(c); {
	case c == m.headName:
	case k == jsKwOpen:
		m.depth++
	case k == jsKwClose && m.depth > 0:
		if m.depth--; m.depth == m.classDepth {
			m.classDepth, m.owner, m.self = -1, owner, self
		}
	case k == jsKwClass && m.depth == 0:
		m.head(c, code.KindClass)
	case k == tsKwInterface && m.depth == 0:
		m.head(c, code.KindInterface)
	case k == jsKwFunction && m.depth == 0:
		m.head(c, code.KindFunction)
	case k == jsFuncExpr || k == jsGenerator:
		m.funcDecl(c)
	case m.classDepth >= 0 && m.depth == m.classDepth+1 && isMemberKind(k):
		m.classMember(c, m.start(c))
	case m.depth == 0:
		m.item(c)
	case m.isError(c):
		m.brokenItems(c)
	case m.isNamed(c):
		m.walk(c)
	}
}

func isMemberKind(k kind) bool {
	switch k {
	case jsMethod, jsField, tsField:
		return true
	}
	return false
}

// head declares what the keyword kw begins, up to the end of the error node. A class
// owns the members that follow.
func (m *scriptRecovery) head(kw node, k code.Kind) {
	name := m.sibling(kw)
	if kind := m.kind(name); kind != jsIdentifier && kind != tsTypeName || isReserved(m.str(name)) {
		return
	}
	m.headName = name
	end := m.end(m.errorNode)
	if i := strings.IndexAny(m.text[m.end(name):end], "{\n"); i >= 0 {
		end = m.end(name) + uint32(i)
	}
	i := m.declare(code.Symbol{
		Name: m.str(name), Kind: k, Span: m.spanOf(m.start(kw), m.end(m.errorNode)), NameStart: m.start(name),
		Signature: trimSignature(m.signature(m.start(kw), end)), Doc: m.jsDoc(m.start(kw)), Exported: m.ambient,
	})
	if k != code.KindFunction {
		m.classDepth, m.owner, m.self = m.depth, i, m.str(name)
	}
}

// isReserved reports the keywords that error recovery takes for names.
func isReserved(name string) bool {
	switch name {
	case "break", "case", "catch", "class", "const", "continue", "default", "delete", "do", "else", "enum", "export", "extends", "finally",
		"for", "function", "if", "import", "in", "instanceof", "let", "new", "return", "super", "switch", "this", "throw", "try",
		"typeof", "var", "void", "while", "with":
		return true
	}
	return false
}
