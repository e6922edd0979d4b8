package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// Members of object literals. JavaScript writes stores, components, routers and
// classes of old as literals, so that a function in one is as much a declaration as a
// method of a class. Plain data is none, because a table of it has more keys than are
// worth finding.

// literalPlace is the owner of the object literal at the walk's position.
type literalPlace struct {
	name  string // qualified name that its members are declared below, "" if it declares none
	depth int    // how many literals are around it
	// data is set where the keys of plain data are declared too, because they are what
	// the component or store has (Vue's data, Pinia's state).
	data bool
	// computed is set for a literal that a function makes when it is called. Its calls
	// give values and no declarations.
	computed bool
}

// Bounds of the declarations in literals, because a generated file may hold any number.
const (
	maxLiteralDepth   = 8
	maxLiteralMembers = 4000 // in one file
	maxMemberName     = 100
	maxMemberPath     = 300
)

// inside returns the place of a literal that is the value of member name.
func (p literalPlace) inside(name string) literalPlace {
	return literalPlace{name: name, depth: p.depth + 1, computed: p.computed}
}

// memberAlias is a member of a literal, or of a function or class, that is another name
// for a declaration: `export default { load }`. name is spreadMember for all members of it.
type memberAlias struct{ container, name, target string }

// The names of hints about objects: that one holds every member of another, and that a
// declaration is a member of some object under its own name. visibleIn is that of the
// block, as "start-end", that alone sees a declaration.
const (
	spreadMember  = "..."
	exposedMember = "{}"
	visibleIn     = "{"
)

// object reads an object literal. Its functions, classes and calls are declarations if
// it belongs to one.
func (s *script) object(n node) {
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

// objectMember reads one member of a literal that declares members.
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

// objectPair reads `key: value` in a literal that declares members.
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

// dataMember declares a member that is no function.
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

// objectFunction declares the function fn as the member of a literal that node c is.
func (s *script) objectFunction(c, key, fn node, p literalPlace) {
	if s.kind(key) == jsComputedName {
		s.walk(key)
	}
	sym := s.memberSymbol(c, key, code.KindMethod, s.bodyStart(fn), s.start(c))
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
		s.thisFunction = fn
		s.function(fn)
		s.leave(before)
	} else {
		s.function(fn)
	}
	s.self = self
}

// declareMember declares sym below a place, unless its name is none that is looked for.
func (s *script) declareMember(sym code.Symbol, p literalPlace) (int32, bool) {
	long := len(sym.Name) > maxMemberName || len(p.name)+len(sym.Name) > maxMemberPath
	if sym.Name == "" || long || s.literalMembers >= maxLiteralMembers || !s.mayRepeat(p.name) {
		return -1, false
	}
	s.literalMembers++
	sym.Qualified = p.name + "." + sym.Name
	return s.declare(sym), true
}

// memberName returns the name that a key of a literal declares, or "" if it is none that code
// could use: a number, or a text with blanks.
func (s *script) memberName(key node) string {
	switch s.kind(key) {
	case jsPropertyName, jsShorthand, jsPrivateName:
		return s.str(key)
	case jsString:
		name := s.nameText(key)
		if name == "" || lexical.IsDigit(name[0]) || strings.ContainsAny(name, " \t\r\n.\\'\"`") {
			return ""
		}
		return name
	}
	return ""
}

// holdsMembers reports whether a literal has a member that is declared.
func (s *script) holdsMembers(n node, p literalPlace) bool {
	if p.depth >= maxLiteralDepth {
		return false
	}
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsMethod:
			return true
		case jsShorthand:
			if p.data || s.holdsName(c) {
				return true
			}
		case jsSpread:
			if p.depth == 0 && s.kind(s.firstNamed(c)) == jsIdentifier {
				return true
			}
		case jsPair:
			if p.data || s.isMemberValue(s.unwrap(s.child(c, jsfValue)), p) {
				return true
			}
		}
	}
	return false
}

