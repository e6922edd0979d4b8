package extract

import (
	"strings"

	"ken/internal/code"
)

// call reads a call with its receiver, method, arguments and block.
func (r *ruby) call(n node) {
	receiver, method := r.child(n, rbfReceiver), r.child(n, rbfMethod)
	name := r.str(method)
	if receiver == none {
		if r.kind(method) == rbSuper {
			r.superCall(method)
		} else if r.declares(n, method, name) {
			return
		} else if method != none && r.local(name) == nil {
			r.selfCall(method, name, code.RefCall)
			r.symbolArgs(n, name)
		}
		r.group(n)
		return
	}
	switch {
	case name == "new" && r.path(receiver) != "":
		r.constant(receiver, code.RefCall)
	case method == none, name == "class": // x.(); every object has a class
		r.walk(receiver)
	default:
		r.walk(receiver)
		r.member(method, name, receiver, code.RefCall)
		r.sendMethod(n, name, receiver)
		if name == "describe" && r.str(receiver) == "RSpec" {
			r.tests, r.testCase = true, true
		}
	}
	r.group(n)
}

// arguments reads the arguments and the block of a call.
func (r *ruby) arguments(n node) {
	args := r.child(n, rbfArguments)
	for c := r.first(args); c != none; c = r.sibling(c) {
		switch r.kind(c) {
		case rbBlockArgument:
			if s := r.firstNamed(c); r.kind(s) == rbSimpleSymbol { // &:name
				if name, ok := r.symbolName(s); ok {
					r.memberOf(s, code.Ref{Name: name, Kind: code.RefCall, Via: code.ViaMember}, r.yieldedClass(n))
				}
				continue
			}
			r.walk(c)
		default:
			if r.isNamed(c) {
				r.walk(c)
			}
		}
	}
	r.walk(r.child(n, rbfBlock))
}

// member records a reference to a method that is called on a receiver.
func (r *ruby) member(n node, name string, receiver node, k code.RefKind) {
	ref := code.Ref{Name: name, Kind: k, Via: code.ViaMember}
	typ := ""
	switch r.kind(receiver) {
	case rbSelf:
		ref.Via, ref.Recv = code.ViaSelf, r.class.qualified
		r.addLate(n, ref, rubyLate{what: lateSelf})
		return
	case rbCall:
		if r.fieldStr(receiver, rbfMethod) == "class" && r.kind(r.child(receiver, rbfReceiver)) == rbSelf {
			ref.Via, ref.Recv = code.ViaSelf, r.class.qualified
			r.addLate(n, ref, rubyLate{what: lateSelf})
			return
		}
		typ = r.valueClass(receiver)
	case rbConstant, rbScopeRes:
		typ = r.classPath(receiver)
	case rbIdentifier:
		if b := r.local(r.str(receiver)); b != nil {
			typ = b.typ
		} else {
			typ = r.classPath(receiver)
		}
	case rbInstanceVar:
		typ = r.ivars[r.str(receiver)]
	}
	r.memberOf(n, ref, typ)
}

// memberOf records a reference to a method of a class, by its path as written; "" and "?" if it is unknown.
func (r *ruby) memberOf(n node, ref code.Ref, typ string) {
	if typ == "" || typ == "?" {
		r.ref(n, ref)
		return
	}
	ref.Via = code.ViaTyped
	r.addLate(n, ref, rubyLate{what: lateMember, path: typ, namespace: r.class.namespace})
}

// yieldedClass returns the class of the values that a call gives to its block, "" if the call does not show it: a method of a list whose
// elements are all new objects of one class, or one that gives the object itself.
func (r *ruby) yieldedClass(call node) string {
	receiver := r.child(call, rbfReceiver)
	switch method := r.fieldStr(call, rbfMethod); {
	case method == "then" || method == "yield_self" || method == "tap":
		return r.valueClass(receiver)
	case r.kind(receiver) != rbArray || !strings.Contains(rubyIterators, " "+method+" "):
		return ""
	}
	class := ""
	for c := r.firstNamed(receiver); c != none; c = r.nextNamed(c) {
		of := r.valueClass(c)
		if of == "" || class != "" && of != class {
			return ""
		}
		class = of
	}
	return class
}

// rubyIterators are the methods of a list that give each element to the block.
const rubyIterators = " all? any? collect collect! count delete_if detect each each_entry each_with_index filter filter! filter_map find " +
	"find_all find_index flat_map group_by index keep_if map map! max_by min_by none? one? partition reject reject! reverse_each select select! " +
	"sort_by sort_by! sum take_while drop_while uniq "

