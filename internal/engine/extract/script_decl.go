package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// declStart returns the offset at which a declaration begins, after its decorators.
func (s *script) declStart(w node) (start uint32) {
	for c := s.first(w); c != none; c = s.sibling(c) {
		if k := s.kind(c); k != jsDecorator && k != jsComment {
			if k == jsClassDecl || k == tsAbstractClass {
				return s.declStart(c)
			}
			return s.start(c)
		}
	}
	return s.start(w)
}

// codeEnd returns the end of n without the comments that the grammar includes in a
// statement that lacks its semicolon.
func (s *script) codeEnd(n node) uint32 {
	last := s.after(n) - 1 // in pre-order, so that this is the last leaf
	for last > n && s.after(n)-last < docComments && s.isComment(last) {
		last--
	}
	if last <= n || last == s.after(n)-1 {
		return s.end(n)
	}
	return s.end(last)
}

func (s *script) isComment(n node) bool {
	switch s.kind(n) {
	case jsComment, jsHTMLComment:
		return true
	}
	return false
}

// topSymbol returns a symbol for the declaration n, which declares name and
// whose signature ends before sigEnd. Documentation, span and visibility come
// from the enclosing statement.
func (s *script) topSymbol(n, name node, k code.Kind, sigEnd uint32) code.Symbol {
	w := s.outerStatement(n)
	start := s.declStart(w)
	exported := w != n && s.kind(w) == jsExport
	return code.Symbol{
		Name: s.nameText(name), Kind: k, Span: s.spanBetween(start, s.codeEnd(w)), NameStart: s.start(name),
		Signature: trimSignature(s.signature(start, sigEnd)), Doc: s.jsDoc(s.start(w)), Exported: s.ambient || exported,
	}
}

// trimSignature removes the words and marks at the end of a signature that lead to a body or value, such as "=>".
func trimSignature(sig string) string {
	for {
		before := len(sig)
		sig = strings.TrimRight(sig, " ;,{")
		sig = strings.TrimSuffix(strings.TrimSuffix(sig, "=>"), "=")
		if len(sig) == before {
			return sig
		}
	}
}

// add declares sym and exports it if its statement does. It reports false if sym has no name.
func (s *script) add(sym code.Symbol, n node) (int32, bool) {
	if sym.Name == "" {
		return -1, false
	}
	if w := s.outerStatement(n); s.owner < 0 && s.kind(w) == jsExport {
		name := sym.Name
		if s.has(w, jsKwDefault) {
			name = "default"
		}
		s.export(name, sym.Name, -1, w)
	}
	i := s.declare(sym)
	if s.block != root {
		s.nested = append(s.nested, nestedSymbol{i, s.block})
	}
	return i, true
}

func (s *script) funcDecl(n node) {
	sym := s.topSymbol(n, s.child(n, jsfName), code.KindFunction, s.bodyStart(n))
	s.addFunction(sym, n, n)
}

// addFunction declares sym, whose statement is n, and reads the function fn.
func (s *script) addFunction(sym code.Symbol, n, fn node) {
	sym.Params, sym.Returns = s.params(fn), s.returns(fn)
	i, ok := s.add(sym, n)
	if !ok {
		s.function(fn)
		return
	}
	before, self := s.enter(i), s.self
	s.place, s.valued = literalPlace{name: s.facts.Symbols[i].Qualified}, fn
	if sym.Kind == code.KindFunction && sym.Name != "" && sym.Name[0] >= 'A' && sym.Name[0] <= 'Z' {
		s.self, s.thisFunction = sym.Name, fn // a constructor, as they were before there were classes
	}
	s.function(fn)
	s.self, s.place = self, literalPlace{}
	s.leave(before)
}

