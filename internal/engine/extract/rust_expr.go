package extract

import (
	"cmp"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/rustword"
)

// rustBind is a name that a pattern declares, with the type of its value if known.
type rustBind struct {
	name string
	rustValue
}

// rustValue is the type of a value as far as the source shows it: typ is its type's name,
// expr an expression (code.RecvExpr, without its mark). Both are "" if it shows nothing.
type rustValue struct{ typ, expr string }

func (r *rust) children(n node) {
	for c := r.first(n); c != none; c = r.sibling(c) {
		r.walk(c)
	}
}

// walk reads any node. It is a switch over the kinds of the grammar; for a kind
// without a case it reads the children.
func (r *rust) walk(n node) {
	if r.after(n) == n+1 && !r.isNamed(n) {
		return
	}
	switch r.kind(n) {
	case rsIdentifier:
		if !r.isError(r.parent(n)) { // there, keywords are identifiers too
			r.nameRef(n, code.RefUse)
		}
	case rsTypeIdentifier, rsScopedTypeIdentifier, rsGenericType:
		r.typeRef(n, code.RefType)
	case rsScopedIdentifier:
		r.path(n, code.RefUse)
	case rsCall:
		r.callee(r.child(n, rsfFunction), code.RefCall)
		r.arguments(n)
	case rsFieldExpression, rsGenericFunction:
		r.callee(n, code.RefUse)
	case rsStructExpression:
		r.structExpression(n)
	case rsMacroInvocation:
		r.invocation(n)
	case rsBlock:
		r.block(n)
	case rsLet:
		r.let(n)
	case rsLetCondition:
		mark := len(r.patternNames)
		r.pattern(r.child(n, rsfPattern), r.value(r.child(n, rsfValue)))
		r.walk(r.child(n, rsfValue))
		r.bindFrom(mark)
	case rsIf:
		r.ifExpression(n)
	case rsWhile:
		r.walkScope(n)
	case rsMatchArm:
		r.matchArm(n)
	case rsFor:
		r.forLoop(n)
	case rsClosure:
		r.walkScope(n)
	case rsClosureParameters:
		r.closureParameters(n)
	case rsParameter:
		r.parameter(n)
	case rsTypeBinding:
		r.walk(r.child(n, rsfTypeArguments))
		r.walk(r.child(n, rsfType))
	case rsHigherRankedBound:
		r.walkScope(n)
	case rsTypeParameter, rsConstParameter:
		r.itemParts(n)
	case rsLifetime, rsLabel, rsUseBounds, rsVisibility, rsMetavariable, rsLineComment, rsBlockComment, rsSelfParameter:
	case rsTokenTree:
		r.tokens(n)
	default:
		if !r.item(n) {
			r.children(n)
		}
	}
}

// walkScope reads n's children in a new scope of names.
func (r *rust) walkScope(n node) {
	r.names.push()
	r.children(n)
	r.names.pop()
}

func (r *rust) block(n node) {
	r.names.push()
	r.declareAll(n, bindNested)
	r.children(n)
	r.flush()
	r.names.pop()
}

func (r *rust) let(n node) {
	r.flush()
	typ, value := r.child(n, rsfType), r.child(n, rsfValue)
	v := r.typedValue(typ)
	if typ == none {
		v = r.value(value)
	}
	mark := len(r.patternNames)
	r.pattern(r.child(n, rsfPattern), v)
	r.walk(typ)
	r.walk(value)
	r.walk(r.child(n, rsfAlternative))
	r.bindFrom(mark)
}

// ifExpression reads an if. Names that its conditions declare are not visible in the
// else branch.
func (r *rust) ifExpression(n node) {
	r.names.push()
	r.walk(r.child(n, rsfCondition))
	r.walk(r.child(n, rsfConsequence))
	r.names.pop()
	r.walk(r.child(n, rsfAlternative))
}

func (r *rust) matchArm(n node) {
	r.names.push()
	arm, mark := r.child(n, rsfPattern), len(r.patternNames)
	matched := r.value(r.child(r.parent(r.parent(n)), rsfValue))
	for c := r.firstNamed(arm); c != none; c = r.nextNamed(c) {
		if r.nodeField(c) == rsfCondition {
			r.bindFrom(mark)
			r.walk(c)
			continue
		}
		r.pattern(c, matched)
	}
	r.bindFrom(mark)
	r.walk(r.child(n, rsfValue))
	r.names.pop()
}

func (r *rust) forLoop(n node) {
	r.names.push()
	mark := len(r.patternNames)
	r.pattern(r.child(n, rsfPattern), rustValue{expr: r.with(r.valueExpr(r.child(n, rsfValue), maxRustChain), "[k]")})
	r.walk(r.child(n, rsfValue))
	r.bindFrom(mark)
	r.walk(r.child(n, rsfBody))
	r.names.pop()
}

