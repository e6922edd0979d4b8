package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/pytype"
)

// declareHere adds a symbol to the innermost scope.
func (p *python) declareHere(name node, s code.Symbol) int32 {
	s.Name, s.NameStart = p.str(name), p.start(name)
	s.Exported = p.isExported(s.Name)
	return p.declare(s)
}

// isExported reports whether a name is public. At the top level, __all__ may change
// that later (python_doc.go).
func (p *python) isExported(name string) bool {
	public := !strings.HasPrefix(name, "_")
	switch p.level {
	case pyInFunction:
		return false
	case pyInClass:
		dunder := len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
		return (public || dunder) && p.owner >= 0 && p.facts.Symbols[p.owner].Exported
	}
	return public
}

func (p *python) function(n node) {
	name := p.child(n, pyfName)
	if p.str(name) == "" {
		p.walkChildren(n, code.RefUse)
		return
	}
	params, result, body := p.child(n, pyfParameters), p.child(n, pyfReturnType), p.child(n, pyfBody)
	end := max(p.end(params), p.end(result), p.end(name))
	s := code.Symbol{Kind: code.KindFunction, Span: p.defSpan(n), Signature: p.signature(p.start(n), end),
		Doc: p.docstring(body), Params: p.params(params), Returns: p.signature(p.start(result), p.end(result))}
	if p.level == pyInClass {
		s.Kind = code.KindMethod
		if p.str(name) == "__init__" {
			s.Kind = code.KindConstructor
		}
	}
	p.tests = p.tests || strings.HasPrefix(p.str(name), "test_")
	p.markDeclared(p.str(name))
	before := p.enter(p.declareHere(name, s))
	p.names.push()
	p.bindTypeParams(p.child(n, pyfTypeParameters))
	p.walk(p.child(n, pyfTypeParameters), code.RefType)
	p.walkParams(params)
	p.walk(result, code.RefType)
	outer, found := p.result, ""
	p.result = &found
	p.functionBody(n, params, body)
	p.result = outer
	p.names.pop()
	p.recordResult(n, p.owner, result, found)
	p.hintKeywords(params, p.owner)
	p.leave(before)
}

// functionBody binds the parameters and local names and reads the body.
func (p *python) functionBody(n, params, body node) {
	level, self, selfAt, class, enum := p.level, p.self, p.selfAt, p.class, p.enum
	if level == pyInFunction && self == "" {
		p.class = ""
	}
	p.level, p.enum = pyInFunction, false
	p.bindParams(params)
	if level == pyInClass && !p.isStatic(n) {
		p.bindSelf(params)
	}
	p.bindNames(body)
	p.walkChildren(body, code.RefUse)
	p.level, p.self, p.selfAt, p.class, p.enum = level, self, selfAt, class, enum
}

// bindSelf records the first parameter of a method, mostly called self.
func (p *python) bindSelf(params node) {
	p.self, p.selfAt = "", -1
	first := p.firstNamed(params)
	if p.kind(first) == pyTypedParam {
		first = p.firstNamed(first)
	}
	if p.kind(first) == pyIdentifier {
		p.self = p.str(first)
		p.selfAt = p.names.top[p.self]
	}
}

// bindTypeParams binds the type parameters of a function or class, such as T in `def f[T: Bound]`.
func (p *python) bindTypeParams(n node) {
	for t := p.firstNamed(n); t != none; t = p.nextNamed(t) {
		id := p.firstNamed(t)
		for id != none && p.kind(id) != pyIdentifier {
			id = p.firstNamed(id)
		}
		if id != none {
			p.names.bind(binding{name: p.str(id), what: bindLocal, typ: pyUnknown})
		}
	}
}

func (p *python) params(list node) []code.Param {
	count := 0
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		count++
	}
	if count == 0 {
		return nil
	}
	params := make([]code.Param, 0, count)
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		name, typ, value := p.paramParts(c)
		if name == none {
			continue
		}
		q := code.Param{Name: p.signature(p.start(name), p.end(name)), Optional: value != none}
		if typ != none {
			q.Type = p.signature(p.start(typ), p.end(typ))
		}
		if value != none {
			q.Default = p.signature(p.start(value), p.end(value))
		}
		params = append(params, q)
	}
	return params
}

// walkParams reads types and default values of parameters, which are evaluated outside of the function.
func (p *python) walkParams(list node) {
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		if p.isError(c) {
			p.walk(c, code.RefUse)
			continue
		}
		_, typ, value := p.paramParts(c)
		p.walk(typ, code.RefType)
		p.walk(value, code.RefUse)
	}
}

func (p *python) bindParams(list node) {
	for c := p.firstNamed(list); c != none; c = p.nextNamed(c) {
		name, typ, _ := p.paramParts(c)
		b := binding{what: bindLocal, typ: pyUnknown}
		switch p.kind(name) {
		case pyIdentifier:
			if t := p.annotation(typ); typ != none && t != "" {
				b.typ = t
			}
		case pyListSplatPattern:
			name, b.typ = p.firstNamed(name), "tuple"
		case pyDictSplatPattern:
			name, b.typ = p.firstNamed(name), "dict"
		case pyTuplePattern:
			p.bindTargets(name, nil)
			continue
		}
		b.name = p.str(name)
		p.names.bind(b)
	}
}

