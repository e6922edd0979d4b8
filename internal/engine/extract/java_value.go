package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// The functions below write the type of a value as an expression (code.RecvExpr), which is
// followed into other files when a question is asked. "" means that nothing is known.

// maxJavaValue is the length of the longest type expression that is kept, because each
// call of a chain repeats all calls before it.
const maxJavaValue = 160

// value returns the type expression of n, "" if nothing is known.
func (j *java) value(n node) string {
	e, ok := j.values[n]
	if !ok {
		if e = j.valueExpr(n); len(e) > maxJavaValue {
			e = ""
		}
		if k := j.kind(n); k == jvInvocation || k == jvFieldAccess {
			j.values[n] = e
		}
	}
	return e
}

func (j *java) valueExpr(n node) string {
	switch j.kind(n) {
	case jvParenthesized:
		return j.value(j.firstNamed(n))
	case jvNew, jvCast:
		return j.typeExpr(j.child(n, jvfType))
	case jvThis:
		return j.class.path
	case jvSuper:
		return orElse(j.class.basePath, j.class.path)
	case jvIdentifier:
		return j.nameValue(n)
	case jvFieldAccess:
		return j.fieldValue(n)
	case jvInvocation:
		return j.callValue(n)
	case jvTernary:
		if e := j.value(j.child(n, jvfConsequence)); e != "" && e != "null" {
			return e
		}
		return j.value(j.child(n, jvfAlternative))
	case jvAssignment:
		return j.value(j.child(n, jvfRight))
	case jvArrayAccess:
		return after(j.value(j.child(n, jvfArray)), "[]")
	case jvArrayCreation:
		return j.arrayExpr(j.typeExpr(j.child(n, jvfType)), max(1, strings.Count(j.str(j.child(n, jvfDimensions)), "[")))
	case jvLambda, jvMethodReference:
		return "lambda"
	}
	return j.literalValue(n)
}

// literalValue returns the type of a literal or of an operator's result.
func (j *java) literalValue(n node) string {
	text := j.str(n)
	switch j.kind(n) {
	case jvString:
		return "String"
	case jvChar:
		return "char"
	case jvDecimal, jvHex, jvOctal, jvBinary:
		if strings.HasSuffix(text, "l") || strings.HasSuffix(text, "L") {
			return "long"
		}
		return "int"
	case jvFloat, jvHexFloat:
		if strings.HasSuffix(text, "f") || strings.HasSuffix(text, "F") {
			return "float"
		}
		return "double"
	case jvTrue, jvFalse, jvInstanceof:
		return "boolean"
	case jvNull:
		return "null"
	case jvClassLiteral:
		return "Class"
	case jvUnary:
		if strings.HasPrefix(text, "!") {
			return "boolean"
		}
		return j.value(j.child(n, jvfOperand))
	case jvBinaryExpression:
		return j.binaryValue(n)
	}
	return ""
}

func (j *java) binaryValue(n node) string {
	switch j.str(j.child(n, jvfOperator)) {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "boolean"
	}
	left, right := j.value(j.child(n, jvfLeft)), j.value(j.child(n, jvfRight))
	switch {
	case left == "String" || right == "String":
		return "String"
	case left != right:
	case left == "int", left == "long", left == "double":
		return left
	}
	return ""
}

