package extract

import (
	"sort"
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// define reads #define. The names in the text of a macro become references of the
// macro, so that a call through it is found in two steps, as the preprocessor makes
// it.
func (c *cxx) define(n node) {
	name := c.child(n, cxfName)
	if c.str(name) == "" {
		return
	}
	value, params := c.child(n, cxfValue), c.child(n, cxfParameters)
	end := c.end(name)
	if params != none {
		end = c.end(params)
	}
	s := code.Symbol{Name: c.str(name), Qualified: c.str(name), Kind: code.KindMacro, NameStart: c.start(name), Exported: true}
	s.Span = c.spanBetween(c.start(n), max(end, c.end(value)))
	if text := c.str(value); value != none && params == none && len(text) <= maxMacroText && !strings.ContainsAny(text, "\n\\") {
		end = c.end(value)
	}
	s.Signature, s.Doc = c.signature(c.start(n), end), c.doc(c.start(n))
	if s.Doc == "" {
		s.Doc = c.trailingDoc(max(c.end(name), c.end(value)))
	}
	locals := map[string]bool{}
	for p := c.firstNamed(params); p != none; p = c.nextNamed(p) {
		if s.Params = append(s.Params, code.Param{Name: c.str(p)}); len(s.Params) == maxParams {
			break
		}
		locals[c.str(p)] = true
	}
	if c.has(params, cxVariadic) || strings.HasSuffix(strings.TrimSpace(strings.TrimSuffix(c.str(params), ")")), "...") {
		s.Params = append(s.Params, code.Param{Name: "..."})
	}
	if target := strings.TrimSpace(c.str(value)); params == none && isPathC(target) {
		c.aliases[s.Name] = c.typedefTag(target[strings.LastIndexByte(target, ':')+1:])
	}
	hidden := c.hidden
	c.hidden = false
	sym := c.addSymbol(s)
	c.hidden = hidden
	before := c.enter(sym)
	c.macroText(value, locals)
	c.leave(before)
}

// isPathC reports whether text is a name, perhaps behind others: a::b.
func isPathC(text string) bool {
	for name := range strings.SplitSeq(text, "::") {
		if name == "" || !lexical.IsWordStart(name[0]) || lexical.IsCWord(name) || strings.IndexFunc(name, isNoWordC) >= 0 {
			return false
		}
	}
	return true
}

func isNoWordC(r rune) bool { return r >= utf8.RuneSelf || !lexical.IsWord(byte(r)) }

// maxMacroText is the length of the longest macro text that a signature shows.
const maxMacroText = 120

// undef records a reference to the macro that an #undef or another directive names.
func (c *cxx) undef(n node) {
	if d := c.first(n); strings.HasSuffix(c.str(d), "undef") {
		c.macroText(c.child(n, cxfArgument), nil)
	}
}

// macroText records references to the names in a macro's text, which the grammar
// does not parse: a name before a parenthesis is a call, a name after a dot or an
// arrow is a member.
func (c *cxx) macroText(n node, locals map[string]bool) {
	c.textNames(c.str(n), c.start(n), c.line(n), locals)
}

// textNames records references to the names in text, which is at byte base of the
// file, on line row. locals are names to leave out.
func (c *cxx) textNames(text string, base, row uint32, locals map[string]bool) {
	member, tag := false, false
	path := "" // the scopes in front of the next word
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case b == '\n':
			row++
			i++
		case b == ' ', b == '\t', b == '\r', b == '\\':
			i++
		case b == '"', b == '\'':
			i = quotedEndC(text, i)
			member = false
		case b == '/' && strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return
			}
			row += uint32(strings.Count(text[i:i+2+end], "\n"))
			i += end + 4
		case b == '/' && strings.HasPrefix(text[i:], "//"):
			return
		case lexical.IsWord(b):
			end := i + 1
			for end < len(text) && lexical.IsWord(text[end]) {
				end++
			}
			word := text[i:end]
			if b > '9' && !locals[word] && !lexical.IsCWord(word) {
				r := macroUse(text[end:], member, tag)
				if path != "" && !strings.HasPrefix(path, "std::") {
					r.Via, r.Recv = code.ViaTyped, path
				}
				c.macroName(word, base+uint32(i), row, r)
			}
			member, tag = false, headKeyword(word) == itemTag
			if i = end; c.cpp && strings.HasPrefix(text[i:], "::") {
				path, i = path+word+"::", i+2
				if locals[word] {
					path = ""
				}
			} else {
				path = ""
			}
		case b == '#' && strings.HasPrefix(text[i:], code.Pasting):
			parts := pastedParts(text, i, locals)
			c.macroName(code.Pasting, base+uint32(i), row, code.Ref{Kind: code.RefUse, Via: code.ViaBare, Args: parts})
			i += len(code.Pasting)
			member = false
		default:
			member = b == '.' || b == '>' && i > 0 && text[i-1] == '-'
			i++
		}
	}
}

// pastedParts returns Ref.Args for the sign at byte i that joins two parts to a name.
func pastedParts(text string, i int, locals map[string]bool) string {
	before := strings.TrimRight(text[:i], " \t\\\r\n")
	before = before[strings.LastIndexFunc(before, isNoWordC)+1:]
	after := strings.TrimLeft(text[i+len(code.Pasting):], " \t\\\r\n")
	if end := strings.IndexFunc(after, isNoWordC); end >= 0 {
		after = after[:end]
	}
	if locals[before] {
		before = ""
	}
	if locals[after] {
		after = ""
	}
	return code.ArgsAround + before + code.Pasting + after
}

