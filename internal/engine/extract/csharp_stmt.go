package extract

import (
	"strings"

	"ken/internal/code"
)

func (c *csharp) children(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		c.walkPart(d)
	}
}

// walkPart reads n, as a type if it is in a field of its parent that holds one.
func (c *csharp) walkPart(n node) {
	if f := c.nodeField(n); f == csfType || f == csfReturns {
		c.typeRef(n, code.RefType)
	} else {
		c.walk(n)
	}
}

// walk reads any node. It is a long switch over the kinds of the grammar; for
// a kind without a case it reads the children.
func (c *csharp) walk(n node) {
	if c.after(n) == n+1 && !c.isNamed(n) {
		return
	}
	switch c.kind(n) {
	case csIdentifier:
		if !c.isError(c.parent(n)) {
			c.variable(n, code.RefUse)
		}
	case csQualifiedName, csAliasQualified, csNullable, csArray, csPointer, csRefType, csScopedType, csTuple:
		c.typeRef(n, code.RefType)
	case csGenericName:
		c.genericName(n)
	case csTypeArguments:
		for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
			c.typeRef(d, code.RefType)
		}
	case csInvocation:
		c.invocation(n)
	case csMemberAccess, csConditionalAccess:
		c.memberAccess(n, code.RefUse)
	case csMemberBinding:
		c.member(c.child(n, csfName), code.RefUse, csQual{kind: csQualValue})
	case csNew:
		c.creation(n)
	case csImplicitNew:
		c.implicitNew(n, "")
	case csReturn, csArrow:
		if value := c.firstNamed(n); c.kind(value) == csImplicitNew {
			c.implicitNew(value, c.returns)
		} else {
			c.children(n)
		}
	case csAssignment:
		if right := c.child(n, csfRight); c.kind(right) == csImplicitNew {
			c.walk(c.child(n, csfLeft))
			c.implicitNew(right, c.valueType(c.child(n, csfLeft)))
		} else {
			c.children(n)
		}
	case csAnonymousNew:
		c.anonymousNew(n)
	case csInitializer:
		c.objectInitializer(n, "")
	case csWith:
		c.withExpression(n)
	case csAttribute:
		c.attribute(n)
	case csAttributeArgument:
		c.attributeArgument(n)
	case csArgument:
		c.argument(n)
	case csBlock, csGlobalStatement:
		c.block(n)
	case csFor, csUsingStatement, csFixed, csSwitchSection, csSwitchArm, csQuery:
		c.inScope(n)
	case csDeclaration:
		c.variables(n)
	case csDeclarator:
		c.declarator(n, "", "", true)
	case csForeach:
		c.foreach(n)
	case csCatch:
		c.inScope(n)
	case csLambda, csAnonymousMethod:
		c.lambda(n, nil)
	case csLocalFunction:
		if c.isMisreadMember(n) {
			c.misreadMember(n)
		} else {
			c.localFunction(n)
		}
	case csLocalDeclaration:
		if c.isMisreadMember(n) {
			c.misreadMember(n)
		} else {
			c.children(n)
		}
	case csParameters, csBracketParameters:
		c.parameters(n)
	case csParameter:
		c.parameter(n)
	case csImplicitParameter:
		c.bindLocal(n, "")
	case csTypeParameter:
		c.attributes(n)
	case csConstraints:
		for d := c.nextNamed(c.firstNamed(n)); d != none; d = c.nextNamed(d) {
			c.typeRef(c.child(d, csfType), code.RefType)
		}
	case csCatchDeclaration, csDeclarationExpression, csDeclarationPattern, csRecursivePattern, csTypePattern, csAs, csIs,
		csCast, csTypeof:
		c.typedName(n)
	case csVarPattern, csListPattern, csDesignation, csTuplePattern, csFrom, csJoin, csJoinInto, csLet:
		c.designations(n)
	case csConstantPattern:
		c.constantPattern(n)
	case csSubpattern:
		c.subpattern(n, "")
	case csNamespace:
		c.walk(c.child(n, csfBody))
	case csPreprocIf, csPreprocElif:
		c.conditional(n)
	case csLabeled:
		c.labeledStatement(n)
	case csExplicit:
		c.typeRef(c.firstNamed(n), code.RefType)
	case csConstructorInit:
		c.constructorInitializer(n)
	case csUsing, csExternAlias, csFileNamespace, csGoto, csComment, csString, csVerbatimString, csRawString,
		csAttributeTarget, csModifier:
	default:
		switch {
		case c.declaration(n):
		case c.isError(n):
			c.errorNode(n)
		default:
			c.children(n)
		}
	}
}

