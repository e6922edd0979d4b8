// Package buildfile scans files that describe how software is built or deployed.
package buildfile

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// hcl scans HCL (https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md) as
// Terraform, Packer and Nomad use it. Top-level blocks are symbols, named by their last
// label and qualified as Terraform's expressions refer to them (var.region, module.vpc,
// aws_instance.web); so are the values of locals. Local module sources are imports, and
// the names in expressions are references.
type hcl struct {
	*plain.File
	src     string
	pos     int
	doc     [2]int // start and end of the last comment
	ownLine bool   // there is nothing but white space before pos on its line
}

// ScanHCL reads a file of HCL (Terraform).
func ScanHCL(f *plain.File) {
	h := hcl{File: f, src: f.Text, ownLine: true}
	for h.pos < len(h.src) {
		h.topLevel()
	}
}

// skipSpace skips white space and comments.
func (h *hcl) skipSpace() {
	for h.pos < len(h.src) {
		c := h.src[h.pos]
		switch {
		case lexical.IsSpace(c):
			h.ownLine = h.ownLine || c == '\n'
			h.pos++
		case c == '#', strings.HasPrefix(h.src[h.pos:], "//"):
			h.skipComment(lexical.LineEnd(h.src, h.pos))
		case strings.HasPrefix(h.src[h.pos:], "/*"):
			end := len(h.src)
			if n := strings.Index(h.src[h.pos+2:], "*/"); n >= 0 {
				end = h.pos + n + 4
			}
			h.skipComment(end)
		default:
			return
		}
	}
}

// skipComment moves to the end of a comment. One on lines of its own documents the next
// declaration, together with those right above it.
func (h *hcl) skipComment(end int) {
	if h.ownLine {
		if h.doc[1] == 0 || h.src[h.pos:min(h.pos+2, len(h.src))] == "/*" || !lexical.IsGap(h.src[h.doc[1]:h.pos], false) {
			h.doc[0] = h.pos
		}
		h.doc[1] = end
	}
	h.pos = end
}

// topLevel reads a block or attribute.
func (h *hcl) topLevel() {
	h.skipSpace()
	start := h.pos
	word := h.readWord()
	if word == "" {
		if h.pos < len(h.src) {
			h.ownLine = false
			h.skipValue()
			h.pos = max(h.pos, start+1)
		}
		return
	}
	doc := h.docText(start)
	labels, labelStart := h.labels()
	switch lexical.ByteAt(h.src, h.pos) {
	case '{':
		h.block(word, labels, labelStart, start, doc)
	case '=':
		h.pos++
		h.attribute(word, start, doc)
	default:
		h.pos = max(h.pos, start+1)
	}
	h.doc = [2]int{}
}

// labels reads the labels of a block, at most 8, and where the last one begins.
func (h *hcl) labels() (labels []string, last int) {
	for len(labels) < 8 {
		h.skipBlanks()
		start := h.pos
		if lexical.ByteAt(h.src, start) == '"' {
			h.pos = hclStringEnd(h.src, start)
			labels, last = append(labels, strings.Trim(h.src[start:h.pos], `"`)), start+1
		} else if w := h.readWord(); w != "" {
			labels, last = append(labels, w), start
		} else {
			break
		}
	}
	return labels, last
}

func (h *hcl) skipBlanks() {
	for lexical.IsBlank(lexical.ByteAt(h.src, h.pos)) {
		h.pos++
	}
}

func (h *hcl) readWord() string {
	start := h.pos
	for h.pos < len(h.src) && (lexical.IsWord(h.src[h.pos]) || h.src[h.pos] == '-') {
		h.pos++
	}
	h.ownLine = h.ownLine && start == h.pos
	return h.src[start:h.pos]
}

func (h *hcl) docText(start int) string {
	if h.doc[1] == 0 || h.doc[1] > start || !lexical.IsGap(h.src[h.doc[1]:start], false) {
		return ""
	}
	return lexical.Cut(lexical.CleanDoc(h.src[h.doc[0]:min(h.doc[1], h.doc[0]+4*plain.MaxDoc)]), plain.MaxDoc)
}