// quotedEndC returns the index after the string or character literal that begins
// at text[i]. An unclosed literal ends with its line.
func quotedEndC(text string, i int) int {
	q := text[i]
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case q:
			return j + 1
		case '\n':
			return j
		}
	}
	return len(text)
}

// macroUse returns the kind of reference that a name in a macro's text makes, judged by the text around it.
func macroUse(rest string, member, tag bool) code.Ref {
	r := code.Ref{Kind: code.RefUse, Via: code.ViaBare}
	if strings.HasPrefix(strings.TrimLeft(rest[:min(len(rest), 16)], " \t"), "(") {
		r.Kind = code.RefCall
	}
	if tag {
		r.Kind = code.RefType
	}
	if member {
		r.Via = code.ViaMember
	}
	return r
}

func (c *cxx) macroName(word string, at, line uint32, r code.Ref) {
	r.Name, r.Start, r.End, r.Line, r.Scope, r.Import = word, at, at+uint32(len(word)), line, c.owner, -1
	c.facts.Refs = append(c.facts.Refs, r)
}

// maskedRefs records references to the macros that were blanked before
// parsing, and to the names in their arguments. Each reference belongs to the
// enclosing declaration.
func (c *cxx) maskedRefs() {
	for _, m := range c.masked {
		c.owner = c.symbolAt(m.start)
		switch first, _, _ := strings.Cut(c.text[m.start:m.end], " "); {
		case strings.HasPrefix(first, "__attribute"), strings.HasPrefix(first, "__declspec"):
			c.aliasedNames(m)
		case first[0] == '(':
			c.textNames(c.text[m.start:m.end], m.start, c.lineAt(m.start), nil)
		case first[0] != '<' && first[0] != ',' && !lexical.IsCWord(first): // else a header, a list of using, or words of the language
			c.macroName(c.text[m.start:m.end], m.start, c.lineAt(m.start), code.Ref{Kind: code.RefUse, Via: code.ViaBare})
		}
	}
	c.owner = -1
}

// aliasedNames records references to the functions that a blanked attribute names in strings.
func (c *cxx) aliasedNames(m byteRange) {
	at := m.start
	for i, part := range strings.Split(c.text[m.start:m.end], `"`) {
		if i%2 == 1 && isPathC(part) {
			c.macroName(part, at, c.lineAt(at), code.Ref{Kind: code.RefUse, Via: code.ViaBare})
		}
		at += uint32(len(part)) + 1
	}
}

// blankedConditions records references to the names in the conditions of directives that were blanked before parsing.
func (c *cxx) blankedConditions() {
	if len(c.parsed) != len(c.text) {
		return
	}
	for i := 0; i < len(c.text); i++ {
		n := strings.IndexByte(c.text[i:], '#')
		if n < 0 {
			return
		}
		if i += n; c.parsed[i] != ' ' || !startsLine(c.text, i) {
			continue
		}
		start, end := i+1, i+1
		for end < len(c.text) && (c.text[end] == ' ' || c.text[end] == '\t') {
			start, end = end+1, end+1
		}
		for end < len(c.text) && lexical.IsWord(c.text[end]) {
			end++
		}
		switch c.text[start:end] {
		case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef":
			next := lexical.LineEnd(c.text, end)
			for next < len(c.text) && c.text[next-1] == '\\' {
				next = lexical.LineEnd(c.text, next+1)
			}
			c.textNames(c.text[end:next], uint32(end), c.lineAt(uint32(end)), map[string]bool{"defined": true})
			i = next - 1
		}
	}
}

// symbolAt returns the innermost symbol whose span contains the byte at, or -1.
func (c *cxx) symbolAt(at uint32) int32 {
	list := c.facts.Symbols
	i := int32(sort.Search(len(list), func(i int) bool { return list[i].Span.Start > at })) - 1
	for i >= 0 && list[i].Span.End <= at {
		i = list[i].Parent
	}
	return i
}

// maskedDirective reads an #include or #define that was blanked before parsing.
func (c *cxx) maskedDirective(r byteRange) {
	text := strings.TrimLeft(c.text[r.start+1:r.end], " \t")
	if rest, ok := strings.CutPrefix(text, "include"); ok {
		rest = strings.TrimSpace(rest)
		for _, q := range [...]string{`""`, "<>"} {
			if end := strings.IndexByte(rest[min(1, len(rest)):], q[1]); rest != "" && rest[0] == q[0] && end >= 0 {
				spec := strings.TrimSpace(rest[1 : 1+end])
				if q == "<>" {
					spec = "<" + spec + ">"
				}
				c.addInclude(spec, c.lineAt(r.start))
			}
		}
		return
	}
	rest, ok := strings.CutPrefix(text, "define")
	if !ok {
		return
	}
	rest = strings.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && lexical.IsWord(rest[n]) {
		n++
	}
	if n > 0 {
		start := r.end - uint32(len(rest))
		c.addSymbol(code.Symbol{Name: rest[:n], Qualified: rest[:n], Kind: code.KindMacro, NameStart: start,
			Span: c.spanBetween(r.start, r.end), Signature: c.signature(r.start, start+uint32(n)), Exported: true})
	}
}
