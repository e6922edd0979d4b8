package extract

import (
	"strings"

	"ken/internal/code"
)

// Types that other files decide: of results, members and elements. They are written
// down as expressions (code.RecvExpr), which are followed when a question is asked.

// maxDerived is how long such an expression may be.
const maxDerived = 80

// derivedType is the type of a value as an expression, "" if the file does not show
// where it comes from.
func (s *script) derivedType(n node) string {
	switch s.kind(n) {
	case jsCall, jsMember, jsSubscript, jsAwait:
	default:
		return ""
	}
	if e := s.derive(n, 0); e != "" && len(e) <= maxDerived {
		return code.RecvExpr + e
	}
	return ""
}

// derive writes the expression of a value.
func (s *script) derive(n node, depth int) string {
	if depth > maxLiteralDepth {
		return ""
	}
	if t := s.valueType(n); t != "" {
		return strings.TrimPrefix(t, code.RecvExpr)
	}
	n = s.unwrap(n)
	switch s.kind(n) {
	case jsIdentifier:
		return s.deriveName(n)
	case jsThis:
		if strings.ContainsAny(s.self, "(") {
			return ""
		}
		return s.self
	case jsMember:
		of, name := s.derive(s.child(n, jsfObject), depth+1), s.fieldStr(n, jsfProperty)
		if of != "" && isExprName(name) {
			return of + "." + name
		}
	case jsSubscript:
		if of := s.derive(s.child(n, jsfObject), depth+1); of != "" {
			return of + "[]"
		}
	case jsCall:
		if of := s.derive(s.child(n, jsfFunction), depth+1); of != "" && !s.isImportCall(n) {
			return of + "()"
		}
	case jsAwait:
		return s.derive(s.firstNamed(n), depth+1)
	}
	return ""
}

// deriveName is the expression of a plain name: its type, or itself if the whole file
// sees it.
func (s *script) deriveName(n node) string {
	switch b := s.lookup(s.str(n), false); {
	case b == nil, !isExprName(s.str(n)):
		return ""
	case b.typ != "":
		return strings.TrimPrefix(b.typ, code.RecvExpr)
	case b.isOneOf(bindImport, bindTop):
		return s.str(n)
	}
	return ""
}

// isExprName reports whether a name can be written in an expression.
func isExprName(name string) bool {
	return name != "" && len(name) <= maxDerived && !strings.ContainsAny(name, ".()[]{},:<= ?#\t\r\n")
}

// elementOf is the type of the variable of `for (const x of values)`.
func (s *script) elementOf(loop node) string {
	if !s.has(loop, jsKwOf) {
		return ""
	}
	if e := s.derive(s.child(loop, jsfRight), 0); e != "" && len(e) < maxDerived {
		return code.RecvExpr + e + "[]"
	}
	return ""
}

// callbackElement is the type of the first parameter of the function that a call of an
// array's method is given, "" for any other call.
func (s *script) callbackElement(call node) string {
	callee := s.child(call, jsfFunction)
	if s.kind(callee) != jsMember {
		return ""
	}
	switch s.fieldStr(callee, jsfProperty) {
	case "forEach", "map", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap":
		if e := s.derive(s.child(callee, jsfObject), 0); e != "" && len(e) < maxDerived {
			return code.RecvExpr + e + "[]"
		}
	}
	return ""
}
