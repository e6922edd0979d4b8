package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// yamlMapping is a block mapping of YAML: indented lines of keys and values.
type yamlMapping struct {
	text   []byte
	column int // of its keys
	kind   int // the place of its kind
	found  func(start, end int)
}

// line is one line of YAML with its measures, such as its indentation.
type line struct {
	start, end int  // without the line's end
	lead       int  // blanks at the beginning
	indent     int  // lead and the dashes of lists
	empty      bool // blank, a comment, or an action of a template
}

// lineAt returns the line that begins at start, with its measures.
func lineAt(text []byte, start int) line {
	l := line{start: start, end: look.LineEnd(text, start, len(text))}
	line := text[:l.end]
	i := look.RunEnd(line, start, l.end, look.Blank)
	l.lead = i - start
	for look.At(line, i) == '-' && look.Is(look.At(line, i+1), look.Space) { // At is 0, a space, after the end
		i = look.RunEnd(line, i+1, l.end, look.Blank)
	}
	l.indent = i - start
	l.empty = i == l.end || look.IsIn(line[i], "\r#") || look.AnyAt(line, i, []string{"{{", "{%"}) > 0
	return l
}

// firstLine returns the start of the mapping's first line.
func (m *yamlMapping) firstLine() int {
	l := lineAt(m.text, m.kind-m.column)
	top := l.start
	for from := max(0, l.start-maxAround); l.indent == l.lead && l.start > from; { // up to an item of a list
		l = lineAt(m.text, look.LineStart(m.text, l.start-1, l.start))
		switch {
		case l.empty:
			l.indent = l.lead
		case l.lead < m.column && l.indent != m.column:
			return top
		case l.indent == m.column:
			if key, _ := m.lineKey(&l); len(key) == 0 || string(key) == "kind" {
				return top
			}
			top = l.start
		default:
			l.indent = l.lead // an item of a list within the mapping
		}
	}
	return top
}

// readLines reads the mapping's lines.
func (m *yamlMapping) readLines() {
	first := m.firstLine()
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
				at = m.readDataEntry(&data, &l)
			}
			continue
		}
		key, value := m.lineKey(&l)
		isOtherKind := string(key) == "kind" && l.start+m.column != m.kind
		if len(key) == 0 || isOtherKind {
			return
		}
		data = section{open: isData(key), encoded: string(key) == "data"}
		opensFlow := look.At(m.text, value) == '{' && look.At(m.text, value+1) != '{'
		if data.open && opensFlow {
			f := jsonReader{text: m.text[:l.end], bare: true, found: m.found}
			f.readEntries(value+1, data.encoded)
		}
	}
}

// section is the part of a mapping that contains the values, while it is being read.
type section struct {
	open    bool
	encoded bool // in base64
	column  int  // of the names of entries, 0 before the first
}

func isData(key []byte) bool { return string(key) == "data" || string(key) == "stringData" }

// lineKey returns the key that a line begins with, which is empty if there is none, and the start of its value.
func (m *yamlMapping) lineKey(l *line) (key []byte, value int) {
	text := m.text[:l.end]
	i := l.start + l.indent
	start := look.RunEnd(text, i, 1, look.Quote)
	end := look.RunEnd(text, start, l.end, look.Name|look.Slash)
	colon := look.RunEnd(text, end, start-i, look.Quote)
	if look.At(text, colon) != ':' || colon+1 < l.end && !look.Is(text[colon+1], look.Space) {
		return nil, 0
	}
	return text[start:end], look.RunEnd(text, colon+1, l.end, look.Blank)
}

// readDataEntry reads a line below data and the further lines of its value. It returns the start of the next line.
func (m *yamlMapping) readDataEntry(data *section, l *line) (next int) {
	if data.column == 0 || l.lead < data.column {
		data.column = l.lead
	}
	key, start := m.lineKey(l)
	if l.indent > data.column || len(key) == 0 {
		return l.end + 1
	}
	start = m.skipTags(start, l.end)
	last := m.blockEnd(l, data.column)
	switch c := look.At(m.text, start); {
	case start >= l.end, look.IsIn(c, "#\r"):
		m.nextLine(l.end+1, last, data.encoded)
	case look.IsIn(c, "|>"):
		m.reportValue(l.end+1, last, data.encoded)
	case look.IsIn(c, `"'`): // quotes may be closed on a further line
		if end := stringEnd(m.text[:last], start+1, c, 0); end > start {
			m.reportValue(start+1, end, data.encoded)
		}
	case !look.IsIn(c, "{[*&!"):
		end := last
		if n := bytes.Index(m.text[start:l.end], []byte(" #")); n >= 0 {
			end = start + n
		}
		m.reportValue(start, end, data.encoded)
	}
	return last + 1
}

// skipTags returns the start of a value after its tag and its anchor: !!binary |, &a v.
func (m *yamlMapping) skipTags(i, end int) int {
	for range 2 {
		if look.IsIn(look.At(m.text, i), "!&") {
			i = look.FindAny(m.text, i, end-i, " \t\r\n")
			i = look.RunEnd(m.text, i, end-i, look.Blank)
		}
	}
	return i
}

// blockEnd returns the end of the last of the lines that follow a line and are indented by more than a column.
func (m *yamlMapping) blockEnd(l *line, column int) int {
	end := l.end
	for at := l.end + 1; at < len(m.text); {
		next := lineAt(m.text, at)
		at = next.end + 1
		if content := next.start + next.lead; content == next.end || m.text[content] == '\r' {
			continue // a blank line
		}
		if next.lead <= column {
			break
		}
		end = next.end
	}
	return end
}

// nextLine reads a value that begins on the line after its key.
func (m *yamlMapping) nextLine(start, end int, encoded bool) {
	start = look.RunEnd(m.text, start, end-start, look.Space)
	if start >= end {
		return
	}
	l := lineAt(m.text, look.LineStart(m.text, start, start))
	if key, _ := m.lineKey(&l); len(key) == 0 { // else this is a mapping, and no entry
		m.reportValue(start, end, encoded)
	}
}

// reportValue calls found with a value, without the blanks around it.
func (m *yamlMapping) reportValue(start, end int, encoded bool) {
	if start >= end {
		return
	}
	start = look.RunEnd(m.text, start, end-start, look.Space)
	end = look.RunStart(m.text, end, end-start, look.Space)
	if isEntryValue(m.text[start:end], encoded) {
		m.found(start, end)
	}
}
