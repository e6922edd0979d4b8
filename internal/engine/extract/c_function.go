package extract

import (
	"strings"

	"ken/internal/code"
)

// function reads the definition n of a function; head is the template declaration around it, or n itself.
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

// cxxContext is the part of the reader's state that depends on the position in the tree, such as the enclosing class.
type cxxContext struct {
	owner                     int32
	container, class          string
	openClass, inBody, hidden bool
	access                    cxxAccess
	enums                     []string
}

func (c *cxx) save() cxxContext {
	return cxxContext{c.owner, c.container, c.class, c.openClass, c.inBody, c.hidden, c.access, c.enums}
}

func (c *cxx) restore(p cxxContext) {
	c.owner, c.container, c.class, c.openClass = p.owner, p.container, p.class, p.openClass
	c.inBody, c.hidden, c.access, c.enums = p.inBody, p.hidden, p.access, p.enums
}

// enterOuterClass makes quals, the class A in a definition such as `void A::f()
// {…}`, the enclosing class.
func (c *cxx) enterOuterClass(quals string) {
	if quals == "" {
		return
	}
	c.container = strings.TrimPrefix(c.container+"."+quals, ".")
	c.class = quals[strings.LastIndexByte(quals, '.')+1:]
	_, known := c.members[cxxMember{c.class, ""}]
	c.openClass = !known
}

// functionHead returns the offset at which the signature of a function definition ends.
func (c *cxx) functionHead(n node) uint32 {
	end := c.bodyStart(n)
	if i := c.childKind(n, cxFieldInitializers); i != none {
		end = min(end, c.start(i))
	}
	return end
}

// functionSymbol returns a symbol for a function with everything that its declarator shows.
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
	if t := c.childKind(d.fn, cxTrailingReturn); t != none {
		s.Returns = c.oneLine(c.firstNamed(t))
	}
	return s
}

// isExported reports whether other files see the declared name. They see neither
// private members nor static names outside of classes.
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

// params lists the parameters of a function. In an old K&R definition their types follow the list.
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
	if v := c.childKind(list, cxVariadic); v != none && c.cpp {
		params = append(params, code.Param{Name: "..."})
	}
	if c.kind(n) == cxFunction && c.has(n, cxDeclaration) {
		c.fillOldStyleTypes(n, params)
	}
	return params
}

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

