package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// mapping is a mapping of YAML.
type mapping struct {
	text   []byte
	column int // of its keys
	kind   int // where its kind is
	found  func(start, end int)
}

// line is a line of YAML.
type line struct {
	start, end int  // without the line's end
	lead       int  // blanks at the beginning
	indent     int  // the same, and the dashes of lists
	empty      bool // blank, a comment, or an action of a template
}

func (l *line) isItem() bool { return l.indent > l.lead }

// lineAt measures the line that begins at start.
func lineAt(text []byte, start int) line {
	l := line{start: start, end: look.LineEnd(text, start, len(text))}
	i := look.RunEnd(text, start, l.end-start, look.Blank)
	l.lead = i - start
	for i < l.end && text[i] == '-' && (i+1 == l.end || look.Is(text[i+1], look.Space)) {
		i = look.RunEnd(text, i+1, l.end-i-1, look.Blank)
	}
	l.indent = i - start
	c := look.At(text, i)
	l.empty = i == l.end || c == '\r' || c == '#' || look.AnyAt(text, i, []string{"{{", "{%"}) > 0
	return l
}

// top is where the mapping's first line begins.
func (m *mapping) top() int {
	l := lineAt(m.text, m.kind-m.column)
	top := l.start
	for from := l.start - maxAround; !l.isItem() && l.start > max(0, from); {
		l = lineAt(m.text, look.LineStart(m.text, l.start-1, l.start))
		switch {
		case l.empty:
			l.indent = l.lead
		case l.lead < m.column && l.indent != m.column:
			return top
		case l.indent == m.column:
			if key, _ := m.key(&l); len(key) == 0 || string(key) == "kind" {
				return top
			}
			top = l.start
		default:
			l.indent = l.lead // an item of a list within the mapping
		}
	}
	return top
}

// read goes through the mapping's lines.
func (m *mapping) read() {
	first := m.top()
	var data section
	for at := first; at < min(len(m.text), m.kind+maxAround); {
		l := lineAt(m.text, at)
		at = l.end + 1
		switch {
		case l.empty:
			continue
		case l.lead < m.column && l.start != first:
			return
		case l.indent > m.column:
			if data.open {
				at = m.entry(&data, &l)
			}
			continue
		}
		key, value := m.key(&l)
		if len(key) == 0 || string(key) == "kind" && l.start+m.column != m.kind {
			return
		}
		data = section{open: isData(key), encoded: string(key) == "data"}
		if data.open && look.At(m.text, value) == '{' && look.At(m.text, value+1) != '{' {
			f := flow{text: m.text[:l.end], bare: true, found: m.found}
			f.entries(value+1, data.encoded)
		}
	}
}

// section is what has the values.
type section struct {
	open    bool
	encoded bool // in base64
	column  int  // of the names of entries, 0 before the first
}

func isData(key []byte) bool { return string(key) == "data" || string(key) == "stringData" }

// key is the key that a line begins with, and where its value is, behind blanks. Without a key it is empty.
func (m *mapping) key(l *line) (key []byte, value int) {
	i := l.start + l.indent
	start := look.RunEnd(m.text, i, 1, look.Quote)
	end := look.RunEnd(m.text, start, l.end-start, look.Name|look.Slash)
	colon := look.RunEnd(m.text, end, start-i, look.Quote)
	if look.At(m.text, colon) != ':' || colon+1 < len(m.text) && !look.Is(m.text[colon+1], look.Space) {
		return nil, 0
	}
	return m.text[start:end], look.RunEnd(m.text, colon+1, l.end-colon-1, look.Blank)
}

// entry reads a line below data, and the further lines of its value; it returns where the next line begins.
func (m *mapping) entry(data *section, l *line) (next int) {
	if data.column == 0 || l.lead < data.column {
		data.column = l.lead
	}
	key, start := m.key(l)
	if l.indent > data.column || len(key) == 0 {
		return l.end + 1
	}
	start = m.content(start, l.end)
	last := m.deeper(l, data.column)
	switch c := look.At(m.text, start); {
	case start >= l.end, look.IsIn(c, "#\r"):
		m.folded(l.end+1, last, data.encoded)
	case look.IsIn(c, "|>"):
		m.value(l.end+1, last, data.encoded)
	case look.IsIn(c, `"'`):
		m.quoted(start, last, data.encoded)
	case !look.IsIn(c, "{[*&!"):
		end := last
		if n := bytes.Index(m.text[start:l.end], []byte(" #")); n >= 0 {
			end = start + n
		}
		m.value(start, end, data.encoded)
	}
	return last + 1
}

// content is where a value begins behind its tag and its anchor: !!binary |, &a v.
func (m *mapping) content(i, end int) int {
	for range 2 {
		if look.IsIn(look.At(m.text, i), "!&") {
			i = look.FindAny(m.text, i, end-i, " \t\r\n")
			i = look.RunEnd(m.text, i, end-i, look.Blank)
		}
	}
	return i
}

// deeper is where the last of the lines ends that follow a line and begin behind a column.
func (m *mapping) deeper(l *line, column int) int {
	end := l.end
	for at := l.end + 1; at < len(m.text); {
		next := lineAt(m.text, at)
		isBlank := next.lead == next.end-next.start || m.text[next.start+next.lead] == '\r'
		if !isBlank && next.lead <= column {
			break
		}
		if !isBlank {
			end = next.end
		}
		at = next.end + 1
	}
	return end
}

// folded is a value that begins on the line behind its key.
func (m *mapping) folded(start, end int, encoded bool) {
	start = look.RunEnd(m.text, start, end-start, look.Space)
	if start >= end {
		return
	}
	l := lineAt(m.text, look.LineStart(m.text, start, start))
	if key, _ := m.key(&l); len(key) == 0 { // else this is a mapping, and no entry
		m.value(start, end, encoded)
	}
}

// quoted is a value in quotes that may go on on further lines.
func (m *mapping) quoted(start, last int, encoded bool) {
	if end := stringEnd(m.text[:last], start+1, m.text[start], 0); end > start {
		m.value(start+1, end, encoded)
	}
}

// value hands on a value without the blanks around it.
func (m *mapping) value(start, end int, encoded bool) {
	if start >= end {
		return
	}
	start = look.RunEnd(m.text, start, end-start, look.Space)
	for end > start && look.Is(m.text[end-1], look.Space) {
		end--
	}
	if isEntryValue(m.text[start:end], encoded) {
		m.found(start, end)
	}
}
