package extract

import (
	"strings"

	"ken/internal/code"
)

// css scans CSS (https://www.w3.org/TR/css-syntax-3/) and its supersets SCSS and
// Less: rules, declarations and statements by their ends ("{", "}", ";"), with
// comments, strings, url() and interpolation passed over. Symbols are classes,
// ids and placeholders where a rule first names them, custom properties and
// variables where they are first set, mixins, functions and keyframes.
type css struct {
	*file
	s     string
	i     int
	slash bool // "//" begins a comment (SCSS, Less)
	rules []cssRule
	seen  map[string]bool
	doc   [2]int
}

// cssRule is an open block.
type cssRule struct {
	from, to  int    // the symbols it declared
	class     string // the last class it names, which "&-x" goes on
	keyframes bool
}

// maxStyleRefs bounds the references of a style sheet.
const maxStyleRefs = 2000

func cssReader() reader  { return direct("css", func(f *file) { scanCSS(f, false) }) }
func scssReader() reader { return direct("scss", func(f *file) { scanCSS(f, true) }) }
func lessReader() reader { return direct("less", func(f *file) { scanCSS(f, true) }) }

func scanCSS(f *file, slash bool) {
	c := css{file: f, s: f.text, slash: slash, seen: map[string]bool{}}
	start := 0 // of the statement being read
	parens := 0
	for c.i < len(c.s) {
		switch b := c.s[c.i]; {
		case isSpace(b):
			if start == c.i {
				start++
			}
			c.i++
		case b == '/' && c.comment(start):
			if start < c.i && strings.TrimSpace(c.s[start:min(len(c.s), start+1)]) == "/" {
				start = c.i
			}
		case b == '"' || b == '\'':
			c.i = cssString(c.s, c.i)
		case b == '(' && c.i >= 3 && strings.EqualFold(c.s[c.i-3:c.i], "url"):
			c.i = urlEnd(c.s, c.i)
		case b == '\\':
			c.i += 2
		case b == '#' && strings.HasPrefix(c.s[c.i:], "#{"), b == '@' && strings.HasPrefix(c.s[c.i:], "@{"):
			c.i = braceEnd(c.s, c.i+1)
		case b == '(':
			parens++
			c.i++
		case b == ')':
			parens = max(parens-1, 0)
			c.i++
		case b == '{':
			c.open(start, c.i)
			c.i++
			start, parens = c.i, 0
		case b == ';' && parens > 0 && c.slash: // parameters of a mixin of Less
			c.i++
		case b == ';':
			c.statement(start, c.i)
			c.i++
			start = c.i
		case b == '}':
			c.statement(start, c.i)
			c.i++
			c.close(c.i)
			start, parens = c.i, 0
		default:
			c.i++
		}
	}
	c.i = len(c.s)
	c.statement(min(start, len(c.s)), len(c.s))
	for len(c.rules) > 0 {
		c.close(len(c.s))
	}
}

// comment skips a comment at i. One that stands alone is the doc of what follows.
func (c *css) comment(start int) bool {
	at := c.i
	switch {
	case strings.HasPrefix(c.s[at:], "/*"):
		if n := strings.Index(c.s[at+2:], "*/"); n >= 0 {
			c.i += n + 4
		} else {
			c.i = len(c.s)
		}
	case c.slash && strings.HasPrefix(c.s[at:], "//"):
		c.i = lineEnd(c.s, at)
	default:
		c.i++
		return true
	}
	if start == at {
		if c.s[at+1] == '*' || c.doc[1] == 0 || strings.TrimSpace(c.s[c.doc[1]:at]) != "" {
			c.doc[0] = at
		}
		c.doc[1] = c.i
	}
	return true
}

// cssString is the offset behind a string; a line break ends a broken one.
func cssString(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case s[at]:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(s)
}

// urlEnd is the offset behind the parenthesis of a url that opens at at.
func urlEnd(s string, at int) int {
	i := at + 1
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		return cssString(s, i)
	}
	for i < len(s) && s[i] != ')' && s[i] != '\n' && s[i] != ';' {
		i++
	}
	return i
}

// braceEnd is the offset behind the brace that closes the one at at, close by.
func braceEnd(s string, at int) int {
	for i := at; i < len(s) && i < at+256 && s[i] != '\n'; i++ {
		if s[i] == '}' {
			return i + 1
		}
	}
	return at + 1
}

// open begins a block whose prelude is [start, end).
func (c *css) open(start, end int) {
	r := cssRule{from: len(c.facts.Symbols)}
	if n := len(c.rules); n > 0 {
		r.class, r.keyframes = c.rules[n-1].class, c.rules[n-1].keyframes
	}
	switch text := strings.TrimSpace(c.s[start:end]); {
	case text == "" || r.keyframes:
	case text[0] == '@':
		r.keyframes = c.atRule(text, start, end)
	case strings.HasSuffix(text, ":"), text[0] == '$': // nested properties, a map
	default:
		r.class = c.selectors(start, end, r.class)
	}
	r.to = len(c.facts.Symbols)
	c.rules = append(c.rules, r)
	c.doc = [2]int{}
}