func (p *python) lambda(n node) {
	params := p.child(n, pyfParameters)
	level, result := p.level, p.result
	p.walkParams(params)
	p.names.push()
	p.level, p.result = pyInFunction, nil
	p.bindParams(params)
	p.walk(p.child(n, pyfBody), code.RefUse)
	p.level, p.result = level, result
	p.names.pop()
}

// comprehension reads [x for x in y]. It binds the loop variables before it reads
// the first part, which uses them.
func (p *python) comprehension(n node) {
	level := p.level
	p.names.push()
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == pyForIn {
			p.bindLoop(p.child(c, pyfLeft), pytype.Loop(p.valueExpr(p.child(c, pyfRight))), func(id node, typ string) {
				p.names.bind(binding{name: p.str(id), what: bindLocal, typ: typ})
			})
		}
	}
	if level == pyInModule {
		p.level = pyInFunction
	}
	p.walkChildren(n, code.RefUse)
	p.level = level
	p.names.pop()
}

func (p *python) classDef(n node) {
	name := p.child(n, pyfName)
	if p.str(name) == "" {
		p.walkChildren(n, code.RefUse)
		return
	}
	bases, body, types := p.child(n, pyfSuperclasses), p.child(n, pyfBody), p.child(n, pyfTypeParameters)
	s := code.Symbol{Kind: p.classKind(bases), Span: p.defSpan(n), Doc: p.docstring(body),
		Signature: p.signature(p.start(n), max(p.end(name), p.end(bases), p.end(types)))}
	p.markDeclared(p.str(name))
	before := p.enter(p.declareHere(name, s))
	p.names.push()
	p.bindTypeParams(types)
	p.walk(types, code.RefType)
	for c := p.firstNamed(bases); c != none; c = p.nextNamed(c) {
		p.walk(c, code.RefInherit)
	}
	p.hintFields(n, bases, p.owner)
	level, class, enum, from := p.level, p.class, p.enum, p.declaredFrom
	self, selfAt, base := p.self, p.selfAt, p.base
	p.base = p.onlyBase(bases)
	classAt := p.classAt
	p.classAt = p.owner
	p.level, p.class, p.enum, p.declaredFrom = pyInClass, p.str(name), s.Kind == code.KindEnum, len(p.declared.list)
	p.self, p.selfAt = "", -1
	p.members.push()
	p.declared.push()
	p.bindNames(body)
	p.walkChildren(body, code.RefUse)
	p.declared.pop()
	p.members.pop()
	p.classAt = classAt
	p.level, p.class, p.enum, p.declaredFrom = level, class, enum, from
	p.self, p.selfAt, p.base = self, selfAt, base
	p.names.pop()
	p.leave(before)
}

// onlyBase returns the name of the only base class, or "" if there are none or several.
func (p *python) onlyBase(bases node) (name string) {
	for c := p.firstNamed(bases); c != none; c = p.nextNamed(c) {
		base := c
		switch p.kind(c) {
		case pyKeywordArg:
			continue
		case pySubscript:
			base = p.child(c, pyfValue)
		}
		if k := p.kind(base); name != "" || k != pyIdentifier && k != pyAttribute {
			return ""
		}
		name = p.str(base)
	}
	return name
}

func (p *python) classKind(bases node) code.Kind {
	for c := p.firstNamed(bases); c != none; c = p.nextNamed(c) {
		base := c
		if p.kind(c) == pySubscript {
			base = p.child(c, pyfValue)
		}
		s := p.str(base)
		switch s[strings.LastIndexByte(s, '.')+1:] {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
			return code.KindEnum
		case "Protocol":
			return code.KindInterface
		case "TestCase", "IsolatedAsyncioTestCase":
			p.tests = true
		}
	}
	return code.KindClass
}

// defSpan returns the span of a function or class, up to its last statement: comments after
// that are left out.
func (p *python) defSpan(n node) code.Span {
	return p.spanBetween(p.start(n), p.lastEnd(n))
}

// lastEnd returns where n ends without trailing comments and line breaks, which the grammar
// includes.
func (p *python) lastEnd(n node) uint32 {
	for {
		last := none
		for c := p.first(n); c != none; c = p.sibling(c) {
			if !p.isExtra(c) {
				last = c
			}
		}
		if last == none {
			return p.end(n)
		}
		n = last
	}
}

// markDeclared records that name is declared from the current position on.
func (p *python) markDeclared(name string) {
	if p.level != pyInFunction {
		p.declared.bind(binding{name: name})
	}
}

func (p *python) isDeclared(name string) bool {
	i, ok := p.declared.top[name]
	return ok && int(i) >= p.declaredFrom
}

