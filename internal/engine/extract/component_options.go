package extract

import (
	"regexp"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/extract/markup"
)

// Vue's options API: the script exports an object, and the template names the members of
// its parts (methods, computed, the result of data()) as if they were variables.

// optionsObject returns the declaration that the script exports as the component in Vue's
// options API. Its members are in scope in the template.
func (c *component) optionsObject() string {
	if !c.vue {
		return ""
	}
	for i := range c.facts.Exports {
		if x := &c.facts.Exports[i]; x.Name == "default" && x.From < 0 {
			return x.Local
		}
	}
	if scriptElsewhere().MatchString(c.fullText) {
		return "default" // the file's export, whose members are found by their names
	}
	return ""
}

// scriptElsewhere matches the tag of a script that is in another file.
var scriptElsewhere = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<script\s[^>]*\bsrc\s*=`) })

// templatePart is appended to the name of an options object, so that members are looked
// for in the object as they are for `this` in one of its functions.
const templatePart = ".template"

// optionRef records a reference to a member of the options object, as `this.name` in one of
// its functions does. The reference to a member that the object does not show, such as a
// mixin's, has no declaration.
func (c *component) optionRef(name string, off int, k code.RefKind) {
	if c.options == "" || name[0] == '$' || isScriptWord(name) {
		return
	}
	c.refAt(code.Ref{Name: name, Kind: k, Via: code.ViaSelf, Recv: c.options + templatePart, Import: -1}, off, len(name))
}

// isScriptWord reports whether a name in an expression is a word of JavaScript or a
// global that Vue's templates may use, and therefore not a member of the component. The
// source is the list of allowed globals in Vue's documentation of template syntax.
func isScriptWord(name string) bool {
	switch name {
	case "true", "false", "null", "undefined", "this", "typeof", "instanceof", "in", "of", "new", "void", "delete", "await", "async",
		"function", "return", "if", "else", "const", "let", "var", "as", "is", "keyof", "satisfies", "NaN", "Infinity", "isFinite", "isNaN",
		"parseFloat", "parseInt", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "Math", "Number", "Date", "Array",
		"Object", "Boolean", "String", "RegExp", "Map", "Set", "JSON", "Intl", "BigInt", "console", "Error", "Symbol", "arguments":
		return true
	}
	return false
}

// foreignAttr matches an attribute in a template that is not HTML (Pug, Haml): a
// directive or its short form, and a value in quotes.
var foreignAttr = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("([:@#]|v-)[\\w.:\\-\\[\\]]*\\s*=\\s*(\"[^\"]*\"|'[^']*'|`[^`]*`)")
})

// foreignTag matches the name of an element, which begins a line of such a template.
var foreignTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*([A-Za-z][\w-]*)`) })

// foreignTemplate reads the directives, the expressions in braces and the names of
// components of a template that is not HTML. It does not follow where elements begin and
// end, and counts all text that looks like one of these, because a reader sees a wrong
// use but not a missing one.
func (c *component) foreignTemplate(t markup.Token) {
	if t.Name != "template" || t.Closed {
		return
	}
	c.tags.RawText(&t)
	text := c.fullText[t.From:t.To]
	for _, m := range foreignTag().FindAllStringSubmatchIndex(text, -1) {
		c.tagRef(text[m[2]:m[3]], t.From+m[2])
	}
	for _, m := range foreignAttr().FindAllStringSubmatchIndex(text, -1) {
		name, _, _ := strings.Cut(text[m[0]:m[4]], "=")
		value := text[m[4]+1 : m[5]-1]
		c.attribute(&markup.Attr{Name: strings.TrimSpace(name), Value: value, NameAt: t.From + m[0], ValueAt: t.From + m[4] + 1})
	}
	for i := 0; ; {
		n := strings.Index(text[i:], "{{")
		if n < 0 {
			return
		}
		end := strings.Index(text[i+n:], "}}")
		if end < 0 {
			return
		}
		c.exprRefs(t.From+i+n+2, t.From+i+n+end)
		i += n + end + 2
	}
}
