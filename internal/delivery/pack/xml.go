package pack

import (
	"strconv"
	"strings"

	"ken/internal/delivery/agenttext"
)

// xmlWriter writes one element, source_code, in well-formed XML 1.0. Its texts are
// plain, because XML cannot hold every character; docs/pack.md shows the format.
type xmlWriter struct {
	compact bool // signatures are lines of one element instead of an element each
}

func (xmlWriter) plain() bool { return true }

func (xmlWriter) begin(b []byte, h *packHead) []byte {
	b = append(b, "<source_code"...)
	if h.budget {
		b = appendAttr(b, "budget_used", strconv.Itoa(h.used))
		b = appendAttr(b, "budget_total", strconv.Itoa(h.total))
	} else {
		b = appendAttr(b, "files", strconv.Itoa(h.files))
		b = appendAttr(b, "file_tokens", strconv.Itoa(h.tokens))
	}
	b = appendAttr(b, "tokenizer", h.tokenizer)
	b = appendAttr(b, "revision", strconv.FormatInt(int64(h.revision), 10))
	b = appendAttr(b, "note", agenttext.Notice)
	return append(b, ">\n<contents>\n"...)
}

func (xmlWriter) entry(b []byte, f *shownFile, _ bool) []byte {
	b = append(b, "<file"...)
	b = appendAttr(b, "path", spellInvisible(f.path))
	b = tokensAttr(b, f.fileTokens)
	if f.parts != nil {
		b = appendAttr(b, "shown", f.summary())
	}
	return append(b, "/>\n"...)
}

func (xmlWriter) enter(b []byte) []byte { return append(b, "</contents>\n"...) }

func (w xmlWriter) file(b []byte, f *shownFile, _ bool) []byte {
	b = append(b, "<locked_file"...)
	b = appendAttr(b, "path", spellInvisible(f.path))
	b = tokensAttr(b, f.tokens)
	b = append(b, ">\n"...)
	for i := 0; i < len(f.parts); i++ {
		p := &f.parts[i]
		switch {
		case p.source:
			b = xmlSource(b, p)
		case w.compact:
			n := runOfSignatures(f.parts[i:])
			b = append(b, "<signatures>\n"...)
			for _, s := range f.parts[i : i+n] {
				b = strconv.AppendInt(b, int64(s.from), 10)
				b = append(escapeXML(append(b, s.gap()...), s.text), '\n')
			}
			b = append(b, "</signatures>\n"...)
			i += n - 1
		default:
			b = append(b, "<signature"...)
			b = appendAttr(b, "type", p.kind)
			b = appendAttr(b, "name", spellInvisible(p.name))
			b = appendAttr(b, "line", strconv.Itoa(p.from))
			b = append(escapeXML(append(b, '>'), p.text), "</signature>\n"...)
		}
	}
	return append(b, "</locked_file>\n"...)
}

func xmlSource(b []byte, p *filePart) []byte {
	b = append(b, "<full_source"...)
	b = appendAttr(b, "line_start", strconv.Itoa(p.from))
	b = appendAttr(b, "line_end", strconv.Itoa(p.to))
	if p.cut > 0 {
		b = appendAttr(b, "cut_lines", strconv.Itoa(p.cut))
	}
	return append(escapeXML(append(b, ">\n"...), p.text), "\n</full_source>\n"...)
}

// runOfSignatures returns the number of signatures a list of parts begins with.
func runOfSignatures(parts []filePart) int {
	n := 0
	for n < len(parts) && !parts[n].source {
		n++
	}
	return n
}

func (xmlWriter) end(b []byte, h *packHead) []byte {
	if h.leftFiles > 0 {
		b = append(b, "<left_out"...)
		b = appendAttr(b, "files", strconv.Itoa(h.leftFiles))
		b = appendAttr(b, "tokens", strconv.Itoa(h.leftTokens))
		if len(h.left) == 0 {
			b = append(b, "/>\n"...)
		} else {
			b = append(b, ">\n"...)
			for _, l := range h.left {
				b = append(b, "<file"...)
				b = appendAttr(b, "path", spellInvisible(l.Path))
				b = tokensAttr(b, l.Tokens)
				b = append(appendAttr(b, "why", l.Why), "/>\n"...)
			}
			b = append(b, "</left_out>\n"...)
		}
	}
	return append(b, "</source_code>\n"...)
}

// tokensAttr writes a number of tokens, if it was counted.
func tokensAttr(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	return appendAttr(b, "tokens", strconv.Itoa(n))
}

// appendAttr writes an attribute. Tabs are escaped, because a reader would turn them into blanks.
func appendAttr(b []byte, name, value string) []byte {
	b = append(append(append(b, ' '), name...), `="`...)
	for i := range len(value) {
		switch c := value[i]; c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '"':
			b = append(b, "&quot;"...)
		case '\t':
			b = append(b, "&#9;"...)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// escapeXML appends a text without characters that XML 1.0 forbids. Quotes are
// not escaped, nor is '>' unless it ends "]]>", because code is full of both.
func escapeXML(b []byte, s string) []byte {
	for {
		i := strings.IndexAny(s, "&<>")
		if i < 0 {
			return append(b, s...)
		}
		b = append(b, s[:i]...)
		switch {
		case s[i] == '&':
			b = append(b, "&amp;"...)
		case s[i] == '<':
			b = append(b, "&lt;"...)
		case i >= 2 && s[i-2:i] == "]]":
			b = append(b, "&gt;"...)
		default:
			b = append(b, '>')
		}
		s = s[i+1:]
	}
}
