package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// walk reads any node. It is a long switch over the kinds of the grammar; for
// a kind without a case it reads the children.
func (j *java) walk(n node) {
	if j.after(n) == n+1 && !j.isNamed(n) {
		return
	}
	switch j.kind(n) {
	case jvIdentifier:
		if !j.isError(j.parent(n)) {
			j.variable(n, code.RefUse)
		}
	case jvTypeIdentifier, jvScopedType, jvGenericType:
		j.typeRef(n, code.RefType)
	case jvInvocation:
		j.invocation(n)
	case jvFieldAccess:
		j.fieldAccess(n, code.RefUse)
	case jvNew:
		j.creation(n)
	case jvMethodReference:
		j.methodReference(n)
	case jvAnnotation, jvMarkerAnnotation:
		j.annotation(n)
	case jvElementPair:
		j.walk(j.child(n, jvfValue))
	case jvBlock, jvConstructorBody:
		j.names.push()
		j.statements(n)
		j.names.pop()
	case jvFor, jvSwitchRule, jvSwitchGroup:
		j.inScope(n)
	case jvSwitch:
		j.switchExpression(n)
	case jvLocalVariable:
		j.localVariable(n)
	case jvEnhancedFor:
		j.enhancedFor(n)
	case jvTryResources:
		j.tryResources(n)
	case jvResource:
		j.resource(n)
	case jvCatch:
		j.catch(n)
	case jvLambda:
		j.lambda(n)
	case jvFormalParameter:
		j.formalParameter(n)
	case jvSpreadParameter:
		j.spreadParameter(n)
	case jvInstanceof:
		j.instanceofTest(n)
	case jvTypePattern, jvRecordComponent:
		j.patternVariable(n)
	case jvRecordPattern:
		j.recordPattern(n)
	case jvTypeParameter:
		j.children(j.childKind(n, jvTypeBound))
	case jvStaticInitializer:
		j.initializer(n)
	case jvClassBody, jvEnumDeclarations:
		j.classBody(n)
	case jvLabeled:
		j.labeledStatement(n)
	case jvModule:
		j.moduleDeclaration(n)
	case jvExplicitConstructor:
		j.delegation(n)
	case jvBreak, jvContinue, jvPackage, jvImport, jvReceiverParameter, jvLineComment, jvBlockComment, jvString,
		jvThis, jvSuper:
	default:
		if !j.declaration(n) {
			j.children(n)
		}
	}
}

// inScope reads n's children in a new scope of names.
func (j *java) inScope(n node) {
	j.names.push()
	j.children(n)
	j.names.pop()
}

// classBody reads the members of a class. A block among them is an initializer.
func (j *java) classBody(n node) {
	for c := j.first(n); c != none; c = j.sibling(c) {
		if j.kind(c) == jvBlock {
			j.initializer(c)
		} else {
			j.walk(c)
		}
	}
}

func (j *java) initializer(n node) {
	saved := j.openBody(-1)
	j.children(n)
	j.close(saved)
}

func (j *java) bindLocal(n node, typ, expr string) {
	if name := j.str(n); name != "" && j.kind(n) == jvIdentifier {
		j.names.bind(binding{name: name, what: bindLocal, typ: typ, expr: expr})
	}
}

func (j *java) localVariable(n node) {
	typ := j.child(n, jvfType)
	name, expr := j.typeName(typ), j.typeExpr(typ)
	for c := j.first(n); c != none; c = j.sibling(c) {
		if j.kind(c) != jvDeclarator {
			j.walk(c)
			continue
		}
		value := j.child(c, jvfValue)
		if name == "var" {
			j.bindLocal(j.child(c, jvfName), j.valueType(value), j.value(value))
		} else {
			j.bindLocal(j.child(c, jvfName), name, j.withDimensions(expr, c))
		}
		j.walk(value)
	}
}

// variableType returns the type of a variable declared as typ, or "" for var.
func (j *java) variableType(typ node) string {
	if name := j.typeName(typ); name != "var" {
		return name
	}
	return ""
}

func (j *java) enhancedFor(n node) {
	j.names.push()
	j.walk(j.modifiers(n))
	j.walk(j.child(n, jvfType))
	j.walk(j.child(n, jvfValue))
	typ, expr := j.child(n, jvfType), ""
	if expr = j.typeExpr(typ); expr == "" {
		expr = after(j.value(j.child(n, jvfValue)), "[]")
	}
	j.bindLocal(j.child(n, jvfName), j.variableType(typ), expr)
	j.walk(j.child(n, jvfBody))
	j.names.pop()
}

