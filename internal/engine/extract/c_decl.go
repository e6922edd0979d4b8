package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// cxxName is a declarator taken apart: the name it declares and what is around it.
type cxxName struct {
	nameNode node   // the name itself, none if there is none
	name     string // as Symbol.Name: "f", "~A", "operator=="
	quals    string // the classes in front, dotted, without namespaces and template arguments
	fn       node   // the function declarator if a function is declared
	ptr      string // "*", "**&" between the type and the name
}

// isNamed reports whether the declarator declares a name that can be one.
func (x *cxxName) isNamed() bool {
	return x.nameNode != none && x.name != "" && !lexical.IsCKeyword(x.name)
}

// declarator takes d apart. It goes down one path, so its cost is its depth.
func (c *cxx) declarator(d node) cxxName {
	var x cxxName
	for d != none {
		switch c.kind(d) {
		case cxFunctionDeclarator:
			x.fn, d = d, c.child(d, cxfDeclarator)
		case cxPointerDeclarator, cxPointerTypeDeclarator:
			x.fn, x.ptr, d = none, x.ptr+"*", c.child(d, cxfDeclarator)
		case cxReferenceDeclarator:
			x.fn, x.ptr, d = none, x.ptr+"&", c.firstNamed(d)
		case cxArrayDeclarator:
			x.fn, d = none, c.child(d, cxfDeclarator)
		case cxInitDeclarator:
			d = c.child(d, cxfDeclarator)
		case cxParenDeclarator, cxAttributedDeclarator, cxVariadicDeclarator:
			d = c.innerDeclarator(d)
		case cxQualified:
			scope, name := c.child(d, cxfScope), c.child(d, cxfName)
			if s := c.scopeName(scope); s != "" && (x.quals != "" || !c.namespaces[s]) {
				x.quals = strings.TrimPrefix(x.quals+"."+s, ".")
			}
			if name == none {
				return x
			}
			d = name
		case cxTemplateFunction, cxTemplateMethod, cxTemplateType:
			d = c.child(d, cxfName)
		case cxOperatorCast:
			f := c.child(d, cxfDeclarator)
			for f != none && c.kind(f) != cxAbstractFunction {
				if next := c.child(f, cxfDeclarator); next != none {
					f = next
				} else {
					f = c.firstNamed(f)
				}
			}
			if x.nameNode, x.fn = d, f; f != none {
				x.name = operatorName(c.signature(c.start(d), c.start(c.child(f, cxfParameters))))
			}
			return x
		case cxOperator, cxDestructor:
			x.nameNode, x.name = d, operatorName(c.oneLine(d))
			return x
		case cxIdentifier, cxFieldIdentifier, cxTypeIdentifier, cxPrimitive:
			x.nameNode, x.name = d, c.str(d)
			return x
		default:
			return x
		}
	}
	return x
}

// innerDeclarator is the declarator in parentheses or in front of attributes.
func (c *cxx) innerDeclarator(d node) node {
	for n := c.firstNamed(d); n != none; n = c.nextNamed(n) {
		switch c.kind(n) {
		case cxCallModifier, cxAttributeDeclaration, cxAttributeSpecifier:
		default:
			return n
		}
	}
	return none
}

// scopeName is the name of a segment before ::, without template arguments.
func (c *cxx) scopeName(n node) string {
	switch c.kind(n) {
	case cxNamespaceIdentifier, cxTypeIdentifier, cxIdentifier:
		return c.str(n)
	case cxTemplateType:
		return c.fieldStr(n, cxfName)
	case cxDependentName:
		return c.scopeName(c.firstNamed(n))
	}
	return ""
}

// operatorName spells operators and destructors in one way, so that declarations
// and references match: "operator==", "operator new", "~A".
func operatorName(s string) string {
	rest, ok := strings.CutPrefix(s, "operator")
	if !ok {
		return strings.ReplaceAll(s, " ", "")
	}
	rest = strings.TrimSpace(rest)
	if strings.TrimLeft(rest, "_abcdefghijklmnopqrstuvwxyz") != rest {
		return "operator " + rest
	}
	return "operator" + strings.ReplaceAll(rest, " ", "")
}

