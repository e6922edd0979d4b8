package extract

import "ken/internal/code"

// components reads the parameters of a primary constructor and declares those marked
// val or var, which are properties.
func (k *kotlin) components(n node) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if k.kind(c) != ktClassParam {
			k.walk(c)
			continue
		}
		before := k.owner
		if k.isField(c) {
			k.enter(k.symbol(c, k.childKind(c, ktIdentifier), code.Symbol{Kind: code.KindField}, k.end(k.typeChild(c))))
		}
		k.walk(k.modifiers(c))
		k.walk(k.typeChild(c))
		k.inner(k.assignedValue(c))
		k.leave(before)
	}
}

// assignedValue returns the value after the = in n, or none.
func (k *kotlin) assignedValue(n node) node {
	if eq := k.childKind(n, ktEquals); eq != none {
		return k.nextNamed(eq)
	}
	return k.lazyValue(n)
}

// lazyValue returns the only statement of `by lazy { … }`, none if a property is not written so.
func (k *kotlin) lazyValue(n node) node {
	call := k.firstNamed(k.childKind(n, ktDelegate))
	callee := k.firstNamed(call)
	if k.kind(call) != ktCall || k.str(callee) != "lazy" || k.names.lookupCallable("lazy") != nil {
		return none
	}
	lambda := k.childKind(k.childKind(call, ktAnnotatedLambda), ktLambda)
	value := k.firstNamed(lambda)
	if k.kind(value) == ktLambdaParams || k.nextNamed(value) != none || k.isLiteral(value) {
		return none
	}
	return value
}

func (k *kotlin) isType(n node) bool {
	switch k.kind(n) {
	case ktUserType, ktNullable, ktNonNullable, ktParenType, ktFunctionType:
		return true
	}
	return false
}

// typeChild returns n's first child that is a type.
func (k *kotlin) typeChild(n node) node {
	for c := k.first(n); c != none; c = k.sibling(c) {
		if k.isType(c) {
			return c
		}
	}
	return none
}

// receiver returns the type that a function or property extends, or none.
func (k *kotlin) receiver(n node) node {
	for c := k.first(n); c != none; c = k.sibling(c) {
		if k.nodeField(c) == ktfName {
			return none
		}
		switch k.kind(c) {
		case ktVariable, ktMultiVariable, ktValueParams:
			return none
		}
		if k.isType(c) {
			return c
		}
	}
	return none
}

// returns returns the type after the parameters of a function.
func (k *kotlin) returns(n node) node {
	for c := k.sibling(k.childKind(n, ktValueParams)); c != none; c = k.sibling(c) {
		if k.isType(c) {
			return c
		}
	}
	return none
}

// function reads a function of a file, a class or another function.
func (k *kotlin) function(n node) {
	name, receiver := k.child(n, ktfName), k.receiver(n)
	s := code.Symbol{Kind: code.KindFunction, Params: k.params(k.childKind(n, ktValueParams)), Returns: k.sourceLine(k.returns(n))}
	if !k.inBody && (k.owner >= 0 || receiver != none) {
		s.Kind = code.KindMethod
	}
	if k.inBody {
		k.names.bind(binding{name: k.identifier(name), what: bindNested})
	}
	k.callable(n, name, s, receiver)
}

func (k *kotlin) callable(n, name node, s code.Symbol, receiver node) {
	end := k.bodyStart(n)
	if d := k.childKind(n, ktDelegationCall); d != none {
		end = k.end(k.childKind(n, ktValueParams))
	}
	sym := k.symbol(n, name, s, end)
	saved := k.openBody(sym)
	k.bindGenerics(k.childKind(n, ktTypeParams))
	k.extend(receiver)
	k.childrenBut(n, name)
	if body := k.firstNamed(k.childKind(n, ktBody)); s.Returns == "" && k.kind(body) != ktBlock {
		k.hint(sym, body)
	}
	k.close(saved)
}

// delegationCall reads the call of another constructor in the head of one: this(…) or super(…).
func (k *kotlin) delegationCall(n node) {
	word := k.first(n)
	typ := k.class.own
	if k.str(word) == "super" {
		typ = k.class.parent
	}
	k.callConstructor(word, typ, "")
	k.children(n)
}

// extend makes the receiver of an extension the enclosing class of its body, so that
// this and members are looked up in it.
func (k *kotlin) extend(receiver node) {
	if receiver != none {
		k.class = classScope{name: k.typeName(receiver), super: true}
	}
}

// params returns the parameters of a function or primary constructor.
func (k *kotlin) params(list node) (params []code.Param) {
	mods := none
	for c := k.firstNamed(list); c != none; c = k.nextNamed(c) {
		switch k.kind(c) {
		case ktParamModifiers:
			mods = c
		case ktParameter, ktClassParam:
			p := code.Param{Name: k.identifier(k.childKind(c, ktIdentifier)), Type: k.sourceLine(k.typeChild(c))}
			value := k.assignedValue(c)
			if k.kind(c) == ktClassParam {
				mods = k.modifiers(c)
			} else if eq := k.sibling(c); k.kind(eq) == ktEquals {
				value = k.nextNamed(eq)
			}
			p.Optional, p.Default = value != none, k.sourceLine(value)
			if k.isVararg(mods) {
				p.Type = "vararg " + p.Type
			}
			params, mods = append(params, p), none
		}
	}
	return params
}

