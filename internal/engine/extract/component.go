package extract

import (
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/markup"
	"ken/internal/engine/extract/plain"
)

// Components of Vue and Svelte. The scripts of the file are read as TypeScript, with
// everything else blanked so that positions stay those of the file. Two scripts of one
// file are one module, as they are when it is compiled. The template adds references:
// from its tags to the components the script imports, and from the names in its
// expressions to the script's declarations.

// componentScripts returns a function that blanks everything but the scripts of a Vue
// or Svelte component. braces are the marks in which the component's template writes
// expressions.
func componentScripts(braces string) func(src []byte) []byte {
	return func(src []byte) []byte {
		text := string(src)
		m := markup.New(text, 0, braces)
		var keep [][2]int
		for t := m.Next(); t.Kind != markup.End; t = m.Next() {
			if t.Kind == markup.StartTag && t.Raw && t.Name == "script" && isScript(&m) {
				keep = append(keep, [2]int{t.From, t.To})
			}
		}
		return markup.BlankBut(text, keep)
	}
}

// isScript reports whether the script element just read holds a language that
// the script grammars know.
func isScript(m *markup.Reader) bool {
	typ, _ := m.Attr("type")
	lang, _ := m.Attr("lang")
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

// component is the reader of the template of a Vue or Svelte file.
type component struct {
	*script
	tags         markup.Reader
	page         *plain.File // the whole file
	vue          bool
	namesInScope bool            // names of the script are in scope in the template
	options      string          // the declaration that is the options object of a Vue component, "" if none is known
	shadows      map[string]bool // names that the template itself binds anywhere
}

func walkVue(f *file)    { walkComponent(f, true) }
func walkSvelte(f *file) { walkComponent(f, false) }

func walkComponent(f *file, vue bool) {
	s := openScript(f)
	c := component{script: s, page: f.page(), vue: vue, namesInScope: !vue, shadows: map[string]bool{}}
	c.tags = markup.New(f.fullText, 0, "{")
	if vue {
		c.tags.Braces = "{{"
	}
	c.options = c.optionsObject()
	from := len(f.facts.Refs)
	c.template()
	c.dropShadowed(from)
	s.close()
	c.declareComponent()
}

// template reads the tags and expressions outside of scripts and style sheets.
func (c *component) template() {
	for t := c.tags.Next(); t.Kind != markup.End; t = c.tags.Next() {
		switch {
		case t.Kind == markup.Expression:
			c.expressionToken(t)
		case t.Kind != markup.StartTag:
		case t.Name == "script":
			_, setup := c.tags.Attr("setup")
			c.namesInScope = c.namesInScope || setup
			c.importSource(t)
		case t.Name == "style", t.Name == "template" && c.isForeign():
			c.importSource(t)
			c.foreignTemplate(t)
		default:
			if t.Name == "template" {
				c.importSource(t)
			}
			c.tagRef(t.Name, t.At+1)
			for i := range c.tags.Attrs {
				c.attribute(&c.tags.Attrs[i])
			}
		}
	}
}

// isForeign reports whether a template is in another language than HTML, such as Pug.
func (c *component) isForeign() bool {
	lang, ok := c.tags.Attr("lang")
	return ok && lang != "html"
}

// importSource records the import of the file that holds a block, as in `<script src="./x.ts">`.
func (c *component) importSource(t markup.Token) {
	if src, ok := c.tags.Attr("src"); ok && (isRelativePath(src) || t.Name == "script" && plain.IsPathLike(src)) {
		c.page.AddImport(code.ImportStatic, src, t.At)
	}
}

func isRelativePath(s string) bool {
	return (strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")) && plain.IsPathLike(s)
}

// tagRef records a reference to the component that a tag uses. at is the offset of the tag's name.
func (c *component) tagRef(tag string, at int) {
	base, member, dotted := strings.Cut(tag, ".")
	for _, name := range c.tagNames(base) {
		b := c.names.lookup(name)
		if b == nil || b.isEither(bindLocal, bindNested) {
			continue
		}
		if dotted && b.isModule() {
			c.refAt(code.Ref{Name: member, Kind: code.RefCall, Via: code.ViaImport, Import: b.imp}, at+1+len(base), len(member))
		} else {
			c.refBound(b, name, code.RefCall, at, len(base))
		}
		return
	}
}

// tagNames returns the names that the script may give a tag's component: in Vue, MyPart and
// myPart for <my-part>. Tags in lower case without a hyphen are HTML.
func (c *component) tagNames(tag string) []string {
	switch hyphen := strings.IndexByte(tag, '-') >= 0; {
	case !hyphen && isHTMLTag(tag):
		return nil
	case !hyphen:
		return []string{tag}
	case !c.vue:
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

// isHTMLTag reports whether the name of a tag is in lower case, like those of HTML.
func isHTMLTag(tag string) bool {
	first := lexical.ByteAt(tag, 0)
	return first == 0 || first >= 'a' && first <= 'z' && tag == strings.ToLower(tag)
}

// attribute reads the value of an attribute, if it is an expression.
func (c *component) attribute(a *markup.Attr) {
	if !c.vue {
		c.svelteAttribute(a)
		return
	}
	name := a.Name
	switch {
	case name == "", a.Value == "":
	case name[0] == '#', strings.HasPrefix(name, "v-slot"), name == "slot-scope":
		c.bindPattern(a.Value)
	case name == "v-for":
		for _, sep := range [...]string{" in ", " of "} {
			if i := strings.Index(a.Value, sep); i >= 0 {
				c.bindPattern(a.Value[:i])
				c.exprRefs(a.ValueAt+i+len(sep), a.ValueAt+len(a.Value))
				break
			}
		}
	case name[0] == ':', name[0] == '@', strings.HasPrefix(name, "v-"):
		c.exprRefs(a.ValueAt, a.ValueAt+len(a.Value))
	}
}

// svelteAttribute reads {expr}, name={expr}, name="a {expr}", use:action,
// bind:value and let:item.
func (c *component) svelteAttribute(a *markup.Attr) {
	if dir, name, ok := strings.Cut(a.Name, ":"); ok {
		name, _, _ = strings.Cut(name, "|")
		switch dir {
		case "let":
			c.bindPattern(name + " " + a.Value)
			return
		case "use", "transition", "in", "out", "animate":
			c.nameRef(name, a.NameAt+len(dir)+1, code.RefCall)
		case "bind", "class", "style":
			if a.Value == "" {
				c.nameRef(name, a.NameAt+len(dir)+1, code.RefUse)
			}
		}
	}
	in := markup.New(c.fullText[:a.ValueAt+len(a.Value)], a.ValueAt, "{")
	for t, ok := in.NextExpression(); ok; t, ok = in.NextExpression() {
		c.exprRefs(t.From, t.To)
	}
}

// expressionToken reads an expression in the text of a template, or a block of Svelte such as {#if}.
func (c *component) expressionToken(t markup.Token) {
	text := c.fullText[t.From:t.To]
	if c.vue || text == "" || strings.IndexByte("#:@/", text[0]) < 0 {
		c.exprRefs(t.From, t.To)
		return
	}
	from := t.From + 1
	for from < t.To && lexical.IsWord(c.fullText[from]) {
		from++
	}
	switch word := c.fullText[t.From:from]; word {
	case "#each":
		if i := strings.LastIndex(c.fullText[from:t.To], " as "); i >= 0 {
			bound, key, _ := strings.Cut(c.fullText[from+i+4:t.To], "(")
			c.bindPattern(bound)
			c.exprRefs(from, from+i)
			c.exprRefs(t.To-len(key), t.To)
			return
		}
	case "#snippet":
		c.bindPattern(c.fullText[from:t.To])
		return
	case ":then", ":catch":
		c.bindPattern(c.fullText[from:t.To])
		return
	case "#await":
		for _, sep := range [...]string{" then ", " catch "} {
			if i := strings.Index(c.fullText[from:t.To], sep); i >= 0 {
				c.bindPattern(c.fullText[from+i+len(sep) : t.To])
				c.exprRefs(from, from+i)
				return
			}
		}
	case "@const":
		if i := strings.IndexByte(c.fullText[from:t.To], '='); i >= 0 {
			c.bindPattern(c.fullText[from : from+i])
			from += i
		}
	}
	c.exprRefs(from, t.To)
}

// bindPattern records the names that a template declares with a pattern such as { a, b }, so that they hide names of the script.
func (c *component) bindPattern(pattern string) {
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

// isNameStart reports whether a name of JavaScript can begin with byte c. isNamePart does the same for its other bytes.
func isNameStart(c byte) bool { return lexical.IsWordStart(c) || c == '$' }
func isNamePart(c byte) bool  { return lexical.IsWord(c) || c == '$' }

// exprRefs records references to the names in the JavaScript expression from offset
// from to offset to, if the script declares or imports them. Members and keys of
// objects are no such names.
func (c *component) exprRefs(from, to int) {
	if !c.namesInScope && c.options == "" {
		return
	}
	s := c.fullText
	prev := byte(0)
	for i := from; i < to; {
		switch b := s[i]; {
		case lexical.IsSpace(b):
			i++
			continue
		case b == '\'', b == '"':
			i = quotedScriptEnd(s[:to], i)
		case b == '`':
			i = c.templateText(i, to)
		case isNameStart(b):
			i = c.exprName(i, to, prev)
		case lexical.IsDigit(b):
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

// exprName records a reference to the name at offset i, which follows byte prev, and returns the end of the name.
func (c *component) exprName(i, to int, prev byte) (end int) {
	s := c.fullText[:to]
	end = i
	for end < to && isNamePart(s[end]) {
		end++
	}
	next := end
	for next < to && lexical.IsSpace(s[next]) {
		next++
	}
	after := lexical.ByteAt(s, next)
	isKey := after == ':' && (prev == '{' || prev == ',')
	if prev == '.' || isKey {
		return end
	}
	kind := code.RefUse
	if after == '(' {
		kind = code.RefCall
	}
	c.nameRef(s[i:end], i, kind)
	return end
}

// quotedScriptEnd returns the offset after the JavaScript string that begins at offset open.
func quotedScriptEnd(s string, open int) int {
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case s[open]:
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

// templateText reads the expressions in the template string that begins at offset i, and
// returns the offset after the string.
func (c *component) templateText(i, to int) int {
	for i++; i < to; i++ {
		switch {
		case c.fullText[i] == '`':
			return i + 1
		case c.fullText[i] == '\\':
			i++
		case strings.HasPrefix(c.fullText[i:to], "${"):
			end := strings.IndexByte(c.fullText[i:to], '}')
			if end < 0 {
				return to
			}
			c.exprRefs(i+2, i+end)
			i += end
		}
	}
	return to
}

// nameRef records a reference to a name if the script declares or imports it, or if
// it is a member of the options object. In Svelte, $name is the value of the store
// called name.
func (c *component) nameRef(name string, off int, k code.RefKind) {
	if c.shadows[name] {
		return
	}
	if !c.namesInScope || c.options != "" && c.names.lookup(name) == nil {
		c.optionRef(name, off, k)
		return
	}
	if store, ok := strings.CutPrefix(name, "$"); ok && !c.vue && store != "" {
		if b := c.names.lookup(store); b != nil {
			c.refBound(b, store, k, off+1, len(store))
			return
		}
	}
	if b := c.names.lookup(name); b != nil {
		c.refBound(b, name, k, off, len(name))
	}
}

// refBound records a reference from the template to b, the script's declaration of name. off and n are offset and length of the name.
func (c *component) refBound(b *binding, name string, k code.RefKind, off, n int) {
	switch b.what {
	case bindTop:
		c.refAt(code.Ref{Name: name, Kind: k, Via: code.ViaBare, Import: -1}, off, n)
	case bindImport:
		c.refAt(code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp}, off, n)
	}
}

func (c *component) refAt(r code.Ref, off, n int) {
	if r.Name == "" {
		return
	}
	r.Start, r.End, r.Line, r.Scope = uint32(off), uint32(off+n), c.lineAt(uint32(off)), -1
	c.facts.Refs = append(c.facts.Refs, r)
}

// dropShadowed removes the references from index from on whose names the template
// declares itself. It does not follow where in the template a name is visible, so
// that one declaration hides the name everywhere.
func (c *component) dropShadowed(from int) {
	kept := c.facts.Refs[:from]
	for _, r := range c.facts.Refs[from:] {
		if !c.shadows[c.fullText[r.Start:r.End]] {
			kept = append(kept, r)
		}
	}
	c.facts.Refs = kept
}

// declareComponent declares the file itself as a symbol, because importers use the
// component through its default export. If the script has an explicit default
// export, that is the symbol.
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
	sym := code.Symbol{Name: lexical.Valid(name), Qualified: lexical.Valid(name), Kind: code.KindClass, Parent: -1, Exported: true,
		Span: c.spanBetween(0, uint32(len(c.fullText))), Signature: lexical.OneLine("component " + name)}
	c.prependSymbol(sym)
	c.facts.Exports = append(c.facts.Exports, code.Export{Name: "default", Local: sym.Name, From: -1, Line: 1})
}

// prependSymbol makes sym the first symbol of the file.
func (c *component) prependSymbol(sym code.Symbol) {
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
	for i := range c.facts.Types {
		c.facts.Types[i].Symbol++
	}
	c.facts.Symbols = syms
}

// renameDefault gives the symbol of a default export the component's name.
func (c *component) renameDefault(name string) {
	name = lexical.Valid(name)
	for i := range c.facts.Symbols {
		s := &c.facts.Symbols[i]
		if s.Parent < 0 && s.Name == "default" {
			s.Name, s.Qualified, s.Kind = name, name, code.KindClass
		} else if rest, ok := strings.CutPrefix(s.Qualified, "default."); ok {
			s.Qualified = name + "." + rest
		}
	}
	for i := range c.facts.Refs {
		r := &c.facts.Refs[i]
		if rest, ok := strings.CutPrefix(r.Recv, "default"); ok && r.Via == code.ViaSelf && (rest == "" || rest[0] == '.') {
			r.Recv = name + rest
		}
	}
}