// after returns the type expression e with one more step, or "" if e is not known.
func after(e, step string) string {
	if e == "" {
		return ""
	}
	return e + step
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// nameValue returns the type of a plain name: a variable, or a type itself.
func (j *java) nameValue(n node) string {
	name := j.str(n)
	b := j.names.lookup(name)
	switch {
	case b == nil && lexical.IsUpper(name):
		return name
	case b == nil:
		if j.mayInherit() {
			return after(j.class.path, "."+name)
		}
		return ""
	case b.isEither(bindLocal, bindNested):
		if strings.HasSuffix(b.expr, "()") { // a method
			return ""
		}
		return b.expr
	}
	return name
}

// fieldValue returns the type expression of x.f. A package in front of a type is left out,
// because the import that is made for it has the name of the type.
func (j *java) fieldValue(n node) string {
	object, name := j.qualifierNode(n), j.child(n, jvfField)
	switch {
	case j.kind(name) == jvThis:
		return j.value(object)
	case j.kind(object) == jvIdentifier, j.kind(object) == jvFieldAccess:
		if j.isPackage(object) {
			if lexical.IsUpper(j.str(name)) {
				return j.str(name)
			}
			return ""
		}
	}
	return after(j.value(object), "."+j.str(name))
}

// isPackage reports whether a chain of names a.b.c is the name of a package.
func (j *java) isPackage(n node) bool {
	for j.kind(n) == jvFieldAccess {
		if lexical.IsUpper(j.fieldStr(n, jvfField)) {
			return false
		}
		n = j.child(n, jvfObject)
	}
	if j.kind(n) != jvIdentifier || j.names.lookup(j.str(n)) != nil {
		return false
	}
	return !lexical.IsUpper(j.str(n)) && j.leadsToType(j.parent(n))
}

// callValue returns the type of a call's result.
func (j *java) callValue(n node) string {
	name := j.child(n, jvfName)
	switch j.str(name) {
	case "toString":
		return "String"
	case "hashCode":
		return "int"
	case "getClass":
		return "Class"
	}
	if j.child(n, jvfObject) == none && !j.has(n, jvSuper) {
		return j.functionValue(j.str(name))
	}
	e := j.value(j.qualifierNode(n))
	switch {
	case e == "":
		return ""
	case e == "String" && builtin.IsStringMethod(j.str(name)), j.str(name) == "valueOf" && builtin.IsBoxed(e):
		return e
	}
	e += "." + j.str(name)
	if mapped := j.mapCallResult(n); mapped != "" {
		e += "{" + mapped + "}"
	}
	return e + "()"
}

// functionValue returns the type expression of the result of calling the plain name. Its
// binding is told from that of a field with the same name by the call in its expression.
func (j *java) functionValue(name string) string {
	b := j.names.lookupCallable(name)
	if b.is(bindLocal) {
		b = nil
	}
	switch {
	case b == nil && j.mayInherit():
		return after(j.class.path, "."+name+"()")
	case b == nil:
		return ""
	case b.is(bindNested) && strings.HasSuffix(b.expr, "()"):
		return b.expr
	case b.is(bindImport):
		return b.target + "()"
	}
	return ""
}

// mapCallResult returns the result type of the function that is passed to map and similar methods.
func (j *java) mapCallResult(n node) string {
	switch j.fieldStr(n, jvfName) {
	case "map", "mapToObj", "flatMap", "thenApply", "thenCompose":
	default:
		return ""
	}
	f := j.firstNamed(j.child(n, jvfArguments))
	switch j.kind(f) {
	case jvLambda:
		body := j.child(f, jvfBody)
		if j.kind(body) == jvBlock {
			return ""
		}
		j.names.push()
		j.bindLambda(f)
		e := j.value(body)
		j.names.pop()
		return e
	case jvMethodReference:
		object := j.firstNamed(f)
		if strings.HasSuffix(j.str(f), "::new") {
			return j.typeOrValueExpr(object)
		}
		if _, name, ok := strings.Cut(j.str(f), "::"); ok && object != none && !strings.ContainsAny(name, "<: \n") {
			return after(j.typeOrValueExpr(object), "."+name+"()")
		}
	}
	return ""
}

// typeOrValueExpr returns the type expression of a node that may be a type or a value.
func (j *java) typeOrValueExpr(n node) string {
	switch j.kind(n) {
	case jvTypeIdentifier, jvScopedType, jvGenericType, jvArrayType:
		return j.typeExpr(n)
	}
	return j.value(n)
}

// bindLambda binds those parameters of a lambda that have no written types. Their
// types are known if a method of a collection passes the values.
func (j *java) bindLambda(n node) {
	params := j.child(n, jvfParameters)
	switch j.kind(params) {
	case jvIdentifier:
		j.bindLocal(params, "", j.passedValue(n, 0, 1))
	case jvInferredParameters:
		count := 0
		for c := j.firstNamed(params); c != none; c = j.nextNamed(c) {
			count++
		}
		i := 0
		for c := j.firstNamed(params); c != none; c = j.nextNamed(c) {
			j.bindLocal(c, "", j.passedValue(n, i, count))
			i++
		}
	}
}

// passedValue returns the type of value i of the count values that a method passes to the function n.
func (j *java) passedValue(n node, i, count int) string {
	call := j.parent(j.parent(n))
	if j.kind(j.parent(n)) == jvDeclarator {
		return j.functionParameter(j.child(call, jvfType), i)
	}
	if j.kind(call) != jvInvocation || j.child(call, jvfArguments) != j.parent(n) || j.child(call, jvfObject) == none {
		return ""
	}
	from := j.value(j.child(call, jvfObject))
	if from == "" {
		return ""
	}
	switch j.fieldStr(call, jvfName) {
	case "forEach", "replaceAll", "compute", "computeIfPresent":
		if count == 2 && i == 0 {
			return from + "[k]"
		}
		return from + "[]"
	case "computeIfAbsent":
		return from + "[k]"
	case "map", "mapToObj", "mapToInt", "mapToLong", "mapToDouble", "flatMap", "filter", "anyMatch", "allMatch", "noneMatch", "peek",
		"ifPresent", "ifPresentOrElse", "removeIf", "sorted", "sort", "reduce", "takeWhile", "dropWhile", "forEachOrdered", "merge",
		"min", "max", "thenApply", "thenAccept", "thenCompose", "forEachRemaining":
		return from + "[]"
	}
	return ""
}

// functionParameter returns the type of parameter i of a function whose written type is an interface of java.util.function, or a
// Comparator: Function<A, B> takes A. It is "" for other types.
func (j *java) functionParameter(typ node, i int) string {
	name := j.lastName(typ)
	if b := j.names.lookupType(j.str(name)); b != nil && !b.is(bindImport) {
		return "" // declared in the file
	}
	switch j.str(name) {
	case "Function", "Predicate", "Consumer", "UnaryOperator", "ToIntFunction", "ToLongFunction", "ToDoubleFunction",
		"ObjIntConsumer", "ObjLongConsumer", "ObjDoubleConsumer":
		if i > 0 {
			return ""
		}
	case "Comparator", "BinaryOperator":
		i = 0
	case "BiFunction", "BiPredicate", "BiConsumer", "ToIntBiFunction", "ToLongBiFunction", "ToDoubleBiFunction":
	default:
		return ""
	}
	for j.kind(typ) == jvAnnotatedType || j.kind(typ) == jvScopedType {
		typ = j.lastNamed(typ)
	}
	if j.kind(typ) != jvGenericType {
		return ""
	}
	arg := j.firstNamed(j.childKind(typ, jvTypeArguments))
	for ; i > 0; i-- {
		arg = j.nextNamed(arg)
	}
	if j.kind(arg) == jvWildcard { // ? super T
		arg = j.lastNamed(arg)
	}
	return j.typeExpr(arg)
}

// lastNamed returns the last child of n that is neither anonymous nor a comment, or none.
func (j *java) lastNamed(n node) (last node) {
	for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
		last = c
	}
	return last
}

