package extract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
)

// Members that statements add to functions, classes and objects: `app.use = function`,
// `Foo.prototype = {…}`, `Object.assign(Foo, {…})`, `Object.defineProperty(Foo, "x", …)`.

// maxChained is the number of targets of a chain `a.x = a.y = value` that are declared.
const maxChained = 8

// addsMembers reads a statement that adds members, and reports whether n is one.
func (s *script) addsMembers(n node) bool {
	switch e := s.firstNamed(n); s.kind(e) {
	case jsAssign:
		return s.assignment(n, e)
	case jsCall:
		return s.extension(n, e)
	}
	return false
}

// assignment reads `a.x = a.y = value`. It declares members only if value is a
// function, a class or an object with functions; other values are written to an
// existing property.
func (s *script) assignment(n, a node) bool {
	var list [maxChained]node
	targets := list[:0]
	value := a
	for ; s.kind(value) == jsAssign; value = s.unwrap(s.child(value, jsfRight)) {
		if len(targets) == maxChained {
			return false
		}
		targets = append(targets, s.child(value, jsfLeft))
	}
	whole := s.child(a, jsfRight)
	for s.kind(whole) == jsAssign {
		whole = s.child(whole, jsfRight)
	}
	last, declared := int32(-1), false
	for i, t := range targets {
		target, ok := s.memberTarget(t, value)
		if !ok {
			continue
		}
		if target.key == none { // Foo.prototype = {…}
			s.walk(s.child(t, jsfObject))
			s.prototype(target, whole, value)
			return true
		}
		if s.kind(value) == jsIdentifier && s.str(value) == s.str(target.key) {
			s.addAlias(target.container, s.str(value), s.str(value))
			continue
		}
		if at, ok := s.assignedMember(n, t, target, value); ok {
			s.walk(s.child(t, jsfObject))
			last, declared, targets[i] = at, true, none
		}
	}
	if !declared {
		return false
	}
	for _, t := range targets {
		if t != none {
			s.walk(t)
		}
	}
	s.memberValue(last, whole, value)
	return true
}

// target is the left side of an assignment, which names a member.
type target struct {
	container string // qualified name of the function, class or object
	key       node   // the member's name, none for all members (a prototype)
}

// memberTarget returns the member that the left side of an assignment declares if it is given value.
func (s *script) memberTarget(left, value node) (target, bool) {
	if s.kind(left) != jsMember {
		return target{}, false
	}
	key := s.child(left, jsfProperty)
	if s.str(key) == "prototype" && s.kind(value) == jsObject {
		container, ok := s.memberContainer(s.child(left, jsfObject), value)
		return target{container: container}, ok
	}
	switch s.kind(value) {
	case jsArrow, jsFuncExpr, jsGenerator, jsClass:
	case jsObject:
		if !s.holdsMembers(value, literalPlace{name: "?"}) && !s.addsData(left, value) {
			return target{}, false
		}
	case jsCall:
		if s.inFunction || !s.wrapsFunction(value) {
			return target{}, false
		}
	case jsIdentifier:
		if b := s.lookup(s.str(value), false); s.inFunction || !s.holdsName(value) || b.what == bindImport && s.fromImport(left) {
			return target{}, false
		}
	default:
		return target{}, false
	}
	container, ok := s.memberContainer(s.child(left, jsfObject), value)
	return target{container, key}, ok && s.memberName(key) != ""
}

// addsData reports whether a statement outside of functions gives a declaration of the file a member that holds plain data, as in
// `Base.colors = { pass: 90 }`.
func (s *script) addsData(left, value node) bool {
	object := s.child(left, jsfObject)
	return !s.inFunction && s.firstNamed(value) != none && s.kind(object) == jsIdentifier && s.lookup(s.str(object), false).is(bindTop)
}

// wrapsFunction reports whether an argument of a call is a function, as in `deprecate(function …)`.
func (s *script) wrapsFunction(call node) bool {
	for c := s.firstNamed(s.child(call, jsfArguments)); c != none; c = s.nextNamed(c) {
		if s.functionValue(c) != none {
			return true
		}
	}
	return false
}

