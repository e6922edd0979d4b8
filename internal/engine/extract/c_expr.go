package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// children reads the children of n. A call in front of a block is read as a
// macro that stands for the head of a function.
func (c *cxx) children(n node) {
	before := none
	for m := c.first(n); m != none; m = c.sibling(m) {
		if c.kind(m) == cxCompound && !c.inBody && c.kind(before) == cxExpressionStatement && c.kind(c.first(before)) == cxCall {
			c.macroFunction(before, c.child(c.first(before), cxfFunction), c.end(before), m)
		} else {
			c.walk(m)
		}
		before = m
	}
}

// macroFunction declares MACRO(…) {…} outside of functions: a macro that stands for
// the head of a function. Because only the preprocessor knows the name of that
// function, the symbol has the name of the macro. The head ends at byte end.
func (c *cxx) macroFunction(head, name node, end uint32, body node) {
	if k := c.kind(name); k != cxIdentifier && k != cxTypeIdentifier || lexical.IsCKeyword(c.str(name)) {
		c.walk(body)
		return
	}
	s := code.Symbol{Name: c.str(name), Kind: code.KindFunction, NameStart: c.start(name), Exported: true}
	s.Span = c.spanBetween(c.start(head), c.end(body))
	s.Signature, s.Doc = c.signature(c.start(head), end), c.doc(c.docStart(head))
	saved := c.save()
	sym := c.symbol(s, "")
	c.enter(sym)
	if f := c.macroFixture(s.Name, c.first(head)); f != "" {
		c.class, c.openClass = f, true
	}
	c.container, c.inBody, c.hidden = c.facts.Symbols[sym].Qualified, true, true
	c.walk(body)
	c.restore(saved)
}

// macroFixture returns the class whose members the body of a test can use, "" if there is none: TEST_CASE_METHOD(Fixture, "name") {…} and
// TEST_CASE_FIXTURE(Fixture, "name") {…} are methods of a class that is derived from the fixture.
func (c *cxx) macroFixture(macro string, call node) string {
	if !c.cpp || c.kind(call) != cxCall || !strings.HasSuffix(macro, "_METHOD") && !strings.HasSuffix(macro, "_FIXTURE") {
		return ""
	}
	first := c.firstNamed(c.child(call, cxfArguments))
	if k := c.kind(first); k != cxIdentifier && k != cxQualified {
		return ""
	}
	return c.typeName(first)
}

// walk reads any node. It is a long switch over the kinds of the grammar; for
// a kind without a case it reads the children.
func (c *cxx) walk(n node) {
	if n == none || c.after(n) == n+1 && !c.isNamed(n) {
		return
	}
	switch c.kind(n) {
	case cxIdentifier:
		c.variable(n, code.RefUse)
	case cxTypeIdentifier, cxTemplateType:
		c.typeRef(n, code.RefType)
	case cxQualified:
		c.qualifiedRef(n, c.qualifiedKind(n))
	case cxTemplateFunction:
		c.variable(c.child(n, cxfName), code.RefUse)
		c.walk(c.child(n, cxfArguments))
	case cxCall:
		c.call(n)
	case cxFieldExpression:
		c.memberAccess(n, code.RefUse)
	case cxNew:
		c.creation(n)
	case cxStruct, cxClass, cxUnion, cxEnum:
		c.walkType(n)
	case cxFunction:
		c.function(n, n)
	case cxDeclaration, cxField:
		c.declaration(n, n)
	case cxTypedef:
		c.typedef(n)
	case cxAlias:
		c.alias(n, n)
	case cxConcept:
		c.concept(n, n)
	case cxTemplate:
		c.template(n)
	case cxNamespace:
		c.namespace(n)
	case cxNamespaceAlias:
		c.namespaceAlias(n)
	case cxUsing:
		c.using(n)
	case cxAccess:
		c.accessLabel(n)
	case cxFriend:
		c.friend(n)
	case cxCompound, cxFor, cxIf, cxWhile, cxSwitch:
		c.names.push()
		c.children(n)
		c.names.pop()
	case cxRangeFor:
		c.rangeFor(n)
	case cxCatch:
		c.names.push()
		c.parameters(c.child(n, cxfParameters))
		c.walk(c.child(n, cxfBody))
		c.names.pop()
	case cxLambda:
		c.lambda(n)
	case cxParameterList:
		c.names.push()
		c.parameters(n)
		c.names.pop()
	case cxTemplateParameters:
		c.templateParameters(n)
	case cxFieldInitializers:
		c.fieldInitializers(n)
	case cxCompoundLiteral:
		typ := c.child(n, cxfType)
		c.typeRef(typ, code.RefType)
		c.designators(c.child(n, cxfValue), c.typeName(typ))
	case cxInitializerPair:
		c.designators(n, "")
	case cxOffsetof:
		typ := c.child(n, cxfType)
		c.walk(typ)
		c.member(c.childKind(n, cxFieldIdentifier), code.RefUse, c.typeName(typ), false)
	case cxInclude:
		c.include(n)
	case cxModuleImport:
		c.importDeclaration(n)
	case cxModule: // names its own module, and uses nothing
	case cxDefine, cxDefineFunction:
		c.define(n)
	case cxPreprocCall:
		c.undef(n)
	case cxNamespaceIdentifier, cxNestedNamespace, cxStatementIdentifier, cxComment, cxString, cxRawString, cxChar, cxThis,
		cxPrimitive, cxStorageClass, cxSystemLib, cxPreprocArg, cxDestructor:
	case cxFieldIdentifier, cxOperator:
	default:
		if c.isError(n) {
			c.errorNode(n)
			return
		}
		c.children(n)
	}
}