// inScope reads n's children in a new scope of names.
func (c *csharp) inScope(n node) {
	c.names.push()
	c.children(n)
	c.names.pop()
}

// conditional reads both branches of an #if, but not its condition.
func (c *csharp) conditional(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.nodeField(d) != csfCondition {
			c.walk(d)
		}
	}
}

// block reads a block. Its local functions are in scope in all of it. Statements
// outside of types share one scope.
func (c *csharp) block(n node) {
	inBody := c.inBody
	c.inBody = true
	if c.kind(n) == csGlobalStatement {
		c.children(n)
	} else {
		c.names.push()
		c.bindLocalFunctions(n)
		c.children(n)
		c.names.pop()
	}
	c.inBody = inBody
}

// bindLocalFunctions binds the local functions of a block, or of the file.
func (c *csharp) bindLocalFunctions(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		f := d
		if c.kind(d) == csGlobalStatement {
			f = c.firstNamed(d)
		}
		if c.kind(f) == csLocalFunction {
			c.bindLocal(c.child(f, csfName), "")
		}
	}
}

func (c *csharp) bindLocal(n node, typ string) { c.bindCollection(n, typ, "") }

// bindCollection binds a local variable whose elements have the type elem, if that is known.
func (c *csharp) bindCollection(n node, typ, elem string) {
	if name := c.identifier(n); name != "" && name != "_" {
		c.names.bind(binding{name: name, what: bindLocal, typ: typ, expr: elem})
	}
}

// variableType returns the type of a variable declared as n, or "" for var.
func (c *csharp) variableType(n node) string {
	if c.kind(n) == csImplicitType {
		return ""
	}
	return c.typeName(n)
}

// variables reads a declaration of variables: T a = x, b = y.
func (c *csharp) variables(n node) {
	typ := c.child(n, csfType)
	c.typeRef(typ, code.RefType)
	name := c.variableType(typ)
	for d := c.sibling(typ); d != none; d = c.sibling(d) {
		if c.kind(d) == csDeclarator {
			c.declarator(d, name, c.declaredElement(typ), true)
		}
	}
}

// declarator reads x = value in a declaration of type typ, with elements of type elem. It binds x if it is a local variable.
func (c *csharp) declarator(n node, typ, elem string, local bool) {
	name, value := c.child(n, csfName), c.initializer(n)
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch {
		case d == name:
		case d == value && c.kind(d) == csImplicitNew:
			c.implicitNew(d, typ)
		case d == value && c.kind(d) == csLambda:
			c.lambda(d, c.delegateParams(c.child(c.parent(n), csfType)))
		default:
			c.walk(d)
		}
	}
	if local && name != none {
		if typ == "" && elem == "" {
			typ, elem = c.valueType(value), c.element(value)
		}
		c.bindCollection(name, typ, elem)
	}
}

func (c *csharp) foreach(n node) {
	c.names.push()
	typ, left := c.child(n, csfType), c.child(n, csfLeft)
	c.walk(c.child(n, csfRight))
	c.typeRef(typ, code.RefType)
	if c.kind(left) == csIdentifier {
		name := c.variableType(typ)
		if elem := c.element(c.child(n, csfRight)); c.kind(typ) == csImplicitType && !strings.HasPrefix(elem, csMapValues) {
			name = elem
		}
		c.bindCollection(left, name, c.declaredElement(typ))
	} else {
		c.walk(left)
	}
	c.walk(c.child(n, csfBody))
	c.names.pop()
}

// lambda reads x => y and delegate (x) { … }, whose parameters have the types that are known of the place it stands in.
func (c *csharp) lambda(n node, types []string) {
	c.names.push()
	returns := c.returns
	c.returns = ""
	at := 0
	take := func() (typ string) {
		if at < len(types) {
			typ = types[at]
		}
		at++
		return typ
	}
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch c.kind(d) {
		case csImplicitParameter:
			c.bindLocal(d, take())
		case csParameters:
			c.walk(d)
			for p := c.firstNamed(d); p != none; p = c.nextNamed(p) {
				if typ := take(); c.kind(p) == csParameter && c.child(p, csfType) == none && typ != "" {
					c.bindLocal(c.child(p, csfName), typ)
				}
			}
		default:
			c.walkPart(d)
		}
	}
	c.names.pop()
	c.returns = returns
}