// fromImport reports whether the member n belongs to an imported name.
func (s *script) fromImport(n node) bool {
	for s.kind(n) == jsMember {
		n = s.child(n, jsfObject)
	}
	return s.kind(n) == jsIdentifier && s.names.lookup(s.str(n)).is(bindImport)
}

// memberContainer returns the qualified name of the declaration to which members of n belong. n
// is a name, `this` or a path of names. ok is false for objects whose members the file does not
// declare: local values other than functions, classes and literals, and in tests also imported
// and built-in values, because tests replace members there.
func (s *script) memberContainer(n, value node) (name string, ok bool) {
	var path []string
	proto := false
	for ; s.kind(n) == jsMember; n = s.child(n, jsfObject) {
		switch p := s.fieldStr(n, jsfProperty); p {
		case "prototype", "__proto__":
			proto = true
		default:
			path = append(path, p)
		}
		if len(path) > maxLiteralDepth {
			return "", false
		}
	}
	switch s.kind(n) {
	case jsThis:
		if s.self == "" || s.lang == "typescript" && s.inClass { // where fields are declared
			return "", false
		}
		name = s.self
	case jsIdentifier:
		if name, ok = s.memberBase(n, proto, value); !ok {
			return "", false
		}
	default:
		return "", false
	}
	for i := len(path) - 1; i >= 0; i-- {
		if name == "exports" || name == "module" && path[i] == "exports" {
			name = path[i]
			continue
		}
		name += "." + path[i]
	}
	return name, name != "exports" && len(name) <= maxMemberPath
}

// memberBase returns the qualified name of the declaration that a plain name in front of a
// member stands for.
func (s *script) memberBase(n node, proto bool, value node) (string, bool) {
	name := s.str(n)
	b := s.lookup(name, false)
	literal := s.functionValue(value) != none || s.kind(value) == jsClass || s.kind(value) == jsObject
	switch {
	case b == nil:
		own := proto || !isBuiltin(name) || isHost(name)
		return name, literal && own && !s.testFile
	case b.what == bindImport:
		return name, literal && !s.testFile
	case b.what == bindTop:
		return name, true
	case b.of != "": // the inner name of a function or class expression
		return b.of, true
	case !b.holds:
		return "", false
	case s.owner >= 0:
		return s.facts.Symbols[s.owner].Qualified + "." + name, true
	}
	return name, true
}

// isHost reports whether a name is a built-in object to which scripts often add functions.
func isHost(name string) bool {
	switch name {
	case "window", "globalThis", "module", "exports":
		return true
	}
	return false
}

// prototype reads an object literal that replaces or extends all members of target.
func (s *script) prototype(t target, whole, value node) {
	s.place = literalPlace{name: t.container}
	s.walk(value)
	s.place = literalPlace{}
	s.assertions(whole, value)
}

// assignedMember declares the member to which statement n assigns value.
func (s *script) assignedMember(n, left node, t target, value node) (int32, bool) {
	sym := code.Symbol{
		Name: s.memberName(t.key), Kind: code.KindField, Span: s.spanBetween(s.start(left), s.codeEnd(n)), NameStart: s.start(t.key),
		Signature: trimSignature(s.signature(s.start(left), s.valueEnd(left, value))), Doc: s.jsDoc(s.start(n)), Exported: true,
	}
	switch s.kind(value) {
	case jsArrow, jsFuncExpr, jsGenerator:
		sym.Kind = code.KindMethod
		sym.Signature = s.headSignature(s.start(left), value)
		sym.Params, sym.Returns = s.params(value), s.returns(value)
	case jsClass:
		sym.Kind = code.KindClass
		sym.Signature = s.headSignature(s.start(left), value)
	}
	return s.declareMember(sym, literalPlace{name: t.container})
}

// memberValue reads the value of a member that a statement adds.
func (s *script) memberValue(sym int32, whole, value node) {
	before, self := s.enter(sym), s.self
	q := s.facts.Symbols[sym].Qualified
	s.place = literalPlace{name: q}
	if s.functionValue(value) != none && s.kind(value) != jsArrow {
		s.thisFunction = value
		s.self = q[:len(q)-len(s.facts.Symbols[sym].Name)-1]
	}
	s.symbolValue(sym, whole, value)
	s.place = literalPlace{}
	s.self = self
	s.leave(before)
}

