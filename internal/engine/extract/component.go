package extract

import (
	"path"
	"strings"

	"ken/internal/code"
)

// Components of Vue and Svelte: the scripts of the file are read as TypeScript
// by blanking out everything else, so that all places are those of the file; two
// scripts of one file are one module, as they are when it is compiled. The
// template adds references: its tags to the components the script imports, and
// the names in its expressions to what the script declares.

func vueReader() reader {
	return reader{lang: "vue", spec: typescriptSpec(), second: tsxSpec(), inner: componentScripts("{{"), walk: walkVue}
}

func svelteReader() reader {
	return reader{lang: "svelte", spec: typescriptSpec(), second: tsxSpec(), inner: componentScripts("{"), walk: walkSvelte}
}

// componentScripts keeps the scripts of a component.
func componentScripts(braces string) func(src []byte) []byte {
	return func(src []byte) []byte {
		text := string(src)
		m := markup{s: text, braces: braces}
		var keep [][2]int
		for t := m.next(); t.kind != tokenEnd; t = m.next() {
			if t.kind == startTag && t.raw && t.name == "script" && isScript(&m) {
				keep = append(keep, [2]int{t.from, t.to})
			}
		}
		return blankBut(text, keep)
	}
}

// isScript reports whether the script element just read holds a language that
// the script grammars know.
func isScript(m *markup) bool {
	typ, _ := m.attr("type")
	lang, _ := m.attr("lang")
	switch strings.ToLower(typ) {
	case "", "module", "text/javascript", "application/javascript", "text/ecmascript", "text/typescript", "text/babel":
	default:
		return false
	}
	switch lang {
	case "", "ts", "tsx", "js", "jsx", "typescript", "javascript":
		return true
	}
	return false
}

// component is a Vue or Svelte file while its template is read.
type component struct {
	*script
	m       markup
	vue     bool
	setup   bool            // names of the script are in scope in the template
	shadows map[string]bool // names the template itself binds somewhere
}

func walkVue(f *file)    { walkComponent(f, true) }
func walkSvelte(f *file) { walkComponent(f, false) }

func walkComponent(f *file, vue bool) {
	s := openScript(f)
	c := component{script: s, vue: vue, setup: !vue, shadows: map[string]bool{}, m: markup{s: f.fullText, braces: "{"}}
	if vue {
		c.m.braces = "{{"
	}
	from := len(f.facts.Refs)
	c.template()
	c.dropShadowed(from)
	s.close()
	c.declareComponent()
}

// template reads the tags and expressions outside of scripts and styles.
func (c *component) template() {
	for t := c.m.next(); t.kind != tokenEnd; t = c.m.next() {
		switch {
		case t.kind == expression:
			c.expressionToken(t)
		case t.kind != startTag:
		case t.name == "script":
			_, setup := c.m.attr("setup")
			c.setup = c.setup || setup
			c.source(t)
		case t.name == "style", t.name == "template" && c.isForeign():
			c.source(t)
			c.skipTemplate(t)
		default:
			if t.name == "template" {
				c.source(t)
			}
			c.tag(t)
		}
	}
}

// isForeign reports a template in another language (Pug).
func (c *component) isForeign() bool {
	lang, ok := c.m.attr("lang")
	return ok && lang != "html"
}

func (c *component) skipTemplate(t markupToken) {
	if t.name == "template" && !t.closed {
		c.m.rawText(&t)
	}
}

// source imports the file a block is in (`<script src="./x.ts">`).
func (c *component) source(t markupToken) {
	if src, ok := c.m.attr("src"); ok && (isRelativePath(src) || t.name == "script" && isPathLike(src)) {
		c.plainImport(code.ImportStatic, src, t.at)
	}
}

