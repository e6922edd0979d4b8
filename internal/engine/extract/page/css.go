package page

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// css scans CSS (https://www.w3.org/TR/css-syntax-3/) and its supersets SCSS and
// Less. It finds rules, declarations and statements by their ends ("{", "}", ";"), and
// skips comments, strings, url() and interpolation because these may contain the same
// characters. Symbols are classes, ids and placeholders where a rule first names them,
// custom properties and variables where they are first set, mixins, functions and
// keyframes.
type css struct {
	*plain.File
	src      string
	pos      int
	extended bool // SCSS or Less: with variables, mixins and comments after "//"
	rules    []cssRule
	deeper   int             // blocks open inside of maxRules others
	declared map[string]bool // symbols by kind and name
	doc      [2]int          // start and end of the last comment, 0 if none
}

const maxRules = 512 // open at once

// cssRule is an open block.
type cssRule struct {
	firstSymbol, endSymbol int    // the symbols it declared
	class                  string // the last class it names, which "&-x" extends
	keyframes              bool
}

// maxStyleRefs bounds the references of a style sheet.
const maxStyleRefs = 2000

// ScanCSS reads a style sheet.
func ScanCSS(f *plain.File) { scanCSS(f, false) }

// ScanSCSS reads a style sheet of a language in which // begins a comment (SCSS, Less).
func ScanSCSS(f *plain.File) { scanCSS(f, true) }

func scanCSS(f *plain.File, slash bool) {
	c := css{File: f, src: f.Text, extended: slash, declared: map[string]bool{}}
	start := 0 // of the statement being read
	parens := 0
	for c.pos < len(c.src) {
		switch b := c.src[c.pos]; {
		case lexical.IsSpace(b):
			if start == c.pos {
				start++
			}
			c.pos++
		case b == '/':
			c.skipComment(start)
			if lexical.ByteAt(c.src, start) == '/' {
				start = c.pos
			}
		case b == '"', b == '\'':
			c.pos = lexical.StringEnd(c.src, c.pos)
		case b == '(' && opensURL(c.src, c.pos):
			c.pos = cssURLEnd(c.src, c.pos)
		case b == '\\':
			c.pos += 2
		case (b == '#' || b == '@') && lexical.ByteAt(c.src, c.pos+1) == '{':
			c.pos = interpolationEnd(c.src, c.pos+1)
		case b == '(':
			parens++
			c.pos++
		case b == ')':
			parens = max(parens-1, 0)
			c.pos++
		case b == '{':
			c.openBlock(start, c.pos)
			c.pos++
			start, parens = c.pos, 0
		case b == ';' && parens > 0 && c.extended: // parameters of a mixin of Less
			c.pos++
		case b == ';':
			c.statement(start, c.pos)
			c.pos++
			start = c.pos
		case b == '}':
			c.statement(start, c.pos)
			c.pos++
			c.closeBlock(c.pos)
			start, parens = c.pos, 0
		default:
			c.pos++
		}
	}
	c.pos = len(c.src)
	c.statement(min(start, len(c.src)), len(c.src))
	for len(c.rules) > 0 {
		c.closeBlock(len(c.src))
	}
}

// skipComment skips the comment or the slash at the scanner's position. A comment that
// a statement, which begins at start, does not contain is the doc of the next one.
func (c *css) skipComment(start int) {
	first := c.pos
	switch {
	case strings.HasPrefix(c.src[first:], "/*"):
		if n := strings.Index(c.src[first+2:], "*/"); n >= 0 {
			c.pos += n + 4
		} else {
			c.pos = len(c.src)
		}
	case c.extended && strings.HasPrefix(c.src[first:], "//"):
		c.pos = lexical.LineEnd(c.src, first)
	default:
		c.pos++
		return
	}
	if start == first {
		if c.src[first+1] == '*' || c.doc[1] == 0 || strings.TrimSpace(c.src[c.doc[1]:first]) != "" {
			c.doc[0] = first
		}
		c.doc[1] = c.pos
	}
}

