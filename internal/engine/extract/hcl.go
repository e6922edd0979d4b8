package extract

import (
	"strings"

	"ken/internal/code"
)

// hcl scans HCL (https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md) as
// Terraform, Packer and Nomad use it: top-level blocks are symbols, named by
// their last label and qualified by what Terraform's expressions call them
// (var.region, module.vpc, aws_instance.web); the values of locals are too. Local
// module sources are imports, and expressions refer to what they name.
type hcl struct {
	*file
	s   string
	i   int
	doc [2]int
	own bool
}

func hclReader() reader { return direct("hcl", scanHCL) }

func scanHCL(f *file) {
	h := hcl{file: f, s: f.text, own: true}
	for h.i < len(h.s) {
		h.topLevel()
	}
}

// space skips white space and comments.
func (h *hcl) space() {
	for h.i < len(h.s) {
		c := h.s[h.i]
		switch {
		case isSpace(c):
			h.own = h.own || c == '\n'
			h.i++
		case c == '#', strings.HasPrefix(h.s[h.i:], "//"):
			h.comment(lineEnd(h.s, h.i))
		case strings.HasPrefix(h.s[h.i:], "/*"):
			end := len(h.s)
			if n := strings.Index(h.s[h.i+2:], "*/"); n >= 0 {
				end = h.i + n + 4
			}
			h.comment(end)
		default:
			return
		}
	}
}

func (h *hcl) comment(end int) {
	if h.own {
		if h.doc[1] == 0 || h.s[h.i:min(h.i+2, len(h.s))] == "/*" || !isGap(h.s[h.doc[1]:h.i], false) {
			h.doc[0] = h.i
		}
		h.doc[1] = end
	}
	h.i = end
}

// topLevel reads a block or attribute.
func (h *hcl) topLevel() {
	h.space()
	start := h.i
	word := h.word()
	if word == "" {
		if h.i < len(h.s) {
			h.own = false
			h.skipValue()
			h.i = max(h.i, start+1)
		}
		return
	}
	doc := h.docText(start)
	var labels []string
	var labelAt int
	for len(labels) < 8 {
		for h.i < len(h.s) && (h.s[h.i] == ' ' || h.s[h.i] == '\t') {
			h.i++
		}
		at := h.i
		if h.i < len(h.s) && h.s[h.i] == '"' {
			h.i = hclString(h.s, h.i)
			labels, labelAt = append(labels, strings.Trim(h.s[at:h.i], `"`)), at+1
		} else if w := h.word(); w != "" {
			labels, labelAt = append(labels, w), at
		} else {
			break
		}
	}
	switch {
	case h.i < len(h.s) && h.s[h.i] == '{':
		h.block(word, labels, labelAt, start, doc)
	case h.i < len(h.s) && h.s[h.i] == '=':
		h.i++
		h.attribute(word, start, doc)
	default:
		h.i = max(h.i, start+1)
	}
	h.doc = [2]int{}
}

func (h *hcl) word() string {
	at := h.i
	for h.i < len(h.s) && (isWord(h.s[h.i]) || h.s[h.i] == '-') {
		h.i++
	}
	h.own = h.own && at == h.i
	return h.s[at:h.i]
}

func (h *hcl) docText(start int) string {
	if h.doc[1] == 0 || h.doc[1] > start || !isGap(h.s[h.doc[1]:start], false) {
		return ""
	}
	return cut(cleanDoc(h.s[h.doc[0]:min(h.doc[1], h.doc[0]+4*maxPlainDoc)]), maxPlainDoc)
}

// attribute reads an attribute of the top level (a .tfvars file).
func (h *hcl) attribute(name string, start int, doc string) {
	end := lineEnd(h.s, start)
	sym := h.plainSymbol(code.KindKey, name, start, start, end, h.s[start:end], maxKeys)
	if sym >= 0 {
		h.facts.Symbols[sym].Doc = doc
	}
	h.skipValue()
	h.setEnd(sym, h.valueEnd(start))
}

// valueEnd is the end of the value before the position.
func (h *hcl) valueEnd(start int) int {
	end := min(h.i, len(h.s))
	for end > start && isSpace(h.s[end-1]) {
		end--
	}
	return end
}

