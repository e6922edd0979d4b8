package extract

import (
	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// importDeclaration reads the forms of import: a declaration of a package
// ("com.x.Foo", names Foo), all of them ("com.x", names *), a member of an object
// or enum, or a nested type ("com.x.Foo", names bar).
func (k *kotlin) importDeclaration(n node) {
	path := k.childKind(n, ktQualified)
	spec := joinName(k.str(path))
	alias := ""
	if c := k.childKind(n, ktIdentifier); c != none {
		alias = k.identifier(c)
	}
	k.addImport(spec, alias, k.has(n, ktAsterisk), k.line(n))
	k.facts.IsTest = k.facts.IsTest || builtin.JVMTestImport(spec)
}

// typeRef records the references that a type makes; rk is the kind of reference for its outermost name.
func (k *kotlin) typeRef(n node, rk code.RefKind) {
	switch k.kind(n) {
	case ktUserType:
		k.userType(n, rk)
	case ktNullable, ktParenType, ktNonNullable:
		for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
			k.typeRef(c, rk)
		}
	case ktParameter: // a named parameter of a function type
		k.walk(k.typeChild(n))
	default:
		k.children(n)
	}
}

// userType reads a.b.Outer<A>.Inner: Outer by its import or its package, Inner as a
// member of Outer.
func (k *kotlin) userType(n node, rk code.RefKind) {
	q := qual{}
	last := none
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if k.kind(c) != ktIdentifier {
			k.walk(c)
			continue
		}
		if last != none {
			q = k.nextSegment(q, last, code.RefType)
		}
		last = c
	}
	switch {
	case last == none:
	case q.kind == qualNone:
		k.nameRef(last, rk)
	default:
		k.nextSegment(q, last, rk)
	}
}

// typeName returns a type's name as Ref.Recv: without type arguments; for a type parameter,
// the name of its bound. Of a nested type it is the last name, after the import's Spec
// if its outermost type is imported.
func (k *kotlin) typeName(n node) string {
	switch k.kind(n) {
	case ktUserType:
		var segments []string
		for c := k.firstNamed(n); c != none && len(segments) < 32; c = k.nextNamed(c) {
			if k.kind(c) == ktIdentifier {
				segments = append(segments, k.identifier(c))
			}
		}
		return k.dottedType(segments)
	case ktNullable, ktParenType, ktNonNullable:
		return k.typeName(k.typeChild(n))
	}
	return ""
}

// bindGenerics binds type parameters. The bound of each counts as its type.
func (k *kotlin) bindGenerics(n node) {
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		if k.kind(c) == ktTypeParam {
			name := k.identifier(k.childKind(c, ktIdentifier))
			k.names.bind(binding{name: name, what: bindLocal, typ: k.typeName(k.typeChild(c)), isType: true})
		}
	}
}
