package jsonedit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// textStyle is the indentation and line ending of a text, so that additions look like the rest.
type textStyle struct {
	newline string
	unit    string // of indentation
	compact bool   // the whole object is on one line
}

func documentStyle(d *document) textStyle {
	s := textStyle{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if d.blank || len(d.root.children) == 0 {
		return s
	}
	s.compact = bytes.IndexByte(d.text[d.root.start:d.root.end], '\n') < 0
	if first := d.root.children[0].at; d.firstOnLine(first) {
		if own, ok := strings.CutPrefix(d.lineIndent(first), d.lineIndent(d.root.start)); ok && own != "" {
			s.unit = own
		}
	}
	return s
}

// lineIndent returns the white space at the beginning of the line that has a byte.
func (d *document) lineIndent(at int) string {
	start := bytes.LastIndexByte(d.text[:at], '\n') + 1
	end := start
	for end < at && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	return string(d.text[start:end])
}

// firstOnLine reports whether only white space is before a byte on its line.
func (d *document) firstOnLine(at int) bool {
	start := bytes.LastIndexByte(d.text[:at], '\n') + 1
	return start > 0 && start+len(d.lineIndent(at)) == at
}

// render returns a value in the format of the text, without the indentation of its first line.
func (s textStyle) render(value json.RawMessage, indent string, compact bool) string {
	var b bytes.Buffer
	if compact {
		json.Compact(&b, value)
		return b.String()
	}
	json.Indent(&b, value, indent, s.unit)
	return strings.ReplaceAll(b.String(), "\n", s.newline)
}
