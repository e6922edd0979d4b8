package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/rustword"
)

// The receivers of members are written as expressions (code.RecvExpr) whose types other
// files decide: results of functions, fields, the contents of Option, Result and the
// containers of std hold. A step `.?` is the result of unwrapping, `.await` the result of
// waiting for it; smart pointers and references are left out, because members are looked
// for in the type they point to.

// maxRustChain is the length up to which chains of calls are followed, and maxRustExpr
// the length of the longest type expression.
const (
	maxRustChain = 12
	maxRustExpr  = 160
)

// expression returns the type of v as a type expression, "" if nothing is known.
func (v rustValue) expression() string {
	if v.expr != "" {
		return v.expr
	}
	return lastName(v.typ)
}

// with returns a type expression with one more step, or "" if the expression is empty or becomes too long.
func (r *rust) with(expr, step string) string {
	if expr == "" || step == "." || len(expr)+len(step) > maxRustExpr {
		return ""
	}
	return expr + step
}

// typedValue returns a value of the type that is written at n.
func (r *rust) typedValue(n node) rustValue {
	v := rustValue{typ: r.typeName(n)}
	if v.typ == "" || rustword.Holder(lastName(v.typ)) {
		v.expr = r.typeExpr(n, maxRustChain)
	}
	return v
}

// value returns the type of an expression if the file shows it.
func (r *rust) value(n node) rustValue {
	v := rustValue{typ: r.valueType(n, 8)}
	if v.typ == "" || rustword.Holder(lastName(v.typ)) {
		v.expr = r.valueExpr(n, maxRustChain)
	}
	return v
}

// receiver returns the type of a value in front of a dot in the form of Ref.Recv.
func (r *rust) receiver(n node) string {
	inner := n
	for r.kind(inner) == rsParenthesized {
		inner = r.firstNamed(inner)
	}
	if r.kind(inner) == rsRange {
		return code.RecvExpr + code.RecvRange
	}
	v := r.value(n)
	if v.expr == "" || v.expr == lastName(v.typ) {
		return v.typ
	}
	return r.recvExpr(v.expr, v.typ)
}

// recvExpr returns a type expression in the form of Ref.Recv, or otherwise if the expression is too long.
func (r *rust) recvExpr(expr, otherwise string) string {
	if !r.mayRepeat(expr) {
		return otherwise
	}
	return code.RecvExpr + expr
}

// valueExpr returns the type expression of a value, or "" if nothing is known.
func (r *rust) valueExpr(n node, depth int) string {
	if depth == 0 || n == none {
		return ""
	}
	switch r.kind(n) {
	case rsSelf:
		return r.self
	case rsIdentifier:
		return r.nameExpr(strings.TrimPrefix(r.str(n), "r#"))
	case rsFieldExpression:
		of, name := r.child(n, rsfValue), r.fieldStr(n, rsfField)
		if _, isParam := r.fieldParams[rustName{r.self, name}]; isParam && r.kind(of) == rsSelf {
			if bound := r.fieldType(r.self, name); bound != "" {
				return lastName(bound)
			}
		}
		return r.with(r.valueExpr(of, depth-1), fieldStep(name))
	case rsStructExpression:
		return lastName(r.typeName(r.child(n, rsfName)))
	case rsReference:
		return r.valueExpr(r.child(n, rsfValue), depth-1)
	case rsParenthesized, rsUnary:
		return r.valueExpr(r.firstNamed(n), depth-1)
	case rsTry:
		return r.with(r.valueExpr(r.firstNamed(n), depth-1), ".?")
	case rsAwait:
		return r.with(r.valueExpr(r.firstNamed(n), depth-1), ".await")
	case rsIndex:
		return r.with(r.valueExpr(r.firstNamed(n), depth-1), "[]")
	case rsCall:
		return r.callExpr(n, r.child(n, rsfFunction), depth-1)
	}
	return ""
}

// nameExpr returns the type expression of a plain name.
func (r *rust) nameExpr(name string) string {
	switch b := r.names.lookup(name); {
	case b != nil && b.what == bindLocal:
		return rustValue{b.typ, b.expr}.expression()
	case b == nil && builtin.RustPrelude(name):
		return ""
	}
	return name
}

// fieldStep returns the step of a type expression that leads to a field, or to an element of a tuple.
func fieldStep(name string) string {
	if name != "" && lexical.IsDigit(name[0]) {
		return "[" + name + "]"
	}
	return "." + strings.TrimPrefix(name, "r#")
}

