package extract

import (
	"strings"

	"ken/internal/code"
)

// call reads a call, which is an import, or a reference to the called function, and its arguments.
func (s *script) call(n node) {
	if call, _, ok := s.importCall(n); ok {
		s.importHelper(n)
		s.useModule(call, code.RefUse)
		return
	}
	if callee := s.child(n, jsfFunction); s.kind(callee) == jsSuper {
		s.callConstructor(callee, s.baseRef, "")
	} else {
		s.callee(callee, code.RefCall)
	}
	if s.elementType = s.callbackElement(n); s.elementType == "" {
		s.expectArguments(n)
	}
	s.arguments(n, jsfFunction)
	s.elementType = ""
}

// callee records a reference to the function or class that is called, constructed or applied.
func (s *script) callee(n node, k code.RefKind) {
	switch s.kind(n) {
	case jsIdentifier:
		s.refTo(n, s.lookup(s.str(n), false), k)
	case jsMember:
		s.member(n, k)
	case jsSubscript:
		if s.memberKey(n) == none {
			s.walk(n)
			return
		}
		s.member(n, k)
	case jsSequence: // (0, f)(), so that this is no method of a module
		c := s.firstNamed(n)
		for ; s.nextNamed(c) != none; c = s.nextNamed(c) {
			s.walk(c)
		}
		s.callee(c, k)
	case jsCall:
		if call, _, ok := s.importCall(n); ok {
			s.useModule(call, k)
			return
		}
		s.walk(n)
	case jsParen, tsNonNull, tsInstantiation, jsAwait: // the grammar takes `await f<T>()` for a call of `await f`
		inner := s.firstNamed(n)
		s.callee(inner, k)
		for c := s.nextNamed(inner); c != none; c = s.nextNamed(c) {
			s.walk(c)
		}
	default:
		s.walk(n)
	}
}

// member records a reference to x.name: through the import if x is an imported
// module, through the type of x if the file shows it.
func (s *script) member(n node, k code.RefKind) {
	object, name := s.child(n, jsfObject), s.memberKey(n)
	if call, taken, ok := s.importCall(n); ok && taken != "" && s.kind(object) == jsCall {
		s.refKey(name, code.Ref{Kind: k, Via: code.ViaImport, Import: s.addImportCall(call)})
		return
	}
	if s.isExports(object) && s.ownExport(name, k) {
		return
	}
	r := code.Ref{Kind: k, Via: code.ViaMember}
	inner := s.unwrap(object)
	switch s.kind(inner) {
	case jsIdentifier:
		if t := s.valueType(object); t != "" {
			r.Via, r.Recv = code.ViaTyped, t // a type assertion takes precedence
		} else if s.memberOfName(inner, name, r) {
			s.assertions(object, inner)
			return
		}
	case jsThis:
		if s.self != "" {
			r.Via, r.Recv = code.ViaSelf, s.self
		}
	case jsSuper:
		if s.base != "" {
			r.Via, r.Recv = code.ViaTyped, s.base
		}
	case jsMember:
		if b := s.names.lookup(s.str(inner)); b != nil && b.typ != "" && s.kind(s.child(inner, jsfObject)) == jsThis {
			r.Via, r.Recv = code.ViaTyped, b.typ
		}
	}
	if r.Via == code.ViaMember {
		t := s.valueType(object)
		if t == "" && s.kind(inner) != jsIdentifier && s.kind(inner) != jsThis {
			t = s.derivedType(inner)
		}
		if t != "" {
			r.Via, r.Recv = code.ViaTyped, t
		}
	}
	s.walk(object)
	s.refKey(name, r)
}

// memberKey returns the name of the member that n takes from a value, as in x.name and x["name"], or none if it is computed.
func (s *script) memberKey(n node) node {
	if s.kind(n) != jsSubscript {
		return s.child(n, jsfProperty)
	}
	if key := s.child(n, jsfIndex); s.memberName(key) != "" && s.kind(key) == jsString {
		return key
	}
	return none
}

// refKey adds a reference to a member whose name is a plain name or in quotes.
func (s *script) refKey(name node, r code.Ref) {
	if s.kind(name) != jsString {
		s.ref(name, r)
		return
	}
	r.Name = s.memberName(name)
	s.ref(name, r)
	last := &s.facts.Refs[len(s.facts.Refs)-1]
	last.Start, last.End = last.Start+1, last.End-1
}

// assertions reads the parts of value around inner, such as the type in `(x as T[])`.
func (s *script) assertions(value, inner node) {
	for v := value; v != inner && v != none; {
		in := none
		for c := s.firstNamed(v); c != none; c = s.nextNamed(c) {
			if c <= inner && inner < s.after(c) {
				in = c
			} else {
				s.walk(c)
			}
		}
		v = in
	}
}

