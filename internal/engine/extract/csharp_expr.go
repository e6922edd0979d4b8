package extract

import (
	"cmp"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// variable records a reference to a plain name that is used as a value or called.
func (c *csharp) variable(n node, k code.RefKind) {
	name := c.identifier(n)
	b := c.names.lookup(name)
	switch {
	case b == nil && c.unboundIsMember():
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaSelf, Recv: c.class.name})
	case b == nil, b.is(bindTop):
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	default:
		c.boundRef(n, name, b, k)
	}
}

// unboundIsMember reports whether a name that the file does not declare must be a
// member that the type inherits or has in another file. It is false if a `using
// static` could declare the name instead.
func (c *csharp) unboundIsMember() bool { return c.class.name != "" && !c.usingStatic }

// boundRef records a reference to a name whose declaration in the file is b.
func (c *csharp) boundRef(n node, name string, b *binding, k code.RefKind) {
	switch b.what {
	case bindNested:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	case bindImport:
		c.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
	}
}

// genericName reads F<T> where it is a value, such as a called function.
func (c *csharp) genericName(n node) {
	if id := c.firstNamed(n); c.kind(id) == csIdentifier {
		c.variable(id, code.RefUse)
	}
	c.walk(c.childKind(n, csTypeArguments))
}

// simpleName returns the identifier of a simple name. It records references to the type arguments of the name.
func (c *csharp) simpleName(n node) node {
	if c.kind(n) != csGenericName {
		return n
	}
	c.walk(c.childKind(n, csTypeArguments))
	return c.firstNamed(n)
}

// invocation reads the calls f(…) and x.f(…).
func (c *csharp) invocation(n node) {
	f := c.child(n, csfFunction)
	switch c.kind(f) {
	case csIdentifier, csGenericName:
		id := c.simpleName(f)
		if c.identifier(id) == "nameof" {
			c.nameof(c.child(n, csfArguments))
			return
		}
		c.bareCall(id)
	case csMemberAccess, csConditionalAccess:
		c.memberAccess(f, code.RefCall)
	default:
		c.walk(f)
	}
	c.elementArguments(f, c.child(n, csfArguments))
}

// nameof reads the argument of nameof, which may be a type or a value.
func (c *csharp) nameof(n node) {
	for a := c.firstNamed(n); a != none; a = c.nextNamed(a) {
		if d := c.firstNamed(a); c.kind(d) == csIdentifier && c.names.lookup(c.identifier(d)) == nil {
			c.ref(d, code.Ref{Name: c.identifier(d), Kind: code.RefUse, Via: code.ViaBare})
		} else {
			c.walk(a)
		}
	}
}

// bareCall reads the name in a call f(…). It is a method of an enclosing type,
// an inherited one, or one in another part of the type.
func (c *csharp) bareCall(n node) {
	switch name := c.identifier(n); name {
	case "GetType", "MemberwiseClone", "ReferenceEquals": // every object has these
		if c.names.lookup(name) == nil {
			return
		}
	}
	c.variable(n, code.RefCall)
}

// memberAccess reads x.f and x?.f, and returns the meaning of the whole if another dot follows.
func (c *csharp) memberAccess(n node, k code.RefKind) csQual {
	if c.kind(n) == csConditionalAccess {
		q := c.conditionalQualifier(c.child(n, csfCondition))
		for d := c.sibling(c.child(n, csfCondition)); d != none; d = c.sibling(d) {
			if c.kind(d) == csMemberBinding {
				id := c.simpleName(c.child(d, csfName))
				c.member(id, k, q)
				return c.memberValue(q, id)
			}
			c.walk(d)
		}
		return csQual{kind: csQualValue}
	}
	q := c.qualifier(c.child(n, csfExpression))
	return c.nextSegment(q, c.child(n, csfName), k)
}

// conditionalQualifier is like qualifier, for the expression in front of ?., which cannot be a type.
func (c *csharp) conditionalQualifier(n node) csQual {
	if c.kind(n) == csIdentifier && c.names.lookup(c.identifier(n)) == nil {
		c.variable(n, code.RefUse)
		return csQual{kind: csQualValue, path: c.ownMember(c.identifier(n))}
	}
	return c.qualifier(n)
}

// memberValue returns the meaning of q.id as a value. Its type is known if the file declares it, or that of what is in front.
func (c *csharp) memberValue(q csQual, id node) csQual {
	if q.kind == csQualBuiltin {
		return q
	}
	name := c.identifier(id)
	if q.kind == csQualValue || q.kind == csQualSelf {
		if typ := c.fields[csMember{q.path, name}]; typ == "" && q.path != "" {
			return csQual{kind: csQualValue, path: chained(q.path, name)}
		}
	}
	if space := cmp.Or(q.space, q.path); lexical.IsUpper(name) && (q.kind == csQualType || q.space != "") && len(space) < maxDotted {
		q.kind, q.path, q.space = csQualValue, c.fields[csMember{q.path, name}], space+"."+name
		return q
	}
	return csQual{kind: csQualValue, path: c.fields[csMember{q.path, name}]}
}