// typeExpr returns the type expression of a written type.
func (j *java) typeExpr(n node) string {
	e := ""
	switch j.kind(n) {
	case jvTypeIdentifier, jvIdentifier:
		return j.typeNameExpr(j.str(n))
	case jvIntegralType, jvFloatingType, jvBooleanType:
		return j.str(n)
	case jvArrayType:
		e = j.arrayExpr(j.typeExpr(j.child(n, jvfElement)), strings.Count(j.str(j.child(n, jvfDimensions)), "["))
	case jvAnnotatedType:
		for c := j.firstNamed(n); c != none && e == ""; c = j.nextNamed(c) {
			if !j.isAnnotation(c) {
				e = j.typeExpr(c)
			}
		}
	case jvScopedType:
		e = j.scopedExpr(n)
	case jvGenericType:
		e = j.genericExpr(n)
	case jvWildcard:
		e = j.typeExpr(j.firstNamed(n))
	}
	if len(e) > maxJavaValue {
		return ""
	}
	return e
}

func (j *java) arrayExpr(e string, dimensions int) string {
	if e == "" || dimensions > 3 {
		return ""
	}
	return strings.Repeat("[", dimensions) + e + strings.Repeat("]", dimensions)
}

// typeNameExpr returns a type by its path from the top of the file, or the bound of a type
// parameter extends.
func (j *java) typeNameExpr(name string) string {
	if b := j.names.lookup(name); b.isEither(bindLocal, bindNested) && b.isType {
		return b.expr
	}
	if name == "var" {
		return ""
	}
	return name
}

