package extract

import (
	"sort"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// jsDoc returns the text of the JSDoc comment that ends before start. Other comments may be
// in between, but no empty line.
func (t *tree) jsDoc(start uint32) string {
	i := sort.Search(len(t.comments), func(i int) bool { return t.start(t.comments[i]) >= start })
	for at, stop := start, i-docComments/8; i > max(stop, 0); i-- {
		c := t.comments[i-1]
		if t.end(c) > at || !lexical.IsGap(t.text[t.end(c):at], false) {
			return ""
		}
		if isJSDoc(t.str(c)) {
			return t.docText(t.comments[i-1 : i])
		}
		at = t.start(c)
	}
	return ""
}

func isJSDoc(c string) bool { return strings.HasPrefix(c, "/**") && len(c) > 4 }

// fileDoc returns the doc comment of the file itself: the first comment, if it is
// tagged as such, or a JSDoc comment that belongs to no declaration.
func (t *tree) fileDoc() string {
	if len(t.comments) == 0 {
		return ""
	}
	c := t.comments[0]
	text := t.str(c)
	first := t.firstNamed(root)
	if first != none && t.start(c) > t.start(first) && !strings.HasPrefix(t.str(first), "#!") {
		return ""
	}
	if !isJSDoc(text) || isLegal(text) {
		return ""
	}
	for _, tag := range [...]string{"@module", "@file", "@packageDocumentation", "@overview"} {
		if strings.Contains(text, tag) {
			return t.docText(t.comments[:1])
		}
	}
	if t.documentsNext(c, first) {
		return ""
	}
	return t.docText(t.comments[:1])
}

// documentsNext reports whether comment c documents the statement first, which may
// be none. Imports need no documentation, and a comment before an empty line
// documents nothing.
func (t *tree) documentsNext(c, first node) bool {
	switch t.kind(first) {
	case jsImport:
		return false
	case jsExport:
		if t.child(first, jsfSource) != none {
			return false
		}
	}
	next := t.text[t.end(c):]
	gap := next[:len(next)-len(strings.TrimLeft(next, " \t\r\n"))]
	return first != none && lexical.IsGap(gap, false)
}

// isLegal reports whether a comment is a copyright notice or an instruction to a tool.
func isLegal(text string) bool {
	for _, w := range [...]string{
		"@license", "opyright", "SPDX-", "Licensed under", "@vitest-environment", "@jest-environment", "eslint", "@ts-",
	} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