// sendMethod records a reference to the method whose name a call such as x.send(:name) passes.
func (r *ruby) sendMethod(n node, name string, receiver node) {
	switch name {
	case "send", "public_send", "__send__", "method", "try", "respond_to?", "instance_method", "public_method":
	default:
		return
	}
	arg := r.firstNamed(r.child(n, rbfArguments))
	if s, ok := r.symbolName(arg); ok && r.isNameLiteral(arg) {
		r.member(arg, s, receiver, code.RefCall)
	}
}

// ref records a reference. The name of a symbol or string begins after its mark.
func (r *ruby) ref(n node, ref code.Ref) {
	before := len(r.facts.Refs)
	r.file.ref(n, ref)
	if len(r.facts.Refs) == before {
		return
	}
	last := &r.facts.Refs[before]
	switch name := strings.TrimSuffix(last.Name, "="); r.kind(n) {
	case rbSimpleSymbol:
		last.Start++
	case rbString, rbDelimitedSymbol:
		last.Start += uint32(max(strings.Index(r.str(n), name), 0))
		last.End = last.Start + uint32(len(name))
	}
}

// delegated reads def_delegators :@x, :name and delegate :name, to: :x, which declare methods that call those of the same name of
// another object, and reports whether the call is one.
func (r *ruby) delegated(name string, args node) bool {
	first := r.firstNamed(args)
	switch name {
	case "def_delegators", "def_delegator", "def_instance_delegators", "def_instance_delegator":
		first = r.nextNamed(first)
	case "delegate":
	default:
		return false
	}
	for c := first; c != none; c = r.nextNamed(c) {
		if s, ok := r.symbolName(c); ok && r.isNameLiteral(c) {
			r.ref(c, code.Ref{Name: s, Kind: code.RefUse, Via: code.ViaMember})
			if name == "def_delegator" || name == "def_instance_delegator" { // the next is its own name
				break
			}
		} else {
			r.walk(c)
		}
	}
	return first != none
}

// symbolArgs records references to methods of the enclosing class whose names a
// call without receiver passes as symbols (before_action :login, send(:login)).
// Symbols that name no method are dropped when references are resolved.
func (r *ruby) symbolArgs(n node, call string) {
	kind := code.RefUse
	switch call {
	case "send", "public_send", "__send__", "method":
		kind = code.RefCall
	}
	args := r.child(n, rbfArguments)
	for c := r.firstNamed(args); c != none; c = r.nextNamed(c) {
		sym := c
		if r.kind(c) == rbPair {
			sym = r.child(c, rbfValue)
		}
		if s, ok := r.symbolName(sym); ok && kind == code.RefCall && c == r.firstNamed(args) && r.isNameLiteral(sym) {
			r.selfCall(sym, s, kind)
			continue
		}
		if s, ok := r.symbolName(sym); ok && r.kind(sym) == rbSimpleSymbol {
			r.addLate(sym, code.Ref{Name: s, Kind: kind, Via: code.ViaSelf, Recv: r.class.qualified}, rubyLate{what: lateSymbol})
		}
	}
}

// attributeWrite records the references of x.name = value, where n is x.name.
func (r *ruby) attributeWrite(n node) {
	receiver, method := r.child(n, rbfReceiver), r.child(n, rbfMethod)
	r.walk(receiver)
	if receiver == none || r.str(method) == "" {
		return
	}
	for _, w := range [...]struct {
		name string
		kind code.RefKind
	}{{r.str(method) + "=", code.RefCall}, {r.str(method), code.RefUse}} {
		before := len(r.lateRefs)
		r.member(method, w.name, receiver, w.kind)
		if len(r.lateRefs) > before && r.lateRefs[before].what == lateSelf {
			r.lateRefs[before].what = lateWrite
		}
	}
}

// superCall records a reference from super to the method of the superclass with the same name.
func (r *ruby) superCall(n node) {
	if r.method == "" || r.class.base == "" {
		return
	}
	r.addLate(n, code.Ref{Name: r.method, Kind: code.RefCall, Via: code.ViaTyped},
		rubyLate{what: lateMember, path: r.class.base, namespace: r.class.namespace})
}