// scopedExpr returns the type expression of a.b.Outer.Inner, without the package.
func (j *java) scopedExpr(n node) string {
	segments := strings.FieldsFunc(stripArguments(j.str(n)), isTypeSeparator)
	for len(segments) > 1 && !lexical.IsUpper(segments[0]) {
		segments = segments[1:]
	}
	if len(segments) == 0 || strings.ContainsAny(j.str(n), "@/") {
		return ""
	}
	segments[0] = j.typeNameExpr(segments[0])
	if segments[0] == "" {
		return ""
	}
	return strings.Join(segments, ".")
}

// genericExpr returns the type expression of T<A, B>, which is T{A,B}.
func (j *java) genericExpr(n node) string {
	head := j.firstNamed(n)
	e := j.typeExpr(head)
	args := j.childKind(n, jvTypeArguments)
	if e == "" || j.firstNamed(args) == none {
		return e
	}
	var b strings.Builder
	b.WriteString(e)
	sep := byte('{')
	for c := j.firstNamed(args); c != none && b.Len() <= maxJavaValue; c = j.nextNamed(c) {
		b.WriteByte(sep)
		b.WriteString(orElse(j.typeExpr(c), "?"))
		sep = ','
	}
	b.WriteByte('}')
	return b.String()
}

// passes records the arguments of a call at the reference to the called name, which
// is among the references from index from on.
func (j *java) passes(name, args node, from int) {
	for i := from; i < len(j.facts.Refs); i++ {
		if r := &j.facts.Refs[i]; r.Kind == code.RefCall && r.Start == j.start(name) {
			r.Args = j.args(args)
			return
		}
	}
}

// lastName returns the node of a type's own name, without package, outer types and arguments.
func (j *java) lastName(n node) node {
	for {
		switch j.kind(n) {
		case jvGenericType, jvAnnotatedType:
			n = j.firstNamed(n)
			for j.isAnnotation(n) {
				n = j.nextNamed(n)
			}
		case jvScopedType:
			last := none
			for c := j.firstNamed(n); c != none; c = j.nextNamed(c) {
				if k := j.kind(c); k == jvTypeIdentifier || k == jvIdentifier {
					last = c
				}
			}
			return last
		default:
			return n
		}
	}
}

// args returns the arguments of a call in the form of Ref.Args.
func (j *java) args(list node) string {
	if list == none {
		return ""
	}
	var b strings.Builder
	b.WriteByte('(')
	for c := j.firstNamed(list); c != none; c = j.nextNamed(c) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if e := j.value(c); e != "" && b.Len()+len(e) <= maxJavaValue {
			b.WriteString(e)
		} else {
			b.WriteByte('?')
		}
	}
	b.WriteByte(')')
	return b.String()
}