// extension reads a call that adds members to its first argument, such as Object.assign, and reports whether call is one.
func (s *script) extension(n, call node) bool {
	callee := s.child(call, jsfFunction)
	name := s.str(callee)
	if s.kind(callee) == jsMember {
		name = s.fieldStr(callee, jsfProperty)
	} else if s.kind(callee) != jsIdentifier {
		return false
	}
	first := s.firstNamed(s.child(call, jsfArguments))
	second := s.nextNamed(first)
	switch {
	case name == "__defineGetter__":
		return s.defineProperty(n, call, s.child(callee, jsfObject), first, second)
	case strings.HasPrefix(name, "define") && s.kind(second) == jsString:
		return s.defineProperty(n, call, first, second, s.nextNamed(second))
	case name == "assign", name == "extend", name == "mixin", name == "defineProperties":
		if s.kind(second) == jsObject {
			return s.objectAssign(call, first, second, name == "defineProperties")
		}
		s.mixedIn(first, second)
	case name == "merge", name == "inherits", name == "setPrototypeOf":
		s.mixedIn(first, second)
	}
	return false
}

// mixedIn records that an object gets the members of others by a call, as by
// mixin(app, proto). A named part of a function's result counts as the
// function's.
func (s *script) mixedIn(first, others node) {
	if s.kind(first) != jsIdentifier {
		return
	}
	container := ""
	switch b := s.lookup(s.str(first), false); {
	case b.is(bindTop):
		container = s.str(first)
	case s.owner >= 0 && s.str(first) == s.returnedName:
		container = s.facts.Symbols[s.owner].Qualified
	default:
		return
	}
	for a := others; a != none; a = s.nextNamed(a) {
		if s.kind(a) == jsIdentifier && s.lookup(s.str(a), false).isEither(bindTop, bindImport) {
			s.addAlias(container, spreadMember, s.str(a))
		}
	}
}

// objectAssign reads `Object.assign(target, {…}, …)`.
func (s *script) objectAssign(call, first, second node, descriptors bool) bool {
	container, ok := s.memberContainer(first, second)
	if !ok || s.kind(second) != jsObject {
		return false
	}
	s.callee(s.child(call, jsfFunction), code.RefCall)
	s.walk(first)
	for a := second; a != none; a = s.nextNamed(a) {
		if descriptors {
			s.descriptors(a, container)
			continue
		}
		if s.kind(a) == jsObject {
			s.place = literalPlace{name: container}
		}
		s.walk(a)
		s.place = literalPlace{}
	}
	return true
}

// descriptors reads the second argument of Object.defineProperties, a literal that describes properties.
func (s *script) descriptors(o node, container string) {
	for c := s.firstNamed(o); c != none; c = s.nextNamed(c) {
		key, value := s.child(c, jsfKey), s.child(c, jsfValue)
		sym := s.memberSymbol(c, key, code.KindField, s.valueEnd(c, value), s.start(c))
		sym.Name = s.memberName(key)
		if i, ok := s.declareMember(sym, literalPlace{name: container}); ok && s.kind(value) == jsObject {
			before := s.enter(i)
			s.descriptor(value, container)
			s.leave(before)
			continue
		}
		s.walk(c)
	}
}

// defineProperty reads `Object.defineProperty(target, "name", value)`.
func (s *script) defineProperty(n, call, first, key, value node) bool {
	if s.kind(key) != jsString || s.memberName(key) == "" {
		return false
	}
	fn := s.functionValue(value)
	if fn == none && s.kind(value) != jsObject {
		return false
	}
	container, ok := s.memberContainer(first, value)
	if !ok {
		return false
	}
	sym := code.Symbol{
		Name: s.memberName(key), Kind: code.KindField, Span: s.spanBetween(s.start(n), s.codeEnd(n)), NameStart: s.start(key) + 1,
		Signature: trimSignature(s.signature(s.start(n), s.start(value))) + ")", Doc: s.jsDoc(s.start(n)), Exported: true,
	}
	i, ok := s.declareMember(sym, literalPlace{name: container})
	if !ok {
		return false
	}
	s.callee(s.child(call, jsfFunction), code.RefCall)
	before, self := s.enter(i), s.self
	for a := s.firstNamed(s.child(call, jsfArguments)); a != none; a = s.nextNamed(a) {
		switch {
		case a == fn && s.kind(fn) != jsArrow:
			s.thisFunction, s.self = fn, container
			s.walk(a)
			s.self = self
		case a == value && fn == none:
			s.descriptor(a, container)
		default:
			s.walk(a)
		}
	}
	s.leave(before)
	return true
}

