package extract

import (
	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// variable records a reference to a plain name that is used as a value.
func (k *kotlin) variable(n node, rk code.RefKind) {
	switch name := k.str(n); name {
	case "true", "false", "null", "break", "continue", "it", "field", "class":
		if k.names.lookup(name) == nil {
			return
		}
	}
	k.plainName(n, k.identifier(n), rk)
}

// call reads f(…), x.f(…), f<T> { … } and calls of other expressions.
func (k *kotlin) call(n node) {
	callee := k.firstNamed(n)
	k.callee(callee)
	for c := k.nextNamed(callee); c != none; c = k.nextNamed(c) {
		k.walk(c)
	}
}

func (k *kotlin) callee(n node) {
	switch k.kind(n) {
	case ktIdentifier:
		k.bareCall(n)
	case ktNavigation:
		k.access(n, code.RefCall)
	default:
		k.walk(n)
	}
}

// genericCall reads f<T>(x) and f<T> { … } where the grammar takes them for two
// comparisons, and reports whether n is one.
func (k *kotlin) genericCall(n node) bool {
	callee, typ, args := k.genericParts(n)
	if callee == none {
		return false
	}
	k.callee(callee)
	if k.kind(typ) == ktNavigation {
		k.access(typ, code.RefType)
	} else {
		k.plainName(typ, k.identifier(typ), code.RefType)
	}
	k.walk(args)
	return true
}

// genericParts returns the parts of a call f<T>(x) that the grammar takes
// for two comparisons: the called name, its type argument and its
// arguments.
func (k *kotlin) genericParts(n node) (callee, typ, args node) {
	left := k.firstNamed(n)
	args = k.nextNamed(left)
	switch k.kind(args) {
	case ktParen, ktLambda:
	default:
		return none, none, none
	}
	callee = k.firstNamed(left)
	typ = k.nextNamed(callee)
	compared := k.hasText(n, left, ">") && k.hasText(left, callee, "<")
	if !compared || !k.isTypeIdentifier(typ) || k.nextNamed(typ) != none {
		return none, none, none
	}
	return callee, typ, args
}

// hasText reports whether the node after c, a child of n, is the operator op.
func (k *kotlin) hasText(n, c node, op string) bool {
	s := k.sibling(c)
	return s != none && k.parent(c) == n && k.str(s) == op
}

// isTypeIdentifier reports whether n is a name that is capitalised, with the types around it.
func (k *kotlin) isTypeIdentifier(n node) bool {
	if first := k.firstNamed(n); k.kind(n) == ktNavigation && !k.has(n, ktColons) {
		return k.isTypeIdentifier(first) && k.isTypeIdentifier(k.nextNamed(first))
	}
	return k.kind(n) == ktIdentifier && lexical.IsUpper(k.str(n))
}

// infix reads a f b, which calls f. Infix functions of the language itself
// make no references.
func (k *kotlin) infix(n node) {
	left := k.firstNamed(n)
	name := k.nextNamed(left)
	q := k.qualifier(left)
	if !builtin.KotlinInfix(k.str(name)) || k.names.lookup(k.str(name)) != nil {
		k.selectMember(name, code.RefCall, q)
	}
	k.walk(k.nextNamed(name))
}

// access reads x.f, x?.f and x::f, and returns the meaning if another dot follows.
func (k *kotlin) access(n node, rk code.RefKind) qual {
	object := k.firstNamed(n)
	name := k.nextNamed(object)
	q := k.qualifier(object)
	switch s := k.identifier(name); {
	case name == none || s == "class" && k.has(n, ktColons):
		return qual{kind: qualBuiltin}
	case q.kind == qualPackage, q.kind == qualType && isTypeCase(s):
		return k.nextSegment(q, name, rk)
	}
	switch isReference := k.has(n, ktColons); {
	case isReference && q.kind == qualType:
		q = qual{qualValue, code.LastSegment(k.identifier(object)), -1}
	case !isReference && q.kind == qualValue && q.path == "":
		q.path = k.asType(k.unboundPath(object))
	}
	k.selectMember(name, rk, q)
	v := k.memberValue(q, k.identifier(name))
	if v.path == "" && q.path != "" && q.kind != qualBuiltin {
		v.path = k.asType(typeExpr(q.path) + "." + k.identifier(name))
	}
	return v
}

// unboundPath returns the names of a.b, which may be a package: the file declares no a, and none of them is capitalised. A single
// name is not taken for a package, because most often it is a property of another file.
func (k *kotlin) unboundPath(n node) string {
	path := ""
	for ; k.kind(n) == ktNavigation && !k.has(n, ktColons); n = k.firstNamed(n) {
		name := k.identifier(k.nextNamed(k.firstNamed(n)))
		if lexical.IsUpper(name) {
			return ""
		}
		path = "." + name + path
	}
	if name := k.identifier(n); k.kind(n) == ktIdentifier && path != "" && !lexical.IsUpper(name) && k.names.lookup(name) == nil {
		return name + path
	}
	return ""
}

// selectMember records a reference to q.name: a member or an extension.
func (k *kotlin) selectMember(n node, rk code.RefKind, q qual) {
	name := k.identifier(n)
	ofValue := q.kind == qualValue || q.kind == qualSelf || q.kind == qualBuiltin
	switch b := k.names.lookupOutside(name); {
	case ofValue && b.is(bindImport) && b.target != name:
		k.refTo(n, b, rk) // an extension that is imported under another name
	case !k.isScopeCall(n, name, q):
		k.member(n, rk, q)
	}
}

// isScopeCall reports whether q.name { … } calls a function that the language gives to
// every value (let, apply, …), so that a reference to it is worth nothing.
func (k *kotlin) isScopeCall(n node, name string, q qual) bool {
	switch q.kind {
	case qualSelf, qualType:
		return false
	}
	return builtin.KotlinScopeFunction(name) && k.has(k.parent(k.parent(n)), ktAnnotatedLambda)
}

// callableRef reads T::f and ::f, which refer to a function without calling it.
func (k *kotlin) callableRef(n node) {
	typ := k.typeChild(n)
	name := k.nextNamed(typ)
	if typ == none {
		if name = k.firstNamed(n); name != none {
			k.bareCall(name)
		}
		return
	}
	k.walk(typ)
	if k.kind(name) != ktIdentifier {
		return
	}
	k.selectMember(name, code.RefUse, qual{qualValue, k.typeName(typ), -1})
}

// qualifier reads the part before a dot, records its references and returns its meaning.
func (k *kotlin) qualifier(n node) qual {
	switch k.kind(n) {
	case ktThis:
		if label := k.firstNamed(n); label != none {
			return qual{kind: qualSelf, path: k.identifier(label)}
		}
		return qual{kind: qualSelf, path: k.class.name}
	case ktSuper:
		return k.superclass(n)
	case ktIdentifier:
		return k.qualifierName(n)
	case ktNavigation:
		return k.access(n, k.accessKind(n))
	case ktUnary: // x!!.f
		if k.sibling(k.firstNamed(n)) != none {
			return k.qualifier(k.firstNamed(n))
		}
	case ktParen:
		if in := k.firstNamed(n); k.kind(in) == ktNavigation || k.kind(in) == ktIdentifier {
			return k.qualifier(in)
		}
	}
	k.walk(n)
	return qual{kind: qualValue, path: k.typeOrValue(n)}
}

// accessKind returns how the qualifier of a further access is used: as a type if it
// is capitalised.
func (k *kotlin) accessKind(n node) code.RefKind {
	if s := k.str(k.nextNamed(k.firstNamed(n))); isTypeCase(s) {
		return code.RefType
	}
	return code.RefUse
}

func (k *kotlin) superclass(n node) qual {
	k.children(n)
	scope := k.class
	if typ := k.typeChild(n); typ != none {
		scope.base = k.typeName(typ)
	}
	return scope.superclass()
}

// valueType returns the name of an expression's type if the file shows it: a declared
// variable or field, T(), x as T.
func (k *kotlin) valueType(n node) string {
	switch k.kind(n) {
	case ktParen:
		return k.valueType(k.firstNamed(n))
	case ktUnary:
		if first := k.firstNamed(n); k.sibling(first) != none {
			return k.valueType(first)
		}
	case ktAs:
		return k.typeName(k.typeChild(n))
	case ktCall:
		return k.constructedType(k.firstNamed(n))
	case ktThis:
		return k.class.name
	case ktObjectLiteral:
		return k.classScope(n, "").base
	case ktIdentifier:
		return k.variableType(n)
	case ktNavigation:
		if k.kind(k.firstNamed(n)) == ktThis {
			return k.fields[classMember{k.class.name, k.identifier(k.nextNamed(k.firstNamed(n)))}]
		}
	case ktString, ktMultiString:
		return "String"
	case ktBinary:
		if callee, _, args := k.genericParts(n); k.kind(args) == ktParen {
			return k.constructedType(callee)
		}
	}
	return ""
}

// constructedType returns the type that calling n constructs, by the convention of
// its case.
func (k *kotlin) constructedType(n node) string {
	var segments []string
	for ; k.kind(n) == ktNavigation && len(segments) < 32; n = k.firstNamed(n) {
		segments = append(segments, k.identifier(k.nextNamed(k.firstNamed(n))))
	}
	if k.kind(n) != ktIdentifier {
		return ""
	}
	segments = append(segments, k.identifier(n))
	if !lexical.IsUpper(segments[0]) {
		return ""
	}
	for i, j := 0, len(segments)-1; i < j; i, j = i+1, j-1 {
		segments[i], segments[j] = segments[j], segments[i]
	}
	return k.dottedType(segments)
}