// fillOldStyleTypes sets the types of the parameters of an old K&R definition, in which they follow the list of names.
func (c *cxx) fillOldStyleTypes(n node, params []code.Param) {
	types := map[string]string{}
	for m := c.childKind(n, cxDeclaration); m != none; m = c.sibling(m) {
		if c.kind(m) != cxDeclaration {
			continue
		}
		for d := c.first(m); d != none; d = c.sibling(d) {
			if c.nodeField(d) == cxfDeclarator {
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

// functionTypes records references to the types in front of the name of a function.
func (c *cxx) functionTypes(n node, d cxxName) {
	for m := c.first(n); m != none && c.nodeField(m) != cxfDeclarator; m = c.sibling(m) {
		c.walk(m)
	}
	c.qualifierRefs(c.child(n, cxfDeclarator))
	if c.kind(d.nameNode) == cxOperatorCast {
		c.typeRef(c.child(d.nameNode, cxfType), code.RefType)
	}
}

// functionRest reads the parts of a function after its parameters: the
// trailing return type, the initializers of a constructor, the body.
func (c *cxx) functionRest(n node, d cxxName) {
	list := c.parameterList(d.fn)
	for m := c.first(d.fn); m != none; m = c.sibling(m) {
		if m != list && c.nodeField(m) != cxfDeclarator {
			c.walk(m)
		}
	}
	past := false
	for m := c.first(n); m != none; m = c.sibling(m) {
		if past {
			c.walk(m)
		}
		past = past || c.nodeField(m) == cxfDeclarator
	}
}

// qualifierRefs records references to the classes in front of the name of a definition outside of its class: A in `void A::f() {…}`.
func (c *cxx) qualifierRefs(d node) {
	for i := d; i != none && i < c.after(d); i++ {
		switch c.kind(i) {
		case cxQualified:
			c.scopeNames(i)
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
	isName := c.kind(name) == cxTypeIdentifier && c.str(name) != "" // a name that is missing is empty
	if isName && c.kind(group) == cxParenDeclarator && !c.inBody {
		c.ref(name, code.Ref{Kind: code.RefCall, Via: code.ViaBare})
		c.macroFunction(n, name, c.end(group), c.child(n, cxfBody))
		return
	}
	c.children(n)
}

// parameters binds the names of parameters and records references to their types.
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
	typ := c.child(p, cxfType)
	c.names.bind(binding{name: x.name, what: bindLocal, typ: c.typeName(typ), expr: c.declaredElement(d, typ)})
}

func (c *cxx) bindLocal(name, typ string) {
	c.names.bind(binding{name: name, what: bindLocal, typ: typ})
}

// fixture returns the class whose members the body of a test can use, "" if d declares no
// test: TEST_F(Fixture, Name) {…} is a method of a class that is derived from the
// fixture.
func (c *cxx) fixture(d cxxName, spec cxxSpecifiers) string {
	plain := c.class == "" && spec.typ == none && d.quals == ""
	if !c.cpp || !plain || !isMacroName([]byte(d.name)) {
		return ""
	}
	fn := d.fn
	for c.kind(c.child(fn, cxfDeclarator)) == cxFunctionDeclarator { // DEFINE_F(Fixture, Name)(T& t)
		fn = c.child(fn, cxfDeclarator)
	}
	names := []string{}
	for p := c.firstNamed(c.parameterList(fn)); p != none; p = c.nextNamed(p) {
		t := c.child(p, cxfType)
		if c.kind(t) != cxTypeIdentifier || c.child(p, cxfDeclarator) != none {
			return ""
		}
		names = append(names, c.str(t))
	}
	if len(names) < 2 {
		return ""
	}
	for _, name := range names {
		if _, ok := c.members[cxxMember{name, ""}]; ok {
			return name
		}
	}
	if strings.HasSuffix(d.name, "_F") || strings.HasSuffix(d.name, "_P") || strings.HasPrefix(d.name, "TYPED_TEST") {
		return names[0]
	}
	return ""
}

// brokenByMacro reads `MACRO const T* x = y;` in a function. The grammar splits it
// into a declaration of T and an assignment; the result reports whether n is one of
// the two.
func (c *cxx) brokenByMacro(n, d node) bool {
	if c.kind(d) != cxIdentifier || strings.HasSuffix(c.str(n), ";") || !isMacroName([]byte(c.fieldStr(n, cxfType))) {
		return false
	}
	c.walk(c.child(n, cxfType))
	c.typeRef(d, code.RefType)
	e := c.first(c.sibling(n))
	if left := c.child(e, cxfLeft); c.kind(e) == cxAssignment && c.kind(left) == cxPointerExpression {
		c.bindLocal(c.fieldStr(left, cxfArgument), c.str(d))
	}
	return true
}

// scopeNames records references to the classes in front of a name: A, and the class
// B of A, in A::B::f.
func (c *cxx) scopeNames(n node) {
	outer := ""
	for ; c.kind(n) == cxQualified; n = c.child(n, cxfName) {
		scope := c.child(n, cxfScope)
		name := c.scopeName(scope)
		if outer == "" || c.kind(scope) != cxNamespaceIdentifier && c.kind(scope) != cxTypeIdentifier {
			c.scopeRef(scope)
		} else {
			c.ref(scope, code.Ref{Kind: code.RefType, Via: code.ViaTyped, Recv: c.typedefTag(outer) + "::"})
		}
		if outer = name; c.namespaces[name] {
			outer = ""
		}
	}
}
