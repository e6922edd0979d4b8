package extract

import (
	"path"
	"slices"
	"sort"
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
	container  string // Qualified of the class around, "" outside
	class      string // its name
	openClass  bool   // the class has members that this file may not show: it has bases, or its body is elsewhere
	access     cxxAccess
	inBody     bool // in a function
	hidden     bool // in an anonymous namespace or a function
	namespaces map[string]bool
	members    map[cxxMember]string // declared members of classes and their types
	returns    map[string]string    // return types of functions
	aliases    map[string]string    // typedef name → tag
	exports    map[string]bool
	behind     []uint32 // names of typedefs that the grammar takes for errors
}

type cxxMember struct{ class, name string }

type cxxAccess uint8

const (
	cxxPublic cxxAccess = iota
	cxxProtected
	cxxPrivate
)

func walkC(f *file) {
	c := &cxx{file: f, cpp: f.lang == "cpp", namespaces: map[string]bool{}, members: map[cxxMember]string{},
		returns: map[string]string{}, aliases: map[string]string{}, exports: map[string]bool{}}
	c.facts.Package = path.Base(f.path)
	c.names.push()
	for _, r := range c.maskedLines {
		c.maskedDirective(r)
	}
	c.children(root)
	c.maskedRefs()
	c.names.pop()
	c.facts.Refs = slices.DeleteFunc(c.facts.Refs, func(r code.Ref) bool { return len(c.behind) > 0 && slices.Contains(c.behind, r.Start) })
	c.fileDoc()
}

// headC reads the includes of a file cut anywhere.
func headC(f *file) {
	c := &cxx{file: f}
	for n := root; int(n) < len(f.nodes); n++ {
		if c.kind(n) == cxInclude {
			c.include(n)
		}
	}
}

// include reads #include. The specifier of an angle include keeps its brackets,
// because they decide where to look. All names of the file become visible.
func (c *cxx) include(n node) {
	p := c.child(n, cxfPath)
	switch c.kind(p) {
	case cxString, cxSystemLib:
		c.addInclude(c.header(p), c.line(n))
	default: // a macro expands to it
		c.walk(p)
	}
}

// header returns the specifier a header's name in quotes or brackets makes.
func (c *cxx) header(n node) string {
	spec := c.str(n)
	if c.kind(n) == cxString {
		return strings.TrimSpace(strings.Trim(spec, `"`))
	}
	return "<" + strings.TrimSpace(strings.Trim(spec, "<>")) + ">"
}

func (c *cxx) addInclude(spec string, line uint32) {
	if spec == "" || spec == "<>" {
		return
	}
	c.facts.IsTest = c.facts.IsTest || cTestInclude(strings.Trim(spec, "<>"))
	c.facts.Imports = append(c.facts.Imports, code.Import{Spec: spec, Line: line, Names: []code.ImportName{{Name: "*", Alias: "*"}}})
}

// cTestInclude reports whether a header is that of a test framework.
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

// fileDoc takes the comment the file begins with, or the next one if the first is a
// license, because licenses do not describe the file. A comment right above a
// symbol belongs to the symbol instead.
func (c *cxx) fileDoc() {
	end := uint32(0)
	for i := 0; i < len(c.comments) && i < docComments; {
		first := i
		if strings.TrimSpace(strings.TrimPrefix(c.text[end:c.start(c.comments[i])], "\ufeff")) != "" {
			return
		}
		for i++; i < len(c.comments) && c.continuesComment(c.comments[i-1], c.comments[i]); i++ {
		}
		end = c.end(c.comments[i-1])
		doc := c.docText(c.comments[first:i])
		if !isLicense(doc) {
			if !c.documents(end) {
				c.facts.Doc = doc
			}
			return
		}
	}
}

// continuesComment reports whether line comment b goes on with line comment a.
func (c *cxx) continuesComment(a, b node) bool {
	return strings.HasPrefix(c.str(a), "//") && strings.HasPrefix(c.str(b), "//") && lexical.IsGap(c.text[c.end(a):c.start(b)], false)
}

// documents reports whether a comment that ends at byte end is right above a
// symbol.
func (c *cxx) documents(end uint32) bool {
	for i := range c.facts.Symbols {
		if s := c.facts.Symbols[i].Span.Start; s >= end {
			return lexical.IsGap(c.text[end:s], false)
		}
	}
	return false
}