// isMemberValue reports whether a value makes the key it is given to a declaration: a
// function, a class, the result of a call, a literal that holds one of these, or a name
// bound to one.
func (s *script) isMemberValue(v node, p literalPlace) bool {
	switch s.kind(v) {
	case jsArrow, jsFuncExpr, jsGenerator, jsClass:
		return true
	case jsCall, jsNew:
		return !p.computed && !s.isImportCall(v)
	case jsAwait:
		return s.isMemberValue(s.unwrap(s.firstNamed(v)), p)
	case jsObject:
		return s.holdsMembers(v, p.inside(p.name))
	case jsIdentifier:
		return !p.computed && s.holdsName(v)
	}
	return false
}

// holdsName reports whether a name is bound to a function, a class or the result of a
// call. Of an imported value the file does not show it; a name in capitals is data.
func (s *script) holdsName(n node) bool {
	name := s.str(n)
	b := s.lookup(name, false)
	switch {
	case b == nil:
		return false
	case b.what == bindImport:
		return name != strings.ToUpper(name)
	}
	return b.holds && b.what != bindLocal
}

// holdsDeclaration reports whether a variable with value v is bound to a value that holdsName
// asks for, or to a literal.
func (s *script) holdsDeclaration(v node) bool {
	switch s.kind(v) {
	case jsCall, jsNew, jsAwait, jsAssign:
		return true
	}
	return s.holdsLiteral(v)
}

// holdsLiteral reports whether a value is written as a function, class or object, so
// that members added to it are those of this file.
func (s *script) holdsLiteral(v node) bool {
	switch s.kind(v) {
	case jsArrow, jsFuncExpr, jsGenerator, jsClass, jsObject:
		return true
	}
	return false
}

// isState reports whether member name of a literal is the function that makes the data
// of a Vue component or a store, which its neighbours show.
func (s *script) isState(c node, name string) bool {
	if name != "data" && name != "state" {
		return false
	}
	if s.lang == "vue" {
		return true
	}
	for m := s.firstNamed(s.parent(c)); m != none; m = s.nextNamed(m) {
		key := s.child(m, jsfKey)
		if s.kind(m) == jsMethod {
			key = s.child(m, jsfName)
		}
		switch s.str(key) {
		case "methods", "computed", "watch", "props", "template", "render", "components", "mixins", "emits", "setup", "mounted", "created",
			"actions", "getters", "mutations", "reducers":
			return true
		}
	}
	name = s.calleeName(s.parent(s.parent(s.parent(c))))
	return strings.HasPrefix(name, "define") || strings.HasPrefix(name, "create") || strings.HasSuffix(name, "extend()")
}

// calleeName returns the name of a call's callee, with "()" because it is no type, or ""
// if it is no call of a name.
func (s *script) calleeName(n node) string {
	callee := none
	switch s.kind(n) {
	case jsCall:
		callee = s.child(n, jsfFunction)
	case jsNew:
		callee = s.child(n, jsfConstructor)
	}
	switch s.kind(callee) {
	case jsIdentifier:
		return s.str(callee) + "()"
	case jsMember:
		if path := s.str(callee); len(path) <= maxMemberName && !strings.ContainsAny(path, "( \t\r\n[?!") {
			return path + "()"
		}
		return s.fieldStr(callee, jsfProperty) + "()"
	}
	return ""
}

// arguments walks the arguments of a call. Literals among those of a statement of the
// module belong to the call itself.
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
	s.walk(v)
	s.place = literalPlace{}
}

// namesReturned returns the names that the literals returned by a function's body list. A
// name that is returned itself is returnedName.
func (s *script) namesReturned(body node) (names map[string]bool) {
	note := func(v node) {
		if v = s.unwrap(v); s.kind(v) == jsIdentifier {
			s.returnedName = s.str(v)
		}
		if s.kind(v) != jsObject {
			return
		}
		for c := s.firstNamed(v); c != none; c = s.nextNamed(c) {
			if s.kind(c) == jsShorthand {
				if names == nil {
					names = map[string]bool{}
				}
				names[s.str(c)] = true
			}
		}
	}
	if s.kind(body) != jsBlock {
		return nil
	}
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		if s.kind(c) == jsReturn {
			note(s.firstNamed(c))
		}
	}
	return names
}