// opensURL reports whether the parenthesis at i is that of url(.
func opensURL(s string, i int) bool { return i >= 3 && strings.EqualFold(s[i-3:i], "url") }

// cssURLEnd returns the offset after the url whose parenthesis is at open.
func cssURLEnd(s string, open int) int {
	i := open + 1
	for i < len(s) && lexical.IsSpace(s[i]) {
		i++
	}
	if b := lexical.ByteAt(s, i); b == '"' || b == '\'' {
		return lexical.StringEnd(s, i)
	}
	if n := strings.IndexAny(s[i:], ")\n;"); n >= 0 {
		return i + n
	}
	return len(s)
}

// interpolationEnd returns the offset after the brace that closes the one at open, which
// must be on the same line and near, so that a lone brace does not cost the file.
func interpolationEnd(s string, open int) int {
	rest := s[open:min(len(s), open+256)]
	if n := strings.IndexAny(rest, "}\n"); n >= 0 && rest[n] == '}' {
		return open + n + 1
	}
	return open + 1
}

// openBlock begins a block whose prelude is [start, end).
func (c *css) openBlock(start, end int) {
	r := cssRule{firstSymbol: len(c.Facts.Symbols)}
	if n := len(c.rules); n > 0 {
		r.class, r.keyframes = c.rules[n-1].class, c.rules[n-1].keyframes
	}
	switch text := strings.TrimSpace(c.src[start:end]); {
	case text == "", r.keyframes:
	case text[0] == '@':
		r.keyframes = c.atRule(text, start, end)
	case strings.HasSuffix(text, ":"), text[0] == '$': // nested properties, a map
	default:
		r.class = c.readSelectors(start, end, r.class)
	}
	r.endSymbol = len(c.Facts.Symbols)
	c.doc = [2]int{}
	if len(c.rules) == maxRules {
		c.deeper++
		return
	}
	c.rules = append(c.rules, r)
}

func (c *css) closeBlock(end int) {
	c.doc = [2]int{}
	n := len(c.rules) - 1
	if n < 0 || c.deeper > 0 {
		c.deeper = max(c.deeper-1, 0)
		return
	}
	for i := c.rules[n].firstSymbol; i < c.rules[n].endSymbol; i++ {
		c.SetEnd(int32(i), end)
	}
	c.rules = c.rules[:n]
}

// atRule reads the prelude of an at-rule with a block and reports keyframes.
func (c *css) atRule(text string, start, end int) (keyframes bool) {
	name, rest := cutWord(text[1:])
	start += strings.Index(c.src[start:end], "@")
	argStart := start + 1 + len(name) + len(text[1+len(name):]) - len(rest)
	arg := leadingIdent(rest)
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, "keyframes"):
		c.symbol(code.KindSelector, strings.Trim(arg, `"'`), argStart, start, end)
		return true
	case lower == "mixin", lower == "function":
		c.symbol(code.KindFunction, arg, argStart, start, end)
	case lower == "include":
		c.addRef(code.RefCall, lexical.LastDot(arg), argStart+len(arg)-len(lexical.LastDot(arg)))
	case lower == "property":
		c.symbol(code.KindVariable, arg, argStart, start, end)
	}
	c.valueRefs(start+1+len(name), end)
	return false
}

// cutWord splits off the name an at-rule begins with.
func cutWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && (lexical.IsWord(s[i]) || s[i] == '-') {
		i++
	}
	return s[:i], strings.TrimLeft(s[i:], " \t\r\n")
}

// leadingIdent returns the identifier s begins with, dots of a namespace included.
func leadingIdent(s string) string {
	for i := range len(s) {
		switch b := s[i]; {
		case b == '-', lexical.IsWord(b), b == '.' && i > 0, b == '%' && i == 0:
		default:
			return s[:i]
		}
	}
	return s
}