// oneLine is n's source on one line.
func (c *cxx) oneLine(n node) string {
	if n == none {
		return ""
	}
	return c.signature(c.start(n), c.end(n))
}

// cxxSpecifiers is the part of a declaration before its declarators.
type cxxSpecifiers struct {
	typ                      node
	static, extern, constant bool
}

func (c *cxx) specifiers(n node) cxxSpecifiers {
	s := cxxSpecifiers{typ: c.child(n, cxfType)}
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch c.kind(m) {
		case cxStorageClass:
			switch c.str(m) {
			case "static":
				s.static = true
			case "extern":
				s.extern = true
			}
		case cxTypeQualifier:
			switch c.str(m) {
			case "const", "constexpr", "constinit":
				s.constant = true
			}
		}
		if c.fieldOf(m) == cxfDeclarator {
			break
		}
	}
	return s
}

// typeText is the type of a name in declaration n, as written: the words before its
// declarator and the pointers in it.
func (c *cxx) typeText(n node, ptr string) string {
	var parts []string
	for m := c.first(n); m != none && !c.endsSpecifiers(m); m = c.sibling(m) {
		switch {
		case c.fieldOf(m) == cxfType:
			parts = append(parts, c.typeHead(m))
		case c.kind(m) == cxTypeQualifier:
			switch s := c.str(m); s {
			case "constexpr", "constinit", "consteval": // about the declaration, not the type
			default:
				parts = append(parts, s)
			}
		}
	}
	s := strings.Join(parts, " ")
	if ptr != "" && s != "" {
		s += " " + ptr
	}
	return s
}

// endsSpecifiers reports whether the part of a declaration before its declarators
// ends at its child m.
func (c *cxx) endsSpecifiers(m node) bool {
	switch c.fieldOf(m) {
	case cxfDeclarator, cxfBody:
		return true
	}
	return c.kind(m) == cxParameterList
}

// typeHead is a type as written, without the body it may have.
func (c *cxx) typeHead(n node) string {
	if b := c.child(n, cxfBody); b != none {
		return strings.TrimSpace(c.signature(c.start(n), c.start(b)))
	}
	return c.oneLine(n)
}

// function reads a definition; head is the template around it or n itself.
func (c *cxx) function(n, head node) {
	d := c.declarator(c.child(n, cxfDeclarator))
	if d.fn == none || !d.isNamed() {
		c.misreadFunction(n)
		return
	}
	spec := c.specifiers(n)
	friend := c.kind(c.parent(n)) == cxFriend
	s := c.functionSymbol(n, d, spec)
	s.Span = c.headSpan(head)
	s.Signature = strings.TrimSpace(c.signature(c.headStart(head), c.functionHead(n)))
	s.Doc = c.doc(c.docStart(head))
	saved := c.save()
	if friend {
		c.container = ""
		s.Kind = code.KindFunction
	}
	sym := c.symbol(s, d.quals)
	if typ := c.typeName(spec.typ); typ != "" && d.quals == "" && c.container == "" {
		c.returns[s.Name] = typ
	}
	c.enter(sym)
	c.enterOuterClass(d.quals)
	if f := c.fixture(d, spec); f != "" {
		c.class, c.openClass = f, true
	}
	c.container = c.facts.Symbols[sym].Qualified
	c.inBody, c.hidden = true, true
	c.names.push()
	c.functionTypes(n, d)
	c.parameters(c.parameterList(d.fn))
	c.functionRest(n, d)
	c.names.pop()
	c.restore(saved)
}

// cxxContext is the part of cxx that depends on the position of the walk.
type cxxContext struct {
	owner                     int32
	container, class          string
	openClass, inBody, hidden bool
	access                    cxxAccess
}

func (c *cxx) save() cxxContext {
	return cxxContext{c.owner, c.container, c.class, c.openClass, c.inBody, c.hidden, c.access}
}

func (c *cxx) restore(p cxxContext) {
	c.owner, c.container, c.class, c.openClass = p.owner, p.container, p.class, p.openClass
	c.inBody, c.hidden, c.access = p.inBody, p.hidden, p.access
}