// headSignature returns the signature from start to the body of the function or class fn. It
// leaves out parentheses and casts around fn, because they end after the body.
func (s *script) headSignature(start uint32, fn node) string {
	value := fn
	for p := s.parent(fn); s.unwrap(p) == fn; p = s.parent(p) {
		value = p
	}
	if value == fn {
		return trimSignature(s.signature(start, s.bodyStart(fn)))
	}
	return lexical.Cut(s.signature(start, s.start(value))+" "+trimSignature(s.signature(s.start(fn), s.bodyStart(fn))), code.MaxSignature)
}

func (s *script) bodyStart(n node) uint32 {
	if b := s.child(n, jsfBody); b != none {
		return s.start(b)
	}
	return s.end(n)
}

func (s *script) returns(fn node) string {
	r := s.child(fn, tsfReturnType)
	if r == none {
		return ""
	}
	return s.signature(s.start(s.firstNamedOrSelf(r)), s.end(r))
}

// firstNamedOrSelf returns the type in a type annotation (": T"), or n if it is the type itself.
func (s *script) firstNamedOrSelf(n node) node {
	if c := s.firstNamed(n); c != none {
		return c
	}
	return n
}

func (s *script) params(fn node) (list []code.Param) {
	if p := s.child(fn, jsfParameter); p != none {
		return []code.Param{{Name: s.str(p)}}
	}
	for p := s.firstNamed(s.child(fn, jsfParameters)); p != none; p = s.nextNamed(p) {
		if q := s.signatureParam(p); q.Name != "" {
			list = append(list, q)
		}
	}
	return list
}

func (s *script) signatureParam(p node) code.Param {
	name, value := p, none
	switch s.kind(p) {
	case tsRequiredParam, tsOptionalParam:
		name, value = s.paramName(p), s.child(p, jsfValue)
	case jsAssignPattern:
		name, value = s.child(p, jsfLeft), s.child(p, jsfRight)
	}
	q := code.Param{Name: s.signature(s.start(name), s.end(name)), Optional: value != none || s.kind(p) == tsOptionalParam}
	if t := s.child(p, tsfType); t != none {
		q.Type = s.signature(s.start(s.firstNamedOrSelf(t)), s.end(t))
	}
	if value != none {
		q.Default = s.signature(s.start(value), s.end(value))
	}
	return q
}

func (s *script) classDecl(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) == jsDecorator {
			s.walk(c)
		}
	}
	sym := s.topSymbol(n, s.child(n, jsfName), code.KindClass, s.bodyStart(n))
	i, ok := s.add(sym, n)
	s.class(n, i, ok)
}

// classExpr reads a class that is used as a value and does not become a symbol.
func (s *script) classExpr(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) == jsDecorator {
			s.walk(c)
		}
	}
	s.class(n, -1, false)
}

// class reads the base types and members of class n. sym is its symbol if named is set.
func (s *script) class(n node, sym int32, named bool) {
	self, base, mute, before := s.self, s.base, s.withoutSymbols, s.owner
	place, inClass, parent := s.place, s.inClass, s.baseRef
	s.self, s.base, s.withoutSymbols, s.place, s.inClass = "", "", !named, literalPlace{}, true
	if named {
		s.self, s.owner = s.facts.Symbols[sym].Name, sym
	}
	s.names.push()
	if s.kind(n) == jsClass {
		s.bindInner(n)
	}
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	s.walk(s.child(n, tsfTypeParameters))
	from := len(s.facts.Refs)
	s.heritage(s.childKind(n, jsHeritage))
	s.baseRef = code.Ref{}
	if s.base = s.baseName(s.childKind(n, jsHeritage)); s.base != "" {
		s.baseRef = findRef(s.facts.Refs[from:], code.RefInherit)
	}
	body := s.child(n, jsfBody)
	s.bindMembers(body)
	s.members(body)
	s.names.pop()
	s.self, s.base, s.withoutSymbols, s.owner = self, base, mute, before
	s.place, s.inClass, s.baseRef = place, inClass, parent
}

