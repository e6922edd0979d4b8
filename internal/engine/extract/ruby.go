package extract

import (
	"strings"

	"ken/internal/code"
)

// ruby reads Ruby. The walk goes down the tree once, in source order, which is the
// order in which Ruby itself finds local variables. Declarations are in
// ruby_decl.go, calls that declare in ruby_dsl.go, requires in ruby_import.go. The meaning of a
// name can depend on declarations further down, so references are resolved at
// the end (ruby_late.go).
//
// Choices the vocabulary leaves open: singleton and instance methods both are methods
// of their class; a method defined inside another belongs to the enclosing class;
// attr_accessor declares one field; `x.a = 1` refers to both `a=`, which may be written
// out, and `a`, which an accessor declares. `Foo.new` is a call of Foo. A constant this
// file does not declare is an ImportPath, whose Spec is the namespace around it and
// the constant as written, "A::B>C::D": where Ruby looks depends on both.
type ruby struct {
	*file
	class rubyClass
	// firstLocal is where the locals of the innermost method, class or module begin in
	// names.list: those before it are not visible.
	firstLocal int32
	method     string // the innermost method's name, "" outside methods
	// ivars are the types of the instance variables assigned so far in the
	// innermost class, "?" where assignments disagree.
	ivars       map[string]string
	declared    map[rubyKey]int32 // the last declaration of each name
	lateRefs    []rubyLate
	pathImports map[string]int32 // imports made for constants, by Spec
	sig         code.Span        // the last `sig { … }`, which comes between a doc comment and its method
	tests       bool             // a test case or a test is declared
	testCase    bool
	specs       rubySpecs
}

// rubyKey identifies a declared name by its class or module; container is "" at the top level.
type rubyKey struct{ container, name string }

// rubyClass describes the class or module that encloses the current position.
type rubyClass struct {
	qualified         string // dotted, "" outside
	namespace         string // namespace in which constants are looked up: "A::B"
	base              string // superclass as written, "" if there is none
	levels            int    // number of classes around
	private           bool   // methods declared from here on are private or protected
	privateSingletons bool   // the same for singleton methods: private_class_method def self.x
	singleton         bool   // inside class << self
}

// rubyLevels is the number of nested classes up to which names are lengthened and
// constants are searched, and the number of parts of a constant. rubyName is the
// length of such a name in bytes. Without these limits a hostile file would cost its
// depth for every name.
const (
	rubyLevels = 32
	rubyName   = 1024
)