func (k *kotlin) isVararg(mods node) bool {
	for c := k.first(mods); c != none; c = k.sibling(c) {
		if k.str(c) == "vararg" {
			return true
		}
	}
	return false
}

// property reads val or var. It is a symbol in a file or class, and a local
// variable elsewhere. Names that are declared together have their own spans.
func (k *kotlin) property(n node) {
	if k.inBody {
		k.localProperty(n)
		return
	}
	kind := code.KindField
	if k.owner < 0 && k.receiver(n) == none {
		kind = code.KindVariable
	}
	if k.hasModifier(n, ktPropModifier, "const") {
		kind = code.KindConstant
	}
	before := k.owner
	v := k.childKind(n, ktVariable)
	sym := k.symbol(n, k.childKind(v, ktIdentifier), code.Symbol{Kind: kind}, k.propertyEnd(n, v))
	k.enter(sym)
	for c := k.firstNamed(k.childKind(n, ktMultiVariable)); c != none; c = k.nextNamed(c) {
		k.symbol(n, k.childKind(c, ktIdentifier), code.Symbol{Kind: kind, Span: k.span(c), Signature: k.sourceLine(c)}, 0)
	}
	saved := k.openBody(-1)
	k.bindGenerics(k.childKind(n, ktTypeParams))
	k.extend(k.receiver(n))
	k.variableParts(n)
	if k.typeChild(v) == none {
		k.hint(sym, k.assignedValue(n))
	}
	k.close(saved)
	k.leave(before)
}

// propertyEnd returns the offset at which a property's signature ends: after its type, or
// after a literal value if there is no type or the property is a constant.
func (k *kotlin) propertyEnd(n, v node) uint32 {
	if value := k.assignedValue(n); k.isLiteral(value) && (k.typeChild(v) == none || k.hasModifier(n, ktPropModifier, "const")) {
		return k.end(value)
	}
	return k.end(v)
}

// isLiteral reports whether n is a literal short enough for a signature.
func (k *kotlin) isLiteral(n node) bool {
	switch k.kind(n) {
	case ktString, ktMultiString, ktChar, ktNumber, ktFloat:
		return k.end(n)-k.start(n) <= 128
	case ktIdentifier:
		switch k.str(n) {
		case "true", "false", "null":
			return true
		}
	case ktUnary:
		return k.isLiteral(k.firstNamed(n))
	}
	return false
}

// variableParts reads a property except the names that it declares.
func (k *kotlin) variableParts(n node) {
	for c := k.first(n); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktVariable, ktMultiVariable:
			k.variableTypes(c)
		default:
			k.walk(c)
		}
	}
}

// variableTypes reads the annotations and types of declared variables.
func (k *kotlin) variableTypes(n node) {
	for c := k.first(n); c != none; c = k.sibling(c) {
		switch {
		case k.kind(c) == ktVariable:
			k.variableTypes(c)
		case k.kind(c) != ktIdentifier:
			k.walk(c)
		}
	}
}

func (k *kotlin) localProperty(n node) {
	v := k.childKind(n, ktVariable)
	typ := k.propertyType(n, v)
	k.variableParts(n)
	if v != none {
		k.bindLocal(k.childKind(v, ktIdentifier), typ)
	}
	k.bindVariables(k.childKind(n, ktMultiVariable))
}

// propertyType returns the type of variable v of property n: the declared type, otherwise
// that of its value.
func (k *kotlin) propertyType(n, v node) string {
	if typ := k.typeChild(v); typ != none {
		return k.declaredType(typ)
	}
	return k.typeOrValue(k.assignedValue(n))
}

func (k *kotlin) typeAlias(n node) {
	name := k.child(n, ktfType)
	saved := k.open(k.symbol(n, name, code.Symbol{Kind: code.KindType}, k.end(n)))
	k.bindGenerics(k.childKind(n, ktTypeParams))
	for c := k.sibling(name); c != none; c = k.sibling(c) {
		k.walk(c)
	}
	k.close(saved)
}

func (k *kotlin) enumEntry(n node) {
	before := k.enter(k.symbol(n, k.childKind(n, ktIdentifier), code.Symbol{Kind: code.KindEnumMember}, k.bodyStart(n)))
	k.walk(k.modifiers(n))
	k.inner(k.childKind(n, ktValueArgs))
	if body := k.childKind(n, ktClassBody); body != none {
		k.anonymous(body, classScope{name: k.class.name, base: k.class.name, super: true})
	}
	k.leave(before)
}

// anonymous reads the body of a class without a name.
func (k *kotlin) anonymous(body node, scope classScope) {
	saved := k.open(-1)
	k.position = position{class: scope, private: true}
	k.bindMembers(body, bindNested)
	k.children(body)
	k.close(saved)
}
