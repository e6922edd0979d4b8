package pack

import (
	"encoding/base64"
	"strconv"
	"unicode"
	"unicode/utf8"

	"ken/internal/delivery/agenttext"
)

// jsonWriter writes one JSON object. Texts keep all their characters; those
// without a glyph are escaped.
type jsonWriter struct{}

func (jsonWriter) plain() bool { return false }

func (jsonWriter) begin(b []byte, h *packHead) []byte {
	b = append(b, `{"revision":`...)
	b = strconv.AppendInt(b, int64(h.revision), 10)
	b = jsonString(append(b, `,"note":`...), agenttext.Notice)
	b = jsonString(append(b, `,"tokenizer":`...), h.tokenizer)
	if h.budget {
		b = jsonInt(b, "budget_used", h.used)
		b = jsonInt(b, "budget_total", h.total)
	} else {
		b = jsonInt(b, "file_tokens", h.tokens)
	}
	return append(b, `,"contents":[`...)
}

func (jsonWriter) entry(b []byte, f *shownFile, first bool) []byte {
	b = jsonPath(nextElement(b, first), f.path)
	b = jsonInt(b, "tokens", f.fileTokens)
	if f.parts != nil {
		b = jsonString(append(b, `,"shown":`...), f.summary())
	}
	return append(b, '}')
}

// nextElement begins an element of a list on a new line, after a comma unless it is the first.
func nextElement(b []byte, first bool) []byte {
	if !first {
		b = append(b, ',')
	}
	return append(b, '\n', '{')
}

func (jsonWriter) enter(b []byte) []byte { return append(b, "],\"files\":["...) }

func (jsonWriter) file(b []byte, f *shownFile, first bool) []byte {
	b = jsonPath(nextElement(b, first), f.path)
	b = jsonString(append(b, `,"language":`...), string(f.lang))
	b = jsonInt(b, "lines", f.lines)
	b = jsonInt(b, "tokens", f.tokens)
	b = append(b, `,"signatures":[`...)
	n := 0
	for i := range f.parts {
		if p := &f.parts[i]; !p.source {
			b = jsonSignature(appendComma(b, n), p)
			n++
		}
	}
	b = append(b, `],"sources":[`...)
	n = 0
	for i := range f.parts {
		if p := &f.parts[i]; p.source {
			b = jsonSource(appendComma(b, n), p)
			n++
		}
	}
	return append(b, `]}`...)
}

func appendComma(b []byte, n int) []byte {
	if n > 0 {
		b = append(b, ',')
	}
	return append(b, '\n')
}

func jsonSignature(b []byte, p *filePart) []byte {
	b = jsonString(append(b, `{"type":`...), p.kind)
	b = jsonString(append(b, `,"name":`...), p.name)
	b = jsonInt(b, "line", p.from)
	return append(jsonString(append(b, `,"signature":`...), p.text), '}')
}

func jsonSource(b []byte, p *filePart) []byte {
	b = append(b, `{"line_start":`...)
	b = strconv.AppendInt(b, int64(p.from), 10)
	b = jsonInt(b, "line_end", p.to)
	if p.cut > 0 {
		b = jsonInt(b, "cut_lines", p.cut)
	}
	return append(jsonString(append(b, `,"text":`...), p.text), '}')
}

func (jsonWriter) end(b []byte, h *packHead) []byte {
	b = append(b, `],"left_out":{"count":`...)
	b = strconv.AppendInt(b, int64(h.leftFiles), 10)
	b = jsonInt(b, "tokens", h.leftTokens)
	b = append(b, `,"files":[`...)
	for i, l := range h.left {
		b = jsonPath(nextElement(b, i == 0), l.Path)
		b = jsonInt(b, "tokens", l.Tokens)
		b = append(jsonString(append(b, `,"why":`...), l.Why), '}')
	}
	return append(b, "]}}\n"...)
}

func jsonInt(b []byte, key string, n int) []byte {
	b = append(append(append(b, ',', '"'), key...), '"', ':')
	return strconv.AppendInt(b, int64(n), 10)
}

// jsonPath writes the fields of a path, with its raw bytes if it is not UTF-8.
func jsonPath(b []byte, path string) []byte {
	b = jsonString(append(b, `"path":`...), path)
	if !utf8.ValidString(path) {
		b = append(b, `,"path_base64":"`...)
		b = append(base64.StdEncoding.AppendEncode(b, []byte(path)), '"')
	}
	return b
}

// plainJSON reports whether a byte of a JSON string is written as it is.
func plainJSON(c byte) bool { return c >= ' ' && c < 0x7f && c != '"' && c != '\\' }

func jsonString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && plainJSON(s[i]) {
			i++
		}
		b = append(b, s[from:i]...)
		if i == len(s) {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == utf8.RuneError && n == 1:
			b = append(b, "\uFFFD"...)
		case unicode.IsGraphic(r):
			b = append(b, s[i:i+n]...)
		case r < 0x10000:
			b = jsonUnit(b, uint16(r))
		default:
			b = jsonUnit(b, uint16(0xd800+(r-0x10000)>>10))
			b = jsonUnit(b, uint16(0xdc00+(r-0x10000)&0x3ff))
		}
		i += n
	}
	return append(b, '"')
}

func jsonUnit(b []byte, u uint16) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