// tryResources reads a try with resources. These variables are not visible in the catch and finally clauses.
func (j *java) tryResources(n node) {
	j.names.push()
	j.walk(j.child(n, jvfResources))
	j.walk(j.child(n, jvfBody))
	j.names.pop()
	for c := j.sibling(j.child(n, jvfBody)); c != none; c = j.sibling(c) {
		j.walk(c)
	}
}

func (j *java) resource(n node) {
	typ := j.child(n, jvfType)
	if typ == none { // a variable declared before
		j.children(n)
		return
	}
	j.walk(j.modifiers(n))
	j.walk(typ)
	value := j.child(n, jvfValue)
	j.walk(value)
	name := j.variableType(typ)
	expr := j.typeExpr(typ)
	if name == "" {
		name, expr = j.valueType(value), j.value(value)
	}
	j.bindLocal(j.child(n, jvfName), name, expr)
}

func (j *java) catch(n node) {
	j.names.push()
	p := j.childKind(n, jvCatchParameter)
	typ := j.childKind(p, jvCatchType)
	j.walk(j.modifiers(p))
	j.walk(typ)
	name, expr := "", ""
	if first := j.firstNamed(typ); j.nextNamed(first) == none {
		name, expr = j.typeName(first), j.typeExpr(first)
	}
	j.bindLocal(j.child(p, jvfName), name, expr)
	j.walk(j.child(n, jvfBody))
	j.names.pop()
}

func (j *java) lambda(n node) {
	j.names.push()
	params := j.child(n, jvfParameters)
	j.bindLambda(n)
	if k := j.kind(params); k != jvIdentifier && k != jvInferredParameters {
		j.walk(params)
	}
	j.walk(j.child(n, jvfBody))
	j.names.pop()
}

func (j *java) formalParameter(n node) {
	typ := j.child(n, jvfType)
	j.walk(j.modifiers(n))
	j.walk(typ)
	name := j.variableType(typ)
	if j.child(n, jvfDimensions) != none {
		name = ""
	}
	j.bindLocal(j.child(n, jvfName), name, j.withDimensions(j.typeExpr(typ), n))
}

// spreadParameter reads a parameter `T... x`, which is an array.
func (j *java) spreadParameter(n node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if j.kind(c) == jvDeclarator {
			j.bindLocal(j.child(c, jvfName), "", j.arrayExpr(j.typeExpr(j.spreadType(n)), 1))
		} else {
			j.walk(c)
		}
	}
}

// instanceofTest binds the variable of x instanceof T v for the rest of the block. Its true
// scope depends on the flow of control, which is not followed.
func (j *java) instanceofTest(n node) {
	j.walk(j.child(n, jvfLeft))
	j.walk(j.child(n, jvfPattern))
	typ := j.child(n, jvfRight)
	j.walk(typ)
	j.bindLocal(j.child(n, jvfName), j.typeName(typ), j.typeExpr(typ))
}

// patternVariable reads T v in a pattern, which declares v.
func (j *java) patternVariable(n node) {
	name, expr := "", ""
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if j.kind(c) == jvIdentifier {
			j.bindLocal(c, name, expr)
			continue
		}
		j.walk(c)
		name, expr = j.variableType(c), j.typeExpr(c)
	}
}

func (j *java) recordPattern(n node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if j.kind(c) == jvIdentifier {
			j.nameRef(c, code.RefType)
		} else {
			j.walk(c)
		}
	}
}

// labeledStatement reads a statement and skips its label.
func (j *java) labeledStatement(n node) {
	label := j.firstNamed(n)
	for c := j.nextNamed(label); c != none; c = j.nextNamed(c) {
		j.walk(c)
	}
}

// switchExpression reads a switch. A plain name after case that the file does
// not declare is a constant of the enum over which the switch runs.
func (j *java) switchExpression(n node) {
	j.walk(j.child(n, jvfCondition))
	typ := j.receiver(j.child(n, jvfCondition), j.valueType(j.child(n, jvfCondition)))
	j.names.push()
	for c := j.first(j.child(n, jvfBody)); c != none; c = j.sibling(c) {
		j.names.push()
		for d := j.first(c); d != none; d = j.sibling(d) {
			if j.kind(d) == jvSwitchLabel {
				j.switchLabel(d, typ)
			} else {
				j.walk(d)
			}
		}
		j.names.pop()
	}
	j.names.pop()
}

// isEnumLabel reports whether a name after case is a constant of the selector's enum:
// one that the file binds to a value of another type cannot be a label itself.
func (j *java) isEnumLabel(b *binding, typ string) bool {
	switch name := strings.TrimPrefix(typ, code.RecvExpr); {
	case builtin.IsPrimitive(name), name == "Integer", name == "Character", name == "Short", name == "Byte":
		return false
	case b.is(bindImport): // a type, or a constant that is no enum's
		return typ != ""
	}
	if b == nil || typ == "" || !b.is(bindNested) {
		return b == nil
	}
	return b.expr != "" && !builtin.IsPrimitive(b.expr)
}