// qualifiedKind returns the kind of reference that a qualified name a::b makes. Its
// last name decides between a type and a value.
func (c *cxx) qualifiedKind(n node) code.RefKind {
	for c.kind(n) == cxQualified {
		n = c.child(n, cxfName)
	}
	switch c.kind(n) {
	case cxTypeIdentifier, cxTemplateType:
		return code.RefType
	}
	return code.RefUse
}

// creation reads new T(…), which is a call of T.
func (c *cxx) creation(n node) {
	typ := c.child(n, cxfType)
	for m := c.first(n); m != none; m = c.sibling(m) {
		if m == typ {
			c.typeRef(m, code.RefCall)
		} else {
			c.walk(m)
		}
	}
}

func (c *cxx) rangeFor(n node) {
	c.names.push()
	d := c.child(n, cxfDeclarator)
	for m := c.first(n); m != none; m = c.sibling(m) {
		if m != d && c.nodeField(m) != cxfBody {
			c.walk(m)
		}
	}
	written := c.child(n, cxfType)
	typ := c.typeName(written)
	if c.kind(written) == cxPlaceholder {
		typ = c.rangeElement(c.child(n, cxfRight))
	}
	c.names.bind(binding{name: c.declarator(d).name, what: bindLocal, typ: typ, expr: c.declaredElement(none, written)})
	c.structuredBinding(d, typ)
	c.walk(c.child(n, cxfBody))
	c.names.pop()
}

// rangeElement returns the type of the elements of the value that a loop is over, "" if it is not known.
func (c *cxx) rangeElement(n node) string {
	coll := c.collection(n)
	if coll == "" {
		return ""
	}
	if elem, ok := strings.CutPrefix(coll, "["); ok {
		return ofElement(strings.TrimSuffix(elem, "]"))
	}
	return code.RecvExpr + coll + "[k]"
}

// ofElement returns the type of an element that is written as in an expression.
func ofElement(elem string) string {
	if strings.ContainsAny(elem, "()[]{},") {
		return code.RecvExpr + elem
	}
	return elem
}