func (r *rust) closureParameters(n node) {
	mark, given := len(r.patternNames), rustValue{expr: r.closureArg}
	r.closureArg = ""
	for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
		if r.kind(c) == rsParameter {
			r.parameter(c)
		} else {
			r.pattern(c, given)
		}
		given = rustValue{}
	}
	r.bindFrom(mark)
}

func (r *rust) parameter(n node) {
	typ, mark := r.child(n, rsfType), len(r.patternNames)
	r.pattern(r.child(n, rsfPattern), r.typedValue(typ))
	r.walk(typ)
	r.bindFrom(mark)
}

// bindFrom binds the names that patterns have recorded, from index mark on.
func (r *rust) bindFrom(mark int) {
	for _, b := range r.patternNames[mark:] {
		r.names.bind(binding{name: b.name, what: bindLocal, typ: b.typ, expr: b.expr})
	}
	r.patternNames = r.patternNames[:mark]
}

// pattern records the references in a pattern and notes the names that it declares for
// bindFrom, because they are visible only after the value beside the pattern. v is the
// value. A capitalised name is a constant, unit struct or variant, not a new name.
func (r *rust) pattern(n node, v rustValue) {
	switch r.kind(n) {
	case rsIdentifier:
		if name := r.str(n); lexical.IsUpper(name) {
			r.nameRef(n, code.RefUse)
		} else if name != "" {
			r.patternNames = append(r.patternNames, rustBind{strings.TrimPrefix(name, "r#"), v})
		}
	case rsShorthandField:
		r.patternNames = append(r.patternNames, rustBind{strings.TrimPrefix(r.str(n), "r#"), v})
	case rsTupleStructPattern:
		of := r.child(n, rsfType)
		from := len(r.facts.Refs)
		r.walk(of)
		if r.kind(of) == rsIdentifier && !builtin.RustPrelude(r.str(of)) {
			r.invokes(of, from, code.ArgsTuple)
		}
		inner := rustValue{}
		if name := r.str(of); name == "Some" || name == "Ok" {
			inner.expr = r.with(v.expression(), ".?")
		}
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			if c != of {
				r.pattern(c, inner)
			}
		}
	case rsStructPattern:
		r.structPattern(n)
	case rsScopedIdentifier, rsMacroInvocation, rsGenericPattern:
		r.walk(n)
	case rsAttributeItem:
		r.walk(n)
		r.flush()
	case rsTuplePattern:
		i := 0
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.pattern(c, rustValue{expr: r.with(v.expr, "["+strconv.Itoa(i)+"]")})
			i++
		}
	case rsSlicePattern:
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.pattern(c, rustValue{})
		}
	default: // mut, ref, &, | and similar around a pattern
		inner := rustValue{}
		if k := r.kind(n); k == 0 && r.isNamed(n) {
			inner = v
		}
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.pattern(c, inner)
		}
	}
}

func (r *rust) structPattern(n node) {
	of := r.child(n, rsfType)
	r.walk(of)
	recv := r.typeName(of)
	for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
		if r.kind(c) != rsFieldPattern {
			continue
		}
		name := r.child(c, rsfName)
		r.field(name, code.RefUse, recv)
		v := rustValue{r.fieldType(recv, r.str(name)), r.with(lastName(recv), "."+strings.TrimPrefix(r.str(name), "r#"))}
		if r.kind(name) == rsShorthandField {
			r.pattern(name, v)
		}
		r.pattern(r.child(c, rsfPattern), v)
	}
}

// structExpression reads T { field: value, short, ..base }.
func (r *rust) structExpression(n node) {
	of, body := r.child(n, rsfName), r.child(n, rsfBody)
	r.walk(of)
	recv := r.typeName(of)
	for c := r.firstNamed(body); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rsFieldInitializer:
			r.field(r.child(c, rsfField), code.RefUse, recv)
			r.walk(r.child(c, rsfValue))
		case rsShorthandInitializer:
			r.field(r.childKind(c, rsIdentifier), code.RefUse, recv)
		default:
			r.walk(c)
		}
	}
}

// field records a reference to a member of a value of type recv, "" if that is unknown.
func (r *rust) field(n node, k code.RefKind, recv string) {
	switch name := strings.TrimPrefix(r.str(n), "r#"); {
	case name == "", lexical.IsDigit(name[0]):
	case recv == "":
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaMember})
	default:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaTyped, Recv: recv})
	}
}