// baseName returns the name of the class that is extended, or "" if the base is any other value.
func (s *script) baseName(h node) string {
	for c := s.firstNamed(h); c != none; c = s.nextNamed(c) {
		switch k := s.kind(c); k {
		case tsExtends:
			return s.baseName(c)
		case jsIdentifier, jsMember:
			return s.str(c)
		}
	}
	return ""
}

// heritage reads `extends X implements Y`. In JavaScript it contains the base class alone.
func (s *script) heritage(h node) {
	for c := s.firstNamed(h); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case tsExtends:
			for v := s.firstNamed(c); v != none; v = s.nextNamed(v) {
				if s.nodeField(v) == jsfValue {
					s.callee(v, code.RefInherit)
				} else {
					s.walk(v)
				}
			}
		case tsImplements:
			s.typeRefs(c, code.RefImplement)
		default:
			s.callee(c, code.RefInherit)
		}
	}
}

// bindMembers binds the types of fields under "this.name", so that
// `this.db.query()` finds its class.
func (s *script) bindMembers(body node) {
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsField, tsField:
			s.bindMember(s.child(c, jsfName), s.child(c, tsfType), s.child(c, jsfValue))
		case jsMethod:
			for p := s.firstNamed(s.child(c, jsfParameters)); p != none; p = s.nextNamed(p) {
				if s.isProperty(p) {
					s.bindMember(s.paramName(p), s.child(p, tsfType), s.child(p, jsfValue))
				}
			}
		}
	}
}

func (s *script) bindMember(name, typ, value node) {
	t := s.typeName(typ)
	s.expect(value, t)
	if t == "" {
		t = s.madeType(value)
	}
	if t != "" {
		s.names.bind(binding{name: "this." + s.str(name), typ: t})
	}
}

// isProperty reports whether a parameter of a constructor also declares a field.
func (s *script) isProperty(p node) bool {
	return s.has(p, tsAccessibility) || s.has(p, tsKwReadonly) || s.has(p, tsKwOverride)
}

// members reads the body of a class, interface or object type. The decorators of a
// method are siblings before it, and its doc comment is before them.
func (s *script) members(body node) {
	docAt := uint32(0)
	for c := s.first(body); c != none; c = s.sibling(c) {
		if !s.isNamed(c) || s.isExtra(c) && !s.isError(c) {
			continue
		}
		if docAt == 0 {
			docAt = s.start(c)
		}
		if s.kind(c) == jsDecorator {
			s.walk(c)
			continue
		}
		s.classMember(c, docAt)
		docAt = 0
	}
}

func (s *script) classMember(c node, docAt uint32) {
	switch s.kind(c) {
	case jsMethod, tsMethodSignature, tsAbstractMethod:
		s.method(c, docAt)
	case jsField, tsField, tsPropertySignature:
		s.field(c, docAt)
	case tsConstructSignature:
		s.signatureHint(madeHint, s.child(c, tsfType))
		s.walk(c)
	case tsCallSignature:
		s.signatureHint(calledHint, s.child(c, tsfReturnType))
		s.walk(c)
	case jsStaticBlock:
		s.names.push()
		s.hoist(s.child(c, jsfBody), bindLocal)
		s.walkChildren(c)
		s.names.pop()
	default:
		if s.isError(c) {
			s.members(c)
			return
		}
		s.walk(c)
	}
}

// signatureHint records what a value of the type s.owner makes or returns, by its first signature without a name.
func (s *script) signatureHint(name string, typ node) {
	t := strings.TrimPrefix(s.typeName(typ), code.RecvExpr)
	known := slices.ContainsFunc(s.facts.Types, func(h code.TypeHint) bool { return h.Symbol == s.owner && h.Name == name })
	if t != "" && s.owner >= 0 && !s.withoutSymbols && !known {
		s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: s.owner, Name: name, Type: t})
	}
}