func (c *css) close(end int) {
	c.doc = [2]int{}
	n := len(c.rules) - 1
	if n < 0 {
		return
	}
	for i := c.rules[n].from; i < c.rules[n].to; i++ {
		c.setEnd(int32(i), end)
	}
	c.rules = c.rules[:n]
}

// atRule reads the prelude of an at-rule with a block and reports keyframes.
func (c *css) atRule(text string, start, end int) (keyframes bool) {
	name, rest := cutWord(text[1:])
	at := start + strings.Index(c.s[start:end], "@")
	argAt := at + 1 + len(name) + len(text[1+len(name):]) - len(rest)
	arg := identOf(rest)
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, "keyframes"):
		c.symbol(code.KindSelector, strings.Trim(arg, `"'`), argAt, at, end)
		return true
	case lower == "mixin" || lower == "function":
		c.symbol(code.KindFunction, arg, argAt, at, end)
	case lower == "include":
		c.ref(code.RefCall, lastDot(arg), argAt+len(arg)-len(lastDot(arg)))
	case lower == "property":
		c.symbol(code.KindVariable, arg, argAt, at, end)
	}
	c.values(at+1+len(name), end)
	return false
}

// cutWord splits off the name an at-rule begins with.
func cutWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '-') {
		i++
	}
	return s[:i], strings.TrimLeft(s[i:], " \t\r\n")
}

// identOf is the identifier s begins with, dots of a namespace included.
func identOf(s string) string {
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '-' || s[i] == '.' && i > 0 || s[i] == '%' && i == 0) {
		i++
	}
	return s[:i]
}

