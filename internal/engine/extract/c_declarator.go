package extract

import (
	"strings"

	"ken/internal/engine/extract/lexical"
)

// cxxName is a declarator split into its parts: the name that it declares and the pointers, qualifiers and parameters around it.
type cxxName struct {
	nameNode node   // the name itself, none if there is none
	name     string // as Symbol.Name: "f", "~A", "operator=="
	quals    string // the classes in front, dotted, without namespaces and template arguments
	fn       node   // the function declarator if a function is declared
	ptr      string // "*", "**&" between the type and the name
}

// isNamed reports whether the declarator declares a usable name.
func (x *cxxName) isNamed() bool {
	return x.nameNode != none && x.name != "" && !lexical.IsCKeyword(x.name)
}

// declarator splits declarator d into its parts. It follows one path down the tree, so that its cost is the depth of d.
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

// innerDeclarator returns the declarator inside parentheses or in front of attributes.
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

// scopeName returns the name of a class or namespace before ::, without template arguments.
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

// operatorName returns the name of an operator or destructor in one spelling, so
// that declarations and references match: "operator==", "operator new", "~A".
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

// oneLine returns n's source on one line.
func (c *cxx) oneLine(n node) string {
	if n == none {
		return ""
	}
	return c.signature(c.start(n), c.end(n))
}

// cxxSpecifiers holds the words of a declaration before its declarators, such as static, const and the type.
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
		if c.nodeField(m) == cxfDeclarator {
			break
		}
	}
	return s
}

// typeText returns the written type of a name in declaration n: the words before its
// declarator and the pointers ptr.
func (c *cxx) typeText(n node, ptr string) string {
	var parts []string
	for m := c.first(n); m != none && !c.endsSpecifiers(m); m = c.sibling(m) {
		switch {
		case c.nodeField(m) == cxfType:
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
	switch c.nodeField(m) {
	case cxfDeclarator, cxfBody:
		return true
	}
	return c.kind(m) == cxParameterList
}

// typeHead returns a type as written, without the body it may have.
func (c *cxx) typeHead(n node) string {
	if b := c.child(n, cxfBody); b != none {
		return strings.TrimSpace(c.signature(c.start(n), c.start(b)))
	}
	return c.oneLine(n)
}
