package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// declareIn adds a symbol to the enclosing class, even from inside a method or
// block.
func (r *ruby) declareIn(name node, s code.Symbol) int32 {
	if s.Name == "" {
		s.Name = r.str(name)
	}
	if s.Name == "" {
		return -1
	}
	container := r.class.qualified
	if s.Qualified == "" {
		s.Qualified = r.under(container, s.Name)
	} else {
		container = strings.TrimSuffix(strings.TrimSuffix(s.Qualified, s.Name), ".")
	}
	if s.NameStart == 0 {
		s.NameStart = r.start(name)
	}
	i := r.declare(s)
	r.declared[rubyKey{container, s.Name}] = i
	return i
}

// classDef reads a class or module.
func (r *ruby) classDef(n node) {
	nameNode := r.child(n, rbfName)
	last, qualified := r.definedName(nameNode)
	if r.str(last) == "" {
		r.walkChildren(n)
		return
	}
	kind, end := code.KindModule, r.end(nameNode)
	super := r.child(n, rbfSuperclass)
	if r.kind(n) == rbClass {
		kind = code.KindClass
		if super != none {
			end = r.end(super)
		}
	}
	sym := r.declareIn(last, code.Symbol{Qualified: qualified, Kind: kind, Span: r.span(n), Exported: true,
		Signature: r.signature(r.start(n), end), Doc: r.typeDoc(n)})
	if nameNode != last {
		r.walk(r.child(nameNode, rbfScope))
	}
	parent := r.firstNamed(super)
	before := r.enter(sym)
	r.inherit(parent)
	r.leave(before)
	base := r.path(parent)
	r.testCase = r.testCase || isRubyTestCase(base)
	class := rubyClass{qualified: qualified, namespace: strings.ReplaceAll(qualified, ".", "::"), base: base}
	r.inClass(sym, class, func() {
		r.structMembers(parent)
		r.walk(r.child(n, rbfBody))
	})
}