// symbol declares a name that a rule or declaration defines, unless one above did.
func (c *css) symbol(k code.Kind, name string, nameStart, start, end int) {
	key := k.String() + name
	if name == "" || c.declared[key] {
		return
	}
	c.declared[key] = true
	sym := c.AddSymbol(k, name, nameStart, start, end, c.src[start:end], plain.MaxOutline)
	if sym >= 0 && c.doc[1] > 0 && lexical.IsGap(c.src[c.doc[1]:start], false) {
		c.Facts.Symbols[sym].Doc = lexical.Cut(lexical.CleanDoc(c.src[c.doc[0]:min(c.doc[1], c.doc[0]+4*plain.MaxDoc)]), plain.MaxDoc)
	}
}

// readSelectors declares the classes, ids and placeholders of a selector list and
// returns the last class, which nested rules may extend ("&-x").
func (c *css) readSelectors(start, end int, outer string) string {
	class := outer
	for i := start; i < end; {
		switch b := c.src[i]; {
		case b == '.', b == '#', b == '%':
			name := selectorName(c.src[i+1 : end])
			percentage := b == '%' && i > start && lexical.IsDigit(c.src[i-1])
			if name != "" && !percentage {
				c.symbol(code.KindSelector, name, i+1, start, end)
				if b == '.' {
					class = name
				}
			}
			i += 1 + len(name)
		case b == '&':
			if suffix := selectorTail(c.src[i+1 : end]); suffix != "" && outer != "" {
				class = outer + suffix
				c.symbol(code.KindSelector, class, i, start, end)
				i += len(suffix)
			}
			i++
		case b == '[':
			if n := strings.IndexByte(c.src[i:min(end, i+1024)], ']'); n > 0 {
				i += n
			}
			i++
		case b == '"', b == '\'':
			i = min(lexical.StringEnd(c.src, i), end)
		case b == '\\':
			i += 2
		case b == '/' && strings.HasPrefix(c.src[i:end], "/*"):
			n := strings.Index(c.src[i+2:end], "*/")
			if n < 0 {
				return class
			}
			i += n + 4
		case b == '/' && c.extended && strings.HasPrefix(c.src[i:end], "//"):
			i = lexical.LineEnd(c.src, i)
		default:
			i++
		}
	}
	return class
}

// selectorName returns the name after the mark of a selector, or "" if there is none.
func selectorName(s string) string {
	if lexical.IsDigit(lexical.ByteAt(s, 0)) {
		return ""
	}
	name := selectorTail(s)
	if strings.Trim(name, "-") == "" {
		return ""
	}
	return name
}

// selectorTail returns the longest start of s that can be part of a name.
func selectorTail(s string) string {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '-', lexical.IsWord(b):
		case b == '\\' && i+1 < len(s):
			i++
		default:
			return s[:i]
		}
	}
	return s
}

// statement reads a declaration, or an at-rule without block.
func (c *css) statement(start, end int) {
	for start < end && lexical.IsSpace(c.src[start]) {
		start++
	}
	if start >= end {
		return
	}
	defer func() { c.doc = [2]int{} }()
	if c.src[start] == '@' {
		name, rest := cutWord(c.src[start+1 : end])
		if !c.extended || !strings.HasPrefix(rest, ":") {
			c.atStatement(strings.ToLower(name), rest, start, end)
			return
		}
	}
	colon := strings.IndexByte(c.src[start:end], ':')
	if colon > 0 {
		name := strings.TrimRight(c.src[start:start+colon], " \t")
		if c.isVariable(name) && selectorTail(name[1:]) == name[1:] {
			c.symbol(code.KindVariable, name, start, start, end)
		}
		c.valueRefs(start+colon+1, end)
		return
	}
	if c.extended && c.src[start] == '.' { // a mixin of Less
		if name := selectorName(c.src[start+1 : end]); name != "" {
			c.addRef(code.RefCall, name, start+1)
		}
	}
}

// isVariable reports whether the name of a declaration is a custom property or a
// variable that other style sheets see.
func (c *css) isVariable(name string) bool {
	if strings.HasPrefix(name, "--") {
		return true
	}
	return c.extended && len(c.rules) == 0 && (name[0] == '$' || name[0] == '@')
}