// statement reads an expression statement; an assignment's span is that of the
// statement chain `a = b = 1`.
func (p *python) statement(n node) {
	c := p.firstNamed(n)
	if p.kind(c) == pyAssignment {
		p.assignment(c, c)
		for c = p.nextNamed(c); c != none; c = p.nextNamed(c) {
			p.walk(c, code.RefUse)
		}
		return
	}
	p.walkChildren(n, code.RefUse)
}

// assignment reads an assignment that is part of statement.
func (p *python) assignment(n, statement node) {
	left, typ, right := p.child(n, pyfLeft), p.child(n, pyfType), p.child(n, pyfRight)
	if p.level == pyInModule && p.str(left) == "__all__" {
		p.allAssigned(right, true)
	}
	before := p.owner
	first := int32(-1)
	p.hintAttribute(left, typ, right)
	if p.level == pyInFunction {
		p.walk(left, code.RefUse)
	} else {
		first = p.targets(left, statement, typ)
	}
	if first >= 0 {
		p.owner = first
	}
	p.walk(typ, code.RefType)
	if p.kind(right) == pyAssignment {
		p.owner = before
		p.assignment(right, statement)
	} else {
		p.walk(right, code.RefUse)
	}
	p.owner = before
}

// targets declares the plain names on the left of an assignment as symbols
// and reads the other parts. It returns the first symbol, or -1.
func (p *python) targets(n, statement, typ node) int32 {
	switch p.kind(n) {
	case pyIdentifier:
		name := p.str(n)
		if name == "" {
			return -1 // the parser inserted it
		}
		if p.isDeclared(name) {
			p.use(n, code.RefUse)
			return -1
		}
		p.markDeclared(name)
		sym := p.declareHere(n, code.Symbol{Kind: p.variableKind(name, typ), Span: p.span(statement),
			Signature: p.valueSignature(statement), Doc: p.attributeDoc(statement)})
		if b := p.ownBinding(name); b != nil {
			p.hint(sym, "", unmarkReceiver(b.typ))
		}
		return sym
	case pyPatternList, pyTuplePattern, pyListPattern, pyListSplatPattern, pyTuple, pyList, pyParenthesized:
		first := int32(-1)
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			if s := p.targets(c, statement, typ); first < 0 {
				first = s
			}
		}
		return first
	}
	p.walk(n, code.RefUse)
	return -1
}

func (p *python) variableKind(name string, typ node) code.Kind {
	switch {
	case p.level == pyInClass:
		if p.enum && typ == none && !strings.HasPrefix(name, "_") {
			return code.KindEnumMember
		}
		return code.KindField
	case isPyConstant(name):
		return code.KindConstant
	}
	return code.KindVariable
}

// isPyConstant reports whether a name is written in capitals.
func isPyConstant(name string) bool {
	letter := false
	for _, c := range []byte(name) {
		if lexical.IsSmall(c) {
			return false
		}
		letter = letter || lexical.IsCapital(c)
	}
	return letter
}

func (p *python) valueSignature(n node) string {
	s := p.str(n)
	if fitsSignature(s) {
		return p.signature(p.start(n), p.end(n))
	}
	end := p.end(p.child(n, pyfLeft))
	if t := p.child(n, pyfType); t != none {
		end = p.end(t)
	}
	sig := p.signature(p.start(n), end)
	if right := p.child(n, pyfRight); p.kind(right) == pyCall {
		f := p.child(right, pyfFunction)
		return lexical.Cut(sig+" = "+p.signature(p.start(f), p.end(f))+"(...)", code.MaxSignature)
	}
	return lexical.Cut(sig+" = ...", code.MaxSignature)
}

// attributeDoc returns the string directly below an assignment, or the `#:` comment above
// it.
func (p *python) attributeDoc(n node) string {
	next := p.sibling(p.parent(n))
	if p.kind(next) == pyExprStatement && p.line(next) > p.line(n) {
		if doc := p.stringDoc(p.first(next)); doc != "" {
			return doc
		}
	}
	if len(p.comments) == 0 {
		return ""
	}
	doc := p.docBefore(p.start(n), func(c string) bool { return strings.HasPrefix(c, "#:") })
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(doc, ":"), "\n:", "\n"))
}

// augmentedAssignment reads `x += y`.
func (p *python) augmentedAssignment(n node) {
	left, right := p.child(n, pyfLeft), p.child(n, pyfRight)
	p.walk(left, code.RefUse)
	p.walk(right, code.RefUse)
	if p.level == pyInModule && p.str(left) == "__all__" {
		p.allAssigned(right, false)
	}
}

func (p *python) typeAlias(n node) {
	name := p.aliasName(n)
	before := p.owner
	if p.level != pyInFunction && p.str(name) != "" {
		p.owner = p.declareHere(name, code.Symbol{Kind: code.KindType, Span: p.span(n), Signature: p.signature(p.start(n), p.end(n))})
	}
	p.names.push()
	p.bindTypeParams(p.nextNamed(name))
	p.walk(p.nextNamed(name), code.RefType)
	p.walk(p.child(n, pyfRight), code.RefType)
	p.names.pop()
	p.owner = before
}