// isRubyTestCase reports whether a superclass belongs to a test framework.
func isRubyTestCase(base string) bool {
	for _, suffix := range [...]string{"TestCase", "Minitest::Test", "MiniTest::Test", "Minitest::Spec"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// definedName returns the last constant in the name of a class or module definition, and
// the dotted path of the whole name.
func (r *ruby) definedName(n node) (last node, qualified string) {
	if r.kind(n) != rbScopeRes {
		return n, r.qualify(r.str(n))
	}
	last = r.child(n, rbfName)
	path := strings.ReplaceAll(r.path(n), "::", ".")
	switch {
	case path == "": // self::X
		return last, r.qualify(r.str(last))
	case path[0] == '.':
		return last, path[1:]
	}
	return last, r.qualify(path)
}

// qualify returns the qualified name of a dotted path in the enclosing class.
func (r *ruby) qualify(path string) string {
	if r.class.levels >= rubyLevels || len(r.class.qualified)+len(path) > rubyName {
		return path
	}
	return r.under(r.class.qualified, path)
}

// inClass runs f with class as the enclosing class.
func (r *ruby) inClass(sym int32, class rubyClass, f func()) {
	class.levels = r.class.levels + 1
	outer, ivars, method := r.class, r.ivars, r.method
	r.class, r.ivars, r.method = class, map[string]string{}, ""
	before := r.enter(sym)
	barrier := r.enclose()
	f()
	r.disclose(barrier)
	r.leave(before)
	r.class, r.ivars, r.method = outer, ivars, method
}

// singletonClass reads class << self, whose methods belong to the class itself.
func (r *ruby) singletonClass(n node) {
	class := r.class
	class.private, class.singleton = false, true
	value := r.child(n, rbfValue)
	if p := r.path(value); p != "" {
		class.qualified = strings.TrimPrefix(strings.ReplaceAll(p, "::", "."), ".")
	}
	r.walk(value)
	r.inClass(r.owner, class, func() { r.walk(r.child(n, rbfBody)) })
}

// inherit records a reference to a superclass or an included module.
func (r *ruby) inherit(n node) {
	switch r.kind(n) {
	case rbConstant, rbScopeRes:
		r.constant(n, code.RefInherit)
	case rbElementRef: // Migration[7.1]
		object := r.child(n, rbfObject)
		r.inherit(object)
		for c := r.sibling(object); c != none; c = r.sibling(c) {
			r.walk(c)
		}
	case 0:
		if n != none {
			r.walk(n)
		}
	default:
		r.walk(n)
	}
}

// methodDef reads the method definitions def x and def self.x.
func (r *ruby) methodDef(n node) {
	name, params := r.child(n, rbfName), r.child(n, rbfParameters)
	object := r.child(n, rbfObject)
	s := code.Symbol{Kind: code.KindMethod, Span: r.span(n), Doc: r.doc(n), Exported: !r.class.private}
	if s.Name = r.str(name); r.kind(name) == rbSetter {
		s.Name = r.fieldStr(name, rbfName) + "="
	}
	switch {
	case object != none:
		s.Exported = !r.class.privateSingletons
		if p := r.path(object); p != "" && !r.isClass(p) {
			s.Qualified = strings.TrimPrefix(strings.ReplaceAll(p, "::", "."), ".") + "." + s.Name
		}
	case r.class.qualified == "":
		s.Kind, s.Exported = code.KindFunction, true
	case s.Name == "initialize" && !r.class.singleton:
		s.Kind, s.Exported = code.KindConstructor, true
	}
	r.tests = r.tests || strings.HasPrefix(s.Name, "test_")
	end := r.end(name)
	if params != none {
		end = r.end(params)
	}
	s.Signature, s.Params = r.signature(r.start(n), end), r.params(params)
	r.inMethod(r.declareIn(name, s), s.Name, func() {
		r.walk(object)
		r.bindParams(params)
		r.walk(r.child(n, rbfBody))
	})
}

// isClass reports whether a path is the name of the enclosing class.
func (r *ruby) isClass(path string) bool {
	q := r.class.qualified
	return q != "" && (q == path || strings.HasSuffix(q, "."+strings.ReplaceAll(path, "::", ".")))
}

// inMethod runs f with sym, which is called name, as the enclosing method.
func (r *ruby) inMethod(sym int32, name string, f func()) {
	if sym < 0 {
		sym = r.owner
	}
	outer, class := r.method, r.class
	before := r.enter(sym)
	barrier := r.enclose()
	r.method = name
	f()
	r.disclose(barrier)
	r.leave(before)
	r.method, r.class = outer, class
}

// params lists the parameters of a method or block.
func (r *ruby) params(n node) []code.Param {
	var out []code.Param
	for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
		p := code.Param{Name: r.signature(r.start(c), r.end(c))}
		if value := r.child(c, rbfValue); value != none {
			p.Name, p.Optional, p.Default = r.fieldStr(c, rbfName), true, r.signature(r.start(value), r.end(value))
		}
		if r.kind(c) == rbKeywordParam {
			p.Name = r.fieldStr(c, rbfName) + ":"
		}
		if p.Name != "" && r.nodeField(c) != rbfLocals {
			out = append(out, p)
		}
	}
	return out
}

func (r *ruby) aliasDef(whole, name, old node) {
	s, ok := r.symbolName(name)
	if !ok {
		return // a global variable
	}
	kind := code.KindMethod
	if r.class.qualified == "" {
		kind = code.KindFunction
	}
	r.declareIn(name, code.Symbol{Name: s, Kind: kind, Span: r.span(whole), NameStart: r.end(name) - uint32(len(s)),
		Signature: r.signature(r.start(whole), r.end(whole)), Doc: r.doc(whole), Exported: !r.class.private})
	if s, ok := r.symbolName(old); ok {
		r.selfCall(old, s, code.RefUse)
	}
}

// symbolName returns the text of a Ruby symbol, a string or a method name.
func (r *ruby) symbolName(n node) (string, bool) {
	s := r.str(n)
	switch r.kind(n) {
	case rbSimpleSymbol:
		return s[min(1, len(s)):], len(s) > 1
	case rbString, rbDelimitedSymbol:
		content := r.firstNamed(n)
		if r.kind(content) != rbStringContent || r.nextNamed(content) != none {
			return "", false
		}
		return r.str(content), true
	case rbIdentifier, rbConstant, rbOperator, rbSetter, rbBareSymbol:
		return s, s != ""
	}
	return "", false
}

// constantDef declares the constant left and reads its value right; whole is the
// assignment. Where Ruby allows no constant, it reads nothing and returns false.
func (r *ruby) constantDef(left, whole, right node, op bool) bool {
	last, qualified := r.definedName(left)
	name := r.str(last)
	if r.method != "" || name == "" {
		r.walk(left)
		return false
	}
	if last != left {
		r.walk(r.child(left, rbfScope))
	}
	container := strings.TrimSuffix(strings.TrimSuffix(qualified, name), ".")
	if _, ok := r.declared[rubyKey{container, name}]; ok && op {
		return false
	}
	kind := r.valueKind(right)
	sym := r.declareIn(last, code.Symbol{Qualified: qualified, Kind: kind, Span: r.span(whole), Exported: true,
		Signature: r.valueSignature(left, whole), Doc: r.doc(whole)})
	if kind == code.KindConstant {
		before := r.enter(sym)
		r.walk(right)
		r.leave(before)
		return true
	}
	args := r.child(right, rbfArguments)
	class := rubyClass{qualified: qualified, namespace: r.class.namespace}
	if kind == code.KindClass {
		base := r.child(right, rbfReceiver)
		if strings.TrimPrefix(r.path(base), "::") == "Class" {
			base = r.firstNamed(args)
		}
		class.base = r.path(base)
		r.inherit(base)
	}
	r.inClass(sym, class, func() {
		r.structMembers(right)
		r.walk(r.child(right, rbfBlock))
	})
	return true
}

// valueKind returns the kind of symbol that a constant with this value is. Calls such
// as Struct.new, Data.define, Class.new and Module.new make types.
func (r *ruby) valueKind(right node) code.Kind {
	if r.kind(right) != rbCall {
		return code.KindConstant
	}
	switch r.fieldStr(right, rbfReceiver) + "." + r.fieldStr(right, rbfMethod) {
	case "Struct.new", "Data.define", "::Struct.new", "::Data.define":
		return code.KindStruct
	case "Class.new", "::Class.new":
		return code.KindClass
	case "Module.new", "::Module.new":
		return code.KindModule
	}
	if r.isSubclassing(right) {
		return code.KindClass
	}
	return code.KindConstant
}

// isSubclassing reports whether a call such as Options.new(:name) do … end makes a class: its block declares methods, which belong to
// the constant that the class is assigned to.
func (r *ruby) isSubclassing(call node) bool {
	if r.path(r.child(call, rbfReceiver)) == "" {
		return false
	}
	body := r.child(r.child(call, rbfBlock), rbfBody)
	return r.childKind(body, rbMethod) != none
}

// structMembers declares the members that a call names which makes a class, such as Struct.new(:a, :b).
func (r *ruby) structMembers(call node) {
	args := r.child(call, rbfArguments)
	for c := r.firstNamed(args); c != none; c = r.nextNamed(c) {
		if r.kind(c) == rbSimpleSymbol {
			r.field(c, r.str(c), "", true)
		}
	}
}

// field declares the data member whose name is the symbol or string n.
func (r *ruby) field(n node, signature, doc string, exported bool) {
	if name, ok := r.symbolName(n); ok && name != "" {
		r.declareIn(n, code.Symbol{Name: name, Kind: code.KindField, Span: r.span(n), NameStart: r.start(n) + 1,
			Signature: signature, Doc: doc, Exported: exported})
	}
}

// valueSignature returns the text of an assignment, without its value if that is long.
func (r *ruby) valueSignature(left, whole node) string {
	s := r.str(whole)
	if left == whole || fitsSignature(s) {
		return r.signature(r.start(whole), r.end(whole))
	}
	return lexical.Cut(r.signature(r.start(left), r.end(left))+" = ...", code.MaxSignature)
}