// collection returns a value of an array or a container as an expression without its mark: [T], {K:V}, or one for other files to answer. It
// is "" if the elements are not known.
func (c *cxx) collection(n node) string {
	switch c.kind(n) {
	case cxParenthesized:
		return c.collection(c.firstNamed(n))
	case cxIdentifier:
		name := c.str(n)
		if b := c.names.lookup(name); b.is(bindLocal) && b.expr != "" {
			return b.expr
		} else if elem := c.elements[cxxMember{c.class, name}]; elem != "" && !b.is(bindLocal) {
			return elem
		}
	case cxFieldExpression:
		if elem := c.elements[cxxMember{c.valueType(c.child(n, cxfArgument)), c.fieldStr(n, cxfField)}]; elem != "" {
			return elem
		}
	}
	if f := c.child(n, cxfFunction); c.kind(n) == cxCall && (c.kind(f) == cxIdentifier || c.kind(f) == cxFieldExpression) {
		owner, name := c.class, c.str(f)
		if c.kind(f) == cxFieldExpression {
			owner, name = c.valueType(c.child(f, cxfArgument)), c.fieldStr(f, cxfField)
		}
		if elem := c.elements[cxxMember{owner, name}]; elem != "" && owner != "" {
			return elem
		}
	}
	typ, isExpr := strings.CutPrefix(c.valueType(n), code.RecvExpr)
	if !isExpr {
		return ""
	}
	return typ
}

// declaredElement returns the collection that a declarator declares, an array or a container of the standard library, as collection does.
func (c *cxx) declaredElement(d, typ node) string {
	for d != none {
		switch c.kind(d) {
		case cxArrayDeclarator:
			if elem := c.typeName(typ); elem != "" && elem != standardPrefix {
				return "[" + strings.TrimPrefix(elem, code.RecvExpr) + "]"
			}
			return ""
		case cxInitDeclarator, cxPointerDeclarator:
			d = c.child(d, cxfDeclarator)
			continue
		}
		break
	}
	return c.standardContainer(typ)
}

// typeArgument returns the type of an argument of a container as in an expression, "?" if it has no members of the repository.
func (c *cxx) typeArgument(n node) string {
	if of := c.standardContainer(c.child(n, cxfType)); of != "" {
		return of
	}
	if typ := c.typeName(n); typ != "" && typ != standardPrefix {
		return strings.TrimPrefix(typ, code.RecvExpr)
	}
	return "?"
}

// standardContainer returns a type of the standard library as collection does, "" if it is none.
func (c *cxx) standardContainer(typ node) string {
	if c.kind(typ) == cxTypeIdentifier && !c.names.lookup(c.str(typ)).is(bindLocal) {
		return c.lists[c.str(typ)]
	}
	name := c.child(typ, cxfName)
	if c.kind(typ) != cxQualified || c.fieldStr(typ, cxfScope) != "std" || c.kind(name) != cxTemplateType {
		return ""
	}
	first := c.firstNamed(c.child(name, cxfArguments))
	switch c.fieldStr(name, cxfName) {
	case "vector", "list", "deque", "set", "multiset", "unordered_set", "unordered_multiset", "array", "span", "initializer_list", "forward_list":
		if elem := c.typeArgument(first); elem != "?" {
			return "[" + elem + "]"
		}
	case "map", "multimap", "unordered_map", "unordered_multimap":
		if value := c.typeArgument(c.nextNamed(first)); value != "?" {
			return "{" + c.typeArgument(first) + ":" + value + "}"
		}
	case "shared_ptr", "unique_ptr", "optional", "reference_wrapper":
		return c.standardContainer(c.child(first, cxfType))
	}
	return ""
}

// lambda reads [captures](parameters) { … }. It makes no symbol, because it has no
// name; its parameters and captures are locals.
func (c *cxx) lambda(n node) {
	c.names.push()
	inBody, hidden := c.inBody, c.hidden
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch {
		case c.kind(m) == cxCaptures:
			c.captures(m)
		case c.kind(m) == cxTemplateParameters:
			c.templateParameters(m)
		case c.nodeField(m) == cxfDeclarator:
			c.parameters(c.child(m, cxfParameters))
			for p := c.first(m); p != none; p = c.sibling(p) {
				if c.kind(p) != cxParameterList {
					c.walk(p)
				}
			}
		case c.nodeField(m) == cxfBody:
			c.inBody, c.hidden = true, true
			c.walk(m)
		default:
			c.walk(m)
		}
	}
	c.inBody, c.hidden = inBody, hidden
	c.names.pop()
}