func walkRuby(f *file) {
	r := &ruby{file: f, ivars: map[string]string{}, declared: map[rubyKey]int32{}, pathImports: map[string]int32{}}
	r.readSpecs()
	r.names.push()
	r.walkChildren(root)
	r.names.pop()
	r.resolveLate()
	r.facts.IsTest = r.tests && r.testCase
	for i := range r.facts.Symbols {
		if s := &r.facts.Symbols[i]; s.Parent < 0 && s.Exported {
			r.facts.Exports = append(r.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
		}
	}
}

// walk reads any node. It is one switch over the kinds of the grammar.
func (r *ruby) walk(n node) {
	switch r.kind(n) {
	case rbIdentifier:
		r.identifier(n)
	case rbConstant, rbScopeRes:
		r.constant(n, code.RefType)
	case rbCall:
		r.call(n)
	case rbSuper:
		r.superCall(n)
	case rbAssignment:
		r.assignment(n, false)
	case rbOpAssignment:
		r.assignment(n, true)
	case rbMethod, rbSingletonMethod:
		r.methodDef(n)
	case rbClass, rbModule:
		r.classDef(n)
	case rbSingletonClass:
		r.singletonClass(n)
	case rbAlias:
		name, old := r.child(n, rbfName), r.child(n, rbfAlias)
		r.aliasDef(n, name, old)
	case rbBlock, rbDoBlock, rbLambda:
		r.block(n)
	case rbBlockParams, rbLambdaParams:
		r.bindParams(n)
	case rbFor:
		r.bindTargets(r.child(n, rbfPattern))
		r.walkChildren(n)
	case rbExceptionVar:
		r.bindTargets(n)
	case rbInClause, rbMatchPattern, rbTestPattern:
		r.bindPattern(r.child(n, rbfPattern))
		r.walkChildren(n)
	case rbPair:
		r.pair(n)
	case rbString:
		if r.after(n) > n+2 { // more than its content
			r.walkChildren(n)
		}
	case rbComment, rbSimpleSymbol, rbStringContent, rbHashKey, rbUndef, rbSymbolArray:
	default:
		r.walkChildren(n)
	}
}

func (r *ruby) walkChildren(n node) {
	for c := r.first(n); c != none; c = r.sibling(c) {
		if r.isNamed(c) {
			r.walk(c)
		}
	}
}

// local returns the binding of a local variable of the innermost method, including those of the enclosing blocks.
func (r *ruby) local(name string) *binding {
	if i, ok := r.names.top[name]; ok && i >= r.firstLocal {
		return &r.names.list[i]
	}
	return nil
}

// bindLocal binds a local variable unless it is bound already; typ is the class of its
// value, if known.
func (r *ruby) bindLocal(name, typ string) {
	if b := r.local(name); b == nil {
		r.names.bind(binding{name: name, typ: typ})
	} else if b.typ != typ {
		b.typ = ""
	}
}

// enclose opens a scope in which outer local variables are not visible.
func (r *ruby) enclose() (barrier int32) {
	barrier = r.firstLocal
	r.names.push()
	r.firstLocal = int32(len(r.names.list))
	return barrier
}

func (r *ruby) disclose(barrier int32) {
	r.names.pop()
	r.firstLocal = barrier
}

// identifier reads a plain name: a local variable, a word such as private that
// holds for the declarations after it, or a call without receiver and
// arguments.
func (r *ruby) identifier(n node) {
	name := r.str(n)
	if r.local(name) != nil || isRubyImplicit(name) {
		return
	}
	if r.method == "" && r.setDefault(name) {
		return
	}
	r.selfCall(n, name, code.RefCall)
}

// isRubyImplicit reports whether a plain name is defined by the language: a numbered
// block parameter, or a keyword that the grammar takes for a name.
func isRubyImplicit(name string) bool {
	switch name {
	case "_", "it", "__FILE__", "__LINE__", "__ENCODING__":
		return true
	}
	return len(name) == 2 && name[0] == '_' && strings.IndexByte("123456789", name[1]) >= 0
}

// selfCall records a reference to a method of the enclosing class, or to a function.
func (r *ruby) selfCall(n node, name string, k code.RefKind) {
	r.addLate(n, code.Ref{Name: name, Kind: k, Via: code.ViaSelf, Recv: r.class.qualified}, rubyLate{what: lateCall})
}

// block reads a block or lambda with its parameters and local variables.
func (r *ruby) block(n node) {
	private := r.class.private
	r.names.push()
	r.bindValues(n)
	r.walkChildren(n)
	r.names.pop()
	r.class.private = private
}

func (r *ruby) pair(n node) {
	key, value := r.child(n, rbfKey), r.child(n, rbfValue)
	if value == none && r.kind(key) == rbHashKey { // {name:}
		if r.local(r.str(key)) == nil {
			r.selfCall(key, r.str(key), code.RefCall)
		}
		return
	}
	r.walk(key)
	r.walk(value)
}

// bindParams binds the parameters of a method, block or lambda and reads their
// default values.
func (r *ruby) bindParams(n node) {
	for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rbIdentifier:
			r.names.bind(binding{name: r.str(c)})
		case rbOptionalParam, rbKeywordParam, rbSplatParam, rbHashSplatParam, rbBlockParam:
			r.names.bind(binding{name: r.fieldStr(c, rbfName)})
			r.walk(r.child(c, rbfValue))
		case rbDestructuredParam:
			r.bindParams(c)
		}
	}
}