// callee reads the called part of a call, or a member access without a call.
func (r *rust) callee(n node, k code.RefKind) {
	switch r.kind(n) {
	case rsIdentifier:
		r.nameRef(n, k)
	case rsScopedIdentifier:
		r.path(n, k)
	case rsGenericFunction:
		r.callee(r.child(n, rsfFunction), k)
		r.walk(r.child(n, rsfTypeArguments))
	case rsFieldExpression:
		value, name := r.child(n, rsfValue), r.child(n, rsfField)
		r.walk(value)
		if r.kind(value) == rsSelf && r.self != "" && r.kind(name) == rsFieldIdentifier {
			r.ref(name, code.Ref{Name: strings.TrimPrefix(r.str(name), "r#"), Kind: k, Via: code.ViaSelf, Recv: r.self})
			return
		}
		r.field(name, k, r.receiver(value))
	default:
		r.walk(n)
	}
}

// valueType returns the name of an expression's type if the file shows it: a declared
// variable or parameter, a field of a struct of this file, T::new(), T { … }. depth
// bounds how far long chains are followed.
func (r *rust) valueType(n node, depth int) string {
	if depth == 0 || n == none {
		return ""
	}
	switch r.kind(n) {
	case rsSelf:
		return r.self
	case rsIdentifier:
		if b := r.names.lookup(r.str(n)); b != nil && b.what == bindLocal {
			return b.typ
		}
	case rsFieldExpression:
		if of := r.valueType(r.child(n, rsfValue), depth-1); of != "" {
			return r.fieldType(of, r.fieldStr(n, rsfField))
		}
	case rsStructExpression:
		return r.typeName(r.child(n, rsfName))
	case rsReference:
		return r.valueType(r.child(n, rsfValue), depth-1)
	case rsParenthesized, rsTry, rsAwait, rsUnary:
		return r.valueType(r.firstNamed(n), depth-1)
	case rsCall:
		return r.callType(r.child(n, rsfFunction), depth)
	}
	return ""
}

// callType returns the type of the result of calling fn, judged by the name of fn alone.
func (r *rust) callType(fn node, depth int) string {
	switch r.kind(fn) {
	case rsIdentifier: // a tuple struct
		if name := r.str(fn); lexical.IsUpper(name) && !builtin.RustPrelude(name) {
			return name
		}
	case rsScopedIdentifier:
		of := r.typeName(r.child(fn, rsfPath))
		switch {
		case r.wraps(of) && rustword.Wraps(r.fieldStr(fn, rsfName)):
			return r.valueType(r.firstNamed(r.child(r.parent(fn), rsfArguments)), depth-1)
		case rustword.Constructor(r.fieldStr(fn, rsfName)) && lexical.IsUpper(lastName(of)):
			return of
		}
	case rsFieldExpression:
		if r.fieldStr(fn, rsfField) == "clone" {
			return r.valueType(r.child(fn, rsfValue), depth-1)
		}
	}
	return ""
}

// typeRef records the references that a type makes; k is the kind of reference for its outermost name.
func (r *rust) typeRef(n node, k code.RefKind) {
	switch r.kind(n) {
	case rsTypeIdentifier, rsIdentifier:
		if r.str(n) != "Self" {
			r.nameRef(n, k)
		}
	case rsScopedTypeIdentifier, rsScopedIdentifier:
		r.path(n, k)
	case rsGenericType, rsTurbofishType:
		r.typeRef(r.child(n, rsfType), k)
		r.walk(r.child(n, rsfTypeArguments))
	default:
		r.walk(n)
	}
}

// bounds records references of kind k to the traits in a list of bounds.
func (r *rust) bounds(n node, k code.RefKind) {
	for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
		if r.kind(c) == rsHigherRankedBound {
			r.names.push()
			r.bindGenerics(c)
			r.typeRef(r.child(c, rsfType), k)
			r.names.pop()
			continue
		}
		r.typeRef(c, k)
	}
}

// bindGenerics binds the type parameters of an item, whose bound counts as their type, and its const parameters. Bounds may
// be written in a where clause, those of the impl around in that of a method.
func (r *rust) bindGenerics(item node) {
	params := r.child(item, rsfTypeParameters)
	for c := r.firstNamed(params); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rsTypeParameter:
			r.names.bind(binding{name: r.fieldStr(c, rsfName), what: bindLocal, typ: r.bound(r.child(c, rsfBounds))})
		case rsConstParameter:
			r.names.bind(binding{name: r.fieldStr(c, rsfName), what: bindLocal})
		}
	}
	where := r.childKind(item, rsWhere)
	for c := r.firstNamed(where); c != none; c = r.nextNamed(c) {
		if r.kind(c) != rsWherePredicate {
			continue
		}
		name := r.fieldStr(c, rsfLeft)
		if b := r.names.lookup(name); b.is(bindLocal) && (b.typ == "" || builtin.RustPrelude(b.typ)) {
			r.names.bind(binding{name: name, what: bindLocal, typ: r.bound(r.child(c, rsfBounds))})
		}
	}
}