// attribute reads an attribute of the top level (a .tfvars file).
func (h *hcl) attribute(name string, start int, doc string) {
	end := lexical.LineEnd(h.src, start)
	sym := h.AddSymbol(code.KindKey, name, start, start, end, h.src[start:end], plain.MaxKeys)
	if sym >= 0 {
		h.Facts.Symbols[sym].Doc = doc
	}
	h.skipValue()
	h.SetEnd(sym, h.valueEnd(start))
}

// valueEnd returns the end of the value in front of the position.
func (h *hcl) valueEnd(start int) int {
	end := min(h.pos, len(h.src))
	for end > start && lexical.IsSpace(h.src[end-1]) {
		end--
	}
	return end
}

// block declares a top-level block and reads its inside.
func (h *hcl) block(word string, labels []string, labelStart, start int, doc string) {
	if word == "locals" && len(labels) == 0 {
		h.pos++
		h.locals()
		return
	}
	kind, name, qualified := hclSymbol(word, labels)
	if len(labels) == 0 {
		labelStart = start
	}
	sym := h.AddSymbol(kind, name, labelStart, start, h.pos, h.src[start:h.pos], plain.MaxOutline)
	if sym >= 0 {
		h.Facts.Symbols[sym].Qualified, h.Facts.Symbols[sym].Doc = lexical.Valid(qualified), doc
		h.Owner = sym
	}
	h.pos++
	h.blockBody(word)
	h.SetEnd(sym, h.pos)
	h.Owner = -1
}

// hclSymbol returns the kind and name of the symbol a block declares.
func hclSymbol(word string, labels []string) (kind code.Kind, name, qualified string) {
	if len(labels) == 0 {
		return code.KindKey, word, word
	}
	name = labels[len(labels)-1]
	switch word {
	case "variable":
		return code.KindVariable, name, "var." + name
	case "output":
		return code.KindVariable, name, "output." + name
	case "module":
		return code.KindModule, name, "module." + name
	case "resource", "data", "source", "ephemeral":
		if len(labels) > 1 {
			return code.KindResource, name, labels[len(labels)-2] + "." + name
		}
	}
	return code.KindResource, name, word + "." + name
}

// locals declares the values of a locals block.
func (h *hcl) locals() {
	for {
		h.skipSpace()
		if h.pos >= len(h.src) {
			return
		}
		if h.src[h.pos] == '}' {
			h.pos++
			return
		}
		start := h.pos
		doc := h.docText(start)
		name := h.readWord()
		h.skipBlanks()
		if name == "" || lexical.ByteAt(h.src, h.pos) != '=' {
			h.pos = max(h.pos, start+1)
			h.ownLine = false
			continue
		}
		h.pos++
		sym := h.AddSymbol(code.KindVariable, name, start, start, h.pos, h.src[start:lexical.LineEnd(h.src, start)], plain.MaxOutline)
		if sym >= 0 {
			h.Facts.Symbols[sym].Qualified, h.Facts.Symbols[sym].Doc = "local."+lexical.Valid(name), doc
			h.Owner = sym
		}
		h.skipValue()
		h.SetEnd(sym, h.valueEnd(start))
		h.Owner, h.doc = -1, [2]int{}
	}
}

// blockBody reads the inside of a block up to its brace. A module's source is an import.
func (h *hcl) blockBody(word string) {
	depth := 1
	for h.pos < len(h.src) {
		h.skipSpace()
		if h.pos >= len(h.src) {
			return
		}
		switch c := h.src[h.pos]; {
		case c == '{':
			depth++
			h.pos++
		case c == '}':
			h.pos++
			if depth--; depth == 0 {
				return
			}
		case lexical.IsWord(c):
			start := h.pos
			name := h.readWord()
			if depth == 1 && word == "module" && name == "source" {
				h.moduleSource(start)
				continue
			}
			h.traversal(name, start)
		default:
			h.skipToken(c)
		}
	}
}

// moduleSource imports the module of an attribute source = "…" that begins at byte
// start, unless an expression computes it.
func (h *hcl) moduleSource(start int) {
	text := h.src[h.pos:min(len(h.src), h.pos+512)]
	value, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "=")
	if !ok {
		return
	}
	value, ok = strings.CutPrefix(strings.TrimLeft(value, " \t"), `"`)
	if n := strings.IndexByte(value, '"'); ok && n > 0 && !strings.Contains(value[:n], "${") {
		h.AddImport(code.ImportStatic, value[:n], start)
		h.pos += len(text) - len(value) + n + 1
	}
}

