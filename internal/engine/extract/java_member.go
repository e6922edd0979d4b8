package extract

import (
	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// invocation reads the calls f(…) and x.f(…).
func (j *java) invocation(n node) {
	name := j.child(n, jvfName)
	from := len(j.facts.Refs)
	if j.child(n, jvfObject) == none && !j.has(n, jvSuper) {
		j.bareCall(name)
	} else {
		q := j.qualifier(j.qualifierNode(n))
		j.walk(j.child(n, jvfTypeArguments))
		j.member(name, code.RefCall, q)
	}
	j.passes(name, j.child(n, jvfArguments), from)
	j.walk(j.child(n, jvfArguments))
}

// qualifierNode returns the node in front of the last dot of n: super in Outer.super.f().
func (j *java) qualifierNode(n node) node {
	if s := j.childKind(n, jvSuper); s != none {
		return s
	}
	return j.child(n, jvfObject)
}

// bareCall reads the name in a call f(…). It is a method of an enclosing
// class, a static import or an inherited method. Variables are skipped,
// because they have a name space of their own.
func (j *java) bareCall(n node) {
	name := j.str(n)
	b := j.names.lookupCallable(name)
	if b.is(bindLocal) {
		b = nil
	}
	switch {
	case b == nil && builtin.IsObjectMethod(name):
	case b == nil && j.mayInherit():
		j.ref(n, code.Ref{Kind: code.RefCall, Via: code.ViaSelf, Recv: j.class.name})
	default:
		j.refTo(n, b, code.RefCall)
	}
}

// mayInherit reports whether a name that the file does not declare is a member that the
// enclosing class inherits. It is false if a static import of all members could declare
// it instead.
func (j *java) mayInherit() bool { return j.class.super && !j.staticWildcard }

// fieldAccess reads x.f, which uses a field.
func (j *java) fieldAccess(n node, k code.RefKind) {
	name := j.child(n, jvfField)
	q := j.qualifier(j.qualifierNode(n))
	switch {
	case j.kind(name) != jvIdentifier:
	case q.kind == qualPackage:
		j.nextSegment(q, name, k)
	default:
		j.member(name, k, q)
	}
}

// qualifier reads the expression in front of a dot, records its references and returns its meaning.
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
	return qual{kind: qualValue, path: j.receiver(n, j.valueType(n))}
}

// receiver returns the type of a value in front of a dot in the form of Ref.Recv.
func (j *java) receiver(n node, typ string) string {
	if typ != "" {
		return typ
	}
	if e := j.value(n); e != "" {
		return code.RecvExpr + e
	}
	return ""
}

// superclass returns the meaning of super: the base class, or the interface of
// Interface.super, or anything the class around may inherit from.
func (j *java) superclass(n node) qual {
	scope := j.class
	if outer := j.child(j.parent(n), jvfObject); outer != n && outer != none {
		j.typeOrValue(outer)
		if name := j.str(outer); name != j.class.name {
			scope.base = name
		}
	}
	return scope.superclass()
}

// qualifierName decides whether a name in front of a dot is a variable, a type or a
// package: by its binding, else by its case.
func (j *java) qualifierName(n node) qual {
	name := j.str(n)
	b := j.names.lookup(name)
	switch {
	case namesType(b, name):
		return j.firstSegment(n, code.RefType)
	case b == nil && !lexical.IsUpper(name):
		if p := j.parent(n); j.kind(p) == jvFieldAccess && j.leadsToType(p) {
			return qual{kind: qualPackage, path: name}
		}
	}
	j.variable(n, code.RefUse)
	typ := ""
	if b != nil {
		typ = b.typ
	}
	return qual{kind: qualValue, path: j.receiver(n, typ)}
}

// leadsToType reports whether a chain of names that begins at n has a capitalised one,
// so that it begins with a qualified type.
func (j *java) leadsToType(n node) bool {
	for j.kind(n) == jvFieldAccess {
		if lexical.IsUpper(j.fieldStr(n, jvfField)) {
			return true
		}
		outer := j.parent(n)
		if j.child(outer, jvfObject) != n {
			return false
		}
		n = outer
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
	q := j.qualifier(j.qualifierNode(n))
	switch q.kind {
	case qualPackage:
		return j.nextSegment(q, name, code.RefType)
	case qualType:
		if isTypeCase(j.str(name)) {
			return j.nextSegment(q, name, code.RefType)
		}
		j.member(name, code.RefUse, q)
		return qual{qualValue, j.receiver(n, j.fields[classMember{q.path, j.str(name)}]), -1}
	case qualSelf, qualValue:
		j.member(name, code.RefUse, q)
		return qual{qualValue, j.receiver(n, j.fields[classMember{q.path, j.str(name)}]), -1}
	}
	j.member(name, code.RefUse, q)
	if q.kind == qualBuiltin {
		return q
	}
	return qual{kind: qualValue}
}