// enterOuterClass makes the class in front of an out-of-class definition's name the
// class around.
func (c *cxx) enterOuterClass(quals string) {
	if quals == "" {
		return
	}
	c.container = strings.TrimPrefix(c.container+"."+quals, ".")
	c.class = quals[strings.LastIndexByte(quals, '.')+1:]
	_, known := c.members[cxxMember{c.class, ""}]
	c.openClass = !known
}

// functionHead is where a definition's signature ends.
func (c *cxx) functionHead(n node) uint32 {
	end := c.bodyStart(n)
	if i := c.childOf(n, cxFieldInitializers); i != none {
		end = min(end, c.start(i))
	}
	return end
}

// functionSymbol is a function's symbol as far as its declarator shows it.
func (c *cxx) functionSymbol(n node, d cxxName, spec cxxSpecifiers) code.Symbol {
	s := code.Symbol{Name: d.name, Kind: code.KindFunction, NameStart: c.start(d.nameNode), Params: c.params(n, c.parameterList(d.fn))}
	s.Exported = c.isExported(d, spec)
	class := c.class
	if d.quals != "" {
		class = d.quals[strings.LastIndexByte(d.quals, '.')+1:]
	}
	if class != "" && !c.inBody || d.quals != "" {
		s.Kind = code.KindMethod
		if d.name == class {
			s.Kind = code.KindConstructor
		}
	}
	if c.kind(d.nameNode) == cxOperatorCast {
		s.Returns = c.oneLine(c.child(d.nameNode, cxfType))
		return s
	}
	s.Returns = c.typeText(n, d.ptr)
	if t := c.childOf(d.fn, cxTrailingReturn); t != none {
		s.Returns = c.oneLine(c.firstNamed(t))
	}
	return s
}

// isExported reports whether other files see the name that a declarator declares. They
// see neither private members nor static names outside of classes.
func (c *cxx) isExported(d cxxName, spec cxxSpecifiers) bool {
	fileLocal := spec.static && c.container == "" && d.quals == ""
	return c.access != cxxPrivate && !fileLocal
}

func (c *cxx) parameterList(fn node) node {
	if c.kind(fn) == cxParameterList {
		return fn
	}
	return c.child(fn, cxfParameters)
}

// params lists parameters. In a K&R definition their types follow the list.
func (c *cxx) params(n, list node) (params []code.Param) {
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		switch c.kind(p) {
		case cxParameter, cxOptionalParameter, cxVariadicParameter:
			if q := c.param(p); q.Name != "" || q.Type != "void" {
				params = append(params, q)
			}
		case cxIdentifier:
			params = append(params, code.Param{Name: c.str(p)})
		case cxVariadic:
			params = append(params, code.Param{Name: "..."})
		}
		if len(params) >= maxParams {
			break
		}
	}
	if v := c.childOf(list, cxVariadic); v != none && c.cpp {
		params = append(params, code.Param{Name: "..."})
	}
	if c.kind(n) == cxFunction && c.has(n, cxDeclaration) {
		c.fillOldStyleTypes(n, params)
	}
	return params
}

// maxParams bounds the parameters that are listed.
const maxParams = 256

func (c *cxx) param(p node) code.Param {
	def := c.child(p, cxfDefault)
	end := c.end(p)
	d := c.declarator(c.child(p, cxfDeclarator))
	q := code.Param{Name: d.name, Default: c.oneLine(def), Optional: def != none}
	if def != none {
		end = c.start(def)
	}
	if d.nameNode == none {
		q.Type = strings.TrimRight(c.signature(c.start(p), end), " =")
		return q
	}
	before, behind := c.signature(c.start(p), c.start(d.nameNode)), strings.TrimRight(c.signature(c.end(d.nameNode), end), " =")
	q.Type = strings.TrimSpace(before + behind)
	return q
}

// fillOldStyleTypes fills in the types of a K&R definition.
func (c *cxx) fillOldStyleTypes(n node, params []code.Param) {
	types := map[string]string{}
	for m := c.childOf(n, cxDeclaration); m != none; m = c.sibling(m) {
		if c.kind(m) != cxDeclaration {
			continue
		}
		for d := c.first(m); d != none; d = c.sibling(d) {
			if c.fieldOf(d) == cxfDeclarator {
				x := c.declarator(d)
				types[x.name] = c.typeText(m, x.ptr)
			}
		}
	}
	for i := range params {
		if params[i].Type == "" {
			params[i].Type = types[params[i].Name]
		}
	}
}