func lastDot(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// symbol declares what a rule or declaration defines, the first time it does.
func (c *css) symbol(k code.Kind, name string, nameAt, start, end int) {
	key := k.String() + name
	if name == "" || c.seen[key] {
		return
	}
	c.seen[key] = true
	if sym := c.plainSymbol(k, name, nameAt, start, end, c.s[start:end], maxOutline); sym >= 0 && c.doc[1] > 0 && isGap(c.s[c.doc[1]:start], false) {
		c.facts.Symbols[sym].Doc = cut(cleanDoc(c.s[c.doc[0]:min(c.doc[1], c.doc[0]+4*maxPlainDoc)]), maxPlainDoc)
	}
}

// selectors declares the classes, ids and placeholders of a selector list and
// returns the last class, which nested rules may go on ("&-x").
func (c *css) selectors(start, end int, outer string) string {
	class := outer
	for i := start; i < end; {
		switch b := c.s[i]; {
		case b == '.' || b == '#' || b == '%':
			name := selectorName(c.s[i+1 : end])
			if name != "" && !(b == '%' && i > start && c.s[i-1] >= '0' && c.s[i-1] <= '9') {
				c.symbol(code.KindSelector, name, i+1, start, end)
				if b == '.' {
					class = name
				}
			}
			i += 1 + len(name)
		case b == '&':
			if suffix := selectorTail(c.s[i+1 : end]); suffix != "" && outer != "" {
				class = outer + suffix
				c.symbol(code.KindSelector, class, i, start, end)
				i += len(suffix)
			}
			i++
		case b == '[':
			if n := strings.IndexByte(c.s[i:min(end, i+1024)], ']'); n > 0 {
				i += n
			}
			i++
		case b == '"' || b == '\'':
			i = min(cssString(c.s, i), end)
		case b == '\\':
			i += 2
		case b == '/' && strings.HasPrefix(c.s[i:end], "/*"):
			n := strings.Index(c.s[i+2:end], "*/")
			if n < 0 {
				return class
			}
			i += n + 4
		case b == '/' && c.slash && strings.HasPrefix(c.s[i:end], "//"):
			i = lineEnd(c.s, i)
		default:
			i++
		}
	}
	return class
}

// selectorName is the name a selector's mark is followed by.
func selectorName(s string) string {
	if s == "" || s[0] >= '0' && s[0] <= '9' || s[0] == '{' {
		return ""
	}
	name := selectorTail(s)
	if strings.Trim(name, "-") == "" {
		return ""
	}
	return name
}

func selectorTail(s string) string {
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '-' || s[i] == '\\' && i+1 < len(s)) {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	return s[:min(i, len(s))]
}

// statement reads a declaration, or an at-rule without block.
func (c *css) statement(start, end int) {
	for start < end && isSpace(c.s[start]) {
		start++
	}
	if start >= end {
		return
	}
	defer func() { c.doc = [2]int{} }()
	if c.s[start] == '@' {
		name, rest := cutWord(c.s[start+1 : end])
		if !(strings.HasPrefix(rest, ":") && c.slash) {
			c.atStatement(strings.ToLower(name), rest, start, end)
			return
		}
	}
	colon := strings.IndexByte(c.s[start:end], ':')
	if colon > 0 {
		name := strings.TrimRight(c.s[start:start+colon], " \t")
		variable := strings.HasPrefix(name, "--") || c.slash && (name[0] == '$' || name[0] == '@') && len(c.rules) == 0
		if variable && selectorTail(name[1:]) == name[1:] {
			c.symbol(code.KindVariable, name, start, start, end)
		}
		c.values(start+colon+1, end)
		return
	}
	if c.slash && c.s[start] == '.' { // a mixin of Less
		if name := selectorName(c.s[start+1 : end]); name != "" {
			c.ref(code.RefCall, name, start+1)
		}
	}
}

// atStatement reads @import, @use, @forward, @include, @extend.
func (c *css) atStatement(name, rest string, start, end int) {
	argAt := end - len(rest)
	switch name {
	case "import", "use", "forward":
		c.imports(name, argAt, end)
	case "include":
		arg := identOf(rest)
		c.ref(code.RefCall, lastDot(arg), argAt+len(arg)-len(lastDot(arg)))
		c.values(argAt+len(arg), end)
	case "extend":
		if rest != "" && (rest[0] == '.' || rest[0] == '%') {
			c.ref(code.RefInherit, selectorName(rest[1:]), argAt+1)
		}
	case "property":
		c.symbol(code.KindVariable, identOf(rest), argAt, start, end)
	default:
		c.values(argAt, end)
	}
}

// imports notes the style sheets a statement names.
func (c *css) imports(name string, at, end int) {
	for i := at; i < end; {
		switch b := c.s[i]; {
		case b == '"' || b == '\'':
			close := min(cssString(c.s, i), end)
			c.sheet(name, c.s[i+1:max(i+1, close-1)], i)
			i = close
			if name != "import" {
				return
			}
		case b == '(' && i >= 3 && strings.EqualFold(c.s[i-3:i], "url"):
			close := min(urlEnd(c.s, i), end)
			c.sheet(name, strings.Trim(c.s[i+1:close], "\"' \t"), i)
			i = close
		default:
			i++
		}
	}
}

// sheet imports one style sheet with all it defines.
func (c *css) sheet(name, spec string, at int) {
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	if strings.ContainsAny(spec, "{}$\n") || strings.HasPrefix(spec, "data:") {
		return
	}
	n := len(c.facts.Imports)
	kind := code.ImportStatic
	if name == "forward" {
		kind = code.ImportReexport
	}
	c.plainImport(kind, spec, at)
	if len(c.facts.Imports) > n {
		c.facts.Imports[n].Names = []code.ImportName{{Name: "*", Alias: "*"}}
	}
}

// values refers to the custom properties and variables a value uses, and notes
// the files it names.
func (c *css) values(from, end int) {
	for i := from; i < end; {
		n := strings.IndexAny(c.s[i:end], "($@\"'/")
		if n < 0 {
			return
		}
		i += n
		switch b := c.s[i]; {
		case b == '(' && i >= 3 && strings.EqualFold(c.s[i-3:i], "url"):
			close := min(urlEnd(c.s, i), end)
			c.asset(strings.Trim(c.s[i+1:close], "\"' \t\r\n"), i)
			i = close
		case b == '(' && strings.HasSuffix(c.s[from:i], "var"):
			i++
			for i < end && isSpace(c.s[i]) {
				i++
			}
			if strings.HasPrefix(c.s[i:end], "--") {
				c.ref(code.RefUse, selectorTail(c.s[i:end]), i)
			}
		case (b == '$' || b == '@') && c.slash:
			name := selectorTail(c.s[i+1 : end])
			if name != "" {
				c.ref(code.RefUse, c.s[i:i+1+len(name)], i)
			}
			i += 1 + len(name)
		case b == '"' || b == '\'':
			i = min(cssString(c.s, i), end)
		case b == '/' && strings.HasPrefix(c.s[i:end], "/*"):
			n := strings.Index(c.s[i+2:end], "*/")
			if n < 0 {
				return
			}
			i += n + 4
		default:
			i++
		}
	}
}

func (c *css) ref(k code.RefKind, name string, at int) {
	if len(c.facts.Refs) < maxStyleRefs {
		c.plainRef(k, name, at)
	}
}

// asset mentions an image or font.
func (c *css) asset(spec string, at int) {
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	if spec != "" && !strings.Contains(spec, ":") && !strings.ContainsAny(spec, "{}$ \n") && !strings.HasPrefix(spec, "//") {
		c.mention(spec, at)
	}
}