// bound returns the name of the first of some bounds that is not of the language itself, or else of the first.
func (r *rust) bound(bounds node) (first string) {
	for c := r.firstNamed(bounds); c != none; c = r.nextNamed(c) {
		of := c
		if r.kind(c) == rsHigherRankedBound {
			of = r.child(c, rsfType)
		}
		name := r.typeName(of)
		if name != "" && !builtin.RustPrelude(name) {
			return name
		}
		first = cmp.Or(first, name)
	}
	return first
}

// typeNames returns the names of the types in a list of type arguments, without lifetimes.
func (r *rust) typeNames(list node) (names []string) {
	for c := r.firstNamed(list); c != none; c = r.nextNamed(c) {
		if r.kind(c) != rsLifetime {
			names = append(names, r.typeName(c))
		}
	}
	return names
}

// typeName returns the name by which values of a type are known: without references,
// pointers, type arguments and the smart pointers around it. For a type parameter it is
// the name of its bound, or "" if there is not exactly one.
func (r *rust) typeName(n node) string {
	for {
		switch r.kind(n) {
		case rsTypeIdentifier, rsIdentifier:
			return r.plainType(r.str(n))
		case rsPrimitiveType:
			return r.str(n)
		case rsScopedTypeIdentifier, rsScopedIdentifier:
			return r.scopedType(n)
		case rsReferenceType, rsPointerType:
			n = r.child(n, rsfType)
		case rsDynamicType, rsAbstractType:
			n = r.child(n, rsfTrait)
		case rsBoundedType, rsTraitBounds:
			n = r.firstNamed(n)
		case rsGenericType, rsTurbofishType:
			of := r.child(n, rsfType)
			arg := r.firstNamed(r.child(n, rsfTypeArguments))
			if r.kind(arg) == rsLifetime {
				arg = r.nextNamed(arg)
			}
			if arg == none || !rustword.Transparent(r.str(of)) {
				arg = of
			}
			n = arg
		default:
			return ""
		}
	}
}

// implName returns the name of the type to which an impl belongs. It is like typeName,
// but keeps smart pointers.
func (r *rust) implName(n node) string {
	for r.kind(n) == rsReferenceType || r.kind(n) == rsPointerType {
		n = r.child(n, rsfType)
	}
	if r.kind(n) == rsGenericType {
		n = r.child(n, rsfType)
	}
	return r.typeName(n)
}

func (r *rust) plainType(name string) string {
	if name == "Self" {
		return r.self
	}
	if b := r.names.lookup(name); b != nil && b.what == bindLocal {
		return b.typ
	}
	return strings.TrimPrefix(name, "r#")
}

// scopedType returns the type a::b::T as "a::b.T", in which the module is spelled as in the
// Spec of an import. A variant or associated type is its name alone.
func (r *rust) scopedType(n node) string {
	qualifier, name := r.child(n, rsfPath), strings.TrimPrefix(r.fieldStr(n, rsfName), "r#")
	if module := r.modulePath(qualifier); module != "" && name != "" {
		return module + "." + name
	}
	for r.kind(qualifier) == rsScopedIdentifier || r.kind(qualifier) == rsScopedTypeIdentifier {
		qualifier = r.child(qualifier, rsfPath)
	}
	associated := r.str(qualifier) == "Self" || r.kind(qualifier) == rsBracketedType
	if associated || !lexical.IsUpper(name) {
		return ""
	}
	return name
}

// modulePath returns the module that n names in the form of an import's Spec, or "" if n is a type.
func (r *rust) modulePath(n node) string {
	switch r.kind(n) {
	case rsCrate, rsSelf, rsSuper:
		return r.join("", r.str(n))
	case rsIdentifier:
		if name := strings.TrimPrefix(r.str(n), "r#"); !lexical.IsUpper(name) {
			if q := r.headModule(name); q.what == rustQualModule {
				return q.path
			}
		}
	case rsScopedIdentifier:
		name := strings.TrimPrefix(r.fieldStr(n, rsfName), "r#")
		if lexical.IsUpper(name) {
			return ""
		}
		if p := r.child(n, rsfPath); p == none {
			return "::" + name
		} else if module := r.modulePath(p); module != "" {
			return r.join(module, name)
		}
	}
	return ""
}

// lastName returns the name of a receiver's type without its module.
func lastName(recv string) string { return recv[strings.LastIndexByte(recv, '.')+1:] }
