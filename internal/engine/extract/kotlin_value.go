package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// The functions below write the type of a value as an expression (code.RecvExpr), where the file itself does not show it.

// maxKotlinValue is the length of the longest type expression that is kept, and maxKotlinSteps the number of steps of a chain of calls
// that are followed, because each call of a chain repeats all calls before it.
const (
	maxKotlinValue = 120
	maxKotlinSteps = 8
)

// typeOrValue returns the type of a value as Ref.Recv: its name if the file shows it, else an expression, "" if nothing is known.
func (k *kotlin) typeOrValue(n node) string {
	if typ := k.valueType(n); typ != "" {
		return typ
	}
	return k.asType(k.value(n, 0))
}

// asType returns an expression in the form of Ref.Recv, "" if it is too long.
func (k *kotlin) asType(e string) string {
	if e == "" || len(e) > maxKotlinValue {
		return ""
	}
	return code.RecvExpr + e
}

// typeExpr returns a type in the form of an expression: the package in front of it, whose names begin with small letters, is left out.
func typeExpr(recv string) string {
	if e, ok := strings.CutPrefix(recv, code.RecvExpr); ok {
		return e
	}
	for rest := recv; rest != ""; {
		if lexical.IsUpper(rest) {
			return rest
		}
		_, rest, _ = strings.Cut(rest, ".")
	}
	return code.LastSegment(recv)
}

// value returns the type expression of a value.
func (k *kotlin) value(n node, steps int) string {
	if steps > maxKotlinSteps {
		return ""
	}
	if typ := k.valueType(n); typ != "" {
		return typeExpr(typ)
	}
	switch first := k.firstNamed(n); k.kind(n) {
	case ktParen, ktUnary:
		return k.value(first, steps+1)
	case ktBinary:
		if k.has(n, ktElvis) {
			return k.value(first, steps+1)
		}
		if callee, typ, _ := k.genericParts(n); callee != none {
			of, _ := strings.CutSuffix(k.callValue(callee, steps), "()")
			return after(of, "{"+k.str(typ)+"}()")
		}
	case ktIdentifier:
		return k.nameValue(n)
	case ktNavigation:
		if name := k.nextNamed(first); name != none && !k.has(n, ktColons) {
			return after(k.value(first, steps+1), "."+k.identifier(name))
		}
	case ktIndex:
		return after(k.value(first, steps+1), "[]")
	case ktCall:
		return k.withTypes(k.callValue(first, steps), k.childKind(n, ktTypeArgs))
	}
	return ""
}

// withTypes returns the expression of a call with the type arguments that are written in it.
func (k *kotlin) withTypes(e string, args node) string {
	of, isCall := strings.CutSuffix(e, "()")
	if args == none || !isCall {
		return e
	}
	var list []string
	for c := k.firstNamed(args); c != none; c = k.nextNamed(c) {
		list = append(list, k.argumentType(orNode(k.typeChild(c), c)))
	}
	if len(list) == 0 {
		return e
	}
	return of + "{" + strings.Join(list, ",") + "}()"
}

// argumentType returns a written type as an expression, with the types around it.
func (k *kotlin) argumentType(n node) string {
	if path := k.str(n); k.kind(n) == ktUserType && lexical.IsUpper(path) && strings.Contains(path, ".") && !strings.ContainsAny(path, "<`/ \t\r\n") {
		return path
	}
	return typeExpr(orUnknown(k.declaredType(n)))
}

// nameValue returns the type expression of a plain name: a variable, or a type itself.
func (k *kotlin) nameValue(n node) string {
	name := k.identifier(n)
	b := k.names.lookup(name)
	switch {
	case b == nil, b.isEither(bindTop, bindImport):
		return name
	case b.typ != "":
		return typeExpr(b.typ)
	case b.is(bindNested) && !b.isType:
		return after(k.class.name, "."+name)
	}
	return ""
}