// declares reads a call without receiver if it declares or imports something, or
// changes other declarations, and reports whether it does.
func (r *ruby) declares(n, method node, name string) bool {
	args := r.child(n, rbfArguments)
	first := r.firstNamed(args)
	switch name {
	case "require", "require_relative", "load", "require_dependency", "autoload":
		return r.require(n, name, args)
	case "sig":
		block := r.child(n, rbfBlock)
		r.sig = r.span(n)
		r.sigTypes(block)
		return block != none
	case "test", "describe", "context":
		r.tests = r.tests || name == "test"
		return false
	}
	if r.method != "" && name != "define_method" && name != "define_singleton_method" {
		return false
	}
	switch name {
	case "include", "extend", "prepend":
		for c := first; c != none; c = r.nextNamed(c) {
			r.inherit(c)
		}
		return first != none
	case "private", "protected", "public", "module_function", "private_class_method", "public_class_method", "private_constant":
		r.visibility(name, args)
		return true
	case "attr_reader", "attr_writer", "attr_accessor", "attr":
		return r.attributes(n, name, args)
	case "alias_method":
		second := r.nextNamed(first)
		if second == none || !r.isNameLiteral(first) {
			return false
		}
		r.aliasDef(n, first, second)
		return true
	case "define_method", "define_singleton_method":
		return r.defineMethod(n, first)
	}
	return r.delegated(name, args)
}

// sigTypes records references to the constants in a Sorbet type signature.
func (r *ruby) sigTypes(n node) {
	for c := n; c < r.after(n); {
		if r.path(c) == "" {
			c++
			continue
		}
		r.constant(c, code.RefType)
		c = r.after(c)
	}
}

func (r *ruby) attributes(n node, name string, args node) bool {
	if r.firstNamed(args) == none {
		return false
	}
	doc := r.doc(n)
	for c := r.firstNamed(args); c != none; c = r.nextNamed(c) {
		if r.isNameLiteral(c) {
			r.field(c, r.signature(r.start(c), r.start(c))+name+" "+r.signature(r.start(c), r.end(c)), doc, !r.class.private)
		} else {
			r.walk(c)
		}
	}
	return true
}

// isNameLiteral reports whether n is a symbol or a string, which both can name a
// method.
func (r *ruby) isNameLiteral(n node) bool {
	switch r.kind(n) {
	case rbSimpleSymbol, rbString:
		return true
	}
	return false
}

// defineMethod reads define_method(:name) { … }.
func (r *ruby) defineMethod(n, arg node) bool {
	name, ok := r.symbolName(arg)
	if !ok || name == "" || !r.isNameLiteral(arg) {
		return false
	}
	block := r.child(n, rbfBlock)
	sym := r.declareIn(arg, code.Symbol{Name: name, Kind: code.KindMethod, Span: r.span(n), NameStart: r.start(arg) + 1,
		Signature: r.signature(r.start(n), r.end(r.child(n, rbfArguments))),
		Params:    r.params(r.childKind(block, rbBlockParams)), Doc: r.doc(n), Exported: !r.class.private})
	outer := r.method
	before := r.enter(sym)
	r.method = name
	for c := r.nextNamed(arg); c != none; c = r.nextNamed(c) {
		r.walk(c)
	}
	r.walk(block)
	r.method = outer
	r.leave(before)
	return true
}

// setDefault sets the visibility of the methods declared after this point if
// name is private, protected, public or module_function, and reports whether
// it is.
func (r *ruby) setDefault(name string) bool {
	switch name {
	case "private", "protected":
		r.class.private = true
	case "public", "module_function":
		r.class.private = false
	default:
		return false
	}
	return true
}

// visibility reads private :a, :b and private def x, which change the visibility of single methods.
func (r *ruby) visibility(name string, args node) {
	method := name == "private" || name == "protected"
	private := method || strings.HasPrefix(name, "private_")
	outer := r.class
	for c := r.firstNamed(args); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rbMethod, rbSingletonMethod, rbCall, rbAssignment:
			if r.class.privateSingletons = private && !method; !r.class.privateSingletons {
				r.class.private = private
			}
			r.walk(c)
			r.class = outer
		case rbIdentifier, rbConstant:
			r.walk(c)
		default:
			r.setVisibility(c, private)
		}
	}
	if args == none {
		r.setDefault(name)
	}
}

// setVisibility sets the visibility of the members that the symbols and strings in n
// name.
func (r *ruby) setVisibility(n node, private bool) {
	for c, end := n, r.after(n); c < end; c++ {
		switch r.kind(c) {
		case rbSimpleSymbol, rbString, rbBareSymbol:
			name, _ := r.symbolName(c)
			i, ok := r.declared[rubyKey{r.class.qualified, name}]
			if ok && r.class.qualified != "" {
				r.facts.Symbols[i].Exported = !private
				r.addLate(c, code.Ref{Name: name, Kind: code.RefUse, Via: code.ViaSelf, Recv: r.class.qualified}, rubyLate{what: lateSelf})
			}
		}
	}
}
