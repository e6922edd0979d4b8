package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// kotlin reads a Kotlin file. Declarations are in this file and kotlin_decl.go, types
// and imports in kotlin_type.go, statements and expressions in kotlin_expr.go.
//
// A symbol is exported if neither it nor a type around it is private nor lies in a
// function: other files see internal and protected names. An extension is a top-level
// declaration of a kind members have (method, field); a function or property of the
// file's own is a function or variable. Members of a companion object have it as their
// Parent and are qualified by the class, which is how code names them. Constructor
// parameters marked val or var are fields; the primary constructor itself is the class,
// whose Params it gives.
type kotlin struct {
	classes
}

func walkKotlin(f *file) {
	k := &kotlin{}
	k.classes = newClasses(f, k, builtin.KotlinBuiltin)
	k.modifierList, k.annotations, k.dotted = ktModifiers, []kind{ktAnnotation}, ktNavigation
	k.names.push()
	for c := k.first(root); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktImport:
			k.importDeclaration(c)
		case ktPackage:
			k.facts.Package = joinName(k.str(k.childKind(c, ktQualified)))
		}
	}
	k.bindMembers(root, bindTop)
	k.children(root)
	k.names.pop()
	k.sortHints()
	k.typeDoc()
}

// joinName returns a dotted name without white space and backquotes.
func joinName(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "`", "")
}

// declaration reads n if it declares something, and reports whether it did.
func (k *kotlin) declaration(n node) bool {
	switch k.kind(n) {
	case ktClass:
		k.typeDeclaration(n, k.child(n, ktfName), k.classKind(n))
	case ktObject:
		k.typeDeclaration(n, k.child(n, ktfName), code.KindClass)
	case ktCompanion:
		k.typeDeclaration(n, k.child(n, ktfName), code.KindClass)
	case ktFunction:
		k.function(n)
	case ktSecondary:
		s := code.Symbol{Name: k.class.name, Kind: code.KindConstructor, Params: k.params(k.childKind(n, ktValueParams))}
		k.callable(n, none, s, none)
	case ktProperty:
		k.property(n)
	case ktTypeAlias:
		k.typeAlias(n)
	case ktEnumEntry:
		k.enumEntry(n)
	default:
		return false
	}
	return true
}

func (k *kotlin) classKind(n node) code.Kind {
	if k.has(n, ktInterfaceWord) {
		return code.KindInterface
	}
	if k.hasModifier(n, ktClassModifier, "enum") {
		return code.KindEnum
	}
	return code.KindClass
}

// hasModifier reports whether a declaration has a modifier.
func (k *kotlin) hasModifier(n node, kind kind, word string) bool {
	for c := k.first(k.modifiers(n)); c != none; c = k.sibling(c) {
		if k.kind(c) == kind && k.str(c) == word {
			return true
		}
	}
	return false
}

// isPrivate reports whether n has the modifier private.
func (k *kotlin) isPrivate(n node) bool { return k.hasModifier(n, ktVisibility, "private") }

// symbol declares sym. A member of a companion object gets the name of the enclosing
// class in its qualified name, because code uses it under that.
func (k *kotlin) symbol(n, name node, s code.Symbol, end uint32) int32 {
	if s.Name == "" {
		s.Name = k.identifier(name)
	}
	if s.Name != "" && k.owner >= 0 && k.class.companion {
		if o := &k.facts.Symbols[k.owner]; o.Parent >= 0 && o.Kind == code.KindClass {
			s.Qualified = k.under(k.facts.Symbols[o.Parent].Qualified, s.Name)
		}
	}
	return k.classes.symbol(n, name, s, end)
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (k *kotlin) bodyStart(n node) uint32 {
	for c := k.first(n); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktClassBody, ktEnumBody, ktBody, ktBlock:
			return k.start(c)
		}
	}
	if body := k.lambdaBody(n); body != none {
		return k.start(body)
	}
	return k.end(n)
}

// lambdaBody returns the body of class n if its last supertype is delegated: the grammar
// takes `class A : B by c { … }` for a call of c with a lambda.
func (k *kotlin) lambdaBody(n node) node {
	last := none
	for c := k.firstNamed(k.childKind(n, ktDelegations)); c != none; c = k.nextNamed(c) {
		last = c
	}
	if last == none || k.childKind(n, ktClassBody) != none || k.childKind(n, ktEnumBody) != none {
		return none
	}
	call := k.childKind(k.childKind(last, ktExplicitDelegation), ktCall)
	return k.childKind(k.childKind(call, ktAnnotatedLambda), ktLambda)
}

// typeDeclaration reads a class, interface, object or companion object.
func (k *kotlin) typeDeclaration(n, name node, kind code.Kind) {
	s := code.Symbol{Kind: kind, Params: k.params(k.childKind(k.childKind(n, ktPrimary), ktClassParams))}
	companion := k.kind(n) == ktCompanion
	if name == none && companion {
		s.Name = "Companion"
	}
	k.bindNestedType(name)
	scope := k.classScope(n, k.identifier(name))
	if name != none {
		from := len(k.facts.Refs)
		k.nameRef(name, code.RefCall)
		scope.own = k.takeRef(from, code.RefCall)
	}
	if companion {
		scope.name, scope.companion = k.class.name, true
	}
	saved := k.open(k.symbol(n, name, s, k.bodyStart(n)))
	k.enterType(n, scope)
	k.classParts(n, name)
	k.close(saved)
}