// bindTargets binds the left side of an assignment: names, lists of names, attributes.
func (r *ruby) bindTargets(n node) {
	switch r.kind(n) {
	case rbIdentifier:
		r.bindLocal(r.str(n), "")
	case rbCall:
		r.attributeWrite(n)
	case rbConstant, rbScopeRes:
		r.constantDef(n, n, none, false)
	case rbLeftList, rbDestructuredLeft, rbRestAssignment, rbExceptionVar:
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.bindTargets(c)
		}
	default:
		r.walk(n)
	}
}

// bindPattern binds the names in a pattern of case … in.
func (r *ruby) bindPattern(n node) {
	for c, end := n, r.after(n); c < end; c++ {
		switch p := r.parent(c); r.kind(c) {
		case rbIdentifier:
			if r.kind(p) != rbVarRefPattern && r.kind(p) != rbCall {
				r.bindLocal(r.str(c), "")
			}
		case rbHashKey:
			if r.kind(p) == rbKeywordPattern && r.child(p, rbfValue) == none {
				r.bindLocal(r.str(c), "")
			}
		}
	}
}

// assignment reads `left = right`, or an assignment such as `left += right` if op is set.
func (r *ruby) assignment(n node, op bool) {
	left, right := r.child(n, rbfLeft), r.child(n, rbfRight)
	switch r.kind(left) {
	case rbIdentifier:
		r.bindLocal(r.str(left), r.valueClass(right))
	case rbConstant, rbScopeRes:
		if r.constantDef(left, n, right, op) {
			return
		}
	case rbInstanceVar:
		var name, typ string = r.str(left), r.valueClass(right)
		if had, ok := r.ivars[name]; ok && had != typ {
			typ = "?"
		}
		r.ivars[name] = typ
	default:
		r.bindTargets(left)
	}
	r.walk(right)
}

// valueClass returns the class of an expression as written, or "" if the file does not show it.
func (r *ruby) valueClass(n node) string {
	for r.kind(n) == rbParenthesized {
		n = r.firstNamed(n)
	}
	if r.kind(n) == rbCall && r.fieldStr(n, rbfMethod) == "new" {
		return r.classPath(r.child(n, rbfReceiver))
	}
	return ""
}

// path returns the text of the constant n, such as A::B, or "" if n is not a constant.
func (r *ruby) path(n node) string {
	for c := n; ; {
		switch r.kind(c) {
		case rbConstant:
			return r.str(n)
		case rbScopeRes:
			scope := r.child(c, rbfScope)
			if scope == none { // ::Top
				return r.str(n)
			}
			c = scope
		default:
			return ""
		}
	}
}

// constant records references to all names of a constant A::B. The one to the last name
// has kind k.
func (r *ruby) constant(n node, k code.RefKind) {
	path := r.path(n)
	if path == "" {
		scope := r.child(n, rbfScope)
		r.walk(scope)
		if name := r.child(n, rbfName); name != none {
			r.member(name, r.str(name), scope, code.RefUse)
		}
		return
	}
	if len(path) > rubyName {
		return
	}
	if strings.ContainsAny(path, " \t\r\n#") { // A:: B, over lines
		path = strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c <= ' ' }), "")
	}
	if last := path[strings.LastIndexByte(path, ':')+1:]; k == code.RefType && len(last) > 1 && isPyConstant(last) {
		k = code.RefUse
	}
	r.constantSteps(n, path, path, k)
}

// constantSteps records references to the names of the constant n. path is its text, whole the text of the longer constant that begins
// with it.
func (r *ruby) constantSteps(n node, path, whole string, k code.RefKind) {
	name := n
	for len(path) > 0 {
		scope := none
		if r.kind(n) == rbScopeRes {
			name, scope = r.child(n, rbfName), r.child(n, rbfScope)
		} else {
			name = n
		}
		r.addLate(name, code.Ref{Kind: k, Via: code.ViaBare},
			rubyLate{what: lateConstant, path: path, fullPath: whole, namespace: r.class.namespace})
		if scope == none {
			return
		}
		path = path[:max(strings.LastIndex(path, "::"), 0)]
		n, k = scope, code.RefType
	}
}
