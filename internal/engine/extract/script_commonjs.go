package extract

import (
	"strings"

	"ken/internal/code"
)

// Modules of CommonJS: statements that change `exports` or `module.exports`, and what compilers make of an ES module. A
// module that exports one value has it as its default export, as importers that are ES modules see it.

// commonJS reads a statement that exports, such as `module.exports = …`, and reports whether n is one.
func (s *script) commonJS(n node) bool {
	if s.owner >= 0 {
		return false
	}
	switch e := s.firstNamed(n); s.kind(e) {
	case jsAssign:
		return s.commonAssignment(n, e)
	case jsCall:
		return s.commonCall(n, e)
	}
	return false
}

// commonAssignment reads `exports.a = module.exports = value` and reports whether the first target exports.
func (s *script) commonAssignment(n, a node) bool {
	whole, name, ok := s.commonTarget(s.child(a, jsfLeft))
	if !ok {
		return s.alsoExported(n, a)
	}
	names := []string{name}
	value := s.child(a, jsfRight)
	for ; s.kind(value) == jsAssign; value = s.child(value, jsfRight) {
		if w, name, ok := s.commonTarget(s.child(value, jsfLeft)); ok {
			whole, names = whole || w, append(names, name)
		}
	}
	before := len(s.facts.Exports)
	if whole {
		s.commonWhole(n, value)
	} else {
		s.commonName(n, names[0], value)
		names = names[1:]
	}
	if len(s.facts.Exports) == before {
		return true
	}
	one := s.facts.Exports[before]
	for _, name := range names {
		if one.Name != "*" {
			s.export(name, one.Local, one.From, n)
		}
	}
	return true
}

// alsoExported reads `Base.colors = exports.colors = value`, whose first target is a member that has the name of the export.
func (s *script) alsoExported(n, a node) bool {
	left, rest := s.child(a, jsfLeft), s.child(a, jsfRight)
	if s.kind(left) != jsMember || s.kind(rest) != jsAssign {
		return false
	}
	_, name, ok := s.commonTarget(s.child(rest, jsfLeft))
	if !ok || name != s.memberName(s.child(left, jsfProperty)) {
		return false
	}
	container, ok := s.memberContainer(s.child(left, jsfObject), rest)
	if !ok || !s.commonAssignment(n, rest) {
		return false
	}
	s.addAlias(container, name, name)
	s.walk(s.child(left, jsfObject))
	return true
}

// commonTarget reports whether left is the left side of an assignment that exports, such as exports.x. It exports
// everything (whole) or one name.
func (s *script) commonTarget(left node) (whole bool, name string, ok bool) {
	if s.isExports(left) {
		return true, "", true
	}
	object, property := s.child(left, jsfObject), s.child(left, jsfProperty)
	if s.kind(left) == jsSubscript {
		property = s.child(left, jsfIndex)
	} else if s.kind(left) != jsMember {
		return false, "", false
	}
	name = s.memberName(property)
	return false, name, name != "" && s.isExports(object)
}

// isExports reports whether n is the object that a module of CommonJS exports.
func (s *script) isExports(n node) bool {
	switch s.kind(n) {
	case jsIdentifier:
		return s.str(n) == "exports" && s.names.lookup("exports") == nil
	case jsMember:
		return s.str(n) == "module.exports" && s.names.lookup("module") == nil
	}
	return false
}

// commonWhole reads the value that a module exports as a whole.
func (s *script) commonWhole(n, value node) {
	switch inner := s.unwrap(value); {
	case s.kind(inner) == jsObject:
		s.commonObject(inner)
	case s.isImportCall(inner):
		s.exportImport("*", inner, n)
	case s.kind(inner) == jsIdentifier:
		s.exportLocal("default", s.str(inner), n)
		s.walk(value)
	case s.isObjectAssign(inner):
		first := s.firstNamed(s.child(inner, jsfArguments))
		s.commonWhole(n, first)
		s.mixedIn(first, s.nextNamed(first))
		s.commonParts(s.nextNamed(first))
	default:
		s.defaultSymbol(n, value, inner)
	}
}

// isObjectAssign reports whether n is a call of Object.assign.
func (s *script) isObjectAssign(n node) bool {
	return s.kind(n) == jsCall && s.fieldStr(n, jsfFunction) == "Object.assign" && s.kind(s.firstNamed(s.child(n, jsfArguments))) != jsSpread
}

// commonParts reads the objects, from c on, whose members a module exports beside others.
func (s *script) commonParts(c node) {
	for ; c != none; c = s.nextNamed(c) {
		s.commonPart(c)
	}
}

func (s *script) commonPart(v node) {
	switch {
	case s.kind(v) == jsObject:
		s.commonObject(v)
	case s.isImportCall(v):
		s.exportImport("*", v, v)
	default:
		if b := s.names.lookup(s.str(v)); s.kind(v) == jsIdentifier && b.isModule() {
			s.export("*", "*", b.imp, v)
		}
		s.walk(v)
	}
}