// qualifier reads the expression in front of a dot, records its references and returns its meaning.
func (c *csharp) qualifier(n node) csQual {
	switch c.kind(n) {
	case csThis:
		return csQual{kind: csQualSelf, path: c.class.name}
	case csBase:
		if c.class.base != "" {
			return csQual{kind: csQualSelf, path: c.class.base}
		}
		return csQual{kind: csQualSelf, path: c.class.name}
	case csPredefined:
		return csQual{kind: csQualBuiltin}
	case csIdentifier:
		return c.qualifierName(n)
	case csGenericName, csQualifiedName:
		return c.typeSegments(n, code.RefType)
	case csAliasQualified:
		if c.fieldStr(n, csfAlias) == "global" {
			return c.nextSegment(csQual{kind: csQualSpace}, c.child(n, csfName), code.RefType)
		}
		return c.typeSegments(n, code.RefType)
	case csMemberAccess, csConditionalAccess:
		return c.memberAccess(n, code.RefUse)
	}
	typ := c.valueType(n)
	c.walk(n)
	return csQual{kind: csQualValue, path: typ}
}

// qualifierName decides whether a name in front of a dot is a variable, a type or a
// namespace, by its declaration in the file. A capitalised name without one is a type,
// or a property that the type inherits.
func (c *csharp) qualifierName(n node) csQual {
	name := c.identifier(n)
	b := c.names.lookup(name)
	switch {
	case b != nil && b.isType:
		return c.typeByName(n, name, code.RefType, b)
	case b != nil:
		typ := b.typ
		c.boundRef(n, name, b, code.RefUse)
		return csQual{kind: csQualValue, path: typ}
	case c.namespaces[name]:
		return csQual{kind: csQualSpace, path: name}
	case lexical.IsUpper(name):
		c.ref(n, code.Ref{Name: name, Kind: code.RefType, Via: code.ViaBare})
		return csQual{kind: csQualType, path: name}
	}
	c.variable(n, code.RefUse)
	if typ := c.ownMember(name); typ != "" {
		return csQual{kind: csQualValue, path: typ}
	}
	return csQual{kind: csQualValue, space: name} // it may be a type with a name in small letters
}

// nextSegment returns the meaning of q.n in an expression, and records a reference of kind k.
// A name is taken for a namespace as long as the file's usings and namespaces contain
// it; the next segment is a type.
func (c *csharp) nextSegment(q csQual, n node, k code.RefKind) csQual {
	id := c.simpleName(n)
	if q.kind != csQualSpace {
		c.member(id, k, q)
		return c.memberValue(q, id)
	}
	name := c.identifier(id)
	spec := joinDots(q.path, name)
	if c.namespaces[spec] || q.path == "" && c.kind(c.parent(c.parent(n))) == csMemberAccess {
		return csQual{kind: csQualSpace, path: spec}
	}
	c.ref(id, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: c.pathImport(spec, name, c.line(id))})
	return csQual{kind: csQualType, path: spec}
}

// creation reads new T(…) { … }, which is a call of T.
func (c *csharp) creation(n node) {
	typ := c.child(n, csfType)
	c.typeRef(typ, code.RefCall)
	for a := c.firstNamed(c.child(n, csfArguments)); a != none; a = c.nextNamed(a) {
		if name := c.child(a, csfName); lexical.IsUpper(c.identifier(name)) { // a parameter of a record, which is a member
			c.member(name, code.RefUse, csQual{kind: csQualValue, path: c.typeName(typ)})
		}
	}
	for d := c.sibling(typ); d != none; d = c.sibling(d) {
		if c.kind(d) == csInitializer {
			c.objectInitializer(d, c.typeName(typ))
		} else {
			c.walk(d)
		}
	}
}

// constructorInitializer reads : this(…) and : base(…), which call another constructor.
func (c *csharp) constructorInitializer(n node) {
	if word := c.childKind(n, csThis); word != none {
		c.callConstructor(word, c.class.own, "")
	} else {
		c.callConstructor(c.childKind(n, csBase), c.class.parent, "")
	}
	c.walk(c.childKind(n, csArguments))
}

// implicitNew reads new(…) { … }, where typ is the type of the variable that takes the value.
func (c *csharp) implicitNew(n node, typ string) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csInitializer {
			c.objectInitializer(d, typ)
		} else {
			c.walk(d)
		}
	}
}

// objectInitializer reads { A = 1, B = { C = 2 } }, whose names are members of
// typ, or a list of elements.
func (c *csharp) objectInitializer(n node, typ string) {
	ofObject := false
	switch c.kind(c.parent(n)) {
	case csNew, csImplicitNew, csAssignment:
		ofObject = true
	}
	for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
		left := c.child(d, csfLeft)
		if !ofObject || c.kind(d) != csAssignment || c.kind(left) != csIdentifier {
			c.walk(d)
			continue
		}
		c.member(left, code.RefUse, csQual{kind: csQualValue, path: typ})
		c.walk(c.child(d, csfRight))
	}
}

