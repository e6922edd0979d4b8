package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// cxx reads a C or C++ file. The C++ grammar extends that of C, so one walk serves
// both. Declarations are in this file, c_function.go and c_decl.go, their declarators
// in c_declarator.go, types and their members in c_type.go, names and members in
// c_ref.go, statements and expressions in c_expr.go, macros in c_macro.go.
// Before source is parsed, c_repair.go blanks the parts that only a preprocessor could
// understand.
//
// Qualified names leave namespaces out, as they leave out the packages of other
// languages, because namespaces are reopened anywhere and `using` makes the prefix of
// a name a matter of taste. A namespace is a symbol of kind module and the Parent of
// its declarations. Members of a class are named after the class wherever they are
// defined: `void A::f() {}` is "A.f". As the language has it, the enumerators of a
// plain enum belong to the scope around it, those of an enum class to the enum.
//
// A prototype and its definition are two symbols. The signature of the first ends
// with a semicolon; so does that of an extern variable. References hold only the
// name: engine/graph binds a call to the prototype its includes lead to and to the
// definitions in files that include the same header.
//
// A symbol is exported unless it is static, in an anonymous namespace, in a
// function or a private member.
type cxx struct {
	*file
	cpp        bool
	container  string // Qualified of the enclosing class, "" outside
	class      string // its name
	openClass  bool   // the class has members that this file may not show: it has bases, or its body is elsewhere
	access     cxxAccess
	inBody     bool // in a function
	hidden     bool // in an anonymous namespace or a function
	namespaces map[string]bool
	spaces     map[string]string    // namespace alias → its path, as Ref.Recv has it
	usings     map[string]string    // name that a using declaration brings in → path of its scope
	enums      []string             // paths of the enums whose enumerators are named without them
	members    map[cxxMember]string // declared members of classes and their types
	elements   map[cxxMember]string // the types of their elements
	returns    map[string]string    // return types of functions
	aliases    map[string]string    // typedef name → tag
	lists      map[string]string    // name of a container → collection
	exports    map[string]bool
	behind     []uint32 // names of typedefs that the grammar takes for errors
}

type cxxMember struct{ class, name string }

type cxxAccess uint8

func (c *cxx) addInclude(spec string, line uint32) {
	if spec == "" || spec == "<>" {
		return
	}
	isOwn := spec == "check.h" // in quotes it is more often the project's than that of the framework
	c.facts.IsTest = c.facts.IsTest || !isOwn && cTestInclude(strings.Trim(spec, "<>"))
	c.facts.Imports = append(c.facts.Imports, code.Import{Spec: spec, Line: line, Names: []code.ImportName{{Name: "*", Alias: "*"}}})
}

// cTestInclude reports whether a header belongs to a test framework.
func cTestInclude(spec string) bool {
	switch spec {
	case "check.h", "cmocka.h", "unity.h", "unity_fixture.h", "criterion/criterion.h", "catch.hpp", "doctest.h",
		"CUnit/CUnit.h", "CUnit/Basic.h", "QtTest", "QTest":
		return true
	}
	for _, dir := range [...]string{"gtest/", "gmock/", "catch2/", "doctest/", "boost/test/", "cppunit/", "CppUTest/"} {
		if strings.HasPrefix(spec, dir) {
			return true
		}
	}
	return false
}

// doc returns the comment right above byte start. No code may share its lines,
// because a comment after code is about that code.
func (c *cxx) doc(start uint32) string {
	last := c.commentsBefore(start)
	first := last
	for below := start; first > 0 && last-first < docComments; first-- {
		n := c.comments[first-1]
		text := c.str(n)
		if c.end(n) > below || !lexical.IsGap(c.text[c.end(n):below], false) || !c.ownLine(n) || isTrailingDoc(text) {
			break
		}
		block := strings.HasPrefix(text, "/*")
		if block && first < last {
			break
		}
		below = c.start(n)
		if block {
			first--
			break
		}
	}
	if first == last {
		return ""
	}
	return c.docText(c.comments[first:last])
}

// commentsBefore returns the number of comments that begin before offset off.
func (c *cxx) commentsBefore(off uint32) int {
	lo, hi := 0, len(c.comments)
	for lo < hi {
		if mid := (lo + hi) / 2; c.start(c.comments[mid]) >= off {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// isTrailingDoc reports whether a comment has Doxygen's mark for documenting the
// code before it instead of the code below.
func isTrailingDoc(s string) bool {
	if len(s) < 4 {
		return false
	}
	switch s[:4] {
	case "/**<", "///<", "//!<", "/*!<":
		return true
	}
	return false
}

// ownLine reports whether only white space precedes n on its line.
func (c *cxx) ownLine(n node) bool {
	for i := int(c.start(n)) - 1; i >= 0; i-- {
		switch c.text[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// trailingDoc returns the comment that follows byte end on the same line. It
// documents members and enumerators that have no comment above.
func (c *cxx) trailingDoc(end uint32) string {
	i := c.commentsBefore(end)
	if i == len(c.comments) {
		return ""
	}
	n := c.comments[i]
	gap := c.text[end:c.start(n)]
	if len(gap) > 64 || strings.Trim(gap, " \t;,") != "" {
		return ""
	}
	text := lexical.Cut(c.str(n), 8*code.MaxDoc)
	if isTrailingDoc(text) {
		text = strings.Replace(text, "<", "", 1)
	}
	return lexical.CleanDoc(text)
}

// addSymbol declares s, whose qualified name is set, and exports it if other files
// see it.
func (c *cxx) addSymbol(s code.Symbol) int32 {
	s.Exported = s.Exported && !c.hidden
	if s.Exported && s.Qualified == s.Name && !c.exports[s.Name] {
		c.exports[s.Name] = true
		c.facts.Exports = append(c.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	return c.file.declare(s)
}

// maxParams is the largest number of parameters that a symbol lists.
const maxParams = 256