// classScope returns the state of the reader for the inside of a type declaration or object literal.
func (k *kotlin) classScope(n node, name string) classScope {
	list := k.childKind(n, ktDelegations)
	base := ""
	for c := k.first(list); c != none; c = k.sibling(c) {
		if call := k.childKind(c, ktCtorInvocation); call != none {
			base = k.typeName(k.firstNamed(call))
		}
	}
	return classScope{name: name, base: base, super: list != none, iface: k.has(n, ktInterfaceWord)}
}

// classParts reads the parts of a type declaration.
func (k *kotlin) classParts(n, name node) {
	k.bindGenerics(k.childKind(n, ktTypeParams))
	params := k.childKind(k.childKind(n, ktPrimary), ktClassParams)
	k.bindFields(params)
	for c := k.first(n); c != none; c = k.sibling(c) {
		if b := k.kind(c); b == ktClassBody || b == ktEnumBody {
			k.bindMembers(c, bindNested)
		}
	}
	body := k.lambdaBody(n)
	k.bindMembers(body, bindNested)
	for c := k.first(n); c != none; c = k.sibling(c) {
		switch {
		case c == name:
		case k.kind(c) == ktPrimary:
			k.walk(k.childKind(c, ktModifiers))
			k.components(params)
		case k.kind(c) == ktDelegations:
			from := len(k.facts.Refs)
			k.delegations(c, body)
			k.class.parent = k.parentRef(c, k.facts.Refs[from:])
		default:
			k.walk(c)
		}
	}
	k.children(body)
}

// parentRef returns the reference to the base class among those to base types, a zero one if several could be the class.
func (k *kotlin) parentRef(list node, refs []code.Ref) code.Ref {
	parent := findRef(refs, code.RefInherit)
	if one := k.firstNamed(list); parent.Name == "" && k.nextNamed(one) == none && k.kind(k.firstNamed(one)) == ktUserType {
		parent = findRef(refs, code.RefImplement)
	}
	return parent
}

// delegations reads the list of base types. A type with arguments is a class; the
// others are taken for interfaces, because one file cannot show more. body is the body
// of the class if the grammar takes it for a lambda.
func (k *kotlin) delegations(n, body node) {
	inBody := k.inBody
	k.inBody = true
	for c := k.firstNamed(n); c != none; c = k.nextNamed(c) {
		kind := code.RefImplement
		if k.class.iface {
			kind = code.RefInherit
		}
		for d := k.first(c); d != none; d = k.sibling(d) {
			switch {
			case k.kind(d) == ktCtorInvocation:
				k.typeRef(k.firstNamed(d), code.RefInherit)
				k.walk(k.childKind(d, ktValueArgs))
			case k.kind(d) == ktExplicitDelegation:
				typ := k.firstNamed(d)
				k.typeRef(typ, kind)
				if value := k.nextNamed(typ); body != none && k.end(value) == k.end(body) {
					k.delegate(value)
				} else {
					k.walk(value)
				}
			case k.isType(d):
				k.typeRef(d, kind)
			default:
				k.walk(d)
			}
		}
	}
	k.inBody = inBody
}

// delegate reads the value after `by` in the head of a class. If the grammar took the
// body of the class for a lambda of a call, the lambda is skipped.
func (k *kotlin) delegate(n node) {
	callee, args := k.firstNamed(n), k.childKind(n, ktValueArgs)
	if args == none {
		k.walk(callee)
		return
	}
	k.callee(callee)
	k.walk(args)
}

// bindMembers binds the declarations of a file or a class body, because they are in scope
// throughout. Properties come last, so that they are found before functions of the same
// name: they have types.
func (k *kotlin) bindMembers(body node, what bindKind) {
	for c := k.first(body); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktFunction:
			k.names.bind(binding{name: k.identifier(k.child(c, ktfName)), what: what})
		case ktClass, ktObject:
			k.names.bind(binding{name: k.identifier(k.child(c, ktfName)), what: what, isType: true})
		case ktTypeAlias:
			k.names.bind(binding{name: k.identifier(k.child(c, ktfType)), what: what, isType: true})
		case ktCompanion:
			k.bindMembers(k.childKind(c, ktClassBody), what)
		}
	}
	for c := k.first(body); c != none; c = k.sibling(c) {
		switch k.kind(c) {
		case ktEnumEntry:
			k.bindField(k.identifier(k.childKind(c, ktIdentifier)), k.class.name, what)
		case ktProperty:
			k.bindProperty(c, what)
		}
	}
}

func (k *kotlin) bindProperty(n node, what bindKind) {
	if v := k.childKind(n, ktVariable); v != none {
		k.bindField(k.identifier(k.childKind(v, ktIdentifier)), k.propertyType(n, v), what)
	}
	for c := k.first(k.childKind(n, ktMultiVariable)); c != none; c = k.sibling(c) {
		k.bindField(k.identifier(k.childKind(c, ktIdentifier)), k.typeName(k.typeChild(c)), what)
	}
}

// bindFields binds the parameters of a primary constructor. Fields are in scope
// throughout the class, the others only in its initializers; both are bound for the
// whole class.
func (k *kotlin) bindFields(params node) {
	for c := k.firstNamed(params); c != none; c = k.nextNamed(c) {
		name, typ := k.identifier(k.childKind(c, ktIdentifier)), k.typeName(k.typeChild(c))
		if k.isField(c) {
			k.bindField(name, typ, bindNested)
		} else {
			k.names.bind(binding{name: name, what: bindLocal, typ: typ})
		}
	}
}

// isField reports whether a constructor parameter is a property.
func (k *kotlin) isField(n node) bool { return k.has(n, ktVal) || k.has(n, ktVar) }
