package extract

import (
	"strings"

	"ken/internal/code"
)

// invocation reads f(…) and x.f(…).
func (j *java) invocation(n node) {
	name := j.child(n, jvfName)
	if j.child(n, jvfObject) == none && !j.has(n, jvSuper) {
		j.bareCall(name)
	} else {
		q := j.qualifier(j.object(n))
		j.walk(j.child(n, jvfTypeArguments))
		j.member(name, code.RefCall, q)
	}
	j.walk(j.child(n, jvfArguments))
}

// object is what stands in front of the last dot of n; of Outer.super.f() it is
// super.
func (j *java) object(n node) node {
	if s := j.childOf(n, jvSuper); s != none {
		return s
	}
	return j.child(n, jvfObject)
}

// bareCall reads the name of f(…): a method of this class or one around it, a
// static import, else inherited. Variables live in a name space of their own.
func (j *java) bareCall(n node) {
	name := j.str(n)
	b := j.names.lookup(name)
	for b != nil && b.what == bindLocal {
		if b.outer < 0 {
			b = nil
			break
		}
		b = &j.names.list[b.outer]
	}
	switch {
	case b == nil && isObjectMethod(name):
		return
	case b == nil && j.class.super && !j.wild:
		j.ref(n, code.Ref{Kind: code.RefCall, Via: code.ViaSelf, Recv: j.class.name})
		return
	}
	j.refTo(n, b, code.RefCall)
}

// access reads x.f.
func (j *java) access(n node, k code.RefKind) {
	name := j.child(n, jvfField)
	q := j.qualifier(j.object(n))
	switch {
	case j.kind(name) != jvIdentifier:
	case q.kind == qualPackage:
		j.nextSegment(q, name, k)
	default:
		j.member(name, k, q)
	}
}

// qualifier reads what stands in front of a dot, emitting its references.
func (j *java) qualifier(n node) qual {
	switch j.kind(n) {
	case jvThis:
		return qual{kind: qualSelf, path: j.class.name}
	case jvSuper:
		return j.superclass(n)
	case jvIdentifier:
		return j.qualifierName(n)
	case jvFieldAccess:
		return j.qualifierAccess(n)
	}
	j.walk(n)
	return qual{kind: qualValue, path: j.valueType(n)}
}

// superclass is what super means: the base class, or the interface of
// Interface.super, or whatever the class around may inherit from.
func (j *java) superclass(n node) qual {
	base := j.class.base
	if of := j.child(j.parent(n), jvfObject); of != n && of != none {
		j.typeOrValue(of)
		if name := j.str(of); name != j.class.name {
			base = name
		}
	}
	if base == "" {
		base = j.class.name
	}
	return qual{kind: qualSelf, path: base}
}

// qualifierName tells variables, types and packages apart: by what binds the
// name, else by its case.
func (j *java) qualifierName(n node) qual {
	name := j.str(n)
	b := j.names.lookup(name)
	isType := b != nil && b.isType || b == nil && isUpper(name) && !isConstantName(name)
	switch {
	case isType:
		return j.firstSegment(n, code.RefType)
	case b == nil && !isUpper(name):
		if p := j.parent(n); j.kind(p) == jvFieldAccess && j.leadsToType(p) {
			return qual{kind: qualPackage, path: name}
		}
	}
	j.variable(n, code.RefUse)
	if b == nil {
		return qual{kind: qualValue}
	}
	return qual{kind: qualValue, path: b.typ}
}

// leadsToType reports whether a chain of names that begins at n comes to a
// capitalised one: a qualified type.
func (j *java) leadsToType(n node) bool {
	for j.kind(n) == jvFieldAccess {
		if isUpper(j.fieldStr(n, jvfField)) {
			return true
		}
		up := j.parent(n)
		if j.child(up, jvfObject) != n {
			return false
		}
		n = up
	}
	return false
}

func (j *java) qualifierAccess(n node) qual {
	name := j.child(n, jvfField)
	if j.kind(name) == jvThis { // Outer.this
		outer := j.child(n, jvfObject)
		j.typeOrValue(outer)
		return qual{qualValue, j.str(outer), -1}
	}
	q := j.qualifier(j.object(n))
	switch q.kind {
	case qualPackage:
		return j.nextSegment(q, name, code.RefType)
	case qualType:
		if s := j.str(name); isUpper(s) && s != strings.ToUpper(s) {
			return j.nextSegment(q, name, code.RefType)
		}
		j.member(name, code.RefUse, q)
		return qual{qualValue, j.fields[classMember{q.path, j.str(name)}], -1}
	case qualSelf, qualValue:
		j.member(name, code.RefUse, q)
		return qual{qualValue, j.fields[classMember{q.path, j.str(name)}], -1}
	}
	j.member(name, code.RefUse, q)
	if q.kind == qualBuiltin {
		return q
	}
	return qual{kind: qualValue}
}