// functionTypes emits the types in front of the name of a function.
func (c *cxx) functionTypes(n node, d cxxName) {
	for m := c.first(n); m != none && c.fieldOf(m) != cxfDeclarator; m = c.sibling(m) {
		c.walk(m)
	}
	c.qualifierRefs(c.child(n, cxfDeclarator))
	if c.kind(d.nameNode) == cxOperatorCast {
		c.typeRef(c.child(d.nameNode, cxfType), code.RefType)
	}
}

// functionRest reads what follows a function's parameters: the trailing return
// type, the initializers of a constructor, the body.
func (c *cxx) functionRest(n node, d cxxName) {
	list := c.parameterList(d.fn)
	for m := c.first(d.fn); m != none; m = c.sibling(m) {
		if m != list && c.fieldOf(m) != cxfDeclarator {
			c.walk(m)
		}
	}
	past := false
	for m := c.first(n); m != none; m = c.sibling(m) {
		if past {
			c.walk(m)
		}
		past = past || c.fieldOf(m) == cxfDeclarator
	}
}

// qualifierRefs emits the classes in front of the name of an out-of-class definition.
func (c *cxx) qualifierRefs(d node) {
	for i := d; i != none && i < c.after(d); i++ {
		switch c.kind(i) {
		case cxQualified:
			c.scopesOf(i)
			return
		case cxParameterList, cxIdentifier, cxFieldIdentifier:
			return
		}
	}
}

// misreadFunction reads a node that the grammar wrongly took for a function: a macro
// with a block, or a statement.
func (c *cxx) misreadFunction(n node) {
	name, group := c.child(n, cxfType), c.child(n, cxfDeclarator)
	if c.kind(name) == cxTypeIdentifier && c.kind(group) == cxParenDeclarator && !c.inBody {
		c.ref(name, code.Ref{Kind: code.RefCall, Via: code.ViaBare})
		c.macroFunction(n, name, c.end(group), c.child(n, cxfBody))
		return
	}
	c.children(n)
}

// parameters binds parameters and emits their types.
func (c *cxx) parameters(list node) {
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		switch c.kind(p) {
		case cxParameter, cxOptionalParameter, cxVariadicParameter:
			c.parameter(p)
		case cxIdentifier:
			c.bindLocal(c.str(p), "")
		default:
			c.walk(p)
		}
	}
}

func (c *cxx) parameter(p node) {
	d := c.child(p, cxfDeclarator)
	x := c.declarator(d)
	for m := c.first(p); m != none; m = c.sibling(m) {
		if m == d {
			c.declaratorRefs(m, x)
		} else {
			c.walk(m)
		}
	}
	c.bindLocal(x.name, c.typeName(c.child(p, cxfType)))
}

func (c *cxx) bindLocal(name, typ string) {
	c.names.bind(binding{name: name, what: bindLocal, typ: typ})
}

// declaratorRefs emits the references in a declarator: sizes of arrays, types of a
// function pointer's parameters.
func (c *cxx) declaratorRefs(d node, x cxxName) {
	for i := d; i < c.after(d); {
		switch c.kind(i) {
		case cxParameterList:
			c.names.push()
			c.parameters(i)
			c.names.pop()
			i = c.after(i)
			continue
		case cxTrailingReturn, cxAttributeSpecifier, cxBitfield, cxTemplateArguments:
			c.walk(i)
			i = c.after(i)
			continue
		}
		switch c.fieldOf(i) {
		case cxfSize:
			c.walk(i)
			i = c.after(i)
			continue
		case cxfValue:
			i = c.after(i)
			continue
		}
		i++
	}
}