// memberSymbol returns the symbol of a member, which is exported if it is not private.
// markExports later hides the members of types that are not exported.
func (s *script) memberSymbol(c, name node, k code.Kind, sigEnd, docAt uint32) code.Symbol {
	start := s.declStart(c)
	private := s.kind(name) == jsPrivateName || s.str(s.childKind(c, tsAccessibility)) == "private"
	return code.Symbol{
		Name: s.nameText(name), Kind: k, Span: s.spanBetween(start, s.end(c)), NameStart: s.start(name),
		Signature: trimSignature(s.signature(start, sigEnd)), Doc: s.jsDoc(docAt), Exported: !private,
	}
}

func (s *script) method(c node, docAt uint32) {
	name := s.child(c, jsfName)
	if s.kind(name) == jsComputedName {
		s.walk(name)
	}
	if s.withoutSymbols || s.str(name) == "" {
		s.function(c)
		return
	}
	k := code.KindMethod
	if s.str(name) == "constructor" && s.kind(s.parent(c)) == jsClassBody {
		k = code.KindConstructor
	}
	sym := s.memberSymbol(c, name, k, s.bodyStart(c), docAt)
	sym.Params, sym.Returns = s.params(c), s.returns(c)
	i := s.declare(sym)
	if k == code.KindConstructor {
		s.paramProperties(c)
	}
	before := s.enter(i)
	s.place, s.valued = literalPlace{name: s.facts.Symbols[i].Qualified}, c
	s.function(c)
	s.place = literalPlace{}
	s.leave(before)
}

// paramProperties declares the fields that the parameters of a constructor make.
func (s *script) paramProperties(c node) {
	for p := s.firstNamed(s.child(c, jsfParameters)); p != none; p = s.nextNamed(p) {
		name := s.paramName(p)
		if s.kind(name) != jsIdentifier || !s.isProperty(p) {
			continue
		}
		sym := s.memberSymbol(p, name, code.KindField, s.end(p), s.start(p))
		s.declare(sym)
	}
}

// field reads a data member. A member whose value is a function becomes a method.
func (s *script) field(c node, docAt uint32) {
	name, value := s.child(c, jsfName), s.child(c, jsfValue)
	if name == none {
		name = s.child(c, jsfProperty) // JavaScript's grammar
	}
	for d := s.first(c); d != none; d = s.sibling(d) {
		if k := s.kind(d); k == jsDecorator || k == jsComputedName {
			s.walk(d)
		}
	}
	before := s.owner
	declared := !s.withoutSymbols && s.str(name) != ""
	if declared {
		s.owner = s.declare(s.fieldSymbol(c, name, value, docAt))
		if t := s.madeType(value); t != "" && s.child(c, tsfType) == none {
			s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: s.owner, Type: strings.TrimPrefix(t, code.RecvExpr)})
		}
	}
	s.walk(s.child(c, tsfType))
	if declared {
		s.place, s.valued = literalPlace{name: s.facts.Symbols[s.owner].Qualified}, s.unwrap(value)
	}
	s.walk(value)
	s.place = literalPlace{}
	s.owner = before
}

func (s *script) fieldSymbol(c, name, value node, docAt uint32) code.Symbol {
	k, end := code.KindField, s.valueEnd(c, value)
	fn := s.functionValue(value)
	if fn != none {
		k = code.KindMethod
	}
	sym := s.memberSymbol(c, name, k, end, docAt)
	if fn != none {
		sym.Signature = s.headSignature(sym.Span.Start, fn)
		sym.Params, sym.Returns = s.params(fn), s.returns(fn)
	}
	return sym
}

// valueEnd returns the offset at which the signature of a variable ends: after a short
// literal, and before any other value, which is left out like a body.
func (s *script) valueEnd(n, value node) uint32 {
	if value == none {
		return s.end(n)
	}
	switch s.kind(value) {
	case jsString, jsNumber, jsTrue, jsFalse, jsNull, jsUndefined, jsUnary, jsIdentifier, jsMember, jsTemplate:
		if s.end(value)-s.start(value) <= 80 {
			return s.end(value)
		}
	}
	return s.start(value)
}