func (c *cxx) captures(n node) {
	for m := c.firstNamed(n); m != none; m = c.nextNamed(m) {
		if c.kind(m) != cxCaptureInitializer {
			c.walk(m)
			continue
		}
		value := c.child(m, cxfRight)
		c.walk(value)
		c.bindLocal(c.fieldStr(m, cxfLeft), c.valueType(value))
	}
}

// fieldInitializers reads the list `: a(1), Base(2)` of a constructor, which names members and base classes.
func (c *cxx) fieldInitializers(n node) {
	for m := c.firstNamed(n); m != none; m = c.nextNamed(m) {
		if c.kind(m) != cxFieldInitializer {
			c.walk(m)
			continue
		}
		for p := c.first(m); p != none; p = c.sibling(p) {
			switch c.kind(p) {
			case cxFieldIdentifier:
				c.initializerName(p)
			case cxTemplateMethod:
				c.typeRef(p, code.RefCall)
			case cxQualified:
				c.qualifiedRef(p, code.RefCall)
			default:
				c.walk(p)
			}
		}
	}
}

// initializerName reads the name of a member, or of a base class, that a constructor
// initializes.
func (c *cxx) initializerName(n node) {
	_, ok := c.members[cxxMember{c.class, c.str(n)}]
	if ok || c.openClass && !lexical.IsUpper(c.str(n)) { // a member by the convention of case
		c.ref(n, code.Ref{Kind: code.RefUse, Via: code.ViaSelf, Recv: c.class})
		return
	}
	c.ref(n, code.Ref{Kind: code.RefCall, Via: code.ViaBare})
}

// designators reads an initializer list for a value of type typ: `.field = x`
// names a field of the type.
func (c *cxx) designators(n node, typ string) {
	if c.kind(n) != cxInitializerList && c.kind(n) != cxInitializerPair {
		c.walk(n)
		return
	}
	if c.kind(n) == cxInitializerPair {
		c.designatedField(n, typ)
		return
	}
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch c.kind(m) {
		case cxInitializerPair, cxInitializerList: // an array is declared with the type of its elements
			c.designators(m, typ)
		default:
			c.walk(m)
		}
	}
}

func (c *cxx) designatedField(n node, typ string) {
	last := typ
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch {
		case c.kind(m) == cxFieldDesignator || c.kind(m) == cxFieldIdentifier:
			name := m
			if c.kind(m) == cxFieldDesignator {
				name = c.childKind(m, cxFieldIdentifier)
			}
			c.member(name, code.RefUse, last, false)
			last = c.members[cxxMember{last, c.str(name)}]
		case c.nodeField(m) == cxfValue:
			c.designators(m, last)
		default:
			c.walk(m)
		}
	}
}

// using reads `using a::b`, which is a reference, `using namespace a` and `using enum a`.
func (c *cxx) using(n node) {
	for m := c.first(n); m != none; m = c.sibling(m) {
		if c.str(m) == "enum" {
			name := c.firstNamed(n)
			c.typeRef(name, code.RefType)
			c.enums = append(slices.Clip(c.enums), strings.ReplaceAll(c.oneLine(name), " ", "")+"::")
			return
		}
		if c.str(m) == "namespace" {
			for p := c.firstNamed(n); p != none; p = c.nextNamed(p) {
				if isMacroName([]byte(c.str(p))) {
					c.ref(p, code.Ref{Kind: code.RefUse, Via: code.ViaBare})
				}
				for _, s := range strings.Split(c.str(p), "::") {
					if s = strings.TrimSpace(s); s != "" {
						c.namespaces[s] = true
					}
				}
			}
			return
		}
	}
	for p := c.firstNamed(n); p != none; p = c.nextNamed(p) {
		c.walk(p)
		if last := len(c.facts.Refs) - 1; c.class == "" && c.kind(p) == cxQualified && last >= 0 {
			if r := &c.facts.Refs[last]; r.Via == code.ViaTyped && strings.HasSuffix(r.Recv, "::") {
				c.usings[r.Name] = r.Recv
			}
		}
		if c.nextNamed(p) == none {
			c.moreUsings(n, c.end(p))
		}
	}
}

