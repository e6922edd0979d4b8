package data

import (
	"strings"

	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// yaml scans YAML (1.2, https://yaml.org/spec/1.2.2/) line by line for the keys of its
// block mappings. It follows everything that can hide a line or a colon: documents and
// directives, block scalars with their indentation, scalars and flow collections over
// several lines, quotes, anchors, tags, explicit keys, comments. Lines of a template
// ("{{ if }}") are skipped. It reports keys and values to keyTree and builds no values.
type yaml struct {
	*keyTree
	s      string
	i      int
	levels []yamlLevel
	doc    [2]int // the comment lines directly above: from, to
	sawKey bool
}

// yamlLevel is an open block collection entry: a key or a list item.
type yamlLevel struct {
	indent int
	list   bool
}

// ScanYAML reads a YAML file, of as many documents as it has.
func ScanYAML(f *plain.File) {
	y := yaml{keyTree: newKeyTree(f), s: f.Text}
	y.scan()
}

func (y *yaml) scan() {
	for y.i < len(y.s) {
		y.line()
	}
	y.pop(-1, len(y.s))
	y.endDocument(y.trimEnd(len(y.s)))
}

// line reads the line at i and the lines its value takes.
func (y *yaml) line() {
	start := y.i
	at := start
	for at < len(y.s) && y.s[at] == ' ' {
		at++
	}
	end := lexical.LineEnd(y.s, at)
	if at == end || y.s[at:end] == "\r" {
		y.i, y.doc = end+1, [2]int{}
		return
	}
	switch c := y.s[at]; {
	case c == '#':
		if y.doc[0] == 0 {
			y.doc[0] = at + 1 // one more, so that a comment at the first byte differs from none
		}
		y.i, y.doc[1] = end+1, end
		return
	case c == '\t' && strings.TrimLeft(y.s[at:end], " \t\r") == "":
		y.i = end + 1
		return
	case at == start && y.marker(end):
		return
	case at == start && c == '%' && len(y.levels) == 0 && !y.sawKey, strings.HasPrefix(y.s[at:end], "{{"):
		y.i = end + 1
		return
	}
	y.entry(at, at-start, end)
	y.doc = [2]int{}
}

// marker reads "---" and "..." at the beginning of a line.
func (y *yaml) marker(end int) bool {
	line := y.s[y.i:end]
	if !startsMarker(line) || !lexical.IsSpaceOrEnd(line, 3, len(line)) {
		return false
	}
	y.pop(-1, y.i)
	y.endDocument(y.trimEnd(y.i))
	y.doc, y.sawKey = [2]int{}, false
	start := y.i
	y.i = end + 1
	if line[0] == '.' {
		y.docStart = y.i
		return true
	}
	at := lexical.SkipSpace(y.s, start+3, end)
	if !y.isOver(at, end) {
		y.docStart = start
		y.node(y.properties(at, end), -1, end)
	}
	return true
}

// startsMarker reports whether a line begins with one of the marks between documents.
func startsMarker(line string) bool {
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
}

// isOver reports whether only white space or a comment follows from i to the end of the line.
func (y *yaml) isOver(i, end int) bool { return i == end || y.s[i] == '#' }

// isEntryMark reports whether the byte at i begins a list item, an explicit key or the
// value of one.
func (y *yaml) isEntryMark(i, end int) bool {
	switch y.s[i] {
	case '-', '?', ':':
		return lexical.IsSpaceOrEnd(y.s, i+1, end)
	}
	return false
}

// entry reads list marks and keys at column col of the line.
func (y *yaml) entry(at, col, end int) {
	for y.isEntryMark(at, end) {
		y.push(yamlLevel{col, true}, at)
		y.openList() // an item, a key that is no plain name, or the value of one
		next := lexical.SkipSpace(y.s, at+1, end)
		if y.isOver(next, end) {
			y.i = end + 1
			return
		}
		col += next - at
		at = next
	}
	first := y.properties(at, end)
	name, colon, ok := y.keyAt(first, end)
	if !ok {
		if first != at && y.isOver(first, end) { // properties alone on the line
			y.i = end + 1
			return
		}
		y.node(first, y.parentColumn(col), end)
		return
	}
	y.push(yamlLevel{col, false}, at)
	y.sawKey = true
	sig, doc := "", ""
	if y.isSymbol(name) {
		sig, doc = y.s[first:min(end, first+2*plain.MaxSignature)], y.docText()
	}
	y.open(name, first, sig, doc)
	if c := y.s[first]; c == '"' || c == '\'' {
		y.nameInQuotes()
	}
	value := y.properties(lexical.SkipSpace(y.s, colon+1, end), end)
	if y.isOver(value, end) || y.isListMark(value, end) { // a list cannot begin here
		y.i = end + 1
		return
	}
	y.node(value, col, end)
}

func (y *yaml) isListMark(i, end int) bool {
	return y.s[i] == '-' && lexical.IsSpaceOrEnd(y.s, i+1, end)
}

// parentColumn returns the column of the entry that a value at col belongs to.
func (y *yaml) parentColumn(col int) int {
	n := len(y.levels)
	if n == 0 {
		return col - 1
	}
	top := y.levels[n-1]
	if !top.list && top.indent >= col { // no part of any mapping: broken
		return col - 1
	}
	return top.indent
}

// docText returns the comment directly above.
func (y *yaml) docText() string {
	if y.doc[0] == 0 || y.doc[0] == 1 {
		return "" // no comment, or the head of the file
	}
	return lexical.Cut(lexical.CleanDoc(y.s[y.doc[0]-1:min(y.doc[1], y.doc[0]+4*plain.MaxDoc)]), plain.MaxDoc)
}

// encloses reports whether an entry at inner belongs to the one at l. A list may begin
// at the column of its key.
func (l yamlLevel) encloses(inner yamlLevel) bool {
	if l.indent == inner.indent {
		return inner.list && !l.list
	}
	return l.indent < inner.indent
}

// push opens an entry at l after it has closed the entries that do not contain it.
func (y *yaml) push(l yamlLevel, at int) {
	n := len(y.levels)
	for n > 0 {
		if y.levels[n-1].encloses(l) {
			break
		}
		n--
	}
	y.popTo(n, at)
	y.levels = append(y.levels, l)
}

// pop closes the entries to the right of the column indent.
func (y *yaml) pop(indent, at int) {
	n := len(y.levels)
	for n > 0 && y.levels[n-1].indent > indent {
		n--
	}
	y.popTo(n, at)
}

func (y *yaml) popTo(n, at int) {
	if n == len(y.levels) {
		return
	}
	end := y.trimEnd(at)
	for len(y.levels) > n {
		y.close(end)
		y.levels = y.levels[:len(y.levels)-1]
	}
}

// trimEnd returns the end of the source before at, without blank and comment lines.
func (y *yaml) trimEnd(at int) int {
	for at > 0 {
		e := at
		for e > 0 && lexical.IsSpace(y.s[e-1]) {
			e--
		}
		begin := strings.LastIndexByte(y.s[:e], '\n') + 1
		if line := strings.TrimLeft(y.s[begin:e], " \t"); lexical.ByteAt(line, 0) != '#' || begin <= y.docStart {
			return e
		}
		at = begin
	}
	return at
}

// properties returns the offset after the anchors and tags at offset at.
func (y *yaml) properties(at, end int) int {
	for at < end && (y.s[at] == '&' || y.s[at] == '!') {
		at = lexical.SkipBlanks(y.s, lexical.SkipText(y.s, at, end), end)
	}
	return at
}

// keyAt reads a key on one line; colon is the offset of its ":".
func (y *yaml) keyAt(at, end int) (name string, colon int, ok bool) {
	if at >= end {
		return "", 0, false
	}
	switch c := y.s[at]; c {
	case '"', '\'':
		after, closed := quotedEnd(y.s[:end], at)
		if !closed {
			return "", 0, false
		}
		colon = lexical.SkipBlanks(y.s, after, end)
		if colon < end && y.s[colon] == ':' && lexical.IsSpaceOrEnd(y.s, colon+1, end) {
			return unquoteYAML(y.s[at:after]), colon, true
		}
		return "", 0, false
	case '[', '{', '|', '>', '#', '%', '@', '`':
		return "", 0, false
	}
	for i := at; i < end; i++ {
		switch y.s[i] {
		case ':':
			if lexical.IsSpaceOrEnd(y.s, i+1, end) {
				return strings.Trim(y.s[at:i], " \t"), i, i > at
			}
		case '#':
			if lexical.IsBlank(y.s[i-1]) {
				return "", 0, false
			}
		}
	}
	return "", 0, false
}

// node reads a value that begins at at. Lines indented more than indent, its parent's
// column, belong to it.
func (y *yaml) node(at, indent, end int) {
	if at >= end {
		y.i = end + 1
		return
	}
	switch y.s[at] {
	case '|', '>':
		y.block(at, indent, end)
		return
	case '"', '\'':
		after, _ := quotedEnd(y.s, at)
		if y.s[at] == '\'' || after-at < 4096 {
			y.scalar(unquoteYAML(y.s[at:after]), at)
		}
		y.i = lexical.LineEnd(y.s, after) + 1
		return
	case '[', '{':
		if !strings.HasPrefix(y.s[at:end], "{{") {
			f := flow{src: y.s, pos: at, keys: y.keyTree, hashComments: true}
			f.scanValue()
			y.i = lexical.LineEnd(y.s, min(f.pos, len(y.s))) + 1
			return
		}
	}
	y.plain(at, indent, end)
}

// plain reads a plain scalar, which continues over all lines indented more than its
// parent.
func (y *yaml) plain(at, indent, end int) {
	v := y.s[at:end]
	comment := strings.Index(v, " #")
	if comment >= 0 {
		v = v[:comment]
	}
	y.scalar(strings.TrimRight(v, " \t\r"), at)
	y.i = end + 1
	for comment < 0 && y.i < len(y.s) {
		e := lexical.LineEnd(y.s, y.i)
		p := y.i
		for p < e && y.s[p] == ' ' {
			p++
		}
		if p < e && y.s[p] != '\r' && y.endsPlain(p, e, indent) {
			return
		}
		y.i = e + 1
	}
}

// endsPlain reports whether the text of a line, from p to e, does not continue a plain
// scalar whose parent is at column indent.
func (y *yaml) endsPlain(p, e, indent int) bool {
	text := y.s[p:e]
	switch {
	case p-y.i <= indent, text[0] == '#', strings.HasPrefix(text, "{{"):
		return true
	case p == y.i && startsMarker(text):
		return true
	}
	// A key or a list item ends it too. The standard differs, but such a line was
	// not meant to continue a text.
	_, _, key := y.keyAt(y.properties(p, e), e)
	return key || y.isListMark(p, e)
}

// block skips a block scalar: every line that is blank or indented more than its
// parent. One that is a document itself may begin at the margin.
func (y *yaml) block(at, indent, end int) {
	y.i = end + 1
	begin := y.i
	for y.i < len(y.s) {
		e := lexical.LineEnd(y.s, y.i)
		p := y.i
		for p < e && y.s[p] == ' ' {
			p++
		}
		if p < e && y.s[p] != '\r' && y.endsBlock(p, e, indent) {
			break
		}
		y.i = e + 1
	}
	if commandKeys[y.key()] && begin < y.i {
		y.MentionScripts(y.s[begin:min(y.i, len(y.s), begin+16<<10)], begin)
	}
}

// endsBlock reports whether the text of a line, from p to e, does not belong to a block
// scalar whose parent is at column indent.
func (y *yaml) endsBlock(p, e, indent int) bool {
	return p-y.i <= indent || indent < 0 && startsMarker(y.s[p:e])
}

// quotedEnd returns the offset after the quoted string at at; closed is false if it does not
// end.
func quotedEnd(s string, at int) (end int, closed bool) {
	q := s[at]
	i, quote := at+1, -1
	for i < len(s) {
		if quote < i { // each byte is looked at once for quotes and once for escapes
			n := strings.IndexByte(s[i:], q)
			if n < 0 {
				return len(s), false
			}
			quote = i + n
		}
		switch {
		case q == '"':
			b := strings.IndexByte(s[i:quote], '\\')
			if b < 0 {
				return quote + 1, true
			}
			i += b + 2
		case quote+1 < len(s) && s[quote+1] == q:
			i = quote + 2
		default:
			return quote + 1, true
		}
	}
	return len(s), false
}

// unquoteYAML removes the quotes of a scalar. Escapes other than of the quote itself
// stay as they are written, because keys are not written with them.
func unquoteYAML(s string) string {
	if len(s) < 2 {
		return ""
	}
	in := s[1 : len(s)-1]
	if s[0] == '\'' {
		return strings.ReplaceAll(in, "''", "'")
	}
	if strings.IndexByte(in, '\\') >= 0 {
		in = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, `/`).Replace(in)
	}
	return in
}