// callValue returns the type expression of the result of calling callee.
func (k *kotlin) callValue(callee node, steps int) string {
	switch k.kind(callee) {
	case ktIdentifier:
		name := k.identifier(callee)
		switch b := k.names.lookupCallable(name); {
		case b.is(bindLocal):
			return ""
		case b.is(bindNested):
			return after(k.class.name, "."+name+"()")
		}
		return name + "()"
	case ktNavigation:
		object := k.firstNamed(callee)
		name := k.identifier(k.nextNamed(object))
		of := k.value(object, steps+1)
		switch {
		case of == "", name == "":
			return ""
		case name == "also", name == "apply":
			return of
		case builtin.KotlinScopeFunction(name):
			return ""
		}
		return of + "." + name + "()"
	}
	return ""
}

// declaredType returns a written type as Ref.Recv. A collection of the language keeps its type arguments.
func (k *kotlin) declaredType(n node) string {
	name := k.typeName(n)
	if name == "" || !k.builtin(name) {
		return name
	}
	for k.kind(n) == ktNullable || k.kind(n) == ktParenType {
		n = k.typeChild(n)
	}
	args := k.childKind(n, ktTypeArgs)
	if args == none {
		return name
	}
	var list []string
	for c := k.firstNamed(args); c != none; c = k.nextNamed(c) {
		arg := k.declaredType(orNode(k.typeChild(c), c))
		if arg == "" {
			arg = "?"
		}
		list = append(list, typeExpr(arg))
	}
	if e := name + "{" + strings.Join(list, ",") + "}"; len(list) > 0 && len(e) <= maxKotlinValue {
		return code.RecvExpr + e
	}
	return name
}

func orNode(a, b node) node {
	if a != none {
		return a
	}
	return b
}

// lambda reads a lambda. The value that is passed to it is known for the functions of the language that pass a value or its elements.
func (k *kotlin) lambda(n node) {
	defer k.aroundNames(k.lambdaOwner(n), len(k.facts.Refs))
	k.names.push()
	params := k.childKind(n, ktLambdaParams)
	typ, passes := k.passedType(n)
	switch first := k.firstNamed(params); {
	case params == none && (passes || k.names.lookup("it") != nil):
		k.names.bind(binding{name: "it", what: bindLocal, typ: typ})
	case passes && k.kind(first) == ktVariable && k.nextNamed(first) == none && k.typeChild(first) == none:
		k.bindLocal(k.childKind(first, ktIdentifier), typ)
		for c := k.sibling(params); c != none; c = k.sibling(c) {
			k.walk(c)
		}
		k.names.pop()
		return
	}
	k.children(n)
	k.names.pop()
}

// The bounds of what is recorded of the lambdas around a plain name: their number, and the length of what one is passed to.
const (
	maxLambdas     = 3
	maxLambdaOwner = 80
)

// lambdaOwner returns the function that the lambda n is passed to behind the brackets, as an expression, and for a function of the
// language whose lambda has a receiver "=" and the receiver. It is "" where the lambda has none, or nothing is known.
func (k *kotlin) lambdaOwner(n node) (owner string) {
	call := k.parent(k.parent(n))
	callee := k.firstNamed(call)
	if k.kind(call) != ktCall || k.kind(k.parent(n)) != ktAnnotatedLambda {
		return ""
	}
	if k.kind(callee) == ktCall { // f(x) { … }
		call, callee = callee, k.firstNamed(callee)
	}
	switch k.kind(callee) {
	case ktIdentifier:
		owner = k.identifier(callee)
		if arg := k.firstNamed(k.childKind(call, ktValueArgs)); owner == "with" {
			owner = code.RecvExpr + orUnknown(k.value(k.firstNamed(arg), 0))
			break
		}
		if b := k.names.lookupCallable(owner); b.is(bindNested) && k.class.name != "" {
			owner = k.class.name + "." + owner
		}
	case ktNavigation:
		object := k.firstNamed(callee)
		name := k.identifier(k.nextNamed(object))
		switch of := k.value(object, 0); {
		case name == "apply" || name == "run":
			owner = code.RecvExpr + orUnknown(of)
		case builtin.KotlinScopeFunction(name), builtin.KotlinPassesElement(name), builtin.KotlinPassesSelf(name):
			return ""
		default:
			owner = orUnknown(of) + "." + name
		}
	}
	if len(owner) > maxLambdaOwner || strings.ContainsAny(owner, ";") {
		return ""
	}
	return owner
}