// descriptor reads the functions in the description of a property. Their `this` is
// the object on which the property is defined.
func (s *script) descriptor(o node, container string) {
	self := s.self
	for c := s.firstNamed(o); c != none; c = s.nextNamed(c) {
		s.self = container
		switch fn := s.functionValue(s.child(c, jsfValue)); {
		case s.kind(c) == jsMethod:
			s.function(c)
		case s.kind(fn) == jsFuncExpr:
			s.thisFunction = fn
			s.function(fn)
		default:
			s.self = self
			s.walk(c)
		}
	}
	s.self = self
}

// addAlias records that a member is another name for the declaration target.
func (s *script) addAlias(container, name, target string) {
	if s.literalMembers < maxLiteralMembers {
		s.literalMembers++
		s.aliases = append(s.aliases, memberAlias{container, name, target})
	}
}

// shareName records that the short form n of a property makes a declaration of the file a member of an object.
func (s *script) shareName(n node) {
	name := s.str(n)
	if s.names.lookup(name).is(bindLocal) {
		return
	}
	if s.shared == nil {
		s.shared = map[string]bool{}
	}
	s.shared[name] = true
}

// hintAliases stores the recorded aliases as hints, notes about symbols for
// later steps. A spread is listed with the ones before it.
func (s *script) hintAliases() {
	for i := range s.facts.Symbols {
		if name := s.facts.Symbols[i].Qualified; s.shared[name] {
			s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: int32(i), Name: sharedMember, Type: name})
		}
	}
	if len(s.aliases) == 0 {
		s.sortHints()
		return
	}
	at := make(map[string]int32, len(s.facts.Symbols))
	for i := len(s.facts.Symbols) - 1; i >= 0; i-- {
		at[s.facts.Symbols[i].Qualified] = int32(i)
	}
	type key struct {
		symbol int32
		name   string
	}
	seen := map[key]int{} // where a hint is in Types, counted from one
	for _, a := range s.aliases {
		if i, ok := at[a.target]; ok && a.name == a.target {
			if k := (key{i, exposedMember}); seen[k] == 0 {
				s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: i, Name: exposedMember, Type: a.target})
				seen[k] = len(s.facts.Types)
			}
		}
		i, ok := at[a.container]
		if !ok {
			continue
		}
		k := key{i, a.name}
		if h := seen[k]; h == 0 {
			s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: i, Name: a.name, Type: a.target})
			seen[k] = len(s.facts.Types)
		} else if a.name == spreadMember && len(s.facts.Types[h-1].Type) < maxMemberPath {
			s.facts.Types[h-1].Type += "," + a.target
		}
	}
	s.sortHints()
}

func (s *script) sortHints() {
	slices.SortFunc(s.facts.Types, func(a, b code.TypeHint) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Name, b.Name))
	})
}

// hintNested records the block in which a symbol is visible if its name does not show
// it: symbols in functions without a name, and several symbols of one name.
func (s *script) hintNested() {
	if len(s.nested) == 0 {
		return
	}
	count := map[string]int{}
	for _, n := range s.nested {
		count[s.facts.Symbols[n.symbol].Qualified]++
	}
	for _, n := range s.nested {
		if sym := &s.facts.Symbols[n.symbol]; sym.Parent < 0 || count[sym.Qualified] > 1 {
			where := strconv.FormatUint(uint64(s.start(n.block)), 10) + "-" + strconv.FormatUint(uint64(s.end(n.block)), 10)
			s.facts.Types = append(s.facts.Types, code.TypeHint{Symbol: n.symbol, Name: visibleIn, Type: where})
		}
	}
	s.sortHints()
}