// exportImport exports the result of a require under a name.
func (s *script) exportImport(name string, value, n node) {
	call, member, _ := s.importCall(value)
	i := s.addImportCall(call)
	switch {
	case member != "":
		s.facts.Imports[i].Names = []code.ImportName{{Name: member, Alias: member}}
		if name == "*" {
			name = "default"
		}
		s.export(name, member, i, n)
	case name == "*":
		s.passOn(i, n)
	default:
		s.export(name, "*", i, n)
	}
}

// passOn exports all that another module exports, and the kind of that module.
func (s *script) passOn(i int32, n node) {
	s.export("*", "*", i, n)
	s.export("default", "default", i, n)
}

// passesOn exports a value under a name, without a declaration of its own, if it is a plain name or a part of an
// imported module.
func (s *script) passesOn(name string, value, n node) bool {
	inner := s.unwrap(value)
	switch {
	case s.kind(inner) == jsIdentifier:
		s.exportLocal(name, s.str(inner), n)
		s.walk(value)
	case s.isImportCall(inner):
		s.exportImport(name, inner, n)
	case s.kind(inner) == jsMember:
		b := s.lookup(s.fieldStr(inner, jsfObject), false)
		if !b.isModule() {
			return false
		}
		s.export(name, s.fieldStr(inner, jsfProperty), b.imp, n)
		s.walk(value)
	default:
		return false
	}
	return true
}

// commonName reads `exports.name = value`.
func (s *script) commonName(n node, name string, value node) {
	inner := s.unwrap(value)
	switch k := s.kind(inner); {
	case s.passesOn(name, value, n):
		return
	case k == jsUnary, k == jsUndefined: // exports.a = exports.b = void 0
		s.export(name, name, -1, n)
		return
	case name == "default":
		s.defaultSymbol(n, value, inner)
		return
	}
	left := s.child(s.firstNamed(n), jsfLeft)
	at := s.child(left, jsfProperty)
	if at == none {
		at = s.child(left, jsfIndex)
	}
	s.export(name, name, -1, n)
	self := s.ofExports(s.functionValue(value))
	s.valueSymbol(s.commonSymbol(n, at, name, s.valueEnd(n, value)), none, none, value)
	s.self = self
}

// ownExport records a reference to what the module itself exports under a name, as in `new exports.Suite()`. It reports false if no
// statement before exports the name.
func (s *script) ownExport(name node, k code.RefKind) bool {
	if s.exportAt == nil {
		s.exportAt = map[string]int{}
	}
	for ; s.exportsSeen < len(s.facts.Exports); s.exportsSeen++ {
		s.exportAt[s.facts.Exports[s.exportsSeen].Name] = s.exportsSeen
	}
	at, ok := s.exportAt[s.memberName(name)]
	if !ok {
		return false
	}
	e := &s.facts.Exports[at]
	r := code.Ref{Name: e.Local, Kind: k, Via: code.ViaBare}
	switch {
	case e.From >= 0 && e.Local == "*":
		r.Name, r.Via, r.Import = "", code.ViaModule, e.From
	case e.From >= 0:
		r.Via, r.Import = code.ViaImport, e.From
	}
	s.refKey(name, r)
	return true
}

// commonSymbol returns a symbol for the name at which statement n exports; its signature ends before sigEnd.
func (s *script) commonSymbol(n, at node, name string, sigEnd uint32) code.Symbol {
	start := s.start(at)
	if s.kind(at) == jsString {
		start++
	}
	return code.Symbol{
		Name: name, Kind: code.KindConstant, Span: s.spanBetween(s.start(n), s.codeEnd(n)), NameStart: start,
		Signature: trimSignature(s.signature(s.start(n), sigEnd)), Doc: s.jsDoc(s.start(n)), Exported: true,
	}
}

// commonObject reads `module.exports = { a, b: c, d() {} }`.
func (s *script) commonObject(o node) {
	for c := s.firstNamed(o); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsShorthand:
			s.exportLocal(s.str(c), s.str(c), c)
			s.addAlias("", s.str(c), s.str(c))
			s.walk(c)
		case jsMethod:
			name := s.child(c, jsfName)
			if s.passesGetter(s.nameText(name), c, c) {
				continue
			}
			s.export(s.nameText(name), s.nameText(name), -1, c)
			s.commonFunction(c, name, c)
		case jsPair:
			s.commonPair(c)
		case jsSpread:
			s.commonPart(s.firstNamed(c))
		default:
			s.walk(c)
		}
	}
}