func (j *java) switchLabel(n node, typ string) {
	for c := j.first(n); c != none; c = j.sibling(c) {
		if j.kind(c) == jvIdentifier && j.isEnumLabel(j.names.lookup(j.str(c)), typ) {
			j.member(c, code.RefUse, qual{qualValue, typ, -1})
		} else {
			j.walk(c)
		}
	}
}

// creation reads new T(…) { … }, which is a call of T.
func (j *java) creation(n node) {
	typ := j.child(n, jvfType)
	for c := j.first(n); c != none; c = j.sibling(c) {
		switch {
		case c == typ:
			from := len(j.facts.Refs)
			j.typeRef(c, code.RefCall)
			j.passes(j.lastName(c), j.child(n, jvfArguments), from)
		case j.kind(c) == jvClassBody:
			j.anonymous(c, j.typeName(typ), j.typeExpr(typ))
		default:
			j.walk(c)
		}
	}
}

// delegation reads this(…) and super(…), which call another constructor.
func (j *java) delegation(n node) {
	args := j.child(n, jvfArguments)
	j.walk(j.child(n, jvfTypeArguments))
	word := none
	for c := j.first(n); c != args && c != none; c = j.sibling(c) {
		if k := j.kind(c); k == jvThis || k == jvSuper {
			word = c
		}
	}
	typ := j.class.own
	if j.kind(word) == jvSuper {
		typ = j.class.parent
	}
	j.callConstructor(word, typ, j.args(args))
	j.walk(args)
}

// methodReference reads x::f and T::new.
func (j *java) methodReference(n node) {
	object := j.firstNamed(n)
	if object == none {
		object = j.first(n) // this, super
	}
	last := object
	for c := j.first(n); c != none; c = j.sibling(c) {
		if j.kind(c) == jvTypeArguments {
			j.walk(c)
		}
		last = c
	}
	switch {
	case j.kind(last) == jvNewWord:
		j.typeOrValue(object)
	case last != object && j.kind(last) == jvIdentifier:
		j.member(last, code.RefUse, j.typeOrValue(object))
	default:
		j.walk(object)
	}
}

// typeOrValue is like qualifier, for a node that may also be a type.
func (j *java) typeOrValue(n node) qual {
	switch j.kind(n) {
	case jvTypeIdentifier, jvScopedType, jvGenericType, jvArrayType:
		j.walk(n)
		return j.namedType(n)
	}
	return j.qualifier(n)
}

// namedType returns the qualifier that the name of a type is.
func (j *java) namedType(n node) qual {
	name := j.typeName(n)
	if j.kind(n) == jvScopedIdentifier { // of an annotation
		name = j.scopedName(n)
	}
	if b := j.names.lookup(name); b.is(bindImport) {
		return qual{qualType, name, b.imp}
	}
	return qual{qualType, name, -1}
}

func (j *java) annotation(n node) {
	name := j.child(n, jvfName)
	switch j.str(name) {
	case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory":
		j.facts.IsTest = true
	}
	j.typeRef(name, code.RefDecorate)
	typ := j.namedType(name)
	for c := j.firstNamed(j.child(n, jvfArguments)); c != none; c = j.nextNamed(c) {
		if j.kind(c) == jvElementPair && typ.path != "" {
			j.member(j.firstNamed(c), code.RefUse, typ)
		}
		j.walk(c)
	}
}

// moduleDeclaration reads the services that a module uses or provides.
func (j *java) moduleDeclaration(n node) {
	for c := n + 1; c < j.after(n); c++ {
		if j.kind(c) != jvScopedIdentifier || j.kind(j.parent(c)) == jvScopedIdentifier {
			continue
		}
		if name := j.child(c, jvfName); lexical.IsUpper(j.str(name)) {
			j.scopedType(c, code.RefUse)
		}
	}
}

// valueType returns the name of an expression's type where the file shows it: a declared
// variable or field, new T(), (T) x.
func (j *java) valueType(n node) string {
	for j.kind(n) == jvParenthesized {
		n = j.firstNamed(n)
	}
	switch j.kind(n) {
	case jvNew, jvCast:
		return j.typeName(j.child(n, jvfType))
	case jvThis:
		return j.class.name
	case jvIdentifier:
		if b := j.names.lookup(j.str(n)); b != nil && !b.isType {
			return b.typ
		}
	case jvFieldAccess:
		if j.kind(j.child(n, jvfObject)) == jvThis {
			return j.fields[classMember{j.class.name, j.fieldStr(n, jvfField)}]
		}
	case jvString:
		return "String"
	}
	return ""
}