// memberOfName records a reference to a member of the plain name object and returns
// true. If the value of object is unknown, it returns false and leaves the reference
// to the caller.
func (s *script) memberOfName(object, name node, r code.Ref) bool {
	b := s.lookup(s.str(object), false)
	if b == nil {
		if isBuiltinObject(s.str(object)) {
			r.Via, r.Recv = code.ViaTyped, code.RecvExpr+s.str(object)
			s.refKey(name, r)
			return true
		}
		return false
	}
	switch {
	case b.what == bindImport && b.module:
		if s.isRequired(b) { // the module's export may be one declaration
			s.refTo(object, b, code.RefUse)
		}
		r.Via, r.Import = code.ViaImport, b.imp
		s.refKey(name, r)
		return true
	case b.typ != "":
		r.Via, r.Recv = code.ViaTyped, b.typ
	case b.what == bindImport:
		r.Via, r.Recv = code.ViaTyped, s.str(object)
	}
	s.refTo(object, b, code.RefUse)
	s.refKey(name, r)
	return true
}

// isRequired reports whether a name is the result of require, and the required path looks
// like a file of the project.
func (s *script) isRequired(b *binding) bool {
	if int(b.imp) >= len(s.facts.Imports) {
		return false
	}
	m := &s.facts.Imports[b.imp]
	return m.Kind == code.ImportRequire && strings.ContainsAny(m.Spec[:1], "./#@~")
}

// element records a reference to the component of a JSX element. A name in lower case
// is an element of HTML or another host.
func (s *script) element(n node) {
	name := s.child(n, jsfName)
	switch s.kind(name) {
	case jsIdentifier:
		if c := (s.str(name) + "a")[0]; c < 'a' || c > 'z' {
			s.callee(name, code.RefCall)
		}
	case jsMember, tsNestedIdentifier:
		s.member(name, code.RefCall)
	}
	s.walkAfter(n, jsfName)
}

// decorator records a reference to a decorator and reads its arguments.
func (s *script) decorator(n node) {
	d := s.firstNamed(n)
	if s.kind(d) != jsCall {
		s.callee(d, code.RefDecorate)
		return
	}
	s.callee(s.child(d, jsfFunction), code.RefDecorate)
	s.walkAfter(d, jsfFunction)
}

// typeRefs records a reference to each type in an extends or implements clause.
func (s *script) typeRefs(n node, k code.RefKind) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		s.typeRef(c, k)
	}
}

// typeRef records a reference to a named type, and references of their own to its type
// arguments.
func (s *script) typeRef(n node, k code.RefKind) {
	switch s.kind(n) {
	case tsTypeName:
		s.refTo(n, s.lookup(s.str(n), true), k)
	case tsNestedType:
		s.nestedType(n, k)
	case tsGeneric:
		s.typeRef(s.child(n, jsfName), k)
		args := s.child(n, tsfTypeArguments)
		switch of := s.firstNamed(args); s.fieldStr(n, jsfName) {
		case "Pick", "Omit":
			s.namedMembers(of, s.nextNamed(of))
		}
		s.walk(args)
	default:
		s.walk(n)
	}
}

// nestedType records a reference to the type a.b.T.
func (s *script) nestedType(n node, k code.RefKind) {
	module, name := s.child(n, tsfModule), s.child(n, jsfName)
	if s.kind(module) == jsIdentifier {
		if b := s.lookup(s.str(module), false); b != nil {
			s.memberOfName(module, name, code.Ref{Kind: k, Via: code.ViaMember})
			return
		}
	}
	s.walk(module)
	s.ref(name, code.Ref{Kind: k, Via: code.ViaTyped, Recv: strings.Join(strings.Fields(s.str(module)), "")})
}

// typeParams reads the constraints and defaults of type parameters. The caller has
// opened their scope and bound them.
func (s *script) typeParams(n node) {
	for p := s.firstNamed(n); p != none; p = s.nextNamed(p) {
		s.walkAfter(p, jsfName)
	}
}

// conditional reads `A extends B ? C : D` and binds the names that B infers.
func (s *script) conditional(n node) {
	s.names.push()
	if b := s.child(n, jsfRight); b != none {
		for i := b; i < s.after(b); i++ {
			if s.kind(i) == tsInfer {
				s.names.bind(binding{name: s.str(s.childKind(i, tsTypeName)), isType: true})
			}
		}
	}
	s.walkChildren(n)
	s.names.pop()
}

// indexSignature reads `[k: string]: T` and `[K in T]: U`.
func (s *script) indexSignature(n node) {
	s.names.push()
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.kind(c) == tsMappedClause:
			s.names.bind(binding{name: s.fieldStr(c, jsfName), isType: true})
			s.walkAfter(c, jsfName)
		case s.nodeField(c) != jsfName && s.isNamed(c):
			s.walk(c)
		}
	}
	s.names.pop()
}

// silentMembers reads the members of an object type without declaring them.
func (s *script) silentMembers(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) == tsMethodSignature {
			s.walk(s.child(c, jsfName))
			s.function(c)
			continue
		}
		s.walk(c)
	}
}

