package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// importDeclaration reads the four forms of import: a type ("com.x.Foo", names
// Foo), all types of a package ("com.x", names *), a static member ("com.x.Foo",
// names bar) and all of them ("com.x.Foo", names *).
func (j *java) importDeclaration(n node) {
	name, all, static := none, false, false
	for c := j.first(n); c != none; c = j.sibling(c) {
		switch j.kind(c) {
		case jvScopedIdentifier, jvIdentifier:
			name = c
		case jvAsterisk:
			all = true
		case jvStatic:
			static = true
		}
	}
	spec := strings.Join(strings.Fields(j.str(name)), "")
	if spec == "" {
		return
	}
	m := code.Import{Spec: spec, Line: j.line(n), Static: static}
	last := spec[strings.LastIndexByte(spec, '.')+1:]
	switch {
	case all:
		last = "*"
	case static:
		m.Spec = strings.TrimSuffix(strings.TrimSuffix(spec, last), ".")
	}
	if last == "" || m.Spec == "" {
		return
	}
	j.facts.IsTest = j.facts.IsTest || builtin.JavaTestImport(spec)
	j.staticWildcard = j.staticWildcard || all && static
	m.Names = []code.ImportName{{Name: last, Alias: last}}
	j.facts.Imports = append(j.facts.Imports, m)
	if !all {
		imp, isType := int32(len(j.facts.Imports)-1), !static || namesType(nil, last)
		j.names.bind(binding{name: last, what: bindImport, imp: imp, target: last, isType: isType})
	}
}

// variable records a reference to a plain name that is used as a value. One that
// nothing in the file binds is inherited, if the class around can inherit.
func (j *java) variable(n node, k code.RefKind) {
	if j.mayInherit() && !lexical.IsUpper(j.str(n)) && j.names.lookup(j.str(n)) == nil {
		j.ref(n, code.Ref{Kind: k, Via: code.ViaSelf, Recv: j.class.name})
		return
	}
	j.nameRef(n, k)
}

// supertypes records references to the types in an extends or implements clause.
func (j *java) supertypes(n node, k code.RefKind) {
	for c := j.firstNamed(j.childKind(n, jvTypeList)); c != none; c = j.nextNamed(c) {
		j.typeRef(c, k)
	}
}

// typeRef records the references that a type makes; k is the kind of reference for its outermost name.
func (j *java) typeRef(n node, k code.RefKind) {
	switch j.kind(n) {
	case jvTypeIdentifier, jvIdentifier:
		name := j.str(n)
		switch b := j.names.lookupType(name); {
		case name == "var", b.is(bindLocal):
		case b == nil:
			j.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
		default:
			j.refTo(n, b, k)
		}
	case jvScopedType, jvScopedIdentifier:
		j.scopedType(n, k)
	case jvGenericType, jvAnnotatedType:
		for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
			if t := j.kind(c); t == jvTypeArguments || j.isAnnotation(c) {
				j.walk(c)
			} else {
				j.typeRef(c, k)
			}
		}
	default:
		j.children(n)
	}
}

// scopedType reads a.b.Outer.Inner: Outer by its import or its package, Inner as
// a member of Outer.
func (j *java) scopedType(n node, k code.RefKind) {
	q := qual{}
	j.typeSegments(n, k, &q)
}

// typeSegments reads the parts of a qualified type from left to right. The
// reference to the last part has kind k.
func (j *java) typeSegments(n node, k code.RefKind, q *qual) {
	var last node
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		switch j.kind(c) {
		case jvScopedType, jvScopedIdentifier, jvGenericType:
			j.typeSegments(c, code.RefType, q)
		case jvTypeIdentifier, jvIdentifier:
			if last != none {
				*q = j.nextSegment(*q, last, code.RefType)
			}
			last = c
		default:
			j.walk(c)
		}
	}
	if last != none {
		*q = j.nextSegment(*q, last, k)
	}
}

// bindGenerics binds type parameters. The first bound of each counts as its type.
func (j *java) bindGenerics(n node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		if j.kind(c) == jvTypeParameter {
			name := j.childKind(c, jvTypeIdentifier)
			bound := j.firstNamed(j.childKind(c, jvTypeBound))
			j.names.bind(binding{name: j.str(name), what: bindLocal, typ: j.typeName(bound), expr: j.typeExpr(bound), isType: true})
		}
	}
}

// typeName returns a type's name as Ref.Recv, without type arguments. A type parameter has
// the name of its bound. A nested type has its path as it is written ("Map.Entry"), after the import's Spec if its
// outermost type is imported ("java.util.Map.Entry").
func (j *java) typeName(n node) string {
	switch j.kind(n) {
	case jvTypeIdentifier, jvIdentifier:
		name := j.str(n)
		if b := j.names.lookup(name); b.is(bindLocal) && b.isType {
			return b.typ
		}
		return name
	case jvGenericType, jvAnnotatedType:
		for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
			if !j.isAnnotation(c) {
				return j.typeName(c)
			}
		}
	case jvScopedType:
		return j.scopedName(n)
	}
	return ""
}

func (j *java) scopedName(n node) string {
	segments := strings.FieldsFunc(stripArguments(j.str(n)), isTypeSeparator)
	if len(segments) == 0 || strings.ContainsAny(j.str(n), "@/") {
		return ""
	}
	if b := j.names.lookup(segments[0]); b.is(bindImport) && lexical.IsUpper(segments[0]) {
		segments[0] = j.facts.Imports[b.imp].Spec
	}
	return strings.Join(segments, ".")
}

// isTypeSeparator reports whether r is a dot, or white space that may be beside one in a type.
func isTypeSeparator(r rune) bool { return strings.ContainsRune(". \n\t\r", r) }

// stripArguments returns a type without its <…>.
func stripArguments(s string) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth--
		case depth == 0:
			return r
		}
		return -1
	}, s)
}
