package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// moduleVars reads a declaration of variables at the top of a file or namespace, which
// become symbols. If it declares one variable, the whole statement is the span of the
// symbol.
func (s *script) moduleVars(n node) {
	count, kind := 0, code.KindVariable
	if s.has(n, jsKwConst) {
		kind = code.KindConstant
	}
	for d := s.firstNamed(n); d != none; d = s.nextNamed(d) {
		if s.kind(d) == jsDeclarator {
			count++
		}
	}
	for d := s.firstNamed(n); d != none; d = s.nextNamed(d) {
		switch {
		case s.kind(d) != jsDeclarator:
			s.walk(d)
		case s.importsInto(d):
			s.importHelper(s.child(d, jsfValue))
			s.pattern(s.child(d, jsfName), code.Ref{})
			s.exportPattern(n, s.child(d, jsfName))
		default:
			s.moduleVar(n, d, kind, count == 1)
		}
	}
}

func (s *script) exportPattern(n, pattern node) {
	if w := s.outerStatement(n); s.owner < 0 && s.kind(w) == jsExport {
		s.eachName(pattern, func(name node) { s.exportLocal(s.str(name), s.str(name), w) })
	}
}

func (s *script) moduleVar(n, d node, kind code.Kind, alone bool) {
	name, value := s.child(d, jsfName), s.child(d, jsfValue)
	if s.kind(name) != jsIdentifier {
		s.eachName(name, func(one node) {
			if s.names.lookup(s.str(one)).is(bindMember) {
				if w := s.outerStatement(n); s.owner < 0 && s.kind(w) == jsExport {
					s.exportLocal(s.str(one), s.str(one), w)
				}
				return
			}
			i := len(s.facts.Symbols)
			s.add(s.varSymbol(n, d, one, kind, s.end(name), alone), n)
			s.hintType(i, s.str(one), none)
		})
		s.localVar(d)
		return
	}
	if s.isExports(value) && s.owner < 0 { // const api = module.exports
		s.exportLocal("default", s.str(name), d)
	}
	for s.kind(value) == jsAssign { // var app = module.exports = …
		if whole, exported, ok := s.commonTarget(s.child(value, jsfLeft)); ok && s.owner < 0 {
			if whole {
				exported = "default"
			}
			s.exportLocal(exported, s.str(name), d)
		} else {
			s.walk(s.child(value, jsfLeft))
		}
		value = s.child(value, jsfRight)
	}
	i := len(s.facts.Symbols)
	s.valueSymbol(s.varSymbol(n, d, name, kind, s.valueEnd(d, value), alone), n, d, value)
	s.hintType(i, s.str(name), d)
}

// hintType records the type that the variable name, which is symbol i, has because of its value.
func (s *script) hintType(i int, name string, d node) {
	b := s.lookup(name, false)
	if i >= len(s.facts.Symbols) || b == nil || d != none && s.child(d, tsfType) != none {
		return
	}
	if t := strings.TrimPrefix(b.typ, code.RecvExpr); t != "" && t != name && len(t) <= maxDerived {
		s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: int32(i), Type: t})
	}
}

// varSymbol returns a symbol for one variable of statement n; d is the part that declares it.
func (s *script) varSymbol(n, d, name node, k code.Kind, sigEnd uint32, alone bool) code.Symbol {
	sym := s.topSymbol(n, name, k, sigEnd)
	if !alone {
		w := s.outerStatement(n)
		sym.Span = s.span(d)
		first := s.firstNamed(n)
		head := s.signature(s.declStart(w), s.start(first))
		sym.Signature = lexical.Cut(head+" "+trimSignature(s.signature(s.start(d), sigEnd)), code.MaxSignature)
		if d != first {
			sym.Doc = s.jsDoc(s.start(d))
		}
	}
	return sym
}

// valueSymbol declares sym, whose statement is n, and reads its value: a function, a
// class, an object with methods or anything else. holder is the node that may have a
// type annotation for it.
func (s *script) valueSymbol(sym code.Symbol, n, holder, value node) {
	inner := s.unwrap(value)
	sigStart := sym.Span.Start
	switch s.kind(inner) {
	case jsArrow, jsFuncExpr, jsGenerator:
		sym.Kind = code.KindFunction
		sym.Signature = s.valueSignature(sym, sigStart, inner)
		sym.Params, sym.Returns = s.params(inner), s.returns(inner)
	case jsClass:
		sym.Kind = code.KindClass
		sym.Signature = s.valueSignature(sym, sigStart, inner)
	}
	i, ok := s.add(sym, n)
	if !ok {
		s.localVar(holder)
		return
	}
	before := s.enter(i)
	s.walk(s.child(holder, tsfType))
	s.symbolValue(i, value, inner)
	s.leave(before)
}

// valueSignature returns a variable's signature with the beginning of its value, a function or class, up to the body.
func (s *script) valueSignature(sym code.Symbol, start uint32, value node) string {
	if sig := s.headSignature(start, value); sym.Span.Start == start && sig != "" {
		return sig
	}
	return sym.Signature
}

// symbolValue reads the value of symbol sym. Members of an object literal in it
// belong to sym.
func (s *script) symbolValue(sym int32, value, inner node) {
	if s.place.name == "" {
		s.place = literalPlace{name: s.facts.Symbols[sym].Qualified, computed: s.inFunction}
	}
	s.valued = inner
	switch s.kind(inner) {
	case jsClass:
		for c := s.first(inner); c != none; c = s.sibling(c) {
			if s.kind(c) == jsDecorator {
				s.walk(c)
			}
		}
		s.class(inner, sym, true)
		s.assertions(value, inner)
	case jsObject:
		s.object(inner)
		s.place = literalPlace{}
		s.assertions(value, inner)
	default:
		s.walk(value)
	}
	s.place = literalPlace{}
}