func isRelativePath(s string) bool {
	return (strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")) && isPathLike(s)
}

// tag refers to the component a tag names, and reads its attributes.
func (c *component) tag(t markupToken) {
	base, member, dotted := strings.Cut(t.name, ".")
	for _, name := range c.tagNames(base) {
		b := c.names.lookup(name)
		if b == nil || b.what == bindLocal || b.what == bindNested {
			continue
		}
		if dotted && b.what == bindImport && b.module {
			c.refAt(code.Ref{Name: member, Kind: code.RefCall, Via: code.ViaImport, Import: b.imp}, t.at+2+len(base), len(member))
		} else {
			c.refBound(b, name, code.RefCall, t.at+1, len(base))
		}
		break
	}
	for i := range c.m.attrs {
		c.attribute(&c.m.attrs[i])
	}
}

// tagNames are the names a tag may go by in the script: of <my-part> those are
// MyPart and myPart in Vue. Tags in small letters without hyphen are HTML.
func (c *component) tagNames(tag string) []string {
	if tag == "" || strings.IndexByte(tag, '-') < 0 {
		if tag == "" || tag[0] >= 'a' && tag[0] <= 'z' && tag == strings.ToLower(tag) {
			return nil
		}
		return []string{tag}
	}
	if !c.vue {
		return nil
	}
	var b strings.Builder
	for part := range strings.SplitSeq(tag, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	pascal := b.String()
	if pascal == "" {
		return nil
	}
	return []string{pascal, strings.ToLower(pascal[:1]) + pascal[1:]}
}

// attribute reads the expression of an attribute, if it is one.
func (c *component) attribute(a *markupAttr) {
	if !c.vue {
		c.svelteAttribute(a)
		return
	}
	name := a.name
	switch {
	case name == "" || a.value == "":
	case name[0] == '#', strings.HasPrefix(name, "v-slot"), name == "slot-scope":
		c.shadow(a.value)
	case name == "v-for":
		for _, sep := range [...]string{" in ", " of "} {
			if i := strings.Index(a.value, sep); i >= 0 {
				c.shadow(a.value[:i])
				c.expr(a.valueAt+i+len(sep), a.valueAt+len(a.value))
				break
			}
		}
	case name[0] == ':', name[0] == '@', strings.HasPrefix(name, "v-"):
		c.expr(a.valueAt, a.valueAt+len(a.value))
	}
}

// svelteAttribute reads {expr}, name={expr}, name="a {expr}", use:action,
// bind:value and let:item.
func (c *component) svelteAttribute(a *markupAttr) {
	if dir, name, ok := strings.Cut(a.name, ":"); ok {
		name, _, _ = strings.Cut(name, "|")
		switch dir {
		case "let":
			c.shadow(name + " " + a.value)
			return
		case "use", "transition", "in", "out", "animate":
			c.name(name, a.nameAt+len(dir)+1, code.RefCall)
		case "bind", "class", "style":
			if a.value == "" {
				c.name(name, a.nameAt+len(dir)+1, code.RefUse)
			}
		}
	}
	in := markup{s: c.m.s[:a.valueAt+len(a.value)], i: a.valueAt, braces: "{"}
	for in.i < len(in.s) {
		n := strings.IndexByte(in.s[in.i:], '{')
		if n < 0 {
			return
		}
		in.i += n
		t, ok := in.expression()
		if !ok {
			return
		}
		c.expr(t.from, t.to)
	}
}

// expressionToken reads an expression of the text, or a block of Svelte.
func (c *component) expressionToken(t markupToken) {
	text := c.m.s[t.from:t.to]
	if c.vue || text == "" || strings.IndexByte("#:@/", text[0]) < 0 {
		c.expr(t.from, t.to)
		return
	}
	from := t.from + 1
	for from < t.to && isWord(c.m.s[from]) {
		from++
	}
	switch word := c.m.s[t.from:from]; word {
	case "#each":
		if i := strings.LastIndex(c.m.s[from:t.to], " as "); i >= 0 {
			bound, key, _ := strings.Cut(c.m.s[from+i+4:t.to], "(")
			c.shadow(bound)
			c.expr(from, from+i)
			c.expr(t.to-len(key), t.to)
			return
		}
	case "#snippet":
		c.shadow(c.m.s[from:t.to])
		return
	case ":then", ":catch":
		c.shadow(c.m.s[from:t.to])
		return
	case "#await":
		for _, sep := range [...]string{" then ", " catch "} {
			if i := strings.Index(c.m.s[from:t.to], sep); i >= 0 {
				c.shadow(c.m.s[from+i+len(sep) : t.to])
				c.expr(from, from+i)
				return
			}
		}
	case "@const":
		if i := strings.IndexByte(c.m.s[from:t.to], '='); i >= 0 {
			c.shadow(c.m.s[from : from+i])
			from += i
		}
	}
	c.expr(from, t.to)
}

// shadow notes the names a pattern binds.
func (c *component) shadow(pattern string) {
	for i := 0; i < len(pattern); {
		if !isNameStart(pattern[i]) {
			i++
			continue
		}
		j := i
		for j < len(pattern) && isNamePart(pattern[j]) {
			j++
		}
		c.shadows[pattern[i:j]] = true
		i = j
	}
}

func isNameStart(c byte) bool { return isWord(c) && (c < '0' || c > '9') || c == '$' }
func isNamePart(c byte) bool  { return isWord(c) || c == '$' }

// expr refers to the names of a JavaScript expression that the script binds.
// Members and the keys of objects are no names.
func (c *component) expr(from, to int) {
	if !c.setup {
		return
	}
	s := c.m.s
	prev := byte(0)
	for i := from; i < to; {
		switch b := s[i]; {
		case isSpace(b):
			i++
			continue
		case b == '\'' || b == '"':
			end, _ := quotedScript(s[:to], i)
			i = end
		case b == '`':
			i = c.templateText(i, to)
		case isNameStart(b):
			j := i
			for j < to && isNamePart(s[j]) {
				j++
			}
			after := j
			for after < to && isSpace(s[after]) {
				after++
			}
			kind := code.RefUse
			isKey := false
			if after < to {
				isKey = s[after] == ':' && (prev == '{' || prev == ',')
				if s[after] == '(' {
					kind = code.RefCall
				}
			}
			if prev != '.' && !isKey {
				c.name(s[i:j], i, kind)
			}
			i = j
		case b >= '0' && b <= '9':
			for i < to && (isNamePart(s[i]) || s[i] == '.') {
				i++
			}
		case b == '.' && strings.HasPrefix(s[i:to], "..."):
			i += 3
			prev = 0
			continue
		default:
			i++
		}
		prev = s[i-1]
	}
}

// quotedScript is the offset behind a string of JavaScript.
func quotedScript(s string, at int) (end int, whole bool) {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case s[at]:
			return i + 1, true
		case '\\':
			i++
		}
	}
	return len(s), false
}