func isLicense(doc string) bool {
	doc = strings.ToLower(doc)
	for _, word := range [...]string{"copyright", "license", "licence", "(c)", "spdx", "all rights reserved"} {
		if strings.Contains(doc, word) {
			return true
		}
	}
	return false
}

// doc returns the comment right above byte start. It must have its lines to itself,
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

// ownLine reports whether there is nothing but white space before n on its line.
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

// trailingDoc returns the comment that follows byte end on its line. Members and
// enumerators without a comment above are often documented so.
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

// namespace reads namespace a::b { … }: one symbol for each of its names.
func (c *cxx) namespace(n node) {
	name := c.child(n, cxfName)
	before, hidden := c.owner, c.hidden
	if name == none {
		c.hidden = true
	}
	if c.kind(name) == cxNestedNamespace {
		c.nestedNamespaces(n, name)
	} else if name != none {
		c.enterNamespace(n, name)
	}
	c.walk(c.child(n, cxfBody))
	c.leave(before)
	c.hidden = hidden
}

func (c *cxx) nestedNamespaces(n, name node) {
	for part := c.firstNamed(name); part != none; part = c.nextNamed(part) {
		switch c.kind(part) {
		case cxNestedNamespace:
			c.nestedNamespaces(n, part)
		case cxNamespaceIdentifier:
			c.enterNamespace(n, part)
		}
	}
}

func (c *cxx) enterNamespace(n, name node) {
	s := code.Symbol{Name: c.str(name), Kind: code.KindModule, Span: c.span(n), NameStart: c.start(name), Exported: !c.hidden}
	if s.Name == "" {
		return
	}
	s.Doc = c.doc(c.docStart(n))
	s.Signature = strings.TrimSpace(c.signature(c.start(n), c.bodyStart(n)))
	c.namespaces[s.Name] = true
	c.enter(c.file.declare(s))
}

// bodyStart returns where n's body begins, or its end without one.
func (c *cxx) bodyStart(n node) uint32 {
	if b := c.child(n, cxfBody); b != none {
		return c.start(b)
	}
	return c.end(n)
}

// symbol declares s in the class around, with the classes of quals in front of its
// name.
func (c *cxx) symbol(s code.Symbol, quals string) int32 {
	prefix := c.container
	if quals != "" {
		prefix = strings.TrimPrefix(prefix+"."+quals, ".")
	}
	s.Qualified = c.under(prefix, s.Name)
	return c.addSymbol(s)
}

// addSymbol declares s, which has its qualified name, and lists it as an export if
// other files see it.
func (c *cxx) addSymbol(s code.Symbol) int32 {
	s.Exported = s.Exported && !c.hidden
	if s.Exported && s.Qualified == s.Name && !c.exports[s.Name] {
		c.exports[s.Name] = true
		c.facts.Exports = append(c.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	return c.file.declare(s)
}

// headStart returns where declaration n begins, including the macros masked in front of
// it on the same line.
func (c *cxx) headStart(n node) uint32 { return c.beforeMasked(c.start(n), false) }

// docStart returns where n's doc comment must end: above the macros masked in front of
// n, even if they are on lines of their own.
func (c *cxx) docStart(n node) uint32 { return c.beforeMasked(c.start(n), true) }

func (c *cxx) headSpan(n node) code.Span { return c.spanBetween(c.headStart(n), c.end(n)) }

// maxMasks bounds the macros in front of one declaration.
const maxMasks = 16

// beforeMasked returns where the macros masked right before byte start begin, start
// itself without any. Only with lines set may they end on a line before.
func (c *cxx) beforeMasked(start uint32, lines bool) uint32 {
	i := sort.Search(len(c.maskedHeads), func(i int) bool { return c.maskedHeads[i].end > start })
	for n := 0; n < maxMasks && i > 0; n++ {
		m := c.maskedHeads[i-1]
		if gap := c.text[m.end:start]; !lexical.IsGap(gap, false) || !lines && strings.IndexByte(gap, '\n') >= 0 {
			break
		}
		start = m.start
		i--
	}
	return start
}
