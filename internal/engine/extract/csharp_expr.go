package extract

import (
	"strings"

	"ken/internal/code"
)

// variable emits a reference to a plain name used as a value. One that nothing
// in the file binds is a member the type inherits, or has in another file.
func (c *csharp) variable(n node, k code.RefKind) {
	name := c.plain(n)
	b := c.names.lookup(name)
	switch {
	case b == nil && c.class.name != "" && !c.static:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaSelf, Recv: c.class.name})
	case b == nil || b.what == bindTop:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	default:
		c.bound(n, name, b, k)
	}
}

// bound emits a reference to a name that b binds.
func (c *csharp) bound(n node, name string, b *binding, k code.RefKind) {
	switch b.what {
	case bindNested:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	case bindImport:
		c.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
	}
}

// genericName reads F<T> that stands as a value.
func (c *csharp) genericName(n node) {
	if id := c.firstNamed(n); c.kind(id) == csIdentifier {
		c.variable(id, code.RefUse)
	}
	c.walk(c.childOf(n, csTypeArguments))
}

// simple is the identifier of a simple name, whose type arguments it reads.
func (c *csharp) simple(n node) node {
	if c.kind(n) != csGenericName {
		return n
	}
	c.walk(c.childOf(n, csTypeArguments))
	return c.firstNamed(n)
}

// invocation reads f(…) and x.f(…).
func (c *csharp) invocation(n node) {
	f := c.child(n, csfFunction)
	switch c.kind(f) {
	case csIdentifier, csGenericName:
		id := c.simple(f)
		if c.plain(id) == "nameof" {
			c.nameof(c.child(n, csfArguments))
			return
		}
		c.bareCall(id)
	case csMemberAccess, csConditionalAccess:
		c.access(f, code.RefCall)
	default:
		c.walk(f)
	}
	c.walk(c.child(n, csfArguments))
}

// nameof reads what nameof names: a type as well as a value.
func (c *csharp) nameof(n node) {
	for a := c.firstNamed(n); a != none; a = c.nextNamed(a) {
		if d := c.firstNamed(a); c.kind(d) == csIdentifier && c.names.lookup(c.plain(d)) == nil {
			c.ref(d, code.Ref{Name: c.plain(d), Kind: code.RefUse, Via: code.ViaBare})
		} else {
			c.walk(a)
		}
	}
}

// bareCall reads the name of f(…): a method of this type or one around it, else
// inherited, or declared by another part of it.
func (c *csharp) bareCall(n node) {
	name := c.plain(n)
	b := c.names.lookup(name)
	switch {
	case b == nil && (name == "GetType" || name == "MemberwiseClone" || name == "ReferenceEquals"):
	case b == nil && c.class.name != "" && !c.static:
		c.ref(n, code.Ref{Name: name, Kind: code.RefCall, Via: code.ViaSelf, Recv: c.class.name})
	case b == nil || b.what == bindTop:
		c.ref(n, code.Ref{Name: name, Kind: code.RefCall, Via: code.ViaBare})
	default:
		c.bound(n, name, b, code.RefCall)
	}
}

// access reads x.f and x?.f.
func (c *csharp) access(n node, k code.RefKind) csQual {
	if c.kind(n) == csConditionalAccess {
		q := c.conditionalQualifier(c.child(n, csfCondition))
		for d := c.sibling(c.child(n, csfCondition)); d != none; d = c.sibling(d) {
			if c.kind(d) == csMemberBinding {
				id := c.simple(c.child(d, csfName))
				c.member(id, k, q)
				return c.memberOf(q, id)
			}
			c.walk(d)
		}
		return csQual{what: csQualValue}
	}
	q := c.qualifier(c.child(n, csfExpression))
	return c.step(q, c.child(n, csfName), k)
}

// conditionalQualifier is qualifier before ?., where no type can stand.
func (c *csharp) conditionalQualifier(n node) csQual {
	if c.kind(n) == csIdentifier && c.names.lookup(c.plain(n)) == nil {
		c.variable(n, code.RefUse)
		return csQual{what: csQualValue}
	}
	return c.qualifier(n)
}

// memberOf is the value q.id, whose type is known if the file declares it.
func (c *csharp) memberOf(q csQual, id node) csQual {
	if q.what == csQualBuiltin {
		return q
	}
	return csQual{csQualValue, c.fields[csMember{q.path, c.plain(id)}]}
}

// qualifier reads what stands in front of a dot, emitting its references.
func (c *csharp) qualifier(n node) csQual {
	switch c.kind(n) {
	case csThis:
		return csQual{csQualSelf, c.class.name}
	case csBase:
		if c.class.base != "" {
			return csQual{csQualSelf, c.class.base}
		}
		return csQual{csQualSelf, c.class.name}
	case csPredefined:
		return csQual{what: csQualBuiltin}
	case csIdentifier:
		return c.qualifierName(n)
	case csGenericName, csQualifiedName:
		return c.typeSteps(n, code.RefType)
	case csAliasQualified:
		if c.fieldStr(n, csfAlias) == "global" {
			return c.step(csQual{what: csQualSpace}, c.child(n, csfName), code.RefType)
		}
		return c.typeSteps(n, code.RefType)
	case csMemberAccess, csConditionalAccess:
		return c.access(n, code.RefUse)
	}
	typ := c.valueType(n)
	c.walk(n)
	return csQual{csQualValue, typ}
}