// skipToken skips a string, heredoc or punctuation, and reads the templates in it.
func (h *hcl) skipToken(c byte) {
	h.ownLine = false
	switch {
	case c == '"':
		end := hclStringEnd(h.src, h.pos)
		h.interpolations(h.pos, end)
		h.pos = end
	case strings.HasPrefix(h.src[h.pos:], "<<"):
		end := heredocEnd(h.src, h.pos)
		h.interpolations(h.pos, end)
		h.pos = end
	default:
		h.pos++
	}
}

// skipValue skips an expression: up to the end of the line, or of the brackets it opens.
func (h *hcl) skipValue() {
	depth := 0
	for h.pos < len(h.src) {
		switch c := h.src[h.pos]; {
		case c == '{', c == '[', c == '(':
			depth++
			h.pos++
		case c == '}', c == ']', c == ')':
			if depth == 0 {
				if c != '}' {
					h.pos++
				}
				return
			}
			depth--
			h.pos++
		case c == '\n':
			if depth == 0 {
				return
			}
			h.pos++
		case c == '#', strings.HasPrefix(h.src[h.pos:], "//"), strings.HasPrefix(h.src[h.pos:], "/*"):
			before := h.pos
			h.ownLine = false
			h.skipSpace()
			if depth == 0 && strings.IndexByte(h.src[before:h.pos], '\n') >= 0 {
				return
			}
		case lexical.IsWord(c):
			start := h.pos
			h.traversal(h.readWord(), start)
		default:
			h.skipToken(c)
		}
	}
}

// hclStringEnd returns the offset after the string that begins at open, with the templates
// in it.
func hclStringEnd(s string, open int) int {
	depth := 0 // of ${ }
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return i // a string ends on its line
		case '$', '%':
			if lexical.ByteAt(s, i+1) == '{' {
				depth++
				i++
			}
		case '{':
			if depth > 0 {
				depth++
			}
		case '}':
			depth = max(depth-1, 0)
		case '"':
			if depth == 0 {
				return i + 1
			}
			for i++; i < len(s) && s[i] != '"' && s[i] != '\n'; i++ { // a string inside a template
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(s)
}

// heredocEnd returns the offset after the heredoc that begins at open, or after its << if
// no mark follows.
func heredocEnd(s string, open int) int {
	mark := strings.TrimPrefix(s[open+2:min(len(s), open+80)], "-")
	n := 0
	for n < len(mark) && lexical.IsWord(mark[n]) {
		n++
	}
	if n == 0 {
		return open + 2
	}
	mark = mark[:n]
	for i := lexical.LineEnd(s, open) + 1; i < len(s); {
		end := lexical.LineEnd(s, i)
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
		n := strings.Index(h.src[i:end], "${")
		if n < 0 {
			return
		}
		i += n + 2
		for i < end && h.src[i] != '}' {
			if !lexical.IsWord(h.src[i]) {
				i++
				continue
			}
			start := i
			for i < end && (lexical.IsWord(h.src[i]) || h.src[i] == '-') {
				i++
			}
			save := h.pos
			h.pos = i
			h.traversal(h.src[start:i], start)
			i = min(h.pos, end)
			h.pos = save
		}
	}
}

// traversal reads the rest of a.b.c after its first name, which begins at byte start,
// and adds a reference to the block it means.
func (h *hcl) traversal(first string, start int) {
	h.ownLine = false
	parts, starts := []string{first}, []int{start}
	for len(parts) < 4 && lexical.ByteAt(h.src, h.pos) == '.' && lexical.IsWord(lexical.ByteAt(h.src, h.pos+1)) {
		h.pos++
		partStart := h.pos
		parts, starts = append(parts, h.readWord()), append(starts, partStart)
	}
	if len(parts) < 2 || len(h.Facts.Refs) >= plain.MaxRefs {
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
	if parts[n] == "" || lexical.IsDigit(recv[0]) {
		return
	}
	h.Facts.Refs = append(h.Facts.Refs, code.Ref{Name: parts[n], Kind: code.RefUse, Via: code.ViaTyped, Recv: recv, Import: -1,
		Start: uint32(starts[n]), End: uint32(starts[n] + len(parts[n])), Line: h.LineAt(uint32(starts[n])), Scope: h.Owner})
}