// object reads an object literal. Its functions, classes and calls become declarations
// if the literal is the value of a declaration.
func (s *script) object(n node) {
	s.literalKeys(n)
	p := s.place
	if p.name == "" || !s.holdsMembers(n, p) {
		s.place = literalPlace{}
		s.walkChildren(n)
		s.place = p
		return
	}
	self := s.self
	s.self = p.name
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		s.place = literalPlace{}
		s.objectMember(c, p)
	}
	s.self, s.place = self, p
}

// objectMember reads one member of an object literal whose members become declarations.
func (s *script) objectMember(c node, p literalPlace) {
	switch s.kind(c) {
	case jsMethod:
		s.objectFunction(c, s.child(c, jsfName), c, p)
	case jsPair:
		s.objectPair(c, p)
	case jsShorthand:
		if p.data {
			s.dataMember(c, c, none, p)
		} else if s.holdsName(c) {
			s.addAlias(p.name, s.str(c), s.str(c))
		}
		s.walk(c)
	case jsSpread:
		if v := s.firstNamed(c); s.kind(v) == jsIdentifier && !s.names.lookup(s.str(v)).is(bindLocal) {
			s.addAlias(p.name, spreadMember, s.str(v))
		}
		s.walk(c)
	default:
		s.walk(c)
	}
}

// objectPair reads `key: value` in an object literal whose members become declarations.
func (s *script) objectPair(c node, p literalPlace) {
	key, value := s.child(c, jsfKey), s.child(c, jsfValue)
	name, inner := s.memberName(key), s.unwrap(value)
	if fn := s.functionValue(value); fn != none {
		s.objectFunction(c, key, fn, p)
		return
	}
	if name == "" || !p.data && !s.isMemberValue(inner, p) {
		s.walk(c)
		return
	}
	if s.kind(inner) == jsIdentifier && s.str(inner) == name && !p.data {
		s.addAlias(p.name, name, name)
		s.walk(c)
		return
	}
	s.dataMember(c, key, value, p)
}

// dataMember declares a member of an object literal that is not a function.
func (s *script) dataMember(c, key, value node, p literalPlace) {
	i, ok := s.declareMember(s.memberSymbol(c, key, code.KindField, s.valueEnd(c, value), s.start(c)), p)
	if !ok {
		s.walk(value)
		return
	}
	inner := s.unwrap(value)
	if s.kind(inner) == jsClass {
		s.facts.Symbols[i].Kind = code.KindClass
	}
	before := s.enter(i)
	s.place = p.inside(s.facts.Symbols[i].Qualified)
	s.symbolValue(i, value, inner)
	s.leave(before)
}

// objectFunction declares the function fn, which is the member c of an object literal.
func (s *script) objectFunction(c, key, fn node, p literalPlace) {
	if s.kind(key) == jsComputedName {
		s.walk(key)
	}
	sym := s.memberSymbol(c, key, code.KindMethod, s.bodyStart(fn), s.start(c))
	sym.Signature = s.headSignature(sym.Span.Start, fn)
	sym.Params, sym.Returns = s.params(fn), s.returns(fn)
	if s.kind(key) != jsComputedName {
		sym.Name = s.memberName(key)
	}
	i, ok := s.declareMember(sym, p)
	self := s.self
	switch {
	case s.kind(fn) == jsArrow:
		s.self = s.outerSelf
	case !ok && fn != c:
		s.self = ""
	}
	if ok {
		before := s.enter(i)
		s.place = p.inside(s.facts.Symbols[i].Qualified)
		s.place.computed, s.place.data = true, s.isState(c, s.facts.Symbols[i].Name)
		s.thisFunction, s.valued = fn, fn
		s.function(fn)
		s.leave(before)
	} else {
		s.function(fn)
	}
	s.self = self
}

// arguments reads the arguments of a call. Object literals among the arguments of a
// top-level statement belong to the call itself.
func (s *script) arguments(call node, callee field) {
	if s.place.name != "" || s.inFunction {
		s.walkAfter(call, callee)
		return
	}
	after := false
	for c := s.first(call); c != none; c = s.sibling(c) {
		if after && s.isNamed(c) {
			s.freeArguments(call, c)
		}
		after = after || s.nodeField(c) == callee
	}
}

// freeArguments walks c, the arguments or type arguments of a call that no declaration
// is made by.
func (s *script) freeArguments(call, c node) {
	if s.nodeField(c) != jsfArguments || s.kind(c) == jsTemplate {
		s.walk(c)
		return
	}
	for a := s.firstNamed(c); a != none; a = s.nextNamed(a) {
		if s.kind(s.unwrap(a)) == jsObject {
			s.place = literalPlace{name: s.calleeName(call)}
		}
		s.walk(a)
		s.place = literalPlace{}
	}
}

// returnValue walks the value that a function gives, whose members belong to the function
// if it is a literal.
func (s *script) returnValue(v node) {
	if s.kind(s.unwrap(v)) == jsObject {
		s.place = s.result
	}
	s.giveType(v)
	s.walk(v)
	s.place = literalPlace{}
}