// moreUsings reads the names behind the first of `using a::b, c::d`, which are blank to the grammar.
func (c *cxx) moreUsings(n node, at uint32) {
	list := c.text[at:c.end(n)]
	if len(c.parsed) != len(c.text) || string(c.parsed[at:c.end(n)]) == list {
		return
	}
	for part := range strings.SplitSeq(list, ",") {
		name := strings.TrimRight(part, " \t\r\n;.")
		scope := strings.TrimLeft(name[:strings.LastIndexByte(name, ':')+1], " \t\r\n")
		start := at + uint32(strings.LastIndexByte(name, ':')+1)
		if word := c.text[start : at+uint32(len(name))]; scope != "" && !strings.HasPrefix(scope, "std::") && !strings.ContainsAny(word, " ()") {
			c.macroName(word, start, c.lineAt(start), code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: scope})
			if c.class == "" {
				c.usings[word] = scope
			}
		}
		at += uint32(len(part)) + 1
	}
}

// namespaceAlias reads `namespace a = b::c`.
func (c *cxx) namespaceAlias(n node) {
	name := c.child(n, cxfName)
	c.namespaces[c.str(name)] = true
	path := strings.ReplaceAll(c.oneLine(c.nextNamed(name)), " ", "") + "::"
	if strings.HasPrefix(path, "std::") {
		path = "std::"
	}
	c.spaces[c.str(name)] = path
}

// friend reads a friend declaration. A friend class is a reference, and a
// friend function belongs to the scope around the class.
func (c *cxx) friend(n node) {
	container, class, access := c.container, c.class, c.access
	for m := c.firstNamed(n); m != none; m = c.nextNamed(m) {
		switch c.kind(m) {
		case cxFunction:
			c.function(m, n)
		case cxDeclaration:
			c.container, c.class, c.access = "", "", cxxPublic
			c.declaration(m, n)
			c.container, c.class, c.access = container, class, access
			c.friendName(m)
		case cxIdentifier, cxTypeIdentifier, cxTemplateType, cxQualified:
			c.typeRef(m, code.RefType)
		default:
			c.walk(m)
		}
	}
}

// friendName records the reference to a function that a class declares as its friend: what it declares may be declared elsewhere.
func (c *cxx) friendName(n node) {
	x := c.declarator(c.child(n, cxfDeclarator))
	if x.fn == none || !x.isNamed() {
		return
	}
	before := c.owner
	for c.owner >= 0 && c.facts.Symbols[c.owner].Kind.IsType() {
		c.owner = c.facts.Symbols[c.owner].Parent
	}
	r := code.Ref{Name: x.name, Kind: code.RefUse, Via: code.ViaBare}
	if x.quals != "" {
		r.Via, r.Recv = code.ViaTyped, strings.ReplaceAll(x.quals, ".", "::")+"::"
	}
	c.ref(x.nameNode, r)
	c.owner = before
}

// errorNode reads the parts of an ERROR node: whole declarations as such, and heads
// of functions, whose bodies the grammar puts elsewhere, as functions.
func (c *cxx) errorNode(n node) {
	for m := c.first(n); m != none; m = c.sibling(m) {
		if c.kind(m) == cxFunctionDeclarator && !c.inBody {
			c.lostFunction(m)
			continue
		}
		c.walk(m)
	}
}

// lostFunction declares a function if the grammar only recognised its declarator and a
// body follows it.
func (c *cxx) lostFunction(n node) {
	x := c.declarator(n)
	hasBody := strings.HasPrefix(strings.TrimLeft(c.text[c.end(n):], " \t\r\n"), "{")
	if x.fn == none || !x.isNamed() || !hasBody {
		c.children(n)
		return
	}
	s := code.Symbol{Name: x.name, Kind: code.KindFunction, NameStart: c.start(x.nameNode), Span: c.span(n), Exported: true}
	s.Params = c.params(none, c.parameterList(x.fn))
	if x.quals != "" || c.class != "" {
		s.Kind = code.KindMethod
	}
	s.Signature, s.Doc = c.signature(c.start(n), c.end(n)), c.doc(c.docStart(n))
	c.symbol(s, x.quals)
}