// anonymousNew reads new { A = x, y.B }, a value of a type without a name.
func (c *csharp) anonymousNew(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csIdentifier && c.kind(c.sibling(d)) == csEqual {
			continue
		}
		c.walk(d)
	}
}

// withExpression reads x with { A = 1 }, a changed copy of x.
func (c *csharp) withExpression(n node) {
	typ := c.valueType(c.firstNamed(n))
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) != csWithInitializer {
			c.walk(d)
			continue
		}
		name := c.firstNamed(d)
		c.member(name, code.RefUse, csQual{kind: csQualValue, path: typ})
		c.walk(c.nextNamed(name))
	}
}

// argument reads the value of an argument and skips the name of a named argument.
func (c *csharp) argument(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.nodeField(d) != csfName {
			c.walk(d)
		}
	}
}

// attributeArgument reads the value of an attribute's argument and the member before its =, and skips the name before a colon, for
// which the grammar has no field.
func (c *csharp) attributeArgument(n node) {
	value := c.firstNamed(n)
	if c.kind(value) == csAssignment && c.kind(c.child(value, csfLeft)) == csIdentifier {
		c.member(c.child(value, csfLeft), code.RefUse, csQual{kind: csQualType, path: c.attributed})
		value = c.child(value, csfRight)
	} else if next := c.nextNamed(value); next != none {
		value = next
	}
	c.walk(value)
}

// valueType returns the type of an expression as Ref.Recv, "" if nothing is known. It knows declared variables and members, new T(),
// (T)x, x as T, and members of what it knows.
func (c *csharp) valueType(n node) string { return c.chainType(n, 0) }

// chainType is valueType for an expression in front of a number of steps of a chain, because each step asks for all in front of it.
func (c *csharp) chainType(n node, steps int) string {
	if steps > maxChainSteps {
		return ""
	}
	for {
		switch c.kind(n) {
		case csAwait:
			return chained(c.chainType(c.firstNamed(n), steps+1), "await")
		case csParenthesized, csPostfix:
			n = c.firstNamed(n)
			continue
		case csBinary: // x is T && y?.f: the grammar takes all of it for the operand of ?.
			n = c.child(n, csfRight)
			continue
		}
		break
	}
	switch c.kind(n) {
	case csNew, csCast:
		return c.typeName(c.child(n, csfType))
	case csAs:
		return c.typeName(c.child(n, csfRight))
	case csThis:
		return c.class.name
	case csIdentifier:
		switch b := c.names.lookup(c.identifier(n)); {
		case b == nil:
			return c.ownMember(c.identifier(n))
		case !b.isType:
			return b.typ
		}
	case csMemberAccess:
		of := c.chainType(c.child(n, csfExpression), steps+1)
		name := c.identifier(c.lastSegment(c.child(n, csfName)))
		return cmp.Or(c.fields[csMember{of, name}], chained(of, name))
	case csInvocation:
		return c.resultType(c.child(n, csfFunction), steps)
	case csElementAccess:
		if elem := c.element(c.firstNamed(n)); elem != "" && steps < maxChainSteps {
			return strings.TrimPrefix(elem, csMapValues)
		}
	case csString, csVerbatimString, csRawString:
		return "string"
	}
	return ""
}

// resultType returns the type of what a call of f returns.
func (c *csharp) resultType(f node, steps int) string {
	name := c.identifier(c.lastSegment(f))
	switch c.kind(f) {
	case csIdentifier, csGenericName:
		if b := c.names.lookup(name); b == nil || b.what == bindNested {
			return c.ownMember(name + "()")
		}
	case csMemberAccess:
		object := c.child(f, csfExpression)
		of := c.chainType(object, steps+1)
		if id := c.identifier(object); of == "" && lexical.IsUpper(id) && c.kind(object) == csIdentifier && !c.namespaces[id] {
			if b := c.names.lookup(id); b == nil || b.isType {
				of = c.typeName(object)
			}
		}
		last := c.child(f, csfName)
		name := c.identifier(c.lastSegment(last))
		if typ := chained(of, name+c.writtenArguments(last)+"()"); typ != "" {
			return typ
		}
		return chained(of, name+"()")
	}
	return ""
}

// writtenArguments returns the type arguments of a name as a step of a chain has them, "" if one is no plain name.
func (c *csharp) writtenArguments(n node) string {
	if c.kind(n) != csGenericName {
		return ""
	}
	var list []string
	for d := c.firstNamed(c.childKind(n, csTypeArguments)); d != none; d = c.nextNamed(d) {
		name := c.typeName(d)
		if c.kind(d) != csIdentifier || name == "" || strings.ContainsAny(name, ".:") {
			return ""
		}
		list = append(list, name)
	}
	return "<" + strings.Join(list, ",") + ">"
}

// ownMember returns the type of a member of the class around whose declaration the file does not show, "" if a name may be none.
func (c *csharp) ownMember(name string) string {
	if !c.unboundIsMember() || lexical.IsUpper(name) && !strings.HasSuffix(name, "()") {
		return ""
	}
	return chained(c.class.name, name)
}