// declaration reads a declaration or field declaration with its declarators.
func (c *cxx) declaration(n, head node) {
	if c.moduleImport(n) {
		return
	}
	spec := c.specifiers(n)
	first, several := none, false
	for m := c.first(n); m != none; m = c.sibling(m) {
		if c.fieldOf(m) == cxfDeclarator {
			several = first != none
			if several {
				break
			}
			first = m
		}
	}
	if first == none {
		c.children(n)
		return
	}
	if c.inBody && !several && c.brokenByMacro(n, first) {
		return
	}
	anonymous := c.anonymousType(spec.typ)
	for m := c.first(n); m != none; m = c.sibling(m) {
		switch {
		case c.fieldOf(m) == cxfDeclarator:
			c.declaredName(n, head, m, spec, several, anonymous && m == first)
		case m == spec.typ && anonymous:
		default:
			c.walk(m)
		}
	}
}

// anonymousType reports whether a type has members but no name. The members belong
// then to the variable or field that is declared with the type.
func (c *cxx) anonymousType(n node) bool {
	switch c.kind(n) {
	case cxStruct, cxUnion, cxClass:
		return c.child(n, cxfName) == none && c.child(n, cxfBody) != none
	}
	return false
}

// declaredName reads one declarator of a declaration.
func (c *cxx) declaredName(n, head, d node, spec cxxSpecifiers, several, owns bool) {
	x := c.declarator(d)
	value := c.child(d, cxfValue)
	typ := c.typeName(spec.typ)
	if value != none && typ == "" && c.kind(spec.typ) == cxPlaceholder {
		typ = c.valueType(value)
	}
	if c.inBody && (c.class == "" || c.kind(n) == cxDeclaration) {
		c.localVariable(d, x, spec, typ, value)
		return
	}
	sym := int32(-1)
	if x.isNamed() {
		sym = c.variableSymbol(n, head, d, x, spec, several)
	}
	saved := c.save()
	if sym >= 0 {
		c.enter(sym)
		if x.fn == none && c.container == "" && x.quals == "" {
			c.names.bind(binding{name: x.name, what: bindTop, typ: typ})
		}
		if x.fn != none && c.container == "" && typ != "" {
			c.returns[x.name] = typ
		}
	}
	if owns {
		c.ownedMembers(spec.typ, sym)
	}
	c.enterOuterClass(x.quals)
	c.qualifierRefs(d)
	c.declaratorRefs(d, x)
	c.designators(value, typ)
	c.restore(saved)
}

// ownedMembers reads the members of a type without a name as those of sym.
func (c *cxx) ownedMembers(typ node, sym int32) {
	saved := c.save()
	if sym >= 0 {
		s := &c.facts.Symbols[sym]
		c.container, c.class = s.Qualified, s.Name
	}
	c.walkType(typ)
	c.restore(saved)
}

// localVariable binds a variable of a function. A function that is only declared
// there is not bound, because its definition is outside.
func (c *cxx) localVariable(d node, x cxxName, spec cxxSpecifiers, typ string, value node) {
	if c.anonymousType(spec.typ) {
		saved := c.save()
		c.container, c.class, c.inBody = strings.TrimPrefix(c.container+"."+x.name, "."), x.name, false
		c.walkType(spec.typ)
		c.restore(saved)
	}
	if !spec.extern && (x.fn == none || c.cpp && c.looksLikeValue(x.fn)) {
		c.bindLocal(x.name, typ)
	}
	if c.kind(d) == cxStructuredBinding || c.kind(c.child(d, cxfDeclarator)) == cxStructuredBinding {
		c.structuredBinding(d)
	}
	c.declaratorRefs(d, x)
	c.designators(value, typ)
}

// looksLikeValue reports whether `T x(a)`, which parses as a function, is rather a
// variable: its list holds nothing but plain names.
func (c *cxx) looksLikeValue(fn node) bool {
	list := c.parameterList(fn)
	any := false
	for p := c.firstNamed(list); p != none; p = c.nextNamed(p) {
		t := c.child(p, cxfType)
		if c.kind(p) != cxParameter || c.child(p, cxfDeclarator) != none || c.kind(t) != cxTypeIdentifier {
			return false
		}
		any = true
	}
	return any
}

func (c *cxx) structuredBinding(d node) {
	for i := d; i < c.after(d); i++ {
		if c.kind(i) == cxStructuredBinding {
			for m := c.firstNamed(i); m != none; m = c.nextNamed(m) {
				c.bindLocal(c.str(m), "")
			}
			return
		}
	}
}