func (s *script) interfaceDecl(n node) {
	sym := s.topSymbol(n, s.child(n, jsfName), code.KindInterface, s.bodyStart(n))
	i, ok := s.add(sym, n)
	if !ok {
		s.walkChildren(n)
		return
	}
	s.typeBody(n, i, s.child(n, jsfBody))
}

// typeBody reads the members of an interface or type alias in a new scope, with its type parameters.
func (s *script) typeBody(n node, sym int32, body node) {
	self, mute, before := s.self, s.withoutSymbols, s.enter(sym)
	s.self, s.withoutSymbols = s.facts.Symbols[sym].Name, false
	s.names.push()
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.nodeField(c) == jsfName || !s.isNamed(c):
		case c == body:
			s.members(c)
		default:
			s.walk(c)
		}
	}
	s.names.pop()
	s.self, s.withoutSymbols = self, mute
	s.leave(before)
}

// aliasDecl reads a type alias. The members of an object type are fields, even if the
// type is one part of an intersection.
func (s *script) aliasDecl(n node) {
	value := s.child(n, jsfValue)
	end := s.end(n)
	if s.kind(value) == tsObjectType {
		end = s.start(value)
	}
	i, ok := s.add(s.topSymbol(n, s.child(n, jsfName), code.KindType, end), n)
	if !ok {
		s.walkChildren(n)
		return
	}
	before := s.enter(i)
	self, mute := s.self, s.withoutSymbols
	s.self, s.withoutSymbols = "", false
	s.names.push()
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	s.walk(s.child(n, tsfTypeParameters))
	s.aliasValue(value)
	s.names.pop()
	s.self, s.withoutSymbols = self, mute
	s.leave(before)
}

func (s *script) aliasValue(v node) {
	switch s.kind(v) {
	case tsObjectType:
		s.members(v)
	case tsIntersection, tsParenType, tsReadonlyType:
		for c := s.firstNamed(v); c != none; c = s.nextNamed(c) {
			s.aliasValue(c)
		}
	default:
		s.walk(v)
	}
}

func (s *script) enumDecl(n node) {
	body := s.child(n, jsfBody)
	i, ok := s.add(s.topSymbol(n, s.child(n, jsfName), code.KindEnum, s.bodyStart(n)), n)
	if !ok {
		s.walkChildren(n)
		return
	}
	before := s.enter(i)
	s.names.push()
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) { // members see each other
		s.bindName(s.enumName(c), bindLocal, "")
	}
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		if name := s.enumName(c); s.nameText(name) != "" {
			sym := s.memberSymbol(c, name, code.KindEnumMember, s.end(c), s.start(c))
			s.owner = s.declare(sym)
			s.walk(s.child(c, jsfValue))
			s.owner = i
		}
	}
	s.names.pop()
	s.leave(before)
}

func (s *script) enumName(c node) node {
	if s.kind(c) == tsEnumAssign {
		return s.child(c, jsfName)
	}
	return c
}

// namespace reads `namespace A.B {}` and `module "x" {}`.
func (s *script) namespace(n node) {
	body := s.child(n, jsfBody)
	name := s.child(n, jsfName)
	sym := s.topSymbol(n, name, code.KindModule, s.bodyStart(n))
	sym.Name = strings.Join(strings.Fields(sym.Name), "")
	sym.Exported = sym.Exported || s.kind(name) == jsString
	if end := sym.Span.End; body == none && strings.HasPrefix(s.text[end:], ";") {
		sym.Span.End++ // the grammar leaves the semicolon to an empty statement
	}
	if i, ok := s.add(sym, n); ok {
		s.moduleBody(i, body)
		return
	}
	s.walk(body)
}

func (s *script) moduleBody(sym int32, body node) {
	before := s.enter(sym)
	self := s.self
	s.self = ""
	s.names.push()
	s.bindBlock(body, bindNested, bindNested)
	s.hoist(body, bindLocal)
	s.items(body)
	s.names.pop()
	s.self = self
	s.leave(before)
}

// importAlias reads `import A = B.C`.
func (s *script) importAlias(n node) {
	name := s.childKind(n, jsIdentifier)
	if w := s.outerStatement(n); s.owner < 0 && s.kind(w) == jsExport {
		s.export(s.str(name), s.str(name), -1, w)
	}
	s.qualifiedName(s.nextNamed(name))
}

// qualifiedName records references for a.b.c outside an expression.
func (s *script) qualifiedName(n node) {
	switch s.kind(n) {
	case jsIdentifier:
		s.use(n)
	case tsNestedIdentifier, jsMember:
		s.member(n, code.RefUse)
	}
}

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

// head reads a declaration that begins with the keyword kw, up to the end of the error
// node. If it is a class, the members that follow belong to it.
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
		Name: m.str(name), Kind: k, Span: m.spanBetween(m.start(kw), m.end(m.errorNode)), NameStart: m.start(name),
		Signature: trimSignature(m.signature(m.start(kw), end)), Doc: m.jsDoc(m.start(kw)), Exported: m.ambient,
	})
	if k != code.KindFunction {
		m.classDepth, m.owner, m.self = m.depth, i, m.str(name)
	}
}