// qualifierName tells variables, types and namespaces apart, by what binds the
// name. An unbound capitalised one is a type, or a property the type inherits.
func (c *csharp) qualifierName(n node) csQual {
	name := c.plain(n)
	b := c.names.lookup(name)
	switch {
	case b != nil && b.isType:
		return c.typeByName(n, name, code.RefType, b)
	case b != nil:
		typ := b.typ
		c.bound(n, name, b, code.RefUse)
		return csQual{csQualValue, typ}
	case c.spaces[name]:
		return csQual{csQualSpace, name}
	case isUpper(name):
		c.ref(n, code.Ref{Name: name, Kind: code.RefType, Via: code.ViaBare})
		return csQual{csQualType, name}
	}
	c.variable(n, code.RefUse)
	return csQual{what: csQualValue}
}

// step is the meaning of q.n in an expression, emitting a reference of kind k.
// A namespace goes as far as the file's own usings and namespaces do; what
// follows is a type.
func (c *csharp) step(q csQual, n node, k code.RefKind) csQual {
	id := c.simple(n)
	if q.what != csQualSpace {
		c.member(id, k, q)
		if q.what == csQualType && isUpper(c.plain(id)) && c.fields[csMember{q.path, c.plain(id)}] == "" {
			return csQual{csQualValue, ""}
		}
		return c.memberOf(q, id)
	}
	name := c.plain(id)
	spec := joinDots(q.path, name)
	if c.spaces[spec] || q.path == "" && c.kind(c.parent(c.parent(n))) == csMemberAccess {
		return csQual{csQualSpace, spec}
	}
	c.ref(id, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: c.inPlace(spec, name, c.line(id))})
	return csQual{csQualType, spec}
}

// creation reads new T(…) { … }: a call of T.
func (c *csharp) creation(n node) {
	typ := c.child(n, csfType)
	c.typeRef(typ, code.RefCall)
	for d := c.sibling(typ); d != none; d = c.sibling(d) {
		if c.kind(d) == csInitializer {
			c.objectInitializer(d, c.typeName(typ))
		} else {
			c.walk(d)
		}
	}
}

// implicitNew reads new(…) { … } of a known type.
func (c *csharp) implicitNew(n node, typ string) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csInitializer {
			c.objectInitializer(d, typ)
		} else {
			c.walk(d)
		}
	}
}

// objectInitializer reads { A = 1, B = { C = 2 } } of a value of type typ, or a
// list of elements.
func (c *csharp) objectInitializer(n node, typ string) {
	for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
		left := c.child(d, csfLeft)
		if c.kind(d) != csAssignment || c.kind(left) != csIdentifier || c.kind(c.parent(n)) != csNew && c.kind(c.parent(n)) != csImplicitNew && c.kind(c.parent(n)) != csAssignment {
			c.walk(d)
			continue
		}
		c.member(left, code.RefUse, csQual{csQualValue, typ})
		c.walk(c.child(d, csfRight))
	}
}

// anonymousNew reads new { A = x, y.B }.
func (c *csharp) anonymousNew(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) == csIdentifier && c.kind(c.sibling(d)) == csEqual {
			continue
		}
		c.walk(d)
	}
}

// with reads x with { A = 1 }.
func (c *csharp) with(n node) {
	typ := c.valueType(c.firstNamed(n))
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.kind(d) != csWithInitializer {
			c.walk(d)
			continue
		}
		name := c.firstNamed(d)
		c.member(name, code.RefUse, csQual{csQualValue, typ})
		c.walk(c.nextNamed(name))
	}
}

// argument passes over the name of a named argument.
func (c *csharp) argument(n node) {
	for d := c.first(n); d != none; d = c.sibling(d) {
		if c.fieldOf(d) != csfName {
			c.walk(d)
		}
	}
}

// valueType is the name of an expression's type where the file tells it: a
// declared variable or member, new T(), (T)x, x as T.
func (c *csharp) valueType(n node) string {
	for {
		switch c.kind(n) {
		case csParenthesized, csAwait, csPostfix:
			n = c.firstNamed(n)
			continue
		case csBinary: // x is T && y?.f: the grammar takes all of it for what stands before ?.
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
		if b := c.names.lookup(c.plain(n)); b != nil && !b.isType {
			return b.typ
		}
	case csMemberAccess:
		if c.kind(c.child(n, csfExpression)) == csThis {
			return c.fields[csMember{c.class.name, strings.TrimPrefix(c.fieldStr(n, csfName), "@")}]
		}
	case csString, csVerbatimString, csRawString:
		return "string"
	}
	return ""
}