// block declares a top-level block and reads its inside.
func (h *hcl) block(word string, labels []string, labelAt, start int, doc string) {
	if word == "locals" && len(labels) == 0 {
		h.i++
		h.locals()
		return
	}
	kind, name, qualified := hclSymbol(word, labels)
	if len(labels) == 0 {
		labelAt = start
	}
	sym := h.plainSymbol(kind, name, labelAt, start, h.i, h.s[start:h.i], maxOutline)
	if sym >= 0 {
		h.facts.Symbols[sym].Qualified, h.facts.Symbols[sym].Doc = valid(qualified), doc
		h.owner = sym
	}
	h.i++
	h.body(word)
	h.setEnd(sym, h.i)
	h.owner = -1
}

// hclSymbol is what a block declares.
func hclSymbol(word string, labels []string) (kind code.Kind, name, qualified string) {
	if len(labels) == 0 {
		return code.KindKey, word, word
	}
	name = labels[len(labels)-1]
	switch {
	case word == "variable":
		return code.KindVariable, name, "var." + name
	case word == "output":
		return code.KindVariable, name, "output." + name
	case word == "module":
		return code.KindModule, name, "module." + name
	case word == "provider":
		return code.KindResource, name, "provider." + name
	case (word == "resource" || word == "data" || word == "source" || word == "ephemeral") && len(labels) > 1:
		return code.KindResource, name, labels[len(labels)-2] + "." + name
	}
	return code.KindResource, name, word + "." + name
}

// locals declares the values of a locals block.
func (h *hcl) locals() {
	for {
		h.space()
		if h.i >= len(h.s) {
			return
		}
		if h.s[h.i] == '}' {
			h.i++
			return
		}
		start := h.i
		doc := h.docText(start)
		name := h.word()
		for h.i < len(h.s) && (h.s[h.i] == ' ' || h.s[h.i] == '\t') {
			h.i++
		}
		if name == "" || h.i >= len(h.s) || h.s[h.i] != '=' {
			h.i = max(h.i, start+1)
			h.own = false
			continue
		}
		h.i++
		sym := h.plainSymbol(code.KindVariable, name, start, start, h.i, h.s[start:lineEnd(h.s, start)], maxOutline)
		if sym >= 0 {
			h.facts.Symbols[sym].Qualified, h.facts.Symbols[sym].Doc = "local."+valid(name), doc
			h.owner = sym
		}
		h.skipValue()
		h.setEnd(sym, h.valueEnd(start))
		h.owner, h.doc = -1, [2]int{}
	}
}

// body reads the inside of a block up to its brace. A module's source is an import.
func (h *hcl) body(word string) {
	depth := 1
	for h.i < len(h.s) {
		h.space()
		if h.i >= len(h.s) {
			return
		}
		switch c := h.s[h.i]; {
		case c == '{':
			depth++
			h.i++
		case c == '}':
			h.i++
			if depth--; depth == 0 {
				return
			}
		case isWord(c):
			at := h.i
			name := h.word()
			if depth == 1 && word == "module" && name == "source" {
				h.moduleSource(at)
				continue
			}
			h.traversal(name, at)
		default:
			h.other(c)
		}
	}
}

func (h *hcl) moduleSource(at int) {
	rest := h.s[h.i:min(len(h.s), h.i+512)]
	eq := len(rest) - len(strings.TrimLeft(rest, " \t"))
	if eq == len(rest) || rest[eq] != '=' {
		return
	}
	v := eq + 1
	for v < len(rest) && (rest[v] == ' ' || rest[v] == '\t') {
		v++
	}
	if v < len(rest) && rest[v] == '"' {
		if n := strings.IndexByte(rest[v+1:], '"'); n > 0 && !strings.Contains(rest[v+1:v+1+n], "${") {
			h.plainImport(code.ImportStatic, rest[v+1:v+1+n], at)
			h.i += v + n + 2
		}
	}
}