// atStatement reads @import, @use, @forward, @include, @extend.
func (c *css) atStatement(name, rest string, start, end int) {
	argStart := end - len(rest)
	switch name {
	case "import", "use", "forward":
		c.importStatement(name, argStart, end)
	case "include":
		arg := leadingIdent(rest)
		c.addRef(code.RefCall, lexical.LastDot(arg), argStart+len(arg)-len(lexical.LastDot(arg)))
		c.valueRefs(argStart+len(arg), end)
	case "extend":
		if b := lexical.ByteAt(rest, 0); b == '.' || b == '%' {
			c.addRef(code.RefInherit, selectorName(rest[1:]), argStart+1)
		}
	case "property":
		c.symbol(code.KindVariable, leadingIdent(rest), argStart, start, end)
	default:
		c.valueRefs(argStart, end)
	}
}

// importStatement imports the style sheets a statement names.
func (c *css) importStatement(name string, start, end int) {
	for i := start; i < end; {
		switch b := c.src[i]; {
		case b == '"', b == '\'':
			close := min(lexical.StringEnd(c.src, i), end)
			c.importSheet(name, c.src[i+1:max(i+1, close-1)], i)
			i = close
			if name != "import" {
				return
			}
		case b == '(' && opensURL(c.src, i):
			close := min(cssURLEnd(c.src, i), end)
			c.importSheet(name, strings.Trim(c.src[i+1:close], "\"' \t"), i)
			i = close
		default:
			i++
		}
	}
}

// importSheet imports all names of one style sheet; statement is the word that does.
func (c *css) importSheet(statement, spec string, off int) {
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	if strings.ContainsAny(spec, "{}$\n") || strings.HasPrefix(spec, "data:") {
		return
	}
	n := len(c.Facts.Imports)
	kind := code.ImportStatic
	if statement == "forward" {
		kind = code.ImportReexport
	}
	c.AddImport(kind, spec, off)
	if len(c.Facts.Imports) > n {
		c.Facts.Imports[n].Names = []code.ImportName{{Name: "*", Alias: "*"}}
	}
}

// valueRefs refers to the custom properties and variables a value uses, and mentions
// the files it names.
func (c *css) valueRefs(start, end int) {
	for i := start; i < end; {
		n := strings.IndexAny(c.src[i:end], "($@\"'/")
		if n < 0 {
			return
		}
		i += n
		switch b := c.src[i]; {
		case b == '(' && opensURL(c.src, i):
			close := min(cssURLEnd(c.src, i), end)
			c.mentionAsset(strings.Trim(c.src[i+1:close], "\"' \t\r\n"), i)
			i = close
		case b == '(' && strings.HasSuffix(c.src[start:i], "var"):
			i++
			for i < end && lexical.IsSpace(c.src[i]) {
				i++
			}
			if strings.HasPrefix(c.src[i:end], "--") {
				c.addRef(code.RefUse, selectorTail(c.src[i:end]), i)
			}
		case c.extended && (b == '$' || b == '@'):
			name := selectorTail(c.src[i+1 : end])
			if name != "" {
				c.addRef(code.RefUse, c.src[i:i+1+len(name)], i)
			}
			i += 1 + len(name)
		case b == '"', b == '\'':
			i = min(lexical.StringEnd(c.src, i), end)
		case b == '/' && strings.HasPrefix(c.src[i:end], "/*"):
			n := strings.Index(c.src[i+2:end], "*/")
			if n < 0 {
				return
			}
			i += n + 4
		default:
			i++
		}
	}
}

func (c *css) addRef(k code.RefKind, name string, off int) {
	if len(c.Facts.Refs) < maxStyleRefs {
		c.AddRef(k, name, off)
	}
}

// mentionAsset mentions an image or font, unless it is on another host or its name is
// computed.
func (c *css) mentionAsset(spec string, off int) {
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	if spec != "" && !strings.ContainsAny(spec, ":{}$ \n") && !strings.HasPrefix(spec, "//") {
		c.Mention(spec, off)
	}
}
