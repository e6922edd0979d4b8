package extract

import (
	"strings"

	"ken/internal/code"
)

// fixture returns the class whose members the body of a test sees, or "" if d heads none:
// TEST_F(Fixture, Name) {…} makes a method of a class that is made from the fixture.
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

// brokenByMacro reads `MACRO const T* x = y;` in a function, which the grammar cuts
// into a declaration of T and an assignment, and reports whether n is such a half.
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

// scopeNames emits the classes in front of the name of an out-of-class definition: A
// and A's B of A::B::f.
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