// other passes over a string, heredoc or punctuation.
func (h *hcl) other(c byte) {
	h.own = false
	switch {
	case c == '"':
		end := hclString(h.s, h.i)
		h.interpolations(h.i, end)
		h.i = end
	case strings.HasPrefix(h.s[h.i:], "<<"):
		end := heredocEnd(h.s, h.i)
		h.interpolations(h.i, end)
		h.i = end
	default:
		h.i++
	}
}

// skipValue passes over an expression: up to the end of the line, or of the
// brackets it opens.
func (h *hcl) skipValue() {
	depth := 0
	for h.i < len(h.s) {
		switch c := h.s[h.i]; {
		case c == '{' || c == '[' || c == '(':
			depth++
			h.i++
		case c == '}' || c == ']' || c == ')':
			if depth == 0 {
				if c != '}' {
					h.i++
				}
				return
			}
			depth--
			h.i++
		case c == '\n':
			if depth == 0 {
				return
			}
			h.i++
		case c == '#', strings.HasPrefix(h.s[h.i:], "//"), strings.HasPrefix(h.s[h.i:], "/*"):
			before := h.i
			h.own = false
			h.space()
			if depth == 0 && strings.IndexByte(h.s[before:h.i], '\n') >= 0 {
				return
			}
		case isWord(c):
			at := h.i
			h.traversal(h.word(), at)
		default:
			h.other(c)
		}
	}
}

// hclString is the offset behind the string at at, with the templates in it.
func hclString(s string, at int) int {
	depth := 0 // of ${ }
	for i := at + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return i // a string ends on its line
		case (c == '$' || c == '%') && strings.HasPrefix(s[i+1:], "{"):
			depth++
			i++
		case c == '{' && depth > 0:
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '"' && depth == 0:
			return i + 1
		case c == '"': // a string inside a template
			for i++; i < len(s) && s[i] != '"' && s[i] != '\n'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(s)
}

// heredocEnd is the offset behind a heredoc that begins at at, or behind its
// mark if that is none or does not end.
func heredocEnd(s string, at int) int {
	mark := strings.TrimPrefix(s[at+2:min(len(s), at+80)], "-")
	n := 0
	for n < len(mark) && isWord(mark[n]) {
		n++
	}
	if n == 0 {
		return at + 2
	}
	mark = mark[:n]
	for i := lineEnd(s, at) + 1; i < len(s); {
		end := lineEnd(s, i)
		if strings.TrimSpace(s[i:end]) == mark {
			return end
		}
		i = end + 1
	}
	return len(s)
}

// interpolations refers to the names in the templates of a string.
func (h *hcl) interpolations(from, end int) {
	for i := from; i < end; {
		n := strings.Index(h.s[i:end], "${")
		if n < 0 {
			return
		}
		i += n + 2
		for i < end && h.s[i] != '}' {
			if !isWord(h.s[i]) {
				i++
				continue
			}
			at := i
			for i < end && (isWord(h.s[i]) || h.s[i] == '-') {
				i++
			}
			save := h.i
			h.i = i
			h.traversal(h.s[at:i], at)
			i = min(h.i, end)
			h.i = save
		}
	}
}

// traversal reads a.b.c behind its first name and refers to what it means.
func (h *hcl) traversal(first string, at int) {
	h.own = false
	parts, places := []string{first}, []int{at}
	for len(parts) < 4 && h.i+1 < len(h.s) && h.s[h.i] == '.' && isWord(h.s[h.i+1]) {
		h.i++
		from := h.i
		parts, places = append(parts, h.word()), append(places, from)
	}
	if len(parts) < 2 || len(h.facts.Refs) >= maxSQLRefs {
		return
	}
	recv, n := first, 1
	switch first {
	case "each", "self", "count", "path", "terraform":
		return
	case "data":
		if len(parts) < 3 {
			return
		}
		recv, n = parts[1], 2
	}
	if parts[n] == "" || recv[0] >= '0' && recv[0] <= '9' {
		return
	}
	h.facts.Refs = append(h.facts.Refs, code.Ref{Name: parts[n], Kind: code.RefUse, Via: code.ViaTyped, Recv: recv, Import: -1,
		Start: uint32(places[n]), End: uint32(places[n] + len(parts[n])), Line: h.lineAt(uint32(places[n])), Scope: h.owner})
}