// variableSymbol declares the name of one declarator outside of functions: a
// variable, a field or a prototype.
func (c *cxx) variableSymbol(n, head, d node, x cxxName, spec cxxSpecifiers, several bool) int32 {
	s := code.Symbol{Name: x.name, Kind: code.KindVariable, NameStart: c.start(x.nameNode), Exported: c.isExported(x, spec)}
	constant := spec.constant && !strings.HasSuffix(x.ptr, "*")
	forward := spec.extern && c.child(d, cxfValue) == none
	switch {
	case x.fn != none:
		s = c.functionSymbol(n, x, spec)
		forward = true
	case c.container != "" || x.quals != "":
		s.Kind = code.KindField
		if constant && spec.static {
			s.Kind = code.KindConstant
		}
	case constant:
		s.Kind = code.KindConstant
	}
	if x.fn == none {
		s.Returns = ""
	}
	c.describeVariable(&s, n, head, d, spec, several, forward)
	if c.class != "" && x.quals == "" {
		c.members[cxxMember{c.class, x.name}] = c.typeName(spec.typ)
	}
	sym := c.symbol(s, x.quals)
	return sym
}

// describeVariable fills in span, signature and doc.
func (c *cxx) describeVariable(s *code.Symbol, n, head, d node, spec cxxSpecifiers, several, forward bool) {
	end := c.variableEnd(n, d, s.Kind)
	switch {
	case several:
		s.Span = c.span(d)
		s.Signature = strings.TrimSpace(c.declarationHead(n, spec)) + " " + c.signature(c.start(d), end)
	case c.child(spec.typ, cxfBody) != none:
		s.Span = c.headSpan(head)
		s.Signature = strings.TrimSpace(c.declarationHead(n, spec)) + " " + c.signature(c.start(d), end)
	default:
		s.Span = c.headSpan(head)
		s.Signature = c.signature(c.headStart(head), end)
	}
	s.Signature = strings.TrimRight(s.Signature, " ;,=")
	if forward {
		s.Signature += ";"
	}
	s.Signature = lexical.Cut(s.Signature, code.MaxSignature)
	if s.Doc = c.doc(c.docStart(head)); s.Doc == "" {
		s.Doc = c.trailingDoc(c.end(d))
	}
}

// variableEnd is where a declarator's signature ends: behind a constant's literal
// value, a bit field's width or the `= delete` of a member function, before any
// other value.
func (c *cxx) variableEnd(n, d node, k code.Kind) uint32 {
	v := c.child(d, cxfValue)
	if v == none {
		v = c.defaultValue(d)
	}
	if v == none {
		switch {
		case k == code.KindMethod, k == code.KindConstructor, c.kind(c.sibling(d)) == cxBitfield:
			return c.end(n)
		}
		return c.end(d)
	}
	if k == code.KindConstant && c.isLiteral(v) {
		return c.end(v)
	}
	if x := c.child(d, cxfDeclarator); c.kind(d) == cxInitDeclarator && x != none {
		return c.end(x)
	}
	return c.end(d)
}

// defaultValue is the value a member is initialized with, which is a sibling of its
// declarator.
func (c *cxx) defaultValue(d node) node {
	for m := c.sibling(d); m != none && c.fieldOf(m) != cxfDeclarator; m = c.sibling(m) {
		if c.fieldOf(m) == cxfDefault {
			return m
		}
	}
	return none
}

func (c *cxx) isLiteral(n node) bool {
	switch c.kind(n) {
	case cxString, cxChar, cxNumber, cxTrue, cxFalse, cxConcatenated, cxRawString:
		return true
	case cxUnary:
		return c.isLiteral(c.child(n, cxfArgument))
	}
	return false
}

// declarationHead is the text before the declarators, without the body of a type.
func (c *cxx) declarationHead(n node, spec cxxSpecifiers) string {
	if b := c.child(spec.typ, cxfBody); b != none {
		return c.signature(c.headStart(n), c.start(b))
	}
	return c.signature(c.headStart(n), c.end(spec.typ))
}