// callExpr returns the type expression of the call n, which calls fn.
func (r *rust) callExpr(n, fn node, depth int) string {
	switch r.kind(fn) {
	case rsGenericFunction:
		return r.callExpr(n, r.child(fn, rsfFunction), depth)
	case rsFieldExpression:
		return r.with(r.valueExpr(r.child(fn, rsfValue), depth), "."+strings.TrimPrefix(r.fieldStr(fn, rsfField), "r#")+"()")
	case rsIdentifier:
		name := r.str(fn)
		switch b := r.names.lookup(name); {
		case b != nil && b.what == bindLocal:
			return ""
		case name == "Some" || name == "Ok":
			if arg := r.valueExpr(r.firstNamed(r.child(n, rsfArguments)), depth); arg != "" && len(arg) < maxRustExpr {
				return "Option{" + arg + "}"
			}
			return ""
		case lexical.IsUpper(name):
			return r.nameExpr(name)
		}
		return name + "()"
	case rsScopedIdentifier:
		return r.pathCall(n, fn, depth)
	}
	return ""
}

// pathCall returns the type expression of the call n, which calls the path fn.
func (r *rust) pathCall(n, fn node, depth int) string {
	name, of := r.fieldStr(fn, rsfName), lastName(r.typeName(r.child(fn, rsfPath)))
	switch {
	case of == "" || !lexical.IsUpper(of):
		if r.modulePath(r.child(fn, rsfPath)) == "" || lexical.IsUpper(name) {
			return ""
		}
		return name + "()"
	case r.wraps(of) && rustword.Wraps(name):
		return r.valueExpr(r.firstNamed(r.child(n, rsfArguments)), depth)
	case lexical.IsUpper(name): // a variant
		return of
	case rustword.Holder(of): // its content is not written
		return ""
	}
	return r.with(of, "."+name+"()")
}

// wraps reports whether a type is a smart pointer of the standard library, and not a type of this file.
func (r *rust) wraps(typ string) bool {
	name := lastName(typ)
	if !rustword.Transparent(name) && !rustword.Cell(name) {
		return false
	}
	b := r.names.lookup(name)
	return b == nil || b.what == bindImport
}

// typeExpr returns a written type as a type expression, without pointers and references.
func (r *rust) typeExpr(n node, depth int) string {
	if depth == 0 {
		return ""
	}
	switch r.kind(n) {
	case rsReferenceType, rsPointerType:
		return r.typeExpr(r.child(n, rsfType), depth-1)
	case rsDynamicType, rsAbstractType:
		return r.typeExpr(r.child(n, rsfTrait), depth-1)
	case rsBoundedType, rsTraitBounds:
		return r.typeExpr(r.firstNamed(n), depth-1)
	case rsTupleType:
		return r.typeList("", "(", n, ")", depth)
	case rsArrayType:
		return r.with("["+orUnknown(r.typeExpr(r.firstNamed(n), depth-1)), "]")
	case rsGenericType:
		name := lastName(r.typeName(r.child(n, rsfType)))
		args := r.child(n, rsfTypeArguments)
		if r.wraps(name) {
			return r.typeExpr(r.firstType(args), depth-1)
		}
		if name == "" || r.firstType(args) == none {
			return name
		}
		return r.typeList(name, "{", args, "}", depth)
	}
	return lastName(r.typeName(n))
}

// firstType returns the first of some type arguments that is a type.
func (r *rust) firstType(args node) node {
	n := r.firstNamed(args)
	for r.kind(n) == rsLifetime {
		n = r.nextNamed(n)
	}
	return n
}

// typeList returns a list of types with the text before, around and after it.
func (r *rust) typeList(name, open string, list node, end string, depth int) string {
	var parts []string
	for c := r.firstType(list); c != none; c = r.nextNamed(c) {
		if r.kind(c) == rsTypeBinding { // Iterator<Item = T>
			c := r.child(c, rsfType)
			parts = append(parts, orUnknown(r.typeExpr(c, depth-1)))
			continue
		}
		parts = append(parts, orUnknown(r.typeExpr(c, depth-1)))
	}
	out := name + open + strings.Join(parts, ",") + end
	if len(parts) == 0 || len(out) > maxRustExpr {
		return ""
	}
	return out
}

func orUnknown(expr string) string {
	if expr == "" {
		return "?"
	}
	return expr
}

// arguments reads the arguments of the call n. If a method of a container, an Option or an
// iterator takes a closure, the closure's parameter has the type of the elements.
func (r *rust) arguments(n node) {
	fn := r.child(n, rsfFunction)
	args := r.child(n, rsfArguments)
	if r.kind(fn) == rsFieldExpression && r.has(args, rsClosure) && rustword.GivesEach(r.fieldStr(fn, rsfField)) {
		r.closureArg = r.with(r.valueExpr(r.child(fn, rsfValue), maxRustChain), "[k]")
	}
	r.walk(args)
	r.closureArg = ""
}
