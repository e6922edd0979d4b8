package extract

import (
	"path"
	"slices"
	"sort"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

const (
	cxxPublic cxxAccess = iota
	cxxProtected
	cxxPrivate
)

func walkC(f *file) {
	c := &cxx{file: f, cpp: f.lang == "cpp", namespaces: map[string]bool{}, spaces: map[string]string{}, usings: map[string]string{},
		members: map[cxxMember]string{}, elements: map[cxxMember]string{},
		returns: map[string]string{}, aliases: map[string]string{}, lists: map[string]string{}, exports: map[string]bool{}}
	c.facts.Package = path.Base(f.path)
	c.names.push()
	for _, r := range c.maskedLines {
		c.maskedDirective(r)
	}
	c.children(root)
	c.maskedRefs()
	c.blankedConditions()
	c.names.pop()
	c.facts.Refs = slices.DeleteFunc(c.facts.Refs, func(r code.Ref) bool { return len(c.behind) > 0 && slices.Contains(c.behind, r.Start) })
	c.fileDoc()
}

// headC reads the includes at the beginning of a C or C++ file that is too large to parse. The text may end anywhere.
func headC(f *file) {
	c := &cxx{file: f}
	for n := root; int(n) < len(f.nodes); n++ {
		if c.kind(n) == cxInclude {
			c.include(n)
		}
	}
}

// include records the import that an #include makes. The path of `#include <x>`
// keeps its brackets, because they decide in which directories it is looked
// for. All names of the included file become visible.
func (c *cxx) include(n node) {
	p := c.child(n, cxfPath)
	switch c.kind(p) {
	case cxString, cxSystemLib:
		c.addInclude(c.header(p), c.line(n))
	default: // a macro expands to it
		c.walk(p)
	}
}

// header returns the import path for a header whose name is in quotes or brackets.
func (c *cxx) header(n node) string {
	spec := c.str(n)
	if c.kind(n) == cxString {
		return strings.TrimSpace(strings.Trim(spec, `"`))
	}
	return "<" + strings.TrimSpace(strings.Trim(spec, "<>")) + ">"
}

// fileDoc sets the file's documentation to its first comment before any declaration. Of a license it takes the lines before that, because
// many begin with a description, and else the next comment. A comment right above a symbol belongs to the symbol instead.
func (c *cxx) fileDoc() {
	end := uint32(0)
	for i := 0; i < len(c.comments) && i < docComments; {
		first := i
		before := strings.TrimSpace(strings.TrimPrefix(c.text[end:c.start(c.comments[i])], "\ufeff"))
		if !onlyDirectives(before) {
			return
		}
		for i++; i < len(c.comments) && c.continuesComment(c.comments[i-1], c.comments[i]); i++ {
		}
		end = c.end(c.comments[i-1])
		doc := c.docText(c.comments[first:i])
		if (before != "" || first > 0) && (!c.ownLine(c.comments[first]) || strings.HasPrefix(strings.TrimSpace(c.text[end:]), "#")) {
			continue // it is about a directive
		}
		switch isLegal := isLicense(doc); {
		case !isLegal && c.documents(end):
			return
		case isLegal:
			doc = besideLicense(doc)
		}
		if doc != "" {
			c.facts.Doc = doc
			return
		}
	}
}

// onlyDirectives reports whether a text has only white space and lines of the preprocessor.
func onlyDirectives(text string) bool {
	continued := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && !continued {
			return false
		}
		continued = strings.HasSuffix(line, "\\")
	}
	return true
}

// besideLicense returns the description before a license, or in the paragraph behind a short one; "" if there is none.
func besideLicense(doc string) string {
	if lead := leadOfLicense(doc); lead != "" {
		return lead
	}
	legal, rest, _ := strings.Cut(doc, "\n\n")
	text, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
	isTerm := func(word string) bool { return strings.Contains(strings.ToLower(text), word) }
	if !isLicense(legal) || strings.Count(legal, "\n") > maxLegal || slices.ContainsFunc(terms[:], isTerm) {
		return ""
	}
	return leadOfLicense(text)
}

// maxLegal is the number of line breaks in the first paragraph of a license that only refers to its text, and terms are words of licenses.
const maxLegal = 4

var terms = [...]string{"software", "redistribut", "permission", "permit", "warrant", "liab", "condition", "provided", "as is", "as-is", "author", "copy", "law", "distribut"}

// leadOfLicense returns the description before a license, "" if there is none: "zlib.h -- interface of the 'zlib' library".
func leadOfLicense(doc string) string {
	var lines []string
	letters, others := 0, 0
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		if isLicense(low) || strings.HasPrefix(low, "version ") || strings.HasPrefix(low, "$") {
			break
		}
		for _, r := range line {
			switch {
			case unicode.IsLetter(r):
				letters++
			case r != ' ':
				others++
			}
		}
		lines = append(lines, line)
	}
	lead := strings.TrimSpace(strings.Join(lines, "\n"))
	if isDrawing := letters < 3*others; isDrawing || len(strings.Fields(lead)) < 3 {
		return ""
	}
	return lead
}

// continuesComment reports whether the line comment b continues the line comment a.
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

// namespace reads namespace a::b { … } and declares a symbol for each of the names a and b.
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
	if isMacroName([]byte(s.Name)) {
		c.ref(name, code.Ref{Kind: code.RefUse, Via: code.ViaBare})
	}
	c.namespaces[s.Name] = true
	c.enter(c.file.declare(s))
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (c *cxx) bodyStart(n node) uint32 {
	if b := c.child(n, cxfBody); b != none {
		return c.start(b)
	}
	return c.end(n)
}

// symbol declares s as a member of the enclosing class. quals are the classes
// written in front of its name, as A in A::f.
func (c *cxx) symbol(s code.Symbol, quals string) int32 {
	prefix := c.container
	if quals != "" {
		prefix = strings.TrimPrefix(prefix+"."+quals, ".")
	}
	s.Qualified = c.under(prefix, s.Name)
	return c.addSymbol(s)
}

// headStart returns the offset at which declaration n begins. Macros in front of it on
// the same line, which were blanked before parsing, belong to it.
func (c *cxx) headStart(n node) uint32 { return c.beforeMasked(c.start(n), false) }

// docStart returns the offset above which n's doc comment must end: above the macros
// in front of n that were blanked before parsing, even if they are on lines of their
// own.
func (c *cxx) docStart(n node) uint32 { return c.beforeMasked(c.start(n), true) }

func (c *cxx) headSpan(n node) code.Span { return c.spanBetween(c.headStart(n), c.end(n)) }

// maxMasks is the largest number of blanked macros in front of one declaration.
const maxMasks = 16

// beforeMasked returns the offset of the first of the blanked macros right before
// byte start, or start if there are none. Only with lines set may they be on
// earlier lines.
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
