package extract

import "ken/internal/code"

// walk reads any node. It is a switch over the kinds of the grammar; for a kind
// without a case it reads the children.
func (k *kotlin) walk(n node) {
	if k.after(n) == n+1 && !k.isNamed(n) {
		return
	}
	switch k.kind(n) {
	case ktIdentifier:
		if !k.isError(k.parent(n)) {
			k.variable(n, code.RefUse)
		}
	case ktUserType, ktNullable, ktParenType, ktNonNullable:
		k.typeRef(n, code.RefType)
	case ktCall:
		k.call(n)
	case ktNavigation:
		k.access(n, code.RefUse)
	case ktInfix:
		k.infix(n)
	case ktCallableRef:
		k.callableRef(n)
	case ktAnnotation:
		k.annotation(n)
	case ktFileAnnotation, ktCtorInvocation:
		k.constructorCalls(n, code.RefDecorate)
	case ktBlock, ktWhenEntry:
		k.walkScope(n)
	case ktString, ktMultiString:
		k.template(n)
	case ktLambda:
		k.lambda(n)
	case ktLambdaParams:
		k.bindVariables(n)
	case ktAnonymousFun:
		k.anonymousFunction(n)
	case ktValueParams:
		k.valueParams(n)
	case ktFor:
		k.forLoop(n)
	case ktWhenSubject:
		k.whenSubject(n)
	case ktCatch:
		k.catch(n)
	case ktGetter, ktSetter:
		k.accessor(n)
	case ktInit:
		k.inner(k.childKind(n, ktBlock))
	case ktObjectLiteral:
		k.objectLiteral(n)
	case ktValueArg:
		k.argument(n)
	case ktReturn:
		k.returnValue(n)
	case ktTypeParam, ktParameter, ktConstraint:
		k.typedParts(n)
	case ktDelegationCall:
		k.delegationCall(n)
	case ktSuper:
		k.children(n)
	case ktPackage, ktImport, ktLineComment, ktBlockComment, ktThis, ktQualified, ktLabel, ktUseSite:
	default:
		if !k.declaration(n) && !k.genericCall(n) {
			k.children(n)
		}
	}
}

// walkScope reads n's children in a new scope of names.
func (k *kotlin) walkScope(n node) {
	k.names.push()
	k.children(n)
	k.names.pop()
}

// typedParts reads n except the names that it declares.
func (k *kotlin) typedParts(n node) {
	for c := k.first(n); c != none; c = k.sibling(c) {
		if k.kind(c) != ktIdentifier {
			k.walk(c)
		}
	}
}

// bindVariables binds the variables in a list, also those declared as (a, b).
func (k *kotlin) bindVariables(n node) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		switch k.kind(c) {
		case ktMultiVariable:
			k.bindVariables(c)
		case ktVariable:
			k.variableTypes(c)
			k.bindLocal(k.childKind(c, ktIdentifier), k.typeName(k.typeChild(c)))
		}
	}
}

// valueParams binds the parameters of a function in order, because a default value may use earlier ones.
func (k *kotlin) valueParams(n node) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		k.walk(c)
		if k.kind(c) == ktParameter {
			typ := k.declaredType(k.typeChild(c))
			if prev := k.before(n, c); k.kind(prev) == ktParamModifiers && k.isVararg(prev) {
				typ = ""
			}
			k.bindLocal(k.childKind(c, ktIdentifier), typ)
		}
	}
}

// before returns the modifiers of c, a child of parent. They are the node that ends
// directly before c.
func (k *kotlin) before(parent, c node) node {
	for m := c - 1; m > parent; m = k.parent(m) {
		if k.parent(m) == parent {
			return m
		}
	}
	return none
}

func (k *kotlin) anonymousFunction(n node) {
	saved := k.open(-1)
	k.extend(k.receiver(n))
	k.children(n)
	k.close(saved)
}

// forLoop reads for (x in xs) body.
func (k *kotlin) forLoop(n node) {
	k.names.push()
	for c := k.first(n); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktVariable, ktMultiVariable:
			value := k.nextNamed(c)
			k.walk(value)
			if k.kind(c) == ktVariable {
				k.variableTypes(c)
				typ := k.typeName(k.typeChild(c))
				if typ == "" {
					typ = k.asType(after(k.value(value, 0), "[k]"))
				}
				k.bindLocal(k.childKind(c, ktIdentifier), typ)
			}
			k.bindVariables(c)
			c = value
			if c == none {
				k.names.pop()
				return
			}
		default:
			k.walk(c)
		}
	}
	k.names.pop()
}

// whenSubject reads when (val x = y). It binds x for the rest of the enclosing block,
// which is more than the language allows.
func (k *kotlin) whenSubject(n node) {
	v := k.childKind(n, ktVariable)
	typ := ""
	for c := k.first(n); c != none; c = k.sibling(c) {
		if c == v {
			k.variableTypes(c)
			typ = k.typeName(k.typeChild(c))
			continue
		}
		k.walk(c)
		if typ == "" && v != none && k.isNamed(c) {
			typ = k.typeOrValue(c)
		}
	}
	if v != none {
		k.bindLocal(k.childKind(v, ktIdentifier), typ)
	}
}

func (k *kotlin) catch(n node) {
	k.names.push()
	k.bindLocal(k.childKind(n, ktIdentifier), k.typeName(k.typeChild(n)))
	k.typedParts(n)
	k.names.pop()
}

// accessor reads a getter or setter; a setter's parameter is local.
func (k *kotlin) accessor(n node) {
	saved := k.openBody(-1)
	k.bindLocal(k.childKind(n, ktIdentifier), "")
	k.typedParts(n)
	k.close(saved)
}

func (k *kotlin) objectLiteral(n node) {
	k.delegations(k.childKind(n, ktDelegations), none)
	scope := k.classScope(n, "")
	if scope.name = scope.base; scope.name == "" {
		first := k.childKind(k.childKind(n, ktDelegations), ktDelegation)
		scope.name = k.typeName(k.typeChild(first))
	}
	k.anonymous(k.childKind(n, ktClassBody), scope)
}

// argument reads an argument and skips the name of a named one.
func (k *kotlin) argument(n node) {
	if eq := k.childKind(n, ktEquals); eq != none {
		k.namedArgument(n)
		for c := k.sibling(eq); c != none; c = k.sibling(c) {
			k.walk(c)
		}
		return
	}
	k.children(n)
}

// returnValue reads return@label x and skips the label, the only child with a field.
func (k *kotlin) returnValue(n node) {
	labelled := k.first(n) != none && k.end(k.first(n))-k.start(k.first(n)) == uint32(len("return@"))
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if labelled {
			labelled = false
			continue
		}
		k.walk(c)
	}
}

// annotation reads @A, @A(x) and @get:[A B(x)].
func (k *kotlin) annotation(n node) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if k.isType(c) && k.lastName(c) == "Test" {
			k.facts.IsTest = true
		}
	}
	k.constructorCalls(n, code.RefDecorate)
}

// constructorCalls reads the types below n, which construct a value where they are named.
func (k *kotlin) constructorCalls(n node, rk code.RefKind) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		switch {
		case k.kind(c) == ktCtorInvocation:
			k.constructorCalls(c, rk)
		case k.isType(c):
			k.typeRef(c, rk)
		default:
			k.walk(c)
		}
	}
}

// lastName returns the last name of a type written a.b.C<D>.
func (k *kotlin) lastName(n node) (name string) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if k.kind(c) == ktIdentifier {
			name = k.identifier(c)
		}
	}
	return name
}