// aroundNames records, at the references to plain names from index before on, the function that the lambda around them is passed to: its
// receiver may have a member of the name.
func (k *kotlin) aroundNames(owner string, before int) {
	if owner == "" {
		return
	}
	for i := before; i < len(k.facts.Refs); i++ {
		r := &k.facts.Refs[i]
		plain := r.Via == code.ViaBare || r.Via == code.ViaLocal || r.Via == code.ViaImport
		isType := r.Kind != code.RefCall && r.Kind != code.RefUse || lexical.IsUpper(r.Name)
		switch {
		case !plain || isType || r.Scope != k.owner:
		case r.Args == "":
			r.Args = code.ArgsAround + owner
		case strings.Count(r.Args, ";") < maxLambdas-1:
			r.Args += ";" + owner
		}
	}
}

// passedType returns the type of the value that a function passes to the lambda n, and reports whether it passes one that is known.
func (k *kotlin) passedType(n node) (typ string, passes bool) {
	call := k.parent(k.parent(n))
	callee := k.firstNamed(call)
	if k.kind(call) != ktCall || k.kind(callee) != ktNavigation {
		return "", false
	}
	object := k.firstNamed(callee)
	name := k.identifier(k.nextNamed(object))
	switch {
	case builtin.KotlinPassesSelf(name):
		return k.typeOrValue(object), true
	case builtin.KotlinPassesElement(name):
		return k.asType(after(k.value(object, 0), "[]")), true
	}
	return "", false
}

// hint records the type of the value that a function or property without a written type has.
func (k *kotlin) hint(sym int32, value node) {
	if sym < 0 || value == none {
		return
	}
	if typ := typeExpr(k.typeOrValue(value)); typ != "" && lexical.IsWordStart(typ[0]) {
		k.facts.Types = append(k.facts.Types, code.TypeHint{Symbol: sym, Type: typ})
	}
}

// sortHints brings the recorded types into the order of the symbols.
func (k *kotlin) sortHints() {
	slices.SortFunc(k.facts.Types, func(a, b code.TypeHint) int { return int(a.Symbol) - int(b.Symbol) })
}

// template reads a string with the names that its templates hold. The grammar has no node for some names without brackets ($name), so they
// are looked for in the text.
func (k *kotlin) template(n node) {
	before := len(k.facts.Refs)
	k.children(n)
	text := k.str(n)
	for i := strings.IndexByte(text, '$'); i >= 0 && i+1 < len(text); {
		end := i + 1
		for end < len(text) && lexical.IsWord(text[end]) && text[end] != '$' {
			end++
		}
		if name := text[i+1 : end]; name != "" && lexical.IsWordStart(name[0]) && (i == 0 || text[i-1] != '\\') {
			k.templateName(n, uint32(i+1), name, before)
		}
		next := strings.IndexByte(text[end:], '$')
		if i = end + next; next < 0 {
			return
		}
	}
}

// templateName records the use of a name at an offset of the string n, unless the references from index before on have it.
func (k *kotlin) templateName(n node, offset uint32, name string, before int) {
	start := k.start(n) + offset
	if slices.ContainsFunc(k.facts.Refs[before:], func(r code.Ref) bool { return r.Start == start }) {
		return
	}
	if b := k.names.lookup(name); b.is(bindLocal) || b == nil && name == "it" {
		return
	}
	had := len(k.facts.Refs)
	k.plainName(n, name, code.RefUse)
	for i := had; i < len(k.facts.Refs); i++ {
		r := &k.facts.Refs[i]
		r.Start, r.End = start, start+uint32(len(name))
		r.Line += uint32(strings.Count(k.str(n)[:offset], "\n"))
	}
}

// namedArgument records the use of a property by the name of an argument of its class's constructor. Parameters of functions have no
// references.
func (k *kotlin) namedArgument(n node) {
	call := k.parent(k.parent(n))
	name := k.childKind(n, ktIdentifier)
	typ := ""
	switch k.kind(call) {
	case ktCall:
		typ = k.constructedType(k.firstNamed(call))
	case ktCtorInvocation: // of an annotation or a base
		typ = k.typeName(k.typeChild(call))
	}
	if typ != "" && name != none {
		k.ref(name, code.Ref{Name: k.identifier(name), Kind: code.RefUse, Via: code.ViaTyped, Recv: typ})
	}
}