// templateText skips the text of a template string up to its end or to an
// expression in it, whose braces the caller passes over.
func (c *component) templateText(i, to int) int {
	for i++; i < to; i++ {
		switch {
		case c.m.s[i] == '`':
			return i + 1
		case c.m.s[i] == '\\':
			i++
		case strings.HasPrefix(c.m.s[i:to], "${"):
			end := strings.IndexByte(c.m.s[i:to], '}')
			if end < 0 {
				return to
			}
			c.expr(i+2, i+end)
			i += end
		}
	}
	return to
}

// name refers to a name the script binds.
func (c *component) name(name string, at int, k code.RefKind) {
	if !c.setup || c.shadows[name] {
		return
	}
	if !c.vue {
		if rest, ok := strings.CutPrefix(name, "$"); ok { // a store's value
			if b := c.names.lookup(rest); b != nil && rest != "" {
				c.refBound(b, rest, k, at+1, len(rest))
				return
			}
		}
	}
	if b := c.names.lookup(name); b != nil {
		c.refBound(b, name, k, at, len(name))
	}
}

// refBound refers to what a name is bound to.
func (c *component) refBound(b *binding, name string, k code.RefKind, at, n int) {
	switch b.what {
	case bindTop:
		c.refAt(code.Ref{Name: name, Kind: k, Via: code.ViaBare, Import: -1}, at, n)
	case bindImport:
		c.refAt(code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp}, at, n)
	}
}

func (c *component) refAt(r code.Ref, at, n int) {
	if r.Name == "" {
		return
	}
	r.Start, r.End, r.Line, r.Scope = uint32(at), uint32(at+n), c.lineAt(uint32(at)), -1
	c.facts.Refs = append(c.facts.Refs, r)
}

// dropShadowed takes back the references of the template to names that it binds
// itself, here or there.
func (c *component) dropShadowed(from int) {
	kept := c.facts.Refs[:from]
	for _, r := range c.facts.Refs[from:] {
		if !c.shadows[c.m.s[r.Start:r.End]] {
			kept = append(kept, r)
		}
	}
	c.facts.Refs = kept
}

// declareComponent makes the file itself a symbol: what importers mean by its
// default export. A default export written out becomes it.
func (c *component) declareComponent() {
	name := strings.TrimSuffix(path.Base(c.path), path.Ext(c.path))
	if name == "" {
		return
	}
	for i := range c.facts.Exports {
		x := &c.facts.Exports[i]
		if x.Name != "default" {
			continue
		}
		if x.From < 0 && x.Local == "default" {
			x.Local = name
			c.renameDefault(name)
		}
		return
	}
	sym := code.Symbol{Name: valid(name), Qualified: valid(name), Kind: code.KindClass, Parent: -1, Exported: true,
		Span: c.spanOf(0, uint32(len(c.m.s))), Signature: oneLine("component " + name)}
	syms := append([]code.Symbol{sym}, c.facts.Symbols...)
	for i := 1; i < len(syms); i++ {
		if syms[i].Parent >= 0 {
			syms[i].Parent++
		}
	}
	for i := range c.facts.Refs {
		if r := &c.facts.Refs[i]; r.Scope >= 0 {
			r.Scope++
		}
	}
	c.facts.Symbols = syms
	c.facts.Exports = append(c.facts.Exports, code.Export{Name: "default", Local: sym.Name, From: -1, Line: 1})
}

// renameDefault gives the symbol of a default export the component's name.
func (c *component) renameDefault(name string) {
	name = valid(name)
	for i := range c.facts.Symbols {
		s := &c.facts.Symbols[i]
		if s.Parent < 0 && s.Name == "default" {
			s.Name, s.Qualified, s.Kind = name, name, code.KindClass
		} else if rest, ok := strings.CutPrefix(s.Qualified, "default."); ok {
			s.Qualified = name + "." + rest
		}
	}
	for i := range c.facts.Refs {
		if r := &c.facts.Refs[i]; r.Via == code.ViaSelf && r.Recv == "default" {
			r.Recv = name
		}
	}
}