// delegateParams returns the types of the parameters of a delegate of the language: Func<A, B, C> takes A and B.
func (c *csharp) delegateParams(n node) (types []string) {
	for c.kind(n) == csQualifiedName {
		n = c.child(n, csfName)
	}
	if c.kind(n) != csGenericName {
		return nil
	}
	name := c.nameText(n)
	switch name {
	case "Func", "Action", "Predicate", "Comparison", "Converter", "EventHandler":
	default:
		return nil
	}
	for d := c.firstNamed(c.childKind(n, csTypeArguments)); d != none; d = c.nextNamed(d) {
		types = append(types, c.typeName(d))
	}
	switch name {
	case "Func", "Converter":
		types = types[:max(len(types)-1, 0)] // the last is the result
	case "Comparison":
		types = append(types, types...)
	case "EventHandler":
		types = append([]string{""}, types...) // after the sender
	}
	return types
}

func (c *csharp) localFunction(n node) {
	c.names.push()
	c.bindGenerics(n)
	name, returns := c.child(n, csfName), c.returns
	c.returns = c.madeType(c.child(n, csfType))
	for d := c.first(n); d != none; d = c.sibling(d) {
		if d != name {
			c.walkPart(d)
		}
	}
	c.names.pop()
	c.returns = returns
}

// parameters reads a parameter list. The type and name of `params T[] x` are children
// of the list itself.
func (c *csharp) parameters(n node) {
	var typ node
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch c.nodeField(d) {
		case csfType:
			typ = d
			c.typeRef(d, code.RefType)
		case csfName:
			c.bindCollection(d, c.typeName(typ), c.declaredElement(typ))
		default:
			c.walk(d)
		}
	}
}

func (c *csharp) parameter(n node) {
	name, typ := c.child(n, csfName), c.child(n, csfType)
	c.attributes(n)
	c.typeRef(typ, code.RefType)
	c.walk(c.initializer(n))
	c.bindCollection(name, c.variableType(typ), c.declaredElement(typ))
}

// typedName reads nodes that have a type and may declare a variable of it: catch (T
// e), out T x, x is T y, (T)x, T { A: 1 } y.
func (c *csharp) typedName(n node) {
	typ, right := c.child(n, csfType), none
	if k := c.kind(n); k == csAs || k == csIs {
		right = c.child(n, csfRight)
		typ = right
	}
	name := c.variableType(typ)
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch {
		case d == typ:
			c.typeRef(d, code.RefType)
		case c.nodeField(d) == csfName && c.kind(d) == csIdentifier:
			c.bindLocal(d, name)
		case c.kind(d) == csPropertyPatterns:
			c.propertyPatterns(d, name)
		default:
			c.walk(d)
		}
	}
}

// designations reads patterns and clauses in which plain names are declared.
func (c *csharp) designations(n node) {
	clause := false
	switch c.kind(n) {
	case csFrom, csJoin, csJoinInto, csLet:
		clause = true
	}
	typ, bound := c.child(n, csfType), none
	for d := c.first(n); d != none; d = c.sibling(d) {
		switch {
		case d == typ:
			c.typeRef(d, code.RefType)
		case c.kind(d) == csIdentifier && (!clause || bound == none):
			bound = d
		default:
			c.walk(d)
			continue
		}
		if d == bound && !clause {
			c.bindLocal(d, "")
		}
	}
	if clause && bound != none { // in scope after the clause
		c.bindLocal(bound, c.variableType(typ))
	}
}

// constantPattern reads a constant in a pattern. A name that the file does not
// declare is taken for a type, which it often is.
func (c *csharp) constantPattern(n node) {
	d := c.firstNamed(n)
	switch {
	case c.kind(d) != csIdentifier:
		c.walk(d)
	case c.names.lookup(c.identifier(d)) == nil:
		c.ref(d, code.Ref{Name: c.identifier(d), Kind: code.RefType, Via: code.ViaBare})
	default:
		c.variable(d, code.RefUse)
	}
}

func (c *csharp) propertyPatterns(n node, typ string) {
	for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
		if c.kind(d) == csSubpattern {
			c.subpattern(d, typ)
		} else {
			c.walk(d)
		}
	}
}

// subpattern reads `Name: pattern`, in which Name is a member of typ.
func (c *csharp) subpattern(n node, typ string) {
	name := c.firstNamed(n)
	if c.kind(name) == csIdentifier && c.nextNamed(name) != none {
		c.member(name, code.RefUse, csQual{kind: csQualValue, path: typ})
		name = c.nextNamed(name)
	}
	for d := name; d != none; d = c.nextNamed(d) {
		c.walk(d)
	}
}

// labeledStatement reads a statement and skips its label.
func (c *csharp) labeledStatement(n node) {
	for d := c.nextNamed(c.firstNamed(n)); d != none; d = c.nextNamed(d) {
		c.walk(d)
	}
}