// passesGetter exports the value that a getter returns under a name, if it returns nothing but a plain name or a part
// of an imported module.
func (s *script) passesGetter(name string, getter, n node) bool {
	body := s.child(getter, jsfBody)
	value := body
	if s.kind(body) == jsBlock {
		r := s.firstNamed(body)
		if s.kind(r) != jsReturn || s.nextNamed(r) != none {
			return false
		}
		value = s.firstNamed(r)
	}
	isGetter := s.kind(getter) != jsMethod || strings.HasPrefix(s.str(getter), "get ") || s.fieldStr(getter, jsfName) == "get"
	return isGetter && value != none && s.firstNamed(s.child(getter, jsfParameters)) == none && s.passesOn(name, value, n)
}

func (s *script) commonPair(c node) {
	key, value := s.child(c, jsfKey), s.child(c, jsfValue)
	name := s.nameText(key)
	inner := s.unwrap(value)
	switch {
	case s.kind(key) == jsComputedName:
		s.walk(c)
	case s.passesOn(name, value, c):
	default:
		s.export(name, name, -1, c)
		if fn := s.functionValue(value); fn != none {
			s.commonFunction(c, key, fn)
			return
		}
		if s.memberName(key) == "" || !s.isMemberValue(inner, literalPlace{}) {
			s.walk(value)
			return
		}
		s.valueSymbol(s.memberSymbol(c, key, code.KindConstant, s.valueEnd(c, value), s.start(c)), none, none, value)
	}
}

// commonFunction declares a function that is written inside the exported object.
func (s *script) commonFunction(c, name, fn node) {
	sym := s.memberSymbol(c, name, code.KindFunction, s.bodyStart(fn), s.start(c))
	sym.Signature = s.headSignature(sym.Span.Start, fn)
	self := s.ofExports(fn)
	s.addFunction(sym, none, fn)
	s.self = self
}

// exportsSelf is the type of `this` in a function of the exported object.
const exportsSelf = "exports"

// ofExports makes `this` the exported object in the function fn, and returns the type that it had before.
func (s *script) ofExports(fn node) (before string) {
	before = s.self
	if fn != none && s.kind(fn) != jsArrow {
		s.self, s.thisFunction = exportsSelf, fn
	}
	return before
}

// ref adds a reference as file.ref does. A member of the exported object is a declaration at the top level of the file.
func (s *script) ref(n node, r code.Ref) {
	if r.Via == code.ViaSelf && r.Recv == exportsSelf {
		r.Via, r.Recv = code.ViaMember, ""
		if s.commonNames[s.str(n)] {
			r.Via = code.ViaLocal
		}
	}
	s.file.ref(n, r)
}

// commonCall reads a call that exports and reports whether n, whose expression is call, is one: `__exportStar(require("./a"), exports)`,
// `Object.assign(exports, …)`, `Object.defineProperty(exports, "x", …)`.
func (s *script) commonCall(n, call node) bool {
	callee := s.fieldStr(call, jsfFunction)
	first := s.firstNamed(s.child(call, jsfArguments))
	second := s.nextNamed(first)
	switch code.LastSegment(callee) {
	case "__exportStar", "__export":
		if !s.isImportCall(first) {
			return false
		}
		s.exportImport("*", first, n)
	case "assign":
		if !s.isExports(first) || !s.isObjectAssign(call) {
			return false
		}
		s.commonParts(second)
	case "defineProperty":
		if !s.isExports(first) || s.memberName(second) == "" {
			return false
		}
		s.commonDefined(n, second, s.nextNamed(second))
	case "defineProperties":
		if !s.isExports(first) || s.kind(second) != jsObject {
			return false
		}
		for c := s.firstNamed(second); c != none; c = s.nextNamed(c) {
			if key := s.child(c, jsfKey); s.memberName(key) != "" {
				s.commonDefined(c, key, s.child(c, jsfValue))
			} else {
				s.walk(c)
			}
		}
	default:
		return false
	}
	s.callee(s.child(call, jsfFunction), code.RefCall)
	return true
}

// commonDefined reads the description of a property key of the exported object.
func (s *script) commonDefined(n, key, description node) {
	name := s.memberName(key)
	for c := s.firstNamed(description); c != none && s.kind(description) == jsObject; c = s.nextNamed(c) {
		value := s.child(c, jsfValue)
		switch s.fieldStr(c, jsfKey) + s.fieldStr(c, jsfName) {
		case "value":
			if name != "__esModule" && s.passesOn(name, value, n) {
				return
			}
		case "get":
			getter := c
			if s.kind(c) == jsPair {
				getter = s.functionValue(value)
			}
			if s.passesGetter(name, getter, n) {
				return
			}
		}
	}
	if name == "__esModule" {
		return
	}
	s.export(name, name, -1, n)
	sym := s.commonSymbol(n, key, name, s.start(description))
	if s.kind(n) != jsPair {
		sym.Signature += ")" // of the call
	}
	i, ok := s.add(sym, none)
	if !ok || s.kind(description) != jsObject {
		s.walk(description)
		return
	}
	before := s.enter(i)
	s.descriptor(description, exportsSelf)
	s.leave(before)
}
